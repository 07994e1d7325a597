package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
)

// roll says of each roll what was declared before the dice, how they fell, and what decided them.
func (e *evidence) roll() document.Section {
	s := document.Section{ID: "declared", Title: "Declared before the dice"}
	chained := false
	for _, r := range e.rolls() {
		e.rolled(&s, r)
		chained = chained || len(r.Links) > 0
	}
	if chained {
		s.Paragraph("The host fixed the chain before, and could have picked it: docs/fair-dice.md.")
	}
	return s
}

// rolls are those that the event rests on, in order.
func (e *evidence) rolls() []service.Roll {
	if e.Roll == nil {
		return e.Earlier
	}
	return append(slices.Clip(e.Earlier), *e.Roll)
}

func (e *evidence) rolled(s *document.Section, r service.Roll) {
	s.Paragraph(document.Event(r.Declared), " ", words.Join(", ", r.Purpose, r.Subject))
	if e.Result == nil {
		s.Table(modifiers(r.Modifiers, r.Net))
	}
	l := document.List{Kind: document.PairList}
	for _, w := range r.Throws {
		l.Add(w.Name+":", declared(w))
		l.Add("", fallen(w, r.Attested != nil))
	}
	s.List(l)
	for _, k := range r.Links {
		s.Paragraph("Link ", k.Position, " of chain ", k.Chain, ":")
		s.Paragraph(code(k.Link))
		gives := " it gives the anchor stated in "
		if !k.Anchored {
			gives = " it does NOT give the anchor stated in "
		}
		s.Paragraph("Hashed "+times(k.Position)+gives, document.Event(k.Stated), ".")
	}
	attest(s, r.Attested)
	byRound(s, r)
	if len(r.Links) > 0 {
		s.Paragraph("Thrown again from " + words.Number(len(r.Links), "the link", "the two links") + again(r))
	}
}

// byRound says which round of a beacon decides a roll, and who saw it declared before.
func byRound(s *document.Section, roll service.Roll) {
	r := roll.Round
	if r == nil {
		return
	}
	round := fmt.Sprintf("Round %d of the beacon %s", r.Number, r.Beacon)
	at := r.Due.Format(time.DateTime) + " UTC"
	for _, lapsed := range r.Lapses {
		s.Paragraph(document.Event(lapsed), " The roll lapsed: nobody had cosigned it before its round came. The host "+
			"or a witness could have let that round pass because of its dice.")
	}
	switch {
	case len(roll.Links) > 0:
		s.Paragraph(round + " was named, and a link of the host's chain decided instead.")
		return
	case r.Came == 0:
		s.Paragraph(strong(round), " decides the dice, due "+at+". Nobody knows them yet.")
		return
	case r.First != roll.Declared:
		s.Paragraph(strong(round), " decided the dice, as those of ", document.Event(r.First),
			", with nobody to choose between the two.")
	default:
		s.Paragraph(strong(round), " decided the dice, due "+at+" (", document.Event(r.Came), "). Its signature:")
		s.Paragraph(document.Span{Text: r.Signed, Mark: document.Code})
	}
	if !r.Genuine {
		s.Paragraph("The signature is NOT that of the beacon.")
		return
	}
	var by []string
	for _, x := range r.Cosigned {
		by = append(by, x.Witness+" at "+time.Unix(x.Time, 0).UTC().Format(time.DateTime)+" UTC")
	}
	if r.Met {
		s.Paragraph("Cosigned before that, by the clocks of the witnesses: " + words.And(by) + ".")
	} else {
		s.Paragraph("It was NOT cosigned before that by as many witnesses as the campaign asks for.")
	}
	s.Paragraph("Thrown again from the round" + again(roll) + " That the witnesses saw this record, a file of the " +
		"campaign shows: watu export, watu-verify.")
}

// again says whether dice that are thrown again from what decided them are those of the record.
func again(r service.Roll) string {
	return ", the dice are " + map[bool]string{true: "the same.", false: "NOT the same."}[r.Follows]
}

// declared is "2d6 for Britain, table strategic-warfare, row 30 and 4, at +3".
func declared(w service.Throw) string {
	text := fmt.Sprintf("%dd%d", w.Dice, w.Sides)
	if w.FromZero {
		text += " read from 0"
	}
	text += " for " + w.Side
	if w.Table != "" {
		text += ", table " + w.Table
	}
	if len(w.Rows) > 0 {
		text += ", row " + words.Numbers(w.Rows, " and ")
	}
	if w.Modifier != 0 {
		text += fmt.Sprintf(", at %+d", w.Modifier)
	}
	return text
}

// fallen shows the dice of a throw.
func fallen(w service.Throw, attested bool) document.Text {
	switch {
	case w.Index == 0 && attested:
		return document.Plainly("not confirmed yet")
	case w.Index == 0:
		return document.Plainly("not thrown yet")
	}
	mark := document.Die
	if w.Sides == 6 && !w.FromZero { // six sides that count from zero are no die with pips
		mark = document.Pips
	}
	var t document.Text
	for _, n := range w.Fell {
		t = append(t, document.Span{Text: strconv.Itoa(n), Mark: mark})
	}
	return document.Concat(t, strong(narrator.Dice(w.Fell)), " (", document.Event(w.Index), ")")
}

