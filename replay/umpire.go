package replay

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay/campaign"
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
	games   *campaign.Games
	now     func() time.Time

	refusals  *Refusals       // nil if they are not kept
	orders    *Orders         // nil if none are taken
	simulated SimulatedChance // nil for the umpire of a record: see [Simulator]

	mu   sync.Mutex
	live map[ulid.ULID]*liveCampaign
}

// liveCampaign is a campaign at its head, folded once and kept.
type liveCampaign struct {
	mu       sync.Mutex
	campaign *campaign.Campaign // nil until folded
	timeline *campaign.Timeline // whose head that is; nil until somebody asks for some state of the campaign
	tree     *tree.Tree         // of its events, as far as it has grown; nil until a roll by a beacon needs it
	secrets  keys.Secrets
	at       time.Time // of what is heard now: by one reading of the clock it is in time, and recorded
}

// NewUmpire hears commands for the campaigns of a journal.
func NewUmpire(j journal.Journal, v *keys.Keys, s *Boards, systems ...rules.System) *Umpire {
	u := &Umpire{ledger: j, keys: v, boards: s, systems: map[string]rules.System{}, games: &campaign.Games{},
		now: time.Now, live: map[ulid.ULID]*liveCampaign{}}
	for _, s := range systems {
		u.systems[s.Name] = s
	}
	return u
}

// Journal gives the journal of the campaigns.
func (u *Umpire) Journal() journal.Journal { return u.ledger }

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

	Warnings  []string `json:"-"` // what may be a slip though no rule forbids it, now
	Epoch     uint64   `json:"-"` // index of the event by which an epoch began before this, now; 0 if none did
	Ordered   int      `json:"-"` // how many events follow in which standing orders answered, now
	TakenBack uint64   `json:"-"` // again: the event by which what the command led to was voided; 0 if it stands
}

// Find gives the campaign of that name or ULID.
func (u *Umpire) Find(nameOrID string) (journal.Campaign, error) {
	c, ok := u.ledger.Find(nameOrID)
	if !ok {
		return c, fmt.Errorf("%w: %q", campaign.ErrUnknownCampaign, nameOrID)
	}
	return c, nil
}

