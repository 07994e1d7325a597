package dashboard

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/strategic"
)

// entry is the figure of an entry of a report: struck, and followed by what takes its place, if
// something does.
func (f figures) entry(at projections.Place, what any) cell {
	if at.Counts() {
		return cell{f.figure(at.Event, what)}
	}
	return cell{f.struck(at.Event, what), said(" "), f.figure(at.By(), at.Mark())}
}

// basesNow is where the bases are.
func (f figures) basesNow(list []strategic.Base) table {
	t := table{Title: "Sub Bases now", Columns: columns("Base", "Where", "Since")}
	for _, b := range list {
		where := "hex " + b.Hex
		if b.Hex == "" {
			where = fmt.Sprintf("off the map, back from turn %d", b.Returns)
		}
		t.add(b.Base, f.figure(b.Event, where), b.Turn)
	}
	return t
}

// postings are what became of the bases in the last turns.
func (f figures) postings(list []strategic.Posting) table {
	t := table{Title: "What became of the bases", Columns: columns("Turn", "Base", "What")}
	for i := range list {
		if p := &list[i]; f.shows(p.Ordinal) {
			t.add(p.Turn, p.Base, f.entry(p.Place, posted(p)))
		}
	}
	t.last(mostRows)
	t.Note = append(t.Note, f.earlier()...)
	return t
}

// posted is what became of a base, in words.
func posted(p *strategic.Posting) string {
	var said string
	switch {
	case p.What == "replaced":
		said = "replaced by " + p.By
		if p.Hex != "" {
			said += " in " + p.Hex
		}
		if p.Joined != "" {
			said += "; " + p.Joined + " arrives"
		}
	case p.From != "":
		said = p.How + " from " + p.From + " to " + p.Hex
	case p.What == "attacked":
		said = fmt.Sprintf("attacked in %s, %d hits, %d to displace it", p.Hex, p.Hits, p.Needed)
	default:
		said = strings.Join(nonempty(p.What+" in "+p.Hex, p.How), ", ")
	}
	if p.Left {
		said += ": off the map"
		if p.Returns != 0 {
			said += fmt.Sprintf(", back from turn %d", p.Returns)
		}
	}
	return said
}

// told are the figures of the game as they were told last.
func (f figures) told(list []strategic.Figure) table {
	t := table{Title: "As told last", Columns: columns("Figure", "#Value", "Turn")}
	for _, x := range list {
		t.add(x.Name, f.figure(x.Event, x.Value), x.Turn)
	}
	return t
}

func (f figures) spent(list []strategic.Spent) table {
	t := table{Title: "Spent for successes", Columns: columns("Turn", "Base", "On")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.add(x.Turn, x.Base, f.entry(x.Place, strings.ToUpper(x.On)))
		}
	}
	t.last(mostRows)
	return t
}

func (f figures) cardsPlayed(list []strategic.CardPlayed) table {
	t := table{Title: "Strategy Cards played", Columns: columns("Turn", "Side", "#Card", "Event")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.add(x.Turn, x.Side, f.entry(x.Place, x.Card), x.As)
		}
	}
	t.last(mostRows)
	return t
}

func (f figures) cardsDrawn(list []strategic.CardsDrawn) table {
	t := table{Title: "Strategy Cards drawn", Columns: columns("Turn", "Side", "#In full", "#Submarines", "#Bombers", "#Drawn")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.add(x.Turn, x.Side, f.figure(x.Event, x.Base), f.figure(x.Event, signed(-int64(x.Submarines))),
				f.figure(x.Event, signed(-int64(x.Bombers))), f.entry(x.Place, x.Draw))
		}
	}
	t.last(mostRows)
	t.Note = append(t.Note, f.earlier()...)
	return t
}

// further are the results that are no strategic warfare: harbor attacks, Pearl Harbor, troop
// transports.
func (f figures) further(list []strategic.Result) table {
	t := table{Title: "Further results", Columns: columns("Turn", "What", "Net", "Result")}
	for i := range list {
		x := &list[i]
		if !f.shows(x.Ordinal) {
			continue
		}
		at := projections.Place{Event: x.Event, Fate: x.Fate}
		what := narrator.Procedure(x.Procedure)
		if x.Subject != "" {
			what += ", " + x.Subject
		}
		var parts []string
		for _, r := range x.Readings {
			parts = append(parts, strings.Join(nonempty(r.Name, words.Numbers(r.Dice, "+")), " ")+" → "+r.Result)
		}
		if len(parts) == 0 {
			parts = append(parts, narrator.Figures(x.Figures))
		}
		t.add(x.Turn, what, f.figure(x.Event, signed(int64(x.Net))), f.entry(at, strings.Join(parts, "; ")))
	}
	t.last(mostRows)
	t.Note = append(t.Note, f.earlier()...)
	return t
}

func (f figures) hunts(list []strategic.Hunt) table {
	t := table{Title: "Hunts for submarines", Columns: columns("Turn", "In turn of", "Sea zone", "Submarines")}
	for i := range list {
		x := &list[i]
		if !f.shows(x.Ordinal) {
			continue
		}
		var parts []string
		for _, g := range x.Groups {
			found := "undetected"
			if g.Detected {
				found = "detected"
			}
			parts = append(parts, fmt.Sprintf("%s: %s, %s", g.Power, strings.Join(g.Submarines, ", "), found))
		}
		t.add(x.Turn, x.Attacker, x.Zone, f.entry(x.Place, strings.Join(parts, "; ")))
	}
	t.last(mostRows)
	return t
}

func (f figures) losses(list []strategic.Loss) table {
	t := table{Title: "Losses", Columns: columns("Turn", "Of", "Where", "Units", "To")}
	for i := range list {
		x := &list[i]
		if !f.shows(x.Ordinal) {
			continue
		}
		t.add(x.Turn, x.Power, x.Space, f.entry(x.Place, units(x.Units)), x.Cause)
	}
	t.last(mostRows)
	return t
}

func (f figures) madeGood(list []strategic.Compensation) table {
	t := table{Title: "Given and taken in compensation", Columns: columns("Turn", "Of", "What", "#By", "Reason")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.add(x.Turn, x.Of, x.Subject, f.entry(x.Place, signed(int64(x.By))), x.Reason)
		}
	}
	t.last(mostRows)
	return t
}

// units is "2 submarines, 1 destroyer", as they were named.
func units(list []events.Unit) string {
	parts := make([]string, len(list))
	for i, u := range list {
		parts[i] = fmt.Sprintf("%d %s", u.Count, u.Name)
	}
	return strings.Join(parts, ", ")
}
