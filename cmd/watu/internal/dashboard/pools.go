package dashboard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/sea"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/sums"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/pools"
)

// poolsPanel is the decks of the sides, as the viewer knows them.
type poolsPanel struct {
	links
	Decks []deck
	Plays document.Table
}

// deck is a side's pool and its hand.
type deck struct {
	Side, Name string
	Size       document.Span
	Contents   []heap
	Unknown    []glyph       // cards added of which the viewer does not know the type
	Changed    document.Text // the events that made the pool what it is
	Hand       []glyph
	Drawn      document.Text // how many, and how many nobody has seen; empty without a hand
	Secret     []glyph       // plays under seal
	Revealed   document.Text // all plays of the campaign
}

// heap is cards of one type.
type heap struct {
	Card glyph
	Each string
}

// glyph is a card, drawn small: a pattern and a letter name its type.
type glyph struct {
	Kind   string // class of its pattern
	Letter string
	Name   string // for people
	Href   string
	Lost   bool // negated
	Played bool
	Shown  bool // everyone knows it
}

// glyph draws a card; one without a name is not known.
func (f figures) glyph(card string, event uint64) glyph {
	kind := strings.ToLower(card)
	g := glyph{Kind: kind, Letter: sea.Letters[kind], Name: story.LinesOf(f.in).Word(card)}
	if event != 0 {
		g.Href = f.event(event)
	}
	switch {
	case card == "":
		g.Kind, g.Letter, g.Name = "unknown", "?", story.LinesOf(f.in).Within("card-unknown")
	case g.Letter == "":
		g.Kind, g.Letter = "other", string([]rune(card)[:1])
	}
	return g
}

func (f figures) pools(r *pools.Report) *poolsPanel {
	if len(r.Pools) == 0 {
		return nil
	}
	lately := pools.Report{Turns: slices.DeleteFunc(slices.Clone(r.Turns), func(t pools.Turn) bool {
		return !f.shows(t.Ordinal)
	})}
	p := &poolsPanel{links: f.links, Plays: f.table(lately.PlayTable())}
	last := lastPlays(r.Turns)
	for i := range r.Pools {
		p.Decks = append(p.Decks, f.deck(&r.Pools[i], last))
	}
	return p
}

// lastPlays gives the last play of each side's card that counts.
func lastPlays(turns []pools.Turn) map[[3]string]uint64 {
	last := map[[3]string]uint64{}
	for _, t := range turns {
		for _, x := range t.Plays {
			if x.Compensated == 0 {
				last[[3]string{x.Side, x.Deck, x.Card}] = x.Event
			}
		}
	}
	return last
}

// openingPools is the way to what the pools began with, on the page of the campaign's opening.
var openingPools = document.Link{Kind: document.ToEvent, Name: "opening-pools"}

func (f figures) deck(p *pools.Pool, last map[[3]string]uint64) deck {
	out := deck{Side: p.Side, Name: p.Deck, Changed: document.Text{{Text: "#0", To: openingPools}}}
	out.Size = document.Span{Text: text(p.Size), To: openingPools} // the pool began with the campaign
	added := map[string]uint64{}
	for _, a := range p.Additions {
		out.Size.To, added[a.Card] = document.About(a.Event), a.Event
		out.Changed = append(out.Changed, figure(a.Event, fmt.Sprintf("#%d", a.Event)))
		if a.Card == "" {
			out.Unknown = append(out.Unknown, f.glyph("", a.Event))
		}
	}
	if n := len(out.Changed) - sums.Most; n > 0 {
		out.Changed = append(document.Text{{Text: words.Count(n, "event") + " before", To: from(0)}},
			out.Changed[n:]...)
	}
	for _, c := range p.Contents {
		if c.Count == 0 {
			continue
		}
		g := f.glyph(c.Card, added[c.Card])
		if g.Href == "" {
			g.Href = f.path(openingPools)
		}
		out.Contents = append(out.Contents, heap{g, f.cards(c.Count, c.Card)})
	}
	f.hand(&out, p)
	for i, c := range p.Revealed {
		if i > 0 {
			out.Revealed = append(out.Revealed, plain(", "))
		}
		out.Revealed = append(out.Revealed, figure(last[[3]string{p.Side, p.Deck, c.Card}],
			f.cards(c.Count, c.Card)))
	}
	return out
}

// cards are so many of a type.
func (f figures) cards(n int64, card string) string {
	return fmt.Sprintf("%d %s", n, story.LinesOf(f.in).Word(card))
}

// hand adds what the side holds, and what it played under seal.
func (f figures) hand(out *deck, p *pools.Pool) {
	h, say := &p.Hand, story.LinesOf(f.in)
	if h.Drawn > 0 {
		out.Drawn = document.Text{figure(h.Event, say.Within("n-drawn", "n", h.Drawn)), plain(", "),
			figure(h.Event, say.Within("n-hidden", "n", h.Hidden))}
	}
	for _, c := range h.Cards {
		event := h.Event
		if c.Play != 0 {
			event = c.Play
		}
		g := f.glyph(c.Card, event)
		g.Played, g.Lost, g.Shown = c.State == "played", c.State == "negated", c.Disclosed
		g.Name += ", " + say.Word(c.State)
		if c.State == "hidden" {
			g.Name = say.Within("card-hidden")
		}
		out.Hand = append(out.Hand, g)
	}
	for _, s := range p.Secret {
		g := f.glyph("", s.Event)
		g.Name = say.Within("play-sealed")
		if s.Cards != "" {
			g.Name += ": " + s.Cards
		}
		g.Shown = s.Disclosed
		out.Secret = append(out.Secret, g)
	}
}
