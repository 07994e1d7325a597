package report

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
)

// turns describes the campaign turn by turn, player turn by player turn.
func (t *builder) turns(ctx context.Context) []Turn {
	list := []Turn{}
	phase := ""
	for _, e := range t.course() {
		if ctx.Err() != nil {
			return nil
		}
		home := t.home(e)
		if !t.covers(home.Turn.Ordinal) {
			continue
		}
		line, ok := t.entry(e)
		if !ok {
			continue
		}
		for _, text := range t.quarrels(line.Events) { // of its dice, say, which have no line of their own
			if !strings.Contains(line.Remark, text) {
				line.Remark = words.Join("; ", line.Remark, text)
			}
		}
		n := len(list)
		if n == 0 || list[n-1].Ordinal != home.Turn.Ordinal || list[n-1].Label != home.Turn.Label {
			list, phase = append(list, Turn{Ordinal: home.Turn.Ordinal, Label: home.Turn.Label,
				Story: []Line{}}), ""
			n++
		}
		turn := &list[n-1]
		title, lead := t.placed(t.phaseOf(home))
		if m := len(turn.Parts); m == 0 || turn.Parts[m-1].Title != title {
			turn.Parts, phase = append(turn.Parts, Part{Title: title}), ""
		}
		if lead != phase {
			line.Lead, phase = lead, lead
		}
		part := &turn.Parts[len(turn.Parts)-1]
		part.Lines = append(part.Lines, line)
	}
	for i := range list {
		for j := range list[i].Parts {
			p := &list[i].Parts[j]
			p.Lines = folded(p.Lines)
		}
	}
	return list
}

// placed says under which title a phase stands, and how it is named there.
func (t *builder) placed(phase string) (title, lead string) {
	player := t.players[phase]
	if player == "" {
		return words.Sentence(phase), ""
	}
	return player, words.Sentence(strings.TrimSpace(strings.TrimPrefix(phase, player)))
}

// phaseOf is the phase of an event. What is reported just before a phase begins is meant for that.
func (t *builder) phaseOf(e *events.Event) string {
	if phase, ok := t.ahead[e.Index]; ok {
		return phase
	}
	return e.Phase
}

// lookAhead finds, once for all that is reported, the phase that begins right behind it in the same turn.
func (t *builder) lookAhead() {
	phase, begins := "", false
	for i := len(t.Events) - 1; i >= 0; i-- {
		e := &t.Events[i]
		begins = begins && t.Events[i+1].Turn.Ordinal == e.Turn.Ordinal
		if !reported(e) {
			phase, begins = e.Phase, e.Type == "phase_advanced"
		} else if begins {
			t.ahead[e.Index] = phase
		}
	}
}

// reported reports whether an event says how the board stands.
func reported(e *events.Event) bool { return strings.HasSuffix(string(e.Type), "_reported") }

// administrative are the types that stand in a folded section: what was reported from the board,
// and what keeps the books.
var administrative = map[events.Type]bool{
	"fact_reported": true, "units_reported": true, "submarines_reported": true, "headquarters_reported": true,
	"targets_reported": true, "facilities_reported": true, "cards_returned": true, "seat_taken": true,
	"epoch_begun": true,
	"dice_typed":  true, "rules_changed": true, "consequence_kept": true,
}

// listedBelow are the types that stand in full with the disputes and corrections: what came of them
// stands where it belongs.
var listedBelow = map[events.Type]bool{"dispute_opened": true, "dispute_ruled": true, "corrected": true, "voided": true,
	"edition_moved": true}

// headed are the types that are headings, and no line.
var headed = map[events.Type]bool{"campaign_opened": true, "turn_advanced": true, "phase_advanced": true}

