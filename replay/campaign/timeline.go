package campaign

import (
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/rules"
)

// Records reads the stored events of one campaign with from <= index < to, as often as it is asked.
type Records func(from, to uint64) iter.Seq2[events.Record, error]

// Library is what a campaign is folded with: the systems of rules and the files of the boards.
type Library struct {
	Systems map[string]rules.System
	Board   func(events.Board) ([]rules.BoardFile, error)
	Games   *Games
}

// MostSeconds is the longest time that a campaign may give its sides to answer: a year.
const MostSeconds = 366 * 24 * 60 * 60

// DecodeAll decodes all records.
func DecodeAll(records iter.Seq2[events.Record, error]) ([]events.Event, error) {
	var all []events.Event
	for e, err := range events.Decoded(records) {
		if err != nil {
			return nil, err
		}
		all = append(all, *e)
	}
	return all, nil
}

func (l Library) newCampaign(e *events.Event) (*Campaign, error) {
	var p events.CampaignOpened
	if !e.Read(&p) {
		return nil, errors.New("a campaign's first event must open it")
	}
	s, ok := l.Systems[p.System]
	if !ok {
		return nil, fmt.Errorf("%w: campaign %s is played by %q", ErrUnknownSystem, p.Name, p.System)
	}
	c := &Campaign{ID: e.Campaign, Name: p.Name, System: s, Edition: e.Edition, Demo: p.Demo, Dice: p.Dice,
		Sides: p.Sides, Board: p.Board, Rules: p.Rules, Requires: p.Requires, Signed: p.Signed,
		Hands: p.Hands, Arbiter: p.Arbiter, Proxy: p.Proxy,
		AnswerWithin: time.Duration(min(max(0, p.AnswerWithin), MostSeconds)) * time.Second}
	if c.Dice == Beacon {
		var err error
		c.BySeats, c.Unwitnessed = p.Witnesses == "", p.Unwitnessed
		if c.Beacon = beacon.Beacon(p.Beacon); c.Beacon.Check() == nil && !c.BySeats {
			c.Witnesses, err = tree.ParsePolicy(p.Witnesses)
		}
		if err := errors.Join(c.Beacon.Check(), err); err != nil {
			return nil, fmt.Errorf("campaign %s: %w", p.Name, err)
		}
	}
	files, lacks := l.Board(p.Board)
	c.Lacks = lacks
	var err error
	c.Game, err = l.Games.start(s, files)
	return c, err
}

// Decisions has what events decide to keep, by their index. Each is read once: the head of a correction may leave
// thousands.
type Decisions map[uint64]map[uint64]bool

// Read reads what an event decides to keep, if it is not read yet.
func (d Decisions) Read(index uint64, event history.Reader) error {
	if d[index] != nil {
		return nil
	}
	e, err := event(index)
	if err != nil {
		return err
	}
	d[index] = map[uint64]bool{}
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.ConsequenceKept:
		for _, of := range p.Events {
			d[index][of] = true
		}
	case *events.Corrected:
		for _, l := range p.Left {
			d[index][l.Event] = l.Choice == events.LeftKept
		}
	}
	return nil
}

// CheckpointInterval is the number of events between two states that a timeline keeps.
var CheckpointInterval uint64 = 256

// Timeline folds a campaign as its record grows. A state is a value, so keeping one costs a pointer: the campaign is
// kept as it stood after every 256th event, and the game as it is before every 256th place by what counts now. Whoever
// asks for the state at some event, and an event that changes what counts before it, goes on from the last that holds.
type Timeline struct {
	Library
	source
	Index history.Index

	Head         *Campaign // after all events; nil before the first
	stale        bool      // the head's game lacks the last events, which change what counts: see settle
	LastGameOnly bool      // only the last game is asked for: it is folded when all events are read
	step         string    // the command of the last event

	marks []*Campaign  // after every 256th event, from 0 on; nil where the game was stale
	games []rules.Game // before every 256th place

	Decided Decisions // that were asked for
}

// NewTimeline folds a campaign by the systems and boards of a library.
func NewTimeline(l Library, records Records, known OpeningsReader) *Timeline {
	return &Timeline{Library: l, source: source{records: records, openings: known}}
}

