package replay_test

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/campaign"
)

// asked are options left to the umpire, so that play is referred now and then.
var asked = map[string]string{
	"blank_cards": "ask", "campaign_scope": "ask", "low_roll": "ask", "us_entry": "ask", "nas_rounding": "ask",
	"advanced_submarine": "ask", "below_4": "ask", "level_7": "ask",
}

// askedRaids are the options of Axis & Allies Revised, all left to the umpire.
var askedRaids = map[string]string{"tiers": "ask", "convoy_raid_cap": "ask", "income_floor": "ask"}

// simulate plays a campaign to its end and holds the invariants after every command.
func simulate(t *testing.T, d *host, seed uint64, options map[string]string) *player {
	t.Helper()
	return playOut(t, d.open(fmt.Sprintf("simulation-%d", seed), "simulation", options), seed)
}

func playOut(t *testing.T, c *harness, seed uint64) *player {
	t.Helper()
	p := newPlayer(c, seed)
	p.playOn(t, seed, p.length())
	return p
}

// playMost plays a whole campaign in a long run, and else two thirds of it, which take half the time.
func playMost(t *testing.T, c *harness, seed uint64) *player {
	t.Helper()
	p := newPlayer(c, seed)
	p.playOn(t, seed, longrun.Of((2*p.length()+2)/3, p.length()))
	return p
}

// playOn plays so many game turns, and holds the invariants on the way and at the end.
func (p *player) playOn(t *testing.T, seed uint64, turns int) {
	t.Helper()
	c, commands := p.c, 0
	p.turns(turns, func() {
		if commands++; commands == 25 && c.rebuilds {
			c.rebuilt()
		}
		if commands%longrun.Of(40, 10) != 0 {
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
}

// TestSimulation plays campaigns of every system at random. Every type of event is in one of them, also in the fewer of
// a short run: successes are spent in a Pacific patrol alone, and seldom.
func TestSimulation(t *testing.T) {
	t.Parallel()
	seen := map[events.Type]int{}
	count := func(p *player) {
		for _, e := range p.c.all() {
			seen[e.Type]++
		}
	}
	play := func(c *harness, seed uint64) {
		c.rebuilds = seed%3 == 2
		count(playOut(t, c, seed))
	}
	for seed := range uint64(8) {
		options := asked
		if seed%2 == 1 {
			options = map[string]string{"play_order": "simultaneous_secret", "campaign_scope": "per_box"}
		}
		open := newHost(t).open
		if seed >= 6 {
			open = newHost(t).openAttested
		}
		play(open(fmt.Sprintf("simulation-%d", seed), "simulation", options), seed)
	}
	for seed := range uint64(longrun.Of(2, 6)) {
		options := askedRaids
		if seed%2 == 1 {
			options = map[string]string{"tiers": "cumulative", "convoy_raid_cap": "double_ipc_value",
				"income_floor": "none"}
		}
		play(newHost(t).onBoard("straits")(fmt.Sprintf("convoys-%d", seed), "simulation", options), seed)
	}
	for seed := range uint64(9) {
		for _, name := range []string{"pacific-patrol-1942", "second-front-1944", "two-oceans-1941"} {
			if !longrun.On() && seed > 2 && name != "pacific-patrol-1942" {
				continue
			}
			play(newHost(t).recited(name, fmt.Sprintf("%s-%d", name, seed), "simulation", seed%2 == 1), seed)
		}
	}
	for _, p := range events.Payloads() {
		elsewhere := p.Type() == "roll_lapsed" || p.Type().OfSeat() // TestBeaconLapses, TestRekeyed, TestHandsOfPlayers
		if seen[p.Type()] == 0 && !elsewhere {
			t.Errorf("no %s in the simulations", p.Type())
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

func (c *harness) meanings() []string {
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

// follow repeats a script on another host.
func (c *harness) follow(script []step, between func(i int)) {
	for i, s := range script {
		between(i)
		_, _ = c.put(s)
	}
}

// manners are the two ways in which a simulation's dice are thrown, and one that throws none.
func manners(name string, d, other *host) map[string][2]*harness {
	return map[string][2]*harness{
		"none": {d.onBoard("straits")(name+"-convoys", "simulation", askedRaids),
			other.onBoard("straits")(name+"-convoys", "simulation", askedRaids)},
		campaign.Chain: {d.open(name, "simulation", asked), other.open(name, "simulation", asked)},
		campaign.Attested: {d.openAttested(name+"-attested", "simulation", asked), other.openAttested(name+"-attested",
			"simulation", asked)},
	}
}

// TestReplayIsLive: an umpire who begins anew before every command, and a record reopened at
// times, give the events of one who stays, also while a question is open or dice are typed. At night he begins
// anew before each command, else before one of four, and in a short run before one of twelve.
func TestReplayIsLive(t *testing.T) {
	t.Parallel()
	for dice, c := range manners("simulation-21", newHost(t), newHost(t)) {
		p := playMost(t, c[0], 21)
		c[1].follow(p.script, func(i int) {
			if i%40 == 7 {
				c[1].reopen()
			} else if i%longrun.Of(12, 4, 1) == 0 {
				c[1].replaceUmpire()
			}
		})
		compare(t, "restarted, "+dice, c[1].meanings(), p.c.meanings())
	}
}

// TestAgain: whatever was put to the umpire is put to him again, and nothing comes of it but
// the first answer.
func TestAgain(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	for _, c := range []*harness{
		d.open("simulation-22", "simulation", asked), d.openAttested("simulation-23", "simulation", asked),
		d.onBoard("straits")("simulation-24", "simulation", askedRaids),
	} {
		p := playMost(t, c, 22)
		before := c.at().Next
		stood := 0
		for _, s := range p.script {
			if s.command.ID == "" {
				continue
			}
			_, found, err := c.ledger.Command(c.id.ID, s.command.ID)
			if err != nil {
				t.Fatal(err)
			}
			if !found {
				continue // it was refused
			}
			a, err := p.put(s)
			if err != nil || !a.Again {
				t.Fatalf("%s: %+v, %v", s.command.ID, a, err)
			}
			stood++
		}
		if c.at().Next != before || stood < 50 {
			t.Errorf("%d commands put again, %d events more", stood, c.at().Next-before)
		}
	}
}

// TestInterleaved: campaigns played one entry of each in turn, in shuffled order, and by
// several goroutines at once, on one record, come out as each did alone, on one processor
// and on two.
func TestInterleaved(t *testing.T) {
	t.Parallel()
	var alone []*player
	open := func(d *host, seed uint64) *harness {
		name := fmt.Sprintf("simulation-%d", seed)
		if seed%2 == 1 {
			return d.onBoard("straits")(name, "simulation", askedRaids)
		}
		return d.open(name, "simulation", asked)
	}
	for seed := range uint64(4) {
		alone = append(alone, playMost(t, open(newHost(t), 30+seed), 30+seed))
	}
	for _, processors := range []int{1, 2} {
		before := runtime.GOMAXPROCS(processors)
		together := newHost(t)
		var all []*harness
		for i := range alone {
			all = append(all, open(together, 30+uint64(i)))
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
func shuffled(all []*harness, alone []*player, seed uint64) {
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
