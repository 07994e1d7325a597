package dashboard

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/income"
)

// incomePanel is the income of the powers and what raids took of it.
type incomePanel struct {
	links
	Turn    string   // the latest in which anyone collected, or was raided
	Powers  []earned // in that turn
	Chart   *chartDrawn
	Totals  document.Table
	Others  []document.Table // treasuries, raiders, bombing and rockets, captures
	Damaged []document.Table
}

// earned is the income of one power in one turn, with the raids one by one.
type earned struct {
	Power  string
	Sum    document.Text
	Former document.Text // incomes that another one takes the place of
	Raids  document.Table
}

func (f figures) income(r *income.Report) *incomePanel {
	p := &incomePanel{links: f.links, Totals: f.incomeTotals(r), Others: filled(f.treasuries(r.Treasuries),
		f.raiders(r), f.zones(r))}
	p.Damaged = filled(f.attacks(r.Attacks), f.facilities(r.Damage), f.captures(r.Captures), f.given(r.Compensations))
	if n := len(r.Turns); n > 0 {
		latest := slices.MaxFunc(r.Turns, func(a, b income.Turn) int { return int(a.Ordinal) - int(b.Ordinal) })
		p.Turn = latest.Turn
		for i := range r.Turns {
			if x := &r.Turns[i]; x.Ordinal == latest.Ordinal {
				p.Powers = append(p.Powers, f.earned(x))
			}
		}
	}
	if t := f.incomes(r.Turns); len(t.Rows) > 0 {
		p.Chart = &chartDrawn{f.links, "income", template.HTML(f.chart().Income(r)), t}
	}
	return p
}

// sum is "16 + 5 − 4 = 17".
func sum(x *income.Income) string {
	line := text(x.Base)
	if x.Bonus != 0 {
		line += fmt.Sprintf(" + %d", x.Bonus)
	}
	if lost := x.Base + x.Bonus - x.Net; lost != 0 {
		line += fmt.Sprintf(" − %d", lost)
	}
	if line == text(x.Net) {
		return line
	}
	return line + " = " + text(x.Net)
}

func (f figures) earned(t *income.Turn) earned {
	out := earned{Power: t.Power}
	if x := t.Income; x != nil {
		out.Sum = document.Text{plain("base "), figure(x.Event, x.Base)}
		if x.Typed && x.Base != x.Board {
			out.Sum = append(out.Sum, plain(" (typed; the board gives "), figure(x.Event, x.Board), plain(")"))
		}
		if x.Bonus != 0 {
			out.Sum = append(out.Sum, plain(" + bonus "), figure(x.Event, x.Bonus))
		}
		if lost := x.Base + x.Bonus - x.Net; lost != 0 {
			out.Sum = append(out.Sum, plain(" − raids "), figure(x.Event, lost))
		}
		if x.Net != x.Base {
			out.Sum = append(out.Sum, plain(" = "), figure(x.Event, x.Net))
		}
		out.Sum = append(out.Sum, plain("; in hand "), figure(x.Event, x.Treasury))
	}
	for i := range t.Corrected {
		x := &t.Corrected[i]
		out.Former = append(out.Former, struck(x.Event, sum(x)), plain(", "), figure(x.By(), x.Mark()), plain(" "))
	}
	out.Raids = f.raids(t)
	return out
}

// raids lists what was taken of an income: submarine by submarine, or sea zone by sea zone.
func (f figures) raids(t *income.Turn) document.Table {
	if len(t.Disruptions) > 0 {
		return f.disruptions(t.Disruptions)
	}
	out := document.Table{Columns: document.Columns("Submarine", "Of", "Territory", "#Away", "#Takes", "#Counts",
		"Cap")}
	for i := range t.Raids {
		x := &t.Raids[i]
		name := x.Submarine
		if !strings.Contains(name, x.Zone) {
			name += ", " + x.Zone
		}
		territory := x.Territory
		if x.Declared {
			territory += ", chosen by the raider"
		}
		limit := document.Text{}
		if x.Cap != nil {
			limit = document.Text{figure(x.Event, x.Cap.Limit), plain(" "), rule(x.Cap.Rule)}
		}
		at := projections.Place{Event: x.Event, Fate: x.Fate}
		out.Add(name, x.Owner, territory, figure(x.Event, x.Distance), figure(x.Event, x.Reach), entry(at, x.Damage),
			limit)
	}
	out = out.WithoutEmpty("Cap")
	out.Last(mostRows)
	return out
}

