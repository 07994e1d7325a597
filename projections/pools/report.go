package pools

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/projections/document"
)

// Report is the view as JSON. Numbers of cards are cards; an event is named by its index.
type Report struct {
	Version int    `json:"version"`
	Pools   []Pool `json:"pools"` // in the order of the campaign's opening
	Turns   []Turn `json:"turns"` // the latest turns in which cards were played, oldest first
}

// Pool is a side's deck: Known and Unknown make up Size.
type Pool struct {
	Side      string     `json:"side"`
	Deck      string     `json:"deck"`
	Size      int64      `json:"size"`
	Known     int64      `json:"known"`
	Unknown   int64      `json:"unknown"`
	Contents  []Count    `json:"contents"` // the known cards, by type
	Additions []Addition `json:"additions"`
	Hand      Hand       `json:"hand"`
	Secret    []Secret   `json:"secret_plays"`
	Revealed  []Count    `json:"revealed"` // plays of the whole campaign, by type
}

// Count is a number of cards of one type.
type Count struct {
	Card  string `json:"card"`
	Count int64  `json:"count"`
}

// Addition is a card added to a pool.
type Addition struct {
	Event     uint64 `json:"event"`
	Card      string `json:"card,omitempty"`      // left out: not known to the viewer
	Disclosed bool   `json:"disclosed,omitempty"` // known to everyone
	Corrects  uint64 `json:"corrects,omitempty"`
}

// Hand is what a side holds this turn.
type Hand struct {
	Event  uint64 `json:"event,omitempty"` // of the draw
	Drawn  int64  `json:"drawn"`
	Hidden int64  `json:"hidden"` // cards that the viewer does not know
	Cards  []Card `json:"cards"`
}

// Card is a card of a hand. Its state is "hidden" (the viewer does not know it), "held",
// "played" or "negated".
type Card struct {
	Slot      string `json:"slot"`
	Card      string `json:"card,omitempty"`
	State     string `json:"state"`
	Play      uint64 `json:"play,omitempty"` // index of its play
	Disclosed bool   `json:"disclosed,omitempty"`
}

// Secret is a play in secret; once it is disclosed its cards are played one by one.
type Secret struct {
	Event     uint64 `json:"event"`
	Cards     string `json:"cards,omitempty"` // left out: not known to the viewer
	Disclosed bool   `json:"disclosed,omitempty"`
}

// Turn is what was played in a game turn.
type Turn struct {
	Ordinal uint64 `json:"ordinal"`
	Label   string `json:"label"`
	Plays   []Play `json:"plays"`
}

// Play is a card put into a contest.
type Play struct {
	Event     uint64 `json:"event"`
	Side      string `json:"side"`
	Deck      string `json:"deck"`
	Card      string `json:"card"`
	As        string `json:"as,omitempty"` // what a wild card stood for
	Negated   bool   `json:"negated,omitempty"`
	NegatedBy uint64 `json:"negated_by,omitempty"`
	Corrects  uint64 `json:"corrects,omitempty"`
	// by which event the card is in the hand again; then this play is not counted
	Compensated uint64 `json:"compensated,omitempty"`
}

// Report is a [Report].
func (v *View) Report() any { return v.report() }

func (v *View) report() Report {
	r := Report{Version: Version, Pools: []Pool{}, Turns: []Turn{}}
	for i := range v.pools {
		r.Pools = append(r.Pools, v.pools[i].report())
	}
	for _, x := range v.plays {
		n := len(r.Turns)
		if n == 0 || r.Turns[n-1].Ordinal != x.ordinal || r.Turns[n-1].Label != x.turn {
			r.Turns = append(r.Turns, Turn{Ordinal: x.ordinal, Label: x.turn})
			n++
		}
		p := &v.pools[x.pool]
		r.Turns[n-1].Plays = append(r.Turns[n-1].Plays, Play{
			Event: x.event, Side: p.side, Deck: p.deck, Card: x.card, As: x.as,
			Negated: x.negated, NegatedBy: x.negatedBy, Corrects: x.corrects, Compensated: x.back,
		})
	}
	return r
}

