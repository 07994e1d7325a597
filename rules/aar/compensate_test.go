package aar

import (
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// What the umpire gives is in hand, before the first ROUND too, and in any phase.
func TestCompensate(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.Board(t, "straits"), nil)
	began := c.Game().(game).Treasury("UK")
	for i, step := range []string{"", `turn	{"turn":"Round 1"}`,
		`phase	{"phase":"conduct combat","player":"UK"}`} {
		if verb, body, ok := strings.Cut(step, "\t"); ok {
			c.Stand(verb, body)
		}
		o := c.Stand("compensate",
			`{"compensate":{"treasury":{"UK":2},"reason":" a raid was overlooked ","dispute":8}}`)
		want := events.Compensated{What: "treasury", Of: "UK", By: 2, Reason: "a raid was overlooked", Dispute: 8}
		if got := *o.Drafts[0].Payload.(*events.Compensated); got != want || o.Drafts[0].Side != "UK" ||
			len(o.Drafts[0].Derivation) != 0 {
			t.Errorf("%+v, want %+v", got, want)
		}
		if now := c.Game().(game).Treasury("UK"); now != began+2*(i+1) {
			t.Errorf("UK has %d, and had %d", now, began)
		}
	}
	o := c.Stand("compensate", `{"compensate":{"treasury":{"UK":-6,"Germany":1},"reason":"it was none"}}`)
	if len(o.Drafts) != 2 || c.Game().(game).Treasury("UK") != began {
		t.Errorf("%d events, UK has %d", len(o.Drafts), c.Game().(game).Treasury("UK"))
	}
}

// A compensation has a reason and a treasury that can bear it.
func TestCompensateRefused(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.Board(t, "straits"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("facts", `{"facts":{"treasury":{"UK":3}}}`)
	for _, body := range []string{
		`{"treasury":{"UK":2}}`, `{"treasury":{"UK":2},"reason":"  "}`, `{"reason":"a slip"}`,
		`{"treasury":{},"reason":"a slip"}`,
		`{"treasury":{"UK":0},"reason":"a slip"}`, `{"treasury":{"UK":null},"reason":"a slip"}`,
		`{"treasury":{"UK":100000},"reason":"a slip"}`,
		`{"treasury":{"Atlantis":2},"reason":"a slip"}`, `{"treasury":{"UK":1,"British":1},"reason":"a slip"}`,
		`{"treasury":{"UK":-4},"reason":"a slip"}`, `{"treasury":{"UK":1},"reason":"a slip","dispute":-1}`,
		`{"card":3,"reason":"a slip"}`,
	} {
		if got := c.Refused("compensate", `{"compensate":`+body+`}`); !slices.Equal(got, []string{rules.Input}) {
			t.Errorf("%s: %q", body, got)
		}
	}
	c.Stand("compensate", `{"compensate":{"treasury":{"UK":-3},"reason":"all that it has"}}`)
}

// A corrected compensation takes the place of the first; what was reported since stands.
func TestCompensateCorrected(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.Board(t, "straits"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	before := c.Game().(game).Treasury("UK")
	c.Stand("compensate", `{"compensate":{"treasury":{"UK":2},"reason":"a slip"}}`)
	log := c.Log()
	at := log[len(log)-1].Index
	c.Correct(at, &events.Compensated{What: "treasury", Of: "UK", By: 5, Reason: "a slip"})
	if now := c.Game().(game).Treasury("UK"); now != before+5 {
		t.Errorf("%d, and had %d", now, before)
	}
}
