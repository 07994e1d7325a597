package dashboard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/projections/income"
)

// account is a column of a treasury's: a sum of its movements of some kinds.
type account struct {
	name  string
	value func(*income.Treasury) int64
	kinds []string
}

// accounts are the columns, in the order in which package income has them.
var accounts = []account{
	{"Opening", func(t *income.Treasury) int64 { return t.Opening }, []string{"opening"}},
	{"Income", func(t *income.Treasury) int64 { return t.Income }, []string{"income"}},
	{"Loot", func(t *income.Treasury) int64 { return t.Loot }, []string{"loot"}},
	{"Bought", func(t *income.Treasury) int64 { return -t.Purchases }, []string{"purchase"}},
	{"Repairs", func(t *income.Treasury) int64 { return -t.Repairs }, []string{"repair"}},
	{"Built", func(t *income.Treasury) int64 { return -t.Built }, []string{"facility"}},
	{"Research", func(t *income.Treasury) int64 { return -t.Research }, []string{"research"}},
	{"Bombing, rockets", func(t *income.Treasury) int64 { return -t.Paid }, []string{"sbr", "rockets"}},
	{"Given", func(t *income.Treasury) int64 { return t.Given }, []string{"compensation"}},
	{"Adjusted", func(t *income.Treasury) int64 { return t.Adjusted }, []string{"reported"}},
}

// treasuries are what the powers have in hand, and of what. A sum leads to its last movement.
func (f figures) treasuries(list []income.Treasury) table {
	t := table{Title: "Treasuries", Columns: columns("Power", "#In hand")}
	var used []account
	for _, a := range accounts {
		if slices.ContainsFunc(list, func(x income.Treasury) bool { return a.value(&x) != 0 }) {
			used, t.Columns = append(used, a), append(t.Columns, column{a.name, "n"})
		}
	}
	for i := range list {
		x := &list[i]
		hand := said(text(x.InHand))
		if n := len(x.Movements); n > 0 {
			hand.Href = f.event(x.Movements[n-1].Event)
		}
		row := []any{x.Power, hand}
		for _, a := range used {
			p := f.figure(lastMove(x, a.kinds), signed(a.value(x)))
			if a.name == "Opening" {
				p.Text = text(a.value(x))
				if p.Href == "" && len(x.Movements) > 0 { // the first figure that is stated implies it
					p.Href = f.event(x.Movements[0].Event)
				}
			}
			row = append(row, p)
		}
		t.add(row...)
	}
	return t
}

// lastMove is the event of the last movement of these kinds, or of one that was adjusted.
func lastMove(t *income.Treasury, kinds []string) (event uint64) {
	for _, m := range t.Movements {
		if slices.Contains(kinds, m.What) || kinds[0] == "reported" && m.Adjusted != 0 {
			event = m.Event
		}
	}
	return event
}

// raiders are the powers whose submarines raid, or could.
func (f figures) raiders(r *income.Report) table {
	last := map[string]uint64{} // power, and the last raid that counts
	for i := range r.Turns {
		for _, x := range r.Turns[i].Raids {
			if x.CorrectedBy == 0 {
				last[x.Owner] = x.Event
			}
		}
	}
	t := table{Title: "Raiders", Columns: columns("Power", "#Raids", "#Damage", "Submarines as reported last")}
	for _, x := range r.Raiders {
		lie := cell{}
		for i, s := range x.Submarines {
			if i > 0 {
				lie = append(lie, said(", "))
			}
			lie = append(lie, f.figure(x.Reported, submarine(s.Name, s.Zone)))
		}
		t.add(x.Power, f.figure(last[x.Power], x.Raids), f.figure(last[x.Power], x.Damage), lie)
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
	last := map[string]uint64{}
	for i := range r.Turns {
		for _, x := range r.Turns[i].Disruptions {
			if x.CorrectedBy == 0 {
				last[x.Zone] = x.Event
			}
		}
	}
	t := table{Title: "Convoys by sea zone", Columns: columns("Sea zone", "Raided by", "#Times", "#Taken")}
	for _, x := range r.Zones {
		t.add(x.Zone, strings.Join(x.Powers, ", "), f.figure(last[x.Zone], x.Disruptions), f.figure(last[x.Zone], x.Damage))
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
			p.Was = a.CorrectedBy != 0
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
