package eots

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

func TestSheets(t *testing.T) { rulestest.Sheets(t, files) }

// TestStarts holds the scenario table against the positions written out.
func TestStarts(t *testing.T) {
	for year, want := range map[int]string{
		1941: "[{Wilkes 2813}] 2", 1942: "[{Wilkes 2813}] 2", 1943: "[{Lockwood 3727}] 1",
		1944: "[{Fife 4024} {Lockwood 5108}] 0",
	} {
		bases, swm, ok := Starts(year)
		if got := fmt.Sprint(bases, swm); got != want || !ok {
			t.Errorf("%d: %s, want %s", year, got, want)
		}
	}
	if _, _, ok := Starts(1945); ok {
		t.Error("a scenario begins in 1945")
	}
	if arrival(rowLockwood4) != 4 || arrival(rowFife) != 6 || arrival(rowLockwood6) != 6 {
		t.Error("arrivals")
	}
}

// TestScenarioRows: a base stands, arrives later, or is replaced, and a row never goes back
// (11.21.B-7).
func TestScenarioRows(t *testing.T) {
	for _, row := range scenarioTable.Rows[:4] {
		stage := 0
		for _, cell := range row.Cells {
			now := map[int]int{1: 0, 4: 1, 8: 2}[len(cell)]
			if now < stage {
				t.Errorf("%s: %s after a later state", row.Label, cell)
			}
			stage = now
		}
	}
}

// TestConducting holds the table against the schedule of replacements: a base that came on a turn in
// place of another conducts at once, a new one the turn after.
func TestConducting(t *testing.T) {
	for turn := 1; turn <= 20; turn++ {
		var want []string
		switch {
		case turn < 4:
			want = []string{"Wilkes"}
		case turn < 6:
			want = []string{"Lockwood"}
		case turn == 6:
			want = []string{"Fife"}
		default:
			want = []string{"Lockwood", "Fife"}
		}
		if got := Conducting(turn); !slices.Equal(got, want) {
			t.Errorf("Turn %d: %v, want %v", turn, got, want)
		}
	}
}

// TestSWMSum holds the SWM against plain arithmetic, for every play that a war can see; 1941 begins
// at +2 (AMB-EOTS-2).
func TestSWMSum(t *testing.T) {
	years := map[int]int{1941: 2, 1942: 2, 1943: 1, 1944: 0, 1945: 0}
	for year, base := range years {
		for n := range 4 * 4 * 8 {
			first, grand, doctrines, spent := n&1, n>>1&1, n>>2&3, n>>4
			want := max(-5, base+2*first+2*grand-2*doctrines-spent)
			in := SWMInput{Year: year, FirstConvoyEscort: first == 1, GrandEscortCommand: grand == 1,
				NewSubmarineDoctrines: doctrines, Reductions: spent}
			got, f := SWM(in)
			if got != want || f.Refused() {
				t.Errorf("%+v: %d, want %d", in, got, want)
			}
		}
	}
	for marker := -9; marker < 9; marker++ {
		if got, _ := SWM(SWMInput{Year: 1942, Marker: &marker, Reductions: 3}); got != max(-5, marker) {
			t.Errorf("marker %d: %d", marker, got)
		}
	}
}

// TestChinaDie: each face of the die, in both readings.
func TestChinaDie(t *testing.T) {
	for die, want := range []int{2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 2} {
		in := InterceptInput{Card: 5, PlayedAs: intercepts, Timing: "offensive_before_combat_phase", Die: die,
			Divisions: 9}
		in.SubBase.Name, in.SubBase.HQs = Fife, 1
		if in.Options.Die = "0-9"; die < 10 {
			if out, f := TroopTransports(in); out.Removed != want || f.Refused() {
				t.Errorf("0-9, die %d: %+v, want %d", die, out, want)
			}
		}
		if in.Options.Die = "1-10"; die > 0 {
			if out, f := TroopTransports(in); out.Removed != want || f.Refused() {
				t.Errorf("1-10, die %d: %+v, want %d", die, out, want)
			}
		}
	}
}

// TestRounding: a fifth of what counts, to the nearest integer, and the derivation says so (EOTS-11.22.C-5).
func TestRounding(t *testing.T) {
	for count, want := range map[int]int{0: 0, 1: 0, 2: 0, 3: 1, 5: 1, 7: 1, 8: 2, 10: 2, 12: 2, 13: 3, 17: 3, 18: 4} {
		in := SLOCPVInput{Range: 10}
		for i := range count { // every third is an HQ
			s := SLOCSpace{Hex: fmt.Sprint(2000 + i), Kind: Resource, Japanese: true, Distance: 10}
			if i%3 == 0 {
				s = SLOCSpace{Name: fmt.Sprint(i), Kind: JapaneseHQ, Japanese: true, Distance: 10}
			}
			in.Spaces = append(in.Spaces, s)
		}
		out, f := SLOCPV(in)
		step := fmt.Sprintf("make %d; divided by 5, to the nearest integer: %d", count, want)
		cited := slices.ContainsFunc(f.Derivation, func(c events.Citation) bool {
			return c.Rule == "EOTS-11.22.C-5" && strings.HasSuffix(c.Step, step)
		})
		if out.SLOCPV != want || !cited {
			t.Errorf("%d spaces and HQs: %+v, want %d: %+v", count, out, want, f.Derivation)
		}
	}
}
