package docs

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestExtending: the files that docs/extending.md names are there, and its numbers hold.
func TestExtending(t *testing.T) {
	text, err := os.ReadFile("extending.md")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(\.\./([^)]*)\)|` + "`((?:cmd|rules|replay|docs|events)/[a-z/._]*)`")
	for _, m := range link.FindAllStringSubmatch(string(text), -1) {
		if name := m[1] + m[2]; name != "" {
			if _, err := os.Stat("../" + name); err != nil {
				t.Errorf("the page names %s: %v", name, err)
			}
		}
	}
	naming := map[string][]string{} // files of the program, by what they import or name
	declared := regexp.MustCompile(`func \(\*(\w+)\) Type\(\) Type *\{ return "([a-z_]+)" \}`)
	types := map[string]string{} // by the struct
	files := map[string]string{}
	for _, f := range goFiles(t) {
		if f.test() || strings.Contains(f.dir, "recordtest") || strings.HasPrefix(f.dir, "fixtures") {
			continue
		}
		name := f.dir + "/" + f.name
		files[name] = textOf(t, f)
		for _, i := range f.ast.Imports {
			path := strings.TrimPrefix(strings.Trim(i.Path.Value, `"`), "github.com/watu-ledger/watu/")
			naming[path] = append(naming[path], name)
		}
		for _, m := range declared.FindAllStringSubmatch(files[name], -1) {
			types[m[1]] = m[2]
		}
	}
	for _, system := range []string{"aar", "awaw", "eots", "g40"} {
		if list := naming["rules/"+system]; !slices.Equal(list, []string{"rules/all/all.go"}) {
			t.Errorf("rules/%s is imported by %v, not by rules/all alone", system, list)
		}
	}
	many := 0
	for _, name := range slices.Sorted(maps.Keys(types)) {
		if n := standsIn(files, name, types[name]); n > mostFilesOfType {
			many++
		}
	}
	if len(types) < 60 || many > typesInMore {
		t.Errorf("%d of %d types of event stand in more than %d files; they were %d", many, len(types), mostFilesOfType,
			typesInMore)
	}
}

// A type of event stands in at most eight files of the program. Older ones stand in more; their number may only fall.
const (
	mostFilesOfType = 8
	typesInMore     = 54
)

// standsIn counts the files that name a type of event, by its struct or its kind.
func standsIn(files map[string]string, name, kind string) (n int) {
	own := regexp.MustCompile(`\b` + name + `\b`)
	for file, text := range files {
		named := strings.Contains(text, strconv.Quote(kind)) || strings.Contains(text, name) &&
			(strings.HasPrefix(file, "events/") || strings.Contains(text, "events."+name)) && own.MatchString(text)
		if named {
			n++
		}
	}
	return n
}

func textOf(t *testing.T, f goFile) string {
	t.Helper()
	text, err := os.ReadFile("../" + f.dir + "/" + f.name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
