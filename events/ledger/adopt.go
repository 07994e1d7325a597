package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
)

// Adopt appends events that another copy of this ledger has recorded, with the sequences that
// they have there, in one synced batch; readers see them like appended ones. Records must
// follow one another in sequence. Those that are here already are passed over, and so is what
// is known already of a command.
//
// It fails with [ErrStep] if records leave a hole, break a chain or do not decode, with
// [ErrNameTaken], with [ErrFork] if another event has the sequence of one of them (or a
// command or an opening is another here), with a [*CheckpointError] if they contradict the
// checkpoint of a record under repair, or with a [*ReadOnlyError] on a ledger that was handed
// over; then nothing was written. What the guard does, and [ErrFailed], is as with [Ledger.Append].
func (l *Ledger) Adopt(records []events.Record, known []Adopted) error {
	if err := l.adopt(records, known); err != nil {
		return err
	}
	return l.confirmAdopted(records)
}

func (l *Ledger) adopt(records []events.Record, known []Adopted) error {
	if m := l.mark.Load(); m != nil && m.Because != Follows {
		return m
	}
	if err := l.opts.Guard.May(); err != nil {
		return err
	}
	if err := l.enter(); err != nil {
		return err
	}
	defer l.leave()
	l.adopting.Lock()
	defer l.adopting.Unlock()
	a := &adoption{
		ledger: l, records: records, stands: map[ulid.ULID]*stand{},
		commands: map[string]command{}, openings: map[string]opening{},
	}
	defer a.release()
	a.hold(known)
	for _, check := range []func() error{
		a.inSequence, a.passOver, a.check, func() error { return a.checkKnown(known) },
	} {
		if err := check(); err != nil {
			return err
		}
	}
	if len(a.records)+len(a.commands)+len(a.openings) == 0 {
		return nil
	}
	if err := a.gather(); err != nil {
		return err
	}
	if a.pending.leads {
		l.lead(a.pending.group)
	}
	if err := l.await(a.pending.group); err != nil {
		return err
	}
	return l.settle()
}

// adoption is one Adopt on its way. Its campaigns are locked until it is durable.
type adoption struct {
	ledger   *Ledger
	records  []events.Record // those to write, once passOver is done
	decoded  []events.Event  // of records
	stands   map[ulid.ULID]*stand
	commands map[string]command // to write, by key
	openings map[string]opening
	pending  pending // its group
}

// stand is where a campaign stands behind the records that were looked at.
type stand struct {
	*campaign
	next   uint64
	head   events.Hash
	places []int // of its records among those to write
}

type command struct {
	campaign *campaign
	id       string
	answered Answered
}

type opening struct {
	campaign *campaign
	opening  events.Opening
}

// inSequence checks that the records have no hole among them.
func (a *adoption) inSequence() error {
	for i, r := range a.records {
		if want := a.records[0].Sequence + uint64(i); r.Sequence != want || want == 0 {
			return fmt.Errorf("%w: sequence %d stands where %d is due", ErrStep, r.Sequence, max(want, 1))
		}
	}
	return nil
}

// hold locks the campaigns, so that no step of theirs is gathered meanwhile. Only one adoption
// at a time holds several.
func (a *adoption) hold(known []Adopted) {
	for _, r := range a.records {
		a.holdOne(r.Campaign)
	}
	for i := range known {
		a.holdOne(known[i].Campaign)
	}
}

func (a *adoption) holdOne(id ulid.ULID) {
	if a.stands[id] != nil {
		return
	}
	l := a.ledger
	l.gathering.Lock()
	c := l.campaigns[id]
	if c == nil {
		c = &campaign{id: id, pending: map[string]*pending{}}
		l.campaigns[id] = c
	}
	l.gathering.Unlock()
	c.mu.Lock()
	a.stands[id] = &stand{campaign: c, next: c.next, head: c.head}
}

func (a *adoption) release() {
	for _, s := range a.stands {
		s.mu.Unlock()
	}
}

// passOver leaves out the records that are here already, with the same bytes.
func (a *adoption) passOver() error {
	l := a.ledger
	l.gathering.Lock()
	here, last := l.sequence, l.last
	l.gathering.Unlock()
	if last != nil {
		if err := l.await(last); err != nil {
			return err
		}
	}
	for len(a.records) > 0 && a.records[0].Sequence <= here {
		r := a.records[0]
		same := false
		err := l.get(numberKey(keyRecord, r.Campaign, r.Index), func(value []byte) error {
			same = len(value) >= 8 && sequenceOf(value) == r.Sequence && bytes.Equal(bytesOf(value), r.Bytes)
			return nil
		})
		if err != nil && !errors.Is(err, pebble.ErrNotFound) {
			return err
		}
		if !same {
			return forked(r)
		}
		a.records = a.records[1:]
	}
	return nil
}

func forked(r events.Record) error {
	return fmt.Errorf("%w: another event than %d of campaign %s has the sequence %d here",
		ErrFork, r.Index, r.Campaign, r.Sequence)
}

