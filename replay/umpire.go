package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// Umpire hears commands and appends what follows from them. It may be used by several
// goroutines; commands of one campaign are heard one after the other.
type Umpire struct {
	ledger  journal.Journal
	keys    *keys.Keys
	boards  *Boards
	systems map[string]rules.System
	games   *games
	now     func() time.Time

	refusals *Refusals  // nil if they are not kept
	whatIf   *whatIfRun // that is heard here; nil for the umpire of a record

	mu   sync.Mutex
	live map[ulid.ULID]*liveCampaign
}

// liveCampaign is a campaign at its head, folded once and kept.
type liveCampaign struct {
	mu       sync.Mutex
	campaign *Campaign // nil until folded
	timeline *timeline // whose head that is; nil until somebody asks for some state of the campaign
	secrets  keys.Secrets
}

// NewUmpire hears commands for the campaigns of a journal.
func NewUmpire(j journal.Journal, v *keys.Keys, s *Boards, systems ...rules.System) *Umpire {
	u := &Umpire{ledger: j, keys: v, boards: s, systems: map[string]rules.System{}, games: &games{},
		now: time.Now, live: map[ulid.ULID]*liveCampaign{}}
	for _, s := range systems {
		u.systems[s.Name] = s
	}
	return u
}

// Answer is what a command is answered. It is kept with the command for good. A refusal leaves
// no events, but for a ruling that was asked for: the ruling stands, and what is refused is the
// command that waited for it.
type Answer struct {
	Command    string            `json:"command"`
	Verdict    rules.Verdict     `json:"verdict"`
	First      uint64            `json:"first"`  // index of the first event appended
	Events     int               `json:"events"` // how many
	Question   string            `json:"question,omitempty"`
	Of         string            `json:"of,omitempty"` // who must answer the question
	Options    []string          `json:"options,omitempty"`
	Violations []rules.Violation `json:"violations,omitempty"`
	Waited     string            `json:"waited,omitempty"` // the command that waited, if it is what is refused
	Again      bool              `json:"again,omitempty"`  // given before, for the same command
	Unchecked  bool              `json:"unchecked,omitempty"`

	Epoch     uint64 `json:"-"` // index of the event by which an epoch began before this, now; 0 if none did
	TakenBack uint64 `json:"-"` // again: the event by which what the command led to was voided; 0 if it stands
}

// Errors that callers tell apart.
var (
	ErrUnknownCampaign = errors.New("no such campaign")
	ErrUnknownSystem   = errors.New("no such system of rules")
	ErrQuestionOpen    = errors.New("a question is open")
	ErrNoQuestion      = errors.New("no question is open")
)

// Find gives the campaign of that name or ULID.
func (u *Umpire) Find(nameOrID string) (journal.Campaign, error) {
	c, ok := u.ledger.Find(nameOrID)
	if !ok {
		return c, fmt.Errorf("%w: %q", ErrUnknownCampaign, nameOrID)
	}
	return c, nil
}

