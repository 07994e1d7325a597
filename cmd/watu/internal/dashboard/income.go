package dashboard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/sums"
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
	lately := r.During(f.shows)
	p := &incomePanel{links: f.links, Totals: f.incomeTotals(r)}
	p.Others = document.Filled(sums.Treasuries(r), sums.Raiders(r), sums.Zones(r, mostRows/2))
	p.Damaged = f.tables(lately.AttackTable(), lately.DamageTable(), lately.CaptureTable(), lately.CompensationTable())
	if n := len(r.Turns); n > 0 {
		latest := slices.MaxFunc(r.Turns, func(a, b income.Turn) int { return int(a.Ordinal) - int(b.Ordinal) })
		p.Turn = latest.Turn
		for i := range r.Turns {
			if x := &r.Turns[i]; x.Ordinal == latest.Ordinal {
				p.Powers = append(p.Powers, f.earned(x))
			}
		}
	}
	if t := f.table(lately.IncomeTable()); len(t.Rows) > 0 {
		p.Chart = &chartDrawn{f.links, "income", f.drawn(f.chart().Income(r)), t}
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
		out.Former = append(out.Former, struck(x.Event, sum(x)), plain(", "), figure(x.By(), f.marked(x)), plain(" "))
	}
	out.Raids = f.table(t.RaidTable())
	out.Raids.Title = "" // the sum says it
	return out
}

// marked says what became of an income: "corrected by #102".
func (f figures) marked(x *income.Income) string {
	say := story.LinesOf(f.in)
	how, _, _ := strings.Cut(x.Mark(), " by #")
	return say.Within("marked-by", "how", say.Word(how), "n", x.By())
}

// incomeTotals are the sums over all turns. A sum leads to the incomes in it, or to the attacks.
func (f figures) incomeTotals(r *income.Report) document.Table {
	incomes := func(i int) []sums.Part { return incomesOf(r, r.Totals[i].Power) }
	attacks := func(i int) []sums.Part { return attacksOn(r, r.Totals[i].Power) }
	t := sums.MadeOf(r.TotalTable(), "Made of", "income", false, incomes,
		"Times collected", "Base", "Bonus", "Raids", "Net")
	t = sums.MadeOf(t, "Bombing, rockets made of", "bombing", false, attacks, "Bombing, rockets")
	return t.WithoutEmpty("Raids", "Bombing, rockets made of")
}

// incomesOf are the incomes of a power that count, in the order of the record.
func incomesOf(r *income.Report, power string) (list []sums.Part) {
	for i := range r.Turns {
		if y := &r.Turns[i]; y.Power == power && y.Income != nil {
			how, _, worked := strings.Cut(sum(y.Income), " = ")
			if worked {
				how += " ="
			} else {
				how = ""
			}
			list = append(list, sums.Part{Event: y.Income.Event, Label: how, Values: []int64{int64(y.Income.Net)}})
		}
	}
	slices.SortFunc(list, func(a, b sums.Part) int { return cmp.Compare(a.Event, b.Event) })
	return list
}

// attacksOn are the attacks on a power that count.
func attacksOn(r *income.Report, power string) (list []sums.Part) {
	for _, y := range r.Attacks {
		for _, a := range y.Attacks {
			if y.Victim == power && a.Counts() {
				list = append(list, sums.Part{Event: a.Event, Values: []int64{-int64(a.Damage)}})
			}
		}
	}
	slices.SortFunc(list, func(a, b sums.Part) int { return cmp.Compare(a.Event, b.Event) })
	return list
}
