package desk

import (
	"context"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/strategic"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
)

// Stand is where a campaign stands, as far as the viewer may know it: what its views say of his side, and of all sides
// to the umpire.
type Stand struct {
	Purses  []Purse            // treasuries
	Rest    []string           // the treasuries that have collected nothing yet in the turn that is on
	Next    string             // of them the first behind the last that has; empty where none is behind it
	Yours   bool               // which is the viewer's
	Figures []strategic.Figure // of the game, as stated last
	Hands   []Hand             // of the viewer's side
	Sealed  []Sealed           // of the turn that is on
}

// Purse is a treasury, and what is in it.
type Purse struct {
	Name   string
	InHand int64
}

// Sealed is an entry of which the record hides something that the viewer knows.
type Sealed struct {
	Event uint64
	Entry string // as a line of a turn file
}

// stand says where a campaign stands.
func (d *Desk) stand(ctx context.Context, c timeline.Campaign, v timeline.Viewer) (out Stand, err error) {
	views, err := d.service.ViewsAt(ctx, c.ID, v, c.Events, pools.Projection().Name, income.Projection().Name,
		strategic.Projection().Name)
	if err != nil {
		return out, err
	}
	if views.Income != nil {
		found, err := d.service.Find(c.ID)
		if err != nil {
			return out, err
		}
		if at, err := d.service.Umpire().AtHead(found.ID); err == nil {
			_, c.Phase = at.Game.TurnNow() // the last event's is another where it took a phase back
		}
		out.purses(c, v, *views.Income)
	}
	if views.Strategic != nil {
		out.Figures = views.Strategic.Figures
	}
	if views.Pools != nil && v.As != timeline.Umpire {
		out.Hands = handsOf(*views.Pools, v)
	}
	out.Sealed, err = d.sealed(ctx, c, v)
	return out, err
}

// purses takes what a view says of treasuries.
func (s *Stand) purses(c timeline.Campaign, v timeline.Viewer, r income.Report) {
	for _, t := range r.Treasuries {
		if v.As == timeline.Umpire || timeline.Keeps(v.As, t.Power) {
			s.Purses = append(s.Purses, Purse{t.Power, t.InHand})
		}
	}
	s.Rest, s.Next = timeline.NotCollected(c, r)
	s.Yours = timeline.Keeps(v.As, s.Next)
}

// sealed are the entries of the turn that is on of which the viewer knows more than the record says.
func (d *Desk) sealed(ctx context.Context, c timeline.Campaign, v timeline.Viewer) (list []Sealed, err error) {
	found, err := d.service.Find(c.ID)
	if err != nil {
		return nil, err
	}
	turns, err := d.service.Turns(c.ID)
	if err != nil || len(turns) == 0 {
		return nil, err
	}
	opened, err := d.service.Openings(ctx, found, v, c.Events)
	if err != nil || len(opened) == 0 {
		return nil, err
	}
	at, err := d.service.Umpire().AtHead(found.ID)
	if err != nil {
		return nil, err
	}
	known := campaign.OpeningsOf(opened)
	last := uint64(0)
	for _, o := range opened {
		if o.Index < turns[len(turns)-1].First || !at.History.Stands(o.Index) {
			continue
		}
		first := at.History.Command(o.Index).First()
		if first == last {
			continue
		}
		last = first
		e, err := d.service.Event(found.ID, first)
		if err != nil {
			return nil, err
		}
		was := campaign.RequestIn(&e)
		k, err := campaign.CommandOf(e, known)
		if err != nil {
			continue // it is an answer of chance
		}
		entry := turnfile.FlowEntry(k.Body, k.Verb)
		if entry != turnfile.FlowEntry(was.Entry, k.Verb) {
			list = append(list, Sealed{o.Index, entry})
		}
	}
	return list, ctx.Err()
}
