package office

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math/big"
	"slices"
	"sync"
	"unique"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/projections"
)

// itinerary is where one may stop on the way through a campaign, and what is to be said of its
// events besides their narration. It grows with the campaign, so that only the first look reads
// all of it. A stop is named by how many events it has behind it.
type itinerary struct {
	seen     uint64   // events
	turns    []uint64 // where one turn ends and another begins
	phases   []uint64
	turn     events.Turn // of the last event
	phase    string
	disputes []dispute
	throws   []thrown
	standsIn []standIn // corrections
	results  []uint64
	editions []EditionPlayed  // on which it was played, each from its event on
	replaces []standIn        // what takes the place of voided events
	takesOut []events.Event   // those that may void others
	plays    []standIn        // every event of a contest, and the contest
	rulings  []uint64         // of the umpire, and what was put to him
	asked    []asked          // questions
	ruled    map[string]ruled // rules, by id in capitals

	declared map[uint64]*declaration // rolls whose throws have not all fallen
	ties     *ties
}

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

// as gives the ruling that stands before the stop at, of those that are not voided.
func (d *dispute) as(at uint64, voided map[uint64]uint64) (r dealt, ok bool) {
	for _, r := range slices.Backward(d.ruled) {
		if _, void := voided[r.index]; !void && r.index < at {
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

// standIn is an event that stands in the place of another.
type standIn struct{ of, by uint64 }

type declaration struct {
	throws []events.Throw
	fell   int
}

func newItinerary() itinerary { return itinerary{declared: map[uint64]*declaration{}, ties: newTies()} }

// itineraries are those of all campaigns that somebody went through.
type itineraries struct {
	mu sync.Mutex
	of map[ulid.ULID]*growing
}

// growing is an itinerary to which events are added, by one at a time.
type growing struct {
	mu sync.Mutex
	itinerary
}

// campaign gives that of one campaign.
func (all *itineraries) campaign(id ulid.ULID) *growing {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.of == nil {
		all.of = map[ulid.ULID]*growing{}
	}
	g := all.of[id]
	if g == nil {
		g = &growing{itinerary: newItinerary()}
		all.of[id] = g
	}
	return g
}

// itinerary gives a campaign's, up to its last event. What it gives is not written to any more, but for its
// ties. Where ctx ends before all is read, the next who asks goes on there.
func (f *Office) itinerary(ctx context.Context, c ledger.Campaign) (itinerary, error) {
	it := f.itineraries.campaign(c.ID)
	it.mu.Lock()
	defer it.mu.Unlock()
	if err := f.extend(ctx, it, c); err != nil {
		return itinerary{}, err
	}
	out := it.itinerary
	out.ruled = maps.Clone(it.ruled)
	out.disputes, out.asked = slices.Clone(it.disputes), slices.Clone(it.asked) // a ruling, an answer is written into one
	return out, nil
}

// tiesOf gives the ties of a campaign's events, up to its last.
func (f *Office) tiesOf(ctx context.Context, c ledger.Campaign) (*ties, error) {
	it := f.itineraries.campaign(c.ID)
	it.mu.Lock()
	defer it.mu.Unlock()
	return it.ties, f.extend(ctx, it, c)
}

// extend reads what was recorded since the last look.
func (f *Office) extend(ctx context.Context, it *growing, c ledger.Campaign) error {
	for r, err := range f.records(ctx, c.ID, it.seen, c.Events) {
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

// records reads a campaign's events with from <= index < to, until ctx ends: then it gives its error.
func (f *Office) records(ctx context.Context, campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error] {
	return projections.Until(ctx, f.ledger.Read(campaign, from, to))
}

func (it *itinerary) add(e *events.Event) {
	if e.Index > 0 && e.Turn != it.turn {
		it.turns = append(it.turns, e.Index)
	}
	if e.Index > 0 && (e.Turn != it.turn || e.Phase != it.phase) {
		it.phases = append(it.phases, e.Index)
	}
	it.seen, it.turn, it.phase = e.Index+1, e.Turn, e.Phase
	if e.Corrects != 0 {
		it.standsIn = append(it.standsIn, standIn{e.Corrects, e.Index})
	}
	if e.Replaces != 0 {
		it.replaces = append(it.replaces, standIn{e.Replaces, e.Index})
	}
	p, _ := events.PayloadOf(e)
	it.ties.add(e, p)
	it.ask(e, p)
	it.rule(e)
	if contest, ok := contestOf(e); ok {
		it.plays = append(it.plays, standIn{contest, e.Index})
	}
	switch p := p.(type) {
	case *events.Voided, *events.Corrected:
		it.takesOut = append(it.takesOut, *e)
	case *events.DisputeOpened:
		it.disputes = append(it.disputes, dispute{opened: e.Index, event: p.Event, claim: p.Claim, rule: p.Rule, refused: p.Refused != ""})
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
		it.editions = append(it.editions, EditionPlayed{Name: p.Edition, Hash: e.Edition, Event: e.Index, Turn: e.Turn.Label})
	case *events.EditionMoved:
		it.rulings = append(it.rulings, e.Index)
		it.editions = append(it.editions, EditionPlayed{Name: p.Now, Hash: p.Hash, Event: e.Index, Turn: e.Turn.Label})
	case *events.ResultAdjudicated:
		it.results = append(it.results, e.Index)
	case *events.RollDeclared:
		if e.Corrects == 0 {
			it.declared[e.Index] = &declaration{throws: p.Throws}
		}
	case *events.DiceRolled:
		if e.Corrects == 0 {
			it.throw(e, p)
		}
	}
}

// throw takes one throw of a declared roll: they fall in the order of the declaration.
func (it *itinerary) throw(e *events.Event, p *events.DiceRolled) {
	d := it.declared[p.Declared]
	if d == nil || len(d.throws) == 0 {
		return
	}
	t := d.throws[d.fell]
	if d.fell++; d.fell == len(d.throws) {
		delete(it.declared, p.Declared)
	}
	if chance := chanceOf(t, p.Dice); chance != nil {
		side := e.Side
		if side == "" {
			side = t.Side
		}
		for _, text := range []*string{&side, &t.Name, &t.Side, &t.Table} {
			*text = unique.Make(*text).Value() // parts of a record, which would stay in memory
		}
		it.throws = append(it.throws, thrown{e.Index, side, t, slices.Clone(p.Dice), chance})
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
func (it *itinerary) step(by string, at uint64, back bool, far *big.Rat) (uint64, bool) {
	var stops []uint64
	switch by {
	case byEvent:
		switch {
		case back && at > 1:
			return at - 1, true
		case !back && at < it.seen:
			return at + 1, true
		}
		return 0, false
	case byPhase:
		stops = append(slices.Clip(it.phases), it.seen)
	case byTurn:
		stops = append(slices.Clip(it.turns), it.seen)
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
func (it *itinerary) marks(at uint64) func(e *events.Event) []Mark {
	then, now := it.voidedAt(at), it.voidedAt(it.seen)
	corrected, replaced := byPlace(it.standsIn), byPlace(it.replaces)
	return func(e *events.Event) []Mark {
		list := it.disputed(e.Index, at, then, now)
		of := e.Index
		if e.Corrects != 0 {
			of = e.Corrects
		}
		list = it.stood(list, MarkCorrected, corrected[of], e.Index, at, then, now)
		if by, ok := then[e.Index]; ok {
			list = append(list, Mark{Kind: MarkVoided, By: by})
		} else if by, ok := now[e.Index]; ok {
			list = append(list, Mark{Kind: MarkVoided, By: by, Later: true})
		}
		return it.stood(list, MarkReplaced, replaced[e.Index], e.Index, at, then, now)
	}
}

// voidedAt tells which event took out which by the stop at.
func (it *itinerary) voidedAt(at uint64) map[uint64]uint64 {
	behind, _ := slices.BinarySearchFunc(it.takesOut, at, func(e events.Event, at uint64) int { return compareIndex(e.Index, at) })
	return events.VoidedIn(it.takesOut[:behind])
}

// byPlace lists what stands in the place of each event, in order.
func byPlace(list []standIn) map[uint64][]uint64 {
	of := map[uint64][]uint64{}
	for _, s := range list {
		of[s.of] = append(of[s.of], s.by)
	}
	return of
}

// stood adds what stands in the place of an event at the stop at, and what stood in it later. What was put there and is
// void, while the event itself stands or is void for another reason, is not told.
func (it *itinerary) stood(list []Mark, kind string, by []uint64, index, at uint64, then, now map[uint64]uint64) []Mark {
	if by, ok := lastStanding(by, at, index, then); ok && by > index {
		list = append(list, Mark{Kind: kind, By: by})
	}
	if last, ok := lastStanding(by, it.seen, index, now); ok && last > index && last >= at {
		list = append(list, Mark{Kind: kind, By: last, Later: true})
	}
	return list
}

// lastStanding gives the last before the stop at that stands, or that was voided together with the event at index.
func lastStanding(list []uint64, at, index uint64, voided map[uint64]uint64) (last uint64, ok bool) {
	own, gone := voided[index]
	for _, i := range slices.Backward(list) {
		if by, void := voided[i]; i < at && (!void || gone && by == own) {
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
func (it *itinerary) disputed(index, at uint64, then, now map[uint64]uint64) []Mark {
	var list []Mark
	for i := range it.disputes {
		d := &it.disputes[i]
		if d.event != index || d.refused {
			continue
		}
		m := Mark{Kind: MarkDisputed, By: d.opened, Later: d.opened >= at}
		r, ok := d.as(at, then)
		if m.Later {
			r, ok = d.as(it.seen, now)
		}
		if ok {
			m.Ruling, m.Ruled = r.ruling, r.index
		}
		list = append(list, m)
	}
	return list
}

// open lists the disputes that wait for a ruling at the stop at.
func (it *itinerary) open(at uint64) []OpenDispute {
	list := []OpenDispute{}
	voided := it.voidedAt(at)
	for i := range it.disputes {
		d := &it.disputes[i]
		if _, ruled := d.as(at, voided); d.opened < at && !ruled {
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

// fell tells the throw of an event if it is as far from expectation as that.
func (it *itinerary) fell(index uint64, far *big.Rat) *Unlikely {
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
