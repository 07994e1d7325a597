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
	tables := []document.Table{incomeTable(r.Turns)}
	for i := range r.Turns {
		if t := &r.Turns[i]; len(t.Raids) > 0 {
			tables = append(tables, raidTable(t))
		}
		if t := &r.Turns[i]; len(t.Disruptions) > 0 {
			tables = append(tables, disruptionTable(t))
		}
	}
	add := func(n int, t document.Table) {
		if n > 0 {
			tables = append(tables, t)
		}
	}
	add(len(r.Attacks), attackTable(r.Attacks))
	add(len(r.Damage), damageTable(r.Damage))
	tables = append(tables, totalTable(r.Totals))
	add(len(r.Raiders), raiderTable(r.Raiders))
	add(len(r.Zones), zoneTable(r.Zones))
	add(len(r.Research), researchTable(r.Research))
	add(len(r.Purchases), purchaseTable(r.Purchases))
	add(len(r.Repairs), repairTable(r.Repairs))
	add(len(r.Built), builtTable(r.Built))
	add(len(r.Captures), captureTable(r.Captures))
	add(len(r.Compensations), compensationTable(r.Compensations))
	return append(tables, treasuryTable(r.Treasuries))
}

func incomeTable(turns []Turn) document.Table {
	t := document.Table{
		Title:   "Income, turn by turn",
		Columns: document.Columns("Turn", "Power", "#", "Base", "Bonus", "Raids", "Net", "In hand"),
	}
	var notes remarks
	lead := heading{}
	for i := range turns {
		x := &turns[i]
		list := append([]Income(nil), x.Corrected...)
		if x.Income == nil && x.uncollected() {
			t.Add(lead.of(x.Ordinal, x.Turn), x.Power, "not yet", "", "", taken(x.soFar()))
		}
		if x.Income != nil {
			list = append(list, *x.Income)
		}
		for _, c := range list {
			t.Add(
				lead.of(x.Ordinal, x.Turn), x.Power, c.Fate.Event(c.Event), c.Base, c.Bonus,
				taken(int64(c.Damage)), c.Net, c.Treasury,
			)
			notes.mark(c.Event, c.Fate)
			if c.Typed && c.Base != c.Board {
				notes.boards = append(notes.boards, fmt.Sprintf("%d at #%d", c.Board, c.Event))
			}
		}
	}
	t.Note = document.Noted(notes.text())
	return t.WithoutEmpty("Bonus")
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

// raidTable is the block of one power's TURN.
func raidTable(x *Turn) document.Table {
	t := document.Table{
		Title:   x.title(),
		Columns: document.Columns("#", "Submarine", "Of", "Away", "Territory", "Takes", "Counts"),
	}
	capped := false
	for _, r := range x.Raids {
		capped = capped || r.Cap != nil
	}
	if capped {
		t.Columns = append(t.Columns, document.Columns("Cap")...)
	}
	var notes remarks
	for _, r := range x.Raids {
		row := []any{
			r.Fate.Event(r.Event), r.submarine(), r.Owner, fmt.Sprint(r.Distance), r.Territory,
			fmt.Sprint(r.Reach), fmt.Sprint(r.Damage),
		}
		if r.Cap != nil {
			row = append(row, fmt.Sprintf("%s: %d", r.Cap.Rule, r.Cap.Limit))
		}
		if r.Declared {
			notes.declared = append(notes.declared, fmt.Sprintf("#%d", r.Event))
		}
		t.Add(row...)
		notes.mark(r.Event, r.Fate)
	}
	if c := x.Income; c != nil {
		t.About = document.About(c.Event)
		if c.Typed && c.Base != c.Board {
			notes.boards = []string{fmt.Sprint(c.Board)}
		}
	}
	t.Note = document.Noted(notes.text())
	return t
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
		return fmt.Sprintf("%s: raids %d so far, income not collected yet", who, x.soFar())
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

// soFar is the damage of the raids that stand.
func (x *Turn) soFar() int64 {
	sum := int64(0)
	for _, r := range x.Raids {
		if r.Counts() {
			sum += int64(r.Damage)
		}
	}
	for _, d := range x.Disruptions {
		if d.Counts() {
			sum += int64(d.Damage)
		}
	}
	return sum
}

// submarine names the sea zone, unless the submarine's name does.
func (r *Raid) submarine() string {
	if strings.HasPrefix(r.Submarine, r.Zone) || strings.Contains(r.Submarine, " #") { // named after its zone
		return r.Submarine
	}
	return r.Submarine + ", " + r.Zone
}

func attackTable(targets []Target) document.Table {
	t := document.Table{
		Title:   "Bombing and rockets",
		Columns: document.Columns("Turn", "By", "On", "Territory", "#", "Kind", "Rolled", "Counts", "Total"),
	}
	notes := remarks{further: []string{"Total: what the territory has taken in that turn of the attacker, " +
		"of its limit."}}
	for i := range targets {
		x := &targets[i]
		lead := []any{x.Turn, x.Attacker, x.Victim, x.Territory}
		for j, a := range x.Attacks {
			total := ""
			if j == len(x.Attacks)-1 {
				total = fmt.Sprintf("%d/%d", x.Damage, x.Limit)
			}
			lead = t.AddUnder(lead, a.Fate.Event(a.Event), strings.ReplaceAll(a.Kind, "sbr", "SBR"), a.Rolled, a.Damage,
				total)
			notes.mark(a.Event, a.Fate)
		}
	}
	t.Note = document.Noted(notes.text())
	return t
}

func totalTable(totals []Total) document.Table {
	t := document.Table{
		Title:   "Running totals",
		Columns: document.Columns("Power", "Times collected", "Base", "Bonus", "Raids", "Net", "Bombing, rockets"),
	}
	for _, x := range totals {
		t.Add(x.Power, x.Collected, x.Base, x.Bonus, taken(x.LostToRaids), x.Net, taken(x.LostToAttacks))
	}
	return t.WithoutEmpty("Bonus", "Bombing, rockets")
}

func raiderTable(raiders []Raider) document.Table {
	t := document.Table{
		Title:   "Raiders",
		Columns: document.Columns("Power", "Raids", "Damage", "Submarines as reported last", "#"),
	}
	for _, x := range raiders {
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
	var notes remarks
	lead := heading{}
	for _, x := range purchases {
		var units []string
		for _, u := range x.Units {
			units = append(units, projections.CountUnits(u.Count, u.Name))
		}
		t.Add(lead.of(x.Ordinal, x.Turn), x.Power, x.Fate.Event(x.Event), strings.Join(units, ", "), x.Cost, x.Treasury)
		notes.mark(x.Event, x.Fate)
	}
	t.Note = document.Noted(notes.text())
	return t
}

func treasuryTable(treasuries []Treasury) document.Table {
	t := document.Table{
		Title: "Treasuries",
		Columns: document.Columns("Power", "Opening", "Income", "Loot", "Bought", "Repairs", "Built", "Research",
			"Bombing, rockets", "Given", "Adjusted", "In hand"),
	}
	var notes remarks
	for _, x := range treasuries {
		t.Add(
			x.Power, x.Opening, x.Income, words.Signed(x.Loot), taken(x.Purchases), taken(x.Repairs), taken(x.Built),
			taken(x.Research), taken(x.Paid), words.Signed(x.Given), words.Signed(x.Adjusted), x.InHand,
		)
		for _, m := range x.Movements {
			if text := m.remark(x.Power); text != "" {
				notes.further = append(notes.further, text)
			}
		}
	}
	t.Note = document.Noted(notes.text())
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

// remarks are what stands below a table.
type remarks struct {
	boards, declared, further, marks []string
}

func (r *remarks) mark(index uint64, f projections.Fate) {
	if !f.Counts() {
		r.marks = append(r.marks, fmt.Sprintf("#%d is %s", index, f.Mark()))
	}
}

func (r *remarks) text() string {
	var lines []string
	if len(r.boards) > 0 {
		lines = append(lines, "The base was typed; the board gives "+strings.Join(r.boards, ", ")+".")
	}
	if len(r.declared) > 0 {
		lines = append(lines, "The raider chose the territory: "+strings.Join(r.declared, ", ")+".")
	}
	lines = append(lines, r.further...)
	if len(r.marks) > 0 {
		lines = append(lines, "* not counted: "+strings.Join(r.marks, ", ")+".")
	}
	return strings.Join(lines, "\n")
}

// taken is an amount that goes away.
func taken(n int64) string { return strconv.FormatInt(-n, 10) }
