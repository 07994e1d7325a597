package timeline

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"math/big"
	"slices"
	"sync"
	"unique"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/report"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/projections"
)

// Index lists the positions at which a reader of a campaign can stop, and what happened to its
// events besides their narration. It grows with the campaign, so that only the first look reads
// all of it. A stop is named by how many events it has behind it.
type Index struct {
	Events uint64 // events
	// how many there were behind the last that corrects, voids or decides on a consequence; 0 for none
	Settled  uint64
	Opened   uint64   // and behind the last that opens something
	Commits  bool     // something was sealed
	turns    []uint64 // where one turn ends and another begins
	phases   []uint64
	turn     events.Turn // of the last event
	phase    string
	disputes []dispute
	throws   []thrown
	results  []uint64
	Editions []EditionPlayed  // on which it was played, each from its event on
	contests []uint64         // where they were opened
	rulings  []uint64         // of the umpire, and what was put to him
	asked    []asked          // questions
	ruled    map[string]ruled // rules, by id in capitals

	rolls report.Rolls // of which not all throws have fallen

	Epochs []uint64   // where chains are stated
	links  []revealed // of chains

	history *history.Index // which grows on
}

// revealed is a link of a chain and the event that reveals it.
type revealed struct {
	index, epoch uint64
	events.Source
}

// LinkBefore gives the last link of the same chain that was revealed before an event and stands before it.
func (it *Index) LinkBefore(declared, epoch uint64, s events.Source) (index uint64, ok bool) {
	for _, l := range slices.Backward(it.links) {
		if l.index < declared && l.epoch == epoch && l.Chain == s.Chain && l.Position < s.Position {
			return l.index, true
		}
	}
	return 0, false
}

// History is that of the events in the index.
func (it *Index) History() history.View { return it.history.At(it.Events) }

// dispute is a contested event and, if the umpire has ruled, his ruling.
type dispute struct {
	opened, event uint64
	claim, rule   string
	refused       bool // not the event is contested but a refusal after it
	ruled         []dealt
}

// dealt is a ruling on a dispute. It may be voided, and then another may come.
type dealt struct {
	index  uint64
	ruling string
}

// as gives the ruling that stands.
func (d *dispute) as(v history.View) (r dealt, ok bool) {
	for _, r := range slices.Backward(d.ruled) {
		if v.Stands(r.index) {
			return r, true
		}
	}
	return r, false
}

// thrown is a throw as it fell.
type thrown struct {
	index  uint64
	side   string
	throw  events.Throw
	fell   []int
	chance *big.Rat
}

func newIndex() Index { return Index{history: &history.Index{}} }

// indexes are those of all campaigns that somebody read.
type indexes struct {
	mu sync.Mutex
	of map[ulid.ULID]*growing
}

// growing is an index to which events are added, by one at a time.
type growing struct {
	mu sync.Mutex
	Index
}

// campaign gives that of one campaign.
func (all *indexes) campaign(id ulid.ULID) *growing {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.of == nil {
		all.of = map[ulid.ULID]*growing{}
	}
	g := all.of[id]
	if g == nil {
		g = &growing{Index: newIndex()}
		all.of[id] = g
	}
	return g
}

// Index gives the index of a campaign, up to its last event. What it gives is not written to any more. Where ctx ends
// before all is read, the next who asks goes on there.
func (r *Reader) Index(ctx context.Context, c ledger.Campaign) (Index, error) {
	it := r.indexes.campaign(c.ID)
	it.mu.Lock()
	defer it.mu.Unlock()
	if err := r.extend(ctx, it, c); err != nil {
		return Index{}, err
	}
	out := it.Index
	out.ruled = maps.Clone(it.ruled)
	// a ruling, an answer is written into one
	out.disputes, out.asked = slices.Clone(it.disputes), slices.Clone(it.asked)
	return out, nil
}

// History gives that of a campaign, up to its last event.
func (r *Reader) History(ctx context.Context, c ledger.Campaign) (history.View, error) {
	it := r.indexes.campaign(c.ID)
	it.mu.Lock()
	defer it.mu.Unlock()
	err := r.extend(ctx, it, c)
	return it.History(), err
}

// extend reads what was recorded since the last look.
func (r *Reader) extend(ctx context.Context, it *growing, c ledger.Campaign) error {
	for r, err := range r.Records(ctx, c.ID, it.Events, c.Events) {
		if err != nil {
			return err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return fmt.Errorf("event #%d: %w", r.Index, err)
		}
		it.add(&e)
	}
	return nil
}

