// Package desk is what people do on pages: a player answers what he is asked and disputes, the umpire enters turns,
// rules and takes back. [Desk.Look] says what a viewer may do in a campaign now and what waits for whom; [Desk.Do]
// makes of a form the one command of package service that a terminal would send. So a page and a terminal leave the
// same record, and an entry comes without an id, named by its words: a form that is sent twice is answered with what
// stands already.
package desk

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/seats"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/rules"
)

// Desk does what forms ask for, in the ledger of one service. It is safe for concurrent use.
type Desk struct {
	service *service.Service
	crowd   *readers.Readers
	asked   requests
}

// New gives the desk of a ledger. What sides say, and what is only checked, waits its turn with the crowd.
func New(f *service.Service, crowd *readers.Readers) *Desk { return &Desk{service: f, crowd: crowd} }

// View is what a viewer may do in a campaign, and what is asked there.
type View struct {
	Campaign timeline.Campaign
	Viewer   timeline.Viewer
	Umpire   bool
	Say      story.Lines           // the language of its reader
	Silent   string                // why the viewer enters nothing; empty for those who may
	Broken   string                // and what is wrong with the campaign, in English; empty where nothing is
	Dice     string                // that come by themselves, and that the campaign waits for
	Stand    Stand                 // where it stands
	Move     *Move                 // what is asked; nil where nothing is open
	Disputes []timeline.Dispute    // that are open
	Ruled    []timeline.Dispute    // of the viewer, ruled on lately
	Slips    []service.UndoableAct // that the umpire may take back, the last first
	Fast     Fast                  // what keeps what came before them
	Verbs    []rules.Verb          // what the viewer may enter
	NotNow   []string              // of a side: the keys of those that the moment is not for
	Due      []Due                 // what waits, for the umpire to see to
	Requests []Request             // that the umpire has not seen to: all of them for him, for a side its own
	Replies  []Request             // of a side: those that he answered
	Signs    bool                  // whether players sign
}

// Stands says in which turn a campaign is, what is asked there, and which of the viewer's disputes were ruled on
// lately: nothing where its own page says what is wrong.
func (d *Desk) Stands(ctx context.Context, campaign string, v timeline.Viewer) (turn string, asked *Move,
	ruled []timeline.Dispute) {
	c, err := d.service.Campaign(campaign)
	if err != nil {
		return "", nil, nil
	}
	if asked, err = d.Move(ctx, c, v); err != nil {
		return c.Turn, nil, nil
	}
	if ruled, err = d.ruledLately(c, v); err != nil {
		return c.Turn, asked, nil
	}
	return c.Turn, asked, ruled
}

// Move is the open question, as a form asks it.
type Move struct {
	timeline.Waiting
	Mine    bool     // the viewer may answer it
	Hands   []Hand   // of the viewer, to look at before he answers
	Lacks   []string // cards of which he holds none
	Stead   bool     // in the place of whoever is asked: the umpire may
	Title   string   // of the rule that asks
	Since   time.Time
	Asked   uint64 // the event that an answer is given to: of dice that somebody typed, what he typed
	Choices []Choice
	Places  []int // one for each of several choices

	// Of dice that are thrown at a table.
	Throws []string // that nobody has typed yet, in words
	By     []string // the seats in whose name the umpire may speak
	Typed  bool     // by whoever looks, the umpire too: another seat says whether they fell so
	Signs  bool     // the seat of whoever looks signs, and says so elsewhere
}

// Yours reports whether the viewer is asked himself, and not in the place of another.
func (m *Move) Yours() bool { return m.Mine && !m.Stead }

// Hand is what a side holds of a deck.
type Hand struct {
	Deck   string
	Cards  []string // by their types
	Drawn  int64    // with those that were played, or that its player alone knows
	Hidden bool     // of some the type is not known here
}

// Choice is an answer that is there to be given.
type Choice struct {
	Value string // as an entry has it
	Words string // as a page shows it
}

// buttons is how many choices are buttons; more are a list.
const buttons = 8

