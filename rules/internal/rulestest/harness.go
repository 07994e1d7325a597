// Package rulestest holds every system of rules to what all have in common: its procedures answer
// as their schemas say, whatever is asked; its campaigns never panic, never reach a dead end, and
// what they accept can be stored and folded without loss.
package rulestest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Harness hears commands without a record: it throws dice and draws by lot, and keeps the state and
// the events.
type Harness struct {
	t    testing.TB
	lot  *rand.Rand
	game rules.Game
	log  []events.Event

	start rules.Game                  // before the first event
	known map[uint64][]events.Opening // of the events
}

// Open opens a campaign of the system on its first edition.
func Open(t testing.TB, s rules.System, board []rules.BoardFile, options map[string]string) *Harness {
	t.Helper()
	return OpenOn(t, s, s.Editions[0].Name, board, options)
}

// OpenOn opens a campaign on an edition, by its name.
func OpenOn(t testing.TB, s rules.System, edition string, board []rules.BoardFile,
	options map[string]string) *Harness {
	t.Helper()
	i := slices.IndexFunc(s.Editions, func(e rules.Edition) bool { return e.Name == edition })
	if i < 0 {
		t.Fatalf("there is no edition %s", edition)
	}
	opened, files, f := s.Open(s.Editions[i], options, board)
	if f.Refused() {
		t.Fatal(f.Violations)
	}
	c := New(t, s, files)
	c.Record(rules.Command{ID: "open"}, []rules.Draft{{Payload: opened}})
	return c
}

// New is a harness before a campaign's first event. Without the board that it is played on a game
// decides nothing.
func New(t testing.TB, s rules.System, board []rules.BoardFile) *Harness {
	t.Helper()
	g, err := s.New(board)
	if err != nil {
		t.Fatal(err)
	}
	return &Harness{t: t, game: g, start: g, known: map[uint64][]events.Opening{}, lot: rand.New(rand.NewPCG(1, 1))}
}

// Clone is the same harness at the same point, for another test, with dice of its own.
func (c *Harness) Clone(t testing.TB, seed uint64) *Harness {
	return &Harness{
		t: t, game: c.game, log: slices.Clip(c.log), start: c.start, known: maps.Clone(c.known),
		lot: rand.New(rand.NewPCG(seed, 3)),
	}
}

// Game is the state.
func (c *Harness) Game() rules.Game { return c.game }

// Log is every event so far.
func (c *Harness) Log() []events.Event { return c.log }

func (c *Harness) place(n int) uint64 { return uint64(len(c.log) + n) }

// Judge hears a command with the answers so far and throws what it calls for. It gives the
// answers too, those of chance among them.
func (c *Harness) Judge(command rules.Command, answers ...rules.Answer) (rules.Outcome, []rules.Answer) {
	c.t.Helper()
	for range 1000 {
		o := c.judgeOn(c.game, command, answers)
		switch {
		case o.Need == nil || o.Need.Choice != nil || o.Need.Refer != nil:
			return o, answers
		case o.Need.Draw != nil && (o.Need.Draw.Count > o.Need.Draw.PoolSize || o.Need.Draw.PoolSize > mostCards):
			return o, answers // no umpire can draw so
		case o.Need.Draw != nil:
			answers = append(answers, rules.Answer{Positions: c.positions(o.Need.Draw)})
		default:
			answers = append(answers, rules.Answer{Dice: c.dice(o.Need.Roll)})
		}
	}
	c.t.Fatalf("%s %s never stops asking", command.Verb, command.Body)
	return rules.Outcome{}, nil
}

// mostCards is more than any pool has.
const mostCards = 256

func (c *Harness) judgeOn(g rules.Game, command rules.Command, answers []rules.Answer) rules.Outcome {
	given := rules.Given(answers...)
	h := rules.NewHearing(given, c.place)
	g.Decide(command, h)
	o := h.Outcome()
	for _, v := range o.Violations {
		if v.Rule == "" || v.Message == "" {
			c.t.Fatalf("%s %s is refused without a rule or a word: %+v", command.Verb, command.Body, o.Violations)
		}
	}
	if o.Verdict == rules.Allowed && given.Left() != 0 {
		c.t.Fatalf("%s %s leaves %d answers", command.Verb, command.Body, given.Left())
	}
	c.due(g, command, o)
	return o
}

