package eots

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

func figures(g rules.Game) [3]int {
	p := g.(game).position
	return [3]int{p.figures[factASPs], p.figures[factChina], p.swmNow()}
}

// Figures move by what is made good, and back by the inverse.
func TestCompensate(t *testing.T) {
	c := begun(t, "Turn 3, 1942", nil)
	before := figures(c.Game())
	c.Stand("compensate",
		`{"compensate":{"asps":2,"china divisions":-1,"swm":-1,"cards":{"japan":1},"reason":"a slip"}}`)
	if got, want := figures(c.Game()), [3]int{before[0] + 2, before[1] - 1, before[2] - 1}; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	o := c.Stand("compensate",
		`{"compensate":{"asps":-2,"china divisions":1,"swm":1,"cards":{"japan":-1},"reason":"it was none"}}`)
	if got := figures(c.Game()); got != before {
		t.Errorf("%v, want %v", got, before)
	}
	want := events.Compensated{What: "figure", Of: "Japan", Subject: "strategy cards", By: -1, Reason: "it was none"}
	if got := *o.Drafts[3].Payload.(*events.Compensated); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A corrected amount counts where the first stood, and what came later follows.
func TestCompensateCorrected(t *testing.T) {
	c := begun(t, "Turn 3, 1942", nil)
	c.Stand("compensate", `{"compensate":{"asps":2,"reason":"a slip"}}`)
	log := c.Log()
	c.Stand("compensate", `{"compensate":{"asps":-3,"reason":"another"}}`)
	c.Correct(log[len(log)-1].Index,
		&events.Compensated{What: "figure", Of: "Japan", Subject: "Japanese ASPs", By: 1, Reason: "a slip"})
	if got := figures(c.Game())[0]; got != 3 {
		t.Errorf("%d ASPs, of 5 and 1 less 3", got)
	}
}

// A base that was displaced stands on a hex again.
func TestBaseBack(t *testing.T) {
	c := begun(t, "Turn 3, 1942", nil)
	c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	where, _ := c.Game().(game).base(Wilkes)
	if got := c.Refused("compensate", `{"compensate":{"base":{"Wilkes":2813},"reason":"a slip"}}`); !slices.Equal(got,
		[]string{rules.Input}) {
		t.Errorf("on the map: %q", got)
	}
	c.Stand("attack", `{"attack":{"base":"Wilkes","battle hex":`+where.hex+`,"hits":15}}`)
	if b, _ := c.Game().(game).base(Wilkes); b.hex != "" {
		t.Fatalf("%+v", b)
	}
	o := c.Stand("compensate",
		`{"compensate":{"base":{"Wilkes":`+where.hex+`},"reason":"the hits were counted twice"}}`)
	if b, _ := c.Game().(game).base(Wilkes); b.hex != where.hex || len(o.Drafts) != 2 ||
		o.Drafts[1].Payload.Type() != "base_placed" {
		t.Errorf("%+v, %+v", b, o.Drafts)
	}
}

func TestCompensateRefused(t *testing.T) {
	c := begun(t, "Turn 3, 1942", nil)
	for body, rule := range map[string]string{
		`{"reason":"a slip"}`: rules.Input, `{"asps":1}`: rules.Input, `{"asps":0,"reason":"a slip"}`: rules.Input,
		`{"asps":-6,"reason":"a slip"}`: rules.Input,
		`{"swm":-9,"reason":"a slip"}`:  "EOTS-11.22.B-5", `{"cards":{"Germany":1},"reason":"a slip"}`: rules.Input,
		`{"cards":{"Japan":1,"japan":1},"reason":"a slip"}`: rules.Input,
		`{"cards":{"Japan":null},"reason":"a slip"}`:        rules.Input,
		`{"base":{"Wilkes":""},"reason":"a slip"}`:          rules.Input,
		`{"asps":1,"reason":"a slip","dispute":-1}`:         rules.Input,
		`{"treasury":{"Japan":1},"reason":"a slip"}`:        rules.Input,
		`{"china divisions":5000,"reason":"a slip"}`:        rules.Input,
	} {
		if got := c.Refused("compensate", `{"compensate":`+body+`}`); !slices.Equal(got, []string{rule}) {
			t.Errorf("%s: %q", body, got)
		}
	}
}
