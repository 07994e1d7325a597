package awaw

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

func TestSheets(t *testing.T) { rulestest.Sheets(t, files) }

// TestStrategicWarfareLadder holds all 330 cells of 24.62 against an independent oracle: the
// table is one sequence, and each column begins some steps further along it.
func TestStrategicWarfareLadder(t *testing.T) {
	ladder := strings.Fields(`0 0 0 0 0/1 0/2 1/1 1/2 1/3 1/4 1/5 1/6 2/5 2/6 2/7 2/8 3/7 3/8 3/9 4/8 4/9 4/10
		5/9 5/10 5/11 6/10 6/11 6/12 7/11 7/12 7/13 8/12 8/13 8/14 9/13 9/14`)
	columns := strings.Fields("2 3 4 5 6 7 8 9 10 11 12+")
	offsets := []int{0, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6}
	if len(ladder) != 36 || len(strategicWarfareTable.Rows) != 30 || len(strategicWarfareTable.Columns) != 11 {
		t.Fatalf("%d steps, %d rows, %d columns", len(ladder), len(strategicWarfareTable.Rows),
			len(strategicWarfareTable.Columns))
	}
	for row := 1; row <= 30; row++ {
		for i, column := range columns {
			if got, want := strategicWarfareTable.MustCell(strconv.Itoa(row), column),
				ladder[row+offsets[i]-1]; got != want {
				t.Errorf("row %d, column %s: %s, want %s", row, column, got, want)
			}
		}
	}
}

// TestPearlHarborDiagonal holds all 77 cells of 51.31 against their oracle: the roll plus
// the number of the column.
func TestPearlHarborDiagonal(t *testing.T) {
	for i, column := range strings.Fields("0-29 30-31 32-33 34-35 36-37 38-39 40+") {
		for roll := 2; roll <= 12; roll++ {
			want := Location("auto")
			switch s := roll + i; {
			case s <= 7:
				want = AtPearl
			case s <= 10:
				want = InPacific
			case s <= 15:
				want = Location(strconv.Itoa(17 - s))
			}
			if got := LocateCarrier(column, roll); got != want {
				t.Errorf("roll %d, column %s: %s, want %s", roll, column, got, want)
			}
		}
		_, drm := PearlHarborColumn(28 + 2*i)
		if want := min(6, 9-i); i > 0 && drm != want {
			t.Errorf("DRM of column %s: %d, want %d", column, drm, want)
		}
	}
}

func TestHarborRow(t *testing.T) {
	want := []int{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 6}
	for i, result := range want {
		if got := ReadHarborAttack("", []int{i + 2}, 0).Result; got != result {
			t.Errorf("roll %d: %d, want %d", i+2, got, result)
		}
	}
	if low := ReadHarborAttack("", []int{2}, -9); low.Column != "2" || low.Modified != -7 {
		t.Errorf("below 2: %+v", low)
	}
	if high := ReadHarborAttack("", []int{18}, 9); high.Column != "14+" || high.Result != 6 {
		t.Errorf("above 14: %+v", high)
	}
}

// TestInitialPools: eight cards each (48.21-C, 48.23-A), lawful as they are (48.242).
func TestInitialPools(t *testing.T) {
	for f, want := range map[Faction]Pool{
		EuropeanAxis: {Submarine: 1, Tactical: 1, Strategic: 1, Blank: 5},
		Britain:      {ASW: 1, Tactical: 1, Strategic: 1, Blank: 5},
		Japan:        {Submarine: 1, Tactical: 1, Blank: 6},
		UnitedStates: {Submarine: 1, ASW: 1, Tactical: 1, Strategic: 1, Wild: 1, Blank: 3},
	} {
		got := InitialPool(f)
		if got != want || got.Size() != 8 {
			t.Errorf("%s: %+v, want %+v", f, got, want)
		}
		if found := CheckPool(f, got, Options{}); found.Refused() {
			t.Errorf("%s: its initial pool is refused: %+v", f, found.Violations)
		}
	}
	if InitialPool("russia") != (Pool{}) {
		t.Error("Russia has cards")
	}
}

// TestCVEBands holds the bands against the divisions that the rule gives beside them.
func TestCVEBands(t *testing.T) {
	for cves := 0; cves <= 40; cves++ {
		if got, want := CVEModifier(Atlantic, cves), -min(4, cves/6); got != want {
			t.Errorf("Atlantic, %d CVEs: %d, want %d", cves, got, want)
		}
		for _, box := range []Box{IndianOcean, Pacific} {
			if got, want := CVEModifier(box, cves), -min(4, cves/3); got != want {
				t.Errorf("%s, %d CVEs: %d, want %d", box, cves, got, want)
			}
		}
	}
}

// TestBombingTables holds the bombing tables against the lines that the rule prints: SB-AIR, SB-TGT.
func TestBombingTables(t *testing.T) {
	target := BombingTarget{FlakFactors: 1, Airbases: 10, Objectives: 100, Anchors: 1000, Cities: 10000, Ports: 100000,
		Fortifications: 3, Fortresses: 20, BeachDefenses: 7}
	if got, _ := target.Strength(); got != 1+10+100+1000+20000+200000+3+40 {
		t.Errorf("strength %d", got)
	}
	for attacker := -3; attacker <= 3; attacker++ {
		for n := range 9 {
			in := AirCombatInput{AttackerAirDRM: attacker, DefenderAirDRM: 2 - n, AttackerJets: 3 * n, DefenderJets: n,
				DefenderRadar: 5 - n/2}
			list, f := AirCombatModifiers(in)
			if got, want := Net(list), attacker-(2-n)+3*n-n-(5-n/2); got != want || len(f.Derivation) != len(list) {
				t.Errorf("%+v: net %d, want %d of %+v", in, got, want, list)
			}
		}
	}
	for reach := range 40 {
		for theater, step := range map[Theater]int{TheaterEurope: 8, TheaterPacific: 4} {
			list, _ := RaidModifiers(theater, TargetRaidInput{ExcessResults: 2, ExcessRange: reach, AirDefense: 3})
			if got, want := Net(list), 2+reach/step-3; got != want {
				t.Errorf("%s, %d hexes: net %d, want %d", theater, reach, got, want)
			}
		}
	}
}

func TestOptions(t *testing.T) {
	for _, option := range OptionList().Free() {
		if option.Name == optionItalian {
			continue // single rulings do not tell the submarines of Germany and Italy apart
		}
		for _, value := range option.Values() {
			var o Options
			OptionList().Fill(&o, map[string]string{option.Name: value})
			if text, _ := json.Marshal(o); !strings.Contains(string(text), fmt.Sprintf("%q:%q", option.Name, value)) {
				t.Errorf("%s cannot be %q: %s", option.Name, value, text)
			}
		}
	}
	var o, none Options
	OptionList().Fill(&o, map[string]string{"blank_cards": rules.Ask, "low_roll": "perhaps", "weather": "fair"})
	if OptionList().Fill(&none, nil); o != none || o.BlankCards != "refused" || o.LowRoll != "column_2" {
		t.Errorf("what is no reading is not the default: %+v", o)
	}
}
