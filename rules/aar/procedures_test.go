package aar

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/watu-ledger/watu/rules"
)

func convoyRaid() rules.Procedure { return Procedures()[0] }

func outputSchema(t testing.TB, p rules.Procedure) *jsonschema.Schema {
	t.Helper()
	s, err := rules.CompileSchema(p.Name+".output", p.Output)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// answer prints a ruling, holds it against the output schema and reads it back.
func answer(t testing.TB, p rules.Procedure, schema *jsonschema.Schema, request []byte) (rules.Ruling, any) {
	t.Helper()
	r := p.Adjudicate(request)
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
	var got any
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	return r, got
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
	Cases []struct {
		ID     string
		Input  json.RawMessage
		Expect map[string]any
	}
}

func samples(t testing.TB, p rules.Procedure) sampleFile {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "samples", p.Name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var file sampleFile
	if err := json.Unmarshal(b, &file); err != nil || len(file.Cases) == 0 {
		t.Fatalf("%d samples of %s: %v", len(file.Cases), p.Name, err)
	}
	return file
}

// TestSamples runs the samples of the contract: what is expected must be part of the answer.
func TestSamples(t *testing.T) {
	for _, p := range Procedures() {
		schema := outputSchema(t, p)
		for _, c := range samples(t, p).Cases {
			if _, got := answer(t, p, schema, c.Input); !contains(got, c.Expect) {
				t.Errorf("%s: %v", c.ID, got)
			}
		}
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

// FuzzRaid: no request makes a procedure panic, every answer fits its schema, and what it says
// adds up.
func FuzzRaid(f *testing.F) {
	procedures := Procedures()
	var schemas []*jsonschema.Schema
	for i, p := range procedures {
		schemas = append(schemas, outputSchema(f, p))
		for _, c := range samples(f, p).Cases {
			f.Add(uint8(i), []byte(c.Input))
		}
	}
	for _, c := range refusals {
		f.Add(uint8(0), []byte(c.request))
	}
	f.Fuzz(func(t *testing.T, which uint8, request []byte) {
		i := int(which) % len(procedures)
		r, _ := answer(t, procedures[i], schemas[i], request)
		if r.OK && len(r.Derivation) == 0 {
			t.Errorf("%s accepts without a derivation", procedures[i].Name)
		}
		if out, ok := r.Outcome.(RaidOutcome); ok {
			sum := 0
			for _, damage := range out.DamageByTerritory {
				sum += damage
			}
			if sum != out.Damage {
				t.Errorf("%d by territory, %d in all", sum, out.Damage)
			}
		}
	})
}
