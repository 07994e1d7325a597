package eots

import (
	"strconv"

	"github.com/watu-ledger/watu/rules"
)

// SWMInput is what the Submarine Warfare Modifier is made of. With a Marker the modifier is what the
// track shows, and nothing else counts (AMB-EOTS-3).
type SWMInput struct {
	Year                  int  `json:"year"`
	FirstConvoyEscort     bool `json:"first_convoy_escort_fleet"` // Japanese card 37 was played
	GrandEscortCommand    bool `json:"grand_escort_command"`      // Japanese card 38 was played
	NewSubmarineDoctrines int  `json:"new_submarine_doctrine"`    // Allied plays of card 80
	Reductions            int  `json:"swm_reductions"`            // earlier successes spent on the SWM
	Marker                *int `json:"swm_marker"`
}

// The rows of the SWM table that are no year.
const (
	rowFirstConvoyEscort  = "First Convoy Escort Fleet (37)"
	rowGrandEscortCommand = "Grand Escort Command (38)"
	rowSubmarineDoctrine  = "New Submarine Doctrine (80)"
	rowSuccess            = "Success"
	rowNeverBelow         = "Never below"
)

// lowestSWM is under which the modifier never goes (EOTS-11.22.B-5).
var lowestSWM = swmTable.MustFigure(rowNeverBelow, "SWM")

// escortSWM is what one of cards 37 and 38 adds (EOTS-11.22.B-2).
var escortSWM = swmTable.MustFigure(rowFirstConvoyEscort, "SWM")

// highestSWM is what the modifier comes to at most in a year: with both cards, and nothing that lowers it.
func highestSWM(year int) int { return yearSWM(year) + 2*escortSWM }

// SWM sums the modifier (11.22.B).
func SWM(in SWMInput) (int, rules.Findings) {
	var f rules.Findings
	return floorSWM(&f, in.sum(&f)), f
}

// sum is the modifier before it is held to −5.
func (in SWMInput) sum(f *rules.Findings) int {
	if in.Marker != nil {
		f.Cite("AMB-EOTS-3", "the SWM is what its marker shows, %+d, not a sum made afresh", *in.Marker)
		return *in.Marker
	}
	sum := 0
	add := func(rule, row string, times int, format string, args ...any) {
		if times == 0 {
			return
		}
		value := swmTable.MustFigure(row, "SWM") * times
		f.Consult(TableSWM, row, "SWM")
		f.Cite(rule, "%+d: "+format, append([]any{value}, args...)...)
		sum += value
	}
	rule := "EOTS-11.22.B-1"
	if in.Year == 1941 {
		rule = "AMB-EOTS-2"
		f.Cite("EOTS-11.22.B-1", "the list of years begins with 1942")
	}
	add(rule, strconv.Itoa(in.Year), 1, "the year is %d", in.Year)
	add("EOTS-11.22.B-2", rowFirstConvoyEscort, once(in.FirstConvoyEscort), "First Convoy Escort Fleet was played")
	add("EOTS-11.22.B-2", rowGrandEscortCommand, once(in.GrandEscortCommand), "Grand Escort Command was played")
	add("EOTS-11.22.B-3", rowSubmarineDoctrine, in.NewSubmarineDoctrines, "plays of New Submarine Doctrine: %d",
		in.NewSubmarineDoctrines)
	add("EOTS-11.22.B-4", rowSuccess, in.Reductions, "earlier successes spent on the SWM: %d", in.Reductions)
	return sum
}

func once(played bool) int {
	if played {
		return 1
	}
	return 0
}

// floorSWM sets a sum to −5 that would be below it, and says so.
func floorSWM(f *rules.Findings, sum int) int {
	if sum >= lowestSWM {
		return sum
	}
	f.Consult(TableSWM, rowNeverBelow, "SWM")
	f.Cite("EOTS-11.22.B-5", "%+d is below %+d, under which the SWM never goes: %+d", sum, lowestSWM, lowestSWM)
	return lowestSWM
}