// Records reads a campaign's events with from <= index < to, until ctx ends: then it gives its error. Bytes are
// good until the next record.
func (r *Reader) Records(ctx context.Context, campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error] {
	return projections.WithContext(ctx, r.Ledger().Walk(campaign, from, to))
}

func (it *Index) add(e *events.Event) {
	if e.Index > 0 && e.Turn != it.turn {
		it.turns = append(it.turns, e.Index)
	}
	if e.Index > 0 && (e.Turn != it.turn || e.Phase != it.phase) {
		it.phases = append(it.phases, e.Index)
	}
	it.Events, it.turn, it.phase = e.Index+1, e.Turn, e.Phase
	it.history.Add(e)
	it.settle(e)
	p, _ := events.PayloadOf(e)
	it.ask(e, p)
	it.rule(e)
	t, fell := it.rolls.Fall(e, p)
	switch p := p.(type) {
	case *events.ContestOpened:
		it.contests = append(it.contests, e.Index)
	case *events.EpochBegun:
		it.Epochs = append(it.Epochs, e.Index)
	case *events.DisputeOpened:
		it.disputes = append(it.disputes, dispute{opened: e.Index, event: p.Event, claim: p.Claim, rule: p.Rule,
			refused: p.Refused != ""})
	case *events.OptionRuled, *events.Referred:
		it.rulings = append(it.rulings, e.Index)
	case *events.DisputeRuled:
		it.rulings = append(it.rulings, e.Index)
		for i := range it.disputes {
			if d := &it.disputes[i]; d.opened == p.Dispute {
				d.ruled = append(d.ruled[:len(d.ruled):len(d.ruled)], dealt{e.Index, p.Ruling})
			}
		}
	case *events.CampaignOpened:
		it.Editions = append(it.Editions, EditionPlayed{Name: p.Edition, Hash: e.Edition, Event: e.Index,
			Turn: e.Turn.Label})
	case *events.EditionMoved:
		it.rulings = append(it.rulings, e.Index)
		it.Editions = append(it.Editions, EditionPlayed{Name: p.Now, Hash: p.Hash, Event: e.Index, Turn: e.Turn.Label})
	case *events.ResultAdjudicated:
		it.results = append(it.results, e.Index)
	case *events.DiceRolled:
		for _, l := range p.Links {
			it.links = append(it.links, revealed{e.Index, e.Epoch, events.Source{Chain: unique.Make(l.Chain).Value(),
				Position: l.Position}})
		}
		if fell {
			it.throw(e, t, p.Dice)
		}
	}
}

// settle notes what may change what is pending.
func (it *Index) settle(e *events.Event) {
	if _, settles := it.History().Alters(e.Index); settles || e.Type == "corrected" || e.Type == "consequence_kept" {
		it.Settled = it.Events
	}
	if len(e.Openings) > 0 {
		it.Opened = it.Events
	}
	it.Commits = it.Commits || len(e.Commitments) > 0
}

// throw notes a throw that fell.
func (it *Index) throw(e *events.Event, t events.Throw, dice []int) {
	if chance := chanceOf(t, dice); chance != nil {
		side := cmp.Or(e.Side, t.Side)
		for _, text := range []*string{&side, &t.Name, &t.Side, &t.Table} {
			*text = unique.Make(*text).Value() // parts of a record, which would stay in memory
		}
		it.throws = append(it.throws, thrown{e.Index, side, t, slices.Clone(dice), chance})
	}
}

// The ways through a campaign.
const (
	byEvent    = "event"
	byPhase    = "phase"
	byTurn     = "turn"
	byDispute  = "dispute"
	byUnlikely = "unlikely"
)

// step gives the stop after or before the one at, and false if there is none. Units of time end
// where the campaign does; a dispute and an unlikely throw are stops of their own.
func (it *Index) step(by string, at uint64, back bool, far *big.Rat) (uint64, bool) {
	var stops []uint64
	switch by {
	case byEvent:
		switch {
		case back && at > 1:
			return at - 1, true
		case !back && at < it.Events:
			return at + 1, true
		}
		return 0, false
	case byPhase:
		stops = append(slices.Clip(it.phases), it.Events)
	case byTurn:
		stops = append(slices.Clip(it.turns), it.Events)
	case byDispute:
		for _, d := range it.disputes {
			stops = append(stops, d.opened+1)
		}
	case byUnlikely:
		for _, t := range it.throws {
			if t.chance.Cmp(far) <= 0 {
				stops = append(stops, t.index+1)
			}
		}
	}
	i, there := slices.BinarySearch(stops, at)
	if back {
		i--
	} else if there {
		i++
	}
	if i < 0 || i >= len(stops) {
		return 0, false
	}
	return stops[i], true
}

