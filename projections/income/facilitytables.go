package income

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

// disruptionTable is the block of one treasury's TURN. What the raiders of a sea zone could take in all
// stands in the first of its rows.
func disruptionTable(x *Turn) projections.Table {
	t := projections.Table{
		Title:   x.title(),
		Columns: []string{"#", "Sea zone", "Raiders", "In all", "Territory", "Worth", "Takes"},
	}
	var notes remarks
	zone := ""
	for _, d := range x.Disruptions {
		lead := []string{d.Zone, raidersText(d.Raiders), fmt.Sprint(d.Potential)}
		if d.Zone == zone {
			lead = []string{"", "", ""}
		}
		zone = d.Zone
		row := append([]string{event(d.Event, d.Fate)}, lead...)
		t.Rows = append(t.Rows, append(row, d.Territory, fmt.Sprint(d.Worth), fmt.Sprint(d.Damage)))
		notes.mark(d.Event, d.Fate)
	}
	if c := x.Income; c != nil && c.Typed && c.Base != c.Board {
		notes.boards = []string{fmt.Sprint(c.Board)}
	}
	t.Note = notes.text()
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
		parts = append(parts, text+fmt.Sprintf("%s: %d", projections.Counted(r.Count, r.Unit), int64(r.Count)*int64(r.Each)))
	}
	return strings.Join(parts, ", ")
}

func zoneTable(zones []Zone) projections.Table {
	t := projections.Table{Title: "Convoys by sea zone", Columns: []string{"Sea zone", "Raided by", "Times", "Taken"}}
	for _, z := range zones {
		t.Rows = append(t.Rows, []string{z.Zone, strings.Join(z.Powers, ", "), fmt.Sprint(z.Disruptions), fmt.Sprint(z.Damage)})
	}
	return t
}

func damageTable(list []FacilityDamage) projections.Table {
	t := projections.Table{
		Title:   "Bombing and rockets against facilities",
		Columns: []string{"Turn", "By", "#", "Facility", "Of", "Rolled", "Counts", "Damage"},
	}
	notes := remarks{further: []string{"Damage: what the facility has then, of the most that it takes. It is repaired, not paid at once."}}
	lead := heading{}
	for _, x := range list {
		t.Rows = append(t.Rows, []string{
			lead.of(x.Ordinal, x.Turn), x.Attacker, event(x.Event, x.Fate), facility(x.Facility) + ", " + x.Territory, x.Victim,
			fmt.Sprint(x.Rolled), fmt.Sprint(x.FacilityDamaged.Damage), fmt.Sprintf("%d/%d", x.Before+x.FacilityDamaged.Damage, x.Limit),
		})
		if x.From != "" {
			notes.further = append(notes.further, fmt.Sprintf("#%d: %s from %s, at distance %d.", x.Event, x.Cause, x.From, x.Distance))
		}
		notes.mark(x.Event, x.Fate)
	}
	t.Note = notes.text()
	return t
}

func repairTable(list []Repaired) projections.Table {
	t := projections.Table{Title: "Repairs", Columns: []string{"Turn", "Power", "#", "Facility", "Repaired", "Left", "Cost", "In hand"}}
	var notes remarks
	lead := heading{}
	for _, x := range list {
		row := []string{lead.of(x.Ordinal, x.Turn), x.Power, event(x.Event, x.Fate)}
		money := []string{fmt.Sprint(x.Cost), fmt.Sprint(x.Treasury)}
		for _, r := range x.Repairs {
			row = append(row, facility(r.Facility)+", "+r.Territory, fmt.Sprint(r.Damage), fmt.Sprint(r.Left))
			t.Rows = append(t.Rows, append(row, money...))
			row, money = []string{"", "", ""}, []string{"", ""}
		}
		notes.mark(x.Event, x.Fate)
	}
	t.Note = notes.text()
	return t
}

func builtTable(list []Built) projections.Table {
	t := projections.Table{Title: "Facilities built", Columns: []string{"Turn", "Power", "#", "Facility", "In place of", "Cost", "In hand"}}
	var notes remarks
	lead := heading{}
	for _, x := range list {
		if x.Cost == 0 && x.Counts() {
			notes.further = append(notes.further, fmt.Sprintf("#%d: paid with other purchases.", x.Event))
		}
		t.Rows = append(t.Rows, []string{
			lead.of(x.Ordinal, x.Turn), x.Power, event(x.Event, x.Fate), facility(x.Facility) + ", " + x.Territory, facility(x.Was),
			fmt.Sprint(x.Cost), fmt.Sprint(x.Treasury),
		})
		notes.mark(x.Event, x.Fate)
	}
	t.Note = notes.text()
	return t
}

func researchTable(list []Research) projections.Table {
	t := projections.Table{Title: "Research", Columns: []string{"Turn", "Power", "#", "Cost", "Of treasury", "Paid", "Left"}}
	var notes remarks
	lead := heading{}
	for _, x := range list {
		row := []string{lead.of(x.Ordinal, x.Turn), x.Power, event(x.Event, x.Fate), fmt.Sprint(x.Cost)}
		for _, p := range x.Payments {
			t.Rows = append(t.Rows, append(row, p.Treasury, fmt.Sprint(p.Paid), fmt.Sprint(p.Left)))
			row = []string{"", "", "", ""}
		}
		notes.mark(x.Event, x.Fate)
	}
	t.Note = notes.text()
	return t
}

// captureTable shows what fell. Whose it is now, what became of a complex and where a capital's money
// went stand below, where there is something to say.
func captureTable(list []Capture) projections.Table {
	t := projections.Table{Title: "Captures", Columns: []string{"Turn", "#", "Territory", "From", "By", "Loot"}}
	var notes remarks
	lead := heading{}
	for _, x := range list {
		loot := ""
		if x.LootFrom != "" {
			loot = fmt.Sprint(x.Loot)
		}
		t.Rows = append(t.Rows, []string{lead.of(x.Ordinal, x.Turn), event(x.Event, x.Fate), x.Territory, x.From, x.By, loot})
		if text := x.text(); text != "" && x.Counts() {
			notes.further = append(notes.further, fmt.Sprintf("#%d: %s.", x.Event, text))
		}
		notes.mark(x.Event, x.Fate)
	}
	t.Note = notes.text()
	return t
}

func (x *Capture) text() string {
	var parts []string
	if x.Holder != x.By {
		parts = append(parts, "liberated for "+x.Holder)
	}
	if x.Was != x.Complex {
		parts = append(parts, fmt.Sprintf("the %s becomes a %s", facility(x.Was), facility(x.Complex)))
	}
	if x.LootFrom != "" {
		parts = append(parts, fmt.Sprintf("%s loses %d to %s", x.LootFrom, x.Loot, x.LootTo))
	}
	return strings.Join(parts, "; ")
}

// facility reads a kind of facility as words: "minor_ic" is a minor IC, for industrial complex.
func facility(kind string) string {
	return strings.ReplaceAll(strings.ReplaceAll(kind, "_ic", " IC"), "_", " ")
}