// At folds a campaign, as the umpire sees it, up to the given number of events; use
// [Everything] for its head.
func (u *Umpire) At(id ulid.ULID, events uint64) (*Campaign, error) {
	t := u.liveOf(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := u.follow(t, id); err != nil {
		return nil, err
	}
	return t.timeline.at(events)
}

// Everything is the end of a campaign, for [Umpire.At].
const Everything = math.MaxUint64

// AtHead gives a campaign where it stands, from the live campaign: it is folded only where nothing has been heard yet.
// It is a copy, without what the live campaign alone goes on with.
func (u *Umpire) AtHead(id ulid.ULID) (*Campaign, error) {
	t, err := u.acquire(id)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	c := *t.campaign
	c.chains, c.heard = nil, hearing{}
	return &c, nil
}

// Hear judges a command and appends what follows. The error is for what went wrong; a
// refusal is an answer.
func (u *Umpire) Hear(id ulid.ULID, c rules.Command) (Answer, error) { return u.hear(id, c, false) }

// Check judges a command as far as that needs no dice, and appends nothing. Unchecked is set
// in the answer where dice or cards would be needed to say more.
func (u *Umpire) Check(id ulid.ULID, c rules.Command) (Answer, error) { return u.hear(id, c, true) }

func (u *Umpire) hear(id ulid.ULID, c rules.Command, dry bool) (Answer, error) {
	t, err := u.acquire(id)
	if err != nil {
		return Answer{}, err
	}
	defer t.mu.Unlock()
	digest := events.CommandDigest(t.secrets.First(), c.ID, c.Body)
	if a, done, err := u.heardBefore(t, c, digest); done || err != nil {
		if by, void := t.campaign.takenBack(c.ID); void {
			a.TakenBack = by
		}
		return a, err
	}
	if dry {
		_, answer, err := u.judge(t, c, true)
		return answer, err
	}
	next := t.campaign.Next
	if err := u.lastingChains(t); err != nil {
		return Answer{}, err
	}
	begun := t.campaign.Next > next
	answer, err := u.decide(t, c, digest)
	if begun { // and stands, whatever is answered
		answer.Epoch = next
	}
	return answer, err
}

// decide judges a command and appends what follows.
func (u *Umpire) decide(t *liveCampaign, c rules.Command, digest events.Hash) (Answer, error) {
	steps, answer, err := u.judge(t, c, false)
	if err == nil && len(steps) > 0 && !u.stated(t, steps) { // what follows has its places behind that
		if err = u.stateRules(t); err == nil {
			steps, answer, err = u.judge(t, c, false)
		}
	}
	if err != nil {
		return answer, err
	}
	if len(steps) == 0 {
		u.noteRefusal(t, c, answer)
		return answer, nil
	}
	return u.append(t, c.ID, digest, steps, answer)
}

// Name gives the id of an entry that came without one, in its turn: the same entry in the same turn, the same id.
// An answer or a ruling is named after the question too, for it is given to the one that is open
// now: the same words to the next question are another answer. The name is keyed by the
// campaign's secret, because ids are public and an entry may hold a secret that few guesses
// would find. An entry of another seat than the umpire's is named after that seat too,
// and one that was taken back and comes again after the event that took it back.
func (u *Umpire) Name(id ulid.ULID, c rules.Command) (string, error) {
	t, err := u.acquire(id)
	if err != nil {
		return "", err
	}
	defer t.mu.Unlock()
	what := "entry of " + c.Turn
	if to, ok := t.campaign.Open.answeredBy(c.Verb); ok {
		what = fmt.Sprintf("%s, to #%d", what, to)
	}
	if s, ok := t.campaign.seatNamed(c.Seat); ok && s.Name != UmpireSeat {
		what += ", by " + s.Name
	}
	for {
		name := turnfile.ID(c.Turn, "e-"+events.CommandDigest(t.secrets.First(), what, c.Body).String()[:16])
		by, taken := t.campaign.takenBack(name)
		if !taken {
			return name, nil
		}
		what += fmt.Sprintf(", after #%d", by)
	}
}

// answered gives the first answer again if the command has been heard before.
func (u *Umpire) answered(id ulid.ULID, command string, digest events.Hash) (Answer, bool, error) {
	old, found, err := u.ledger.Command(id, command)
	if err != nil || !found {
		return Answer{}, false, err
	}
	if !old.Digest.IsZero() && old.Digest != digest { // zero: recovered, and no longer known to the byte
		return Answer{}, false, fmt.Errorf("entry %q: %w", command, journal.ErrEdited)
	}
	if err := u.ledger.Confirm(id, command, old); err != nil {
		return Answer{}, false, err
	}
	var a Answer
	err = json.Unmarshal(old.Answer, &a)
	a.Again = true
	return a, true, err
}

// part is a run of events that one command led to, within the step being made.
type part struct {
	command string
	seat    string
	request *Request
	drafts  []rules.Draft
}

// judge finds what follows from a command: nothing to append for a refusal.
func (u *Umpire) judge(t *liveCampaign, c rules.Command, dry bool) ([]part, Answer, error) {
	if violations := t.campaign.Admit(&c); len(violations) > 0 {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: violations}, nil
	}
	open := t.campaign.Open
	switch {
	case c.Verb == verbReveal:
		return u.reveal(t, c)
	case isDispute(c.Verb):
		return u.judgeDispute(t, c)
	case open == nil && c.Verb == verbAnswer:
		return nil, Answer{}, fmt.Errorf("entry %q: %w, so there is nothing to answer", c.ID, ErrNoQuestion)
	case open == nil && (c.Verb == verbDice || c.Verb == verbConfirm):
		return nil, Answer{}, fmt.Errorf("entry %q: %w, so no dice are asked for", c.ID, ErrNoQuestion)
	case open == nil:
		return u.judgeNew(t, c, dry)
	case open.Choice != nil && c.Verb == verbAnswer:
		return u.judgeAnswer(t, c, dry)
	case open.Refer != nil && c.Verb == verbRule:
		return u.judgeRuling(t, c, dry)
	case open.Roll != nil && open.Roll.Typed == nil && c.Verb == verbDice:
		return u.judgeDice(t, c)
	case open.Roll != nil && open.Roll.Typed != nil && c.Verb == verbConfirm:
		return u.judgeConfirmation(t, c, dry)
	}
	return nil, Answer{}, &OpenError{Command: c.ID, Question: *open}
}

