package campaign

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// PreparedEvent is an event and the game that it leads to.
type PreparedEvent struct {
	events.Encoded
	After rules.Game
}

// NewMaker makes events that follow the campaign, recorded at one time, with salts of its secrets. stored reads the
// openings of the record.
func NewMaker(c *Campaign, secrets keys.Secrets, at time.Time, stored OpeningsReader) Maker {
	return Maker{campaign: c, secrets: secrets, at: at, stored: stored,
		game: c.Game, index: c.Next, previous: c.Head, epoch: c.Epoch}
}

// Maker turns drafts into events, one after the other.
type Maker struct {
	campaign *Campaign
	secrets  keys.Secrets
	at       time.Time
	stored   OpeningsReader // reads the openings of the record
	game     rules.Game
	index    uint64
	previous events.Hash
	epoch    uint64
	Events   []PreparedEvent
	Openings []events.Opening
}

// At is the time at which the events are recorded.
func (m Maker) At() time.Time { return m.at }

// Part makes the events of a part.
func (m *Maker) Part(p Part) error {
	for i, d := range p.Drafts {
		request := ""
		if i == 0 && p.Request != nil {
			text, err := json.Marshal(p.Request)
			if err != nil {
				return err
			}
			request = string(text)
		}
		if err := m.make(p, d, request); err != nil {
			return err
		}
	}
	return nil
}

func (m *Maker) make(p Part, d rules.Draft, request string) error {
	c := m.campaign
	e := events.Event{
		Campaign: c.ID, Index: m.index, ID: ulid.MustNew(ulid.Timestamp(m.at), ulid.DefaultEntropy()),
		Type: d.Payload.Type(), Seat: p.Seat, Side: d.Side, Command: p.Command, Epoch: m.epoch,
		Recorded: m.at, Schema: events.SchemaVersion, Edition: c.Edition,
		Payload: events.EncodePayload(d.Payload), Derivation: d.Derivation,
		Request: request, Corrects: d.Corrects, Replaces: d.Replaces, Previous: m.previous,
	}
	if request != "" && p.Signed != nil {
		e.Signed = p.Signed.Text
	}
	var own []events.Opening
	for _, s := range d.Secrets {
		fact, known := s.Fact.Get()
		if k, hidden := p.Signed.hides(s.Slot); hidden && !known {
			e.Commitments = append(e.Commitments, events.Commitment{Slot: s.Slot, Hash: k})
			continue
		}
		if !known {
			return fmt.Errorf("entry %q: %w: it cannot commit to what is sealed", p.Command, rehear.ErrSealed)
		}
		place := events.Place{Campaign: c.ID, Epoch: m.epoch, Command: p.Command, Slot: s.Slot}
		salt, chosen := p.Signed.salt(s.Slot)
		if !chosen {
			salt = events.Salt(m.secrets.ForEpoch(m.epoch), place)
		}
		e.Commitments = append(e.Commitments, events.Commitment{Slot: s.Slot, Hash: events.Commit(place, salt, fact)})
		own = append(own, events.Opening{Index: m.index, Slot: s.Slot, Salt: salt, Fact: fact})
	}
	m.Openings = append(m.Openings, own...)
	for _, ref := range d.Opens {
		o, err := m.opening(ref)
		if err != nil {
			return err
		}
		e.Openings = append(e.Openings, o)
	}
	if _, err := events.PayloadOf(&e); err != nil { // a figure of more than 32 bits would be lost for ever
		return fmt.Errorf("entry %q: %w", p.Command, err)
	}
	if e.Corrects == 0 { // else it counts where that is, and what follows from it is folded from there
		m.game = m.game.Evolve(&e, own)
	}
	e.Turn, e.Phase = m.game.TurnNow()
	x := events.Encode(e)
	m.index, m.previous = m.index+1, x.Hash()
	m.Events = append(m.Events, PreparedEvent{x, m.game})
	return nil
}

// opening finds what opens a commitment, in this step or in the record.
func (m *Maker) opening(ref events.Ref) (events.Opening, error) {
	for _, o := range m.Openings {
		if o.Index == ref.Index && o.Slot == ref.Slot {
			return o, nil
		}
	}
	list, err := m.stored(ref.Index, ref.Index+1)
	if o, ok := list[ref]; ok || err != nil {
		return o, err
	}
	return events.Opening{}, fmt.Errorf("no opening for slot %q of event %d", ref.Slot, ref.Index)
}

// Branch goes on from the head of a campaign, beside the record.
type Branch struct {
	*Timeline
	maker Maker
}

// NewBranch begins a branch of a timeline, at its head, with what comes first in a step.
func NewBranch(t *Timeline, maker Maker, lead []Part) (*Branch, error) {
	b := &Branch{Timeline: t.fork(), maker: maker}
	for _, x := range lead {
		if err := b.Add(x); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Next is the index of the next event.
func (b *Branch) Next() uint64 { return b.maker.index }

// Add appends a part.
func (b *Branch) Add(x Part) error {
	made := len(b.maker.Events)
	if err := b.maker.Part(x); err != nil {
		return err
	}
	for _, m := range b.maker.Events[made:] {
		b.Index.Add(m.Event())
		b.more = append(b.more, *m.Event())
	}
	return nil
}

// Part is a run of events that one command led to, within the step being made.
type Part struct {
	Command string
	Seat    string
	Request *Request
	Drafts  []rules.Draft
	Signed  *Signed // by the player of the seat; nil if the umpire's word is all
}

// Signed is a command's envelope, with the openings of what it commits to by their slots.
type Signed struct {
	Text     string
	Openings map[string]events.Opening
	Hidden   map[string]events.Hash // the commitments that the player alone can open
}

// hides gives the player's commitment to what he alone knows.
func (s *Signed) hides(slot string) (k events.Hash, ok bool) {
	if s != nil {
		k, ok = s.Hidden[slot]
	}
	return k, ok
}

// salt is that by which the player committed to a fact, and reports whether he did.
func (s *Signed) salt(slot string) (events.Hash, bool) {
	if s == nil {
		return events.Hash{}, false
	}
	o, is := s.Openings[slot]
	return o.Salt, is
}
