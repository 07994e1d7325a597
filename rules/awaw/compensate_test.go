package awaw

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// raiding is a campaign in which the European Axis has played its submarine card, and the play.
func raiding(t *testing.T) (c *rulestest.Harness, play uint64) {
	t.Helper()
	return playedBy(t, "Ultra", EuropeanAxis, Submarine)
}

// playedBy draws until a side holds a card for submarine warfare, and plays it in the Atlantic or
// the Pacific.
func playedBy(t *testing.T, deck string, f Faction, card Card) (c *rulestest.Harness, play uint64) {
	t.Helper()
	for seed := range uint64(200) {
		c = rulestest.Open(t, System(), nil, nil).Clone(t, seed)
		c.Stand("turn", `{"turn":"Spring 1942"}`)
		if deck == "Magic" {
			c.Stand("declare war", `{"declare war":{"by":"Japan","on":"United States","usjt":33}}`)
		} else {
			c.Stand("draw", `{"draw":"Ultra"}`)
		}
		if at, _ := unused(c.Game().(game).sideOf(f).hand, card).Get(); at >= 0 {
			break
		}
	}
	box := map[string]string{"Ultra": "Atlantic", "Magic": "Pacific"}[deck]
	c.Stand("phase", fmt.Sprintf(`{"phase":"combat","player":%q}`, f.player()))
	c.Stand("submarine warfare",
		fmt.Sprintf(`{"submarine warfare":{"box":%q,"side":%q,"submarines":8,"asw":6},"cards":[{%q:%q},{%q:"pass"},`+
			`{%q:"pass"}]}`,
			box, f.Title(), f.Title(), card, f.Opponent().Title(), f.Title()))
	for _, e := range c.Log() {
		if e.Type == "card_played" {
			play = e.Index
		}
	}
	return c, play
}

func used(c *rulestest.Harness, f Faction) int {
	n := 0
	for _, h := range c.Game().(game).sideOf(f).hand {
		n += oneIf(h.used)
	}
	return n
}

// A card that goes back may be played again, and once more goes back by that play alone.
func TestCardBack(t *testing.T) {
	c, play := raiding(t)
	if n := used(c, EuropeanAxis); n != 1 || play == 0 {
		t.Fatalf("%d cards used, play %d", n, play)
	}
	body := fmt.Sprintf(`{"compensate":{"card":%d,"reason":"the result was void","dispute":9}}`, play)
	o := c.Stand("compensate", body)
	want := events.Compensated{What: "card", Of: "European Axis", Subject: "submarine", By: 1, Played: play,
		Reason: "the result was void", Dispute: 9}
	if got := *o.Drafts[0].Payload.(*events.Compensated); got != want || o.Drafts[0].Side != "European Axis" {
		t.Errorf("%+v, want %+v", got, want)
	}
	if n := used(c, EuropeanAxis); n != 0 {
		t.Errorf("%d cards used", n)
	}
	if got := c.Refused("compensate", body); !slices.Equal(got, []string{rules.Input}) {
		t.Errorf("again: %q", got)
	}
	c.Stand("contest",
		`{"contest":{"kind":"onboard submarine","acting":"European Axis"},"cards":[{"European Axis":"submarine"},`+
			`{"Britain":"pass"},{"European Axis":"pass"}]}`)
	if n := used(c, EuropeanAxis); n != 1 {
		t.Errorf("played again, %d cards are used", n)
	}
	if got := c.Refused("compensate", body); !slices.Equal(got, []string{rules.Input}) {
		t.Errorf("by the first play again: %q", got)
	}
}

// A wild card goes back as a wild card.
func TestWildCardBack(t *testing.T) {
	c, play := playedBy(t, "Magic", UnitedStates, Wild)
	o := c.Stand("compensate", fmt.Sprintf(`{"compensate":{"card":%d,"reason":"the result was void"}}`, play))
	if p := o.Drafts[0].Payload.(*events.Compensated); p.Subject != "wild" || used(c, UnitedStates) != 0 {
		t.Errorf("%+v, %d used", p, used(c, UnitedStates))
	}
}

