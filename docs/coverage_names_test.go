package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// testPackage is the test files of one directory: it says which test function an id in a table or
// in a helper belongs to.
type testPackage struct {
	parts []*testPart
}

// testPart is one declaration: the ids in it, and what it uses.
type testPart struct {
	file, name string
	ids        []namedID
	uses       map[string]bool
	owner      string // the nearest test function that reaches it
}

// namedID is an id: whether it stands in a string or only in a comment, and whether its line, its
// declaration or its file speaks of refusals.
type namedID struct {
	id               string
	comment, refused bool
}

var refusal = regexp.MustCompile(`(?i)refus|violat`)

func (t *tree) testFile(p string, text []byte, packages map[string]*testPackage) error {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, p, text, parser.ParseComments)
	if err != nil {
		return err
	}
	dir := p[:strings.LastIndex(p, "/")+1]
	if packages[dir] == nil {
		packages[dir] = &testPackage{}
	}
	rest := &testPart{file: p} // comments between declarations
	lines := strings.Split(string(text), "\n")
	refused := func(at token.Pos) bool { return refusal.MatchString(lines[set.Position(at).Line-1]) }
	parts := map[ast.Node]*testPart{}
	for _, d := range f.Decls {
		parts[d] = &testPart{file: p, name: declared(d), uses: map[string]bool{}}
		parts[d].read(d, refused)
		packages[dir].parts = append(packages[dir].parts, parts[d])
	}
	for _, c := range f.Comments {
		part := rest
		for _, d := range f.Decls {
			if docStart(d) <= c.Pos() && c.End() <= d.End() {
				part = parts[d]
			}
		}
		for _, id := range idForm.FindAllString(c.Text(), -1) {
			part.ids = append(part.ids, namedID{id, true, false})
		}
	}
	packages[dir].parts = append(packages[dir].parts, rest)
	return nil
}

func (p *testPart) read(d ast.Decl, refused func(token.Pos) bool) {
	whole := refusal.MatchString(p.file + " " + p.name)
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			p.uses[n.Name] = true
		case *ast.BasicLit:
			for _, id := range idForm.FindAllString(n.Value, -1) {
				p.ids = append(p.ids, namedID{id, false, whole || refused(n.Pos())})
			}
		}
		return true
	})
}

// declared is the name of a declaration, of a group its first.
func declared(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				return s.Names[0].Name
			case *ast.TypeSpec:
				return s.Name.Name
			}
		}
	}
	return ""
}

func docStart(d ast.Decl) token.Pos {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc != nil {
			return d.Doc.Pos()
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			return d.Doc.Pos()
		}
	}
	return d.Pos()
}

// places notes where the tests of the package name ids.
func (p *testPackage) places(t *tree) {
	var reached []*testPart
	for _, kind := range []string{"Test", "Example", "Fuzz"} {
		for _, part := range p.parts {
			if strings.HasPrefix(part.name, kind) {
				part.owner = part.name
				reached = append(reached, part)
			}
		}
	}
	for len(reached) > 0 {
		from := reached[0]
		reached = reached[1:]
		for _, part := range p.parts {
			if part.owner == "" && part.name != "" && from.uses[part.name] {
				part.owner = from.owner
				reached = append(reached, part)
			}
		}
	}
	for _, part := range p.parts {
		for _, n := range part.ids {
			where := place{file: part.file, name: part.owner, refuses: n.refused}
			if n.comment {
				where.rank = 4
			}
			t.note(n.id, where)
		}
	}
}

// best is the place that says most of an id: in its own system's tests, in a test function before a
// transcript, in a string before a comment. It is false if there is none.
func best(id string, places []place, fits func(place) bool) (place, bool) {
	system := strings.ToLower(systemOf(id))
	weight := func(p place) int {
		w := p.rank
		if !strings.HasPrefix(p.file, "rules/"+system+"/") {
			w += 5
		}
		if strings.HasPrefix(p.file, "replay/testdata/") && p.rank == 2 {
			w -= 4 // a transcript of play, before a comment
		}
		if p.name == "" {
			w += 10
		}
		return w
	}
	var found []place
	for _, p := range places {
		if fits(p) {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return place{}, false
	}
	return slices.MinFunc(found, func(a, b place) int { return weight(a) - weight(b) }), true
}

// systemOf is the system of an id, of a decision the one it is about.
func systemOf(id string) string {
	return strings.Split(strings.TrimPrefix(id, "AMB-"), "-")[0]
}
