// Package seats lets players sign for their seats: the umpire invites one, the player brings his key, and asks what the
// record is to say of an entry before he signs it. Nothing here needs a token: a signature says who asks.
//
// An invitation is a token of package tokens that shows nothing, and is used up by the key that comes with it. Where
// nobody signs, it is the tokens of the seat's sides.
package seats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/tokens"
	"github.com/watu-ledger/watu/events"
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

// Why an invitation by a key is over, as the note of its token says.
const (
	used     = "used"     // it brought a key
	replaced = "replaced" // by another for the seat
)

// How a player is invited.
const (
	ByKey   = "key"   // which he makes, and signs with
	ByToken = "token" // by which the host knows him
)

// Invite asks for an invitation.
type Invite struct {
	Seat string `json:"seat"`
	// [ByKey] or [ByToken]; empty for a key where the campaign has players who sign, and for a token where it has none
	By string `json:"by,omitempty"`
}

// Invitation lets a player bring a key for his seat, once, or gives him the tokens of its sides.
type Invitation struct {
	Version  int       `json:"version"`
	Campaign string    `json:"campaign"`
	ID       string    `json:"id"` // ULID of the campaign
	Seat     string    `json:"seat"`
	Sides    []string  `json:"sides"`
	Expires  time.Time `json:"expires"`
	Tokens   []string  `json:"tokens,omitempty"` // one for each side; what follows is of an invitation by a key
	Code     string    `json:"code,omitempty"`
	Ledger   string    `json:"ledger,omitempty"`   // text of the ledger's key, for the player to keep
	Replaces string    `json:"replaces,omitempty"` // fingerprint of the key that the new one is to replace
	Ends     bool      `json:"ends,omitempty"`     // an earlier invitation for the seat, which was not used
}

// Link is what the player is sent, of a server by its address without a path. All that an invitation by a key says
// stands behind the #, which no browser sends.
func (v Invitation) Link(server string) string {
	if len(v.Tokens) > 0 {
		return service.LoginLink(server, v.Tokens...)
	}
	q := url.Values{"campaign": {v.ID}, "seat": {v.Seat}, "code": {v.Code}, "ledger": {v.Ledger}}
	return server + "/join#" + q.Encode()
}

// NewInvitation invites the player of a seat.
func NewInvitation(ctx context.Context, f *service.Service, name string, in Invite) (out Invitation, err error) {
	c, err := f.Stepping(name)
	if err != nil {
		return out, err
	}
	at, err := f.Umpire().AtHead(c.ID)
	if err != nil {
		return out, err
	}
	s, there := at.SeatNamed(in.Seat)
	out = Invitation{Version: maintenance.Version, Campaign: c.Name, ID: c.ID.String(), Seat: s.Name, Sides: s.Sides}
	switch {
	case !there:
		return out, problem.New(problem.Input, "nobody has the seat %q in campaign %s; %s", in.Seat, c.Name,
			words.There(at.SeatNames()))
	case s.Name == campaign.UmpireSeat:
		return out, problem.New(problem.Input, "the umpire signs with the ledger's key, and watu token new --umpire "+
			"gives him a link: invite a player")
	case in.By != "" && in.By != ByKey && in.By != ByToken:
		return out, problem.New(problem.Input, "a player is invited by %s or %s, not by %q", ByKey, ByToken, in.By)
	case in.By == ByToken || in.By == "" && !Signs(at):
		return out, out.give(f)
	}
	return out, out.keyed(ctx, f, c, at)
}

// Signs reports whether players sign in a campaign: because it was opened so, or because one has brought a key.
func Signs(at *campaign.Campaign) bool {
	return at.Signed || at.BySeats || len(at.Keys) > 0 || at.Hands == campaign.Players ||
		at.Dice == campaign.Attested || at.Dice == campaign.Contested
}

