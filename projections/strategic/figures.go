package strategic

import (
	"cmp"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// telling is a figure as one event tells it.
type telling struct {
	at    place
	name  string
	value int64
	said  bool // by the umpire, whatever was before
	roll  bool // by a die's modifiers
	moves bool // value is by how much a compensation moves the figure
}

// figures tells the figures of the game as they were told last: reported, or by a result. A roll has
// the SWM of its segment's beginning, so in a turn in which a success was spent only the latter tells.
// What was corrected further back since a figure was told moves it by as much.
func (v *View) figures() []Figure {
	list, told, settled := []Figure{}, []telling{}, uint64(0) // by whom each was told last; turn of the last that was no roll
	tellings, shifts := v.tellings(), v.shifts()
	for _, x := range tellings {
		if x.name == figureSWM && x.roll && settled == x.at.ordinal {
			continue
		}
		if x.name == figureSWM && !x.roll {
			settled = x.at.ordinal
		}
		f := Figure{x.name, x.value, x.at.event, x.at.turn}
		i := slices.IndexFunc(list, func(o Figure) bool { return o.Name == x.name })
		switch {
		case x.moves && i >= 0:
			list[i] = Figure{x.name, list[i].Value + x.value, x.at.event, x.at.turn}
		case x.moves: // what it moved is not known here
		case i >= 0:
			list[i], told[i] = f, x
		default:
			list, told = append(list, f), append(told, x)
		}
	}
	for i := range list {
		list[i].Value += since(&told[i], shifts, tellings)
	}
	return list
}

// tellings lists what stands, in the order of the first entries.
func (v *View) tellings() []telling {
	var list []telling
	for _, x := range standing(v.facts) {
		list = append(list, telling{x.place, x.name, int64(x.value), true, false, false})
	}
	for _, x := range standing(v.spent) {
		list = append(list, telling{x.place, figureASPs, int64(x.Shipping), false, false, false}, telling{x.place, figureSWM, int64(x.SuccessSpent.Modifier), false, false, false})
	}
	for _, x := range standing(v.results) {
		for _, m := range x.Modifiers {
			if m.Name == figureSWM {
				list = append(list, telling{x.place, figureSWM, int64(m.Value), false, true, false})
			}
		}
		for _, f := range x.ResultAdjudicated.Figures {
			if f.Name == figureChina {
				list = append(list, telling{x.place, figureChina, int64(f.Value), false, false, false})
			}
		}
	}
	for _, x := range standing(v.compensations) {
		if x.What == events.CompensatedFigure {
			list = append(list, telling{at: x.place, name: x.Subject, value: int64(x.By), moves: true})
		}
	}
	slices.SortStableFunc(list, func(a, b telling) int { return cmp.Compare(a.at.first, b.at.first) })
	return list
}

// shifts lists by how much each correction moved a figure.
func (v *View) shifts() []telling {
	var list []telling
	for i := range v.facts {
		if old, first := former(v.facts, i); old != nil {
			x := telling{v.facts[i].place, v.facts[i].name, int64(v.facts[i].value) - int64(old.value), true, false, false}
			x.at.first = first
			list = append(list, x)
		}
	}
	for i := range v.spent {
		if old, first := former(v.spent, i); old != nil {
			x, at := &v.spent[i], v.spent[i].place
			at.first = first
			list = append(list, telling{at, figureASPs, int64(x.Shipping) - int64(old.Shipping), false, false, false},
				telling{at, figureSWM, int64(x.SuccessSpent.Modifier) - int64(old.SuccessSpent.Modifier), false, false, false})
		}
	}
	for i := range v.compensations {
		x := &v.compensations[i]
		if old, first := former(v.compensations, i); old != nil && x.What == events.CompensatedFigure {
			at := x.place
			at.first = first
			list = append(list, telling{at: at, name: x.Subject, value: int64(x.By) - int64(old.By)})
		}
	}
	return list
}

// former gives the entry in whose place the one at i stands, nil if none, and the first of them.
func former[T any, E entry[T]](list []T, i int) (old *T, first uint64) {
	if E(&list[i]).at().corrects == 0 {
		return nil, 0
	}
	for j := i - 1; j >= 0; j-- {
		if at := E(&list[j]).at(); at.corrected == E(&list[i]).at().event {
			if old == nil {
				old = &list[j]
			}
			i, first = j, at.event
		}
	}
	return old, first
}

// since is by how much corrections have moved a figure that was told before them. What the umpire says
// stands whatever is corrected before it.
func since(x *telling, shifts, tellings []telling) int64 {
	sum := int64(0)
	for _, s := range shifts {
		if x.said || s.name != x.name || s.at.first >= x.at.first || s.at.event < x.at.event {
			continue
		}
		if !slices.ContainsFunc(tellings, func(o telling) bool {
			return o.said && o.name == x.name && s.at.first < o.at.first && o.at.first < x.at.first
		}) {
			sum += s.value
		}
	}
	return sum
}
