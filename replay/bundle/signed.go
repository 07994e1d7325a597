package bundle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
	"unique"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/rules/chance"
)

// signers follows who has to sign what.
type signers struct {
	keys   map[string]seatKey // by seat
	seats  map[string]string  // of players, by their sides
	names  map[string]bool    // of all seats
	begun  bool               // the opening has ended
	proxy  bool
	all    bool         // no seat enters anything before it has a key
	latest time.Time    // that an event was recorded
	come   int64        // when the latest round came that stands in the record, in Unix seconds
	asked  asked        // the choice that was asked for last
	acts   []act        // by the first events of their commands, ascending
	odd    map[int]*act // those of commands whose first event has no request, likewise
	last   int          // the first event of the command of the newest; -1 for none
	// contests are the sides of contests of cards that were opened, and nobody was asked about: by their commands.
	contests map[uint32][2]string
	signed   map[uint64]bool        // events of what players signed
	sealed   map[events.Place]bound // commitments that players signed, and no event has yet
}

// asked is when a choice was asked for.
type asked struct {
	index uint64
	at    time.Time
}

// seatKey is the key of a player's seat. Of one that the umpire put in the place of another the event is named.
type seatKey struct {
	tree.WitnessVerifier
	byUmpire uint64
	from     int // place of the event by which the seat had its first key
}

// bound is a commitment of a command that a player signed.
type bound struct {
	hash  events.Hash
	event events.Event
}

// act is a command, or an answer to it by which it goes on.
type act struct {
	of        uint32                     // place of the first event of its command
	place     uint32                     // of its own first event
	kind      unique.Handle[events.Type] // of that; the event itself would keep its bytes in memory
	by        unique.Handle[string]      // the seat of that
	verb      unique.Handle[string]
	signed    bool
	waits     bool // it was referred, and is heard again
	named     bool // an event named a side
	acts      bool // it is an act of a side
	corrected bool // a correction is part of it
	absent    bool // the umpire answered in the place of a side
	accused   bool
}

func (a *act) seat() string { return a.by.Value() }

// act finds the act of the command whose first event is at a place, nil if there is none.
func (s *signers) act(of int) *act {
	at, found := slices.BinarySearchFunc(s.acts, of, func(a act, of int) int { return cmp.Compare(int(a.of), of) })
	if found {
		return &s.acts[at]
	}
	return s.odd[of]
}

// begin takes the act with which a command begins, or goes on.
func (s *signers) begin(own act) *act {
	a, n := s.act(int(own.of)), len(s.acts)
	switch {
	case a != nil:
		*a = own
	case n > 0 && own.of < s.acts[n-1].of:
		a = &own
		s.odd[int(own.of)] = a
	default:
		s.acts = append(s.acts, own)
		a = &s.acts[n]
	}
	s.last = int(own.of)
	return a
}

// commandAt gives the place of the first event of the command whose id the newest event carries.
func (c *check) commandAt(e *events.Event) int {
	if first, ok := c.history.Head().FirstNamed(e.Command); ok {
		return int(first)
	}
	return c.ties.len() - 1
}

// umpireSeat is the seat that has no key but the ledger's.
const umpireSeat = "umpire"

func newSigners() *signers {
	return &signers{keys: map[string]seatKey{}, seats: map[string]string{}, names: map[string]bool{umpireSeat: true},
		odd: map[int]*act{}, last: -1, contests: map[uint32][2]string{}, signed: map[uint64]bool{},
		sealed: map[events.Place]bound{}}
}

