package history_test

import (
	"slices"

	"github.com/watu-ledger/watu/events"
)

// The same answers from the whole list, worked out anew for each question: what the index is held to.

func naiveVoids(e *events.Event) []uint64 {
	var voided events.Voided
	var corrected events.Corrected
	switch {
	case e.Read(&voided):
		return voided.Events
	case e.Read(&corrected):
		return corrected.Voids
	}
	return nil
}

// naiveVoided gives, of the events that do not stand, which event took each out.
func naiveVoided(list []events.Event) map[uint64]uint64 {
	out := map[uint64]uint64{}
	for i := len(list) - 1; i >= 0; i-- {
		if _, void := out[list[i].Index]; void {
			continue
		}
		for _, index := range naiveVoids(&list[i]) {
			if _, void := out[index]; !void && index < list[i].Index {
				out[index] = list[i].Index
			}
		}
	}
	return out
}

// naiveStanding gives the events that stand in the order in which they count, corrections where they were recorded.
func naiveStanding(list []events.Event) (stands []events.Event) {
	voided, begun := naiveVoided(list), map[uint64]bool{}
	var take func(e, of *events.Event)
	take = func(e, of *events.Event) {
		for i := range list {
			if next := &list[i]; next.Replaces == e.Index && next.Replaces != 0 && next.Index > e.Index {
				take(next, of)
			}
		}
		if _, void := voided[e.Index]; void {
			return
		}
		own := *e
		if of != e {
			own.Turn, own.Phase, own.Replaces = of.Turn, of.Phase, of.Index
			own.Command, own.Seat, own.Request = of.Command, of.Seat, ""
			if _, void := voided[of.Index]; void && !begun[of.Index] {
				own.Request, begun[of.Index] = of.Request, true
			}
		}
		stands = append(stands, own)
	}
	for i := range list {
		if e := &list[i]; e.Replaces == 0 || e.Replaces >= e.Index {
			take(e, e)
		}
	}
	return stands
}

// naiveAmended gives them with each correction in the place of what it corrects.
func naiveAmended(list []events.Event) (amended []events.Event) {
	stood := naiveStanding(list)
	last := map[uint64]events.Event{}
	for _, e := range stood {
		if e.Corrects != 0 {
			last[e.Corrects] = e
		}
	}
	for _, e := range stood {
		if e.Corrects != 0 {
			continue
		}
		if by, ok := last[e.Index]; ok && by.Type == e.Type {
			e.Payload, e.Derivation, e.Side = by.Payload, by.Derivation, by.Side
		}
		amended = append(amended, e)
	}
	return amended
}

// naiveCommand names the command that an event belongs to.
func naiveCommand(all []events.Event, index uint64) string {
	e := &all[index]
	var p events.Corrected
	var dice events.DiceRolled
	switch {
	case e.Corrects != 0 && e.Corrects < index:
		return naiveCommand(all, e.Corrects)
	case e.Replaces != 0 && e.Replaces < index:
		return naiveCommand(all, e.Replaces)
	case e.Read(&dice) && dice.Declared != 0 && dice.Declared < index:
		return naiveCommand(all, dice.Declared)
	case e.Read(&p) && p.Command != "":
		return p.Command
	}
	return e.Command
}

// naiveRests finds what stands and rests on one of the listed events, being none of them.
func naiveRests(all []events.Event, on []uint64) (by uint64, rests bool) {
	for _, e := range naiveStanding(all) {
		if slices.Contains(on, e.Index) || rests && e.Index >= by {
			continue
		}
		p, _ := events.PayloadOf(&e)
		if slices.ContainsFunc(naiveRefers(p),
			func(index uint64) bool { return index != 0 && slices.Contains(on, index) }) {
			by, rests = e.Index, true
		}
	}
	return by, rests
}

func naiveRefers(p events.Payload) []uint64 {
	switch p := p.(type) {
	case *events.CardPlayed:
		return []uint64{p.Contest, p.Drawn.Index}
	case *events.CardNegated:
		return []uint64{p.Contest, p.Played, p.By}
	case *events.DiceRolled:
		return []uint64{p.Declared}
	case *events.ResultAdjudicated:
		return []uint64{p.Contest, p.Declared}
	case *events.ChoiceMade:
		return []uint64{p.Asked}
	case *events.Compensated:
		return []uint64{p.Played}
	}
	return nil
}