// OpeningsReader gives the openings that a reader holds of the events with from <= index < to, or more.
type OpeningsReader func(from, to uint64) (Openings, error)

// Extend reads the events up to upTo. look, if it is not nil, is called after each, with the game before it.
func (t *Timeline) Extend(upTo uint64, look Visit) error {
	for i := t.Next(); i < upTo; i++ {
		e, hash, err := t.stored(i)
		if errors.Is(err, errNoEvent) {
			break // the record ends here
		}
		if err != nil {
			return err
		}
		known, err := t.Opened(e)
		if err != nil {
			return err
		}
		before, err := t.add(e, hash, known, nil)
		if err == nil && look != nil {
			err = look(t.Head, e, before)
		}
		if err != nil {
			return err
		}
	}
	if t.Head == nil {
		return fmt.Errorf("%w: it has no events", ErrUnknownCampaign)
	}
	return t.settle()
}

// Visit is called with each event once it is applied, and with the game before it.
type Visit func(c *Campaign, e *events.Event, before rules.Game) error

// Next is the index of the next event.
func (t *Timeline) Next() uint64 { return t.Index.Head().Len() }

// add takes the campaign's next event, and gives the game before it. After is the game that it leads to, nil where it
// is not evolved yet.
func (t *Timeline) add(e *events.Event, hash events.Hash, known []events.Opening,
	after rules.Game) (before rules.Game, err error) {
	if t.Head == nil {
		if t.Head, err = t.newCampaign(e); err != nil {
			return nil, err
		}
	}
	if !t.LastGameOnly && (e.Command != t.step || !alters(e)) {
		if err := t.settle(); err != nil {
			return nil, err
		}
	}
	t.step = e.Command
	t.keep(t.Next())
	before = t.Head.Game
	t.Index.Add(e)
	if t.stale {
		after = before // it is folded anyway, see settle
	}
	if place, settles := t.Head.take(e, hash, known, t.Index.Head(), after); settles {
		t.games = t.games[:min(uint64(len(t.games)), place/CheckpointInterval+1)]
		t.stale = true
	}
	return before, nil
}

// Append goes on to events that have been made, with the openings of what they commit to. Behind one that changes what
// counts before it the games that they were made with are void.
func (t *Timeline) Append(list []PreparedEvent, known Openings) error {
	settled := false
	for _, x := range list {
		if settled = settled || t.stale; settled {
			x.After = nil
		}
		e := x.Event()
		if _, err := t.add(e, x.Hash(), known.Of(e), x.After); err != nil {
			return err
		}
	}
	return t.settle()
}

// fork gives a timeline that goes on from this one by itself, event by event: what is added to it is folded by whoever
// adds it.
func (t *Timeline) fork() *Timeline {
	k := &Timeline{Library: t.Library, source: t.source, Head: t.Head, marks: t.marks, games: t.games}
	k.first = t.Next()
	t.Index.ForkTo(&k.Index)
	return k
}

// keep keeps the state before the event at n, if one is due there.
func (t *Timeline) keep(n uint64) {
	if n%CheckpointInterval != 0 {
		return
	}
	var mark *Campaign
	if !t.stale {
		mark = t.Head.Copied()
		if uint64(len(t.games))*CheckpointInterval == n {
			t.games = append(t.games, t.Head.Game)
		}
	}
	t.marks = append(t.marks, mark)
}

// settle folds the head's game from the first place at which something else counts than before.
func (t *Timeline) settle() error {
	if !t.stale {
		return nil
	}
	last := len(t.games) - 1
	game, from := t.games[last], uint64(last)*CheckpointInterval
	for e, err := range t.Index.Head().Effective(from, t.Event) {
		if err != nil {
			return err
		}
		for uint64(len(t.games))*CheckpointInterval <= PlaceOf(e.Event) {
			t.games = append(t.games, game)
		}
		if game, err = t.Evolve(game, e.Event); err != nil {
			return err
		}
	}
	for uint64(len(t.games))*CheckpointInterval < t.Next() {
		t.games = append(t.games, game)
	}
	t.Head.Game, t.stale = game, false
	return nil
}

