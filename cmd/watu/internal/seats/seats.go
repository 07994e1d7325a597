// Package seats lets players sign for their seats: the umpire invites one, the player brings his key, and asks what the
// record is to say of an entry before he signs it. Nothing here needs a token: a signature says who asks.
//
// An invitation is a token of package tokens that shows nothing, and is used up by the key that comes with it.
package seats

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/tokens"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// InvitationLife is how long an invitation holds.
const InvitationLife = 14 * 24 * time.Hour

// forKey begins what an invitation is for, before the seat.
const forKey = "key of "

// Invite asks for an invitation.
type Invite struct {
	Seat string `json:"seat"`
}

// Invitation lets a player bring a key for his seat, once.
type Invitation struct {
	Version  int       `json:"version"`
	Campaign string    `json:"campaign"`
	ID       string    `json:"id"` // ULID of the campaign
	Seat     string    `json:"seat"`
	Sides    []string  `json:"sides"`
	Code     string    `json:"code"`
	Ledger   string    `json:"ledger"` // text of the ledger's key, for the player to keep
	Expires  time.Time `json:"expires"`
	Replaces string    `json:"replaces,omitempty"` // fingerprint of the key that the new one is to replace
}

// NewInvitation invites the player of a seat. The ledger's key is that which signs its checkpoints.
func NewInvitation(f *service.Service, name string, in Invite, ledgerKey string) (out Invitation, err error) {
	c, err := f.Stepping(name)
	if err != nil {
		return out, err
	}
	at, err := f.Umpire().AtHead(c.ID)
	if err != nil {
		return out, err
	}
	s, there := at.SeatNamed(in.Seat)
	switch {
	case !there:
		return out, problem.New(problem.Input, "nobody has the seat %q in campaign %s; %s", in.Seat, c.Name,
			words.There(at.SeatNames()))
	case s.Name == campaign.UmpireSeat:
		return out, problem.New(problem.Input, "the umpire signs with the ledger's key: invite a player")
	case ledgerKey == "":
		return out, problem.New(problem.Unverified, "this copy has no key that signs, so a player could not "+
			"know it again")
	}
	now := time.Now().UTC().Truncate(time.Second)
	t, text, err := f.TokenBook().Issue(tokens.Token{Campaign: c.ID.String(), As: forKey + s.Name, Issued: now,
		Expires: now.Add(InvitationLife)})
	out = Invitation{Version: maintenance.Version, Campaign: c.Name, ID: c.ID.String(), Seat: s.Name, Sides: s.Sides,
		Code: text, Ledger: ledgerKey, Expires: t.Expires}
	if old, keyed := at.KeyOf(s.Name); keyed {
		out.Replaces = old.Key.Fingerprint()
	}
	return out, err
}

// Joining brings a key: the code of the invitation, and a command that the key signed.
type Joining struct {
	Code     string `json:"code"`
	Envelope string `json:"envelope"`
}

// Join gives a seat the key that its player brings. A code that was used is good for the same key alone.
func Join(f *service.Service, name string, in Joining) (out service.Submitted, err error) {
	c, err := f.Stepping(name)
	if err != nil {
		return out, err
	}
	x, err := envelope.Parse(in.Envelope)
	if err != nil {
		return out, err
	}
	t, found := f.TokenBook().Find(strings.TrimSpace(in.Code))
	if !found || t.Campaign != c.ID.String() || t.As != forKey+x.Seat {
		return out, problem.New(problem.Refused, "there is no such invitation to campaign %s: ask the umpire for one",
			c.Name)
	}
	signed := replay.SignedCommand{Envelope: in.Envelope}
	if _, known, err := f.Ledger().Command(c.ID, x.ID); err != nil || known { // it was lost on its way back
		return submit(f, c, signed, err)
	}
	now := time.Now().UTC().Truncate(time.Second)
	if !t.Valid(now) {
		return out, problem.New(problem.Refused, "this invitation was used, or it expired on %s: ask the umpire for "+
			"another", t.Expires.Format(time.DateOnly))
	}
	if _, err := f.TokenBook().Revoke(t.ID, now); err != nil { // before it counts: it counts once
		return out, err
	}
	signed.Invited = true
	return submit(f, c, signed, nil)
}

// Submit hears a command that a player signed.
func Submit(f *service.Service, name string, s replay.SignedCommand) (out service.Submitted, err error) {
	c, err := f.Stepping(name)
	if err != nil {
		return out, err
	}
	x, err := envelope.Parse(s.Envelope)
	if err != nil {
		return out, err
	}
	var r campaign.Request
	_ = json.Unmarshal(x.Request, &r)
	if r.Verb != campaign.VerbKey {
		err = own(f, c, x, rules.Unseal(r.Entry, s.Openings))
	}
	return submit(f, c, s, err)
}

// own refuses what is not for a player to enter by himself. What is judged of it could say what others hold.
func own(f *service.Service, c ledger.Campaign, x envelope.Envelope, body json.RawMessage) error {
	var r campaign.Request
	_ = json.Unmarshal(x.Request, &r)
	list, err := f.Seats(c)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(list, func(s campaign.Seat) bool { return s.Name == x.Seat })
	if at < 0 {
		return problem.New(problem.Input, "nobody has the seat %q in campaign %s", x.Seat, c.Name)
	}
	is, err := f.OwnEntry(c, list[at].Sides, r.Verb, body)
	if err == nil && !is {
		err = problem.New(problem.Refused, "%q is for the umpire to hand in: %s answers what it is asked, says what "+
			"is its sides' own alone, says how dice fell, and disputes", r.Verb, x.Seat)
	}
	return err
}

func submit(f *service.Service, c ledger.Campaign, s replay.SignedCommand, err error) (service.Submitted, error) {
	out := service.Submitted{Version: maintenance.Version, Campaign: c.Name, NotHeard: []string{}}
	if err != nil {
		return out, err
	}
	x, err := envelope.Parse(s.Envelope)
	if err != nil {
		return out, err
	}
	var r campaign.Request
	_ = json.Unmarshal(x.Request, &r)
	h := service.EntryResult{ID: x.ID, Verb: r.Verb, Happened: []timeline.NarratedEvent{}}
	a, err := f.Umpire().HearSigned(c.ID, s)
	out.Problem = f.Heard(c, "entry", turnfile.Entry{Command: rules.Command{ID: x.ID, Verb: r.Verb}}, &h, a, err)
	if !h.Before() {
		out.Recorded = len(h.Happened)
	}
	out.Entries = append(out.Entries, h)
	if out.Waiting, err = f.Waiting(c); err != nil {
		return out, fmt.Errorf("what is recorded stands: %w", err)
	}
	return out, nil
}

// Draft asks what a player has to sign of an entry. Who asks follows from his signature.
type Draft struct {
	ID       string `json:"id,omitempty"` // of the entry; empty for one without
	Envelope string `json:"envelope"`     // with the whole entry, and without an id
}

// FormOf says what a player has to sign of an entry.
func FormOf(f *service.Service, name string, d Draft) (form replay.Form, err error) {
	c, err := f.Stepping(name)
	if err != nil {
		return form, err
	}
	x, err := envelope.Parse(d.Envelope)
	if err != nil {
		return form, err
	}
	var r campaign.Request
	_ = json.Unmarshal(x.Request, &r)
	if err := own(f, c, x, r.Entry); err != nil {
		return form, err
	}
	form, a, err := f.Umpire().FormOf(c.ID, x, d.ID)
	if err == nil && a.Verdict == rules.Refused {
		err = problem.OfViolations("entry", a.Violations)
	}
	return form, err
}
