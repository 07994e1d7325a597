package situation

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/projections"
)

// Tables shows who holds what changed hands, where the submarines lie, and what was raided and
// bombed; then damage and operations, where there are some.
func (v *View) Tables() []projections.Table {
	r := v.report()
	tables := []projections.Table{holdingTable(r.Territories), stationTable(r.Submarines), raidTable(r.Raids)}
	if len(r.Bombings) > 0 {
		tables = append(tables, bombingTable(r.Bombings))
	}
	if len(r.Facilities) > 0 {
		tables = append(tables, facilityTable(r.Facilities))
	}
	if len(r.Operations) > 0 {
		tables = append(tables, operationTable(r.Operations))
	}
	return tables
}

func holdingTable(list []Holding) projections.Table {
	t := projections.Table{Title: "Territories that changed hands", Columns: []string{"Territory", "Holder", "Taken of", "By", "Turn", "#"}}
	for _, x := range list {
		t.Rows = append(t.Rows, []string{x.Territory, cmp.Or(x.Holder, "nobody"), x.Captured, cmp.Or(x.Captor, "as reported"), x.Turn, event(x.Event)})
	}
	return t
}

func stationTable(list []Station) projections.Table {
	t := projections.Table{Title: "Submarines", Columns: []string{"Power", "Sea zone", "Submarines", "Turn", "#"}}
	var notes []string
	named := false
	for _, x := range list {
		names := []string{}
		for _, s := range x.Submarines {
			names = append(names, s.Name)
			if s.Detected != 0 {
				notes = append(notes, fmt.Sprintf("%s was detected (%s).", s.Name, event(s.Detected)))
			}
			if s.Submerged != 0 {
				notes = append(notes, fmt.Sprintf("%s submerged (%s).", s.Name, event(s.Submerged)))
			}
		}
		named = named || len(names) > 0
		t.Rows = append(t.Rows, []string{x.Power, x.Zone, fmt.Sprint(x.Count), x.Turn, event(x.Event), strings.Join(names, ", ")})
	}
	if named {
		t.Columns = append(t.Columns, "By name")
	}
	t.Note = strings.Join(notes, "\n")
	return t
}

func raidTable(list []Raided) projections.Table {
	t := projections.Table{Title: "Raids on convoys, the last on each territory", Columns: []string{"Turn", "Territory", "Of", "By", "From", "Takes", "#"}}
	for _, x := range list {
		lead := []string{x.Turn, x.Territory, x.Victim}
		for _, r := range x.Raids {
			t.Rows = append(t.Rows, append(lead, strings.Join(r.Powers, ", "), r.Zone, fmt.Sprint(r.Damage), event(r.Event)))
			lead = []string{"", "", ""}
		}
	}
	return t
}

func bombingTable(list []Bombed) projections.Table {
	t := projections.Table{Title: "Bombing and rockets, the last on each territory", Columns: []string{"Turn", "Territory", "Of", "By", "Kind", "Damage", "#"}}
	for _, x := range list {
		lead := []string{x.Turn, x.Territory, x.Victim}
		for _, a := range x.Attacks {
			kind := strings.ReplaceAll(a.Kind, "sbr", "SBR")
			if a.Facility != "" {
				kind += " on the " + facility(a.Facility)
			}
			t.Rows = append(t.Rows, append(lead, a.Power, kind, fmt.Sprint(a.Damage), event(a.Event)))
			lead = []string{"", "", ""}
		}
	}
	return t
}

func facilityTable(list []Facility) projections.Table {
	t := projections.Table{Title: "Damaged facilities", Columns: []string{"Territory", "Facility", "Damage", "Turn", "#"}}
	for _, x := range list {
		damage := fmt.Sprint(x.Damage)
		if x.Limit != 0 {
			damage += fmt.Sprintf("/%d", x.Limit)
		}
		t.Rows = append(t.Rows, []string{x.Territory, facility(x.Facility), damage, x.Turn, event(x.Event)})
	}
	return t
}

func operationTable(list []Operation) projections.Table {
	t := projections.Table{Title: "Operations", Columns: []string{"Operation", "By", "Target", "Turn", "Declared", "Carried out"}}
	for _, x := range list {
		declared, carried := event(x.Event), "not yet"
		if x.Carried != 0 {
			carried = event(x.Carried)
		}
		if x.Carried == x.Event {
			declared = ""
		}
		t.Rows = append(t.Rows, []string{x.Operation, x.By, x.Target, x.Turn, declared, carried})
	}
	return t
}

// facility reads a kind of facility as words: "minor_ic" is a minor IC, for industrial complex.
func facility(kind string) string {
	return strings.ReplaceAll(strings.ReplaceAll(kind, "_ic", " IC"), "_", " ")
}

func event(index uint64) string { return fmt.Sprintf("#%d", index) }