// 48.82: when the turn ends every card goes back to the pool, and none can go back to a hand.
func TestCardOfAnotherTurn(t *testing.T) {
	c, play := raiding(t)
	c.Stand("turn", `{"turn":"Summer 1942"}`)
	body := fmt.Sprintf(`{"compensate":{"card":%d,"reason":"the result was void"}}`, play)
	for _, verb := range []string{"", "draw"} {
		if verb != "" {
			c.Stand(verb, `{"draw":"Ultra"}`)
		}
		if got := c.Refused("compensate", body); !slices.Equal(got, []string{"AWAW-48.82"}) {
			t.Errorf("%q", got)
		}
	}
}

// A card that nobody has seen cannot be named by its play.
func TestSecretPlayIsNotCompensated(t *testing.T) {
	var g rules.Game = newGame()
	evolve := func(index uint64, side string, p events.Payload) {
		g = g.Evolve(&events.Event{Index: index, Type: p.Type(), Side: side, Payload: events.EncodePayload(p)}, nil)
	}
	evolve(1, "", &events.TurnAdvanced{Ordinal: 1, Label: "Winter 1941", Year: 1941, Season: "Winter"})
	evolve(2, "United States", &events.PlayCommitted{Deck: "Magic"})
	h := rules.NewHearing(nil, func(n int) uint64 { return 3 + uint64(n) })
	g.Decide(rules.Command{Verb: "compensate", Body: []byte(`{"compensate":{"card":2,"reason":"a slip"}}`)}, h)
	if v := h.Outcome().Violations; len(v) != 1 || v[0].Rule != rules.Input {
		t.Errorf("%+v", v)
	}
}

func TestCompensateRefused(t *testing.T) {
	c, play := raiding(t)
	for _, body := range []string{
		`{"card":0,"reason":"a slip"}`, `{"card":-1,"reason":"a slip"}`, `{"card":1,"reason":"a slip"}`,
		`{"reason":"a slip"}`,
		fmt.Sprintf(`{"card":%d}`, play), fmt.Sprintf(`{"card":%d,"reason":"a slip","dispute":-2}`, play),
		`{"treasury":{"Britain":2},"reason":"a slip"}`,
		`{"factors":{"Atlantic":{}},"reason":"a slip"}`, `{"factors":{"Baltic":{"asw":1}},"reason":"a slip"}`,
		`{"factors":{"Atlantic":{"carriers":1}},"reason":"a slip"}`,
		`{"factors":{"Atlantic":{"asw":0}},"reason":"a slip"}`,
		`{"factors":{"Atlantic":{"asw":1,"ASW":1}},"reason":"a slip"}`,
		`{"factors":{"Atlantic":{"asw":100000}},"reason":"a slip"}`,
	} {
		if got := c.Refused("compensate", `{"compensate":`+body+`}`); !slices.Equal(got, []string{rules.Input}) {
			t.Errorf("%s: %q", body, got)
		}
	}
}

// Factors are recorded by box and kind, each as an event of its own.
func TestFactorsRestored(t *testing.T) {
	c := rulestest.Open(t, System(), nil, nil)
	o := c.Stand("compensate",
		`{"compensate":{"factors":{"Pacific":{"ASW":-2},"atlantic":{"submarines":1}},"reason":"a slip"}}`)
	want := []events.Compensated{
		{What: "factors", Of: "Pacific", Subject: "asw", By: -2, Reason: "a slip"},
		{What: "factors", Of: "Atlantic", Subject: "submarines", By: 1, Reason: "a slip"},
	}
	for i, d := range o.Drafts {
		if got := *d.Payload.(*events.Compensated); got != want[i] {
			t.Errorf("%+v, want %+v", got, want[i])
		}
	}
}
