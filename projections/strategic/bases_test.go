package strategic_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
	"github.com/watu-ledger/watu/projections/strategic"
)

func tables(t *testing.T, c *recordtest.Campaign) string {
	t.Helper()
	v, err := projections.Fold(strategic.Projection(), c.Records(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, table := range v.Tables() {
		text.WriteString(table.String() + "\n")
	}
	return text.String()
}

func die(base string, swm, pv, rolled int, word string) *events.ResultAdjudicated {
	return &events.ResultAdjudicated{
		Procedure: "eots.sub-warfare", Subject: base, Attacker: "Allies", Defender: "Japan", Net: swm - pv,
		Modifiers: []events.Modifier{{Name: "SWM", Value: swm}, {Name: "SLOC PV", Value: -pv}},
		Readings: []events.Reading{{Name: "die", Side: "Allies", Dice: []int{rolled}, Total: rolled, Modified: rolled +
			swm - pv, Result: word}},
	}
}

// The war of two bases, as printed.
func TestBases(t *testing.T) {
	c := recordtest.Begin(1)
	c.Turn(2, "Turn 2, 1942")
	c.Add("Allies", &events.BasePlaced{Base: "Wilkes", Hex: "2813", How: "scenario"})
	c.Add("", &events.FactReported{Fact: "asps", Number: 6})
	c.Add("Allies", die("Wilkes", 2, 2, 6, "no success"))
	drawn := c.Add("Japan", &events.StrategyCardsDrawn{Base: 6, Draw: 6})
	c.Correct(drawn, "Japan", &events.StrategyCardsDrawn{Base: 7, Draw: 7})
	c.Turn(5, "Turn 5, 1943")
	c.Add("Allies", &events.BaseReplaced{Base: "Wilkes", By: "Fife", Hex: "2813", Joined: "Lockwood"})
	c.Add("Allies", &events.BasePlaced{Base: "Lockwood", Hex: "4024", How: "reinforcement"})
	c.Add("Allies", die("Fife", 1, 2, 0, "success"))
	c.Add("Allies", &events.SuccessSpent{Base: "Fife", On: "swm", Shipping: 6, Modifier: 0})
	c.Add("Allies", die("Lockwood", 1, 3, 1, "success"))
	c.Add("Allies", &events.SuccessSpent{Base: "Lockwood", On: "asp", Shipping: 5, Modifier: 0})
	c.Add("Japan", &events.BaseAttacked{Base: "Lockwood", Hex: "4024", Hits: 16, Needed: 15, Displaced: true,
		Returns: 6})
	c.Add("Japan", &events.StrategyCardPlayed{Card: 38, Event: "Grand Escort Command"})
	const want = `Submarine warfare
Turn          #    Sub Base  Die  SWM  SLOC PV  Comes to  Result      Spent on
------------  ---  --------  ---  ---  -------  --------  ----------  --------
Turn 2, 1942  #3   Wilkes      6   +2       -2         6  no success
Turn 5, 1943  #9   Fife        0   +1       -2        -1  success     the SWM
Turn 5, 1943  #11  Lockwood    1   +1       -3        -1  success     an ASP

Sub Bases over all turns
Sub Base  Rolls  Successes
--------  -----  ---------
Wilkes        1          0
Fife          1          1
Lockwood      1          1

As reported last
Figure         Value  #    Turn
-------------  -----  ---  ------------
Japanese ASPs      5  #12  Turn 5, 1943
SWM                0  #12  Turn 5, 1943
A card played or a new year since then may have moved the SWM.

Sub Bases now
Sub Base  Where                          Since         #
--------  -----------------------------  ------------  ---
Fife      hex 2813                       Turn 5, 1943  #7
Lockwood  off the map, back from turn 6  Turn 5, 1943  #13

What became of the bases
Turn          #    Sub Base  What
------------  ---  --------  ---------------------------------------------------
Turn 2, 1942  #1   Wilkes    placed in 2813, scenario
Turn 5, 1943  #7   Wilkes    replaced by Fife in 2813; Lockwood arrives
Turn 5, 1943  #8   Lockwood  placed in 4024, reinforcement
Turn 5, 1943  #13  Lockwood  attacked in 4024, 16 hits, 15 to displace it: off
                             the map, back from turn 6

Strategy Cards drawn
Turn          #    Side   In full  Submarines  Bombers  Drawn
------------  ---  -----  -------  ----------  -------  -----
Turn 2, 1942  #4*  Japan        6           0        0      6
Turn 2, 1942  #5   Japan        7           0        0      7
* not counted: #4 is corrected by #5.

Strategy Cards played
Turn          #    Side   Card  Event
------------  ---  -----  ----  --------------------
Turn 5, 1943  #14  Japan    38  Grand Escort Command

`
	if got := tables(t, c); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What is corrected stands in the place of the first, however often: the base is where it is now, the
// success spent on what it was spent on.
func TestCorrectedBases(t *testing.T) {
	c := recordtest.Begin(1)
	c.Turn(2, "Turn 2, 1942")
	landed := c.Add("Allies", &events.BasePlaced{Base: "Wilkes", Hex: "2813", How: "scenario"})
	hit := c.Add("Japan", &events.BaseAttacked{Base: "Wilkes", Hex: "2813", Hits: 16, Needed: 15, Displaced: true,
		Returns: 3})
	reported := c.Add("", &events.FactReported{Fact: "asps", Number: 6})
	spent := c.Add("Allies", &events.SuccessSpent{Base: "Wilkes", On: "asp", Shipping: 5, Modifier: 1})
	c.Correct(landed, "Allies", &events.BasePlaced{Base: "Wilkes", Hex: "2220", How: "scenario"})
	first := c.Correct(hit, "Japan", &events.BaseAttacked{Base: "Wilkes", Hex: "2220", Hits: 15, Needed: 15,
		Displaced: true, Returns: 3})
	c.Correct(first, "Japan", &events.BaseAttacked{Base: "Wilkes", Hex: "2220", Hits: 14, Needed: 15})
	c.Correct(spent, "Allies", &events.SuccessSpent{Base: "Wilkes", On: "none", Shipping: 6, Modifier: 1})
	c.Correct(reported, "", &events.FactReported{Fact: "asps", Number: 7})
	r := report(t, c)
	if len(r.Bases) != 1 || r.Bases[0].Hex != "2220" || r.Bases[0].Returns != 0 {
		t.Errorf("bases: %+v", r.Bases)
	}
	by := []uint64{}
	for _, x := range r.Postings {
		by = append(by, x.CorrectedBy)
	}
	if want := []uint64{5, first, 0, 7, 0}; !reflect.DeepEqual(by, want) {
		t.Errorf("corrected by %v, want %v", by, want)
	}
	if got := figure(t, r, "Japanese ASPs"); got != 7 {
		t.Errorf("none is taken of the 7 reported: %d are left", got)
	}
}

func figure(t *testing.T, r strategic.Report, name string) int64 {
	t.Helper()
	for _, f := range r.Figures {
		if f.Name == name {
			return f.Value
		}
	}
	t.Fatalf("there is no %s: %+v", name, r.Figures)
	return 0
}

// What is corrected further back moves what was told since, but not what the umpire said since, nor
// what was told after the correction.
func TestCorrectedFurtherBack(t *testing.T) {
	c := recordtest.Begin(1)
	c.Turn(7, "Turn 7, 1943")
	spend := func(on string, asps, swm int) *events.SuccessSpent {
		return &events.SuccessSpent{Base: "Fife", On: on, Shipping: asps, Modifier: swm}
	}
	c.Add("", &events.FactReported{Fact: "asps", Number: 6})
	fife := c.Add("Allies", spend("asp", 5, -1))
	c.Add("Allies", spend("swm", 5, -2))
	first := c.Correct(fife, "Allies", spend("none", 6, -1))
	if r := report(t, c); figure(t, r, "Japanese ASPs") != 6 || figure(t, r, "SWM") != -2 {
		t.Errorf("nothing for the first, the SWM for the second: %+v", r.Figures)
	}
	c.Correct(first, "Allies", spend("swm", 6, -2))
	if r := report(t, c); figure(t, r, "Japanese ASPs") != 6 || figure(t, r, "SWM") != -3 {
		t.Errorf("the SWM for both: %+v", r.Figures)
	}
	c.Turn(8, "Turn 8, 1944")
	c.Add("Allies", spend("asp", 5, -3))
	if r := report(t, c); figure(t, r, "Japanese ASPs") != 5 || figure(t, r, "SWM") != -3 {
		t.Errorf("told after the correction: %+v", r.Figures)
	}
	stated := c.Add("", &events.FactReported{Fact: "swm marker", Number: 0})
	c.Correct(fife, "Allies", spend("asp", 5, -1))
	if r := report(t, c); figure(t, r, "Japanese ASPs") != 4 || figure(t, r, "SWM") != 0 {
		t.Errorf("said since: %+v", r.Figures)
	}
	c.Correct(stated, "", &events.FactReported{Fact: "swm marker", Number: 1})
	if r := report(t, c); figure(t, r, "SWM") != 1 {
		t.Errorf("said otherwise: %+v", r.Figures)
	}
}

// Results of any game: readings with their figures below, or figures alone, a line each.
func TestFurtherResults(t *testing.T) {
	c := recordtest.Begin(1)
	c.Turn(1, "Round 1")
	c.Add("UK", &events.ResultAdjudicated{Procedure: "g40.aa-fire", Subject: "Egypt", Attacker: "Germany",
		Defender: "UK", Figures: []events.Figure{{Name: "hits", Value: 1}}})
	c.Add("Allies", &events.ResultAdjudicated{
		Procedure: "eots.troop-transports", Subject: "Fife", Attacker: "Allies",
		Readings: []events.Reading{{Name: "die", Dice: []int{4}, Total: 4, Modified: 4, Column: "3-5", Result: "1"}},
		Figures:  []events.Figure{{Name: "divisions in China", Value: 7}},
	})
	c.Add("Germany", &events.ResultAdjudicated{Procedure: "g40.sbr", Subject: "United Kingdom", Attacker: "Germany",
		Defender: "UK", Figures: []events.Figure{{Name: "interceptors lost", Value: 1},
			{Name: "damage to the naval base", Value: 4}}})
	c.Add("Japan", &events.ResultAdjudicated{Procedure: "g40.kamikaze", Subject: "6 Sea Zone", Attacker: "Japan",
		Defender: "US", Figures: []events.Figure{{Name: "US carrier #1", Value: 1, Text: "sunk"}}})
	c.Add("Germany", &events.UnitsLost{Power: "Germany", Space: "Egypt",
		Units: []events.Unit{{Name: "fighter", Count: 1}}, Cause: "AA fire", Chosen: "Germany"})
	c.Add("UK", &events.SubmarinesHunted{Zone: "8 Sea Zone", Attacker: "UK", Groups: []events.HuntedGroup{
		{Power: "Germany", Submarines: []string{"U-96"}, Values: []events.Figure{{Name: "UK", Value: 3}},
			Detected: true},
		{Power: "Japan", Submarines: []string{"I-19"}, MaySubmerge: true},
	}})
	const want = `As reported last
Figure              Value  #   Turn
------------------  -----  --  -------
divisions in China      7  #2  Round 1

Further results
Turn     #   What                    Reading  Dice  Mod  Col  Result
-------  --  ----------------------  -------  ----  ---  ---  ------
Round 1  #2  troop transports, Fife  die         4    0  3-5       1
#2: divisions in China 7.

Further results, in figures
Turn     #   What                      Attacker  Figure                    Value
-------  --  ------------------------  --------  ------------------------  -----
Round 1  #1  AA fire, Egypt            Germany   hits                      1
Round 1  #3  bombing raid, United      Germany   interceptors lost         1
             Kingdom
                                                 damage to the naval base  4
Round 1  #4  kamikaze, 6 Sea Zone      Japan     US carrier #1             sunk

Hunts for submarines
Turn     #   In turn of  Sea zone    Submarines     Found at  Result
-------  --  ----------  ----------  -------------  --------  ------------------
Round 1  #6  UK          8 Sea Zone  Germany: U-96  UK 3      detected
                                     Japan: I-19              undetected, may
                                                              submerge
Found at: on this or less, by the power of the destroyers.

Losses
Turn     #   Of       Where  Units      To       Picked by
-------  --  -------  -----  ---------  -------  ---------
Round 1  #5  Germany  Egypt  1 fighter  AA fire  Germany

`
	if got := tables(t, c); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Where nothing is to be shown, that is said once.
func TestNothingToShow(t *testing.T) {
	if got, want := tables(t, recordtest.Convoys(1, 2)), "Strategic warfare and results\nnone yet\n\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
