package situation

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

// Tables shows who holds what changed hands, where the submarines lie, and what was raided and
// bombed; then damage and operations, where there are some.
func (v *View) Tables() []document.Table {
	r := v.report()
	tables := []document.Table{holdingTable(r.Territories), stationTable(r.Submarines), raidTable(r.Raids)}
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

func holdingTable(list []Holding) document.Table {
	t := document.Table{Title: "Territories that changed hands", Columns: document.Columns("Territory", "Holder",
		"Taken of", "By", "Turn", "#")}
	for _, x := range list {
		t.Add(x.Territory, cmp.Or(x.Holder, "nobody"), x.Captured, cmp.Or(x.Captor, "as reported"), x.Turn,
			document.Event(x.Event))
	}
	return t
}

func stationTable(list []Station) document.Table {
	t := document.Table{Title: "Submarines", Columns: document.Columns("Power", "Sea zone", "Submarines", "Turn", "#")}
	var notes []string
	named := false
	for _, x := range list {
		names := []string{}
		for _, s := range x.Submarines {
			names = append(names, s.Name)
			if s.Detected != 0 {
				notes = append(notes, fmt.Sprintf("%s was detected (%s).", s.Name, document.Event(s.Detected).Text))
			}
			if s.Submerged != 0 {
				notes = append(notes, fmt.Sprintf("%s submerged (%s).", s.Name, document.Event(s.Submerged).Text))
			}
		}
		named = named || len(names) > 0
		t.Add(x.Power, x.Zone, x.Count, x.Turn, document.Event(x.Event), strings.Join(names, ", "))
	}
	if named {
		t.Columns = append(t.Columns, document.Columns("By name")...)
	}
	t.Note = document.Noted(strings.Join(notes, "\n"))
	return t
}

func raidTable(list []Raided) document.Table {
	t := document.Table{Title: "Raids on convoys, the last on each territory", Columns: document.Columns("Turn",
		"Territory", "Of", "By", "From", "Takes", "#")}
	for _, x := range list {
		lead := []any{x.Turn, x.Territory, x.Victim}
		for _, r := range x.Raids {
			lead = t.AddUnder(lead, strings.Join(r.Powers, ", "), r.Zone, r.Damage, document.Event(r.Event))
		}
	}
	return t
}

func bombingTable(list []Bombed) document.Table {
	t := document.Table{Title: "Bombing and rockets, the last on each territory", Columns: document.Columns("Turn",
		"Territory", "Of", "By", "Kind", "Damage", "#")}
	for _, x := range list {
		lead := []any{x.Turn, x.Territory, x.Victim}
		for _, a := range x.Attacks {
			kind := strings.ReplaceAll(a.Kind, "sbr", "SBR")
			if a.Facility != "" {
				kind += " on the " + projections.Facility(a.Facility)
			}
			lead = t.AddUnder(lead, a.Power, kind, a.Damage, document.Event(a.Event))
		}
	}
	return t
}

func facilityTable(list []Facility) document.Table {
	t := document.Table{Title: "Damaged facilities", Columns: document.Columns("Territory", "Facility", "Damage",
		"Turn", "#")}
	for _, x := range list {
		damage := fmt.Sprint(x.Damage)
		if x.Limit != 0 {
			damage += fmt.Sprintf("/%d", x.Limit)
		}
		t.Add(x.Territory, projections.Facility(x.Facility), damage, x.Turn, document.Event(x.Event))
	}
	return t
}

func operationTable(list []Operation) document.Table {
	t := document.Table{Title: "Operations", Columns: document.Columns("Operation", "By", "Target", "Turn", "Declared",
		"Carried out")}
	for _, x := range list {
		declared, carried := document.Event(x.Event), document.Span{Text: "not yet"}
		if x.Carried != 0 {
			carried = document.Event(x.Carried)
		}
		if x.Carried == x.Event {
			declared = document.Span{}
		}
		t.Add(x.Operation, x.By, x.Target, x.Turn, declared, carried)
	}
	return t
}
