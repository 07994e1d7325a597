package replay_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// step is one thing that was put to an umpire: a command, or a correction of an event.
type step struct {
	command rules.Command
	event   uint64 // corrected, 0 for a command
	change  string // member of the entry's verb and its new value, for a correction
	value   int
	undo    bool   // the last command is taken back, if it was a act
	move    string // to another edition
}

// player plays a whole campaign at random, mostly legally, and writes down what it did.
type player struct {
	*rand.Rand
	manner
	c      *harness
	lot    *rand.Rand // of what is done beside the play
	n      int
	turn   string
	script []step
	names  []string // ids of the commands put
	spoken []string // every answer and error
	legal  bool     // every question is held to have a legal answer; the umpire may give it, no seat has a key
	asked  uint64   // the last that was
	leaves bool     // a question that nothing answers is left open, and the game ends there
	stuck  bool     // it has
	throws bool     // dice for what the rules do not resolve, at times
}

func newPlayer(c *harness, seed uint64) *player {
	p := &player{Rand: rand.New(rand.NewPCG(seed, 2)), c: c, lot: rand.New(rand.NewPCG(seed, 3))}
	switch {
	case c.fixture != nil:
		p.manner = newReciter(p)
	case len(c.board) > 0:
		p.manner = &convoys{player: p}
	default:
		p.manner = codebreaker{p}
	}
	return p
}

// manner is how a system is played.
type manner interface {
	length() int        // game turns
	label(i int) string // of the i-th game turn
	begin()             // what a game turn begins with
	acts() int          // things that are done in it
	act()               // one thing; what does not make sense is refused, and that is part of the game
}

type entry map[string]any

// say puts an entry to the umpire, as he does himself.
func (p *player) say(verb string, body entry) (replay.Answer, error) {
	return p.sayAs(campaign.UmpireSeat, verb, body)
}

func (p *player) sayAs(seat, verb string, body entry) (replay.Answer, error) {
	p.n++
	raw, err := json.Marshal(body)
	if err != nil {
		p.c.t.Fatal(err)
	}
	command := rules.Command{ID: fmt.Sprintf("%s/%d", p.turn, p.n), Seat: seat, Verb: verb, Turn: p.turn, Body: raw}
	return p.put(step{command: command})
}

func (p *player) put(s step) (replay.Answer, error) {
	p.script, p.names = append(p.script, s), append(p.names, s.command.ID)
	a, err := p.c.put(s)
	data, _ := json.Marshal(a)
	p.spoken = append(p.spoken, string(data))
	if err != nil {
		p.spoken = append(p.spoken, err.Error())
	}
	return a, err
}

// put repeats what a player did.
func (c *harness) put(s step) (replay.Answer, error) {
	switch {
	case s.undo:
		slips, err := c.umpire.Undoables(c.id.ID)
		if err != nil || len(slips) == 0 {
			return replay.Answer{}, err
		}
		return c.umpire.Undo(c.id.ID, slips[0].First, "a slip")
	case s.move != "":
		return c.umpire.MoveEdition(c.id.ID,
			replay.NewEdition{To: s.move, Reason: "drawn by lot", Seat: campaign.UmpireSeat})
	case s.event == 0:
		return c.hear(s.command)
	}
	k := review.Correction{Event: s.event, Code: "mistyped", Reason: "a slip", Source: fmt.Appendf(nil, "%s=%d",
		s.change, s.value)}
	k.Replace = func(body json.RawMessage) (json.RawMessage, []events.Change, error) {
		var members map[string]any
		if err := json.Unmarshal(body, &members); err != nil {
			return nil, nil, err
		}
		for _, v := range members {
			if m, ok := v.(map[string]any); ok && m["sealed"] == nil {
				put(m, strings.Split(s.change, "/"), s.value)
				out, err := json.Marshal(members)
				return out, changesOf(body, out), err
			}
		}
		return body, nil, nil
	}
	k.Default = []review.Decision{review.Keep, review.Apply, review.Apply, review.Undecided}[s.value%4]
	a, err := c.umpire.Correct(c.id.ID, k)
	if err == nil && s.value%2 == 1 {
		c.settlePending(s.value%4 == 1)
	}
	return a, err
}

// settlePending applies the first consequence that is pending, or keeps the first that nobody decided on.
func (c *harness) settlePending(apply bool) {
	c.t.Helper()
	list, err := c.outstanding()
	if err != nil {
		c.t.Fatal(err)
	}
	for _, x := range list {
		switch {
		case apply && x.Waits == "":
			k := review.Correction{Event: x.Event, Cause: x.Cause, Code: "applied", Reason: "what was left is applied"}
			if a, err := c.umpire.Correct(c.id.ID, k); err != nil || a.Verdict != rules.Allowed {
				c.t.Errorf("%s: what is pending of #%d at #%d is not applied: %+v, %v", c.id.Name, x.Cause, x.Event, a,
					err)
			}
			return
		case !apply && x.Decision != review.Keep:
			if _, err := c.umpire.KeepConsequence(c.id.ID, x.Event, "so it was played"); err != nil {
				c.t.Errorf("%s: what is pending of #%d at #%d is not kept: %v", c.id.Name, x.Cause, x.Event, err)
			}
			return
		}
	}
}

// put sets what a path leads to, as far as there is a path.
func put(m map[string]any, path []string, value int) {
	for ; len(path) > 1; path = path[1:] {
		next, ok := m[path[0]].(map[string]any)
		if !ok {
			return
		}
		m = next
	}
	m[path[0]] = value
}

