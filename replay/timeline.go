package replay

import (
	"errors"
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/rules"
)

// every is the number of events between two states that a timeline keeps.
var every uint64 = 256

// timeline folds a campaign as its record grows. A state is a value, so keeping one costs a pointer: the campaign is
// kept as it stood after every 256th event, and the game as it is before every 256th place by what counts now. Whoever
// asks for the state at some event, and an event that changes what counts before it, goes on from the last that holds.
type timeline struct {
	library
	source
	index history.Index

	head  *Campaign // after all events; nil before the first
	stale bool      // the head's game lacks the last events, which change what counts: see settle
	late  bool      // only the last game is asked for: it is folded when all events are read
	step  string    // the command of the last event

	marks []*Campaign  // after every 256th event, from 0 on; nil where the game was stale
	games []rules.Game // before every 256th place

	decided decisions // that were asked for
}

// extend reads the events up to upTo. look, if it is not nil, is called after each, with the game before it.
func (t *timeline) extend(upTo uint64, look visit) error {
	for i := t.next(); i < upTo; i++ {
		e, hash, err := t.stored(i)
		if errors.Is(err, errNoEvent) {
			break // the record ends here
		}
		if err != nil {
			return err
		}
		known, err := t.opened(e)
		if err != nil {
			return err
		}
		before, err := t.add(e, hash, known, nil)
		if err == nil && look != nil {
			err = look(t.head, e, before)
		}
		if err != nil {
			return err
		}
	}
	if t.head == nil {
		return fmt.Errorf("%w: it has no events", ErrUnknownCampaign)
	}
	return t.settle()
}

// visit is told of each event, when it has been applied, and of the game before it.
type visit func(c *Campaign, e *events.Event, before rules.Game) error

// next is the index of the next event.
func (t *timeline) next() uint64 { return t.index.Head().Len() }

// add takes the campaign's next event, and gives the game before it. After is the game that it leads to, nil where it
// is not evolved yet.
func (t *timeline) add(e *events.Event, hash events.Hash, known []events.Opening,
	after rules.Game) (before rules.Game, err error) {
	if t.head == nil {
		if t.head, err = t.newCampaign(e); err != nil {
			return nil, err
		}
	}
	if !t.late && (e.Command != t.step || !alters(e)) {
		if err := t.settle(); err != nil {
			return nil, err
		}
	}
	t.step = e.Command
	t.keep(t.next())
	before = t.head.Game
	t.index.Add(e)
	if t.stale {
		after = before // it is folded anyway, see settle
	}
	if place, settles := t.head.take(e, hash, known, t.index.Head(), after); settles {
		t.games = t.games[:min(uint64(len(t.games)), place/every+1)]
		t.stale = true
	}
	return before, nil
}

// fork gives a timeline that goes on from this one by itself, event by event: what is added to it is folded by whoever
// adds it.
func (t *timeline) fork() *timeline {
	k := &timeline{library: t.library, source: t.source, head: t.head, marks: t.marks, games: t.games}
	k.first = t.next()
	t.index.ForkTo(&k.index)
	return k
}

// keep keeps the state before the event at n, if one is due there.
func (t *timeline) keep(n uint64) {
	if n%every != 0 {
		return
	}
	var mark *Campaign
	if !t.stale {
		mark = t.head.copied()
		if uint64(len(t.games))*every == n {
			t.games = append(t.games, t.head.Game)
		}
	}
	t.marks = append(t.marks, mark)
}

// settle folds the head's game from the first place at which something else counts than before.
func (t *timeline) settle() error {
	if !t.stale {
		return nil
	}
	last := len(t.games) - 1
	game, from := t.games[last], uint64(last)*every
	for e, err := range t.index.Head().Effective(from, t.event) {
		if err != nil {
			return err
		}
		for uint64(len(t.games))*every <= placeOf(e.Event) {
			t.games = append(t.games, game)
		}
		if game, err = t.evolve(game, e.Event); err != nil {
			return err
		}
	}
	for uint64(len(t.games))*every < t.next() {
		t.games = append(t.games, game)
	}
	t.head.Game, t.stale = game, false
	return nil
}

// alters reports whether an event is one of those that say what counts, and nothing else: the game is the same behind
// them, but for what counts before.
func alters(e *events.Event) bool {
	return e.Corrects != 0 || placeOf(e) != e.Index || e.Type == "corrected" || e.Type == "voided"
}

// placeOf is the index of the event in whose place another counts.
func placeOf(e *events.Event) uint64 {
	if e.Replaces != 0 && e.Replaces < e.Index {
		return e.Replaces
	}
	return e.Index
}

