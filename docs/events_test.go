package docs

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
)

const eventsHead = `# Events, and where each stands in the code

For each type of event: the function that records it, those that rules and replay read it in, the views that make a
figure of it (the comment of package ` + "`projections/NAME`" + ` says how), and what puts it into words or lists it.
[Formats](formats.md) says how an event is stored, [extending](extending.md) how to add a type.

This page is written by ` + "`go test ./docs -run TestEventsAreCurrent -update`" + ` from the tree.

| type, payload | recorded in | read by rules and replay | views | words, pages, reports |
|---|---|---|---|---|
`

// readers are the directories of the page's last three columns.
var readers = []*regexp.Regexp{
	regexp.MustCompile(`^(rules|replay)\b`), regexp.MustCompile(`^projections\b`), regexp.MustCompile(`^cmd\b`),
}

// testsOthers are the packages that serve the tests of others.
var testsOthers = regexp.MustCompile(`recordtest$|rulestest$|^fixtures`)

// isType is an expression whose value is the type of an event.
var isType = regexp.MustCompile(`(?:\bkind|\.Type|\.Type\(.*\))$`)

// TestEventsAreCurrent holds events.md to the code.
func TestEventsAreCurrent(t *testing.T) {
	w := whereabouts{map[string]string{}, map[string][]string{}, map[string][]string{}}
	kinds := map[string]string{} // by the name of the payload
	for _, p := range events.Payloads() {
		name := reflect.TypeOf(p).Elem().Name()
		kinds[name] = string(p.Type())
	}
	for _, f := range goFiles(t) {
		if !f.test() && !testsOthers.MatchString(f.dir) {
			w.file(f, kinds)
		}
	}
	var page strings.Builder
	page.WriteString(eventsHead)
	for _, p := range events.Payloads() {
		name := reflect.TypeOf(p).Elem().Name()
		fmt.Fprintf(&page, "| `%s`, [%s](../%s) | %s |", kinds[name], name, w.declared[name], cells(w.recorded[name]))
		for _, dirs := range readers {
			not := func(place string) bool { return !dirs.MatchString(place) }
			fmt.Fprintf(&page, " %s |", cells(slices.DeleteFunc(slices.Clone(w.read[name]), not)))
		}
		page.WriteString("\n")
	}
	current(t, "events.md", page.String())
}

// whereabouts says where payloads stand: the file that declares each, and the places, "file function", that make or
// read one.
type whereabouts struct {
	declared       map[string]string
	recorded, read map[string][]string
}

// file notes what one file of the program has, declaration by declaration.
func (w whereabouts) file(f goFile, kinds map[string]string) {
	file := f.dir + "/" + f.name
	for _, d := range f.ast.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE && f.dir == "events" {
			for _, s := range g.Specs {
				w.declared[s.(*ast.TypeSpec).Name.Name] = file
			}
		}
		if f.dir == "events" {
			continue
		}
		name := declared(d)
		if name == "System" || name == "Projection" || name == "types" {
			continue // lists that say nothing but that it occurs
		}
		place := file + " " + name
		ofTypes := typesIn(d)
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if name := payloadOf(n); kinds[name] != "" && !slices.Contains(w.recorded[name], place) {
					add(w.read, name, place)
				}
			case *ast.CompositeLit: // events.Name{…}, whose address is taken later
				if name := payloadOf(n.Type); len(n.Elts) > 0 && kinds[name] != "" {
					add(w.recorded, name, place)
				}
			case *ast.BasicLit: // one word alone says too often something else
				text, _ := strconv.Unquote(n.Value)
				for name, kind := range kinds {
					if n.Kind == token.STRING && kind == text && (strings.Contains(kind, "_") || ofTypes[n]) {
						add(w.read, name, place)
					}
				}
			}
			return true
		})
	}
}

// typesIn are the literals of a declaration that can only be types of events: cases of a switch over a type, what one
// is compared with, and the elements of lists and maps of types.
func typesIn(d ast.Decl) map[ast.Expr]bool {
	list := map[ast.Expr]bool{}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					list[e] = n.Tag != nil && isType.MatchString(types.ExprString(n.Tag))
				}
			}
		case *ast.BinaryExpr:
			list[n.Y] = isType.MatchString(types.ExprString(n.X))
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Key
				}
				list[e] = n.Type != nil && strings.Contains(types.ExprString(n.Type), "events.Type")
			}
		}
		return true
	})
	return list
}

// payloadOf is the name behind "events.", if that is what an expression is.
func payloadOf(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok && x.Name == "events" {
			return s.Sel.Name
		}
	}
	return ""
}

// cells lists places file by file, each with its functions behind it.
func cells(places []string) string {
	var files []string
	functions := map[string][]string{}
	for _, p := range places {
		file, function, _ := strings.Cut(p, " ")
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
		add(functions, file, function)
	}
	for i, file := range files {
		files[i] += ": " + strings.Join(functions[file], ", ")
	}
	return strings.Join(files, "; ")
}
