package replay_test

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// asked are options left to the umpire, so that play is referred now and then.
var asked = map[string]string{
	"blank_cards": "ask", "campaign_scope": "ask", "low_roll": "ask", "us_entry": "ask", "nas_rounding": "ask",
	"advanced_submarine": "ask", "below_4": "ask", "level_7": "ask",
}

// simulate plays a campaign of twelve turns and holds the invariants after every command.
func simulate(t *testing.T, d *desk, seed uint64, options map[string]string) *player {
	t.Helper()
	c := d.open(fmt.Sprintf("simulation-%d", seed), "simulation", options)
	p := newPlayer(c, seed)
	commands := 0
	p.turns(12, func() {
		if commands++; commands%10 != 0 {
			return
		}
		if err := c.umpire.SameAsFolded(c.id.ID); err != nil {
			t.Fatalf("seed %d, command %d: %v", seed, commands, err)
		}
		if s := c.shadow(); len(s.fault) > 0 {
			t.Fatalf("seed %d, command %d: %v", seed, commands, s.fault)
		}
	})
	c.shadow().check(t)
	if t.Failed() {
		t.Logf("seed %d", seed)
	}
	return p
}

func TestSimulation(t *testing.T) {
	seen := map[events.Type]int{}
	for seed := range uint64(6) {
		options := asked
		if seed%2 == 1 {
			options = map[string]string{"play_order": "simultaneous_secret", "campaign_scope": "per_box"}
		}
		p := simulate(t, newDesk(t), seed, options)
		for _, e := range p.c.all() {
			seen[e.Type]++
		}
	}
	for _, p := range events.Payloads() {
		if seen[p.Type()] == 0 {
			t.Errorf("no %s in any simulation", p.Type())
		}
	}
	t.Log(seen)
}

// meaning is what an event says, apart from its name, its time and what hangs on them.
func meaning(e *events.Event) string {
	return fmt.Sprintf("%d %s %v %q %q %q %q %d %x %v %v %v %q %d",
		e.Index, e.Type, e.Turn, e.Phase, e.Seat, e.Side, e.Command, e.Epoch, e.Payload,
		e.Derivation, e.Commitments, e.Openings, e.Request, e.Corrects)
}

func (c *campaign) meanings() []string {
	var list []string
	for _, e := range c.all() {
		list = append(list, meaning(&e))
	}
	return list
}

func compare(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s: event %d is\n%s\ninstead of\n%s", what, i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d events instead of %d", what, len(got), len(want))
	}
}

// follow repeats a script on another desk.
func (c *campaign) follow(script []step, between func(i int)) {
	for i, s := range script {
		between(i)
		_, _ = c.put(s)
	}
}

// TestReplayIsLive: an umpire who begins anew before every command, and a record reopened at
// times, give the events of one who stays, also while a question is open.
func TestReplayIsLive(t *testing.T) {
	p := simulate(t, newDesk(t), 21, asked)
	c := newDesk(t).open("simulation-21", "simulation", asked)
	c.follow(p.script, func(i int) {
		if c.replaceUmpire(); i%40 == 7 {
			c.reopen()
		}
	})
	compare(t, "restarted", c.meanings(), p.c.meanings())
}

// TestAgain: whatever was put to the umpire is put to him again, and nothing comes of it but
// the first answer.
func TestAgain(t *testing.T) {
	p := simulate(t, newDesk(t), 22, asked)
	before := p.c.at().Next
	stood := 0
	for _, s := range p.script {
		if s.event != 0 {
			continue
		}
		_, found, err := p.c.ledger.Command(p.c.id.ID, s.command.ID)
		if err != nil {
			t.Fatal(err)
		}
		if !found {
			continue // it was refused
		}
		a, err := p.c.put(s)
		if err != nil || !a.Again {
			t.Fatalf("%s: %+v, %v", s.command.ID, a, err)
		}
		stood++
	}
	if p.c.at().Next != before || stood < 50 {
		t.Errorf("%d commands put again, %d events more", stood, p.c.at().Next-before)
	}
}

// TestInterleaved: campaigns played one entry of each in turn, in shuffled order, and by
// several goroutines at once, on one record, come out as each did alone, on one processor
// and on two.
func TestInterleaved(t *testing.T) {
	var alone []*player
	for seed := range uint64(4) {
		alone = append(alone, simulate(t, newDesk(t), 30+seed, asked))
	}
	for _, processors := range []int{1, 2} {
		before := runtime.GOMAXPROCS(processors)
		together := newDesk(t)
		var all []*campaign
		for i := range alone {
			all = append(all, together.open(fmt.Sprintf("simulation-%d", 30+i), "simulation", asked))
		}
		shuffled(all[:2], alone[:2], uint64(processors))
		var players sync.WaitGroup
		for i := range all[2:] {
			players.Go(func() { all[2+i].follow(alone[2+i].script, func(int) {}) })
		}
		players.Wait()
		runtime.GOMAXPROCS(before)
		for i, c := range all {
			compare(t, fmt.Sprintf("campaign %d, %d processors", i, processors), c.meanings(), alone[i].c.meanings())
		}
	}
}

// shuffled plays scripts entry by entry, in an order drawn by lot.
func shuffled(all []*campaign, alone []*player, seed uint64) {
	var order []int
	for i, p := range alone {
		order = append(order, slices.Repeat([]int{i}, len(p.script))...)
	}
	lot := newPlayer(all[0], seed)
	lot.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	next := make([]int, len(all))
	for _, i := range order {
		_, _ = all[i].put(alone[i].script[next[i]])
		next[i]++
	}
}
