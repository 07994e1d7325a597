package aar

import (
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestWarnings: what no rule forbids, and may be a slip, is said to whoever hands it in. The record has nothing of it.
func TestWarnings(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.Board(t, "straits"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	for _, step := range []struct{ verb, body, want string }{
		{"purchase", `{"purchase":{"power":"Germany","units":{"infantry":2,"submarine":2}}}`,
			"[Germany begins its TURN in Round 1 before its time: Russia has not had one, and cannot in this " +
				"ROUND any more; undo the entry if that is a slip]"},
		{"mobilize", `{"mobilize":{"power":"Germany","units":{"Germany":{"infantry":1}}}}`, "[]"},
		{"collect income", `{"collect income":"Germany"}`,
			"[Germany bought 1 infantry and 2 submarines in Round 1 and has not placed it; after its TURN nothing of " +
				"it can be " +
				"placed]"},
		{"collect income", `{"collect income":{"power":"UK","base":99}}`,
			"[UK collects on a base of 99, and its territories on the board come to 16]"},
		{"sbr", `{"sbr":{"attacker":"US","territory":"Germany","bombers":1}}`,
			"[US begins its TURN in Round 1 before its time: Japan has not had one, and cannot in this ROUND any " +
				"more; undo the entry if that is a slip]"},
	} {
		o, _ := c.Judge(rules.Command{ID: "x", Verb: step.verb, Body: []byte(step.body)})
		if got := fmt.Sprint(o.Warnings); got != step.want || o.Verdict == rules.Refused {
			t.Errorf("%s: %s %s, want %s", step.body, o.Verdict, got, step.want)
		}
		if step.verb != "sbr" {
			c.Stand(step.verb, step.body)
		}
	}
	o, _ := c.Judge(rules.Command{ID: "late", Verb: "sbr",
		Body: []byte(`{"sbr":{"attacker":"Germany","territory":"UK",` +
			`"bombers":1}}`)})
	if o.Verdict != rules.Refused || o.Violations[0].Rule != "AAR-4-TURNS" || len(o.Warnings) > 0 {
		t.Errorf("Germany's TURN is over: %+v", o)
	}
}

// TestWarningsOfWhatIsUnsaid: where the text or the entry is silent, what the ledger takes it for is said.
func TestWarningsOfWhatIsUnsaid(t *testing.T) {
	ofShots := []step{{"facts", `{"facts":{"submarines":{"US":{"SZ 60":2}},"techs":{"UK":["rockets"]}}}`},
		{"sub detection", `{"sub detection":{"zone":"SZ 60","attacker":"US"}}`}}
	bought := []step{{"facts", `{"facts":{"treasury":{"UK":40}}}`}, due[0], {"purchase",
		`{"purchase":{"power":"UK","units":{"escort carrier":1,"fighter":2}}}`}}
	landing := `{"d-day":{"units":[{"unit":"1st","power":"US","type":"artillery"},` +
		`{"unit":"Hood","power":"UK","type":"battleship"},` +
		`{"unit":"LSTs","power":"US","type":"transport","carries":["1st"]}]}}`
	for _, w := range []struct {
		before []step
		entry  step
		want   string
	}{
		{ofShots, step{"call shots", `{"call shots":{"zone":"SZ 60","targets":{"transport":1,"carrier":1}}}`},
			"called shots do not sink escorted transports"}, // AAR-7-TRANSPORT
		{ofShots, step{"facts", `{"facts":{"techs":{"UK":[]}}}`}, "UK had rockets by an earlier report"},
		{ofShots, step{"facts", `{"facts":{"complexes":{"India":1}}}`}, "no complex was bought for India"},
		{nil, step{"facts", `{"facts":{"prices":{"infantry":1}}}`}, "infantry costs 3 so far, and 1 from here on"},
		{bought, step{"mobilize", `{"mobilize":{"power":"UK","units":{"SZ 8":{"escort carrier":1,"fighter":2}}}}`},
			"have room for 1"}, // AAR-6-AC
		{bought, step{"mobilize", `{"mobilize":{"power":"UK","units":{"UK":{"fighter":1}}}}`},
			"1 new unit, and 0 names"}, // AAR-5-UK-NEW
		{due[:1], step{"sbr", `{"sbr":{"attacker":"Japan","territory":"Russia","bombers":1}}`},
			"UK has collected no income"}, // AAR-4-TIME
		{due, step{"d-day", landing}, "1st, US artillery lands"},             // AAR-6-ARTY-FIRE
		{due, step{"d-day", landing}, "of which submarines alone are known"}, // AAR-5-BOMBARD
	} {
		c := rulestest.Open(t, System(), rulestest.Board(t, "straits"), nil)
		c.Stand("turn", `{"turn":"Round 1"}`)
		for _, s := range w.before {
			c.Stand(s.verb, s.body)
		}
		o := c.Stand(w.entry.verb, w.entry.body)
		if !strings.Contains(fmt.Sprint(o.Warnings), w.want) {
			t.Errorf("%s: %q, want %q", w.entry.body, o.Warnings, w.want)
		}
	}
}

// TestWarningsBySetUp: where the board says what a power begins with, more than that and what it placed is warned of,
// but for a power that by a later ROUND has placed nothing (GEN-CARRY).
func TestWarningsBySetUp(t *testing.T) {
	rich := step{"facts", `{"facts":{"treasury":{"UK":90},"submarines":{"Germany":{"SZ 8":1}}}}`}
	hunt := func(n int) step {
		return step{"sub detection",
			fmt.Sprintf(`{"sub detection":{"zone":"SZ 8","attacker":"UK","destroyers":{"UK":%d},"air":["UK"]}}`, n)}
	}
	ninth := step{"facts", `{"facts":{"submarines":{"Germany":{"SZ 8":1,"SZ 9":1}}}}`}
	raid := func(at string) step {
		return step{"sbr", fmt.Sprintf(`{"sbr":{"attacker":"Germany","territory":%q,"bombers":1}}`, at)}
	}
	inNine := func(attacker string, n int) step {
		return step{"sub detection",
			fmt.Sprintf(`{"sub detection":{"zone":"SZ 9","attacker":%q,"destroyers":{"UK":%d}}}`, attacker, n)}
	}
	later := step{"turn", `{"turn":"Round 2"}`}
	bought := []step{rich, {"purchase", `{"purchase":{"power":"UK","units":{"destroyer":1}}}`},
		{"mobilize", `{"mobilize":{"power":"UK","units":{"SZ 8":{"destroyer":1}}}}`}, later}
	for _, w := range []struct {
		before []step
		entry  step
		want   string
	}{
		{[]step{rich}, hunt(2), ""},
		{[]step{rich}, hunt(5), "5 destroyers of UK take part, and UK has 2 by the board"},
		{[]step{rich, later}, hunt(5), ""},
		{[]step{ninth, hunt(1)}, inNine("UK", 1), ""},
		{[]step{ninth, hunt(2)}, inNine("UK", 1), "3 destroyers of UK take part in this TURN, and UK has 2"},
		{[]step{ninth, inNine("Germany", 2)}, hunt(2), ""},
		{[]step{raid("UK")}, raid("Russia"), "2 bombers of Germany take part in this TURN, and Germany has 1"},
		{bought, hunt(3), ""},
		{bought, hunt(4), "UK has 3 by the board"},
		{nil, step{"sbr", `{"sbr":{"attacker":"Germany","territory":"UK","bombers":1}}`}, ""},
		{nil, step{"sbr", `{"sbr":{"attacker":"Germany","territory":"UK","bombers":2}}`}, "Germany has 1 by the board"},
	} {
		c := rulestest.Open(t, System(), rulestest.TripleA(t, "revised"), nil)
		c.Stand("turn", `{"turn":"Round 1"}`)
		for _, s := range w.before {
			c.Stand(s.verb, s.body)
		}
		o := c.Stand(w.entry.verb, w.entry.body)
		got := fmt.Sprint(o.Warnings)
		if !strings.Contains(got, w.want) || w.want == "" && strings.Contains(got, "part") {
			t.Errorf("%s: %q, want %q", w.entry.body, got, w.want)
		}
	}
}