// give gives out a token for each side of the seat.
func (v *Invitation) give(f *service.Service) error {
	for _, side := range v.Sides {
		k, err := f.IssueToken(service.NewToken{Campaign: v.ID, As: side, Note: "for " + v.Seat})
		if err != nil {
			return err
		}
		v.Tokens, v.Expires = append(v.Tokens, k.Text), k.Expires
	}
	return nil
}

// keyed lets the player bring a key.
func (v *Invitation) keyed(ctx context.Context, f *service.Service, c ledger.Campaign, at *campaign.Campaign) error {
	k, err := f.Checkpoint(ctx, c, c.Events)
	if err != nil {
		return err
	}
	if k.Key == "" {
		return problem.New(problem.Unverified, "this copy has no key that signs, so a player could not "+
			"know it again")
	}
	now := time.Now().UTC().Truncate(time.Second)
	t, text, err := f.TokenBook().Issue(tokens.Token{Campaign: c.ID.String(), As: forKey + v.Seat, Issued: now,
		Expires: now.Add(InvitationLife)})
	if err == nil {
		v.Ends, err = replaceInvitations(f.TokenBook(), t, now)
	}
	v.Code, v.Ledger, v.Expires = text, k.Key, t.Expires
	if old, keyed := at.KeyOf(v.Seat); keyed {
		v.Replaces = old.Key.Fingerprint()
	}
	return err
}

// replaceInvitations ends the earlier invitations for the seat of a new one: who has a link that went astray would
// bring a key with it, though the player has joined by the next one.
func replaceInvitations(b *tokens.Book, last tokens.Token, now time.Time) (ended bool, err error) {
	list, err := b.All()
	for _, t := range list {
		if err == nil && t.Campaign == last.Campaign && t.As == last.As && t.ID != last.ID && t.Valid(now) {
			_, err = b.End(t.ID, now, replaced)
			ended = true
		}
	}
	return ended, err
}

// Joining brings a key: the code of the invitation, and a command that the key signed.
type Joining struct {
	Code     string `json:"code"`
	Envelope string `json:"envelope"`
}

// Stranger finds out cheaply whether whoever brings a key has an invitation. Anybody may ask.
func (in Joining) Stranger(f *service.Service, name string) error {
	_, _, _, err := in.invited(f, name)
	return err
}

// invited gives the invitation by which a key is brought.
func (in Joining) invited(f *service.Service, name string) (c ledger.Campaign, x envelope.Envelope, t tokens.Token,
	err error) {
	if c, err = f.Stepping(name); err != nil {
		return c, x, t, err
	}
	t, found := f.TokenBook().Find(strings.TrimSpace(in.Code))
	if !found || t.Campaign != c.ID.String() || !strings.HasPrefix(t.As, forKey) {
		return c, x, t, problem.New(problem.Refused, "there is no such invitation to campaign %s: ask the umpire for "+
			"one", c.Name)
	}
	if x, err = envelope.Parse(in.Envelope); err == nil && t.As != forKey+x.Seat {
		err = problem.New(problem.Refused, "this invitation is for another seat than %q", x.Seat)
	}
	return c, x, t, err
}

func over() *problem.Problem {
	return problem.New(problem.Refused, "this invitation was used, or another took its place: ask the "+
		"umpire for another")
}

// Join gives a seat the key that its player brings. A code that was used is good for the same key alone; one with which
// something is wrong stays unused.
func Join(f *service.Service, name string, in Joining) (out service.Submitted, err error) {
	c, x, t, err := in.invited(f, name)
	if err != nil {
		return out, err
	}
	signed := replay.SignedCommand{Envelope: in.Envelope}
	if _, known, err := f.Ledger().Command(c.ID, x.ID); err != nil || known { // it was lost on its way back
		return submit(f, c, x, signed, err)
	}
	now := time.Now().UTC().Truncate(time.Second)
	if t.Revoked != nil {
		return out, over()
	} else if !t.Valid(now) {
		return out, problem.New(problem.Refused, "this invitation expired on %s: ask the umpire for another",
			t.Expires.Format(time.DateOnly))
	}
	signed.Invited, signed.Check = true, true
	if a, err := f.Umpire().HearSigned(c.ID, signed); err != nil || a.Verdict == rules.Refused {
		return submit(f, c, x, signed, err)
	}
	if _, err := f.TokenBook().End(t.ID, now, used); errors.Is(err, tokens.ErrRevoked) { // another key was faster
		return out, over()
	} else if err != nil {
		return out, err
	}
	signed.Check = false
	return submit(f, c, x, signed, nil)
}

