package campaign

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// Campaign is a campaign folded to some index: the part that every system shares, and the
// system's own [rules.Game].
type Campaign struct {
	ID      ulid.ULID
	Name    string
	System  rules.System
	Edition events.Hash
	Demo    bool
	Dice    string // how dice are thrown: [Chain], [Attested], [Beacon] or [Contested]
	Sides   []string
	Seats   []Seat    // in the order in which they were taken
	Keys    []SeatKey // of players who sign what they enter
	Proxy   bool      // whether the umpire may enter what a seat with a key has to sign
	Signed  bool      // whether a seat enters nothing before it has a key
	// AnswerWithin is after how long the umpire may answer in the place of a side that did not; 0 for never.
	AnswerWithin time.Duration
	Board        events.Board // zero for none
	Next         uint64       // index of the next event
	Head         events.Hash  // hash of the last event
	Latest       time.Time    // that an event was recorded: a clock may go back
	Epoch        uint64
	Game         rules.Game
	Open         *Question    // the question that waits for an answer
	Docket       Docket       // what is disputed
	Rules        events.Hash  // fingerprint of the rules that judge, as stated last; zero in schema 1
	Unknown      Unknown      // of the events so far
	History      history.View // of its events

	// Of beacon dice.
	Beacon      beacon.Beacon
	Witnesses   tree.Policy // who cosigns their declarations, where seats do not
	BySeats     bool        // seats cosign them
	Unwitnessed string      // [Chain] where a chain decides a roll that nobody cosigned

	Hands   string // [Players] where each player draws the cards of his sides by himself
	Arbiter string // the age recipient of who may open such hands; empty for nobody

	draws      []OpenDraw // of players, in the order declared
	chains     map[string]*chainState
	own        map[string]*chainState // of players, by their names
	readings   []reading              // of the last turn in which somebody looked at secrets
	byPosition uint64                 // the first epoch whose seeds are by position; 0 for none yet
	// Heard is the command that was heard last; zero where something else ended it.
	Heard Hearing
	// withdrawn are the hearings that were voided before their questions were answered, by the event that asks.
	withdrawn map[uint64]waiting
	Requires  []string // types of event that the record says a program must know, as stated last
	Lacks     error    // why the campaign can be read, but not played on
}

// waiting is a hearing that was taken back before its question was answered.
type waiting struct {
	question Question
	heard    Hearing
}

// Hearing is a command being heard, or heard last: the state before it, and its events so far.
type Hearing struct {
	Command string
	Verb    string
	Before  rules.Game
	Events  []uint64
}

// take folds one event, the last of the view. Known are the viewer's openings of its commitments. It cannot fail: an
// event that makes no sense changes as little as it can. Where the event changes what counts before it, from a place
// on, the game stays as it is: whoever folds goes back to that place. After is the game that the event leads to, nil
// where it is not evolved yet.
func (c *Campaign) take(e *events.Event, hash events.Hash, known []events.Opening, v history.View,
	after rules.Game) (place uint64, settles bool) {
	c.History = v
	if c.drawnMeanwhile(e) && c.Heard.Before != nil {
		c.Heard.Before = c.Heard.Before.Evolve(e, known) // the answer may play these cards
	}
	c.proceedTo(e, hash)
	switch place, settles = v.Alters(v.Len() - 1); {
	case settles:
	case after != nil:
		c.Game = after
	default:
		c.Game = c.Game.Evolve(e, known)
	}
	return place, settles
}

// SideNamed finds a side of the campaign by any name that people have for it.
func (c *Campaign) SideNamed(name string) (string, bool) { return c.System.Side(c.Sides, name) }

// Copied gives the campaign as it is now: what is folded into c later does not reach the copy.
func (c *Campaign) Copied() *Campaign {
	k := *c
	k.Seats, k.Docket.list = slices.Clip(c.Seats), slices.Clip(c.Docket.list)
	k.Heard.Events = slices.Clip(c.Heard.Events)
	k.Unknown.Types = slices.Clip(c.Unknown.Types)
	k.chains = make(map[string]*chainState, len(c.chains))
	for name, chain := range c.chains {
		own := *chain
		k.chains[name] = &own
	}
	k.own = make(map[string]*chainState, len(c.own))
	for name, chain := range c.own {
		own := *chain
		k.own[name] = &own
	}
	return &k
}