// OpenError says that a question must be answered first.
type OpenError struct {
	Command  string
	Question Question
}

func (e *OpenError) Error() string {
	q := e.Question
	return fmt.Sprintf("entry %q has to wait until %s answers #%d: %s Add an entry such as %s", e.Command, q.Of(),
		q.Index, q.Text(), q.Example())
}

// Unwrap makes the error an ErrQuestionOpen.
func (e *OpenError) Unwrap() error { return ErrQuestionOpen }

func (u *Umpire) judgeNew(t *liveCampaign, c rules.Command, dry bool) ([]part, Answer, error) {
	o, err := u.run(t, judgement{before: t.campaign.Game, command: c, place: t.campaign.places(), dry: dry})
	if err != nil {
		return nil, Answer{}, err
	}
	if violations := t.campaign.disputed(o.Drafts); len(violations) > 0 {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: violations}, nil
	}
	return partsOf(t.campaign, c, o, part{command: c.ID, seat: c.Seat, request: requestOf(c, o), drafts: o.Drafts})
}

// judgeAnswer lets a side choose, and the command that waits goes on.
func (u *Umpire) judgeAnswer(t *liveCampaign, c rules.Command, dry bool) ([]part, Answer, error) {
	var f rules.Findings
	if t.campaign.today(c, &f); f.Refused() {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: f.Violations}, nil
	}
	open := t.campaign.Open.Choice
	options, violations := readAnswer(c, open)
	if len(violations) > 0 {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: violations}, nil
	}
	return u.resume(t, reply{command: c, request: answerRequest(c, open), answer: rules.Answer{Options: options},
		events: 1}, dry)
}

// reply answers the open question.
type reply struct {
	command rules.Command
	request *Request // its recorded form
	answer  rules.Answer
	events  int // how many of the events to come are the reply's own
}

// resume goes on with the command that waits, with one answer more, on the state at its
// declaration.
func (u *Umpire) resume(t *liveCampaign, r reply, dry bool) ([]part, Answer, error) {
	indexes := t.campaign.heard.indexes
	heard, known, err := t.heard()
	if err != nil {
		return nil, Answer{}, err
	}
	waiting, err := commandOf(heard[0], known)
	if err != nil {
		return nil, Answer{}, err
	}
	answers, err := rehear.Recorded(heard, known, u.drawn(t))
	if err != nil {
		return nil, Answer{}, err
	}
	o, err := u.run(t, judgement{
		before: t.campaign.heard.before, command: waiting, given: append(answers, r.answer),
		place: t.campaign.places(indexes...), dry: dry,
	})
	if err != nil || o.Verdict == rules.Refused {
		return nil, Answer{Command: r.command.ID, Verdict: rules.Refused, Violations: o.Violations,
			Waited: waiting.ID}, err
	}
	if len(o.Drafts) < len(indexes)+r.events {
		return nil, Answer{}, fmt.Errorf("the ruling on %q no longer follows its record", waiting.ID)
	}
	made, rest := o.Drafts[len(indexes):len(indexes)+r.events], o.Drafts[len(indexes)+r.events:]
	return partsOf(t.campaign, r.command, o,
		part{command: r.command.ID, seat: r.command.Seat, request: r.request, drafts: made},
		part{command: waiting.ID, seat: waiting.Seat, drafts: rest})
}

