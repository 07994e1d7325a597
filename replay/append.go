package replay

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/rules"
)

// acquire loads the campaign if necessary and locks it. The caller must unlock it.
func (u *Umpire) acquire(id ulid.ULID) (*liveCampaign, error) {
	t := u.liveOf(id)
	t.mu.Lock()
	if err := u.load(t, id); err != nil {
		t.mu.Unlock()
		return nil, err
	}
	return t, nil
}

func (u *Umpire) liveOf(id ulid.ULID) *liveCampaign {
	u.mu.Lock()
	defer u.mu.Unlock()
	t := u.live[id]
	if t == nil {
		t = &liveCampaign{}
		u.live[id] = t
	}
	return t
}

// load folds the campaign on first use. It fails if the secret or the board is missing.
func (u *Umpire) load(t *liveCampaign, id ulid.ULID) error {
	if t.campaign != nil {
		return nil
	}
	if u.whatIf != nil {
		return u.whatIf.load()
	}
	secrets, err := t.secrets, error(nil)
	if secrets.IsZero() {
		secrets, err = u.secrets(id)
	}
	if err == nil {
		err = u.follow(t, id)
	}
	if err == nil {
		err = t.timeline.head.playable()
	}
	if err != nil {
		return err
	}
	t.campaign, t.secrets = t.timeline.head, secrets
	return nil
}

// follow brings the timeline of a campaign to the end of its record.
func (u *Umpire) follow(t *liveCampaign, id ulid.ULID) error {
	c, _ := u.ledger.Campaign(id)
	if x := t.timeline; x == nil || x.next() > c.Events || x.head != nil && x.head.lacks != nil {
		t.forget() // the record or the board may be another than it was
		t.timeline = u.timeline(id)
	}
	err := t.timeline.extend(c.Events, nil)
	if err != nil {
		t.forget()
	}
	return err
}

// forget drops what was folded: what stands is what the ledger says.
func (t *liveCampaign) forget() { t.campaign, t.timeline = nil, nil }

// lastingChains sees to it that the chains last through the command to come.
func (u *Umpire) lastingChains(t *liveCampaign) error {
	switch {
	case t.secrets.Due(t.campaign.Epoch):
		return u.beginEpoch(t, "the campaign goes on from a copy of its record: whoever kept an older one knows the "+
			"dice to come of the epoch before")
	case t.campaign.Open == nil && t.campaign.runsOut():
		return u.beginEpoch(t, "the chains run out")
	}
	return nil
}

// heard reads the events of the command that was heard last, with the umpire's openings of what they commit to.
func (t *liveCampaign) heard() (list []events.Event, known openings, err error) {
	if len(t.campaign.heard.indexes) == 0 {
		return nil, nil, errors.New("no command waits for this")
	}
	known = openings{}
	for _, i := range t.campaign.heard.indexes {
		e, err := t.timeline.event(i)
		if err != nil {
			return nil, nil, err
		}
		opened, err := t.timeline.opened(e)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, *e)
		known.add(opened...)
	}
	return list, known, nil
}

// events gives the drafts of a step their places, commitments and openings, and encodes and evolves each of them once.
func (u *Umpire) events(t *liveCampaign, parts []part) ([]made, []events.Opening, error) {
	c := t.campaign
	next := eventMaker{umpire: u, live: t, game: c.Game, index: c.Next, previous: c.Head, epoch: c.Epoch}
	for _, p := range parts {
		if err := next.part(p); err != nil {
			return nil, nil, err
		}
	}
	return next.made, next.openings, nil
}

// made is an event and the game that it leads to.
type made struct {
	events.Encoded
	after rules.Game
}

// eventMaker turns drafts into events, one after the other.
type eventMaker struct {
	umpire   *Umpire
	live     *liveCampaign
	game     rules.Game
	index    uint64
	previous events.Hash
	epoch    uint64
	made     []made
	openings []events.Opening
}

