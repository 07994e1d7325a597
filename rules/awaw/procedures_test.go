package awaw

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/watu-ledger/watu/rules"
)

// checkOutput validates a ruling against the procedure's output schema.
func checkOutput(t testing.TB, p rules.Procedure, schema *jsonschema.Schema, r rules.Ruling) {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%s answers %s\nagainst its schema: %v", p.Name, b, err)
	}
}

func outputSchema(t testing.TB, p rules.Procedure) *jsonschema.Schema {
	t.Helper()
	s, err := rules.CompileSchema(p.Name+".output", p.Output)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSchemas compiles every schema. With WATU_CONTRACT_DIR set it also holds them against
// the published contract in that folder.
func TestSchemas(t *testing.T) {
	contract := os.Getenv("WATU_CONTRACT_DIR")
	for _, p := range Procedures() {
		for kind, schema := range map[string][]byte{"input": p.Input, "output": p.Output} {
			if _, err := rules.CompileSchema(p.Name+"."+kind, schema); err != nil {
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

type sampleFile struct {
	Procedure string
	Cases     []struct {
		ID     string
		Input  json.RawMessage
		Expect map[string]any
	}
}

// TestSamples runs the samples of the contract: what is expected must be part of the answer.
func TestSamples(t *testing.T) {
	ran := 0
	for _, p := range Procedures() {
		b, err := os.ReadFile(filepath.Join("testdata", "samples", p.Name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var file sampleFile
		if err := json.Unmarshal(b, &file); err != nil {
			t.Fatal(err)
		}
		schema := outputSchema(t, p)
		for _, c := range file.Cases {
			ran++
			r := p.Adjudicate(c.Input)
			checkOutput(t, p, schema, r)
			b, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			var got any
			if err := json.Unmarshal(b, &got); err != nil {
				t.Fatal(err)
			}
			if !contains(got, c.Expect) {
				t.Errorf("%s: %s", c.ID, b)
			}
		}
	}
	if ran < 2*len(Procedures()) {
		t.Errorf("%d samples ran", ran)
	}
}

// contains reports whether want is part of got: objects may have more fields.
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
		if !ok || len(g) != len(w) {
			return false
		}
		for i := range w {
			if !contains(g[i], w[i]) {
				return false
			}
		}
		return true
	}
	return got == want
}

// FuzzAdjudicate: no request makes a procedure panic, and every answer fits its schema.
func FuzzAdjudicate(f *testing.F) {
	procedures := Procedures()
	var schemas []*jsonschema.Schema
	for i, p := range procedures {
		schemas = append(schemas, outputSchema(f, p))
		b, err := os.ReadFile(filepath.Join("testdata", "samples", p.Name+".json"))
		if err != nil {
			f.Fatal(err)
		}
		var file sampleFile
		if err := json.Unmarshal(b, &file); err != nil {
			f.Fatal(err)
		}
		for _, c := range file.Cases {
			f.Add(uint8(i), []byte(c.Input))
		}
	}
	for _, c := range refusals {
		i := slices.IndexFunc(procedures, func(p rules.Procedure) bool { return p.Name == c.procedure })
		f.Add(uint8(i), []byte(c.request))
	}
	f.Fuzz(func(t *testing.T, which uint8, request []byte) {
		i := int(which) % len(procedures)
		r := procedures[i].Adjudicate(request)
		checkOutput(t, procedures[i], schemas[i], r)
		if r.OK && len(r.Derivation) == 0 {
			t.Errorf("%s accepts without a derivation", procedures[i].Name)
		}
	})
}
