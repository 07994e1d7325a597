package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// SignedCommand is a command as its player signed it, with the openings of what it commits to. Their index is not read:
// the command has no event yet.
type SignedCommand struct {
	Envelope string           `json:"envelope"` // as package events/envelope has it
	Openings []events.Opening `json:"openings,omitempty"`

	// Discloses opens commitments of earlier events to the host, which the player made alone: cards that he plays.
	Discloses []events.Opening `json:"discloses,omitempty"`

	// Invited is set where the umpire asked for the key that the command brings: a seat's first key is taken so alone,
	// and a key that replaces another, which did not sign it.
	Invited bool `json:"-"`

	// Check is set for a command that brings a key, and is to be judged alone: nothing is appended.
	Check bool `json:"-"`
}

// signature is what a player signed, and what is yet to be held against the campaign.
type signature struct {
	envelope envelope.Envelope
	verb     string
	sent     []byte // all of it
	standing bool   // a standing order
	campaign.Signed
}

// HearSigned judges a command that a player signed, and appends what follows. A wrong signature, another seat's, what
// is out of date or does not fit this record is refused. The error is an [envelope.ErrEnvelope] for a text that is
// none. Nothing is looked up or opened for whoever did not sign.
func (u *Umpire) HearSigned(id ulid.ULID, s SignedCommand) (Answer, error) {
	x, err := envelope.Parse(s.Envelope)
	if err != nil {
		return Answer{}, err
	}
	t, err := u.acquire(id)
	if err != nil {
		return Answer{}, err
	}
	defer t.mu.Unlock()
	var r campaign.Request
	if err := json.Unmarshal(x.Request, &r); err != nil {
		return Answer{}, err
	}
	c := rules.Command{ID: x.ID, Seat: x.Seat, Verb: r.Verb, Body: r.Entry}
	signed := &signature{envelope: x, verb: r.Verb, sent: []byte(s.Envelope),
		Signed: campaign.Signed{Text: s.Envelope, Openings: map[string]events.Opening{},
			Hidden: map[string]events.Hash{}}}
	for _, o := range s.Openings {
		signed.Openings[o.Slot] = o
		signed.sent = fmt.Appendf(signed.sent, "%q %s %q\n", o.Slot, o.Salt, o.Fact)
	}
	if r.Verb == campaign.VerbKey {
		return u.hearKey(t, c, signed, s)
	}
	violations := t.verify(x.Seat, x.Signature)
	if len(violations) == 0 {
		violations = t.hidden(signed, s.Openings)
	}
	if len(violations) == 0 {
		violations, err = u.disclose(t, x.Seat, s.Discloses)
	}
	if len(violations) > 0 || err != nil {
		return refusal(c, violations), err
	}
	c.Body = rules.Unseal(r.Entry, s.Openings)
	c = t.sealed(c)
	return u.hearOn(t, c, signed, false)
}

// verify says what is wrong with the signature of a seat.
func (t *liveCampaign) verify(seat string, s envelope.Signature) []rules.Violation {
	var f rules.Findings
	if key, keyed := t.campaign.KeyOf(seat); !keyed {
		f.ViolateField("seat", rules.Signed, "the seat %q has no key in campaign %s", seat, t.campaign.Name)
	} else if err := s.Verify(key.Key); err != nil {
		f.ViolateField("signatures", rules.Signed, "%v", err)
	}
	return f.Violations
}

// opened finds what keeps openings from being put into a command: there are others than it commits to, or too many
// bytes.
func opened(x envelope.Envelope, list []events.Opening) []rules.Violation {
	var f rules.Findings
	size, slots := 0, map[string]bool{}
	for _, o := range list {
		size += len(o.Fact)
		slots[o.Slot] = true
	}
	if len(x.Commitments) != len(list) || len(slots) != len(list) {
		f.ViolateField("openings", rules.Signed, "%d facts are sealed, and %d opened, in %d slots", len(x.Commitments),
			len(list), len(slots))
	}
	if size > envelope.Most {
		f.ViolateField("openings", rules.Input, "what is opened has %d bytes, and may have %d", size, envelope.Most)
	}
	return f.Violations
}

