package rulestest

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Aliases holds a system to names that are added later: before the first ROUND too, they count from there on, and stand
// for what they did. The board has Germany, as a power and as a territory.
func Aliases(t *testing.T, s rules.System, board []rules.BoardFile) {
	c := Open(t, s, board, nil)
	before := c.Clone(t, 1)
	o := c.Stand("aliases", `{"aliases":["# more","space Reich = Germany"," power Hun = Germany ",""]}`)
	p, ok := o.Drafts[0].Payload.(*events.FactReported)
	if !ok || p.Fact != "aliases" || !slices.Equal(p.Names, []string{"space Reich = Germany", "power Hun = Germany"}) {
		t.Errorf("%+v", o.Drafts[0].Payload)
	}
	for _, h := range []*Harness{c, before} {
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
		if by := c.Refused("aliases", body); !slices.Equal(by, []string{"INPUT"}) {
			t.Errorf("%s: refused by %v", body, by)
		}
	}
}