// The kinds of a [Mark].
const (
	MarkDisputed  = "disputed"
	MarkCorrected = "corrected"
	MarkVoided    = "voided"
	MarkReplaced  = "replaced" // it was voided, and another takes its place
)

// Mark says what became of an event: By is the event that says so. A dispute that is ruled names
// the ruling. What came later than the moment that is shown is marked Later.
type Mark struct {
	Kind   string `json:"kind"`
	By     uint64 `json:"by"`
	Ruling string `json:"ruling,omitempty"`
	Ruled  uint64 `json:"ruled,omitempty"`
	Later  bool   `json:"later,omitempty"`
}

// marks gathers the marks of events as they are at the stop at, and what came later.
func (it *Index) marks(at uint64) func(e *events.Event) []Mark {
	now := it.History()
	then := now.At(at)
	return func(e *events.Event) []Mark {
		list := it.disputed(e.Index, then, now)
		list = stood(list, MarkCorrected, history.Corrects, e, then, now)
		if by, void := then.VoidedBy(e.Index); void {
			list = append(list, Mark{Kind: MarkVoided, By: by})
		} else if by, void := now.VoidedBy(e.Index); void {
			list = append(list, Mark{Kind: MarkVoided, By: by, Later: true})
		}
		return stood(list, MarkReplaced, history.Replaces, e, then, now)
	}
}

// stood adds what stood in the place of an event then, and what stands in it now if that came later. What was put
// there and is void, while the event itself stands or is void for another reason, is not shown.
func stood(list []Mark, kind string, r history.Relation, e *events.Event, then, now history.View) []Mark {
	of := e.Index
	if r == history.Corrects && e.Corrects != 0 {
		of = e.Corrects
	}
	if by, ok := LastReplacement(r, of, e.Index, then); ok && by > e.Index {
		list = append(list, Mark{Kind: kind, By: by})
	}
	if last, ok := LastReplacement(r, of, e.Index, now); ok && last > e.Index && last >= then.Len() {
		list = append(list, Mark{Kind: kind, By: last, Later: true})
	}
	return list
}

// LastReplacement gives the last event that corrects or replaces another and stands, or was voided together with the
// event at index.
func LastReplacement(r history.Relation, of, index uint64, v history.View) (last uint64, ok bool) {
	own, gone := v.VoidedBy(index)
	for _, i := range slices.Backward(v.Sources(r, of)) {
		if by, void := v.VoidedBy(i); !void || gone && by == own {
			return i, true
		}
	}
	return 0, false
}

func compareIndex(index, at uint64) int {
	if index < at {
		return -1
	}
	return 1
}

// disputed marks an event that is contested.
func (it *Index) disputed(index uint64, then, now history.View) []Mark {
	var list []Mark
	for i := range it.disputes {
		d := &it.disputes[i]
		if d.event != index || d.refused {
			continue
		}
		m := Mark{Kind: MarkDisputed, By: d.opened, Later: d.opened >= then.Len()}
		v := then
		if m.Later {
			v = now
		}
		if r, ok := d.as(v); ok {
			m.Ruling, m.Ruled = r.ruling, r.index
		}
		list = append(list, m)
	}
	return list
}

// open lists the disputes that wait for a ruling at the stop at.
func (it *Index) open(at uint64) []OpenDispute {
	list := []OpenDispute{}
	then := it.History().At(at)
	for i := range it.disputes {
		d := &it.disputes[i]
		if _, ruled := d.as(then); d.opened < at && !ruled {
			list = append(list, OpenDispute{Dispute: d.opened, Event: d.event, Claim: d.claim, Rule: d.rule})
		}
	}
	return list
}

// OpenDispute is a dispute that waits for a ruling.
type OpenDispute struct {
	Dispute uint64 `json:"dispute"` // index of its opening
	Event   uint64 `json:"event"`
	Claim   string `json:"claim"`
	Rule    string `json:"rule,omitempty"`
}

// fell describes the throw of an event if it is as far from expectation as that.
func (it *Index) fell(index uint64, far *big.Rat) *Unlikely {
	i, ok := slices.BinarySearchFunc(it.throws, index, func(t thrown, index uint64) int {
		if t.index == index {
			return 0
		}
		return compareIndex(t.index, index)
	})
	if !ok || it.throws[i].chance.Cmp(far) > 0 {
		return nil
	}
	return unlikely(it.throws[i].throw, it.throws[i].fell, it.throws[i].chance)
}