// checkSigned finds what keeps a signed command from this campaign as it stands: it was signed for another, or for
// another record, it is out of date, or its openings are not those of its commitments.
func (u *Umpire) checkSigned(t *liveCampaign, s *signature) ([]rules.Violation, error) {
	if s == nil {
		return nil, nil
	}
	var f rules.Findings
	c, x := t.campaign, s.envelope
	violations, err := u.checkSeen(t, x.Campaign, x.Seen, x.NotAfter)
	if len(violations) > 0 || err != nil {
		return violations, err
	}
	question, err := u.questionOf(t, s.verb)
	if err != nil {
		return nil, err
	}
	if question != x.Question {
		f.ViolateField("question", rules.Signed, "it answers another question than is open: look at it, and sign again")
	}
	for _, k := range x.Commitments {
		o, told := s.Openings[k.Slot]
		if _, hidden := s.Hidden[k.Slot]; hidden && !told {
			continue
		}
		place := events.Place{Campaign: c.ID, Epoch: c.Epoch, Command: x.ID, Slot: k.Slot}
		if !events.Opens(k.Hash, place, o.Salt, o.Fact) {
			f.ViolateField("commitments", rules.Signed, "%q does not open its commitment in epoch %d: sign it "+
				"again", k.Slot, c.Epoch)
		}
	}
	return f.Violations, nil
}

// checkSeen finds that something was signed for another campaign or another record, or is out of date.
func (u *Umpire) checkSeen(t *liveCampaign, id string, seen envelope.Seen, notAfter time.Time) ([]rules.Violation,
	error) {
	violations := t.timely(id, notAfter)
	if len(violations) > 0 {
		return violations, nil
	}
	var f rules.Findings
	if seen.Events > t.campaign.Next {
		f.ViolateField("seen", rules.Signed, "its player saw %d events, and this record has %d: it is an older copy, "+
			"or another record", seen.Events, t.campaign.Next)
		return f.Violations, nil
	}
	root, err := u.rootOf(t, seen.Events)
	if err == nil && root != seen.Root {
		f.ViolateField("seen", rules.Signed, "its player saw another record: of %d events with root %s, and here that "+
			"is %s. Keep both: they show that one of two hosts, or the host, forked the campaign",
			seen.Events, seen.Root, root)
	}
	return f.Violations, err
}

// timely finds that something was signed for another campaign, or is out of date.
func (t *liveCampaign) timely(id string, notAfter time.Time) []rules.Violation {
	var f rules.Findings
	if id != t.campaign.ID.String() {
		f.ViolateField("campaign", rules.Signed, "it was signed for campaign %s, and this is %s", id, t.campaign.ID)
	}
	now := t.at
	if t.campaign.Latest.After(now) { // the clock went back: the record says when it is
		now = t.campaign.Latest
	}
	if now.After(notAfter) {
		f.ViolateField("not_after", rules.Signed, "it was to be heard until %s, and it is %s: sign it again",
			notAfter.UTC().Format(time.DateTime+" UTC"), now.UTC().Format(time.DateTime+" UTC"))
	}
	return f.Violations
}

// questionOf is the hash of the event that a command with this verb answers now; zero if it answers none.
func (u *Umpire) questionOf(t *liveCampaign, verb string) (hash events.Hash, err error) {
	if asked, answers := t.campaign.Open.AnsweredBy(verb); answers {
		for record, err := range u.ledger.Walk(t.campaign.ID, asked, asked+1) {
			return record.Hash(), err
		}
	}
	return hash, nil
}

// rootOf gives the root of the tree of a campaign's first n events, of which there are so many.
func (u *Umpire) rootOf(t *liveCampaign, n uint64) (events.Hash, error) {
	if t.tree == nil {
		t.tree = &tree.Tree{}
	}
	for r, err := range u.ledger.Walk(t.campaign.ID, t.tree.Events(), n) {
		if err != nil {
			return events.Hash{}, err
		}
		t.tree.Add(r.Hash())
	}
	return t.tree.Root(n)
}

// signed puts the signature to the parts that the command itself leads to, or says what is wrong with it there. What a
// seat with a key has to sign, and did not, is refused, unless the campaign lets the umpire enter it.
func (t *liveCampaign) signed(c rules.Command, parts []campaign.Part, s *signature, simulated bool) []rules.Violation {
	var f rules.Findings
	for i := range parts {
		p := &parts[i]
		if p.Command != c.ID || p.Request == nil || simulated {
			continue
		}
		if s == nil {
			t.campaign.Unsigned(p.Seat, c, p.Drafts, &f)
			continue
		}
		_, acting := t.campaign.Signers(p.Seat, c.Verb, p.Drafts)
		p.Signed = &s.Signed
		t.campaign.Speaks(s.envelope.Seat, c.Verb, p.Drafts[0].Payload.Type(), acting, &f)
		t.fits(s, p, &f)
	}
	return f.Violations
}

// alone finds that a command is not for the side to enter whose act alone it may be, or for a seat to sign.
func (t *liveCampaign) alone(c rules.Command, parts []campaign.Part, a Answer, signed bool) []rules.Violation {
	var f rules.Findings
	p := slices.IndexFunc(parts, func(p campaign.Part) bool { return p.Command == c.ID })
	switch {
	case p < 0:
	case c.As != "":
		t.campaign.Alone(c, parts[p].Drafts, a.Warnings, &f)
	case signed && t.cautious(c):
		t.campaign.Cautioned(c, parts[p].Drafts, a.Warnings, &f)
	}
	return f.Violations
}

