package income

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

// Tables shows the incomes, turn by turn; the raids and disruptions of each turn that had some;
// bombing and rockets; then running totals, what was paid, built and captured, and treasuries.
func (v *View) Tables() []document.Table {
	r := v.report()
	tables := []document.Table{r.IncomeTable()}
	for i := range r.Turns {
		x := &r.Turns[i]
		t := x.RaidTable()
		if c := x.Income; c != nil && c.Typed && c.Base != c.Board {
			t.Note = document.Noted(words.Join("\n", boardsNote(fmt.Sprint(c.Board)), t.Note.String()))
		}
		tables = append(tables, document.Filled(t)...)
	}
	tables = append(append(tables, document.Filled(r.AttackTable(), r.DamageTable())...), r.TotalTable())
	return append(append(tables, document.Filled(r.RaiderTable(), r.ZoneTable(), researchTable(r.Research),
		purchaseTable(r.Purchases), repairTable(r.Repairs), builtTable(r.Built), r.CaptureTable(),
		r.CompensationTable())...), r.TreasuryTable())
}

// IncomeTable shows the incomes, turn by turn.
func (r *Report) IncomeTable() document.Table {
	t := document.Table{
		Title:   "Income, turn by turn",
		Columns: document.Columns("Turn", "Power", "#", "Base", "Bonus", "Raids", "Net", "In hand"),
	}
	var boards []string
	lead := heading{}
	for i := range r.Turns {
		x := &r.Turns[i]
		list := append([]Income(nil), x.Corrected...)
		if x.Income == nil && x.uncollected() {
			last, sum := x.soFar()
			t.Add(lead.of(x.Ordinal, x.Turn), x.Power, "not yet", "", "", document.Figure(last, taken(sum)))
		}
		if x.Income != nil {
			list = append(list, *x.Income)
		}
		for _, c := range list {
			t.Add(lead.of(x.Ordinal, x.Turn), x.Power, c.Cell(c.Event), c.Base, c.Bonus, taken(int64(c.Damage)), c.Net,
				c.Treasury)
			if c.Typed && c.Base != c.Board {
				boards = append(boards, fmt.Sprintf("%d at #%d", c.Board, c.Event))
			}
		}
	}
	t.Note = document.Noted(boardsNote(boards...))
	return t.WithoutEmpty("Bonus")
}

// boardsNote says what the board gives where the umpire typed the base.
func boardsNote(boards ...string) string {
	if len(boards) == 0 {
		return ""
	}
	return "The base was typed; the board gives " + strings.Join(boards, ", ") + "."
}

// heading gives the label of a turn where it changes, nothing where it does not.
type heading struct {
	ordinal uint64
	turn    string
	begun   bool
}

func (h *heading) of(ordinal uint64, turn string) string {
	if now := (heading{ordinal, turn, true}); *h != now {
		*h = now
		return turn
	}
	return ""
}

// RaidTable is the block of one power's TURN: what was taken of its income, submarine by submarine, or sea zone by sea
// zone.
func (x *Turn) RaidTable() document.Table {
	t := x.submarines()
	if len(x.Disruptions) > 0 {
		t = x.zones()
	}
	t.Title = x.title()
	if x.Income != nil {
		t.About = document.About(x.Income.Event)
	}
	return t
}

func (x *Turn) submarines() document.Table {
	t := document.Table{Columns: document.Columns("#", "Submarine", "Of", "Away", "Territory", "Takes", "Counts",
		"Cap")}
	var declared []string
	for _, r := range x.Raids {
		limit := document.Text{}
		if r.Cap != nil {
			limit = document.Text{document.Rule(r.Cap.Rule), {Text: fmt.Sprintf(": %d", r.Cap.Limit)}}
		}
		if r.Declared {
			declared = append(declared, fmt.Sprintf("#%d", r.Event))
		}
		t.Add(r.Cell(r.Event), r.submarine(), r.Owner, r.Distance, r.Territory, r.Reach, r.Damage, limit)
	}
	if len(declared) > 0 {
		t.Note = document.Noted("The raider chose the territory: " + strings.Join(declared, ", ") + ".")
	}
	return t.WithoutEmpty("Cap")
}

// title is the income of a TURN as a sum.
func (x *Turn) title() string {
	who := x.Power
	if x.Turn != "" {
		who += ", " + x.Turn
	}
	c := x.Income
	if c == nil && !x.uncollected() {
		return who + ": voided"
	}
	if c == nil {
		_, sum := x.soFar()
		return fmt.Sprintf("%s: raids %d so far, income not collected yet", who, sum)
	}
	bonus, sum := "", "="
	if c.Bonus != 0 {
		bonus = fmt.Sprintf(" + bonus %d", c.Bonus)
	}
	if c.Base+c.Bonus-c.Damage != c.Net {
		sum = "leave"
	}
	return fmt.Sprintf("%s: base %d%s − raids %d %s %d (#%d)", who, c.Base, bonus, c.Damage, sum, c.Net, c.Event)
}

// uncollected reports whether there is something that counts, without an income.
func (x *Turn) uncollected() bool {
	return x.Income == nil && (slices.ContainsFunc(x.Raids, func(r Raid) bool { return r.Counts() }) ||
		slices.ContainsFunc(x.Disruptions, func(d Disruption) bool { return d.Counts() }))
}

// soFar is the damage of the raids that stand, and the last of them.
func (x *Turn) soFar() (last uint64, sum int64) {
	for _, r := range x.Raids {
		if r.Counts() {
			last, sum = max(last, r.Event), sum+int64(r.Damage)
		}
	}
	for _, d := range x.Disruptions {
		if d.Counts() {
			last, sum = max(last, d.Event), sum+int64(d.Damage)
		}
	}
	return last, sum
}