// take notes who has a seat.
func (c *check) take(e *events.Event, p *events.SeatTaken) {
	s := c.signers
	if s.begun || e.Command != c.first.Command {
		c.wrong(e, CheckOrder, "type", e.Type, nil, "seats are taken when the campaign opens")
		return
	}
	if p.Role == umpireSeat && p.Seat != umpireSeat {
		c.wrong(e, CheckOrder, "payload.seat", p.Seat, umpireSeat, "the umpire's seat has another name")
		return
	}
	if s.names[p.Seat] && p.Seat != umpireSeat {
		c.wrong(e, CheckOrder, "payload.seat", p.Seat, nil, "the seat is taken already")
	}
	if s.names[p.Seat] = true; p.Seat == umpireSeat {
		return
	}
	if len(p.Sides) == 0 {
		c.wrong(e, CheckOrder, "payload.sides", nil, nil, "a player's seat holds a side")
	}
	for _, side := range p.Sides {
		if !slices.Contains(c.opened.Sides, side) {
			c.wrong(e, CheckOrder, "payload.sides", side, nil, "the campaign has no such side")
		}
		if of, held := s.seats[side]; held {
			c.wrong(e, CheckOrder, "payload.sides", side, of, "another seat holds that side")
			continue
		}
		s.seats[side] = p.Seat
	}
}

// enveloped checks the envelope of an event, and that there is one where a seat has a key.
func (c *check) enveloped(e *events.Event, p events.Payload) {
	s := c.signers
	s.begun = s.begun || e.Command != c.first.Command
	if e.Type == "choice_asked" {
		s.asked = asked{e.Index, e.Recorded.Truncate(time.Millisecond)}
	}
	if e.Recorded.After(s.latest) {
		s.latest = e.Recorded
	}
	switch p := p.(type) {
	case *events.CampaignOpened:
		if s.proxy, s.all = p.Proxy, p.Signed; s.proxy && s.all {
			c.wrong(e, CheckOrder, "payload.proxy", true, false, "all entries are signed here, and none is by proxy")
		}
	case *events.SeatTaken:
		c.take(e, p)
	}
	if e.Signed != "" {
		c.count(CheckEnvelopes)
		c.signedBy(e, p)
	} else if e.Type.OfPlayer() {
		c.wrong(e, CheckEnvelopes, "signed", nil, nil, "the player of the seat did not sign this")
	}
	c.keySeat(e, p)
	c.acted(e, p)
	for _, k := range e.Commitments {
		place := events.Place{Campaign: e.Campaign, Epoch: e.Epoch, Command: e.Command, Slot: k.Slot}
		if b, signed := s.sealed[place]; signed {
			delete(s.sealed, place)
			if b.hash != k.Hash {
				c.wrong(e, CheckEnvelopes, "commitments."+k.Slot, k.Hash, b.hash,
					"the player signed another commitment in #%d", b.event.Index)
			}
		}
	}
}

// signedBy holds an event to the envelope in it.
func (c *check) signedBy(e *events.Event, p events.Payload) {
	x, err := c.envelopeIn(e, p)
	if err != nil {
		c.wrong(e, CheckEnvelopes, "signed", nil, nil, "%v", err)
		return
	}
	if key, err := c.signers.keyFor(e, p); err != nil {
		c.wrong(e, CheckEnvelopes, "signed", nil, nil, "%v", err)
	} else if err := x.Verify(key); err != nil {
		c.wrong(e, CheckEnvelopes, "signed", nil, nil, "%v", err)
	}
	for _, f := range []struct {
		field            string
		recorded, signed any
	}{
		{"campaign", e.Campaign.String(), x.Campaign}, {"seat", e.Seat, x.Seat}, {"command", e.Command, x.ID},
		{"request", e.Request, string(x.Request)},
	} {
		if f.recorded != f.signed {
			c.wrong(e, CheckEnvelopes, f.field, f.recorded, f.signed, "the player signed another %s", f.field)
		}
	}
	if err := x.Says(e, p); err != nil {
		c.wrong(e, CheckEnvelopes, "payload", nil, nil, "%v", err)
	}
	switch {
	case c.signers.latest.After(x.NotAfter):
		c.wrong(e, CheckEnvelopes, "recorded", c.signers.latest, x.NotAfter, "the command was not to be heard any more")
	case x.Seen.Events > e.Index || x.Seen.Root != c.rootOf(x.Seen.Events):
		c.wrong(e, CheckEnvelopes, "signed", c.rootOf(min(x.Seen.Events, e.Index)), x.Seen.Root,
			"the player saw another record when he signed this")
	case !c.answers(p, e.Index, x.Question):
		c.wrong(e, CheckEnvelopes, "signed", nil, x.Question, "the player answered another question")
	case c.signers.act(c.commandAt(e)) != nil:
		c.wrong(e, CheckEnvelopes, "command", e.Command, nil, "a command that is signed once stands here twice")
	}
	if c.signers.come > x.NotAfter.Unix() {
		c.unable(1, "signed commands that were heard after their time, by the rounds of the beacon",
			"the host's clock was behind, or he kept them")
	}
	for _, k := range x.Commitments {
		place := events.Place{Campaign: e.Campaign, Epoch: e.Epoch, Command: e.Command, Slot: k.Slot}
		c.signers.sealed[place] = bound{k.Hash, *e}
	}
}