// turns plays so many game turns, calling check after every command.
func (p *player) turns(n int, check func()) {
	for i := range n {
		p.turn = p.label(i)
		if _, err := p.say("turn", entry{"turn": p.turn}); err != nil {
			p.c.t.Fatal(err)
		}
		check()
		p.begin()
		p.settle(check)
		for range p.acts() {
			p.act()
			check()
			p.settle(check)
			if p.IntN(6) == 0 {
				p.quarrel()
				check()
			}
			if p.lot.IntN(15) == 0 {
				p.thinkBetter()
				check()
			}
			if p.throws && p.lot.IntN(8) == 0 {
				p.throw()
				check()
				p.settle(check)
			}
		}
	}
}

// throw throws dice for what the rules do not resolve.
func (p *player) throw() {
	_, _ = p.say("roll", entry{"roll": entry{"side": pick(p.lot, p.c.now().Sides...), "for": "a battle",
		"dice": pick(p.lot, "3d6", "2d6 infantry at 1, 3d6 tanks at 3", "1d10", "9d6 at 7")}})
}

// thinkBetter takes back what was a act, or moves the campaign to another edition. Where there are
// treasuries nothing is taken back: see rule.
func (p *player) thinkBetter() {
	editions := p.c.now().System.Editions
	switch {
	case len(p.c.board) == 0:
		_, _ = p.put(step{undo: true})
	case len(editions) > 1:
		_, _ = p.put(step{move: pick(p.lot, editions...).Name})
	}
}

// settle answers and rules until no question is open; meanwhile it interrupts at times.
func (p *player) settle(check func()) {
	for try := 0; ; try++ {
		open := p.c.now().Open
		if open == nil || p.stuck {
			return
		}
		if try > 200 && p.leaves {
			p.stuck = true
			return
		}
		if try > 200 {
			p.c.t.Fatalf("no answer to %q is accepted", open.Text())
		}
		if p.legal && open.Index != p.asked {
			p.asked = open.Index
			p.answerable(open)
		}
		switch p.IntN(8) {
		case 0:
			p.act()
		case 1:
			p.reveal()
		case 2:
			p.quarrel()
		default:
			p.answer(open, try)
		}
		check()
	}
}

// answerable: an open question of a side has an answer that is legal, of its options.
func (p *player) answerable(open *campaign.Question) {
	if open.Choice == nil {
		return
	}
	answers := [][]string{{}}
	for i, option := range open.Choice.Options {
		answers = append(answers, []string{option}, open.Choice.Options[:i+1])
	}
	for _, answer := range slices.Backward(answers) {
		raw, _ := json.Marshal(entry{"answer": entry{open.Of(): answer}})
		a, err := p.c.umpire.Check(p.c.id.ID, rules.Command{ID: fmt.Sprintf("%s/legal-%d", p.turn, open.Index),
			Seat: campaign.UmpireSeat, Verb: "answer", Body: raw})
		if err == nil && a.Verdict != rules.Refused {
			return
		}
	}
	p.c.t.Errorf("%s: no answer to #%d is legal: %s %q", p.c.id.Name, open.Index, open.Text(), open.Options())
}

func (p *player) answer(open *campaign.Question, try int) {
	if open.Roll != nil {
		p.attest(open.Roll, try)
		return
	}
	if open.Refer != nil {
		value, _, _ := strings.Cut(open.Refer.Readings[p.IntN(len(open.Refer.Readings))], ":")
		_, _ = p.say("rule", entry{"rule": entry{"option": open.Refer.Option, "value": value,
			"reason": "drawn by lot"}})
		return
	}
	q := open.Choice
	options := slices.Clone(q.Options)
	p.Shuffle(len(options), func(i, j int) { options[i], options[j] = options[j], options[i] })
	if try > 20 && try%2 == 0 { // whoever holds no card passes
		options = []string{q.Options[len(q.Options)-1], "none"}
		if slices.Contains(q.Options, "none") {
			options = options[1:]
		}
	}
	most := min(len(options), max(1, p.IntN(q.Most+1)))
	_, _ = p.say("answer", entry{"answer": entry{q.Of: options[:most]}})
}

// attest throws dice at a table: somebody types them, not always right, and somebody else, or the
// same, confirms or denies them.
func (p *player) attest(roll *campaign.AwaitedRoll, try int) {
	seat := pick(p, "umpire", "Anna", "Ben", "ANNA", "Carl")
	if roll.Contested() {
		p.contestRoll(roll, seat)
		return
	}
	switch {
	case roll.Typed != nil && try < 20 && p.IntN(4) == 0:
		_, _ = p.sayAs(seat, "confirm", entry{"confirm": "no", "reason": "it was cocked"})
		return
	case roll.Typed != nil:
		_, _ = p.sayAs(seat, "confirm", entry{"confirm": "yes"})
		return
	}
	var dice [][]int
	for _, t := range roll.Declared.Throws {
		fell := make([]int, t.Dice)
		for i := range fell {
			fell[i] = 1 + p.IntN(t.Sides)
		}
		dice = append(dice, fell)
	}
	if p.IntN(6) == 0 {
		dice[0][0] = pick(p, 0, 7, -1)
	}
	e := entry{"dice": dice}
	if p.IntN(2) == 0 {
		seat, e["by"] = campaign.UmpireSeat, seat
	}
	_, _ = p.sayAs(seat, "dice", e)
}

func (p *player) reveal() {
	_, _ = p.say("reveal", entry{"reveal": entry{"event": p.IntN(int(p.c.now().Next)), "reason": "curiosity"}})
}

func pick[T any](p interface{ IntN(int) int }, list ...T) T { return list[p.IntN(len(list))] }
