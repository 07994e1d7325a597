package g40

import (
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/rules"
)

// TestPassedOver: a power that acts before its TURN passes others over, and whoever hands the entry in reads which. The
// record says nothing of it, for no text has the order of play; those that had their TURN are not named, nor is anybody
// twice.
func TestPassedOver(t *testing.T) {
	c := world(t, nil)
	for _, step := range []struct{ body, want string }{
		{`{"collect income":"Germany"}`, "[]"},
		{`{"collect income":"US"}`, "[US begins its TURN in Round 1 before its time: Russia and Japan have not had " +
			"one, and cannot in this ROUND any more; undo the entry if that is a slip]"},
		{`{"collect income":"UK Europe"}`, "[UK begins its TURN in Round 1 before its time: China has not had one, " +
			"and cannot in this ROUND any more; undo the entry if that is a slip]"},
		{`{"collect income":"UK Pacific"}`, "[]"},
	} {
		o, _ := c.Judge(rules.Command{ID: "x", Verb: "collect income", Body: []byte(step.body)})
		if got := fmt.Sprint(o.Warnings); got != step.want || o.Verdict != rules.Allowed {
			t.Errorf("%s: %s %s, want %s", step.body, o.Verdict, got, step.want)
		}
		c.Stand("collect income", step.body)
	}
	o, _ := c.Judge(rules.Command{ID: "late", Verb: "collect income", Body: []byte(`{"collect income":"Japan"}`)})
	if o.Verdict != rules.Refused || len(o.Warnings) > 0 {
		t.Errorf("Japan's TURN is over: %+v", o)
	}
	o, _ = c.Judge(rules.Command{ID: "next", Verb: "turn", Body: []byte(`{"turn":"Round 2"}`)})
	if got := fmt.Sprint(o.Warnings); got !=
		"[Round 2 begins before its time: Italy, ANZAC and France have had no TURN in Round 1]" {
		t.Error(got)
	}
}

// TestTurnCutShort: a ROUND that begins while a power has not come to the end of its TURN is warned of.
func TestTurnCutShort(t *testing.T) {
	c := world(t, nil)
	c.Stand("phase", `{"phase":"combat move","player":"France"}`)
	o, _ := c.Judge(rules.Command{ID: "next", Verb: "turn", Body: []byte(`{"turn":"Round 2"}`)})
	want := "[the TURN of France in Round 1 ends with its combat move phase: it has not come to collect income, and " +
		"no phase of it can follow]"
	if got := fmt.Sprint(o.Warnings); got != want {
		t.Error(got)
	}
}

// TestIncomeWarned: whoever collects reads what was bought and is on no space, and that a base is not the board's.
func TestIncomeWarned(t *testing.T) {
	c := world(t, nil)
	c.Stand("facts", `{"facts":{"treasury":{"Germany":30}}}`)
	c.Stand("purchase", `{"purchase":{"power":"Germany","units":{"infantry":2,"air base":1}}}`)
	c.Stand("mobilize", `{"mobilize":{"power":"Germany","units":{"Germany":{"infantry":1}}}}`)
	body := `{"collect income":{"power":"Germany","base":14}}`
	o, _ := c.Judge(rules.Command{ID: "x", Verb: "collect income", Body: []byte(body)})
	want := `["Germany bought 1 infantry and 1 air base in Round 1 and has not placed it; after its TURN nothing of ` +
		`it can be placed" "Germany collects on a base of 14, and its territories on the board come to 10"]`
	if got := fmt.Sprintf("%q", o.Warnings); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	c.Stand("build", `{"build":{"power":"Germany","territory":"Germany","facility":"air base"}}`)
	c.Stand("mobilize", `{"mobilize":{"power":"Germany","units":{"Germany":{"infantry":1}}}}`)
	o, _ = c.Judge(rules.Command{ID: "x", Verb: "collect income", Body: []byte(`{"collect income":"Germany"}`)})
	if len(o.Warnings) > 0 {
		t.Error(o.Warnings)
	}
}