// due holds a guide to what the rules say: what is neither refused nor warned of is due.
func (c *Harness) due(g rules.Game, command rules.Command, o rules.Outcome) {
	c.t.Helper()
	guide, guides := g.(rules.Guide)
	if !guides || o.Verdict != rules.Allowed || len(o.Warnings) > 0 {
		return
	}
	i := slices.IndexFunc(o.Drafts, func(d rules.Draft) bool {
		_, begins := d.Payload.(*events.PhaseAdvanced) // maybe another's
		return d.Side != "" && !begins
	})
	if i >= 0 && !guide.Due(command.Verb, o.Drafts[i].Side) {
		c.t.Errorf("%s %s is not due, and stands", command.Verb, command.Body)
	}
}

// positions are mostly the first of the pool, where the cards that do something lie.
func (c *Harness) positions(d *events.DrawDeclared) []int {
	list := c.lot.Perm(d.PoolSize)[:d.Count]
	if c.lot.IntN(2) == 0 {
		slices.Sort(list)
		for i := range list {
			list[i] = i
		}
	}
	for i := range list {
		list[i]++
	}
	return list
}

func (c *Harness) dice(r *events.RollDeclared) [][]int {
	dice := [][]int{}
	for _, t := range r.Throws {
		low, high := t.Shows()
		throw := []int{}
		for range t.Dice {
			throw = append(throw, low+c.lot.IntN(high-low+1))
		}
		dice = append(dice, throw)
	}
	return dice
}

// Record makes events of drafts, holds that they can be stored and read back without loss, and
// folds them, as the umpire and as the public.
func (c *Harness) Record(command rules.Command, drafts []rules.Draft) {
	c.t.Helper()
	for _, d := range drafts {
		e := events.Event{
			Campaign: ulid.ULID{1}, Index: c.place(0), Type: d.Payload.Type(), Side: d.Side, Command: command.ID,
			Epoch: 1, Payload: events.EncodePayload(d.Payload), Derivation: d.Derivation,
		}
		var own []events.Opening
		for _, s := range d.Secrets {
			e.Commitments = append(e.Commitments, events.Commitment{Slot: s.Slot, Hash: events.Hash{1}})
			fact, known := s.Fact.Get()
			if !known {
				c.t.Fatalf("%s commits to what is not known in play: %v", e.Type, s.Fact.Sealed())
			}
			own = append(own, events.Opening{Index: e.Index, Slot: s.Slot, Fact: fact})
		}
		stored, err := events.Decode(e.Encode())
		if err != nil || !bytes.Equal(stored.Encode(), e.Encode()) {
			c.t.Fatalf("%s does not survive storing: %v", e.Type, err)
		}
		p, err := events.PayloadOf(&stored)
		if err != nil || p == nil || events.EncodePayload(p) != e.Payload {
			c.t.Fatalf("the payload of %s does not survive storing: %v", e.Type, err)
		}
		c.game.Evolve(&e, nil).TurnNow() // the public fold takes it too
		c.game = c.game.Evolve(&e, own)
		c.log, c.known[e.Index] = append(c.log, e), own
	}
}

// Correct gives an event another content, and folds what counts then. The umpire judges the correction; here it is
// made.
func (c *Harness) Correct(index uint64, p events.Payload) {
	c.log = slices.Clone(c.log)
	c.log[index].Payload = events.EncodePayload(p)
	c.game = c.start
	for i := range c.log {
		c.game = c.game.Evolve(&c.log[i], c.known[uint64(i)])
	}
}

// Stand hears a command that has to stand, answering its questions with the answers given.
func (c *Harness) Stand(verb, body string, answers ...rules.Answer) rules.Outcome {
	c.t.Helper()
	command := rules.Command{ID: fmt.Sprint(verb, c.place(0)), Verb: verb, Body: json.RawMessage(body)}
	o, _ := c.Judge(command, answers...)
	if o.Verdict != rules.Allowed {
		c.t.Fatalf("%s %s: %+v", verb, body, o)
	}
	c.Record(command, o.Drafts)
	return o
}