// submarine names the sea zone, unless the submarine's name does.
func (r *Raid) submarine() string {
	if strings.HasPrefix(r.Submarine, r.Zone) || strings.Contains(r.Submarine, " #") { // named after its zone
		return r.Submarine
	}
	return r.Submarine + ", " + r.Zone
}

// AttackTable shows bombing and rockets against territories.
func (r *Report) AttackTable() document.Table {
	t := document.Table{
		Title:   "Bombing and rockets",
		Columns: document.Columns("Turn", "By", "On", "Territory", "#", "Kind", "Rolled", "Counts", "Total"),
		Note:    document.Noted("Total: what the territory has taken in that turn of the attacker, of its limit."),
	}
	for i := range r.Attacks {
		x := &r.Attacks[i]
		taken := int64(0) // also while another power held it
		for _, y := range r.Attacks[:i+1] {
			if y.Ordinal == x.Ordinal && y.Attacker == x.Attacker && y.Territory == x.Territory {
				taken += y.Damage
			}
		}
		lead := []any{x.Turn, x.Attacker, x.Victim, x.Territory}
		for j, a := range x.Attacks {
			total := ""
			if j == len(x.Attacks)-1 {
				total = fmt.Sprintf("%d/%d", taken, x.Limit)
			}
			lead = t.AddUnder(lead, a.Cell(a.Event), strings.ReplaceAll(a.Kind, "sbr", "SBR"), a.Rolled, a.Damage,
				total)
		}
	}
	return t
}

// TotalTable shows what each power has earned and lost.
func (r *Report) TotalTable() document.Table {
	t := document.Table{
		Title:   "Running totals",
		Columns: document.Columns("Power", "Times collected", "Base", "Bonus", "Raids", "Net", "Bombing, rockets"),
	}
	for _, x := range r.Totals {
		t.Add(x.Power, x.Collected, x.Base, x.Bonus, taken(x.LostToRaids), x.Net, taken(x.LostToAttacks))
	}
	return t.WithoutEmpty("Bonus", "Bombing, rockets")
}

// RaiderTable shows the powers whose submarines raid, or could.
func (r *Report) RaiderTable() document.Table {
	t := document.Table{
		Title:   "Raiders",
		Columns: document.Columns("Power", "Raids", "Damage", "Submarines as reported last", "#"),
	}
	for _, x := range r.Raiders {
		reported := document.Text{}
		if x.Reported != 0 {
			reported = document.Text{document.Event(x.Reported)}
		}
		t.Add(x.Power, x.Raids, x.Damage, zonesText(x.Submarines), reported)
	}
	return t
}

// zonesText counts the submarines in each sea zone: "8 Sea Zone (2), 9 Sea Zone".
func zonesText(list []events.Submarine) string {
	type zone struct {
		name  string
		count int
	}
	var zones []zone
	for _, s := range list {
		projections.FindOrAdd(&zones, zone{name: s.Zone}, func(z zone) bool { return z.name == s.Zone }).count++
	}
	var parts []string
	for _, z := range zones {
		if z.count > 1 {
			z.name += fmt.Sprintf(" (%d)", z.count)
		}
		parts = append(parts, z.name)
	}
	return strings.Join(parts, ", ")
}

func purchaseTable(purchases []Purchase) document.Table {
	t := document.Table{
		Title:   "Purchases",
		Columns: document.Columns("Turn", "Power", "#", "Units", "Cost", "In hand"),
	}
	lead := heading{}
	for _, x := range purchases {
		t.Add(lead.of(x.Ordinal, x.Turn), x.Power, x.Cell(x.Event), projections.UnitsText(x.Units), x.Cost, x.Treasury)
	}
	return t
}

// TreasuryTable shows what the powers have in hand, and how they came by it.
func (r *Report) TreasuryTable() document.Table {
	t := document.Table{
		Title: "Treasuries",
		Columns: document.Columns("Power", "Opening", "Income", "Loot", "Bought", "Repairs", "Built", "Research",
			"Bombing, rockets", "Given", "Adjusted", "In hand"),
	}
	var notes []string
	for _, x := range r.Treasuries {
		t.Add(
			x.Power, x.Opening, x.Income, words.Signed(x.Loot), taken(x.Purchases), taken(x.Repairs), taken(x.Built),
			taken(x.Research), taken(x.Paid), words.Signed(x.Given), words.Signed(x.Adjusted), x.InHand,
		)
		for _, m := range x.Movements {
			notes = append(notes, m.remark(x.Power))
		}
	}
	t.Note = document.Noted(words.Join("\n", notes...))
	return t.WithoutEmpty("Loot", "Repairs", "Built", "Research", "Bombing, rockets", "Given", "Adjusted")
}

// remark describes a movement that no other table shows: what the umpire reports, and where an event
// states another figure than follows from those before it.
func (m *Movement) remark(power string) string {
	if m.What != "reported" && m.What != "opening" {
		if m.Adjusted == 0 {
			return ""
		}
		return fmt.Sprintf("#%d: %s has %d after it, where %d would follow.", m.Event, power, m.InHand,
			m.InHand-m.Adjusted)
	}
	was := ""
	for _, f := range m.Corrected {
		was += fmt.Sprintf(", in place of %d at #%d", f.IPCs, f.Event)
	}
	if m.What == "opening" && was == "" {
		return ""
	}
	return fmt.Sprintf("#%d: the umpire reports that %s has %d%s.", m.Event, power, m.InHand, was)
}

// taken is an amount that goes away.
func taken(n int64) string { return strconv.FormatInt(-n, 10) }
