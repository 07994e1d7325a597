package pools_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
	"github.com/watu-ledger/watu/projections/pools"
)

// britain opens a campaign with one pool, adds a card and draws four.
func britain() (c *recordtest.Campaign, draw uint64) {
	c = recordtest.Begin(1)
	c.Add("", &events.CampaignOpened{Pools: []events.Pool{{Side: "Britain", Deck: "Ultra", Cards: []events.Count{
		{Card: "ASW", Count: 1}, {Card: "tactical", Count: 1}, {Card: "strategic", Count: 1}, {Card: "blank", Count: 5},
	}}}})
	c.Turn(1, "Winter 1940")
	c.Add("Britain", &events.CardAdded{Deck: "Ultra", PoolSize: 9}, "card", "ASW")
	draw = c.Add("Britain", &events.CardsDrawn{Deck: "Ultra", Count: 4},
		"Britain 1", "ASW", "Britain 2", "blank", "Britain 3", "ASW", "Britain 4", "tactical")
	return c, draw
}

func report(t *testing.T, c *recordtest.Campaign, as string) pools.Report {
	t.Helper()
	return folded(t, c, as).Report().(pools.Report)
}

func folded(t *testing.T, c *recordtest.Campaign, as string) projections.View {
	t.Helper()
	var openings []events.Opening
	if as != "" {
		openings = c.Known(as)
	}
	v, err := projections.Fold(pools.Projection(), c.Records(), openings)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func play(c *recordtest.Campaign, draw uint64, slot, card string) uint64 {
	drawn := events.Ref{Index: draw, Slot: slot}
	return c.Disclose("Britain", &events.CardPlayed{Deck: "Ultra", Card: card, Drawn: drawn}, drawn)
}

func states(h pools.Hand) []string {
	var list []string
	for _, c := range h.Cards {
		list = append(list, c.Card+" "+c.State)
	}
	return list
}

func expect(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// AWAW-48.241-B: the type added is not announced; its owner and the umpire know it.
func TestAddition(t *testing.T) {
	c, _ := britain()
	for as, want := range map[string]pools.Pool{
		"":        {Size: 9, Known: 8, Unknown: 1},
		"Germany": {Size: 9, Known: 8, Unknown: 1},
		"Britain": {Size: 9, Known: 9},
		"umpire":  {Size: 9, Known: 9},
	} {
		got := report(t, c, as).Pools[0]
		if got.Size != want.Size || got.Known != want.Known || got.Unknown != want.Unknown {
			t.Errorf("as %q: %d cards, %d known and %d not", as, got.Size, got.Known, got.Unknown)
		}
	}
	c.Disclose("Britain", &events.Opened{Event: 2, Slot: "card", Fact: "ASW"}, events.Ref{Index: 2, Slot: "card"})
	if got := report(t, c, "").Pools[0]; got.Unknown != 0 || got.Contents[0] != (pools.Count{Card: "ASW", Count: 2}) {
		t.Errorf("disclosed: %+v", got)
	}
}

// The hand of a turn, as the public and as its owner see it: drawn, played, negated, returned.
func TestHand(t *testing.T) {
	c, draw := britain()
	expect(t, "drawn, public", states(report(t, c, "").Pools[0].Hand), []string{" hidden", " hidden", " hidden",
		" hidden"})
	first := play(c, draw, "Britain 1", "ASW")
	second := play(c, draw, "Britain 4", "tactical")
	c.Add("Britain", &events.CardNegated{Card: "ASW", Played: first, By: second})
	expect(t, "played, public", states(report(t, c, "").Pools[0].Hand), []string{"ASW negated", " hidden", " hidden",
		"tactical played"})
	expect(t, "played, its own", states(report(t, c, "Britain").Pools[0].Hand), []string{"ASW negated", "blank held",
		"ASW held", "tactical played"})
	if h := report(t, c, "").Pools[0].Hand; h.Drawn != 4 || h.Hidden != 2 {
		t.Errorf("drawn %d, hidden %d", h.Drawn, h.Hidden)
	}

	// AWAW-48.82: every card goes back, used or not; what was seen stays seen.
	c.Add("Britain", &events.CardsReturned{Deck: "Ultra", Count: 4})
	r := report(t, c, "umpire")
	if h := r.Pools[0].Hand; h.Drawn != 0 || len(h.Cards) != 0 || r.Pools[0].Size != 9 {
		t.Errorf("after the return: %+v", r.Pools[0])
	}
	if len(r.Turns) != 1 || r.Turns[0].Label != "Winter 1940" || len(r.Turns[0].Plays) != 2 ||
		!r.Turns[0].Plays[0].Negated {
		t.Errorf("plays by turn: %+v", r.Turns)
	}

	// A new draw begins anew: the same slot is another card.
	c.Add("Britain", &events.CardsDrawn{Deck: "Ultra", Count: 4}, "Britain 1", "blank", "Britain 2", "blank",
		"Britain 3", "blank", "Britain 4", "blank")
	expect(t, "next turn", states(report(t, c, "").Pools[0].Hand), []string{" hidden", " hidden", " hidden", " hidden"})
}

// AWAW-48.71-B: a secret play shows nothing of its cards until it is disclosed.
func TestSecretPlay(t *testing.T) {
	c, draw := britain()
	hidden := c.Add("Britain", &events.PlayCommitted{Deck: "Ultra"}, "british cards", `["tactical","wild"]`)
	expectHands(t, "public", c, "", 4, "Britain has played in secret: ? (#4).")
	expectHands(t, "its own", c, "Britain", 4, "Britain has played in secret: tactical, wild (#4).")
	if p := report(t, c, "").Pools[0]; len(p.Secret) != 1 || p.Secret[0].Cards != "" || p.Hand.Hidden != 4 {
		t.Errorf("public: %+v", p)
	}
	if p := report(t, c, "Britain").Pools[0]; p.Secret[0].Cards != "tactical, wild" || p.Secret[0].Disclosed {
		t.Errorf("its own: %+v", p.Secret)
	}
	c.Disclose("Britain", &events.Opened{Event: hidden, Slot: "british cards", Fact: `["tactical","wild"]`},
		events.Ref{Index: hidden, Slot: "british cards"})
	play(c, draw, "Britain 4", "tactical")
	if p := report(t, c, "").Pools[0]; p.Secret[0].Cards != "tactical, wild" || !p.Secret[0].Disclosed ||
		p.Hand.Hidden != 3 {
		t.Errorf("disclosed: %+v", p)
	}
	expectHands(t, "disclosed", c, "", 4, "")
}

// expectHands wants a line for each card of the hands, and what is played in secret below them.
func expectHands(t *testing.T, what string, c *recordtest.Campaign, as string, rows int, note string) {
	t.Helper()
	if got := folded(t, c, as).Tables()[1]; len(got.Rows) != rows || got.Note.String() != note {
		t.Errorf("%s: %d rows, %q", what, len(got.Rows), got.Note)
	}
}

// A corrected play and a corrected addition are counted once.
func TestCorrection(t *testing.T) {
	c, draw := britain()
	wrong := play(c, draw, "Britain 1", "ASW")
	c.Add("", &events.Corrected{Event: wrong, Reason: "the other card was meant"})
	drawn := events.Ref{Index: draw, Slot: "Britain 4"}
	c.Correct(wrong, "Britain", &events.CardPlayed{Deck: "Ultra", Card: "tactical", Drawn: drawn})
	c.Correct(2, "Britain", &events.CardAdded{Deck: "Ultra", PoolSize: 9}, "card", "strategic")
	r := report(t, c, "umpire")
	if p := r.Pools[0]; p.Size != 9 || len(p.Revealed) != 1 ||
		p.Revealed[0] != (pools.Count{Card: "tactical", Count: 1}) {
		t.Errorf("counted: %+v", p)
	}
	if p := r.Pools[0]; len(p.Additions) != 1 || p.Additions[0].Card != "strategic" || p.Additions[0].Corrects != 2 {
		t.Errorf("additions: %+v", p.Additions)
	}
	plays := r.Turns[0].Plays
	if len(plays) != 1 || plays[0].Corrects != wrong {
		t.Errorf("plays: %+v", plays)
	}
	expect(t, "hand", states(r.Pools[0].Hand), []string{"ASW held", "blank held", "ASW held", "tactical played"})
}

// A card that is given back is in the hand again, known to everyone; its play is marked and does not
// count, and the card may be played again. Hand and counts are as before the play.
func TestCompensation(t *testing.T) {
	c, draw := britain()
	before := report(t, c, "Britain").Pools[0]
	first := play(c, draw, "Britain 1", "ASW")
	second := play(c, draw, "Britain 4", "tactical")
	c.Add("Britain", &events.CardNegated{Card: "ASW", Played: first, By: second})
	given := c.Add("Britain", &events.Compensated{What: "card", Of: "Britain", Subject: "ASW", By: 1, Played: first,
		Reason: "a void contest"})
	expect(t, "given back", states(report(t, c, "").Pools[0].Hand), []string{"ASW held", " hidden", " hidden",
		"tactical played"})
	c.Add("Britain", &events.Compensated{What: "card", Of: "Britain", Subject: "tactical", By: 1, Played: second,
		Reason: "a void contest"})
	c.Add("Britain", &events.Compensated{What: "treasury", Of: "Britain", By: 1, Played: second, Reason: "no card"})
	r := report(t, c, "Britain")
	after := r.Pools[0]
	for i := range after.Hand.Cards {
		after.Hand.Cards[i].Disclosed = false // what was seen stays seen
	}
	if !reflect.DeepEqual(before, after) {
		t.Errorf("before %+v\nafter  %+v", before, after)
	}
	plays := r.Turns[0].Plays
	if len(plays) != 2 || plays[0].Compensated != given || plays[1].Compensated != given+1 || !plays[0].Negated {
		t.Errorf("plays: %+v", plays)
	}
	again := play(c, draw, "Britain 1", "ASW")
	r = report(t, c, "")
	if p := r.Pools[0]; p.Hand.Cards[0].Play != again || p.Hand.Cards[0].State != "played" || len(p.Revealed) != 1 ||
		p.Revealed[0].Count != 1 {
		t.Errorf("played again: %+v", p)
	}
}

// A view keeps its size however long the war; the counts cover all of it.
func TestLongWarKeepsItsSize(t *testing.T) {
	size := func(turns int) (int, pools.Report) {
		v, err := projections.Fold(pools.Projection(), recordtest.War(1, turns).Records(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return len(v.Save()), v.Report().(pools.Report)
	}
	long, _ := size(200)
	longer, r := size(600)
	if longer > long+long/10 || longer > 16<<10 {
		t.Errorf("%d bytes after 200 turns, %d after 600", long, longer)
	}
	if got := r.Pools[0].Revealed; len(got) != 1 || got[0].Count != 600 {
		t.Errorf("600 turns with a play each reveal %+v", got)
	}
}