// Signed is a command that a player signed.
type Signed replay.SignedCommand

// Stranger finds out cheaply whether the seat signed. Anybody may ask.
func (s Signed) Stranger(f *service.Service, name string) error {
	_, _, err := s.signed(f, name)
	return err
}

func (s Signed) signed(f *service.Service, name string) (c ledger.Campaign, x envelope.Envelope, err error) {
	if c, err = f.Stepping(name); err == nil {
		x, err = envelope.Parse(s.Envelope)
	}
	if err == nil && verbOf(x.Request) != campaign.VerbKey { // which may come again, signed by the key that it replaced
		err = verify(f, c, x.Seat, x.Signature)
	}
	return c, x, err
}

// verify says that the key of a seat did not sign something.
func verify(f *service.Service, c ledger.Campaign, seat string, s envelope.Signature) error {
	at, err := f.Umpire().AtHead(c.ID)
	if err != nil {
		return err
	}
	key, keyed := at.KeyOf(seat)
	if !keyed {
		err = fmt.Errorf("the seat %q has no key in campaign %s: the umpire invites its player by watu seat "+
			"invite", seat, c.Name)
	} else {
		err = s.Verify(key.Key)
	}
	if err != nil {
		err = &problem.Problem{Kind: problem.Unverified, Message: err.Error(), Rule: rules.Signed}
	}
	return err
}

// verbOf is the verb of a request.
func verbOf(request json.RawMessage) string {
	var r campaign.Request
	_ = json.Unmarshal(request, &r) // an envelope that was read has one
	return r.Verb
}

// Submit hears a command that a player signed.
func Submit(f *service.Service, name string, s Signed) (out service.Submitted, err error) {
	c, x, err := s.signed(f, name)
	if err != nil {
		return out, err
	}
	if verbOf(x.Request) == campaign.VerbKey {
		return submit(f, c, x, replay.SignedCommand(s), nil)
	}
	var r campaign.Request
	_ = json.Unmarshal(x.Request, &r)
	is, err := own(f, c, x.Seat, r.Verb, rules.Unseal(r.Entry, s.Openings))
	if err != nil {
		return out, err
	}
	out, err = submit(f, c, x, replay.SignedCommand(s), nil)
	if !is && out.Problem != nil && len(out.Entries) > 0 && out.Entries[0].State == service.Stopped {
		out.Problem, out.Entries[0].Violations = withheld(), nil
	}
	return out, err
}

// own reports whether an entry is a seat's alone, or nothing in the campaign is hidden. Any other is judged by what the
// umpire knows, so why it is refused is for him to hear: it could say what others hold. One that is another side's by
// its own words is not judged at all.
func own(f *service.Service, c ledger.Campaign, seat, verb string, body json.RawMessage) (bool, error) {
	list, err := f.Seats(c)
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(list, func(s campaign.Seat) bool { return s.Name == seat })
	if at < 0 {
		return false, problem.New(problem.Input, "nobody has the seat %q in campaign %s", seat, c.Name)
	}
	if hides, err := f.Hides(c); err != nil || !hides {
		return !hides, err
	}
	described, err := f.Describe(c)
	if err == nil && timeline.OthersEntry(f.System(described.System), described.Sides, list[at].Sides, verb, body) {
		err = withheld()
	}
	if err != nil {
		return false, err
	}
	return f.OwnEntry(c, list[at].Sides, verb, body)
}

// withheld is the answer to whatever is refused that is not a seat's alone, so that nothing follows from its words.
func withheld() *problem.Problem {
	return problem.New(problem.Refused, "it is refused, or no act of your sides: the reason may say what others "+
		"hold, so ask the umpire for it")
}

