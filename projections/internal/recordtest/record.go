// Package recordtest gives the tests of the projections a record to follow: campaigns written
// event by event, and a source that serves them as the ledger does.
package recordtest

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
)

// Record holds campaigns in memory. It implements projections.Source.
type Record struct {
	mu        sync.Mutex
	order     []ulid.ULID
	campaigns map[ulid.ULID][][]byte
	sequence  uint64
	grown     chan struct{} // closed and replaced by each append
}

// NewRecord gives an empty record.
func NewRecord() *Record {
	return &Record{campaigns: map[ulid.ULID][][]byte{}, grown: make(chan struct{})}
}

// Append adds stored events to a campaign.
func (r *Record) Append(campaign ulid.ULID, stored ...[]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.campaigns[campaign]; !ok {
		r.order = append(r.order, campaign)
	}
	r.campaigns[campaign] = append(r.campaigns[campaign], stored...)
	r.sequence += uint64(len(stored))
	close(r.grown)
	r.grown = make(chan struct{})
}

// Cut shortens a campaign, as a record restored from an earlier copy has it.
func (r *Record) Cut(campaign ulid.ULID, length int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.campaigns[campaign] = r.campaigns[campaign][:length:length]
}

// Each calls f for every campaign with the number of its events.
func (r *Record) Each(f func(campaign ulid.ULID, events uint64)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.order {
		f(c, uint64(len(r.campaigns[c])))
	}
}

// Read gives the campaign's records with from <= index < to.
func (r *Record) Read(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error] {
	r.mu.Lock()
	stored := r.campaigns[campaign]
	r.mu.Unlock()
	return func(yield func(events.Record, error) bool) {
		for i := from; i < min(to, uint64(len(stored))); i++ {
			// A copy that is spoilt afterwards: nobody may keep a record's bytes.
			b := append([]byte(nil), stored[i]...)
			more := yield(events.Record{Campaign: campaign, Index: i, Bytes: b}, nil)
			clear(b)
			if !more {
				return
			}
		}
	}
}

// Durable is the number of events appended.
func (r *Record) Durable() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sequence
}

// Wait returns once more than after events are appended.
func (r *Record) Wait(ctx context.Context, after uint64) (uint64, error) {
	for {
		r.mu.Lock()
		sequence, grown := r.sequence, r.grown
		r.mu.Unlock()
		if sequence > after {
			return sequence, nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return sequence, ctx.Err()
		}
	}
}

// Campaign is a campaign being written. Events are numbered and chained; secrets are
// committed, and their openings kept beside.
type Campaign struct {
	ID       ulid.ULID
	Events   []events.Event
	Stored   [][]byte
	Openings []Held

	turn     events.Turn
	corrects uint64
	replaces uint64
}

// Held is an opening and the side that holds it.
type Held struct {
	Side string
	events.Opening
}

// Begin gives a campaign without events; number distinguishes campaigns.
func Begin(number int) *Campaign {
	c := &Campaign{}
	c.ID[0], c.ID[14], c.ID[15] = 1, byte(number>>8), byte(number)
	return c
}

// Index is the index of the last event.
func (c *Campaign) Index() uint64 { return uint64(len(c.Events) - 1) }

// Turn begins a game turn.
func (c *Campaign) Turn(ordinal uint64, label string) {
	c.turn = events.Turn{Ordinal: ordinal, Label: label}
	c.Add("", &events.TurnAdvanced{Ordinal: ordinal, Label: label})
}

// Add writes an event concerning a side, with the facts that it commits to, as pairs of slot
// and fact. It gives the event's index.
func (c *Campaign) Add(side string, p events.Payload, secrets ...string) uint64 {
	return c.add(side, p, nil, secrets)
}

// Correct writes the corrected copy of the event at index.
func (c *Campaign) Correct(index uint64, side string, p events.Payload, secrets ...string) uint64 {
	c.corrects = index
	defer func() { c.corrects = 0 }()
	return c.add(side, p, nil, secrets)
}

// Replace writes an event that takes the place of the voided one at index.
func (c *Campaign) Replace(index uint64, side string, p events.Payload) uint64 {
	c.replaces = index
	defer func() { c.replaces = 0 }()
	return c.add(side, p, nil, nil)
}

// Disclose writes an event that carries the opening of an earlier event's slot.
func (c *Campaign) Disclose(side string, p events.Payload, of events.Ref) uint64 {
	return c.add(side, p, []events.Opening{c.opening(of)}, nil)
}

func (c *Campaign) opening(of events.Ref) events.Opening {
	for i := len(c.Openings) - 1; i >= 0; i-- { // what is opened was committed a moment ago
		if o := c.Openings[i]; o.Index == of.Index && o.Slot == of.Slot {
			return o.Opening
		}
	}
	panic(fmt.Sprintf("recordtest: event %d commits to nothing in slot %q", of.Index, of.Slot))
}

func (c *Campaign) add(side string, p events.Payload, openings []events.Opening, secrets []string) uint64 {
	index := uint64(len(c.Events))
	e := events.Event{
		Campaign: c.ID, Index: index, Type: p.Type(), Turn: c.turn, Phase: "combat",
		Seat: "umpire", Side: side, Command: fmt.Sprintf("%s/%d", c.turn.Label, index), Epoch: 1,
		Recorded: time.UnixMilli(1_700_000_000_000 + int64(index)).UTC(), Schema: events.SchemaVersion,
		Edition: events.Hash{1}, Payload: events.EncodePayload(p), Openings: openings, Corrects: c.corrects,
		Replaces: c.replaces,
		Derivation: []events.Citation{
			{Rule: "AWAW-48.21-B", Step: "four cards each, as the research phase closes"},
			{Rule: "AWAW-48.42", Step: "never beyond 1"},
		},
	}
	e.ID[0], e.ID[15] = 2, byte(index)
	if index > 0 {
		e.Previous = events.LeafHash(c.Stored[index-1])
	}
	for i := 0; i+1 < len(secrets); i += 2 {
		at := events.Place{Campaign: c.ID, Epoch: 1, Command: e.Command, Slot: secrets[i]}
		salt := events.Salt(events.Hash{42}, at)
		e.Commitments = append(e.Commitments,
			events.Commitment{Slot: secrets[i], Hash: events.Commit(at, salt, secrets[i+1])})
		c.Openings = append(c.Openings,
			Held{side, events.Opening{Index: index, Slot: secrets[i], Salt: salt, Fact: secrets[i+1]}})
	}
	c.Events = append(c.Events, e)
	c.Stored = append(c.Stored, e.Encode())
	return index
}

// Rows gives events from a campaign's first on as views take them.
func Rows(list []events.Event) []history.Row {
	var x history.Index
	for i := range list {
		x.Add(&list[i])
	}
	var rows []history.Row
	for r, err := range x.Head().Rows(0, history.From(list)) {
		if err != nil {
			panic(err) // what is in memory reads
		}
		rows = append(rows, r)
	}
	return rows
}

// Known gives the openings that a side holds; "umpire" holds all.
func (c *Campaign) Known(side string) []events.Opening {
	var list []events.Opening
	for _, o := range c.Openings {
		if side == "umpire" || side == o.Side {
			list = append(list, o.Opening)
		}
	}
	return list
}

// Records gives the campaign as a source reads it.
func (c *Campaign) Records() iter.Seq2[events.Record, error] {
	r := NewRecord()
	r.Append(c.ID, c.Stored...)
	return r.Read(c.ID, 0, uint64(len(c.Stored)))
}
