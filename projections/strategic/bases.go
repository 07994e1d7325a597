package strategic

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
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

// Figure is a figure of the game as it was stated last, with what was corrected before it since.
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
	figureLeave = "divisions that leave China"
	figureCards = "strategy cards" // given in compensation; who holds how many is not followed
)

// What a success may be spent on.
const (
	spentASP = "asp"
	spentSWM = "swm"
)

// figureOfFact names the figure that a reported fact states.
var figureOfFact = map[string]string{"asps": figureASPs, "swm marker": figureSWM, "china divisions": figureChina}

// The entries of the fold.
type (
	posting struct {
		projections.Entry
		Posting
	}
	spent struct {
		projections.Entry
		events.SuccessSpent
	}
	played struct {
		projections.Entry
		side string
		events.StrategyCardPlayed
	}
	drawn struct {
		projections.Entry
		side string
		events.StrategyCardsDrawn
	}
	fact struct {
		projections.Entry
		name  string
		value int
	}
)

// applyBase takes the events of bases, and of what they do to the other side.
func (v *View) applyBase(e history.Row, at projections.Entry) {
	switch e.Type {
	case "fact_reported":
		var p events.FactReported
		read := e.Read(&p) && figureOfFact[p.Fact] != "" && !p.Secret
		projections.AppendIf(&v.facts, &fact{at, figureOfFact[p.Fact], p.Number}, read)
	case "success_spent":
		x := spent{Entry: at}
		projections.AppendIf(&v.spent, &x, e.Read(&x.SuccessSpent))
	case "strategy_card_played":
		x := played{Entry: at, side: e.Side}
		projections.AppendIf(&v.played, &x, e.Read(&x.StrategyCardPlayed))
	case "strategy_cards_drawn":
		x := drawn{Entry: at, side: e.Side}
		projections.AppendIf(&v.drawn, &x, e.Read(&x.StrategyCardsDrawn))
	default:
		p, ok := postingOf(e.Event)
		projections.AppendIf(&v.postings, &posting{at, p}, ok)
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
		return Posting{Base: p.Base, What: attacked, Hex: p.Hex, Hits: p.Hits, Needed: p.Needed, Left: p.Displaced,
			Returns: p.Returns}, ok
	case "base_replaced":
		var p events.BaseReplaced
		ok := e.Read(&p)
		return Posting{Base: p.Base, What: replaced, Hex: p.Hex, By: p.By, Joined: p.Joined}, ok
	}
	return Posting{}, false
}

// addBases fills in what became of the bases, and where they are.
func (v *View) addBases(r *Report) {
	r.Bases, r.Postings, r.Spent, r.CardsPlayed, r.CardsDrawn = v.bases(), []Posting{}, []Spent{}, []CardPlayed{},
		[]CardsDrawn{}
	r.Figures = v.figures()
	for _, x := range projections.InReportOrder(v.postings) {
		x.Posting.Place = x.Entry.Place
		r.Postings = append(r.Postings, x.Posting)
	}
	for _, x := range projections.InReportOrder(v.spent) {
		r.Spent = append(r.Spent, Spent{x.Place, x.SuccessSpent})
	}
	for _, x := range projections.InReportOrder(v.played) {
		r.CardsPlayed = append(r.CardsPlayed, CardPlayed{x.Place, x.side, x.Card, x.Event})
	}
	for _, x := range projections.InReportOrder(v.drawn) {
		r.CardsDrawn = append(r.CardsDrawn, CardsDrawn{x.Place, x.side, x.StrategyCardsDrawn})
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
	for _, x := range projections.Effective(v.postings) {
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
		b.Event, b.Turn = x.Entry.Event, x.Entry.Turn
		if x.Joined != "" {
			j := of(x.Joined)
			j.Hex, j.Returns, j.Event, j.Turn = "", int(x.Entry.Ordinal), x.Entry.Event, x.Entry.Turn
		}
	}
	return list
}