// proceedTo follows all but the game.
func (c *Campaign) proceedTo(e *events.Event, hash events.Hash) {
	switch {
	case e.Corrects != 0 || e.Replaces != 0: // a corrected event asks nobody again
		c.follow(e)
	case c.besideAwaited(e):
	default:
		c.answers(e)
		c.note(e)
		c.proceed(e)
		if c.Open != nil && c.Open.Index == e.Index && c.Open.Roll != nil {
			c.Open.Roll.Hash = hash
		}
	}
	c.Docket.Add(e)
	c.Unknown.Add(e)
	c.Next, c.Head, c.Epoch = e.Index+1, hash, e.Epoch
	if e.Recorded.After(c.Latest) {
		c.Latest = e.Recorded
	}
}

// proceed follows the seats, the chains and the open question.
func (c *Campaign) proceed(e *events.Event) {
	switch e.Type {
	case "seat_taken":
		c.seat(e)
	case "epoch_begun":
		c.beginEpoch(e)
	case "roll_declared", "dice_rolled":
		c.followRoll(e)
	case "draw_declared", "cards_drawn":
		c.followDraw(e)
	case "choice_asked":
		var p events.ChoiceAsked
		if e.Read(&p) {
			c.Open = &Question{Index: e.Index, Choice: &p, Asked: e.Recorded.Truncate(time.Millisecond)}
		}
	case "referred":
		var p events.Referred
		if e.Read(&p) {
			c.Open = &Question{Index: e.Index, Refer: &p}
		}
	case "choice_made":
		c.Open = nil
	case "edition_moved":
		var p events.EditionMoved
		if e.Read(&p) {
			c.Edition, c.Rules = p.Hash, p.Rules
		}
	case "rules_changed":
		var p events.RulesChanged
		if e.Read(&p) {
			c.Rules, c.Requires = p.Rules, p.Requires
		}
	case "voided", "corrected": // dice of an entry that waits may be thrown again, to its end
		c.withdraw(e)
	case "option_ruled":
		if c.Open != nil && c.Open.Refer != nil {
			c.Open = nil
		}
	default:
		if e.Type.OfAwaitedDice() {
			c.followRoll(e)
		} else if e.Type.KeysSeat() {
			c.keySeat(e)
		} else {
			c.noteReading(e)
		}
	}
}

// besideAwaited reports whether an event is of a command that cannot have been heard: a roll awaits its round of a
// beacon, and nothing is played before its dice. No umpire records it, and it is part of no hearing.
func (c *Campaign) besideAwaited(e *events.Event) bool {
	if !c.Awaits() {
		return false
	}
	var p events.DiceRolled
	return !e.Type.HeardMeanwhile() || e.Read(&p) && p.Declared != c.Open.Index
}

// follow spends the links of a roll or draw that takes another's place: dice may be thrown again. A correction of their
// figures spends nothing, but where seeds are by index: there it passes over links, as it always did, if the original
// is of an epoch before.
func (c *Campaign) follow(e *events.Event) {
	if e.Corrects != 0 && c.Seeds(e.Epoch) == chance.ByPosition {
		return
	}
	var roll events.RollDeclared
	var draw events.DrawDeclared
	switch {
	case e.Read(&roll):
		c.spend(roll.Sources...)
	case e.Read(&draw):
		c.spend(draw.Source)
	}
}