// Listed reports whether the choices are a list to choose from: they are many, or several are chosen.
func (m *Move) Listed() bool { return len(m.Choices) > buttons || len(m.Places) > 0 }

// Look says what the viewer of a campaign may do, in his language.
func (d *Desk) Look(ctx context.Context, c timeline.Campaign, v timeline.Viewer, say story.Lines) (
	out View, err error) {
	out = View{Campaign: c, Viewer: v, Umpire: v.As == timeline.Umpire, Say: say}
	if out.Silent, err = d.silent(c, v, say); err != nil {
		return out, err
	}
	if out.Move, err = d.Move(ctx, c, v); err != nil { // its secrets are lost, say
		out.Silent, out.Broken = say.Says("silent-broken"), d.service.PublicProblem(err).Error()
		return out, ctx.Err()
	}
	if out.Dice, err = d.dice(c); err != nil {
		return out, err
	}
	if c.Imported == "" {
		if out.Stand, err = d.stand(ctx, c, v); err != nil {
			return out, err
		}
	}
	all, err := d.service.Disputes(c.ID, timeline.DisputeFilter{})
	if err != nil {
		return out, err
	}
	out.Disputes = slices.DeleteFunc(all.Disputes, func(x timeline.Dispute) bool { return !x.Open })
	if out.Ruled, err = d.ruledLately(c, v); err != nil {
		return out, err
	}
	if out.Silent == "" {
		out.Requests = d.asked.list(c.Name, v, false)
		if !out.Umpire {
			out.Replies = d.asked.list(c.Name, v, true)
		}
		if out.Verbs, err = d.verbs(c, v); err != nil {
			return out, err
		}
		if out.NotNow, err = d.notNow(c, v, out.Verbs); err != nil {
			return out, err
		}
	}
	if out.Umpire && c.Imported == "" {
		if out.Due, err = d.queue(ctx, out); err != nil {
			return out, err
		}
		acts, err := d.service.UndoableActs(c.ID)
		if err != nil {
			return out, err
		}
		out.Slips = acts.UndoableActs
		found, err := d.service.Find(c.ID)
		if err != nil {
			return out, err
		}
		if out.Fast, err = d.fast(found); err != nil {
			return out, err
		}
		out.Signs, err = d.signs(c)
		return out, err
	}
	return out, ctx.Err()
}

// dice says for which dice a campaign waits that nobody throws; "" for none.
func (d *Desk) dice(c timeline.Campaign) (string, error) {
	found, err := d.service.Find(c.ID)
	if err != nil || c.Imported != "" {
		return "", err
	}
	w, err := d.service.Waiting(found)
	if err != nil || w == nil || w.Roll == nil {
		return "", err
	}
	return w.Question, nil
}

// silent says why a viewer enters nothing.
func (d *Desk) silent(c timeline.Campaign, v timeline.Viewer, say story.Lines) (string, error) {
	switch {
	case c.Imported != "":
		return say.Says("silent-imported") + ".", nil
	case v.As == timeline.Umpire:
		return "", nil
	case !v.Speaks():
		return say.Says("silent-looks") + ".", nil
	}
	whole, err := d.service.Campaign(c.ID) // with the keys, which lists leave out
	if err != nil {
		return "", err
	}
	for _, s := range whole.Seats {
		if s.Role != "player" || !slices.Contains(s.Sides, v.As) {
			continue
		}
		for _, k := range whole.Keys {
			if k.Seat == s.Name {
				return say.Says("silent-signs", "seat", s.Name, "side", v.As) + ".", nil
			}
		}
		return d.keyless(c, s.Name, say)
	}
	return say.Says("silent-umpire", "side", v.As) + ".", nil
}

// signs reports whether players sign in a campaign.
func (d *Desk) signs(c timeline.Campaign) (bool, error) {
	found, err := d.service.Find(c.ID)
	if err != nil {
		return false, err
	}
	at, err := d.service.Umpire().AtHead(found.ID)
	return err == nil && seats.Signs(at), err
}

