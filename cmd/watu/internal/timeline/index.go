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
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
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
	docket   campaign.Docket
	disputes []uint64 // where they were opened
	throws   []thrown
	results  []uint64
	Editions []EditionPlayed     // on which it was played, each from its event on
	contests []uint64            // where they were opened
	rulings  []uint64            // of the umpire, and what was put to him
	asked    []asked             // questions
	ruled    map[string]ruled    // rules, by id in capitals
	moving   []moving            // events by which units come and go
	spaces   map[string][]uint64 // events that are about a space, by its name

	rolls report.Rolls // of which not all throws have fallen

	unknown campaign.Unknown // what the program does not know of it, but for its edition

	Anchors []uint64         // where chains are stated
	Keys    []bundle.SeatKey // of the seats, in the order in which they were given
	links   []revealed       // of chains

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

// thrown is a throw as it fell.
type thrown struct {
	index  uint64
	turn   uint64 // its ordinal
	side   string
	throw  events.Throw
	fell   []int
	chance *big.Rat
	atMost int // the figure at which it hits, if its declaration says so
}

func newIndex() Index { return Index{history: &history.Index{}} }

// growing is an index to which events are added, by one at a time.
type growing struct {
	mu sync.Mutex
	Index
}

// growing gives the index of a campaign, to which whoever holds its lock may add.
func (r *Reader) growing(id ulid.ULID) *growing {
	g, _ := r.indexes.LoadOrStore(id, &growing{Index: newIndex()})
	return g.(*growing)
}

// Index gives the index of a campaign, up to its last event. What it gives is not written to any more. Where ctx ends
// before all is read, the next who asks goes on there.
func (r *Reader) Index(ctx context.Context, c ledger.Campaign) (Index, error) {
	it := r.growing(c.ID)
	it.mu.Lock()
	defer it.mu.Unlock()
	if err := r.extend(ctx, it, c); err != nil {
		return Index{}, err
	}
	out := it.Index
	out.ruled, out.asked = maps.Clone(it.ruled), slices.Clone(it.asked) // an answer is written into one
	out.spaces = maps.Clone(it.spaces)
	return out, nil
}

// indexed finds a campaign, by its name or ULID, with its index.
func (r *Reader) indexed(ctx context.Context, campaign string) (c ledger.Campaign, it Index, err error) {
	if c, err = r.Find(campaign); err == nil {
		it, err = r.Index(ctx, c)
	}
	return c, it, err
}

// History gives that of a campaign, up to its last event.
func (r *Reader) History(ctx context.Context, c ledger.Campaign) (history.View, error) {
	it := r.growing(c.ID)
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

// Records reads a campaign's events with from <= index < to. It stops when ctx ends, with the error of ctx. The bytes
// of a record are valid until the next one is read.
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
	it.docket.Add(e)
	it.unknown.Add(e)
	it.settle(e)
	p, _ := events.PayloadOf(e)
	it.ask(e, p)
	it.rule(e)
	it.move(e, p)
	it.lie(e.Index, p)
	if k, keys := bundle.KeyGiven(e, p); keys {
		it.Anchors, it.Keys = append(it.Anchors, e.Index), append(it.Keys, k)
	}
	t, fell := it.rolls.Fall(e, p)
	switch p := p.(type) {
	case *events.ContestOpened:
		it.contests = append(it.contests, e.Index)
	case *events.EpochBegun:
		it.Anchors = append(it.Anchors, e.Index)
	case *events.DisputeOpened:
		it.disputes = append(it.disputes, e.Index)
	case *events.OptionRuled, *events.Referred, *events.DisputeRuled:
		it.rulings = append(it.rulings, e.Index)
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
	if chance := story.ChanceOf(t, dice); chance != nil {
		side := cmp.Or(e.Side, t.Side)
		for _, text := range []*string{&side, &t.Name, &t.Side, &t.Table} {
			*text = unique.Make(*text).Value() // parts of a record, which would stay in memory
		}
		it.throws = append(it.throws, thrown{e.Index, e.Turn.Ordinal, side, t, slices.Clone(dice), chance,
			report.HitsAt(it.rolls.Purpose, t)})
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
		for _, opened := range it.disputes {
			stops = append(stops, opened+1)
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
// the ruling, and the correction by which it was settled before that. What came later than the moment that is shown is
// marked Later.
type Mark struct {
	Kind   string `json:"kind"`
	By     uint64 `json:"by"`
	Ruling string `json:"ruling,omitempty"`
	Ruled  uint64 `json:"ruled,omitempty"`
	Later  bool   `json:"later,omitempty"`

	Settled uint64 `json:"settled,omitempty"` // the correction of it before a ruling that lets it stand so
}

// marks gathers the marks of events as they are at the stop at, and what came later.
func (it *Index) marks(at uint64) func(e *events.Event) []Mark {
	now := it.History()
	then := now.At(at)
	before, since := it.docket.Disputes(then), it.docket.Disputes(now)
	return func(e *events.Event) []Mark {
		list := append(disputed(e.Index, then, before, 0, false), disputed(e.Index, now, since, then.Len(), true)...)
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

// disputed marks an event that is contested, by the disputes opened from an event on.
func disputed(index uint64, v history.View, list []campaign.Dispute, from uint64, later bool) (marks []Mark) {
	for _, d := range list {
		if d.Index >= from && d.Contests(index) {
			m := Mark{Kind: MarkDisputed, By: d.Index, Later: later}
			if d.Ruling != nil {
				m.Ruling, m.Ruled, m.Settled = d.Ruling.Ruling, d.Ruling.Event, d.SettledBy(v)
			}
			marks = append(marks, m)
		}
	}
	return marks
}

// open lists the disputes that wait for a ruling at the stop at.
func (it *Index) open(at uint64) []OpenDispute {
	list := []OpenDispute{}
	for _, d := range it.docket.Disputes(it.History().At(at)) {
		if d.Open() {
			list = append(list, OpenDispute{d.Index, d.Claim.Event, d.Claim.Claim, d.Claim.Rule})
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