func (f figures) disruptions(list []income.Disruption) document.Table {
	out := document.Table{Columns: document.Columns("Sea zone", "Raiders", "#In all", "Territory", "#Worth", "#Takes")}
	for i := range list {
		x := &list[i]
		var raiders []string
		for _, r := range x.Raiders {
			raiders = append(raiders, fmt.Sprintf("%s %d %s: %d", r.Power, r.Count, r.Unit, r.Count*r.Each))
		}
		at := projections.Place{Event: x.Event, Fate: x.Fate}
		out.Add(x.Zone, figure(x.Event, strings.Join(raiders, ", ")), figure(x.Event, x.Potential), x.Territory,
			figure(x.Event, x.Worth), entry(at, x.Damage))
	}
	out.Last(mostRows)
	return out
}

// incomes has a row for a turn and a column for a power.
func (f figures) incomes(list []income.Turn) document.Table {
	t := document.Table{Title: "Income by turn", Columns: document.Columns("Turn")}
	var powers []string
	rows := map[uint64]int{}
	for i := range list {
		x := &list[i]
		if x.Income == nil || !f.shows(x.Ordinal) {
			continue
		}
		at := slices.Index(powers, x.Power)
		if at < 0 {
			at, powers, t.Columns = len(powers), append(powers, x.Power),
				append(t.Columns, document.Column{Name: x.Power, Kind: document.Figures})
		}
		n, ok := rows[x.Ordinal]
		if !ok {
			n = len(t.Rows)
			rows[x.Ordinal] = n
			t.Add(x.Turn)
		}
		for len(t.Rows[n]) < at+2 {
			t.Rows[n] = append(t.Rows[n], nil)
		}
		c := document.Text{}
		for j := range x.Corrected {
			c = append(c, struck(x.Corrected[j].Event, sum(&x.Corrected[j])), plain(" "))
		}
		t.Rows[n][at+1] = append(c, figure(x.Income.Event, sum(x.Income)))
	}
	t.Note = f.earlier()
	return t
}

// incomeTotals are the sums over all turns. A sum leads to the incomes in it, or to the attacks.
func (f figures) incomeTotals(r *income.Report) document.Table {
	t := document.Table{Title: "Over all turns", Columns: document.Columns("Power", "#Times", "#Base", "#Bonus",
		"#Raids", "#Net", "#Bombing, rockets", "&Made of", "&Bombing, rockets made of")}
	for i, x := range r.Totals {
		paid, bombed := fmt.Sprintf("made-income-%d", i), fmt.Sprintf("made-bombing-%d", i)
		made, hits := incomesOf(r, x.Power), attacksOn(r, x.Power)
		n, m := len(made), len(hits)
		row := []any{
			x.Power, below(paid, x.Collected, n), below(paid, x.Base, n), below(paid, x.Bonus, n),
			below(paid, signed(-x.LostToRaids), n),
			below(paid, x.Net, n), below(bombed, signed(-x.LostToAttacks), m), partsOf(paid, made, false),
		}
		if m > 0 {
			row = append(row, partsOf(bombed, hits, false))
		}
		t.Add(row...)
	}
	t = t.WithoutEmpty("Bonus", "Raids", "Bombing, rockets", "Bombing, rockets made of")
	return t
}

// incomesOf are the incomes of a power that count, in the order of the record.
func incomesOf(r *income.Report, power string) (list []part) {
	for i := range r.Turns {
		if y := &r.Turns[i]; y.Power == power && y.Income != nil {
			how, _, worked := strings.Cut(sum(y.Income), " = ")
			if worked {
				how += " ="
			} else {
				how = ""
			}
			list = append(list, part{y.Income.Event, how, []int64{int64(y.Income.Net)}})
		}
	}
	slices.SortFunc(list, func(a, b part) int { return cmp.Compare(a.Event, b.Event) })
	return list
}

// attacksOn are the attacks on a power that count.
func attacksOn(r *income.Report, power string) (list []part) {
	for _, y := range r.Attacks {
		for _, a := range y.Attacks {
			if y.Victim == power && a.Counts() {
				list = append(list, part{a.Event, "", []int64{-int64(a.Damage)}})
			}
		}
	}
	slices.SortFunc(list, func(a, b part) int { return cmp.Compare(a.Event, b.Event) })
	return list
}
