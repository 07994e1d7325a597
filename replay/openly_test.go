package replay_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// TestChangedWhileOpen: whatever is corrected, voided or taken back while a command waits for an answer, a ruling,
// dice or a confirmation, the laws hold, and what comes out otherwise by it is pending.
func TestChangedWhileOpen(t *testing.T) {
	t.Parallel()
	many := longrun.Of(8, 32)
	if underRace {
		many = 8
	}
	var seen tally
	for n := 0; n < many && !t.Failed(); n += 4 {
		seed := *lawsFirst + n
		d := newHost(t)
		r := d.runner()
		for i, c := range []*harness{
			d.openAttested("table", "s1", asked), d.open("chain", "s1", nil),
			d.open("secret", "s1", map[string]string{"play_order": "simultaneous_secret", "campaign_scope": "per_box"}),
			d.recited("two-oceans-1941", "raids", "laws", true),
		} {
			p := newPlayer(c, uint64(seed+i))
			for turn := range 2 {
				p.meddled(turn, &seen)
			}
			c.filesLaw(&seen)
			c.listedLaw()
			d.laws(c, r)
			if t.Failed() {
				t.Fatalf("go test ./replay -run TestChangedWhileOpen -laws.first %d: campaign %s", seed, c.id.Name)
			}
		}
	}
	for _, what := range []string{"a choice", "a ruling", "a roll", "a confirmation"} {
		if meddled := seen["corrected while "+what+" waits"] + seen["voided while "+what+" waits"]; meddled == 0 &&
			many == 32 {
			t.Errorf("nothing was changed while %s waited", what)
		}
	}
}

// meddled plays a game turn in which no command that waits is left alone.
func (p *player) meddled(turn int, seen *tally) {
	p.turn = p.label(turn)
	if _, err := p.say("turn", entry{"turn": p.turn}); err != nil {
		p.c.t.Fatal(err)
	}
	p.begin()
	p.settle(func() {})
	for range 12 {
		if x, ok := p.manner.(codebreaker); ok && p.lot.IntN(3) > 0 {
			x.report()
			x.warfare(pick(p, sides...))
		} else {
			p.act()
		}
		for range 1 + p.lot.IntN(5) {
			p.meddle(seen)
		}
		p.settle(func() {})
	}
}

// meddle corrects, voids or takes back something while a command waits for an answer or for dice, and answers once.
func (p *player) meddle(seen *tally) {
	open := p.c.now().Open
	if open == nil {
		return
	}
	next := p.c.now().Next
	for try := 0; try < 6 && p.c.now().Next == next; try++ {
		switch p.lot.IntN(6) {
		case 0:
			_, _ = p.put(step{undo: true})
		case 1:
			p.ruleVoidOf(pick(p.lot, p.c.all()...).Type)
		case 2:
			p.enterAgain()
		case 3:
			p.again()
		case 4:
			p.rethrow()
		default:
			p.mendFact()
		}
	}
	now := p.c.now()
	if now.Open == nil || now.Open.Index != open.Index {
		return
	}
	for _, e := range p.c.events(next, campaign.Everything) {
		if e.Type == "corrected" || e.Type == "voided" {
			seen.count(fmt.Sprintf("%s while %s waits", e.Type, waitsFor(open)))
		}
	}
	p.answer(now.Open, 0)
}

// mendFact corrects something that was reported.
func (p *player) mendFact() {
	var list []uint64
	for _, e := range p.c.all() {
		if e.Type == "fact_reported" || strings.HasSuffix(string(e.Type), "s_reported") {
			list = append(list, e.Index)
		}
	}
	if len(list) > 0 {
		p.mend(pick(p.lot, list...))
	}
}

// waitsFor says what a question is of.
func waitsFor(q *campaign.Question) string {
	switch {
	case q.Choice != nil:
		return "a choice"
	case q.Refer != nil:
		return "a ruling"
	case q.Roll.Typed != nil:
		return "a confirmation"
	}
	return "a roll"
}

// listedLaw: whatever comes out otherwise on what counts now is pending, with a cause.
func (c *harness) listedLaw() {
	c.t.Helper()
	trial, err := c.umpire.Trial(c.id.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	pending, err := trial.Pending()
	if err != nil {
		c.t.Fatal(err)
	}
	for _, x := range pending.Uncaused {
		c.t.Errorf("%s: #%d (%s) comes out otherwise, and is not listed: %v", c.id.Name, x.Event, x.Command, x.Figures)
	}
}

// TestThrownAgainWhileOpen: dice of a raid are thrown again while the raid waits for an answer, and with these it
// comes to its end. Nobody is asked any more.
func TestThrownAgainWhileOpen(t *testing.T) {
	d := newHost(t)
	open := d.ofBoard("g40", d.boardFiles("two-oceans"))
	for seed := range 60 {
		name := fmt.Sprint("raid", seed)
		c := open(name, name, nil)
		c.must("turn: Round 1\nfacts:\n  units:\n    UK: {UK: {fighter: 1}}\n    Germany: {Western Germany: " +
			"{strategic bomber: 2}}\n" +
			"  facilities: {UK: {major ic: 0, air base: 0}}\nentries:\n" +
			"  - {id: raid, bombing raid: {attacker: Germany, on: UK, targets: {major ic: 1, air base: {strategic " +
			"bomber: 1}}}}\n")
		c.must("entries:\n  - {id: up, answer: {UK: 1}}\n")
		asked := c.now()
		if asked.Open == nil || asked.Open.Choice.Of != "Germany" {
			continue // nobody was lost
		}
		k := review.Correction{Event: c.lastOf("Round 1/raid", "roll_declared"), Code: "dispute", Reason: "cocked"}
		k.Dice.Again = true
		a, err := c.umpire.Correct(c.id.ID, k)
		if errors.Is(err, review.ErrNotCorrectable) {
			continue // with these dice he would be asked something else
		}
		if err != nil || a.Verdict != rules.Allowed {
			t.Fatal(a, err)
		}
		if open := c.now().Open; open != nil {
			t.Errorf("%+v is asked", open)
		}
		answer := rules.Command{ID: "late", Seat: campaign.UmpireSeat, Verb: "answer",
			Body: []byte(`{"answer": {"Germany": "air base"}}`)}
		if _, err := c.hear(answer); !errors.Is(err, campaign.ErrNoQuestion) {
			t.Errorf("the question that was taken back is answered: %v", err)
		}
		c.sound()
		return
	}
	t.Error("no raid came to that")
}