// withdraw ends the hearing that waits, if its question does not stand any more. One that was ended so waits again
// where its question stands again, unless play has gone on since.
func (c *Campaign) withdraw(e *events.Event) {
	switch {
	case c.Open != nil && !c.History.Stands(c.Open.Index):
		c.withdrawn = maps.Clone(c.withdrawn)
		if c.withdrawn == nil {
			c.withdrawn = map[uint64]waiting{}
		}
		h := c.Heard
		h.Events = slices.Clip(h.Events) // what comes behind it later is its own
		c.withdrawn[c.Open.Index] = waiting{*c.Open, h}
		c.Open, c.Heard = nil, Hearing{}
	case c.Open == nil && len(c.Heard.Events) > 0 && slices.Contains(events.Voids(e), c.Heard.Events[0]):
		c.Heard = Hearing{}
	}
	for _, asked := range c.RestoredQuestions(c.History.At(c.History.Len()-1).Stands, c.History.Stands) {
		c.reopen(asked)
	}
}

// RestoredQuestions lists the questions that were voided before they were answered, and stand after something as they
// did not before.
func (c *Campaign) RestoredQuestions(before, after func(uint64) bool) (list []uint64) {
	for _, asked := range slices.Sorted(maps.Keys(c.withdrawn)) {
		if !before(asked) && after(asked) {
			list = append(list, asked)
		}
	}
	return list
}

// reopen lets a hearing that was voided wait again.
func (c *Campaign) reopen(asked uint64) {
	w, ok := c.withdrawn[asked]
	if !ok || !c.Idle() {
		return
	}
	c.Open, c.Heard = &w.question, w.heard
	c.withdrawn = maps.Clone(c.withdrawn)
	delete(c.withdrawn, asked)
}

// answers lets a hearing that was voided wait again for an answer to it. Watu used to leave the question open where the
// command had begun a phase, which stays begun.
func (c *Campaign) answers(e *events.Event) {
	if len(c.withdrawn) == 0 {
		return
	}
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.ChoiceMade:
		c.reopen(p.Asked)
	case *events.DiceTyped:
		c.reopen(p.Declared)
	case *events.OptionRuled:
		c.reopen(p.Referred)
	}
}

// TakenBack gives the event that voided all that a command led to, if one that stands did and it was not entered again
// in its place.
func (c *Campaign) TakenBack(command string) (by uint64, ok bool) {
	for _, i := range slices.Backward(c.History.CommandNamed(command).Changes) {
		if c.History.Stands(i) {
			return i, c.History.Type(i) == "voided"
		}
	}
	return 0, false
}

// Idle reports whether nothing waits, and no command followed the last question that was taken back.
func (c *Campaign) Idle() bool { return c.Open == nil && len(c.Heard.Events) == 0 }

// note keeps track of the hearing that the event belongs to.
func (c *Campaign) note(e *events.Event) {
	switch {
	case e.Type == "corrected" || e.Type == "consequence_kept" || e.Type == "option_ruled" || e.Type == "epoch_begun" ||
		e.Type == "voided" || e.Type == "edition_moved" || e.Type == "rules_changed":
		return
	case e.Type.OfAwaitedDice() || e.Type.OfSeat() || c.drawnMeanwhile(e):
		return // no part of the ruling, which goes on with the dice confirmed
	case e.Type == "opened" && e.Command != c.Heard.Command || IsDisputeEvent(e.Type):
		return // a reveal and a dispute interrupt nobody
	case len(c.Heard.Events) > 0 && (e.Type == "choice_made" || e.Type == "dice_rolled" ||
		e.Command == c.Heard.Command && e.Request == ""):
		c.Heard.Events = append(c.Heard.Events, e.Index)
	case e.Request != "":
		var r Request
		_ = json.Unmarshal([]byte(e.Request), &r)
		c.Heard = Hearing{Command: e.Command, Verb: r.Verb, Before: c.Game, Events: []uint64{e.Index}}
	}
}

// Errors that callers tell apart.
var (
	ErrUnknownCampaign = errors.New("no such campaign")
	ErrUnknownSystem   = errors.New("no such system of rules")
	ErrQuestionOpen    = errors.New("a question is open")
	ErrNoQuestion      = errors.New("no question is open")
	ErrNoHand          = errors.New("cards cannot be drawn")
	ErrNoContest       = errors.New("the roll cannot be contested")
)

// Everything is the end of a campaign, wherever a number of events is asked for.
const Everything = math.MaxUint64
