package strategic

import (
	"cmp"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
)

// exact are the readings of the option consequences by which figures are followed from place to place. Records made
// before there was one keep the figures that they had.
var exact = []string{"exact", "firm"}

// readOptions notes whether the campaign is on an exact edition.
func (v *View) readOptions(options []events.Option) {
	for _, o := range options {
		if o.Name == "consequences" {
			v.exact = slices.Contains(exact, o.Value)
		}
	}
}

// asTheyStand gives the figures where events count in their places: what a correction adds to a turn of long ago counts
// there, and moves what is of later turns. ASPs and divisions move event by event; the SWM is what was stated of it
// last, moved by what has changed before it since.
func (v *View) asTheyStand() []Figure {
	list, settled, changes := []Figure{}, uint64(0), v.changes()
	tellings := v.tellings()
	slices.SortStableFunc(tellings, inPlace)
	for _, x := range tellings {
		i := slices.IndexFunc(list, func(o Figure) bool { return o.Name == x.name })
		f := Figure{x.name, x.value, x.at.Event, x.at.Turn}
		switch swm := x.name == figureSWM; {
		case x.moves && i < 0, swm && x.roll && settled == x.at.Ordinal:
			continue
		case !swm && !x.stated && i < 0: // its report is void, and nobody knows what it moved
			continue
		case swm && x.moves:
			f.Value = list[i].Value + x.by
		case swm:
			f.Value += v.changedSince(&x, changes)
		case i >= 0 && !x.stated:
			f.Value = max(0, list[i].Value+x.by)
		}
		if x.name == figureSWM && !x.roll {
			settled = x.at.Ordinal
		}
		if i < 0 {
			list = append(list, f)
		} else {
			list[i] = f
		}
	}
	return list
}

// inPlace orders what is stated by where it counts.
func inPlace(a, b stating) int {
	return cmp.Or(cmp.Compare(a.at.At, b.at.At), cmp.Compare(a.at.First, b.at.First))
}

// changes lists what has moved the SWM, also what does so no more: successes and compensations, and the marker as it
// was reported.
func (v *View) changes() []stating {
	var list []stating
	for _, x := range v.spent {
		list = append(list, stating{at: x.Entry, by: x.on(spentSWM)})
	}
	for _, x := range v.compensations {
		if x.What == events.CompensatedFigure && x.Subject == figureSWM {
			list = append(list, stating{at: x.Entry, by: int64(x.By)})
		}
	}
	for _, x := range v.facts {
		if x.name == figureSWM && x.VoidedBy == 0 { // one report takes the place of another, and none moves it
			list = append(list, stating{at: x.Entry, by: int64(x.value)})
		}
	}
	return list
}

// changedSince is by how much other changes are made before the place of what was stated than when that was recorded.
func (v *View) changedSince(x *stating, changes []stating) int64 {
	sum := int64(0)
	for i := range changes {
		y := &changes[i]
		if inPlace(*y, *x) >= 0 {
			continue
		}
		if y.at.Counts() {
			sum += y.by
		}
		if v.countedBefore(x.at.Event, y, changes) {
			sum -= y.by
		}
	}
	return sum
}

// countedBefore reports whether a change counted when an event was recorded: what took it out may itself have been
// taken back since, and what stood in its place.
func (v *View) countedBefore(event uint64, y *stating, changes []stating) bool {
	return y.at.Event < event && v.stoodBefore(event, y.at.Event) &&
		!slices.ContainsFunc(changes, func(z stating) bool {
			return z.at.First == y.at.First && z.at.Event > y.at.Event && z.at.Event < event &&
				v.stoodBefore(event, z.at.Event)
		})
}

// stoodBefore reports whether an event was not void when another was recorded.
func (v *View) stoodBefore(event, of uint64) bool {
	return !slices.ContainsFunc(v.takings, func(x taking) bool {
		return x.event < event && slices.Contains(x.events, of) && v.stoodBefore(event, x.event)
	})
}

// taking is an event that takes others out of the record: a correction, a void or an undo.
type taking struct {
	event  uint64
	events []uint64
}

// take notes what an event takes out, where figures are followed from place to place.
func (v *View) take(e history.Row) {
	if list := events.Voids(e.Event); v.exact && len(v.facts)+len(v.spent) > 0 && len(list) > 0 {
		v.takings = append(v.takings, taking{e.Index, list})
	}
}