// judgeRuling settles the option that was asked for, and hears the command again that had to
// wait for it. The ruling stands even if that command is refused then.
func (u *Umpire) judgeRuling(t *liveCampaign, c rules.Command, dry bool) ([]part, Answer, error) {
	open := t.campaign.Open
	ruled, answer, err := u.judgeNew(t, c, dry)
	if err != nil || len(ruled) == 0 {
		return nil, answer, err
	}
	for _, d := range ruled[0].drafts {
		if p, ok := d.Payload.(*events.OptionRuled); ok {
			if p.Option != open.Refer.Option {
				return nil, Answer{}, &OpenError{Command: c.ID, Question: *open}
			}
			p.Referred = open.Index
		}
	}
	waiting, o, err := u.judgeWaiting(t, ruled, dry)
	if err != nil {
		return nil, Answer{}, err
	}
	parts, answer, err := partsOf(t.campaign, c, o, append(ruled,
		part{command: waiting.ID, seat: waiting.Seat, request: requestOf(waiting, o), drafts: o.Drafts})...)
	if answer.Verdict == rules.Refused {
		answer.Waited = waiting.ID
		return ruled, answer, err
	}
	return parts, answer, err
}

// judgeWaiting hears the command that was referred, on the state after the ruling.
func (u *Umpire) judgeWaiting(t *liveCampaign, ruled []part, dry bool) (rules.Command, rules.Outcome, error) {
	heard, known, err := t.heard()
	if err != nil {
		return rules.Command{}, rules.Outcome{}, err
	}
	waiting, err := commandOf(heard[len(heard)-1], known)
	if err != nil {
		return rules.Command{}, rules.Outcome{}, err
	}
	list, _, err := u.events(t, ruled)
	if err != nil {
		return rules.Command{}, rules.Outcome{}, err
	}
	game := t.campaign.Game
	if last := len(list) - 1; last >= 0 {
		game = list[last].after
	}
	next := t.campaign.Next + uint64(len(list))
	o, err := u.run(t, judgement{before: game, command: waiting, place: func(n int) uint64 { return next + uint64(n) },
		dry: dry})
	return waiting, o, err
}

// partsOf gives the parts to append and the answer, for an outcome.
func partsOf(at *Campaign, c rules.Command, o rules.Outcome, parts ...part) ([]part, Answer, error) {
	a := Answer{Command: c.ID, Verdict: o.Verdict, Violations: o.Violations}
	if n := o.Need; n != nil {
		switch {
		case n.Choice != nil:
			a = asked(c, &Question{Choice: n.Choice})
		case n.Refer != nil:
			a = asked(c, &Question{Refer: n.Refer})
			a.Verdict = rules.Referred
		case at.throws(n):
			a = asked(c, &Question{Roll: &TableRoll{Declared: n.Roll, Side: n.Side, Seats: at.seatNames()}})
		default: // a dry run stops before dice
			a.Verdict, a.Unchecked = rules.Allowed, true
		}
	}
	if o.Verdict == rules.Refused {
		return nil, a, nil
	}
	for _, p := range parts {
		a.Events += len(p.drafts)
	}
	return parts, a, nil
}

// asked is the answer to a command that has to wait for a question.
func asked(c rules.Command, q *Question) Answer {
	return Answer{Command: c.ID, Verdict: rules.Asked, Question: q.Text(), Of: q.Of(), Options: q.Options()}
}
