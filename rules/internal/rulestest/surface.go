package rulestest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/requests"
)

// Answer rules on a request and holds the ruling to its output schema.
func Answer(t testing.TB, p rules.Procedure, request []byte) rules.Ruling {
	t.Helper()
	s, err := requests.CompileSchema(p.Name+".output", p.Output)
	if err != nil {
		t.Fatal(err)
	}
	return answer(t, p, s, request)
}

func answer(t testing.TB, p rules.Procedure, output *jsonschema.Schema, request []byte) rules.Ruling {
	t.Helper()
	r := requests.Adjudicate(p, request)
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if err := output.Validate(doc); err != nil {
		t.Errorf("%s answers %s\nagainst its schema: %v", p.Name, b, err)
	}
	if r.OK && len(r.Derivation) == 0 {
		t.Errorf("%s accepts without a derivation", p.Name)
	}
	return r
}

// Named gives the procedure of a name.
func Named(t testing.TB, list []rules.Procedure, name string) rules.Procedure {
	t.Helper()
	i := slices.IndexFunc(list, func(p rules.Procedure) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("there is no procedure %s", name)
	}
	return list[i]
}

// Schemas compiles every schema. With WATU_CONTRACT_DIR set it also holds them against the
// published contract in that folder, and its list of procedures.
func Schemas(t *testing.T, list []rules.Procedure) {
	contract := os.Getenv("WATU_CONTRACT_DIR")
	for _, p := range list {
		for _, side := range []struct {
			kind   string
			schema []byte
		}{{"input", p.Input}, {"output", p.Output}} {
			kind, schema := side.kind, side.schema
			if _, err := requests.CompileSchema(p.Name+"."+kind, schema); err != nil {
				t.Error(err)
			}
			if contract == "" {
				continue
			}
			want, err := os.ReadFile(filepath.Join(contract, p.Name+"."+kind+".schema.json"))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(schema, want) {
				t.Errorf("%s.%s differs from the contract", p.Name, kind)
			}
		}
		var schema struct{ Title string }
		if err := json.Unmarshal(p.Input, &schema); err != nil || schema.Title != p.Title {
			t.Errorf("%s is titled %q, its schema %q (%v)", p.Name, p.Title, schema.Title, err)
		}
	}
}

// caseFile is a list of requests to one procedure, with what is expected of the answers.
type caseFile struct {
	Procedure string
	Cases     []struct {
		ID        string
		Procedure string // the same again, in a sample
		Kind      string // what is tried, in a word
		Input     json.RawMessage
		Expect    map[string]any // must be part of the answer
		Violates  []string       // must be among the rules that a refusal names
		Derives   []string       // must stand in the derivation
		Why, Note any            // how the answer follows from the rules
	}
}

// Cases runs the requests of testdata/FOLDER/PROCEDURE.json, a file for each procedure.
func Cases(t *testing.T, folder string, list []rules.Procedure) {
	for _, p := range list {
		t.Run(p.Name, func(t *testing.T) {
			file := readCases(t, folder, p)
			if len(file.Cases) == 0 || file.Procedure != p.Name {
				t.Fatalf("%d cases of %q", len(file.Cases), file.Procedure)
			}
			for _, c := range file.Cases {
				if len(c.Expect) == 0 {
					t.Fatalf("%s expects nothing", c.ID)
				}
				r := Answer(t, p, c.Input)
				if wrong := held(r, c.Expect, c.Violates, c.Derives); wrong != nil {
					t.Errorf("%s: %v", c.ID, wrong)
				}
			}
		})
	}
}

func readCases(t testing.TB, folder string, p rules.Procedure) caseFile {
	t.Helper()
	var file caseFile
	b, err := os.ReadFile(filepath.Join("testdata", folder, p.Name+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return file
	}
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(b))
		d.DisallowUnknownFields() // a misspelt expectation would expect nothing
		err = d.Decode(&file)
	}
	if err != nil {
		t.Fatalf("%s/%s: %v", folder, p.Name, err)
	}
	return file
}