// envelopeIn gives what the player of an event signed: the command, or the standing order that answered for him.
func (c *check) envelopeIn(e *events.Event, p events.Payload) (envelope.Envelope, error) {
	if made, is := p.(*events.ChoiceMade); is && made.Asked < uint64(c.ties.len()) {
		if o, err := envelope.ParseOrder(e.Signed); err == nil {
			return o.Answers(c.hashAt(made.Asked), made.Asked)
		}
	}
	return envelope.Parse(e.Signed)
}

// keyFor is the key that has to have signed the envelope of an event.
func (s *signers) keyFor(e *events.Event, p events.Payload) (tree.WitnessVerifier, error) {
	switch p := p.(type) {
	case *events.SeatKeyed:
		return tree.ParseWitness(p.Key)
	case *events.SeatRekeyed:
		if p.ByUmpire {
			return tree.ParseWitness(p.Key)
		}
	}
	if key, keyed := s.keys[e.Seat]; keyed {
		return key.WitnessVerifier, nil
	}
	return tree.WitnessVerifier{}, fmt.Errorf("the seat %q has no key here", e.Seat)
}

// answers reports whether a command that led to an event answers the question of that hash, zero for none. Dice that
// are typed answer the declaration, or the last denial; a confirmation answers the last typing.
func (c *check) answers(p events.Payload, before uint64, question events.Hash) bool {
	asked := func(at uint64) bool {
		return at < before && at < uint64(c.ties.len()) && c.hashAt(at) == question
	}
	switch p := p.(type) {
	case *events.ChoiceMade:
		return asked(p.Asked)
	case *events.DiceTyped:
		at := p.Declared
		if t, typed := c.typed[at]; typed {
			at = t.denied
		}
		return asked(at)
	case *events.DiceDenied:
		t, typed := c.typed[p.Declared]
		return typed && asked(t.at)
	case *events.DiceRolled:
		if r := c.roll(p.Declared); r != nil && r.declared.Mode == contested {
			return asked(p.Declared)
		}
		t, typed := c.typed[p.Declared]
		return typed && asked(t.at)
	}
	return question.IsZero()
}

// SeatKey is a key that a seat had from an event on.
type SeatKey struct {
	Seat        string `json:"seat"`
	Key         string `json:"key"`
	Fingerprint string `json:"fingerprint"` // of the key, for people to compare
	Event       uint64 `json:"event"`       // that gave it
	By          string `json:"by"`          // "invitation" for a seat's first key, "earlier key", or "umpire"
}

// KeyGiven finds the key that an event gives a seat.
func KeyGiven(e *events.Event, p events.Payload) (k SeatKey, is bool) {
	k.Event = e.Index
	switch p := p.(type) {
	case *events.SeatKeyed:
		k.Seat, k.Key, k.By = p.Seat, p.Key, "invitation"
	case *events.SeatRekeyed:
		k.Seat, k.Key, k.By = p.Seat, p.Key, "earlier key"
		if p.ByUmpire {
			k.By = "umpire"
		}
	}
	key, err := tree.ParseWitness(k.Key)
	k.Fingerprint = key.Fingerprint()
	return k, err == nil
}

