package strategic

import (
	"cmp"
	"iter"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

// stating is a figure as one event states it.
type stating struct {
	at     projections.Entry
	name   string
	value  int64
	stated bool  // by the umpire, whatever was before
	roll   bool  // by a die's modifiers
	moves  bool  // value is by how much a compensation moves the figure
	by     int64 // how much the event moves the figure, in its place
}

// figures gives the figures of the game as they were stated last: reported, or by a result. A roll has
// the SWM of its segment's beginning, so in a turn in which a success was spent only the latter counts.
// What was corrected further back since a figure was stated moves it by as much.
func (v *View) figures() []Figure {
	if v.exact {
		return v.asTheyStand()
	}
	// by whom each was stated last; turn of the last that was no roll
	list, reported, settled := []Figure{}, []stating{}, uint64(0)
	tellings, shifts := v.tellings(), v.shifts()
	for _, x := range tellings {
		if x.name == figureSWM && x.roll && settled == x.at.Ordinal {
			continue
		}
		if x.name == figureSWM && !x.roll {
			settled = x.at.Ordinal
		}
		f := Figure{x.name, x.value, x.at.Event, x.at.Turn}
		i := slices.IndexFunc(list, func(o Figure) bool { return o.Name == x.name })
		switch {
		case x.moves && i >= 0:
			list[i] = Figure{x.name, list[i].Value + x.value, x.at.Event, x.at.Turn}
		case x.moves: // what it moved is not known here
		case i >= 0:
			list[i], reported[i] = f, x
		default:
			list, reported = append(list, f), append(reported, x)
		}
	}
	for i := range list {
		list[i].Value += since(&reported[i], shifts, tellings)
	}
	return list
}

// tellings lists what stands, in the order of the first entries.
func (v *View) tellings() []stating {
	var list []stating
	for _, x := range projections.Effective(v.facts) {
		list = append(list, stating{at: x.Entry, name: x.name, value: int64(x.value), stated: true})
	}
	for _, x := range projections.Effective(v.spent) {
		if x.Shipping >= 0 {
			list = append(list,
				stating{at: x.Entry, name: figureASPs, value: int64(x.Shipping), by: x.on(spentASP)})
		}
		list = append(list,
			stating{at: x.Entry, name: figureSWM, value: int64(x.SuccessSpent.Modifier), by: x.on(spentSWM)})
	}
	for _, x := range projections.Effective(v.results) {
		for _, m := range x.Modifiers {
			if m.Name == figureSWM {
				list = append(list, stating{at: x.Entry, name: figureSWM, value: int64(m.Value), roll: true})
			}
		}
		for _, f := range x.ResultAdjudicated.Figures {
			if f.Name == figureChina {
				list = append(list, stating{at: x.Entry, name: figureChina, value: int64(f.Value), by: -x.removed()})
			}
		}
	}
	for _, x := range projections.Effective(v.compensations) {
		if x.What == events.CompensatedFigure {
			list = append(list, stating{at: x.Entry, name: x.Subject, value: int64(x.By), moves: true,
				by: int64(x.By)})
		}
	}
	slices.SortStableFunc(list, func(a, b stating) int { return cmp.Compare(a.at.First, b.at.First) })
	return list
}

// on is how much the success moves what it may be spent on.
func (x *spent) on(figure string) int64 {
	if x.On == figure {
		return -1
	}
	return 0
}

// removed is how many divisions leave China by a result.
func (x *result) removed() (n int64) {
	for _, f := range x.ResultAdjudicated.Figures {
		if f.Name == figureLeave {
			n += int64(f.Value)
		}
	}
	return n
}

// shifts lists by how much each correction moved a figure.
func (v *View) shifts() []stating {
	var list []stating
	for x, old := range corrections(v.facts) {
		list = append(list, stating{at: x.Entry, name: x.name, value: int64(x.value) - int64(old.value)})
	}
	for x, old := range corrections(v.spent) {
		list = append(list,
			stating{at: x.Entry, name: figureASPs, value: int64(x.Shipping) - int64(old.Shipping)},
			stating{at: x.Entry, name: figureSWM,
				value: int64(x.SuccessSpent.Modifier) - int64(old.SuccessSpent.Modifier)})
	}
	for x, old := range corrections(v.compensations) {
		if x.What == events.CompensatedFigure {
			list = append(list, stating{at: x.Entry, name: x.Subject, value: int64(x.By) - int64(old.By)})
		}
	}
	return list
}

// corrections gives each entry that corrects another, with the one that counted before it. Void ones are passed over.
func corrections[T any, E projections.HasEntry[T]](list []T) iter.Seq2[E, E] {
	return func(yield func(x, old E) bool) {
		var old E
		for i := range list {
			x := E(&list[i])
			if x.Own().VoidedBy != 0 {
				continue
			}
			if old != nil && x.Own().First == old.Own().First && !yield(x, old) {
				return
			}
			old = x
		}
	}
}

// since is by how much corrections have moved a figure that was stated before them. What the umpire says
// stands whatever is corrected before it.
func since(x *stating, shifts, tellings []stating) int64 {
	sum := int64(0)
	for _, s := range shifts {
		if x.stated || s.name != x.name || s.at.First >= x.at.First || s.at.Event < x.at.Event {
			continue
		}
		if !slices.ContainsFunc(tellings, func(o stating) bool {
			return o.stated && o.name == x.name && s.at.First < o.at.First && o.at.First < x.at.First
		}) {
			sum += s.value
		}
	}
	return sum
}