// entry says what an event begins, or ends: false for one that is listed with another, or in a heading.
func (t *builder) entry(e *events.Event) (Line, bool) {
	if t.later(e) {
		return Line{}, false // it stands where the original stands
	}
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.CampaignOpened, *events.TurnAdvanced, *events.PhaseAdvanced,
		*events.CardPlayed, *events.PlayCommitted, *events.CardNegated, *events.Passed, *events.DiceRolled,
		*events.StatementMade, *events.EvidenceBrought:
		return Line{}, false
	case *events.ContestOpened:
		return t.contest(e, e), t.member(e.Index, "contest_settled") == nil
	case *events.ContestSettled:
		return t.contest(t.at(p.Contest, e), e), true
	case *events.RollDeclared:
		return t.roll(e), t.member(e.Index, "result_adjudicated") == nil
	case *events.ResultAdjudicated:
		return t.result(e, p), true
	case *events.DrawDeclared:
		return t.draw(e), t.member(e.Index, "cards_drawn") == nil
	case *events.CardsDrawn:
		return t.draw(t.at(p.Declared, e)), true
	case *events.ChoiceAsked:
		return t.line(e), t.member(e.Index, "choice_made") == nil
	case *events.ChoiceMade:
		return t.choice(t.at(p.Asked, e), e), true
	case *events.ConvoyRaided, *events.ConvoyDisrupted:
		victim, _ := raided(e)
		_, income := t.incomes[t.home(e).Command+"\x00"+victim]
		return t.line(e), !income
	case *events.IncomeCollected:
		return t.income(e, p), true
	case *events.OptionRuled:
		return t.lineWith(e, withoutReason), true
	}
	line := t.lineWith(e, t.judged)
	line.disputes, line.reported = listedBelow[e.Type], reported(e)
	line.Folded = (administrative[e.Type] || line.disputes) && line.Remark == ""
	return line, true
}

// judged is narrated, but for the ruling on a dispute that a correction had settled.
func (t *builder) judged(e *events.Event) string {
	var p events.DisputeRuled
	if e.Read(&p) {
		if r := t.ruling(p.Dispute); r != nil && r.Event == e.Index && r.settled != 0 {
			return strings.Replace(narrated(e), narrator.Ruling(r.Ruling, r.Scope, ""), r.says(""), 1)
		}
	}
	return narrated(e)
}

// withoutReason shortens a ruling: its reason stands with the rulings.
func withoutReason(e *events.Event) string {
	var p events.OptionRuled
	short := *e
	if e.Read(&p) {
		p.Reason = "see below"
		short.Payload = events.EncodePayload(&p)
	}
	return narrated(&short)
}

// at gives the event at an index, or another where there is none.
func (t *builder) at(index uint64, otherwise *events.Event) *events.Event {
	if index < uint64(len(t.Events)) {
		return &t.Events[index]
	}
	return otherwise
}

// folded puts administrative lines that follow each other under one.
func folded(lines []Line) []Line {
	var out []Line
	lead := ""
	for _, l := range lines {
		l.Lead = cmp.Or(l.Lead, lead)
		lead = ""
		if !l.Folded {
			out = append(out, l)
			continue
		}
		lead, l.Lead, l.Folded = l.Lead, "", false // the phase is named at what happens in it
		n := len(out)
		if n == 0 || !out[n-1].Folded || out[n-1].disputes != l.disputes {
			out, n = append(out, Line{Folded: true, disputes: l.disputes}), n+1
		}
		fold := &out[n-1]
		fold.Under = append(fold.Under, l)
		fold.Events = append(fold.Events, l.Events...)
	}
	return unfolded(out)
}

// unfolded says what is folded away, and folds nothing where that would be as long.
func unfolded(lines []Line) []Line {
	var out []Line
	for _, l := range lines {
		switch {
		case l.Folded && l.disputes:
			l.Text = plain("Disputes and corrections, below: %s", words.Count(len(l.Under), "entry"))
		case l.Folded:
			l.Text = plain("%s", summary(l.Under))
		}
		if l.Folded && len(l.Under) <= 2 && (l.disputes || reports(l.Under) > 0) {
			out = append(out, l.Under...)
			continue
		}
		out = append(out, l)
	}
	return out
}

// reports counts the lines that report how the board stands.
func reports(lines []Line) (n int) {
	for _, l := range lines {
		if l.reported {
			n++
		}
	}
	return n
}

// summary says what is folded away.
func summary(lines []Line) string {
	switch reports(lines) {
	case len(lines):
		return "Reported from the board: " + words.Count(len(lines), "entry")
	case 0:
		return "Bookkeeping: " + words.Count(len(lines), "entry")
	}
	return fmt.Sprintf("Reported from the board, and bookkeeping: %d entries", len(lines))
}
