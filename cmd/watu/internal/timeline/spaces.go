package timeline

import (
	"context"
	"slices"
	"unique"

	"github.com/watu-ledger/watu/events"
)

// spacesOf are the spaces of a board that an event is about, each once.
func spacesOf(p events.Payload) (list []string) {
	switch p := p.(type) {
	case *events.FactReported:
		list = []string{p.Subject}
	case *events.TerritoryCaptured:
		list = []string{p.Territory}
	case *events.SubmarinesReported:
		for _, s := range p.Submarines {
			list = append(list, s.Zone)
		}
	case *events.SubmarinesHunted:
		list = []string{p.Zone}
	case *events.SubmarinesSubmerged:
		list = []string{p.Zone}
	case *events.UnitsReported:
		list = []string{p.Space}
	case *events.UnitsMobilized:
		list = []string{p.Complex, p.Space}
	case *events.UnitsLost:
		list = []string{p.Space}
	case *events.UnitsMoved:
		list = []string{p.From, p.To}
	case *events.UnitsFired:
		list = []string{p.From, p.At}
	case *events.ConvoyRaided:
		list = []string{p.Territory, p.Zone}
	case *events.ConvoyDisrupted:
		list = []string{p.Territory, p.Zone}
	case *events.EconomicAttackMade:
		list = []string{p.Territory}
	case *events.AttackDeclared:
		list = []string{p.Space, p.From}
	case *events.AircraftScrambled:
		list = []string{p.From, p.Zone}
	case *events.AircraftLanded:
		list = []string{p.From}
		for _, l := range p.Diverted {
			list = append(list, l.Space)
		}
	case *events.StrikesDeclared:
		for _, s := range p.Strikes {
			list = append(list, s.Zone)
		}
	case *events.RaidDeclared:
		list = []string{p.Territory}
	case *events.FightersIntercepted:
		list = []string{p.Territory}
	case *events.TransportsUnloaded:
		list = []string{p.From, p.Onto}
	case *events.FacilitiesReported:
		list = []string{p.Territory}
	case *events.FacilityDamaged:
		list = []string{p.Territory, p.From}
	case *events.FacilitiesRepaired:
		for _, r := range p.Repairs {
			list = append(list, r.Territory)
		}
	case *events.FacilityBuilt:
		list = []string{p.Territory}
	case *events.OperationDeclared:
		list = []string{p.Target}
	case *events.OperationCarriedOut:
		list = []string{p.Target}
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// SpaceHistory is what was recorded of a space, the newest first: so many events, and how many there are in all.
// Before is from which event on there are more; nil for none.
type SpaceHistory struct {
	Events []MarkedEvent
	All    int
	Before *uint64
}

// SpaceHistory lists what the first so many events of a campaign say of a space, by the board's own name: those before
// one of them, at most so many.
func (r *Reader) SpaceHistory(ctx context.Context, campaign, space string, at, before uint64,
	most int) (out SpaceHistory, err error) {
	c, it, err := r.indexed(ctx, campaign)
	if err != nil {
		return out, err
	}
	list := it.spaces[space]
	n, _ := slices.BinarySearch(list, at)
	out.All = n
	n, _ = slices.BinarySearch(list[:n], before)
	first := max(0, n-most)
	if first > 0 {
		out.Before = &list[first]
	}
	far, err := farOf("")
	if err != nil {
		return out, err
	}
	marks := it.marks(at)
	for _, index := range slices.Backward(list[first:n]) {
		e, err := r.Event(c.ID, index)
		if err != nil {
			return out, err
		}
		out.Events = append(out.Events, MarkedEvent{NarrateEvent(&e, PreviousCorrection(it.History(), &e)), marks(&e),
			it.fell(e.Index, far)})
	}
	return out, nil
}

// lie notes of which spaces an event is.
func (it *Index) lie(index uint64, p events.Payload) {
	for _, s := range spacesOf(p) {
		if it.spaces == nil {
			it.spaces = map[string][]uint64{}
		}
		s = unique.Make(s).Value() // part of a record, which would stay in memory
		if n := len(it.spaces[s]); n == 0 || it.spaces[s][n-1] != index {
			it.spaces[s] = append(it.spaces[s], index)
		}
	}
}
