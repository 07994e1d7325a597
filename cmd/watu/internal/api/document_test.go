package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

var update = flag.Bool("update", false, "write docs/openapi.json and words.json")

const golden = "../../../../docs/openapi.json"

// The document says of types and fields what their comments say.
func TestWords(t *testing.T) {
	say := map[string]string{}
	for dir, types := range typesByDirectory(t) {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			collect(say, f.Name.Name, f, types)
		}
	}
	got, err := json.MarshalIndent(say, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile("words.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
		words = got
	}
	if len(say) < 100 || string(got) != string(words) {
		t.Errorf("words.json is not what the comments say, of %d types and fields: go test "+
			"./cmd/watu/internal/api -update", len(say))
	}
}

// The document that is committed is what the code gives.
func TestDocument(t *testing.T) {
	got, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/openapi.json is not what the code gives: go test ./cmd/watu/internal/api -run " +
			"TestDocument -update")
	}
}

// typesByDirectory are the types that answer, by where their code stands.
func typesByDirectory(t *testing.T) map[string]map[string]bool {
	t.Helper()
	h := humago.New(http.NewServeMux(), configuration())
	(&api{}).register(h)
	r, dirs := h.OpenAPI().Components.Schemas, map[string]map[string]bool{}
	add := func(t reflect.Type) {
		below, ours := strings.CutPrefix(t.PkgPath(), "github.com/watu-ledger/watu/")
		if !ours {
			return
		}
		dir := filepath.Join("../../../..", filepath.FromSlash(below))
		if dirs[dir] == nil {
			dirs[dir] = map[string]bool{}
		}
		dirs[dir][t.Name()] = true
	}
	for name := range r.Map() {
		of := r.TypeFromRef(schemas + name)
		add(of)
		for _, f := range reflect.VisibleFields(of) {
			add(declares(of, f.Index))
		}
	}
	return dirs
}

// collect takes the comments of types and fields.
func collect(say map[string]string, pkg string, f *ast.File, types map[string]bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			return true
		}
		for _, spec := range d.Specs {
			s := spec.(*ast.TypeSpec)
			fields, ok := s.Type.(*ast.StructType)
			if !ok || !types[s.Name.Name] {
				continue
			}
			key := pkg + "." + s.Name.Name
			keep(say, key, ofType(d.Doc.Text()))
			for _, f := range fields.Fields.List {
				for _, name := range f.Names {
					keep(say, key+"."+name.Name, plainly(f.Comment.Text()+f.Doc.Text()))
				}
			}
		}
		return false
	})
}

func keep(say map[string]string, key, text string) {
	if text != "" {
		say[key] = text
	}
}

var (
	reference = regexp.MustCompile(`\[([A-Za-z.]+)\]`)
	request   = regexp.MustCompile("(?s)^.*?`watu [^:]*(:\\s|$)")
	naming    = regexp.MustCompile(`^[A-Z][A-Za-z]* (is|are|tells|says) `)
)

// ofType is the first paragraph of a type's comment without its name, and without the request by which the
// interface gives it.
func ofType(doc string) string {
	first, _, _ := strings.Cut(doc, "\n\n")
	return plainly(naming.ReplaceAllString(request.ReplaceAllString(first, ""), ""))
}

// plainly is a comment in one line, without references into the code.
func plainly(comment string) string {
	return strings.Join(strings.Fields(reference.ReplaceAllString(comment, "$1")), " ")
}