// keySeat follows the keys of the seats.
func (c *check) keySeat(e *events.Event, p events.Payload) {
	seat, text, by, from, own := "", "", uint64(0), c.ties.len()-1, events.Anchor{}
	switch p := p.(type) {
	case *events.SeatKeyed:
		seat, text, own = p.Seat, p.Key, p.Chain
		if _, keyed := c.signers.keys[seat]; keyed {
			c.wrong(e, CheckEnvelopes, "payload.seat", seat, nil, "the seat has a key already")
		}
	case *events.SeatRekeyed:
		seat, text, own = p.Seat, p.Key, p.Chain
		if old, keyed := c.signers.keys[seat]; !keyed {
			c.wrong(e, CheckEnvelopes, "payload.seat", seat, nil, "the seat has no key that another could replace")
		} else if by, from = old.byUmpire, old.from; p.ByUmpire {
			by = e.Index
		}
	default:
		return
	}
	if seat != e.Seat || seat == umpireSeat || !c.signers.names[seat] {
		c.wrong(e, CheckEnvelopes, "payload.seat", seat, e.Seat, "a key is for the seat that signs with it")
	}
	if x, err := envelope.Parse(e.Signed); err != nil || !x.Brings(envelope.KeyEntry{Key: text, Chain: own}) {
		c.wrong(e, CheckEnvelopes, "payload.key", text, nil, "the player did not sign that he brings this key")
	}
	key, err := tree.ParseWitness(text)
	if err != nil || key.Name() != envelope.KeyName(seat, e.Campaign.String()) {
		c.wrong(e, CheckEnvelopes, "payload.key", text, nil, "this is no key of the seat %s of this campaign", seat)
	}
	if err := chance.CheckAnchor(own, envelope.ChainName(key.Fingerprint())); own != (events.Anchor{}) && err != nil {
		c.wrong(e, CheckEnvelopes, "payload.chain", own.Chain, nil, "%v", err)
	} else if own != (events.Anchor{}) {
		c.own[own.Chain] = &chain{Anchor: own, seat: seat}
	}
	if k, reads := KeyGiven(e, p); reads {
		c.keys = append(c.keys, k)
	}
	if c.signers.keys[seat] = (seatKey{key, by, from}); by == e.Index {
		c.unable(1, "what the seat "+seat+" signs from #"+fmt.Sprint(e.Index)+" on",
			"the umpire gave it another key: its signatures prove no more than his word")
	}
}