// held reports what of an answer is not as expected.
func held(r rules.Ruling, expect map[string]any, violates, derives []string) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	var got any
	if err := json.Unmarshal(b, &got); err != nil {
		return err
	}
	if !contains(got, expect) {
		return fmt.Errorf("%s\nis without %v", b, expect)
	}
	for _, id := range violates {
		if !slices.ContainsFunc(r.Violations, func(v rules.Violation) bool { return v.Rule == id }) {
			return fmt.Errorf("%s\ndoes not name %s", b, id)
		}
	}
	for _, id := range derives {
		if !slices.ContainsFunc(r.Derivation, func(c events.Citation) bool { return c.Rule == id }) {
			return fmt.Errorf("%s\ndoes not follow from %s", b, id)
		}
	}
	return nil
}

// contains reports whether want is part of got: objects may have more fields, lists more items
// among those expected, which keep their order.
func contains(got, want any) bool {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		for key, value := range w {
			ok = ok && contains(g[key], value)
		}
		return ok
	case []any:
		g, ok := got.([]any)
		for _, item := range w {
			i := slices.IndexFunc(g, func(x any) bool { return contains(x, item) })
			if i < 0 {
				return false
			}
			g = g[i+1:]
		}
		return ok && (len(w) > 0 || len(g) == 0)
	}
	return got == want
}

// FuzzAdjudicate: no request makes a procedure panic, and every answer fits its schema. The seeds
// are the cases of the folders.
func FuzzAdjudicate(f *testing.F, list []rules.Procedure, folders ...string) {
	var outputs []*jsonschema.Schema
	for i, p := range list {
		s, err := requests.CompileSchema(p.Name+".output", p.Output)
		if err != nil {
			f.Fatal(err)
		}
		outputs = append(outputs, s)
		for _, folder := range folders {
			for _, c := range readCases(f, folder, p).Cases {
				f.Add(uint8(i), []byte(c.Input))
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, request []byte) {
		i := int(which) % len(list)
		answer(t, list[i], outputs[i], request)
	})
}

// Rulings plays the ruling books of testdata/rulings: a procedure of the system and a request, the
// answer and how it follows.
func Rulings(t *testing.T, system string, list []rules.Procedure) {
	datadriven.Walk(t, "testdata/rulings", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			return rulingText(t, Answer(t, Named(t, list, system+"."+d.Cmd), []byte(d.Input)))
		})
	})
}

func rulingText(t *testing.T, r rules.Ruling) string {
	var b strings.Builder
	if !r.OK {
		fmt.Fprintf(&b, "refused\n")
		for _, v := range r.Violations {
			fmt.Fprintf(&b, "  %s: %s\n", v.Rule, v.Message)
		}
		return b.String()
	}
	outcome, err := json.Marshal(r.Outcome)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(outcome))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s: %s\n", name, strings.ReplaceAll(string(value), `"`, ""))
	}
	b.WriteString("because\n")
	for _, c := range r.Derivation {
		fmt.Fprintf(&b, "  %s: %s\n", c.Rule, c.Step)
	}
	return b.String()
}

// Sheets holds that every printed table and edition of a system prints to the byte as its file, and
// that a file of one is there.
func Sheets(t *testing.T, files fs.FS) {
	for _, folder := range []string{"tables", "editions"} {
		paths, err := fs.Glob(files, folder+"/*")
		if err != nil || len(paths) == 0 {
			t.Errorf("%s: %v", folder, err)
		}
		for _, path := range paths {
			text, err := fs.ReadFile(files, path)
			if err != nil {
				t.Fatal(err)
			}
			if table, err := rules.ParseTable(string(text)); err != nil || table.String() != string(text) {
				t.Errorf("%s does not print as it is: %v", path, err)
			}
		}
	}
}