// cautious reports whether what a seat signs is for the umpire to look at where it is warned of: nothing is hidden, so
// that this tells nothing, and it plays something. An answer lets go on what another entered.
func (t *liveCampaign) cautious(c rules.Command) bool {
	hides, err := t.hides()
	return err == nil && !hides && campaign.IsPlayVerb(c.Verb)
}

// heardAgain finds that a command that was referred is an act of sides whose seats did not sign it, now that it shows
// whose it is.
func (t *liveCampaign) heardAgain(referred *events.Event, c rules.Command, o *rules.Outcome) {
	var f rules.Findings
	t.campaign.SignedFor(referred, c, o, &f)
	if f.Refused() {
		*o = rules.Outcome{Verdict: rules.Refused, Violations: f.Violations}
	}
}

// fits holds what the record is to say of a command to what its player signed.
func (t *liveCampaign) fits(s *signature, p *campaign.Part, f *rules.Findings) {
	text, err := json.Marshal(p.Request)
	if err != nil || string(text) != string(s.envelope.Request) {
		f.ViolateField("request", rules.Signed, "the record has to say %s, and this was signed: %s", text,
			s.envelope.Request)
	}
	e := events.Event{Type: p.Drafts[0].Payload.Type(), Side: p.Drafts[0].Side}
	if err := s.envelope.Says(&e, p.Drafts[0].Payload); err != nil {
		f.ViolateField("request", rules.Input, "%v", err)
	}
	if p.Seat != s.envelope.Seat {
		f.ViolateField("seat", rules.Signed, "%s signed what %s is to have said", s.envelope.Seat, p.Seat)
	}
	sealed := map[string]bool{}
	for _, d := range p.Drafts {
		for _, secret := range d.Secrets {
			fact, known := secret.Fact.Get()
			o, committed := s.Openings[secret.Slot]
			sealed[secret.Slot] = !known || committed && o.Fact == fact
		}
	}
	for _, k := range s.envelope.Commitments {
		if !sealed[k.Slot] {
			f.ViolateField("commitments", rules.Signed, "the entry does not seal that as %q", k.Slot)
		}
	}
}

// errUmpireKey says that the umpire has no key of a seat.
var errUmpireKey = errors.New("the umpire signs with the ledger's key, and has no other")

// hearKey gives a seat its first key, or another one.
func (u *Umpire) hearKey(t *liveCampaign, c rules.Command, s *signature, sent SignedCommand) (Answer, error) {
	var body envelope.KeyEntry
	_ = json.Unmarshal(c.Body, &body)
	request, err := envelope.KeyRequest(body)
	if err != nil {
		return Answer{}, err
	}
	if string(request) != string(s.envelope.Request) || len(s.Openings) > 0 {
		var f rules.Findings
		f.ViolateField(campaign.VerbKey, rules.Input, "key takes the text of a key, the anchor of its player's "+
			"chain if he has one, and nothing else: {key: …, chain: …}")
		return refusal(c, f.Violations), nil
	}
	if a, done, err := u.heardBefore(t, c, s); done || err != nil {
		return a, err
	}
	payload, violations := t.keyed(c, s.envelope, body, sent.Invited)
	if len(violations) > 0 {
		return refusal(c, violations), nil
	}
	if violations, err := u.checkSigned(t, s); len(violations) > 0 || err != nil {
		return refusal(c, violations), err
	}
	p := campaign.Part{Command: c.ID, Seat: c.Seat, Request: &campaign.Request{Verb: c.Verb, Entry: c.Body},
		Drafts: []rules.Draft{{Payload: payload}}, Signed: &s.Signed}
	a := Answer{Command: c.ID, Verdict: rules.Allowed, Events: 1}
	if sent.Check {
		return a, nil
	}
	return u.append(t, c.ID, t.digest(c, s), []campaign.Part{p}, a)
}

