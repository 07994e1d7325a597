package g40

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestAliases: names are added before the first ROUND too, count from there on, and stand for what they did.
func TestAliases(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.Board(t, "two-oceans"), nil)
	before := c.Clone(t, 1)
	o := c.Stand("aliases", `{"aliases":["# more","space Reich = Germany"," power Hun = Germany ",""]}`)
	p, ok := o.Drafts[0].Payload.(*events.FactReported)
	if !ok || p.Fact != "aliases" || !slices.Equal(p.Names, []string{"space Reich = Germany", "power Hun = Germany"}) {
		t.Errorf("%+v", o.Drafts[0].Payload)
	}
	for _, h := range []*rulestest.Harness{c, before} {
		h.Stand("turn", `{"turn":"Round 1"}`)
	}
	c.Stand("facts", `{"facts":{"control":{"Reich":"Hun"}}}`)
	before.Refused("facts", `{"facts":{"control":{"Reich":"Germany"}}}`)
	c.Stand("aliases", `{"aliases":"space Fatherland = Reich"}`)
	c.Stand("facts", `{"facts":{"control":{"Fatherland":"Hun"}}}`)
	for _, body := range []string{
		`{"aliases":[]}`, `{"aliases":""}`, `{"aliases":["space Reich = Germany"]}`, // adds nothing
		`{"aliases":["space Reich = UK"]}`, `{"aliases":["space Atlantis = Narnia"]}`, `{"aliases":{"Reich":"UK"}}`,
		`{"aliases":["power Reich = Narnia"]}`, `{"aliases":["space Uk = Germany"]}`,
	} {
		if rules := c.Refused("aliases", body); !slices.Equal(rules, []string{"INPUT"}) {
			t.Errorf("%s: refused by %v", body, rules)
		}
	}
}