// check decodes the records and checks that each continues its campaign.
func (a *adoption) check() error {
	size := 0
	a.decoded = make([]events.Event, len(a.records))
	for i, r := range a.records {
		e, s := &a.decoded[i], a.stands[r.Campaign]
		if err := events.DecodeInto(r.Bytes, e); err != nil {
			return fmt.Errorf("%w: sequence %d: %w", ErrStep, r.Sequence, err)
		}
		if e.Campaign != r.Campaign || e.Index != r.Index || r.Index != s.next {
			return fmt.Errorf("%w: sequence %d is event %d of campaign %s, where event %d of %s is due",
				ErrStep, r.Sequence, e.Index, e.Campaign, s.next, r.Campaign)
		}
		if e.Previous != s.head {
			return fmt.Errorf("%w: event %d of campaign %s does not carry the hash of the event before",
				ErrStep, r.Index, r.Campaign)
		}
		if r.Index == 0 {
			if _, err := nameIn(e); err != nil {
				return err
			}
		}
		s.next, s.head, s.places = r.Index+1, r.Hash(), append(s.places, i)
		if err := a.ledger.keepsPromise(r.Campaign, s); err != nil {
			return err
		}
		if size += len(r.Bytes); size > journal.MaxStep {
			return fmt.Errorf("%w: %d bytes are too many at once", ErrStep, size)
		}
	}
	return nil
}

// keepsPromise checks that the campaign does not pass the checkpoint with another event.
func (l *Ledger) keepsPromise(id ulid.ULID, s *stand) error {
	if l.promise == nil {
		return nil
	}
	list := l.promise.Campaigns
	i, found := slices.BinarySearchFunc(list, id, func(c Campaign, id ulid.ULID) int { return c.ID.Compare(id) })
	if !found || list[i].Events != s.next || list[i].Head == s.head {
		return nil
	}
	return &CheckpointError{Dir: l.dir.path, Campaigns: []Difference{{
		Campaign: id, Name: s.name, EventsThere: list[i].Events, EventsHere: s.next,
		HashThere: list[i].Head, HashHere: s.head,
	}}}
}

// gather makes the adoption part of the open group.
func (a *adoption) gather() error {
	l := a.ledger
	l.gathering.Lock()
	defer l.gathering.Unlock()
	select {
	case <-l.failed:
		return l.failure
	default:
	}
	if len(a.records) > 0 {
		// Steps of other campaigns may have come since passOver.
		if r := a.records[0]; r.Sequence <= l.sequence {
			return forked(r)
		} else if r.Sequence > l.sequence+1 {
			return fmt.Errorf("%w: the record ends at sequence %d, and the first to adopt is %d",
				ErrStep, l.sequence, r.Sequence)
		}
	}
	if err := a.takeNames(); err != nil {
		return err
	}
	g := a.pending.join(l)
	a.write(g.batch)
	for _, r := range a.records {
		r.Bytes = bytes.Clone(r.Bytes)
		g.records = append(g.records, r)
	}
	for _, s := range a.stands {
		if len(s.places) > 0 {
			s.campaign.next, s.campaign.head = s.next, s.head
			g.heads = append(g.heads, head{s.campaign, s.next, s.head})
		}
	}
	l.sequence += uint64(len(a.records))
	g.last = l.sequence
	return nil
}

// takeNames gives the new campaigns their names, all or none.
func (a *adoption) takeNames() error {
	var taken []string
	for _, s := range a.stands {
		if s.campaign.next > 0 || len(s.places) == 0 {
			continue
		}
		if err := a.ledger.takeName(s.campaign, &a.decoded[s.places[0]]); err != nil {
			for _, name := range taken {
				delete(a.ledger.names, name)
			}
			return err
		}
		taken = append(taken, s.name)
	}
	return nil
}

// write adds the entries to batch. Consecutive records of one campaign count as a step.
func (a *adoption) write(batch *pebble.Batch) {
	var run step
	for i, r := range a.records {
		e, c := &a.decoded[i], a.stands[r.Campaign].campaign
		putRecord(batch, c.id, r.Index, r.Sequence, r.Bytes)
		if r.Index == 0 {
			putCampaign(batch, c.id, c.name)
		}
		if r.Index == 0 || e.Turn.Ordinal > c.turn {
			c.turn = e.Turn.Ordinal
			putTurn(batch, c.id, Turn{Ordinal: c.turn, Label: e.Turn.Label, First: r.Index})
		}
		if run.count == 0 {
			run.campaign, run.first = r.Campaign, r.Index
		}
		run.count++
		if i+1 == len(a.records) || a.records[i+1].Campaign != r.Campaign {
			putStep(batch, r.Sequence+1-uint64(run.count), run)
			run = step{}
		}
	}
	for _, k := range a.commands {
		putCommand(batch, k.campaign.id, k.id, &k.answered)
		if k.campaign.known != nil {
			k.campaign.known[maphash.String(hashSeed, k.id)] = struct{}{}
		}
	}
	for _, o := range a.openings {
		putOpening(batch, o.campaign.id, &o.opening)
	}
}
