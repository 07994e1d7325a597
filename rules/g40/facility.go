package g40

import (
	"fmt"
	"strconv"
)

// Facility is a kind of facility. A territory has one of a kind, and one complex.
type Facility string

// The facilities.
const (
	MajorIC   Facility = "major_ic"
	MinorIC   Facility = "minor_ic"
	AirBase   Facility = "air_base"
	NavalBase Facility = "naval_base"
)

// Limit is the most damage that the facility takes (G40-SBR-CAP), 0 for none that there is.
func (f Facility) Limit() int {
	cell, ok := facilityTable.Cell(string(f), "damage")
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(cell)
	if err != nil {
		panic(fmt.Errorf("facility %s: %w", f, err))
	}
	return n
}

// complex reports whether the facility is an industrial complex.
func (f Facility) complex() bool { return f == MajorIC || f == MinorIC }

func (f Facility) title() string {
	switch f {
	case MajorIC:
		return "major industrial complex"
	case MinorIC:
		return "minor industrial complex"
	case AirBase:
		return "air base"
	}
	return "naval base"
}