// alters reports whether an event is one of those that say what counts, and nothing else: the game is the same behind
// them, but for what counts before.
func alters(e *events.Event) bool {
	return e.Corrects != 0 || PlaceOf(e) != e.Index || e.Type == "corrected" || e.Type == "voided"
}

// PlaceOf is the index of the event in whose place another counts.
func PlaceOf(e *events.Event) uint64 {
	if e.Replaces != 0 && e.Replaces < e.Index {
		return e.Replaces
	}
	return e.Index
}

// At gives the campaign as it stood after n events, of which there must be one at least. It is the caller's own.
func (t *Timeline) At(n uint64) (*Campaign, error) {
	if n >= t.Next() {
		return t.Head.Copied(), nil
	}
	if n == 0 {
		return nil, fmt.Errorf("%w: it has no events", ErrUnknownCampaign)
	}
	k := n / CheckpointInterval
	for t.marks[k] == nil {
		k--
	}
	c, stale, step := t.marks[k].Copied(), false, ""
	settle := func() (err error) {
		if stale {
			c.Game, err = t.Before(c.History, c.History.Len())
		}
		stale = false
		return err
	}
	for i := k * CheckpointInterval; i < n; i++ {
		e, hash, err := t.stored(i)
		if err == nil && (e.Command != step || !alters(e)) {
			err = settle()
		}
		if err != nil {
			return nil, err
		}
		step = e.Command
		known, err := t.Opened(e)
		if err != nil {
			return nil, err
		}
		if _, settles := c.take(e, hash, known, t.Index.At(i+1), nil); settles {
			stale = true
		}
	}
	return c, settle()
}

// Before gives the game before a place, by what counts in a view.
func (t *Timeline) Before(v history.View, place uint64) (rules.Game, error) {
	game, from := t.Checkpoint(v, place)
	for e, err := range v.Effective(from, t.Event) {
		if err != nil {
			return nil, err
		}
		if PlaceOf(e.Event) >= place {
			break
		}
		if game, err = t.Evolve(game, e.Event); err != nil {
			return nil, err
		}
	}
	return game, nil
}

// Checkpoint gives the last game kept that holds in a view and stands before no later place than that given.
func (t *Timeline) Checkpoint(v history.View, place uint64) (rules.Game, uint64) {
	last := min(min(place, t.Index.Head().UnchangedUpTo(v.Len()))/CheckpointInterval, uint64(len(t.games)-1))
	for k := min(min(place, v.Len())/CheckpointInterval, uint64(len(t.marks)-1)); k > last; k-- {
		at := k * CheckpointInterval
		if t.marks[k] != nil && v.UnchangedUpTo(at) == at { // nothing before it changed since
			return t.marks[k].Game, at
		}
	}
	return t.games[last], last * CheckpointInterval
}

// source reads the events of one campaign, with the openings that its reader holds.
type source struct {
	records  Records
	openings OpeningsReader
	pages    [2]page // read last

	first uint64         // of a fork: the index of the first event that is not in the record
	more  []events.Event // from there on
}

// page is some events in a row.
type page struct {
	from   uint64
	events []events.Event
	hashes []events.Hash
	known  Openings
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
	p := page{from: index - index%CheckpointInterval,
		events: make([]events.Event, 0, CheckpointInterval), hashes: make([]events.Hash, 0, CheckpointInterval)}
	for r, err := range s.records(p.from, p.from+CheckpointInterval) {
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
	// behind the events: what is read has its openings
	if p.known, err = s.openings(p.from, p.from+CheckpointInterval); err != nil {
		return nil, err
	}
	s.pages[0], s.pages[1] = p, s.pages[0]
	return &s.pages[0], nil
}

// Event reads an event.
func (s *source) Event(index uint64) (*events.Event, error) {
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

// Opened gives the openings of an event's own commitments.
func (s *source) Opened(e *events.Event) ([]events.Opening, error) {
	if len(e.Commitments) == 0 {
		return nil, nil
	}
	p, err := s.page(e.Index)
	if err != nil {
		return nil, err
	}
	return p.known.Of(e), nil
}

// Evolve folds one event that was read.
func (s *source) Evolve(game rules.Game, e *events.Event) (rules.Game, error) {
	known, err := s.Opened(e)
	if err != nil {
		return nil, err
	}
	return game.Evolve(e, known), nil
}
