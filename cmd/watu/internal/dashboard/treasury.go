package dashboard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/projections/document"
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
func (f figures) treasuries(list []income.Treasury) document.Table {
	t := document.Table{Title: "Treasuries", Columns: document.Columns("Power", "#In hand")}
	var used []account
	for _, a := range accounts {
		if slices.ContainsFunc(list, func(x income.Treasury) bool { return a.value(&x) != 0 }) {
			used, t.Columns = append(used, a), append(t.Columns, document.Column{Name: a.name, Kind: document.Figures})
		}
	}
	t.Columns = append(t.Columns, document.Column{Name: "Made of", Kind: document.Below})
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
		t.Add(append(row, partsOf(id, made, false))...)
	}
	return t
}

// raiders are the powers whose submarines raid, or could.
func (f figures) raiders(r *income.Report) document.Table {
	made := map[string][]part{} // by power, the raids that count
	for i := range r.Turns {
		for _, x := range r.Turns[i].Raids {
			if x.Counts() {
				made[x.Owner] = append(made[x.Owner], part{x.Event, "", []int64{int64(x.Damage)}})
			}
		}
	}
	t := document.Table{Title: "Raiders", Columns: document.Columns("Power", "#Raids", "#Damage",
		"Submarines as reported last", "&Made of")}
	for i, x := range r.Raiders {
		lie := document.Text{}
		for j, s := range x.Submarines {
			if j > 0 {
				lie = append(lie, plain(", "))
			}
			lie = append(lie, figure(x.Reported, submarine(s.Name, s.Zone)))
		}
		id, list := fmt.Sprintf("made-raids-%d", i), made[x.Power]
		t.Add(x.Power, below(id, x.Raids, len(list)), below(id, x.Damage, len(list)), lie, partsOf(id, list, false))
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
func (f figures) zones(r *income.Report) document.Table {
	made := map[string][]part{}
	for i := range r.Turns {
		for _, x := range r.Turns[i].Disruptions {
			if x.Counts() {
				made[x.Zone] = append(made[x.Zone], part{x.Event, "", []int64{int64(x.Damage)}})
			}
		}
	}
	t := document.Table{Title: "Convoys by sea zone", Columns: document.Columns("Sea zone", "Raided by", "#Times",
		"#Taken", "&Made of")}
	for i, x := range r.Zones {
		id, list := fmt.Sprintf("made-zone-%d", i), made[x.Zone]
		t.Add(x.Zone, strings.Join(x.Powers, ", "), below(id, x.Disruptions, len(list)), below(id, x.Damage, len(list)),
			partsOf(id, list, false))
	}
	t.Last(mostRows / 2)
	return t
}

// attacks are bombing and rockets against territories in the last turns.
func (f figures) attacks(list []income.Target) document.Table {
	t := document.Table{Title: "Bombing and rockets", Columns: document.Columns("Turn", "By", "On", "Territory",
		"Attacks", "#Total")}
	for _, x := range list {
		if !f.shows(x.Ordinal) {
			continue
		}
		each := document.Text{}
		last := uint64(0)
		for _, a := range x.Attacks {
			p := figure(a.Event, fmt.Sprintf("%s %d, counts %d", kindOf(a.Kind), a.Rolled, a.Damage))
			if a.Counts() {
				last = a.Event
			} else {
				p = p.Struck()
			}
			each = append(each, p, plain(" "))
		}
		t.Add(x.Turn, x.Attacker, x.Victim, x.Territory, each, figure(last, fmt.Sprintf("%d of %d", x.Damage, x.Limit)))
	}
	t.Last(mostRows / 2)
	return t
}

func kindOf(kind string) string {
	if kind == "sbr" {
		return "SBR"
	}
	return kind
}

// facilities are bombing and rockets against facilities in the last turns.
func (f figures) facilities(list []income.FacilityDamage) document.Table {
	t := document.Table{Title: "Bombing and rockets against facilities", Columns: document.Columns("Turn", "By",
		"Facility", "#Rolled", "#Counts", "#Damage")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.Add(x.Turn, x.Attacker, x.Facility+", "+x.Territory, figure(x.Event, x.Rolled), entry(x.Place, x.Damage),
				figure(x.Event, fmt.Sprintf("%d of %d", x.Before+x.Damage, x.Limit)))
		}
	}
	t.Last(mostRows / 2)
	return t
}

func (f figures) captures(list []income.Capture) document.Table {
	t := document.Table{Title: "Captures", Columns: document.Columns("Turn", "Territory", "From", "By", "#Loot")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.Add(x.Turn, entry(x.Place, x.Territory), x.From, x.By, figure(x.Event, x.Loot))
		}
	}
	t.Last(mostRows / 2)
	return t
}

func (f figures) given(list []income.Compensation) document.Table {
	t := document.Table{Title: "Given and taken in compensation", Columns: document.Columns("Turn", "Power", "#IPCs",
		"Reason")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.Add(x.Turn, x.Power, entry(x.Place, signed(int64(x.IPCs))), x.Reason)
		}
	}
	t.Last(mostRows / 2)
	return t
}
