package dashboard

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/strategic"
)

// entry is the figure of an entry of a report: struck, and followed by what takes its place, if
// something does.
func entry(at projections.Place, what any) document.Text {
	if at.Counts() {
		return document.Text{figure(at.Event, what)}
	}
	return document.Text{struck(at.Event, what), plain(" "), figure(at.By(), at.Mark())}
}

// basesNow is where the bases are.
func (f figures) basesNow(list []strategic.Base) document.Table {
	t := document.Table{Title: "Sub Bases now", Columns: document.Columns("Base", "Where", "Since")}
	for _, b := range list {
		t.Add(b.Base, figure(b.Event, b.Where()), b.Turn)
	}
	return t
}

// postings are what became of the bases in the last turns.
func (f figures) postings(list []strategic.Posting) document.Table {
	t := document.Table{Title: "What became of the bases", Columns: document.Columns("Turn", "Base", "What")}
	for i := range list {
		if p := &list[i]; f.shows(p.Ordinal) {
			t.Add(p.Turn, p.Base, entry(p.Place, p.Text()))
		}
	}
	t.Last(mostRows)
	t.Note = append(t.Note, f.earlier()...)
	return t
}

// reported lists the figures of the game as the umpire reported them last.
func (f figures) reported(list []strategic.Figure) document.Table {
	t := document.Table{Title: "As reported last", Columns: document.Columns("Figure", "#Value", "Turn")}
	for _, x := range list {
		t.Add(x.Name, figure(x.Event, x.Value), x.Turn)
	}
	return t
}

func (f figures) spent(list []strategic.Spent) document.Table {
	t := document.Table{Title: "Spent for successes", Columns: document.Columns("Turn", "Base", "On")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.Add(x.Turn, x.Base, entry(x.Place, strings.ToUpper(x.On)))
		}
	}
	t.Last(mostRows)
	return t
}

func (f figures) cardsPlayed(list []strategic.CardPlayed) document.Table {
	t := document.Table{Title: "Strategy Cards played", Columns: document.Columns("Turn", "Side", "#Card", "Event")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.Add(x.Turn, x.Side, entry(x.Place, x.Card), x.As)
		}
	}
	t.Last(mostRows)
	return t
}

func (f figures) cardsDrawn(list []strategic.CardsDrawn) document.Table {
	t := document.Table{Title: "Strategy Cards drawn", Columns: document.Columns("Turn", "Side", "#In full",
		"#Submarines", "#Bombers", "#Drawn")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.Add(x.Turn, x.Side, figure(x.Event, x.Base), figure(x.Event, signed(-int64(x.Submarines))),
				figure(x.Event, signed(-int64(x.Bombers))), entry(x.Place, x.Draw))
		}
	}
	t.Last(mostRows)
	t.Note = append(t.Note, f.earlier()...)
	return t
}

// further are the results that are no strategic warfare: harbor attacks, Pearl Harbor, troop
// transports.
func (f figures) further(list []strategic.Result) document.Table {
	t := document.Table{Title: "Further results", Columns: document.Columns("Turn", "What", "Net", "Result")}
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
			parts = append(parts, words.Join(" ", r.Name, words.Numbers(r.Dice, "+"))+" → "+r.Result)
		}
		if len(parts) == 0 {
			parts = append(parts, narrator.Figures(x.Figures))
		}
		t.Add(x.Turn, what, figure(x.Event, signed(int64(x.Net))), entry(at, strings.Join(parts, "; ")))
	}
	t.Last(mostRows)
	t.Note = append(t.Note, f.earlier()...)
	return t
}

func (f figures) hunts(list []strategic.Hunt) document.Table {
	t := document.Table{Title: "Hunts for submarines", Columns: document.Columns("Turn", "In turn of", "Sea zone",
		"Submarines")}
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
		t.Add(x.Turn, x.Attacker, x.Zone, entry(x.Place, strings.Join(parts, "; ")))
	}
	t.Last(mostRows)
	return t
}

func (f figures) losses(list []strategic.Loss) document.Table {
	t := document.Table{Title: "Losses", Columns: document.Columns("Turn", "Of", "Where", "Units", "To")}
	for i := range list {
		x := &list[i]
		if !f.shows(x.Ordinal) {
			continue
		}
		t.Add(x.Turn, x.Power, x.Space, entry(x.Place, units(x.Units)), x.Cause)
	}
	t.Last(mostRows)
	return t
}

func (f figures) madeGood(list []strategic.Compensation) document.Table {
	t := document.Table{Title: "Given and taken in compensation", Columns: document.Columns("Turn", "Of", "What", "#By",
		"Reason")}
	for i := range list {
		if x := &list[i]; f.shows(x.Ordinal) {
			t.Add(x.Turn, x.Of, x.Subject, entry(x.Place, signed(int64(x.By))), x.Reason)
		}
	}
	t.Last(mostRows)
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
