package dashboard

import (
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/rules"
)

// treasuries are what the powers have in hand, and of what. A sum leads to the movements in it.
func (f figures) treasuries(r *income.Report) document.Table {
	t := r.TreasuryTable()
	sums := rules.Each(t.Columns[1:], func(c document.Column) string { return c.Name })
	return madeOf(t, "Made of", "treasury", false, func(i int) []part { return movements(&r.Treasuries[i]) }, sums...)
}

// raiders are the powers whose submarines raid, or could.
func (f figures) raiders(r *income.Report) document.Table {
	made := map[string][]part{} // by power, the raids that count
	for i := range r.Turns {
		for _, x := range r.Turns[i].Raids {
			if x.Counts() {
				made[x.Owner] = append(made[x.Owner], part{x.Event, "", []int64{int64(x.Damage)}})
			}
		}
	}
	return madeOf(r.RaiderTable(), "Made of", "raids", false, func(i int) []part { return made[r.Raiders[i].Power] },
		"Raids", "Damage")
}

// zones are the sea zones in which convoys were disrupted.
func (f figures) zones(r *income.Report) document.Table {
	made := map[string][]part{}
	for i := range r.Turns {
		for _, x := range r.Turns[i].Disruptions {
			if x.Counts() {
				made[x.Zone] = append(made[x.Zone], part{x.Event, "", []int64{int64(x.Damage)}})
			}
		}
	}
	t := madeOf(r.ZoneTable(), "Made of", "zone", false, func(i int) []part { return made[r.Zones[i].Zone] }, "Times",
		"Taken")
	t.Last(mostRows / 2)
	return t
}
