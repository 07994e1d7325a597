package dashboard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/projections/income"
)

// account is a column of a treasury's: a sum of its movements of one kind.
type account struct {
	name  string
	value func(*income.Treasury) int64
}

// accounts are the columns, in the order in which package income has them.
var accounts = []account{
	{"Opening", func(t *income.Treasury) int64 { return t.Opening }},
	{"Income", func(t *income.Treasury) int64 { return t.Income }},
	{"Loot", func(t *income.Treasury) int64 { return t.Loot }},
	{"Bought", func(t *income.Treasury) int64 { return -t.Purchases }},
	{"Repairs", func(t *income.Treasury) int64 { return -t.Repairs }},
	{"Built", func(t *income.Treasury) int64 { return -t.Built }},
	{"Research", func(t *income.Treasury) int64 { return -t.Research }},
	{"Bombing, rockets", func(t *income.Treasury) int64 { return -t.Paid }},
	{"Given", func(t *income.Treasury) int64 { return t.Given }},
	{"Adjusted", func(t *income.Treasury) int64 { return t.Adjusted }},
}

// treasuries are what the powers have in hand, and of what. A sum leads to the movements in it.
func (f figures) treasuries(list []income.Treasury) table {
	t := table{Title: "Treasuries", Columns: columns("Power", "#In hand")}
	var used []account
	for _, a := range accounts {
		if slices.ContainsFunc(list, func(x income.Treasury) bool { return a.value(&x) != 0 }) {
			used, t.Columns = append(used, a), append(t.Columns, column{a.name, "n"})
		}
	}
	t.Columns = append(t.Columns, column{"Made of", "m"})
	for i := range list {
		x := &list[i]
		id, made := fmt.Sprintf("made-treasury-%d", i), movements(x)
		row := []any{x.Power, below(id, x.InHand, len(made))}
		for _, a := range used {
			what := signed(a.value(x))
			if a.name == "Opening" {
				what = text(a.value(x))
			}
			row = append(row, below(id, what, len(made)))
		}
		t.add(append(row, f.made(id, made, false))...)
	}
	return t
}

// raiders are the powers whose submarines raid, or could.
func (f figures) raiders(r *income.Report) table {
	made := map[string][]part{} // by power, the raids that count
	for i := range r.Turns {
		for _, x := range r.Turns[i].Raids {
			if x.Counts() {
				made[x.Owner] = append(made[x.Owner], part{x.Event, "", []int64{int64(x.Damage)}})
			}
		}
	}
	t := table{Title: "Raiders", Columns: columns("Power", "#Raids", "#Damage", "Submarines as reported last", "&Made of")}
	for i, x := range r.Raiders {
		lie := cell{}
		for j, s := range x.Submarines {
			if j > 0 {
				lie = append(lie, said(", "))
			}
			lie = append(lie, f.figure(x.Reported, submarine(s.Name, s.Zone)))
		}
		id, list := fmt.Sprintf("made-raids-%d", i), made[x.Power]
		t.add(x.Power, below(id, x.Raids, len(list)), below(id, x.Damage, len(list)), lie, f.made(id, list, false))
	}
	return t
}

// submarine is its name, and where it lies.
func submarine(name, zone string) string {
	if name == "" || strings.Contains(name, zone) {
		return zone
	}
	return name + " in " + zone
}

// zones are the sea zones in which convoys were disrupted.
func (f figures) zones(r *income.Report) table {
	made := map[string][]part{}
	for i := range r.Turns {
		for _, x := range r.Turns[i].Disruptions {
			if x.Counts() {
				made[x.Zone] = append(made[x.Zone], part{x.Event, "", []int64{int64(x.Damage)}})
			}
		}
	}
	t := table{Title: "Convoys by sea zone", Columns: columns("Sea zone", "Raided by", "#Times", "#Taken", "&Made of")}
	for i, x := range r.Zones {
		id, list := fmt.Sprintf("made-zone-%d", i), made[x.Zone]
		t.add(x.Zone, strings.Join(x.Powers, ", "), below(id, x.Disruptions, len(list)), below(id, x.Damage, len(list)), f.made(id, list, false))
	}
	t.last(mostRows / 2)
	return t
}

// attacks are bombing and rockets against territories in the last turns.
func (f figures) attacks(list []income.Target) table {
	t := table{Title: "Bombing and rockets", Columns: columns("Turn", "By", "On", "Territory", "Attacks", "#Total")}
	for _, x := range list {
		if !f.shows(x.Ordinal) {
			continue
		}
		each := cell{}
		last := uint64(0)
		for _, a := range x.Attacks {
			p := f.figure(a.Event, fmt.Sprintf("%s %d, counts %d", kindOf(a.Kind), a.Rolled, a.Damage))
			p.Was = !a.Counts()
			if !p.Was {
				last = a.Event
			}
			each = append(each, p, said(" "))
		}
		t.add(x.Turn, x.Attacker, x.Victim, x.Territory, each, f.figure(last, fmt.Sprintf("%d of %d", x.Damage, x.Limit)))
	}
	t.last(mostRows / 2)
	return t
}

func kindOf(kind string) string {
	if kind == "sbr" {
		return "SBR"
	}
	return kind
}

// facilities are bombing and rockets against facilities in the last turns.
func (f figures) facilities(list []income.FacilityDamage) table {
	t := table{Title: "Bombing and rockets against facilities", Columns: columns("Turn", "By", "Facility", "#Rolled", "#Counts", "#Damage")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.add(x.Turn, x.Attacker, x.Facility+", "+x.Territory, f.figure(x.Event, x.Rolled), f.entry(x.Place, x.Damage),
				f.figure(x.Event, fmt.Sprintf("%d of %d", x.Before+x.Damage, x.Limit)))
		}
	}
	t.last(mostRows / 2)
	return t
}

func (f figures) captures(list []income.Capture) table {
	t := table{Title: "Captures", Columns: columns("Turn", "Territory", "From", "By", "#Loot")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.add(x.Turn, f.entry(x.Place, x.Territory), x.From, x.By, f.figure(x.Event, x.Loot))
		}
	}
	t.last(mostRows / 2)
	return t
}

func (f figures) given(list []income.Compensation) table {
	t := table{Title: "Given and taken in compensation", Columns: columns("Turn", "Power", "#IPCs", "Reason")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.add(x.Turn, x.Power, f.entry(x.Place, signed(int64(x.IPCs))), x.Reason)
		}
	}
	t.last(mostRows / 2)
	return t
}
