package sea

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/strategic"
)

// research is the steps of research that bore on a throw.
type research struct {
	Box, Turn string
	Steps     []researchStep
}

// researchStep is one of them: so many steps, and whom they helped.
type researchStep struct {
	Name, For, Tint, Value, Why string
	Marks                       []int // where each step is drawn
	Wide                        int
}

// stepWide is how much room a step takes.
const stepWide = 17

// research gathers the research among the modifiers of a result; nil for none. A modifier is seen from the
// attacker.
func (in Input) research(x *strategic.Result) *research {
	out := &research{Box: x.Subject, Turn: x.Turn}
	for _, m := range x.Modifiers {
		name, is := strings.CutSuffix(m.Name, " research")
		if !is || m.Value == 0 {
			continue
		}
		helped := x.Attacker
		if m.Value < 0 {
			helped = x.Defender
		}
		s := researchStep{Name: strings.ToUpper(name[:1]) + name[1:], For: helped, Tint: in.Tint(helped),
			Value: words.Modifier(m.Value), Why: in.Event(x.Event)}
		for i := range max(m.Value, -m.Value) {
			s.Marks = append(s.Marks, stepWide*i)
		}
		s.Wide = stepWide*len(s.Marks) - 2
		out.Steps = append(out.Steps, s)
	}
	if len(out.Steps) == 0 {
		return nil
	}
	return out
}

// codes is how the contests of cards from one deck have ended.
type codes struct {
	Deck  string
	Sides []codeSide // in the order of the pools
	Drawn codeSide
	All   int
}

// codeSide is how many contests a side has won, and the last of them.
type codeSide struct {
	Name, Tint string
	N          int
	Why        string
	X, Wide    int // of its part of the bar, in thousandths
}

// codes counts the contests that stand. The deck of a contest is that from which both of its sides draw.
func (in Input) codes(list []strategic.Contest) (out []codes) {
	for _, x := range list {
		deck := in.deckOf(x.Acting, x.Opposing)
		if !x.Counts() || deck == "" {
			continue
		}
		at := slices.IndexFunc(out, func(o codes) bool { return o.Deck == deck })
		if at < 0 {
			at, out = len(out), append(out, codes{Deck: deck, Sides: in.sidesOf(deck), Drawn: codeSide{Name: "drawn"}})
		}
		o := &out[at]
		s := &o.Drawn
		for i := range o.Sides {
			if o.Sides[i].Name == x.Advantage {
				s = &o.Sides[i]
			}
		}
		o.All, s.N, s.Why = o.All+1, s.N+1, in.Event(x.Settled)
	}
	for i := range out {
		out[i].measure()
	}
	return out
}

// measure divides the bar: who won stands at its ends, what was drawn between.
func (o *codes) measure() {
	const whole = 1000
	n := len(o.Sides)
	for i := range o.Sides {
		o.Sides[i].Wide = whole * o.Sides[i].N / o.All
	}
	x := 0
	for i := range n - 1 {
		o.Sides[i].X = x
		x += o.Sides[i].Wide
	}
	last := &o.Sides[n-1]
	last.X = whole - last.Wide
	o.Drawn.X, o.Drawn.Wide = x, last.X-x
}

// deckOf is the deck from which both sides draw; empty for none.
func (in Input) deckOf(a, b string) string {
	of := func(side string) (decks []string) {
		for _, p := range in.Pools.Pools {
			if p.Side == side {
				decks = append(decks, p.Deck)
			}
		}
		return decks
	}
	for _, deck := range of(a) {
		if slices.Contains(of(b), deck) {
			return deck
		}
	}
	return ""
}

// sidesOf are those who draw from a deck.
func (in Input) sidesOf(deck string) (list []codeSide) {
	for _, p := range in.Pools.Pools {
		if p.Deck == deck {
			list = append(list, codeSide{Name: p.Side, Tint: in.Tint(p.Side)})
		}
	}
	return list
}

// fan is a pool as its cards lie side by side.
type fan struct {
	Side, Deck, Tint string
	Size             int64
	Heaps            []fanHeap
}

// fanHeap is the cards of one type that came by one event.
type fanHeap struct {
	Letter, Kind, Why string
	Card              string // its type; empty for one that joined the pool sealed
	N                 int
	Own               bool  // the viewer knows it, and not everybody
	Cards             []int // where each is drawn
	Wide              int
}

const (
	cardStep    = 22 // how much room a card takes
	cardBlank   = "blank"
	cardUnknown = "unknown"
)

// fan lays a pool out as the viewer knows it: what he does not know joined the pool sealed.
func (in Input) fan(p *pools.Pool) fan {
	out := fan{Side: p.Side, Deck: p.Deck, Tint: in.Tint(p.Side), Size: p.Size}
	open, shown := map[string]int{}, map[string]uint64{} // cards that everybody knows, and the last event that says so
	for _, n := range p.Contents {
		open[n.Card] += int(n.Count)
	}
	var blank, sealed []fanHeap
	for _, a := range p.Additions {
		switch {
		case a.Disclosed:
			shown[a.Card] = a.Event
			continue
		case a.Card != "":
			open[a.Card]--
		}
		h := in.heap(a.Card, a.Event, 1)
		h.Own = a.Card != ""
		sealed = append(sealed, h)
	}
	for _, n := range p.Contents {
		if open[n.Card] == 0 {
			continue
		}
		h := in.heap(n.Card, shown[n.Card], open[n.Card])
		if h.Kind == cardBlank {
			blank = append(blank, h)
			continue
		}
		out.Heaps = append(out.Heaps, h)
	}
	out.Heaps = append(append(out.Heaps, blank...), sealed...)
	return out
}

// Letters are those of the cards that have one, and a pattern, of their own.
var Letters = map[string]string{"submarine": "S", "asw": "A", "tactical": "T", "strategic": "R", "wild": "W",
	cardBlank: "–"}

// heap draws cards of one type that came by an event, or with the campaign's opening: then event is 0.
func (in Input) heap(card string, event uint64, n int) fanHeap {
	h := fanHeap{Kind: strings.ToLower(card), Card: card, N: n, Why: in.Opening, Wide: cardStep*n - 4}
	if event != 0 {
		h.Why = in.Event(event)
	}
	if h.Letter = Letters[h.Kind]; card == "" {
		h.Kind = cardUnknown
	} else if h.Letter == "" {
		h.Letter = string([]rune(card)[:1])
	}
	for i := range n {
		h.Cards = append(h.Cards, cardStep*i)
	}
	return h
}
