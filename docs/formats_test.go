package docs

import (
	"fmt"
	"go/ast"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/situation"
	"github.com/watu-ledger/watu/projections/strategic"
)

// shownView is a view and the type of its report.
type shownView struct {
	of      projections.Projection
	report  any
	version int
}

var shownViews = []shownView{
	{pools.Projection(), pools.Report{}, pools.Version},
	{strategic.Projection(), strategic.Report{}, strategic.Version},
	{income.Projection(), income.Report{}, income.Version},
	{situation.Projection(), situation.Report{}, situation.Version},
}

// Every view stands in the list above.
func TestEveryViewIsShown(t *testing.T) {
	for _, f := range goFiles(t) {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			is := func(v shownView) bool { return "projections/"+v.of.Name == f.dir }
			if ok && fn.Recv == nil && fn.Name.Name == "Projection" && !slices.ContainsFunc(shownViews, is) {
				t.Errorf("formats.md does not show the view of %s", f.dir)
			}
		}
	}
}

// TestEveryFigureIsTold holds the tables of formats.md to the views: each list of a report with all fields of its
// entries in their order, and no other; the version; and between them the types of events that change the view.
func TestEveryFigureIsTold(t *testing.T) {
	page, err := os.ReadFile("formats.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `([a-z_]+\\??)` \\| ([a-z_, ]*) \\| ?(.*) \\|$")
	for _, v := range shownViews {
		_, section, found := strings.Cut(string(page), "\n### "+v.of.Name+"\n")
		if !found {
			t.Errorf("formats.md has no section %s", v.of.Name)
			continue
		}
		section, _, _ = strings.Cut(section, "\n##")
		if want := fmt.Sprintf("\nVersion %d.", v.version); !strings.HasPrefix(section, want) {
			t.Errorf("the section %s does not begin with %q", v.of.Name, want)
		}
		var told []string
		types := map[events.Type]bool{"voided": true, "corrected": true} // of what stands
		for _, m := range row.FindAllStringSubmatch(section, -1) {
			told = append(told, strings.TrimSpace(m[1]+": "+m[3]))
			for _, name := range strings.Split(m[2], ", ") {
				types[events.Type(name)] = true
			}
		}
		compareLists(t, v.of.Name, told, listsOf(reflect.TypeOf(v.report)))
		for _, name := range v.of.Types {
			if !types[name] {
				t.Errorf("%s: no list is said to be made of %s", v.of.Name, name)
			}
			delete(types, name)
		}
		delete(types, "voided")
		delete(types, "corrected")
		for name := range types {
			t.Errorf("%s: %s is said to make a list, and does not change the view", v.of.Name, name)
		}
	}
}

func compareLists(t *testing.T, view string, told, is []string) {
	t.Helper()
	for _, list := range is {
		if !slices.Contains(told, list) {
			t.Errorf("%s: formats.md does not tell of\n  %s", view, list)
		}
	}
	for _, list := range told {
		if !slices.Contains(is, list) {
			t.Errorf("%s: formats.md tells of what there is not:\n  %s", view, list)
		}
	}
}

// TestEveryCompensationIsTold holds the table of compensations to the words that events use.
func TestEveryCompensationIsTold(t *testing.T) {
	page, err := os.ReadFile("formats.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Compensations\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var told []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([a-z]+) \| [a-z0-9, ]+ \|`).FindAllStringSubmatch(section, -1) {
		told = append(told, m[1])
	}
	is := []string{
		events.CompensatedTreasury, events.CompensatedCard, events.CompensatedFactors, events.CompensatedFigure,
		events.CompensatedBase,
	}
	if told = slices.DeleteFunc(told, func(word string) bool { return word == "what" }); !slices.Equal(told, is) {
		t.Errorf("formats.md tells of the compensations %q, and there are %q", told, is)
	}
}

// listsOf gives the lists of a report with the fields of their entries, as formats.md writes them.
func listsOf(report reflect.Type) (lists []string) {
	seen := map[reflect.Type]string{}
	for i := range report.NumField() {
		name := jsonName(report.Field(i))
		if name == "version" {
			continue
		}
		fields, entry := "", entryOf(report.Field(i).Type)
		switch first, again := seen[entry]; {
		case entry != nil && again:
			fields = "= " + first
		case entry != nil:
			fields, seen[entry] = strings.Join(fieldsOf(entry), ", "), name
		}
		lists = append(lists, strings.TrimSpace(name+": "+fields))
	}
	return lists
}

// entryOf is the type of a field's object, or of those in its list; nil if it has none.
func entryOf(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

var placeOfRow = []string{"event", "turn_ordinal", "turn", "corrects?", "corrected_by?", "voided_by?"}

// fieldsOf gives the fields of an entry: those of a row by that word, the fields of objects within in braces.
func fieldsOf(t reflect.Type) []string {
	seen := map[reflect.Type]string{}
	var list []string
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		name := jsonName(f)
		if entry := entryOf(f.Type); entry != nil {
			if first, again := seen[entry]; again {
				name += " {= " + first + "}"
			} else {
				seen[entry] = strings.TrimSuffix(name, "?")
				name += " {" + strings.Join(fieldsOf(entry), ", ") + "}"
			}
		}
		list = append(list, name)
	}
	for _, name := range placeOfRow {
		if !slices.Contains(list, name) {
			return list
		}
	}
	return append([]string{"row"},
		slices.DeleteFunc(list, func(name string) bool { return slices.Contains(placeOfRow, name) })...)
}

// jsonName is a field's name in JSON, with ? if it is left out where it is empty.
func jsonName(f reflect.StructField) string {
	name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
	if strings.Contains(rest, "omit") {
		name += "?"
	}
	return name
}