// acted follows what a command leads to: an act of a side whose seat has a key is signed by that seat, and nothing is
// put into what it signed.
func (c *check) acted(e *events.Event, p events.Payload) {
	s := c.signers
	of := c.commandAt(e)
	a := s.act(of)
	if e.Request != "" {
		var r struct {
			Verb  string `json:"verb"`
			Entry struct {
				Absent string `json:"absent"`
			} `json:"entry"`
		}
		_ = json.Unmarshal([]byte(e.Request), &r)
		own := act{of: uint32(of), place: uint32(c.ties.len() - 1), kind: unique.Make(e.Type), by: unique.Make(e.Seat),
			verb: unique.Make(r.Verb), signed: e.Signed != "",
			absent: r.Verb == "answer" && r.Entry.Absent != "" && e.Seat == umpireSeat && c.late(e, p)}
		if a != nil && a.waits && a.verb == own.verb && a.by == own.by {
			if own.signed = own.signed || a.signed; own.signed &&
				(c.file.Header.For != Umpire || len(c.file.Lacks) > 0) {
				c.unable(1, "signed entries that waited for a ruling",
					"they are sealed: the umpire's file shows whether they were heard again as they were signed")
			}
		}
		own.waits = e.Type == "referred"
		c.begins()
		delete(s.contests, own.of)
		a = s.begin(own)
	}
	if len(s.keys) == 0 && !s.all && a != nil && e.Corrects == 0 && e.Replaces == 0 { // a key may come while it waits
		a.named = a.named || e.Side != ""
	}
	if len(s.keys) == 0 && !s.all || e.Type.KeysSeat() {
		return
	}
	c.takenOut(e)
	if e.Schema > events.SchemaVersion {
		c.unable(1, "whether players signed events of a later schema", "a later version of watu may say it otherwise")
		return
	}
	if a == nil {
		c.wrong(e, CheckEnvelopes, "request", nil, nil, "nobody is recorded to have asked for this")
		return
	}
	a.corrected = a.corrected || e.Type == "corrected"
	switch {
	case !s.names[e.Seat]:
		c.wrong(e, CheckEnvelopes, "seat", e.Seat, nil, "nobody took that seat")
	case e.Seat != a.seat() && !a.corrected:
		c.wrong(e, CheckEnvelopes, "seat", e.Seat, a.seat(), "another seat asked for it in #%d", c.firstOf(a).Index)
	case e.Corrects != 0 || e.Replaces != 0 || e.Type == "corrected":
		c.ordered(e, a)
		return
	case a.corrected:
		at := c.firstOf(a).Index
		c.wrong(e, CheckEnvelopes, "corrects", nil, at, "it is part of the correction in #%d, and corrects nothing", at)
		return
	case !envelope.LeadsTo(a.verb.Value(), e.Type):
		c.wrong(e, CheckEnvelopes, "type", e.Type, nil, "%s leads to no such event", a.verb.Value())
	}
	c.declares(p, a)
	c.speaks(e, a)
}

// firstOf reads the first event of an act again.
func (c *check) firstOf(a *act) *events.Event { return c.eventAt(int(a.place)) }

// late reports whether an answer came after the time that a side has to give it.
func (c *check) late(e *events.Event, p events.Payload) bool {
	choice, answers := p.(*events.ChoiceMade)
	within := time.Duration(c.opened.AnswerWithin) * time.Second
	return answers && within > 0 && choice.Asked == c.signers.asked.index &&
		!e.Recorded.Before(c.signers.asked.at.Add(within))
}

// begins holds the newest act to what a player may sign, once another begins, or the record ends.
func (c *check) begins() {
	a := c.signers.act(c.signers.last)
	if a != nil && a.signed && !envelope.Signable(a.verb.Value(), a.kind.Value(), a.acts) {
		c.wrong(c.firstOf(a), CheckEnvelopes, "side", nil, nil, "the seat signed what is no act of its sides")
	}
}

// ordered takes what a correction or a ruling put in the place of other events: it is the umpire's word.
func (c *check) ordered(e *events.Event, a *act) {
	if !a.corrected || a.signed || a.seat() != umpireSeat {
		c.wrong(e, CheckEnvelopes, "corrects", max(e.Corrects, e.Replaces), nil,
			"no correction of the umpire is part of what this came of")
	}
}

// takenOut lists what is done to events that players signed.
func (c *check) takenOut(e *events.Event) {
	signed := func(index uint64) bool { return c.signers.signed[index] }
	switch voids := slices.ContainsFunc(events.Voids(e), signed); {
	case signed(e.Corrects) || signed(e.Replaces) || voids && e.Type == "corrected":
		c.unable(1, "corrections of what players signed", "the umpire made them: they are his word")
	case voids:
		c.unable(1, "what players signed and the umpire took out", "that it does not count is his word")
	}
}

