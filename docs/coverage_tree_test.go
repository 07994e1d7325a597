package docs

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// idForm is what an id of the requirements looks like, wherever it stands.
var idForm = regexp.MustCompile(`\b(?:GEN|AWAW|AAR|EOTS|G40|AMB)-[A-Z0-9]+(?:[.-][A-Z0-9]+)*`)

// place is where a test names an id.
type place struct {
	file    string // below the top level
	name    string // test function, case, or script; empty if only the file is known
	refuses bool   // the rule is seen to be broken there
	rank    int    // places that say more come first
}

// tree is what the repository says of ids.
type tree struct {
	known    map[string]bool
	rulings  map[string][]string // id, and the files of rulings that cite it
	campaign map[string][]string // id, and the files of campaigns that cite it
	mentions map[string][]string // id, and the files with it in a string, a test's left out
	tests    map[string][]place
	// id and file, and the functions there that cite it
	functions map[string][]string
	refusing  map[string][]string  // those of them that refuse by it
	namers    map[string][]string  // package and a function that gives an id, and the ids
	parsed    map[string]*ast.File // the code of rules, by its file
}

// readTree reads the Go code, the tests and their data.
func readTree(files fs.FS, known map[string]bool) (*tree, error) {
	t := &tree{known, map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string][]place{},
		map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string]*ast.File{}}
	packages := map[string]*testPackage{}
	err := fs.WalkDir(files, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if p == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		code := strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, "_test.go")
		if !code && !testsRules(p) {
			return nil
		}
		text, err := fs.ReadFile(files, p)
		switch {
		case err != nil:
			return err
		case code:
			return t.code(p, text)
		case strings.HasSuffix(p, ".go"):
			return t.testFile(p, text, packages)
		case strings.HasSuffix(p, ".json"):
			return t.cases(p, text)
		default:
			t.transcript(p, string(text))
			return nil
		}
	})
	for _, p := range sorted(t.parsed) {
		t.namedBy(p, t.parsed[p])
	}
	for _, dir := range sorted(packages) {
		packages[dir].places(t)
	}
	return t, err
}

// testsRules reports whether a file that is no code tests rules: those of rules, of replay and of
// the bundled campaigns, and the scripts that the program is run by. The ids in the tests of other
// packages are made up for them.
func testsRules(p string) bool {
	dir, name := path.Split("/" + p)
	switch {
	case strings.HasPrefix(p, "rules/"), strings.HasPrefix(p, "replay/"):
		return strings.Contains(dir, "/testdata/") || strings.HasSuffix(name, "_test.go")
	case p == "docs/pure_test.go":
		return true
	}
	return strings.HasPrefix(p, "fixtures/") || strings.HasPrefix(p, "cmd/watu/testdata/")
}

// code notes the ids in a file that is no test. What a ruling cites is a string that is the id and
// nothing else. No ruling can cite that rulings are pure, or a decision without an option: for
// GEN and AMB a comment where the code does so counts too.
func (t *tree) code(p string, text []byte) error {
	f, err := parser.ParseFile(token.NewFileSet(), p, text, parser.ParseComments)
	if err != nil {
		return err
	}
	if strings.HasPrefix(p, "rules/") {
		t.parsed[p] = f
	}
	for _, d := range f.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				t.refusal(call, p, declared(d))
			}
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				s, _ := strconv.Unquote(l.Value)
				for _, id := range idForm.FindAllString(s, -1) {
					add(t.mentions, id, p)
					if id == s {
						t.cite(id, p)
						add(t.functions, id+" "+p, declared(d))
						if givesText(d) {
							add(t.namers, path.Dir(p)+" "+declared(d), id)
						}
					}
				}
			}
			return true
		})
	}
	for _, c := range f.Comments {
		for _, id := range idForm.FindAllString(c.Text(), -1) {
			if (strings.HasPrefix(id, "GEN-") || strings.HasPrefix(id, "AMB-")) && t.known[id] {
				t.cite(id, p)
				if i := slices.IndexFunc(f.Decls, func(d ast.Decl) bool { return d.End() > c.Pos() }); i >= 0 {
					add(t.functions, id+" "+p, declared(f.Decls[i]))
				}
			}
		}
	}
	return nil
}

// refusal notes the ids of a call that refuses by them, whether it has them itself or from another function.
func (t *tree) refusal(call *ast.CallExpr, p, function string) {
	if name := called(call); !strings.HasPrefix(name, "Violate") && name != "forbid" {
		return
	}
	for _, argument := range call.Args {
		ast.Inspect(argument, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				id, _ := strconv.Unquote(n.Value)
				add(t.refusing, id+" "+p, function)
			case *ast.CallExpr:
				for _, id := range t.namers[path.Dir(p)+" "+called(n)] {
					add(t.refusing, id+" "+p, function)
				}
			}
			return true
		})
	}
}