// At folds a campaign, as the umpire sees it, up to the given number of events; use
// [campaign.Everything] for its head.
func (u *Umpire) At(id ulid.ULID, events uint64) (*campaign.Campaign, error) {
	t := u.liveOf(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := u.follow(t, id); err != nil {
		return nil, err
	}
	return t.timeline.At(events)
}

// AtHead gives a campaign where it stands, from the live campaign: it is folded only where nothing has been heard yet.
// It is a copy.
func (u *Umpire) AtHead(id ulid.ULID) (*campaign.Campaign, error) {
	t, err := u.acquire(id)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	return t.campaign.Copied(), nil
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
	return u.hearOn(t, c, nil, dry)
}

// hearOn hears a command on a campaign that the caller has locked, with its signature if it has one.
func (u *Umpire) hearOn(t *liveCampaign, c rules.Command, s *signature, dry bool) (Answer, error) {
	if a, done, err := u.heardBefore(t, c, s); done || err != nil {
		if by, void := t.campaign.TakenBack(c.ID); void {
			a.TakenBack = by
		}
		return a, err
	}
	if asked, _ := t.campaign.Open.AnsweredBy(c.Verb); c.Asked != 0 && asked != c.Asked {
		return refusal(c, []rules.Violation{{Rule: rules.Input, Message: fmt.Sprintf(
			"question #%d is not open any more", c.Asked)}}), nil
	}
	// what is for a side to enter is decided before dice fall, or a refusal would show them
	if dry || c.As != "" || s != nil && t.cautious(c) {
		steps, answer, err := u.judge(t, c, true)
		violations := t.signed(c, steps, s, u.simulated != nil)
		if len(violations) == 0 {
			violations = t.alone(c, steps, answer, s != nil)
		}
		switch {
		case err != nil || dry && len(violations) == 0:
			return answer, err
		case len(violations) > 0:
			return refusal(c, violations), nil
		}
	}
	next := t.campaign.Next
	if err := u.lastingChains(t); err != nil {
		return Answer{}, err
	}
	begun := t.campaign.Next > next
	if violations, err := u.checkSigned(t, s); len(violations) > 0 || err != nil {
		return refusal(c, violations), err
	}
	answer, err := u.decide(t, c, s)
	if err == nil && (s == nil || !s.standing) {
		answer.Ordered, _ = u.byOrders(t) // what stands in the way of an order leaves its player to answer
	}
	if begun { // and stands, whatever is answered
		answer.Epoch = next
	}
	return answer, err
}

// decide judges a command and appends what follows.
func (u *Umpire) decide(t *liveCampaign, c rules.Command, s *signature) (Answer, error) {
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
	violations := t.signed(c, steps, s, u.simulated != nil)
	if len(violations) == 0 {
		violations, err = u.checkHand(t, steps)
	}
	if len(violations) > 0 || err != nil {
		return refusal(c, violations), err
	}
	return u.append(t, c.ID, t.digest(c, s), steps, answer)
}

// refusal is the answer to a command that is refused for what it is, not by the system's rules.
func refusal(c rules.Command, violations []rules.Violation) Answer {
	return Answer{Command: c.ID, Verdict: rules.Refused, Violations: violations}
}

// CommandID gives the id of an entry that came without one, in its turn: the same entry in the same turn, the same id.
// An answer or a ruling is named after the question too, for it is given to the one that is open
// now: the same words to the next question are another answer. The name is keyed by the
// campaign's secret, because ids are public and an entry may hold a secret that few guesses
// would find. An entry of another seat than the umpire's is named after that seat too,
// and one that was taken back and comes again after the event that took it back.
func (u *Umpire) CommandID(id ulid.ULID, c rules.Command) (string, error) {
	t, err := u.acquire(id)
	if err != nil {
		return "", err
	}
	defer t.mu.Unlock()
	what := "entry of " + c.Turn
	if to, ok := t.campaign.Open.AnsweredBy(c.Verb); ok {
		what = fmt.Sprintf("%s, to #%d", what, to)
	}
	if s, ok := t.campaign.SeatNamed(c.Seat); ok && s.Name != campaign.UmpireSeat {
		what += ", by " + s.Name
	}
	for {
		name := turnfile.ID(c.Turn, "e-"+events.CommandDigest(t.secrets.First(), what, c.Body).String()[:16])
		by, taken := t.campaign.TakenBack(name)
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

// judge finds what follows from a command: nothing to append for a refusal.
func (u *Umpire) judge(t *liveCampaign, c rules.Command, dry bool) ([]campaign.Part, Answer, error) {
	if violations := t.campaign.Admit(&c); len(violations) > 0 {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: violations}, nil
	}
	open := t.campaign.Open
	switch {
	case c.Verb == campaign.VerbReveal:
		return u.reveal(t, c)
	case c.Verb == campaign.VerbDeclassify:
		return u.judgeDeclassify(t, c)
	case campaign.IsDisputeVerb(c.Verb):
		return u.judgeDispute(t, c)
	case c.Verb == campaign.VerbHand && open != nil && open.Roll == nil:
		return u.judgeNew(t, c, dry)
	case open == nil && c.Verb == campaign.VerbAnswer:
		return nil, Answer{}, fmt.Errorf("entry %q: %w, so there is nothing to answer", c.ID, campaign.ErrNoQuestion)
	case open == nil && slices.Contains([]string{campaign.VerbDice, campaign.VerbConfirm, campaign.VerbRound,
		campaign.VerbLapse, campaign.VerbUnwitnessed, campaign.VerbLink}, c.Verb):
		return nil, Answer{}, fmt.Errorf("entry %q: %w, so no dice are asked for", c.ID, campaign.ErrNoQuestion)
	case open == nil:
		return u.judgeNew(t, c, dry)
	case open.Choice != nil && c.Verb == campaign.VerbAnswer:
		return u.judgeAnswer(t, c, dry)
	case open.Refer != nil && c.Verb == campaign.VerbRule:
		return u.judgeRuling(t, c, dry)
	case open.Roll != nil && open.Roll.Contested() && c.Verb == campaign.VerbLink:
		return u.judgeLink(t, c, dry)
	case open.Roll != nil && open.Roll.Contested() && c.Verb == campaign.VerbDice:
		return u.judgeWithheld(t, c, dry)
	case open.Roll != nil && open.Roll.Contested():
	case open.Roll != nil && open.Roll.Awaits() && c.Verb == campaign.VerbRound:
		return u.judgeRound(t, c, dry)
	case open.Roll != nil && open.Roll.Awaits() && c.Verb == campaign.VerbLapse:
		return u.judgeLapse(t, c)
	case open.Roll != nil && open.Roll.Awaits() && c.Verb == campaign.VerbUnwitnessed:
		return u.judgeUnwitnessed(t, c, dry)
	case open.Roll != nil && open.Roll.Awaits():
	case open.Roll != nil && open.Roll.Typed == nil && c.Verb == campaign.VerbDice:
		return u.judgeDice(t, c)
	case open.Roll != nil && open.Roll.Typed != nil && c.Verb == campaign.VerbConfirm:
		return u.judgeConfirmation(t, c, dry)
	}
	return nil, Answer{}, &OpenError{Command: c.ID, Question: *open}
}

// OpenError says that a question must be answered first.
type OpenError struct {
	Command  string
	Question campaign.Question
}

func (e *OpenError) Error() string {
	q := e.Question
	text := fmt.Sprintf("entry %q has to wait until %s answers #%d: %s", e.Command, q.Of(), q.Index, q.Text())
	if example := q.Example(); example != "" {
		text += " Add an entry such as " + example
	}
	return text
}

// Unwrap makes the error an ErrQuestionOpen.
func (e *OpenError) Unwrap() error { return campaign.ErrQuestionOpen }

func (u *Umpire) judgeNew(t *liveCampaign, c rules.Command, dry bool) ([]campaign.Part, Answer, error) {
	o, err := u.run(t, Judgement{Before: t.campaign.Game, Command: c, Place: t.campaign.Places(), dry: dry})
	if err != nil {
		return nil, Answer{}, err
	}
	if violations := t.campaign.CheckDispute(o.Drafts); len(violations) > 0 {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: violations}, nil
	}
	return partsOf(t.campaign, c, o, campaign.Part{Command: c.ID, Seat: c.Seat, Request: campaign.RequestOf(c, o),
		Drafts: o.Drafts})
}

// judgeAnswer lets a side choose, and the command that waits goes on.
func (u *Umpire) judgeAnswer(t *liveCampaign, c rules.Command, dry bool) ([]campaign.Part, Answer, error) {
	var f rules.Findings
	t.campaign.CheckTurn(c, &f)
	if t.campaign.InPlaceOf(c, t.at, &f); f.Refused() {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: f.Violations}, nil
	}
	open := t.campaign.Open.Choice
	options, violations := campaign.ReadAnswer(c, open, t.campaign.SideNamed)
	if len(violations) > 0 {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: violations}, nil
	}
	return u.resume(t, reply{command: c, request: campaign.AnswerRequest(c, open),
		answer: rules.Answer{Options: options},
		events: 1}, dry)
}

