package income

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

// disruptionTable is the block of one treasury's TURN. What the raiders of a sea zone could take in all
// stands in the first of its rows.
func disruptionTable(x *Turn) document.Table {
	t := document.Table{
		Title:   x.title(),
		Columns: document.Columns("#", "Sea zone", "Raiders", "In all", "Territory", "Worth", "Takes"),
	}
	var notes remarks
	zone := ""
	for _, d := range x.Disruptions {
		lead := []any{d.Zone, raidersText(d.Raiders), d.Potential}
		if d.Zone == zone {
			lead = []any{"", "", ""}
		}
		zone = d.Zone
		row := append([]any{d.Fate.Event(d.Event)}, lead...)
		t.Add(append(row, d.Territory, d.Worth, d.Damage)...)
		notes.mark(d.Event, d.Fate)
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

func zoneTable(zones []Zone) document.Table {
	t := document.Table{Title: "Convoys by sea zone", Columns: document.Columns("Sea zone", "Raided by", "Times",
		"Taken")}
	for _, z := range zones {
		t.Add(z.Zone, strings.Join(z.Powers, ", "), z.Disruptions, z.Damage)
	}
	return t
}

func damageTable(list []FacilityDamage) document.Table {
	t := document.Table{
		Title:   "Bombing and rockets against facilities",
		Columns: document.Columns("Turn", "By", "#", "Facility", "Of", "Rolled", "Counts", "Damage"),
	}
	notes := remarks{further: []string{"Damage: what the facility has then, of the most that it takes. It is " +
		"repaired, not paid at once."}}
	lead := heading{}
	for _, x := range list {
		t.Add(
			lead.of(x.Ordinal, x.Turn), x.Attacker, x.Fate.Event(x.Event), projections.Facility(x.Facility)+", "+
				x.Territory, x.Victim,
			x.Rolled, x.FacilityDamaged.Damage, fmt.Sprintf("%d/%d", x.Before+x.FacilityDamaged.Damage, x.Limit),
		)
		if x.From != "" {
			notes.further = append(notes.further, fmt.Sprintf("#%d: %s from %s, at distance %d.", x.Event, x.Cause,
				x.From, x.Distance))
		}
		notes.mark(x.Event, x.Fate)
	}
	t.Note = document.Noted(notes.text())
	return t
}

func repairTable(list []Repaired) document.Table {
	t := document.Table{Title: "Repairs", Columns: document.Columns("Turn", "Power", "#", "Facility", "Repaired",
		"Left", "Cost", "In hand")}
	var notes remarks
	lead := heading{}
	for _, x := range list {
		row := []any{lead.of(x.Ordinal, x.Turn), x.Power, x.Fate.Event(x.Event)}
		money := []any{x.Cost, x.Treasury}
		for _, r := range x.Repairs {
			row = append(row, projections.Facility(r.Facility)+", "+r.Territory, r.Damage, r.Left)
			t.Add(append(row, money...)...)
			row, money = []any{"", "", ""}, []any{"", ""}
		}
		notes.mark(x.Event, x.Fate)
	}
	t.Note = document.Noted(notes.text())
	return t
}

func builtTable(list []Built) document.Table {
	t := document.Table{Title: "Facilities built", Columns: document.Columns("Turn", "Power", "#", "Facility",
		"In place of", "Cost", "In hand")}
	var notes remarks
	lead := heading{}
	for _, x := range list {
		if x.Cost == 0 && x.Counts() {
			notes.further = append(notes.further, fmt.Sprintf("#%d: paid with other purchases.", x.Event))
		}
		t.Add(
			lead.of(x.Ordinal, x.Turn), x.Power, x.Fate.Event(x.Event), projections.Facility(x.Facility)+", "+
				x.Territory, projections.Facility(x.Was),
			x.Cost, x.Treasury,
		)
		notes.mark(x.Event, x.Fate)
	}
	t.Note = document.Noted(notes.text())
	return t
}

func researchTable(list []Research) document.Table {
	t := document.Table{Title: "Research", Columns: document.Columns("Turn", "Power", "#", "Cost", "Of treasury",
		"Paid", "Left")}
	var notes remarks
	lead := heading{}
	for _, x := range list {
		row := []any{lead.of(x.Ordinal, x.Turn), x.Power, x.Fate.Event(x.Event), x.Cost}
		for _, p := range x.Payments {
			row = t.AddUnder(row, p.Treasury, p.Paid, p.Left)
		}
		notes.mark(x.Event, x.Fate)
	}
	t.Note = document.Noted(notes.text())
	return t
}

// captureTable shows what fell. Whose it is now, what became of a complex and where a capital's money
// went stand below, where there is something to say.
func captureTable(list []Capture) document.Table {
	t := document.Table{Title: "Captures", Columns: document.Columns("Turn", "#", "Territory", "From", "By", "Loot")}
	var notes remarks
	lead := heading{}
	for _, x := range list {
		loot := ""
		if x.LootFrom != "" {
			loot = fmt.Sprint(x.Loot)
		}
		t.Add(lead.of(x.Ordinal, x.Turn), x.Fate.Event(x.Event), x.Territory, x.From, x.By, loot)
		if text := x.text(); text != "" && x.Counts() {
			notes.further = append(notes.further, fmt.Sprintf("#%d: %s.", x.Event, text))
		}
		notes.mark(x.Event, x.Fate)
	}
	t.Note = document.Noted(notes.text())
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