// called is the name of the function that a call calls.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// givesText reports whether a declaration is a function with one result, a string.
func givesText(d ast.Decl) bool {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Type.Results.NumFields() != 1 {
		return false
	}
	result, ok := f.Type.Results.List[0].Type.(*ast.Ident)
	return ok && result.Name == "string"
}

// namedBy notes the functions that cite an id which another function of their package gives.
func (t *tree) namedBy(p string, f *ast.File) {
	for _, d := range f.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			t.refusal(call, p, declared(d))
			for _, id := range t.namers[path.Dir(p)+" "+called(call)] {
				t.cite(id, p)
				add(t.functions, id+" "+p, declared(d))
			}
			return true
		})
	}
}

// cite notes a citation for the rulings, or for the campaigns: theirs are the files game_ and
// decide_ of a system, what all systems' campaigns share, and replay. What is internal serves tests.
func (t *tree) cite(id, p string) {
	dir, name := path.Split(p)
	shared := []string{"rules/game.go", "rules/hearing.go", "rules/seal.go", "rules/entry.go"}
	switch {
	case strings.Contains(dir, "/internal/"):
	case strings.HasPrefix(p, "replay/"), slices.Contains(shared, p):
		add(t.campaign, id, p)
	case !strings.HasPrefix(dir, "rules/"):
	case strings.HasPrefix(name, "game_"), strings.HasPrefix(name, "decide_"):
		add(t.campaign, id, p)
	default:
		add(t.rulings, id, p)
	}
}

// cases notes the ids of a file of cases. A file of another shape says nothing of single cases.
func (t *tree) cases(p string, text []byte) error {
	var list struct {
		Cases []json.RawMessage `json:"cases"`
	}
	if json.Unmarshal(text, &list) != nil {
		if err := json.Unmarshal(text, &list.Cases); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	for _, raw := range list.Cases {
		var c struct {
			ID string `json:"id"`
		}
		var all any
		if json.Unmarshal(raw, &c) != nil || json.Unmarshal(raw, &all) != nil {
			continue
		}
		refused := brokenRules(all, false)
		for _, id := range idForm.FindAllString(string(raw), -1) {
			t.note(id, place{file: p, name: c.ID, refuses: slices.Contains(refused, id), rank: 1})
		}
	}
	return nil
}

// brokenRules are the rules that a case expects to be broken: its error's, and those it violates.
func brokenRules(v any, inside bool) []string {
	var rules []string
	switch v := v.(type) {
	case string:
		if inside {
			rules = append(rules, v)
		}
	case []any:
		for _, e := range v {
			rules = append(rules, brokenRules(e, inside)...)
		}
	case map[string]any:
		for _, k := range sorted(v) {
			rules = append(rules, brokenRules(v[k], inside || k == "error" || k == "violates")...)
		}
	}
	return rules
}

var opened = regexp.MustCompile(`campaign opened: (\w+) edition`)

// transcript notes the ids of a text: of each case of a datadriven transcript, numbered from 1, and
// of anything else as a whole. Transcripts of campaigns close a line with the rules that it
// follows from, without the system's own prefix.
func (t *tree) transcript(p, text string) {
	numbered := strings.Contains(text, "\n----\n")
	system, number, output, refused := "", 1, false, false
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\n")
		if m := opened.FindStringSubmatch(l); m != nil {
			system = strings.ToUpper(m[1])
		}
		switch {
		case l == "----":
			output = true
			continue
		case l == "" && output:
			number, output, refused = number+1, false, false
		case output && l == "refused":
			refused = true
		}
		where := place{file: p, name: path.Base(p), rank: 3}
		if numbered {
			where = place{file: p, name: fmt.Sprintf("%s, case %d", path.Base(p), number), rank: 2}
		}
		for _, id := range t.idsOf(l, system) {
			where.refuses = refused || strings.HasPrefix(l, "! "+id)
			t.note(id, where)
		}
	}
}

var closing = regexp.MustCompile(`\[([^\[\]]*)\]$`)

func (t *tree) idsOf(line, system string) []string {
	ids := idForm.FindAllString(line, -1)
	if m := closing.FindStringSubmatch(line); m != nil && system != "" {
		for _, short := range strings.Fields(m[1]) {
			if id := system + "-" + short; t.known[id] {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func (t *tree) note(id string, where place) {
	if !slices.Contains(t.tests[id], where) {
		t.tests[id] = append(t.tests[id], where)
	}
}

func add(m map[string][]string, id, file string) {
	if !slices.Contains(m[id], file) {
		m[id] = append(m[id], file)
	}
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
