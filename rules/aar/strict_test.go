package aar

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// step is an entry of a test, by its verb and body.
type step struct{ verb, body string }

// strictly are entries that edition 2 hears and edition 3 refuses, by the rule named (GEN-CARRY), on what was entered
// before.
var strictly = []struct {
	options map[string]string
	before  []step
	entry   step
	rule    string
}{
	{nil, due, step{"d-day", `{"d-day":{"units":[{"unit":"T","power":"US","type":"transport"}]}}`},
		"AAR-5-NO-CALL-OFF"},
	{nil, due, step{"d-day", `{"d-day":{"units":[{"unit":"Texas","power":"US","type":"battleship"}]}}`},
		"AAR-5-NO-CALL-OFF"},
	{nil, due, step{"d-day", `{"d-day":{"units":[{"unit":"P-38","power":"US","type":"fighter","role":"air",` +
		`"battle":"SZ 7"}]}}`}, "AAR-5-NO-CALL-OFF"},
}

// due is a campaign in which the US is to carry D-Day out.
var due = []step{
	{"declare d-day", `{"declare d-day":"France"}`},
	{"collect income", `{"collect income":"UK"}`},
	{"collect income", `{"collect income":"Japan"}`},
}

// TestStrict: what edition 2 lets through, edition 3 holds to what became of the things named, and an older campaign
// goes on as it was.
func TestStrict(t *testing.T) {
	for _, h := range strictly {
		for _, edition := range []string{"2", "3"} {
			c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "straits"), h.options)
			c.Stand("turn", `{"turn":"Round 1"}`)
			for _, s := range h.before {
				c.Stand(s.verb, s.body)
			}
			if edition == "2" {
				c.Stand(h.entry.verb, h.entry.body)
			} else if broken := c.Refused(h.entry.verb, h.entry.body); !slices.Contains(broken, h.rule) {
				t.Errorf("%s: %v, want %s", h.entry.body, broken, h.rule)
			}
		}
	}
}
