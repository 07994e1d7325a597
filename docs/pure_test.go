package docs

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// deterministic are the packages of the standard library and of others that rules and folds may import.
var deterministic = strings.Fields(`
	bytes cmp container/heap crypto/hmac crypto/sha256 embed encoding/binary encoding/hex encoding/json
	encoding/xml errors fmt hash io io/fs iter maps math/big path reflect slices strconv strings unicode regexp
	unicode/utf8 unique github.com/oklog/ulid/v2 github.com/santhosh-tekuri/jsonschema/v6
	github.com/santhosh-tekuri/jsonschema/v6/kind`)

// TestPureCore: the rules, and what folds events, compute the same on every machine (GEN-PURE). They import nothing
// that differs between machines, start no goroutine, compute with no float, and range over no map but to fill another
// or to add up: a body that leaves the loop or appends to a list shows the order.
func TestPureCore(t *testing.T) {
	read := exports(t, "../rules/...", "../projections/...", "../events/history")
	for dir, pkg := range read.ours {
		pure := strings.HasPrefix(dir, "rules") && !strings.HasSuffix(dir, "rulestest") || dir == "events/history" ||
			strings.HasPrefix(dir, "projections/") && dir != "projections/store" && !strings.Contains(dir, "internal")
		if !pure {
			continue
		}
		for _, name := range pkg.Imports {
			ours := strings.HasPrefix(name, module)
			locks := name == "sync" && slices.Contains([]string{"rules", "rules/board", "rules/requests",
				"events/history"}, dir)
			if !ours && !locks && !slices.Contains(deterministic, name) {
				t.Errorf("%s imports %s", dir, name)
			}
		}
		set, files := parsed(t, pkg.Dir, pkg.GoFiles)
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		imports := importer.ForCompiler(set, "gc", read.lookup)
		if _, err := (&types.Config{Importer: imports}).Check(pkg.ImportPath, set, files, info); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			impurities(t, set, f, info)
		}
	}
}

// listed is a package as go list tells it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, Imports        []string
}

// exported are packages with what the compiler says of them: ours by their directory, and the export data of all.
type exported struct {
	ours map[string]listed
	data map[string]string
}

func exports(t *testing.T, patterns ...string) exported {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-deps", "-export",
		"-json=ImportPath,Dir,Export,GoFiles,Imports"}, patterns...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	x := exported{map[string]listed{}, map[string]string{}}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return x
		} else if err != nil {
			t.Fatal(err)
		}
		x.data[p.ImportPath] = p.Export
		if dir, ok := strings.CutPrefix(p.ImportPath, module); ok {
			x.ours[dir] = p
		}
	}
}

func (x exported) lookup(path string) (io.ReadCloser, error) { return os.Open(x.data[path]) }

func parsed(t *testing.T, dir string, names []string) (*token.FileSet, []*ast.File) {
	t.Helper()
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(set, filepath.Join(dir, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return set, files
}

func impurities(t *testing.T, set *token.FileSet, f *ast.File, info *types.Info) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			t.Errorf("%s: a goroutine", set.Position(n.Pos()))
		case *ast.RangeStmt:
			_, isMap := info.TypeOf(n.X).Underlying().(*types.Map)
			if (isMap || walksMap(n.X)) && ordered(n.Body) {
				t.Errorf("%s: what it does depends on the order of a map", set.Position(n.Pos()))
			}
		case ast.Expr:
			if b, ok := info.Types[n].Type.(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
				t.Errorf("%s: a float", set.Position(n.Pos()))
			}
		}
		return true
	})
}

// walksMap reports whether an expression is maps.Keys, Values or All of a map.
func walksMap(x ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := f.X.(*ast.Ident)
	return ok && from.Name == "maps"
}

// ordered reports whether a loop's body shows in which order it ran: it leaves the loop, calls for the sake of the
// call, or sets a variable of outside to something that is not made of it.
func ordered(body *ast.BlockStmt) (shows bool) {
	inside := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			shows = true
		case *ast.ExprStmt:
			call, _ := n.X.(*ast.CallExpr)
			name, ok := call.Fun.(*ast.Ident)
			shows = shows || !ok || name.Name != "delete"
		case *ast.AssignStmt:
			shows = shows || n.Tok != token.DEFINE && n.Tok != token.ADD_ASSIGN && sets(n, inside)
			if name, ok := n.Lhs[0].(*ast.Ident); ok && n.Tok == token.DEFINE {
				inside[name.Name] = true
			}
		case *ast.FuncLit:
			return false
		}
		return true
	})
	return shows
}

// sets reports whether an assignment keeps what the last turn of a loop gave: it is to no element of a map or list, and
// not the greater or lesser of what was there.
func sets(n *ast.AssignStmt, inside map[string]bool) bool {
	if _, element := n.Lhs[0].(*ast.IndexExpr); element {
		return false
	}
	if name, ok := n.Lhs[0].(*ast.Ident); ok && inside[name.Name] {
		return false
	}
	call, ok := n.Rhs[0].(*ast.CallExpr)
	if !ok {
		return true
	}
	name, ok := call.Fun.(*ast.Ident)
	return !ok || name.Name != "max" && name.Name != "min"
}