// reply answers the open question.
type reply struct {
	command rules.Command
	request *campaign.Request // its recorded form
	answer  rules.Answer
	events  int           // how many of the events to come are the reply's own
	round   *rehear.Round // that has come, and decides the rolls to come; nil for none
}

// resume goes on with the command that waits, with one answer more, on the state at its
// declaration.
func (u *Umpire) resume(t *liveCampaign, r reply, dry bool) ([]campaign.Part, Answer, error) {
	indexes := t.campaign.Heard.Events
	heard, known, err := t.heard()
	if err != nil {
		return nil, Answer{}, err
	}
	waiting, err := campaign.CommandOf(heard[0], known)
	if err != nil {
		return nil, Answer{}, err
	}
	answers, err := rehear.Recorded(heard, known, u.drawn(t))
	if err != nil {
		return nil, Answer{}, err
	}
	o, err := u.run(t, Judgement{
		Before: t.campaign.Heard.Before, Command: waiting, Given: append(answers, r.answer),
		Place: t.campaign.Places(indexes...), dry: dry, round: r.round,
	})
	if err != nil || o.Verdict == rules.Refused {
		return nil, Answer{Command: r.command.ID, Verdict: rules.Refused, Violations: o.Violations,
			Waited: waiting.ID}, err
	}
	if len(o.Drafts) < len(indexes)+r.events {
		return nil, Answer{}, fmt.Errorf("the ruling on %q no longer follows its record", waiting.ID)
	}
	o.Warnings = o.WarnedBehind(len(indexes)) // the others were given as the command was first heard
	made, rest := o.Drafts[len(indexes):len(indexes)+r.events], o.Drafts[len(indexes)+r.events:]
	return partsOf(t.campaign, r.command, o,
		campaign.Part{Command: r.command.ID, Seat: r.command.Seat, Request: r.request, Drafts: made},
		campaign.Part{Command: waiting.ID, Seat: waiting.Seat, Drafts: rest})
}