func (p *pool) report() Pool {
	out := Pool{
		Side: p.side, Deck: p.deck, Additions: []Addition{}, Secret: []Secret{},
		Revealed: []Count{}, Contents: []Count{}, Hand: p.hand.report(),
	}
	contents := append([]count(nil), p.began...)
	for _, a := range p.added {
		out.Additions = append(out.Additions, Addition{a.event, a.card, a.disclosed, a.corrects})
		if a.card == "" {
			out.Unknown++
			continue
		}
		contents = addCount(contents, a.card, 1)
	}
	for _, c := range contents {
		out.Contents = append(out.Contents, Count{c.card, c.number})
		out.Known += c.number
	}
	out.Size = out.Known + out.Unknown
	for _, c := range p.revealed {
		if c.number != 0 {
			out.Revealed = append(out.Revealed, Count{c.card, c.number})
		}
	}
	for _, s := range p.secret {
		out.Secret = append(out.Secret, Secret{s.event, s.cards, s.disclosed})
	}
	return out
}

func (h *hand) report() Hand {
	out := Hand{Event: h.event, Drawn: h.drawn, Hidden: h.drawn, Cards: []Card{}}
	for _, c := range h.cards {
		state := "held"
		switch {
		case c.negated:
			state = "negated"
		case c.played:
			state = "played"
		case c.card == "":
			state = "hidden"
		}
		if state != "hidden" {
			out.Hidden--
		}
		out.Cards = append(out.Cards, Card{c.slot, c.card, state, c.play, c.disclosed})
	}
	return out
}

// Tables shows the pools, the hands of the turn, and what was played in each turn.
func (v *View) Tables() []document.Table {
	r := v.report()
	plays := r.PlayTable()
	if len(plays.Rows) > 0 {
		plays.Note = document.Noted("#n is the event, as `watu explain` takes it.")
	}
	return []document.Table{r.PoolTable(), handTable(r.Pools), plays}
}

// PoolTable shows the pools, as far as the viewer knows them.
func (r *Report) PoolTable() document.Table {
	t := document.Table{
		Title:   "Card pools",
		Columns: document.Columns("Side", "Deck", "Size", "Contents", "Not known", "Hand"),
	}
	for _, p := range r.Pools {
		hand := "none"
		if p.Hand.Drawn > 0 {
			hand = fmt.Sprintf("%d drawn, %d hidden", p.Hand.Drawn, p.Hand.Hidden)
		}
		t.Add(p.Side, p.Deck, p.Size, countsText(p.Contents), p.Unknown, hand)
	}
	return t
}

func countsText(list []Count) string {
	var parts []string
	for _, c := range list {
		if c.Count != 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.Count, c.Card))
		}
	}
	return strings.Join(parts, ", ")
}

// handTable shows the hands. What is played in secret stands below: its cards are among those of the hand.
func handTable(pools []Pool) document.Table {
	t := document.Table{Title: "Hands", Columns: document.Columns("Side", "Deck", "Card", "State", "Drawn", "Play")}
	for _, p := range pools {
		side, deck := p.Side, p.Deck
		for _, c := range p.Hand.Cards {
			play := document.Span{}
			if c.Play != 0 {
				play = document.Event(c.Play)
			}
			name := c.Card
			if name == "" {
				name = "?"
			}
			t.Add(side, deck, name, c.State, document.Text{document.Event(p.Hand.Event), {Text: " " + c.Slot}}, play)
			side, deck = "", ""
		}
		for _, s := range p.Secret {
			if s.Disclosed { // each of its cards has a play of its own
				continue
			}
			name := s.Cards
			if name == "" {
				name = "?"
			}
			if t.Note != nil {
				t.Note = append(t.Note, document.Span{Text: " "})
			}
			t.Note = append(t.Note, document.Span{Text: p.Side + " has played in secret: " + name + " ("},
				document.Event(s.Event), document.Span{Text: ")."})
		}
	}
	return t
}

// PlayTable shows what was played in each turn.
func (r *Report) PlayTable() document.Table {
	t := document.Table{
		Title:   "Cards played",
		Columns: document.Columns("Turn", "Play", "Side", "Deck", "Card", ""),
	}
	for _, turn := range r.Turns {
		label := turn.Label
		for _, x := range turn.Plays {
			t.Add(label, document.Event(x.Event), x.Side, x.Deck, x.cardText(), x.fate())
			label = ""
		}
	}
	return t
}

func (x Play) cardText() string {
	if x.As != "" {
		return x.Card + " as " + x.As
	}
	return x.Card
}

func (x Play) fate() (text document.Text) {
	add := func(is bool, what string, event uint64) {
		if is && len(text) > 0 {
			what = "; " + what
		}
		if is {
			text = append(text, document.Span{Text: what}, document.Event(event))
		}
	}
	add(x.Negated, "negated by ", x.NegatedBy)
	add(x.Corrects != 0, "in place of ", x.Corrects)
	add(x.Compensated != 0, "not counted: given back by ", x.Compensated)
	return text
}
