package dashboard

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/sums"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/rules"
)

// treasuries are what the powers have in hand, and of what. A sum leads to the movements in it.
func (f figures) treasuries(r *income.Report) document.Table {
	t := r.TreasuryTable()
	columns := rules.Each(t.Columns[1:], func(c document.Column) string { return c.Name })
	return sums.MadeOf(t, "Made of", "treasury", false, func(i int) []sums.Part {
		return sums.Movements(&r.Treasuries[i])
	}, columns...)
}

// raiders are the powers whose submarines raid, or could.
func (f figures) raiders(r *income.Report) document.Table {
	made := map[string][]sums.Part{} // by power, the raids that count
	for i := range r.Turns {
		for _, x := range r.Turns[i].Raids {
			if x.Counts() {
				made[x.Owner] = append(made[x.Owner], sums.Part{Event: x.Event, Values: []int64{int64(x.Damage)}})
			}
		}
	}
	return sums.MadeOf(r.RaiderTable(), "Made of", "raids", false, func(i int) []sums.Part {
		return made[r.Raiders[i].Power]
	}, "Raids", "Damage")
}

// zones are the sea zones in which convoys were disrupted.
func (f figures) zones(r *income.Report) document.Table {
	made := map[string][]sums.Part{}
	for i := range r.Turns {
		for _, x := range r.Turns[i].Disruptions {
			if x.Counts() {
				made[x.Zone] = append(made[x.Zone], sums.Part{Event: x.Event, Values: []int64{int64(x.Damage)}})
			}
		}
	}
	t := sums.MadeOf(r.ZoneTable(), "Made of", "zone", false, func(i int) []sums.Part {
		return made[r.Zones[i].Zone]
	}, "Times", "Taken")
	t.Last(mostRows / 2)
	return t
}