func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// attest says who vouches for the dice of a table.
func attest(s *document.Section, a *service.Attested) {
	if a == nil {
		return
	}
	s.List(lines(a.Said...))
	who := "to be typed in by one seat and confirmed by another"
	if a.Confirmed != "" {
		who = fmt.Sprintf("typed by %s, confirmed by %s", a.Typed, a.Confirmed)
	}
	s.Paragraph(strong("Attested"), ": "+who+"; no chain decides them.")
	if len(a.Umpire) > 0 {
		s.Paragraph("The umpire typed what was reported by " + strings.Join(a.Umpire, " and ") + ".")
	}
}

// draw says what decides a draw of cards.
func (e *evidence) draw() document.Section {
	s := document.Section{ID: "draw", Title: "Declared before the draw"}
	d := e.Draw
	if d == nil {
		return s
	}
	drawn := document.Text(nil)
	if d.Drawn != 0 {
		drawn = document.Concat(", drawn in ", document.Event(d.Drawn))
	}
	s.Paragraph(document.Event(d.Declared), fmt.Sprintf(" %d of %d %s cards", d.Count, d.PoolSize, d.Deck), drawn)
	s.Paragraph(fmt.Sprintf("Link %d of chain %s decides, whose anchor ", d.Link.Position, d.Link.Chain),
		document.Event(d.Link.Stated), " states:")
	s.Paragraph(code(d.Link.Anchor))
	s.Paragraph("The link stays sealed while the campaign is played: it would open every draw before it.")
	return s
}

// result shows what the rules made of the dice, with the printed tables.
func (e *evidence) result() document.Section {
	s := document.Section{ID: "result", Title: "Result"}
	r := e.Result
	if r == nil {
		return s
	}
	between := words.Join(" against ", r.Attacker, r.Defender)
	s.Paragraph(words.Join(": ", words.Join(", ", r.Procedure, r.Subject), between))
	s.Table(modifiers(r.Modifiers, r.Net))
	shown := map[string]bool{}
	for _, x := range r.Readings {
		s.Heading(readingName(x.Reading) + ": " + x.Result)
		if text := reading(x); text != narrator.Dice(x.Dice) || x.Name != nameless {
			s.Paragraph(text)
		}
		s.List(caps(x.Caps))
		if x.Sheet != nil && !shown[x.Lit] {
			sheets(&s, x.Sheet)
		}
		shown[x.Lit] = true
	}
	if figures := narrator.Figures(r.Figures); figures != "" {
		s.Paragraph(strong("In all"), ": "+figures)
	}
	return s
}

// nameless is the reading of a single die that has no name of its own.
const nameless = "die"

// readingName is "air combat", or "die 6" of a die without a name.
func readingName(r events.Reading) string {
	if r.Name == nameless {
		return nameless + " " + narrator.Dice(r.Dice)
	}
	return r.Name
}

// reading is "3+4=7 +2 = 9, 34 factors, column 9, row 30 and 4".
func reading(r service.Reading) string {
	text := narrator.Dice(r.Dice)
	if r.Modified != r.Total {
		text += fmt.Sprintf(" %+d = %d", r.Modified-r.Total, r.Modified)
	}
	if r.Factors != 0 {
		text += fmt.Sprintf(", %d factors", r.Factors)
	}
	if r.Column != "" {
		text += ", column " + r.Column
	}
	if len(r.Rows) > 0 {
		text += ", row " + words.Numbers(r.Rows, " and ")
	}
	return text
}

// sheets shows the rows of a printed table around the cells consulted, and folds the whole of it.
func sheets(s *document.Section, x *service.Sheet) {
	near, gaps := document.Table{Title: x.Name, Class: "sheet", Note: document.Noted(strings.Join(x.Notes, " "))}, 0
	near.Columns = []document.Column{{Name: x.Corner, Kind: document.Heads}}
	for _, c := range x.Columns {
		near.Columns = append(near.Columns, document.Column{Name: c})
	}
	whole := near
	for i, r := range x.Rows {
		row := document.Row(r.Label)
		for _, c := range r.Cells {
			cell := document.Span{Text: c.Text}
			if c.Lit {
				cell.Mark = document.Lit
			}
			row = append(row, document.Text{cell})
		}
		whole.Rows = append(whole.Rows, row)
		switch {
		case r.Near:
			near.Rows = append(near.Rows, row)
			continue
		case i == 0 || x.Rows[i-1].Near:
			near.Add("…")
		}
		gaps++
	}
	s.Table(near)
	if gaps > 0 {
		s.Blocks = append(s.Blocks, document.Block{Table: &whole, Fold: "The whole table"})
	}
}

// modifiers add up what is added to a roll, or say that they do not: each may hold for a throw of its own.
func modifiers(list []events.Modifier, net int) document.Table {
	t, sum := sums("Modifiers"), 0
	for _, m := range list {
		t.Add(fmt.Sprintf("%+d", m.Value), m.Name, document.Rule(m.Rule))
		sum += m.Value
	}
	total := document.Span{Text: fmt.Sprintf("%+d", net), Mark: document.Sum}
	switch {
	case len(list) == 0:
	case net == sum:
		t.Add(total, "net")
	case net == 0:
		t.Add("", "no net is recorded")
	default:
		t.Add(total, "net as recorded: the modifiers listed do not add up to it")
	}
	return t
}

// sums is a table of figures that add up to its last row: each with what it is, and where it comes from.
func sums(title string) document.Table {
	return document.Table{Title: title, Class: "modifiers", Columns: []document.Column{
		{Kind: document.Figures}, {Kind: document.Heads}, {},
	}}
}
