package awaw

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/watu-ledger/watu/rules"
)

// TestRulings plays the ruling books of testdata/rulings: a procedure and a request, the
// answer and how it follows.
func TestRulings(t *testing.T) {
	procedures := Procedures()
	datadriven.Walk(t, "testdata/rulings", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			i := slices.IndexFunc(procedures, func(p rules.Procedure) bool { return p.Name == "awaw."+d.Cmd })
			if i < 0 {
				d.Fatalf(t, "no procedure awaw.%s", d.Cmd)
			}
			p := procedures[i]
			r := p.Adjudicate([]byte(d.Input))
			checkOutput(t, p, outputSchema(t, p), r)
			return ruling(t, r)
		})
	})
}

func ruling(t *testing.T, r rules.Ruling) string {
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