// at gives the campaign as it stood after n events, of which there must be one at least. It is the caller's own.
func (t *timeline) at(n uint64) (*Campaign, error) {
	if n >= t.next() {
		return t.head.copied(), nil
	}
	if n == 0 {
		return nil, fmt.Errorf("%w: it has no events", ErrUnknownCampaign)
	}
	k := n / every
	for t.marks[k] == nil {
		k--
	}
	c, stale, step := t.marks[k].copied(), false, ""
	settle := func() (err error) {
		if stale {
			c.Game, err = t.before(c.History, c.History.Len())
		}
		stale = false
		return err
	}
	for i := k * every; i < n; i++ {
		e, hash, err := t.stored(i)
		if err == nil && (e.Command != step || !alters(e)) {
			err = settle()
		}
		if err != nil {
			return nil, err
		}
		step = e.Command
		known, err := t.opened(e)
		if err != nil {
			return nil, err
		}
		if _, settles := c.take(e, hash, known, t.index.At(i+1), nil); settles {
			stale = true
		}
	}
	return c, settle()
}

// before gives the game before a place, by what counts in a view.
func (t *timeline) before(v history.View, place uint64) (rules.Game, error) {
	game, from := t.kept(v, place)
	for e, err := range v.Effective(from, t.event) {
		if err != nil {
			return nil, err
		}
		if placeOf(e.Event) >= place {
			break
		}
		if game, err = t.evolve(game, e.Event); err != nil {
			return nil, err
		}
	}
	return game, nil
}

// kept gives the last game kept that holds in a view and stands before no later place than that given.
func (t *timeline) kept(v history.View, place uint64) (rules.Game, uint64) {
	last := min(min(place, t.index.Head().Same(v.Len()))/every, uint64(len(t.games)-1))
	for k := min(min(place, v.Len())/every, uint64(len(t.marks)-1)); k > last; k-- {
		if t.marks[k] != nil && v.Same(k*every) == k*every { // nothing before it changed since
			return t.marks[k].Game, k * every
		}
	}
	return t.games[last], last * every
}

// source reads the events of one campaign, with the openings that its reader holds.
type source struct {
	records  Records
	openings func(from, to uint64) (openings, error)
	pages    [2]page // read last

	first uint64         // of a fork: the index of the first event that is not in the record
	more  []events.Event // from there on
}

// page is some events in a row.
type page struct {
	from   uint64
	events []events.Event
	hashes []events.Hash
	known  openings
}

// errNoEvent is wrapped when the record ends before an event.
var errNoEvent = errors.New("no event")

// page gives the page that has an event. Pages begin at multiples of 256.
func (s *source) page(index uint64) (*page, error) {
	for i := range s.pages {
		if p := &s.pages[i]; index >= p.from && index-p.from < uint64(len(p.events)) {
			s.pages[0], s.pages[i] = s.pages[i], s.pages[0]
			return &s.pages[0], nil
		}
	}
	p := page{from: index - index%every, events: make([]events.Event, 0, every), hashes: make([]events.Hash, 0, every)}
	for r, err := range s.records(p.from, p.from+every) {
		if err != nil {
			return nil, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, fmt.Errorf("event %d: %w", r.Index, err)
		}
		p.events, p.hashes = append(p.events, e), append(p.hashes, r.Hash())
	}
	if index-p.from >= uint64(len(p.events)) {
		return nil, fmt.Errorf("%w %d", errNoEvent, index)
	}
	var err error
	if p.known, err = s.openings(p.from, p.from+every); err != nil { // behind the events: what is read has its openings
		return nil, err
	}
	s.pages[0], s.pages[1] = p, s.pages[0]
	return &s.pages[0], nil
}

// event reads an event.
func (s *source) event(index uint64) (*events.Event, error) {
	e, _, err := s.stored(index)
	return e, err
}

// stored reads an event, and the hash of its bytes.
func (s *source) stored(index uint64) (*events.Event, events.Hash, error) {
	if n := index - s.first; len(s.more) > 0 && index >= s.first && n < uint64(len(s.more)) {
		return &s.more[n], events.Hash{}, nil
	}
	p, err := s.page(index)
	if err != nil {
		return nil, events.Hash{}, err
	}
	return &p.events[index-p.from], p.hashes[index-p.from], nil
}

// opened gives the openings of an event's own commitments.
func (s *source) opened(e *events.Event) ([]events.Opening, error) {
	if len(e.Commitments) == 0 {
		return nil, nil
	}
	p, err := s.page(e.Index)
	if err != nil {
		return nil, err
	}
	return p.known.of(e), nil
}

// evolve folds one event that was read.
func (s *source) evolve(game rules.Game, e *events.Event) (rules.Game, error) {
	known, err := s.opened(e)
	if err != nil {
		return nil, err
	}
	return game.Evolve(e, known), nil
}