// keyed is the event by which a seat gets a key, or what keeps it from that.
func (t *liveCampaign) keyed(c rules.Command, x envelope.Envelope, entry envelope.KeyEntry,
	invited bool) (events.Payload, []rules.Violation) {
	var f rules.Findings
	seat, there := t.campaign.SeatNamed(c.Seat)
	if !there || seat.Name != c.Seat {
		f.ViolateField("seat", rules.Input, "nobody has the seat %q in campaign %s", c.Seat, t.campaign.Name)
		return nil, f.Violations
	}
	if seat.Name == campaign.UmpireSeat {
		f.ViolateField("seat", rules.Input, "%v", errUmpireKey)
		return nil, f.Violations
	}
	key, err := tree.ParseWitness(entry.Key)
	if err == nil && entry.Chain != (events.Anchor{}) {
		err = chance.CheckAnchor(entry.Chain, envelope.ChainName(key.Fingerprint()))
	}
	old, keyed := t.campaign.KeyOf(seat.Name)
	name := envelope.KeyName(seat.Name, t.campaign.ID.String())
	switch {
	case err != nil:
		f.ViolateField(campaign.VerbKey, rules.Input, "%v", err)
	case key.Name() != name:
		f.ViolateField(campaign.VerbKey, rules.Input, "the key is named %q, and should be %q", key.Name(), name)
	case c.ID != envelope.KeyID(key.Fingerprint()):
		f.ViolateField("command", rules.Input, "the command that brings this key has the id %q",
			envelope.KeyID(key.Fingerprint()))
	case !keyed && !invited:
		f.ViolateField("seat", rules.Signed, "%s has no key yet: its first one comes with the umpire's invitation",
			seat.Name)
	}
	if f.Refused() {
		return nil, f.Violations
	}
	var payload events.Payload = &events.SeatRekeyed{Seat: seat.Name, Key: entry.Key, ByUmpire: invited,
		Chain: entry.Chain}
	signer := key
	if !keyed {
		payload = &events.SeatKeyed{Seat: seat.Name, Key: entry.Key, Chain: entry.Chain}
	} else if !invited {
		signer = old.Key
	}
	if err := x.Verify(signer); err != nil {
		f.ViolateField("signatures", rules.Signed, "%v", err)
	}
	return payload, f.Violations
}

// Form is what a player signs of an entry: how the record is to show it, and what that seals.
type Form struct {
	Command  string            `json:"command"` // id
	Request  json.RawMessage   `json:"request"`
	Sealed   map[string]string `json:"sealed,omitempty"` // the facts that are sealed, by their slots
	Epoch    uint64            `json:"epoch"`            // in which they are sealed
	Question events.Hash       `json:"question,omitzero"`
	Asked    uint64            `json:"asked,omitempty"` // index of the event with that hash
}

// FormOf judges an entry of a player as far as that needs no dice, and gives what he has to sign. The answer says why
// there is nothing to sign. Nothing is appended. What it discloses is that of [SignedCommand].
func (u *Umpire) FormOf(campaignID ulid.ULID, asks envelope.SignedInquiry,
	discloses []events.Opening) (form Form, a Answer, err error) {
	var r campaign.Request
	if err := json.Unmarshal(asks.Request, &r); err != nil {
		return form, a, err
	}
	c := rules.Command{ID: asks.ID, Seat: asks.Seat, Verb: r.Verb, Body: r.Entry}
	if c.ID == "" {
		if c.ID, err = u.CommandID(campaignID, c); err != nil {
			return form, a, err
		}
	}
	t, err := u.acquire(campaignID)
	if err != nil {
		return form, a, err
	}
	defer t.mu.Unlock()
	violations := t.verify(asks.Seat, asks.Signature)
	if len(violations) == 0 {
		violations = t.timely(asks.Campaign, asks.NotAfter)
	}
	if len(violations) == 0 {
		violations, err = u.disclose(t, asks.Seat, discloses)
	}
	if len(violations) > 0 || err != nil {
		return form, refusal(c, violations), err
	}
	parts, a, err := u.judge(t, t.sealed(c), true)
	if err != nil || len(parts) == 0 {
		return form, a, err
	}
	p := parts[0]
	var f rules.Findings
	_, acting := t.campaign.Signers(p.Seat, c.Verb, p.Drafts)
	if t.campaign.Speaks(asks.Seat, c.Verb, p.Drafts[0].Payload.Type(), acting, &f); f.Refused() {
		return form, refusal(c, f.Violations), nil
	}
	if violations := t.alone(c, parts, a, true); len(violations) > 0 {
		return form, refusal(c, violations), nil
	}
	form = Form{Command: p.Command, Epoch: t.campaign.Epoch, Sealed: map[string]string{}}
	if form.Request, err = json.Marshal(p.Request); err != nil {
		return form, a, err
	}
	slots := rules.SealedSlots(p.Request.Entry)
	for _, d := range p.Drafts {
		for _, secret := range d.Secrets {
			if fact, known := secret.Fact.Get(); known && slices.Contains(slots, secret.Slot) {
				form.Sealed[secret.Slot] = fact
			}
		}
	}
	if asked, answers := t.campaign.Open.AnsweredBy(c.Verb); answers {
		form.Asked = asked
	}
	form.Question, err = u.questionOf(t, c.Verb)
	return form, a, err
}
