package bundle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unique"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
)

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
			c.unable(1, "the umpire's own entries",
				"they act for no side whose player signs: nobody else vouches for them")
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
