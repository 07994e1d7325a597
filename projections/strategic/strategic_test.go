package strategic_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
	"github.com/watu-ledger/watu/projections/strategic"
)

func report(t *testing.T, c *recordtest.Campaign) strategic.Report {
	t.Helper()
	v, err := projections.Fold(strategic.Projection(), c.Records(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return v.Report().(strategic.Report)
}

// atlantic is a result in the Atlantic box: 8 submarines against 34 ASW, so rows 30 and 4
// (AWAW-24.62-C).
func atlantic(contest uint64, net, first, second int) *events.ResultAdjudicated {
	return &events.ResultAdjudicated{
		Procedure: "awaw.sw.submarine", Subject: "Atlantic", Attacker: "European Axis", Defender: "Britain",
		Contest: contest, Net: net, Modifiers: []events.Modifier{{Name: "torpedo research", Value: net,
			Rule: "AWAW-SW-GEN-3"}},
		Readings: []events.Reading{
			{Name: "submarines", Side: "European Axis", Table: "24.62", Factors: 8, Dice: []int{3, 4}, Total: 7,
				Modified: 7 + net, Column: "8", Rows: []int{8}, First: first, Second: second, Result: "1/5"},
			{Name: "asw", Side: "Britain", Table: "24.62", Factors: 34, Dice: []int{6, 1}, Total: 7, Modified: 7 - net,
				Column: "6", Rows: []int{30, 4}, First: 9, Second: 14, Result: "9/14"},
		},
	}
}

// The two numbers are summed apart, box by box, campaign by campaign, side by side.
func TestTotals(t *testing.T) {
	c := recordtest.Begin(1)
	c.Turn(1, "Winter 1941")
	c.Add("European Axis", atlantic(0, 1, 1, 5))
	c.Turn(2, "Spring 1941")
	c.Add("European Axis", atlantic(0, 1, 2, 6))
	c.Add("Japan", &events.ResultAdjudicated{
		Procedure: "awaw.sw.submarine", Subject: "Indian Ocean", Attacker: "Japan", Defender: "Britain",
		Readings: []events.Reading{{Name: "submarines", Side: "Japan", First: 0, Second: 1, Result: "0/1"}},
	})
	c.Add("Japan", &events.ResultAdjudicated{
		Procedure: "awaw.harbor-attack", Subject: "Truk",
		Readings: []events.Reading{{Name: "Yamato", First: 99, Second: 99}},
	})
	r := report(t, c)
	want := []strategic.Total{
		{"awaw.sw.submarine", "Atlantic", "European Axis", "submarines", "European Axis", 2, 3, 11, 0},
		{"awaw.sw.submarine", "Atlantic", "European Axis", "asw", "Britain", 2, 18, 28, 0},
		{"awaw.sw.submarine", "Indian Ocean", "Japan", "submarines", "Japan", 1, 0, 1, 0},
	}
	if !reflect.DeepEqual(r.Totals, want) {
		t.Errorf("got  %+v\nwant %+v", r.Totals, want)
	}
	if len(r.Warfare) != 3 || len(r.Further) != 1 || r.Warfare[1].Turn != "Spring 1941" {
		t.Errorf("%d results of warfare, %d further: %+v", len(r.Warfare), len(r.Further), r)
	}
}

// A corrected result stays beside the one in its place; only the last is counted, whether a
// second correction names the first result or the first correction.
func TestCorrection(t *testing.T) {
	for _, names := range []string{"the result", "the correction"} {
		c := recordtest.Begin(1)
		c.Turn(1, "Winter 1941")
		original := c.Add("European Axis", atlantic(0, 1, 1, 5))
		c.Add("", &events.Corrected{Event: original, Reason: "Lorient was overlooked"})
		first := c.Correct(original, "European Axis", atlantic(0, 3, 2, 7))
		of := original
		if names == "the correction" {
			of = first
		}
		second := c.Correct(of, "European Axis", atlantic(0, 2, 1, 6))
		r := report(t, c)
		if got := r.Totals[0]; got.Rolls != 1 || got.First != 1 || got.Second != 6 {
			t.Errorf("naming %s: counted %+v", names, got)
		}
		by := []uint64{}
		for _, x := range r.Warfare {
			by = append(by, x.CorrectedBy)
		}
		if !reflect.DeepEqual(by, []uint64{first, second, 0}) {
			t.Errorf("naming %s: corrected by %v", names, by)
		}
	}
}

// A result that is corrected later stays in its own turn and phase, and one that is voided keeps its row.
func TestCorrectedLater(t *testing.T) {
	c := recordtest.Begin(1)
	c.Turn(1, "Winter 1941")
	first := c.Add("European Axis", atlantic(0, 0, 1, 5))
	c.Turn(2, "Spring 1942")
	second := c.Add("European Axis", atlantic(0, 0, 2, 4))
	by := c.Correct(first, "European Axis", atlantic(0, 1, 1, 5))
	void := c.Add("", &events.Voided{Events: []uint64{second}})
	r := report(t, c)
	if len(r.Warfare) != 3 {
		t.Fatalf("%d results: %+v", len(r.Warfare), r.Warfare)
	}
	if x := r.Warfare[2]; x.Event != by || x.Corrects != first || x.Turn != "Winter 1941" || x.Ordinal != 1 ||
		x.Phase != r.Warfare[0].Phase {
		t.Errorf("the correction: %+v", x)
	}
	if x := r.Warfare[1]; x.Event != second || x.VoidedBy != void || x.Turn != "Spring 1942" {
		t.Errorf("what was voided: %+v", x)
	}
	for _, x := range r.Totals {
		if x.Rolls != 1 {
			t.Errorf("total: %+v", x)
		}
	}
}

// A result shows the contest that bore on it, as settled last.
func TestContest(t *testing.T) {
	c := recordtest.Begin(1)
	c.Turn(1, "Winter 1941")
	opened := c.Add("European Axis", &events.ContestOpened{Kind: "submarine warfare", Acting: "European Axis",
		Opposing: "Britain", Scope: []string{"Atlantic"}})
	settle := &events.ContestSettled{Contest: opened, Kind: "submarine warfare", Acting: "European Axis",
		Opposing: "Britain", ActingCards: 1, OpposingCards: 2, Advantage: "Britain", Modifier: -1,
		Scope: []string{"Atlantic"}}
	settled := c.Add("", settle)
	c.Add("European Axis", atlantic(opened, 0, 1, 5))
	r := report(t, c)
	want := strategic.Effect{Contest: opened, Settled: settled, ActingCards: 1, OpposingCards: 2, Advantage: "Britain",
		Modifier: -1}
	if got := r.Warfare[0].Contest; got == nil || *got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	settle.ActingCards, settle.Advantage, settle.Modifier = 2, "", 0
	again := c.Correct(settled, "", settle)
	r = report(t, c)
	if got := r.Warfare[0].Contest; got.Settled != again || got.Modifier != 0 {
		t.Errorf("after the correction: %+v", got)
	}
	if len(r.Contests) != 2 || r.Contests[0].CorrectedBy != again || r.Contests[1].Corrects != settled {
		t.Errorf("contests: %+v", r.Contests)
	}
}

// Tables as printed: the correction beside the original, in 80 columns.
func TestTables(t *testing.T) {
	c := recordtest.Begin(1)
	c.Turn(1, "Winter 1941")
	original := c.Add("European Axis", atlantic(0, 1, 1, 5))
	c.Correct(original, "European Axis", atlantic(0, 2, 1, 6))
	v, err := projections.Fold(strategic.Projection(), c.Records(), nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = `Strategic warfare
Turn         #    Box       Side           SF  Dice  Mod  Col   Row  Result
-----------  ---  --------  -------------  --  ----  ---  ---  ----  ------
Winter 1941  #1*  Atlantic  European Axis   8   3+4   +1    8     8     1/5
                            Britain        34   6+1   -1    6  30+4    9/14
Winter 1941  #2   Atlantic  European Axis   8   3+4   +2    8     8     1/5
                            Britain        34   6+1   -2    6  30+4    9/14
SF: factors. Result: first/second, as printed.
* not counted: #1 is corrected by #2.
`
	if got := v.Tables()[0].String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A bombing mission has a table of its own, in which each roll is named, and its totals stand
// beside those of the boxes.
func TestBombing(t *testing.T) {
	c := recordtest.Begin(1)
	c.Turn(1, "Summer 1942")
	c.Add("European Axis", atlantic(0, 1, 1, 5))
	c.Add("Britain", &events.ResultAdjudicated{
		Procedure: "awaw.sw.air-combat", Subject: "Cologne", Attacker: "Britain", Defender: "Germany", Net: -1,
		Readings: []events.Reading{
			{Name: "bomber force", Side: "Britain", Factors: 31, Dice: []int{5, 4}, Total: 9, Modified: 8, Column: "8",
				Rows: []int{30, 1}, First: 8, Second: 13, Result: "8/13"},
			{Name: "defending air", Side: "Germany", Factors: 3, Dice: []int{3, 3}, Total: 6, Modified: 7, Column: "7",
				Rows: []int{3}, Second: 2, Result: "0/2"},
		},
	})
	c.Add("Britain", &events.ResultAdjudicated{
		Procedure: "awaw.sw.bombing", Subject: "Cologne", Attacker: "Britain", Defender: "Germany",
		Readings: []events.Reading{{Name: "bombers", Side: "Britain", Factors: 9, Dice: []int{1, 4}, Total: 5,
			Modified: 5, Column: "5", Rows: []int{9}, First: 1, Second: 5, Result: "1/5"}},
		Figures: []events.Figure{{Name: "defensive strength", Value: 7}},
	})
	v, err := projections.Fold(strategic.Projection(), c.Records(), nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = `Strategic bombing
Turn         #   Target   Roll           SF  Dice  Mod  Col   Row  Result
-----------  --  -------  -------------  --  ----  ---  ---  ----  ------
Summer 1942  #2  Cologne  bomber force   31   5+4   -1    8  30+1    8/13
                          defending air   3   3+3   +1    7     3     0/2
Summer 1942  #3  Cologne  bombers         9   1+4    0    5     9     1/5
SF: factors. Result: first/second, as printed.
`
	if got := v.Tables()[1].String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if r := report(t, c); len(r.Warfare) != 3 || len(r.Totals) != 5 || r.Totals[4].Box != "Cologne" ||
		r.Totals[4].Second != 5 {
		t.Errorf("%+v", r.Totals)
	}
}

// Results of dice thrown at a table are marked, in the report and in the table, also as
// corrected; those of a chain are told as ever.
func TestAttested(t *testing.T) {
	c := recordtest.Begin(1)
	c.Turn(1, "Winter 1941")
	declared := c.Add("European Axis", &events.RollDeclared{Mode: "attested"})
	c.Add("European Axis", &events.DiceTyped{Declared: declared})
	c.Add("European Axis", &events.DiceDenied{Declared: declared})
	c.Add("European Axis", &events.DiceTyped{Declared: declared})
	at := atlantic(0, 1, 1, 5)
	at.Declared = declared
	original := c.Add("European Axis", at)
	at.Net = 0
	c.Correct(original, "European Axis", at)
	at.Declared = c.Add("European Axis", &events.RollDeclared{})
	c.Add("European Axis", at)
	at.Procedure, at.Declared = "awaw.harbor-attack", declared
	c.Add("European Axis", at)
	r := report(t, c)
	if len(r.Warfare) != 3 || !r.Warfare[0].Attested || !r.Warfare[1].Attested || r.Warfare[2].Attested ||
		!r.Further[0].Attested {
		t.Errorf("%+v", r)
	}
	if text, err := json.Marshal(r.Warfare[2]); err != nil || strings.Contains(string(text), "attested") {
		t.Errorf("%s, %v", text, err)
	}
	v, err := projections.Fold(strategic.Projection(), c.Records(), nil)
	if err != nil {
		t.Fatal(err)
	}
	loaded := &strategic.View{}
	if err := loaded.Load(v.Save()); err != nil || !reflect.DeepEqual(loaded.Report(), v.Report()) {
		t.Errorf("loaded again: %v", err)
	}
	for i, table := range []document.Table{v.Tables()[0], v.Tables()[3]} {
		text := table.String()
		if n := strings.Count(text, "6+1°"); n != 2-i || !strings.Contains(text, "°Attested: thrown at a table") ||
			i == 0 && !strings.Contains(text, "6+1 ") {
			t.Errorf("%d dice are marked:\n%s", n, text)
		}
	}
}
