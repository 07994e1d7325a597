package g40

// Facility is a kind of facility. A territory has one of a kind, and one complex.
type Facility string

// The facilities.
const (
	MajorIC   Facility = "major_ic"
	MinorIC   Facility = "minor_ic"
	AirBase   Facility = "air_base"
	NavalBase Facility = "naval_base"
)

// Limit is the most damage that a facility of the kind takes (G40-SBR-CAP).
func (f Facility) Limit() int { return facilityTable.MustFigure(string(f), "damage") }

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

// kind is the title of those of which a territory has one.
func (f Facility) kind() string {
	if f.complex() {
		return "industrial complex"
	}
	return f.title()
}