// speaks holds an event to the seat whose act it is.
func (c *check) speaks(e *events.Event, a *act) {
	s := c.signers
	if a.signed {
		s.signed[e.Index] = true
	}
	c.putDown(e, a)
	of, held := s.seats[e.Side]
	acts := envelope.Acts(a.verb.Value(), e.Type, e.Side, a.named)
	a.named, a.acts = a.named || e.Side != "", a.acts || acts
	switch {
	case a.signed && acts && of != a.seat():
		c.wrong(e, CheckEnvelopes, "seat", a.seat(), of,
			"the seat signed an act of %s, for which it does not speak", e.Side)
		return
	case a.signed || a.accused:
		return
	case acts && held:
	case acts && !slices.Contains(c.opened.Sides, e.Side) && a.seat() == umpireSeat:
		c.unable(1, "acts of "+e.Side, "it is no side of the campaign, and no seat signs for it: they are the "+
			"umpire's word")
		return
	case acts && s.all:
	case a.seat() == umpireSeat:
		if c.ties.len()-1 == int(a.place) {
			c.unable(1, "what the umpire entered beside players who sign",
				"it is no act of a side of theirs: it is his word")
		}
		return
	default:
		of = a.seat()
	}
	key, keyed := s.keys[of]
	early := !keyed || int(a.place) < key.from
	if early && !s.all {
		return
	}
	if a.accused = true; a.absent {
		c.unable(1, "answers in the place of "+of, "the umpire gave them when its time was over, by his clock")
		return
	}
	if s.proxy {
		c.unable(1, "entries of "+of, "the umpire entered them: the campaign was opened so, and nobody else vouches "+
			"for them")
		return
	}
	if early {
		c.wrong(c.firstOf(a), CheckEnvelopes, "signed", nil, nil, "%s acts before its seat has a key, and all "+
			"entries are signed here", cmp.Or(e.Side, of))
		return
	}
	c.wrong(c.firstOf(a), CheckEnvelopes, "signed", nil, nil, "%s has a key, and did not sign this", of)
}

// declares takes a declaration of war, which names no side, for the act of the side that declares it. Earlier programs
// had the side sign it that drew cards first, or the umpire enter it: such a one is listed.
func (c *check) declares(p events.Payload, a *act) {
	s, by := c.signers, events.Declares(p)
	of, held := s.seats[by]
	key, keyed := s.keys[of]
	switch {
	case held && a.signed && of == a.seat():
		a.named, a.acts = true, true
	case held && (s.all || keyed && int(a.place) >= key.from):
		c.unable(1, "declarations of war by "+by, of+", who holds it, did not sign them")
	}
}

// putDown lists the cards of sides whose seats have keys and did not sign what was put down for them: the entry of
// another seat said so.
func (c *check) putDown(e *events.Event, a *act) {
	var opened events.ContestOpened
	var sides []string
	switch {
	case e.Read(&opened):
		c.signers.contests[a.of] = [2]string{opened.Acting, opened.Opposing}
	case e.Type == "choice_asked":
		delete(c.signers.contests, a.of)
	case e.Type == "contest_settled":
		if both, opened := c.signers.contests[a.of]; opened {
			sides = both[:]
			delete(c.signers.contests, a.of)
		}
	case e.Type == "play_committed":
		sides = []string{e.Side}
	}
	for _, side := range sides {
		of, held := c.signers.seats[side]
		key, keyed := c.signers.keys[of]
		if held && keyed && int(a.place) >= key.from && (!a.signed || a.seat() != of) {
			c.unable(1, fmt.Sprintf("the cards of %s in #%d", side, e.Index),
				of+" has a key, and did not sign which were put down: the entry listed them")
		}
	}
}

// unsealed finds commitments that players signed, and that no event has.
func (c *check) unsealed() {
	c.begins()
	places := slices.SortedFunc(maps.Keys(c.signers.sealed), func(a, b events.Place) int {
		return cmp.Or(cmp.Compare(a.Command, b.Command), cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Epoch, b.Epoch))
	})
	for _, place := range places {
		b := c.signers.sealed[place]
		c.wrong(&b.event, CheckEnvelopes, "commitments."+place.Slot, nil, b.hash,
			"the player committed to that, and no event does")
	}
}