// keyless says why a seat without a key enters nothing, where all entries are signed.
func (d *Desk) keyless(c timeline.Campaign, seat string, say story.Lines) (string, error) {
	found, err := d.service.Find(c.ID)
	if err != nil {
		return "", err
	}
	at, err := d.service.Umpire().AtHead(found.ID)
	if err != nil || !at.Signed { // what is wrong with it, Move says
		return "", nil
	}
	return say.Says("silent-keyless", "seat", seat) + ".", nil
}

// Move is the open question of a campaign as the viewer meets it; nil where nobody has to answer one.
func (d *Desk) Move(ctx context.Context, c timeline.Campaign, v timeline.Viewer) (*Move, error) {
	found, err := d.service.Find(c.ID)
	if err != nil || c.Imported != "" {
		return nil, err
	}
	w, err := d.service.Waiting(found)
	if err != nil || w == nil || w.Roll != nil {
		return nil, err
	}
	silent, err := d.silent(c, v, story.Lines{})
	m := &Move{Waiting: *w, Title: rules.TitleOf(w.Rule), Asked: w.Index}
	if e, err := d.service.Event(found.ID, w.Index); err != nil {
		return nil, err
	} else {
		m.Since = e.Recorded
	}
	m.Mine = silent == "" && (v.As == timeline.Umpire || v.As == w.Of || w.Table)
	if w.Table {
		at, err := d.service.Umpire().AtHead(found.ID)
		if err != nil {
			return nil, err
		}
		m.atTable(at, v)
	}
	m.Stead = m.Mine && v.As == timeline.Umpire && w.Option == "" && !w.Table
	m.Example = strings.Replace(m.Example, "id: …, ", "", 1) // entries of forms are named by their words
	for _, o := range w.Options {
		choice := Choice{o, o}
		if w.Option != "" { // of a referral: "value: what it means"
			choice.Value, _, _ = strings.Cut(o, ":")
		}
		m.Choices = append(m.Choices, choice)
	}
	for i := range w.Most {
		m.Places = append(m.Places, i+1)
	}
	if err == nil && m.Mine && v.As != timeline.Umpire {
		m.Hands, err = d.hands(ctx, c, v)
		if err == nil && len(m.Hands) == 1 && !m.Hands[0].Hidden {
			m.Lacks, err = d.lacks(found, m)
		}
	}
	return m, err
}

// lacks are the cards among the choices of which the hand holds none.
func (d *Desk) lacks(found ledger.Campaign, m *Move) (none []string, err error) {
	at, err := d.service.Umpire().AtHead(found.ID)
	if err != nil {
		return nil, err
	}
	if lister, ok := at.Game.(rules.Lister); ok {
		none = slices.DeleteFunc(slices.Clone(lister.Names("card")), func(card string) bool {
			return slices.Contains(m.Hands[0].Cards, card)
		})
	}
	return none, nil
}

// Lacking reports whether a choice is a card of which the hand of the viewer holds none.
func (m *Move) Lacking(value string) bool { return slices.Contains(m.Lacks, value) }

// hands are the cards that a side holds, as it may know them.
func (d *Desk) hands(ctx context.Context, c timeline.Campaign, v timeline.Viewer) ([]Hand, error) {
	views, err := d.service.ViewsAt(ctx, c.ID, v, c.Events, pools.Projection().Name)
	if err != nil || views.Pools == nil {
		return nil, err
	}
	return handsOf(*views.Pools, v), nil
}

func handsOf(r pools.Report, v timeline.Viewer) (list []Hand) {
	for _, p := range r.Pools {
		if p.Side != v.As || p.Hand.Drawn == 0 {
			continue
		}
		h := Hand{Deck: p.Deck, Drawn: p.Hand.Drawn, Hidden: p.Hand.Hidden > 0}
		for _, x := range p.Hand.Cards {
			if x.State == "held" {
				h.Cards = append(h.Cards, x.Card)
			}
		}
		list = append(list, h)
	}
	return list
}
