package strategic

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

// What became of a base.
const (
	placed    = "placed"
	displaced = "displaced"
	attacked  = "attacked"
	replaced  = "replaced"
)

// Posting is what became of a base at one time.
type Posting struct {
	projections.Place
	Base    string `json:"base"`
	What    string `json:"what"`              // "placed", "displaced", "attacked", "replaced"
	Hex     string `json:"hex,omitempty"`     // where it is then, or was
	From    string `json:"from,omitempty"`    // the hex that it leaves for another
	How     string `json:"how,omitempty"`     // placed; or why it is displaced
	Hits    int    `json:"hits,omitempty"`    // on it
	Needed  int    `json:"needed,omitempty"`  // to displace it
	Left    bool   `json:"left,omitempty"`    // it left the map
	Returns int    `json:"returns,omitempty"` // number of the turn in which it may come back
	By      string `json:"by,omitempty"`      // the base in its place
	Joined  string `json:"joined,omitempty"`  // one that arrives besides
}

// Base is a base that is in play.
type Base struct {
	Base    string `json:"base"`
	Hex     string `json:"hex"`               // empty off the map
	Returns int    `json:"returns,omitempty"` // off the map, the turn in which it may be placed
	Event   uint64 `json:"event"`             // by which that is known
	Turn    string `json:"turn"`
}

// Spent is what the side of a base takes for its success.
type Spent struct {
	projections.Place
	events.SuccessSpent
}

// CardPlayed is a strategy card played.
type CardPlayed struct {
	projections.Place
	Side string `json:"side"`
	Card int    `json:"card"`
	As   string `json:"as"` // its event
}

// CardsDrawn is a draw of strategy cards and what cuts it.
type CardsDrawn struct {
	projections.Place
	Side string `json:"side"`
	events.StrategyCardsDrawn
}

// Figure is a figure of the game as it was told last, with what was corrected before it since.
type Figure struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
	Event uint64 `json:"event"`
	Turn  string `json:"turn"`
}

// The figures that the view follows.
const (
	figureASPs  = "Japanese ASPs"
	figureSWM   = "SWM"
	figureChina = "divisions in China"
	figureCards = "strategy cards" // given in compensation; who holds how many is not followed
)

// told are the facts that tell them.
var told = map[string]string{"asps": figureASPs, "swm marker": figureSWM, "china divisions": figureChina}

// The entries of the fold.
type (
	posting struct {
		place
		Posting
	}
	spent struct {
		place
		events.SuccessSpent
	}
	played struct {
		place
		side string
		events.StrategyCardPlayed
	}
	drawn struct {
		place
		side string
		events.StrategyCardsDrawn
	}
	fact struct {
		place
		name  string
		value int
	}
)

// applyBase takes the events of bases, and of what they do to the other side.
func (v *View) applyBase(e *events.Event, at place) {
	switch e.Type {
	case "fact_reported":
		var p events.FactReported
		if e.Read(&p) && told[p.Fact] != "" && !p.Secret {
			v.facts = appendInPlace(v.facts, fact{at, told[p.Fact], p.Number})
		}
	case "success_spent":
		x := spent{place: at}
		if e.Read(&x.SuccessSpent) {
			v.spent = appendInPlace(v.spent, x)
		}
	case "strategy_card_played":
		x := played{place: at, side: e.Side}
		if e.Read(&x.StrategyCardPlayed) {
			v.played = appendInPlace(v.played, x)
		}
	case "strategy_cards_drawn":
		x := drawn{place: at, side: e.Side}
		if e.Read(&x.StrategyCardsDrawn) {
			v.drawn = appendInPlace(v.drawn, x)
		}
	default:
		if p, ok := postingOf(e); ok {
			v.postings = appendInPlace(v.postings, posting{at, p})
		}
	}
}

func postingOf(e *events.Event) (Posting, bool) {
	switch e.Type {
	case "base_placed":
		var p events.BasePlaced
		ok := e.Read(&p)
		return Posting{Base: p.Base, What: placed, Hex: p.Hex, From: p.From, How: p.How}, ok
	case "base_displaced":
		var p events.BaseDisplaced
		ok := e.Read(&p)
		return Posting{Base: p.Base, What: displaced, Hex: p.Hex, How: p.Cause, Left: true, Returns: p.Returns}, ok
	case "base_attacked":
		var p events.BaseAttacked
		ok := e.Read(&p)
		return Posting{Base: p.Base, What: attacked, Hex: p.Hex, Hits: p.Hits, Needed: p.Needed, Left: p.Displaced, Returns: p.Returns}, ok
	case "base_replaced":
		var p events.BaseReplaced
		ok := e.Read(&p)
		return Posting{Base: p.Base, What: replaced, Hex: p.Hex, By: p.By, Joined: p.Joined}, ok
	}
	return Posting{}, false
}

func (p *place) report() projections.Place {
	return projections.Place{Event: p.event, Ordinal: p.ordinal, Turn: p.turn, Corrects: p.corrects, CorrectedBy: p.corrected}
}

// addBases fills in what became of the bases, and where they are.
func (v *View) addBases(r *Report) {
	r.Bases, r.Postings, r.Spent, r.CardsPlayed, r.CardsDrawn = v.bases(), []Posting{}, []Spent{}, []CardPlayed{}, []CardsDrawn{}
	r.Figures = v.figures()
	for _, x := range v.postings {
		x.Posting.Place = x.report()
		r.Postings = append(r.Postings, x.Posting)
	}
	for _, x := range v.spent {
		r.Spent = append(r.Spent, Spent{x.report(), x.SuccessSpent})
	}
	for _, x := range v.played {
		r.CardsPlayed = append(r.CardsPlayed, CardPlayed{x.report(), x.side, x.Card, x.Event})
	}
	for _, x := range v.drawn {
		r.CardsDrawn = append(r.CardsDrawn, CardsDrawn{x.report(), x.side, x.StrategyCardsDrawn})
	}
}

// bases follows the bases through what stands. One that comes takes the place of the one that leaves.
func (v *View) bases() []Base {
	list := []Base{}
	of := func(name string) *Base {
		i := slices.IndexFunc(list, func(b Base) bool { return b.Base == name })
		if i < 0 {
			i, list = len(list), append(list, Base{Base: name})
		}
		return &list[i]
	}
	for _, x := range standing(v.postings) {
		b := of(x.Base)
		switch {
		case x.What == placed:
			b.Hex, b.Returns = x.Hex, 0
		case x.What == replaced:
			b.Base = x.By
		case x.Left:
			b.Hex, b.Returns = "", x.Returns
		default:
			continue
		}
		b.Event, b.Turn = x.event, x.turn
		if x.Joined != "" {
			j := of(x.Joined)
			j.Hex, j.Returns, j.Event, j.Turn = "", int(x.ordinal), x.event, x.turn
		}
	}
	return list
}