// Refused hears a command that has to be refused, and gives the rules that it breaks, in order.
func (c *Harness) Refused(verb, body string, answers ...rules.Answer) []string {
	c.t.Helper()
	o, _ := c.Judge(rules.Command{ID: "refused", Verb: verb, Body: json.RawMessage(body)}, answers...)
	if o.Verdict != rules.Refused {
		c.t.Fatalf("%s %s: %+v", verb, body, o)
	}
	return rules.Each(o.Violations, func(v rules.Violation) string { return v.Rule })
}

// mostRulings bounds how often one command may be referred: no system has as many options.
const mostRulings = 40

// Hear follows a command to its end, whatever is asked and referred on the way. Of the answers
// offered to a question one at least is accepted; judged twice the command comes to the same, and
// the state that it is judged on stays as it was.
func (c *Harness) Hear(command rules.Command) { c.hear(command, 0) }

func (c *Harness) hear(command rules.Command, ruled int) {
	c.t.Helper()
	before := c.game
	o, answers := c.Judge(command)
	for depth := 0; o.Need != nil && o.Need.Choice != nil; depth++ {
		if depth > 40 {
			c.t.Fatalf("%s %s asks for ever", command.Verb, command.Body)
		}
		o, answers = c.tryAll(command, o.Need.Choice, answers)
	}
	if again := c.judgeOn(before, command, answers); !reflect.DeepEqual(o, again) {
		c.t.Fatalf("%s %s:\n%+v\nand again\n%+v", command.Verb, command.Body, o, again)
	}
	switch {
	case o.Verdict == rules.Refused && len(o.Violations) == 0, o.Verdict == rules.Allowed && len(o.Drafts) == 0:
		c.t.Fatalf("%s %s: %s without a word", command.Verb, command.Body, o.Verdict)
	case o.Verdict == rules.Allowed:
		place := c.log
		c.Record(command, o.Drafts)
		after := c.log
		c.log = place
		if again := c.judgeOn(before, command, answers); !reflect.DeepEqual(o, again) {
			c.t.Fatalf("%s %s changed the state that it was judged on", command.Verb, command.Body)
		}
		c.log = after
	case o.Verdict == rules.Referred:
		c.rule(command, o, ruled)
	}
}

// tryAll answers with each option offered, and goes on with one that is accepted.
func (c *Harness) tryAll(command rules.Command, q *events.ChoiceAsked,
	answers []rules.Answer) (rules.Outcome, []rules.Answer) {
	c.t.Helper()
	type line struct {
		o       rules.Outcome
		answers []rules.Answer
	}
	var accepted []line
	try := func(options ...string) {
		o, after := c.Judge(command, append(slices.Clone(answers), rules.Answer{Options: options})...)
		if o.Verdict != rules.Refused {
			accepted = append(accepted, line{o, after})
		}
	}
	for i, option := range q.Options {
		try(option)
		if q.Most > 1 {
			try(q.Options[i:min(i+q.Most, len(q.Options))]...)
		}
	}
	if q.Most > 0 {
		try()
	}
	if len(accepted) == 0 {
		c.t.Fatalf("%s %s: no answer to %q is accepted", command.Verb, command.Body, q.Question)
	}
	on := accepted[c.lot.IntN(len(accepted))]
	return on.o, on.answers
}

// rule settles the option referred, each way, and hears the command again.
func (c *Harness) rule(command rules.Command, o rules.Outcome, ruled int) {
	c.t.Helper()
	if ruled > mostRulings {
		c.t.Fatalf("%s %s is referred for ever", command.Verb, command.Body)
	}
	r := o.Need.Refer
	for _, reading := range r.Readings {
		value, _, _ := strings.Cut(reading, ":")
		next := c.Clone(c.t, c.lot.Uint64())
		next.Record(command, o.Drafts)
		body, _ := json.Marshal(map[string]any{"rule": map[string]string{"option": r.Option, "value": value,
			"reason": "to go on"}})
		next.Stand("rule", string(body))
		next.hear(command, ruled+1)
	}
}
