package income

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

// zones lists disruptions. What the raiders of a sea zone could take in all stands in the first row of these raiders.
func (x *Turn) zones() document.Table {
	t := document.Table{Columns: document.Columns("#", "Sea zone", "Raiders", "In all", "Territory", "Worth", "Takes")}
	var above Disruption
	for _, d := range x.Disruptions {
		lead := []any{d.Zone, raidersText(d.Raiders), d.Potential}
		if d.Zone == above.Zone && d.Potential == above.Potential && slices.Equal(d.Raiders, above.Raiders) {
			lead = []any{"", "", ""}
		}
		above = d
		row := append([]any{d.Cell(d.Event)}, lead...)
		t.Add(append(row, d.Territory, d.Worth, d.Damage)...)
	}
	return t
}

// raidersText counts raiders with what each kind takes: "Germany 2 submarines: 4, 1 cruiser: 1".
func raidersText(list []events.Raid) string {
	var parts []string
	power := ""
	for _, r := range list {
		text := ""
		if r.Power != power {
			text = r.Power + " "
		}
		power = r.Power
		parts = append(parts, text+fmt.Sprintf("%s: %d", projections.CountUnits(r.Count, r.Unit),
			int64(r.Count)*int64(r.Each)))
	}
	return strings.Join(parts, ", ")
}

// ZoneTable shows the sea zones in which convoys were disrupted.
func (r *Report) ZoneTable() document.Table {
	t := document.Table{Title: "Convoys by sea zone", Columns: document.Columns("Sea zone", "Raided by", "Times",
		"Taken")}
	for _, z := range r.Zones {
		t.Add(z.Zone, strings.Join(z.Powers, ", "), z.Disruptions, z.Damage)
	}
	return t
}

// DamageTable shows bombing and rockets against facilities.
func (r *Report) DamageTable() document.Table {
	t := document.Table{
		Title:   "Bombing and rockets against facilities",
		Columns: document.Columns("Turn", "By", "#", "Facility", "Of", "Rolled", "Counts", "Damage"),
	}
	notes := []string{"Damage: what the facility has then, of the most that it takes. It is repaired, not paid at " +
		"once."}
	lead := heading{}
	for _, x := range r.Damage {
		t.Add(
			lead.of(x.Ordinal, x.Turn), x.Attacker, x.Cell(x.Event), projections.Facility(x.Facility)+", "+
				x.Territory, x.Victim,
			x.Rolled, x.FacilityDamaged.Damage, fmt.Sprintf("%d/%d", x.Before+x.FacilityDamaged.Damage, x.Limit),
		)
		if x.From != "" {
			notes = append(notes, fmt.Sprintf("#%d: %s from %s, at distance %d.", x.Event, x.Cause, x.From, x.Distance))
		}
	}
	t.Note = document.Noted(strings.Join(notes, "\n"))
	return t
}

func repairTable(list []Repaired) document.Table {
	t := document.Table{Title: "Repairs", Columns: document.Columns("Turn", "Power", "#", "Facility", "Repaired",
		"Left", "Cost", "In hand")}
	lead := heading{}
	for _, x := range list {
		row := []any{lead.of(x.Ordinal, x.Turn), x.Power, x.Cell(x.Event)}
		money := []any{x.Cost, x.Treasury}
		for _, r := range x.Repairs {
			row = append(row, projections.Facility(r.Facility)+", "+r.Territory, r.Damage, r.Left)
			t.Add(append(row, money...)...)
			row, money = []any{"", "", ""}, []any{"", ""}
		}
	}
	return t
}

func builtTable(list []Built) document.Table {
	t := document.Table{Title: "Facilities built", Columns: document.Columns("Turn", "Power", "#", "Facility",
		"In place of", "Cost", "In hand")}
	var notes []string
	lead := heading{}
	for _, x := range list {
		if x.Cost == 0 && x.Counts() {
			notes = append(notes, fmt.Sprintf("#%d: paid with other purchases.", x.Event))
		}
		t.Add(
			lead.of(x.Ordinal, x.Turn), x.Power, x.Cell(x.Event), projections.Facility(x.Facility)+", "+
				x.Territory, projections.Facility(x.Was),
			x.Cost, x.Treasury,
		)
	}
	t.Note = document.Noted(strings.Join(notes, "\n"))
	return t
}

func researchTable(list []Research) document.Table {
	t := document.Table{Title: "Research", Columns: document.Columns("Turn", "Power", "#", "Cost", "Of treasury",
		"Paid", "Left")}
	lead := heading{}
	for _, x := range list {
		row := []any{lead.of(x.Ordinal, x.Turn), x.Power, x.Cell(x.Event), x.Cost}
		for _, p := range x.Payments {
			row = t.AddUnder(row, p.Treasury, p.Paid, p.Left)
		}
	}
	return t
}

// CaptureTable shows what fell. Whose it is now, what became of a complex and where a capital's money
// went stand below, where there is something to say.
func (r *Report) CaptureTable() document.Table {
	t := document.Table{Title: "Captures", Columns: document.Columns("Turn", "#", "Territory", "From", "By", "Loot")}
	var notes []string
	lead := heading{}
	for _, x := range r.Captures {
		loot := ""
		if x.LootFrom != "" {
			loot = fmt.Sprint(x.Loot)
		}
		t.Add(lead.of(x.Ordinal, x.Turn), x.Cell(x.Event), document.Figure(x.Event, x.Territory), x.From, x.By, loot)
		if text := x.text(); text != "" && x.Counts() {
			notes = append(notes, fmt.Sprintf("#%d: %s.", x.Event, text))
		}
	}
	t.Note = document.Noted(strings.Join(notes, "\n"))
	return t
}

func (x *Capture) text() string {
	var parts []string
	if x.Holder != x.By {
		parts = append(parts, "liberated for "+x.Holder)
	}
	if x.Was != x.Complex {
		parts = append(parts, fmt.Sprintf("the %s becomes a %s", projections.Facility(x.Was),
			projections.Facility(x.Complex)))
	}
	if x.LootFrom != "" {
		parts = append(parts, fmt.Sprintf("%s loses %d to %s", x.LootFrom, x.Loot, x.LootTo))
	}
	return strings.Join(parts, "; ")
}