// part makes the events of a part.
func (m *eventMaker) part(p part) error {
	for i, d := range p.drafts {
		request := ""
		if i == 0 && p.request != nil {
			text, err := json.Marshal(p.request)
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

func (m *eventMaker) make(p part, d rules.Draft, request string) error {
	c := m.live.campaign
	now := m.umpire.now().UTC()
	e := events.Event{
		Campaign: c.ID, Index: m.index, ID: ulid.MustNew(ulid.Timestamp(now), ulid.DefaultEntropy()),
		Type: d.Payload.Type(), Seat: p.seat, Side: d.Side, Command: p.command, Epoch: m.epoch,
		Recorded: now, Schema: events.SchemaVersion, Edition: c.Edition,
		Payload: events.EncodePayload(d.Payload), Derivation: d.Derivation,
		Request: request, Corrects: d.Corrects, Replaces: d.Replaces, Previous: m.previous,
	}
	var own []events.Opening
	for _, s := range d.Secrets {
		fact, known := s.Fact.Get()
		if !known {
			return fmt.Errorf("entry %q: %w: it cannot commit to what is sealed", p.command, ErrSealed)
		}
		place := events.Place{Campaign: c.ID, Epoch: m.epoch, Command: p.command, Slot: s.Slot}
		salt := events.Salt(m.live.secrets.Of(m.epoch), place)
		e.Commitments = append(e.Commitments, events.Commitment{Slot: s.Slot, Hash: events.Commit(place, salt, fact)})
		own = append(own, events.Opening{Index: m.index, Slot: s.Slot, Salt: salt, Fact: fact})
	}
	m.openings = append(m.openings, own...)
	for _, ref := range d.Opens {
		o, err := m.opening(ref)
		if err != nil {
			return err
		}
		e.Openings = append(e.Openings, o)
	}
	if _, err := events.PayloadOf(&e); err != nil { // a figure of more than 32 bits would be lost for ever
		return fmt.Errorf("entry %q: %w", p.command, err)
	}
	if e.Corrects == 0 { // else it counts where that is, and what follows from it is folded from there
		m.game = m.game.Evolve(&e, own)
	}
	e.Turn, e.Phase = m.game.TurnNow()
	x := events.Encode(e)
	m.index, m.previous = m.index+1, x.Hash()
	m.made = append(m.made, made{x, m.game})
	return nil
}

// opening finds what opens a commitment, in this step or in the record.
func (m *eventMaker) opening(ref events.Ref) (events.Opening, error) {
	for _, o := range m.openings {
		if o.Index == ref.Index && o.Slot == ref.Slot {
			return o, nil
		}
	}
	list, err := m.umpire.ledger.Openings(m.live.campaign.ID, ref.Index, ref.Index+1)
	if err != nil {
		return events.Opening{}, err
	}
	for _, o := range list {
		if o.Slot == ref.Slot {
			return o, nil
		}
	}
	return events.Opening{}, fmt.Errorf("no opening for slot %q of event %d", ref.Slot, ref.Index)
}

// record appends what the umpire does by himself, as a command of that id. The entry is recorded under the verb.
func (u *Umpire) record(t *liveCampaign, id, verb string, entry any, drafts ...rules.Draft) (Answer, error) {
	text, err := json.Marshal(map[string]any{verb: entry})
	if err != nil {
		return Answer{}, err
	}
	p := part{command: id, seat: UmpireSeat, request: &Request{Verb: verb, Entry: text}, drafts: drafts}
	digest := events.CommandDigest(t.secrets.First(), id, text)
	return u.append(t, id, digest, []part{p}, Answer{Command: id, Verdict: rules.Allowed})
}

// append makes the step durable and folds it into the live campaign.
func (u *Umpire) append(t *liveCampaign, command string, digest events.Hash, parts []part, a Answer) (Answer, error) {
	list, opened, err := u.events(t, parts)
	if err != nil {
		t.forget() // an epoch may have been begun in it
		return Answer{}, err
	}
	a.First, a.Events = t.campaign.Next, len(list)
	kept, err := json.Marshal(a)
	if err != nil {
		return Answer{}, err
	}
	step := journal.Step{
		Campaign: t.campaign.ID, Expected: t.campaign.Next, Command: command, Digest: digest, Openings: opened,
		Answer: kept,
	}
	for _, x := range list {
		step.Events = append(step.Events, x.Encoded)
	}
	if _, err = u.ledger.Append(step); err != nil {
		t.forget()
		return Answer{}, err
	}
	if w := u.whatIf; w != nil {
		w.recalled.append(list, opened)
	}
	if err := t.append(list, openingsOf(opened)); err != nil {
		t.forget() // the step is durable: who asks next folds it
	}
	return a, nil
}

// append goes on to events that have been recorded. Behind one that changes what counts before it the games that they
// were made with are void. A campaign that has just been opened is folded by whoever asks for it first.
func (t *liveCampaign) append(list []made, known openings) error {
	if t.timeline == nil {
		return nil
	}
	settled := false
	for _, x := range list {
		if settled = settled || t.timeline.stale; settled {
			x.after = nil
		}
		e := x.Event()
		if _, err := t.timeline.add(e, x.Hash(), known.of(e), x.after); err != nil {
			return err
		}
	}
	return t.timeline.settle()
}
