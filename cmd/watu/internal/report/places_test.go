package report

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// replace lets the last event added take the place of a voided one.
func (c *played) replace(of uint64) { c.list[len(c.list)-1].Replaces = of }

// Dice that are thrown again stand beside those that were thrown first; the sums of luck have the new
// ones alone.
func TestDiceThrownAgain(t *testing.T) {
	c := &played{}
	c.add("", "umpire", "open", 0, &events.CampaignOpened{Name: "war", Sides: []string{"Red", "Blue"}})
	throws := []events.Throw{{Name: "gun", Side: "Blue", Dice: 2, Sides: 6}}
	c.add("Blue", "umpire", "shot", 0, &events.RollDeclared{Purpose: "shot", Throws: throws})
	c.add("Blue", "umpire", "shot", 0, &events.DiceRolled{Declared: 1, Throw: "gun", Dice: []int{1, 2}})
	c.add("Blue", "umpire", "shot", 0, &events.ResultAdjudicated{Procedure: "test.shot", Subject: "Sea 1", Declared: 1,
		Figures: []events.Figure{{Name: "hits", Value: 2}, {Name: "dice", Value: 2}}})
	c.add("", "umpire", "fix", 0, &events.Corrected{Event: 1, Command: "shot", Code: "dispute", Reason: "cocked",
		Voids: []uint64{1, 2, 3}, Dice: "thrown again"})
	c.add("Blue", "umpire", "fix", 0, &events.RollDeclared{Purpose: "shot", Throws: throws}) // 5
	c.replace(1)
	c.add("Blue", "umpire", "fix", 0, &events.DiceRolled{Declared: 5, Throw: "gun", Dice: []int{6, 5}})
	c.replace(1)
	c.add("Blue", "umpire", "fix", 0, &events.ResultAdjudicated{Procedure: "test.shot", Subject: "Sea 1", Declared: 5,
		Figures: []events.Figure{{Name: "hits", Value: 1}, {Name: "dice", Value: 2}}})
	c.replace(1)
	r := written(t, c)
	text := r.Markdown("")
	for _, want := range []string{
		"- Result, Sea 1 (shot): hits: ~~2~~ **1**, dice: 2. (#1–#3, #5–#7; TEST-RULE) – *voided by #4; #7 " +
			"stands in its place*\n  - Dice – gun: ~~1~~ **6** and ~~2~~ **5**.",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not once in\n%s", want, text)
		}
	}
	if d := r.Luck.Dice; len(d) != 1 || d[0].Sum != 11 || r.Luck.Left != 2 {
		t.Errorf("%+v", r.Luck)
	}
	if h := r.Luck.Hits; len(h) != 1 || h[0].Hits != 1 || h[0].Dice != 2 {
		t.Errorf("%+v", h)
	}
}

// A raid that takes the place of two stands under the income that it was taken off, beside what
// stood there, and raids that are alike in one line.
func TestOtherRaids(t *testing.T) {
	raid := func(submarine, victim string) *events.ConvoyRaided {
		return &events.ConvoyRaided{Victim: victim, Territory: victim, Submarine: submarine, Owner: "Red",
			Zone: "Sea 1", Distance: 1, Reach: 2, Damage: 2}
	}
	c := &played{}
	c.add("", "umpire", "open", 0, &events.CampaignOpened{Name: "war"})
	c.add("", "umpire", "t1", 0, &events.TurnAdvanced{Ordinal: 1, Label: "Turn 1"})
	for _, name := range []string{"U-1", "U-2", "U-3", "U-4"} {
		c.add("", "umpire", "income", 0, raid(name, "Blue")) // 2 to 5
	}
	c.add("", "umpire", "income", 0, &events.IncomeCollected{Power: "Blue", Base: 12, Board: 12, Damage: 8, Net: 4,
		Treasury: 4})
	c.add("", "umpire", "t2", 0, &events.TurnAdvanced{Ordinal: 2, Label: "Turn 2"})
	// 8
	c.add("", "umpire", "fix", 0, &events.Corrected{Event: 6, Command: "income", Code: "mistyped", Reason: "less",
		Voids: []uint64{4, 5}})
	c.add("", "umpire", "fix", 0, raid("U-9", "Blue"))
	c.replace(4)
	c.add("", "umpire", "fix", 0, raid("U-8", "Blue"))
	c.replace(4)
	c.add("", "umpire", "fix", 0, raid("U-7", "Blue"))
	c.replace(4)
	c.add("", "umpire", "fix", 6, &events.IncomeCollected{Power: "Blue", Base: 12, Board: 12, Damage: 10, Net: 2,
		Treasury: 2})
	r := written(t, c)
	if len(r.Turns) != 2 || len(r.Turns[0].Parts[0].Lines) != 1 {
		t.Fatalf("%+v", r.Turns)
	}
	income := r.Turns[0].Parts[0].Lines[0]
	var under []string
	for i := range income.Under {
		l := &income.Under[i]
		under = append(under, indexes(l.Events)+" "+l.Text.Markdown()+" "+l.Remark)
	}
	want := []string{
		"#2, #3 2 submarines of Red in Sea 1, adjacent, raid Blue (Blue): 2 IPCs each. ",
		"#4, #9 Submarine ~~U-3~~ **U-9** of Red in Sea 1 raids Blue (Blue), next to it: 2 IPCs. voided by #8; #9 " +
			"stands in its place",
		"#11 Submarine U-7 of Red in Sea 1 raids Blue (Blue), next to it: 2 IPCs. in place of #4 and what came with it",
	}
	for _, w := range want {
		if !strings.Contains(strings.Join(under, "\n"), w) {
			t.Errorf("%q is not in\n%s", w, strings.Join(under, "\n"))
		}
	}
}