// judgeRuling settles the option that was asked for, and hears the command again that had to
// wait for it. The ruling stands even if that command is refused then.
func (u *Umpire) judgeRuling(t *liveCampaign, c rules.Command, dry bool) ([]campaign.Part, Answer, error) {
	open := t.campaign.Open
	ruled, answer, err := u.judgeNew(t, c, dry)
	if err != nil || len(ruled) == 0 {
		return nil, answer, err
	}
	for _, d := range ruled[0].Drafts {
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
		campaign.Part{Command: waiting.ID, Seat: waiting.Seat, Request: campaign.RequestOf(waiting, o),
			Drafts: o.Drafts})...)
	if answer.Verdict == rules.Refused {
		answer.Waited = waiting.ID
		return ruled, answer, err
	}
	return parts, answer, err
}

// judgeWaiting hears the command that was referred, on the state after the ruling.
func (u *Umpire) judgeWaiting(t *liveCampaign, ruled []campaign.Part, dry bool) (rules.Command, rules.Outcome, error) {
	heard, known, err := t.heard()
	if err != nil {
		return rules.Command{}, rules.Outcome{}, err
	}
	waiting, err := campaign.CommandOf(heard[len(heard)-1], known)
	if err != nil {
		return rules.Command{}, rules.Outcome{}, err
	}
	list, _, err := u.events(t, ruled)
	if err != nil {
		return rules.Command{}, rules.Outcome{}, err
	}
	game := t.campaign.Game
	if last := len(list) - 1; last >= 0 {
		game = list[last].After
	}
	next := t.campaign.Next + uint64(len(list))
	o, err := u.run(t, Judgement{Before: game, Command: waiting, Place: func(n int) uint64 { return next + uint64(n) },
		dry: dry})
	if err == nil && u.simulated == nil {
		t.heardAgain(&heard[len(heard)-1], waiting, &o)
	}
	return waiting, o, err
}

// partsOf gives the parts to append and the answer, for an outcome.
func partsOf(at *campaign.Campaign, c rules.Command, o rules.Outcome,
	parts ...campaign.Part) ([]campaign.Part, Answer, error) {
	a := Answer{Command: c.ID, Verdict: o.Verdict, Violations: o.Violations}
	if n := o.Need; at.Unseen(n) {
		return nil, refusal(c, unseen(n)), nil
	} else if n != nil {
		switch {
		case n.Choice != nil:
			a = asked(c, &campaign.Question{Choice: n.Choice})
		case n.Refer != nil:
			a = asked(c, &campaign.Question{Refer: n.Refer})
			a.Verdict = rules.Referred
		case at.Awaited(n):
			a = asked(c, &campaign.Question{Roll: &campaign.AwaitedRoll{Declared: n.Roll, Side: n.Side,
				Seats: at.SeatNames(), Round: n.Roll.Round, Beacon: at.Beacon, Cosigners: at.Cosigners(n.Side),
				Contester: at.Contester(n.Roll)}})
		default: // a dry run stops before dice
			a.Verdict, a.Unchecked = rules.Allowed, true
		}
	}
	if o.Verdict == rules.Refused {
		return nil, a, nil
	}
	a.Warnings = o.Warnings
	for _, p := range parts {
		a.Events += len(p.Drafts)
	}
	return parts, a, nil
}

// asked is the answer to a command that has to wait for a question.
func asked(c rules.Command, q *campaign.Question) Answer {
	return Answer{Command: c.ID, Verdict: rules.Asked, Question: q.Text(), Of: q.Of(), Options: q.Options()}
}
