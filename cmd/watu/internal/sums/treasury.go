package sums

import (
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/rules"
)

// Treasuries are what the powers have in hand, and of what. A sum leads to the movements in it.
func Treasuries(r *income.Report) document.Table {
	t := r.TreasuryTable()
	columns := rules.Each(t.Columns[1:], func(c document.Column) string { return c.Name })
	return MadeOf(t, "Made of", "treasury", false, func(i int) []Part {
		return Movements(&r.Treasuries[i])
	}, columns...)
}

// Raiders are the powers whose submarines raid, or could.
func Raiders(r *income.Report) document.Table {
	made := map[string][]Part{} // by power, the raids that count
	for i := range r.Turns {
		for _, x := range r.Turns[i].Raids {
			if x.Counts() {
				made[x.Owner] = append(made[x.Owner], Part{Event: x.Event, Values: []int64{int64(x.Damage)}})
			}
		}
	}
	return MadeOf(r.RaiderTable(), "Made of", "raids", false, func(i int) []Part {
		return made[r.Raiders[i].Power]
	}, "Raids", "Damage")
}

// Zones are the sea zones in which convoys were disrupted, the last of them.
func Zones(r *income.Report, most int) document.Table {
	made := map[string][]Part{}
	for i := range r.Turns {
		for _, x := range r.Turns[i].Disruptions {
			if x.Counts() {
				made[x.Zone] = append(made[x.Zone], Part{Event: x.Event, Values: []int64{int64(x.Damage)}})
			}
		}
	}
	t := MadeOf(r.ZoneTable(), "Made of", "zone", false, func(i int) []Part {
		return made[r.Zones[i].Zone]
	}, "Times", "Taken")
	t.Last(most)
	return t
}