func submit(f *service.Service, c ledger.Campaign, x envelope.Envelope, s replay.SignedCommand,
	err error) (service.Submitted, error) {
	if err != nil {
		return service.Submitted{Version: maintenance.Version, Campaign: c.Name, NotHeard: []string{}}, err
	}
	return heard(f, c, rules.Command{ID: x.ID, Verb: verbOf(x.Request)}, func() (replay.Answer, error) {
		return f.Umpire().HearSigned(c.ID, s)
	})
}

// heard says what became of something that a player signed.
func heard(f *service.Service, c ledger.Campaign, signed rules.Command,
	hear func() (replay.Answer, error)) (service.Submitted, error) {
	out := service.Submitted{Version: maintenance.Version, Campaign: c.Name, NotHeard: []string{}}
	e := turnfile.Entry{Command: signed}
	h := service.EntryResult{ID: e.ID, Verb: e.Verb, Happened: []timeline.NarratedEvent{}}
	a, err := hear()
	if out.Problem = f.Heard(c, "entry", e, &h, a, err); err != nil {
		out.Problem = f.PublicProblem(out.Problem)
	}
	if out.Problem != nil {
		out.Problem.Where = "entry" // which has no line here
	}
	if !h.Before() {
		out.Recorded = len(h.Happened)
	}
	out.Entries = append(out.Entries, h)
	if out.Waiting, err = f.Waiting(c); err != nil {
		return out, fmt.Errorf("what is recorded stands: %w", err)
	}
	return out, nil
}

// Order is a standing order that a player signed: its envelope.
type Order struct {
	Envelope string `json:"envelope"`
}

// Stranger finds out cheaply whether the seat signed. Anybody may ask.
func (o Order) Stranger(f *service.Service, name string) error {
	c, err := f.Stepping(name)
	if err != nil {
		return err
	}
	x, err := envelope.ParseOrder(o.Envelope)
	if err != nil {
		return err
	}
	return verify(f, c, x.Seat, x.Signature)
}

// Stand takes a standing order, and answers by it what is open.
func Stand(f *service.Service, name string, o Order) (out service.Submitted, err error) {
	c, err := f.Stepping(name)
	if err != nil {
		return out, err
	}
	return heard(f, c, rules.Command{ID: "order", Verb: "order"}, func() (replay.Answer, error) {
		return f.Umpire().HearOrder(c.ID, o.Envelope)
	})
}

// Draft asks what a player has to sign of an entry. Who asks follows from his signature.
type Draft struct {
	Envelope string `json:"envelope"` // of an inquiry, with the whole entry
	// Discloses is as in what is signed then: cards that the entry plays.
	Discloses []events.Opening `json:"discloses,omitempty"`
}

// Stranger finds out cheaply whether the seat signed. Anybody may ask.
func (d Draft) Stranger(f *service.Service, name string) error {
	_, _, err := d.signed(f, name)
	return err
}

func (d Draft) signed(f *service.Service, name string) (c ledger.Campaign, q envelope.SignedInquiry, err error) {
	if c, err = f.Stepping(name); err == nil {
		q, err = envelope.ParseInquiry(d.Envelope)
	}
	if err == nil {
		err = verify(f, c, q.Seat, q.Signature)
	}
	return c, q, err
}

// FormOf says what a player has to sign of an entry.
func FormOf(f *service.Service, name string, d Draft) (form replay.Form, err error) {
	c, q, err := d.signed(f, name)
	if err != nil {
		return form, err
	}
	var r campaign.Request
	_ = json.Unmarshal(q.Request, &r)
	is, err := own(f, c, q.Seat, r.Verb, r.Entry)
	if err != nil {
		return form, err
	}
	form, a, err := f.Umpire().FormOf(c.ID, q, d.Discloses)
	switch {
	case err != nil || a.Verdict != rules.Refused:
		return form, err
	case !is:
		return form, withheld()
	}
	return form, problem.OfViolations("entry", a.Violations)
}
