// Package docs holds the documents, and the tests that keep them true.
package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const module = "github.com/watu-ledger/watu/"

// goFile is one Go file of the repository.
type goFile struct {
	dir  string // slash-separated, below the top level
	name string
	set  *token.FileSet
	ast  *ast.File
}

func goFiles(t *testing.T) []goFile {
	t.Helper()
	var files []goFile
	err := filepath.WalkDir("..", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") {
			return err
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, p, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel("..", p)
		files = append(files, goFile{path.Dir(filepath.ToSlash(rel)), filepath.Base(p), set, f})
		return err
	})
	if err != nil || len(files) < 20 {
		t.Fatalf("%d Go files, %v", len(files), err)
	}
	return files
}

func (f goFile) test() bool { return strings.HasSuffix(f.name, "_test.go") }

// row finds the row of a package in the table of architecture.md.
func row(table map[string][]string, dir string) (string, []string, bool) {
	if imports, ok := table[dir]; ok {
		return dir, imports, true
	}
	for name, imports := range table {
		if prefix, ok := strings.CutSuffix(name, "/*"); ok && strings.HasPrefix(dir, prefix+"/") {
			return name, imports, true
		}
	}
	return "", nil, false
}

func importTable(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 135 {
		t.Errorf("architecture.md has %d lines: it is to stay one page", n)
	}
	table := map[string][]string{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([a-z0-9/*, -]+) \|([^|]*)\|$`).FindAllStringSubmatch(string(text),
		-1) {
		if m[1] == "package" {
			continue
		}
		var imports []string
		for _, name := range strings.Split(m[2], ",") {
			if name = strings.TrimSpace(name); name != "" {
				imports = append(imports, name)
			}
		}
		for _, name := range strings.Split(m[1], ", ") {
			table[name] = imports
		}
	}
	if len(table) < 10 {
		t.Fatalf("the import table of architecture.md was not found: %v", table)
	}
	return table
}

// servesTests reports whether a package is for the tests of others. No program imports it.
func servesTests(dir string) bool {
	return dir == "docs" || dir == "docs/peers" || dir == "rules/internal/rulestest" ||
		dir == "projections/internal/recordtest" || dir == "cmd/watu/internal/mapview/maptest"
}

// The import table of architecture.md holds; each row is a package that exists.
func TestImports(t *testing.T) {
	table := importTable(t)
	seen, used := map[string]bool{}, map[string]bool{}
	for _, f := range goFiles(t) {
		if f.test() || servesTests(f.dir) {
			continue
		}
		name, allowed, ok := row(table, f.dir)
		if !ok {
			t.Errorf("%s has no row in the import table of architecture.md", f.dir)
			continue
		}
		seen[name] = true
		for _, spec := range f.ast.Imports {
			imported := strings.Trim(spec.Path.Value, `"`)
			checkImport(t, f, imported, allowed)
			used[name+" "+strings.TrimPrefix(imported, module)] = true
		}
	}
	for name, imports := range table {
		for _, i := range imports {
			if i != "*" && !strings.Contains(name, "*") && !used[name+" "+i] && !slices.Contains(imports, "*") {
				t.Errorf("architecture.md lets %s import %s, which it does not", name, i)
			}
		}
	}
	for name := range table {
		if !seen[name] {
			t.Errorf("architecture.md has a row for %s, which has no Go file", name)
		}
	}
}

// In cmd/watu/internal a package imports packages of lower layers alone.
func TestLayers(t *testing.T) {
	text, err := os.ReadFile("architecture.md")
	layer := map[string]int{}
	for i, names := range strings.Split(regexp.MustCompile(`[a-z, \n]+<[a-z,<\s]+`).FindString(string(text)), "<") {
		for _, name := range strings.Split(names, ",") {
			layer["cmd/watu/internal/"+strings.TrimSpace(name)] = i + 1
		}
	}
	if err != nil || len(layer) < 10 {
		t.Fatalf("architecture.md does not name the layers of cmd/watu/internal: %v, %v", layer, err)
	}
	for _, f := range goFiles(t) {
		for _, spec := range f.ast.Imports {
			imported, _ := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module)
			inside := path.Dir(f.dir) == "cmd/watu/internal" && path.Dir(imported) == "cmd/watu/internal"
			if inside && !f.test() && (layer[imported] == 0 || layer[imported] >= layer[f.dir]) {
				t.Errorf("%s/%s imports %s, which is not of a lower layer in architecture.md", f.dir, f.name, imported)
			}
		}
	}
}

// Each package stands in the list of architecture.md.
func TestEveryPackageIsListed(t *testing.T) {
	text, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "The packages, roughly from the bottom")
	list, _, found := strings.Cut(list, "\n## ")
	for _, f := range goFiles(t) {
		inText := regexp.MustCompile(`\b` + regexp.QuoteMeta(path.Base(f.dir)) + `\b`).MatchString(list)
		if !found || !servesTests(f.dir) && !f.test() && !inText {
			t.Errorf("architecture.md does not list %s", f.dir)
		}
	}
}

// What architecture.md says is linked without Pebble and NATS is, whatever it imports; the verifier without HTTP too.
func TestLinksNoStore(t *testing.T) {
	text, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	list, _, found := strings.Cut(string(regexp.MustCompile(`(?s)Neither is\s+linked\s+into .*?:`).Find(text)), ":")
	names := regexp.MustCompile("`([a-z0-9/-]+)`").FindAllStringSubmatch(list, -1)
	if !found || len(names) < 3 {
		t.Fatalf("architecture.md does not say what links no store: %q", list)
	}
	for _, m := range names {
		out, err := exec.Command("go", "list", "-deps", module+m[1]).Output()
		if err != nil || !slices.Contains(strings.Fields(string(out)), module+"events") {
			t.Fatalf("%s: %v, %s", m[1], err, out)
		}
		for _, name := range strings.Fields(string(out)) {
			store := strings.HasPrefix(name, "github.com/cockroachdb/pebble") ||
				strings.HasPrefix(name, "github.com/nats-io/")
			if store || name == "net/http" && m[1] == "cmd/watu-verify" {
				t.Errorf("%s links %s", m[1], name)
			}
		}
	}
}

func checkImport(t *testing.T, f goFile, imported string, allowed []string) {
	if ours, ok := strings.CutPrefix(imported, module); ok {
		if !slices.Contains(allowed, ours) && !slices.Contains(allowed, "*") {
			t.Errorf("%s/%s imports %s, which architecture.md does not allow", f.dir, f.name, ours)
		}
	}
	pebble := strings.HasPrefix(imported, "github.com/cockroachdb/pebble")
	if pebble && f.dir != "events/ledger" && f.dir != "events/ledger/disk" && f.dir != "projections/store" {
		t.Errorf("%s/%s imports Pebble: only events/ledger and projections/store do", f.dir, f.name)
	}
	if strings.HasPrefix(imported, "github.com/nats-io/") && f.dir != "events/stream" {
		t.Errorf("%s/%s imports NATS: only events/stream does", f.dir, f.name)
	}
}

// Every package says what it is for, every exported name what it is.
func TestDocumented(t *testing.T) {
	documented := map[string]bool{}
	for _, f := range goFiles(t) {
		if f.test() {
			continue
		}
		documented[f.dir] = documented[f.dir] || f.ast.Doc != nil
		for _, d := range f.ast.Decls {
			checkDoc(t, f, d)
		}
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %s has no doc comment", dir)
		}
	}
}

func checkDoc(t *testing.T, f goFile, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) && !standard[d.Name.Name] &&
			!(f.dir == "events" && (d.Name.Name == "Type" || d.Name.Name == "Concerns")) {
			t.Errorf("%s: %s has no doc comment", f.set.Position(d.Pos()), d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
				t.Errorf("%s: %s has no doc comment", f.set.Position(s.Pos()), s.Name.Name)
			}
		}
	}
}

// standard methods mean what their interface says.
var standard = map[string]bool{"Error": true, "String": true, "Unwrap": true, "MarshalJSON": true,
	"UnmarshalJSON": true}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	x := d.Recv.List[0].Type
	if star, ok := x.(*ast.StarExpr); ok {
		x = star.X
	}
	if index, ok := x.(*ast.IndexExpr); ok {
		x = index.X
	}
	id, ok := x.(*ast.Ident)
	return ok && id.IsExported()
}

// Functions stay short enough to be read at once.
func TestFunctionLength(t *testing.T) {
	const most = 70
	for _, f := range goFiles(t) {
		ast.Inspect(f.ast, func(fn ast.Node) bool {
			switch fn.(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				n := f.set.Position(fn.End()).Line - f.set.Position(fn.Pos()).Line + 1
				if n > most && !f.test() {
					t.Errorf("%s: a function of %d lines; the limit is %d", f.set.Position(fn.Pos()), n, most)
				}
			}
			return true
		})
	}
}

// A package stays small enough to be read: at most 4,700 lines besides its tests. Only a system, which is a rulebook,
// and the command line may be longer. The pages, which were divided, stay as they are.
// And all of them together: what is new may raise the limit, in a commit that says what for.
func TestPackageSize(t *testing.T) {
	const most, together = 4700, 149_600
	lines, all := map[string]int{}, 0
	for _, f := range goFiles(t) {
		if n := f.set.Position(f.ast.FileEnd).Line; !f.test() {
			lines[f.dir] += n
			all += n
		}
	}
	if t.Logf("%d lines in %d packages", all, len(lines)); all > together {
		t.Errorf("all packages have %d lines; the limit is %d", all, together)
	}
	for dir, n := range lines {
		system, _ := path.Match("rules/*", dir)
		most := most
		if dir == "cmd/watu/internal/dashboard" {
			most = 3760
		}
		if n > most && !system && dir != "cmd/watu" {
			t.Errorf("%s has %d lines; the limit is %d", dir, n, most)
		}
	}
}

// Lines fit beside each other on a screen: at most 120 columns, a tab counted as four, tests included.
func TestLineLength(t *testing.T) {
	const most = 120
	for _, f := range goFiles(t) {
		file := filepath.Join("..", filepath.FromSlash(f.dir), f.name)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if n := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); n > most {
				t.Errorf("%s:%d: the line has %d columns; the limit is %d", file, i+1, n, most)
			}
		}
	}
}

// README's commands are run: those of watu by a script of cmd/watu, in README's order, with those whose output is shown
// (behind a $) where the script has them and every line shown held to what they print; go run by the script of the
// demo, and all that begin with go by .ci/run.
func TestReadmeCommands(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../cmd/watu/testdata/script/readme.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var own, others, run []string
	shown := map[string][]string{} // lines, by the command
	command := ""
	for line := range strings.Lines(string(text)) {
		line, indented := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "    ")
		typed, prompt := strings.CutPrefix(line, "$ ")
		switch {
		case !indented:
			command = ""
		case prompt:
			command, shown[typed] = typed, []string{}
		case command != "":
			shown[command] = append(shown[command], line)
		case strings.HasPrefix(line, "watu "):
			own = append(own, line)
		default:
			others = append(others, line)
		}
	}
	for part := range strings.SplitSeq(string(script), "\nexec ") {
		typed, checks, _ := strings.Cut(part, "\n")
		lines, ok := shown[typed]
		if !ok {
			run = append(run, typed)
			continue
		}
		for _, line := range lines {
			if want := "stdout '^" + regexp.QuoteMeta(line) + "$'"; !strings.Contains(checks, want) {
				t.Errorf("README shows %q; readme.txtar lacks, behind %q: %s", line, typed, want)
			}
		}
		delete(shown, typed)
	}
	if run = run[1:]; !slices.Equal(own, run) || len(shown) > 0 {
		t.Errorf("README shows %q and %q, readme.txtar runs %q", own, shown, run)
	}
	if want := []string{"go run ./cmd/watu demo", "go install ./cmd/watu", "go install ./cmd/watu-verify",
		"go run ./cmd/watu-verify/page -o watu-verify.html",
		"go run ./cmd/watu demo --pace 1s", "go test ./..."}; !slices.Equal(others, want) {
		t.Errorf("README's other commands are %q, want %q", others, want)
	}
}
