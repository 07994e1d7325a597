package narrator

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

// The modes of dice that no chain decides: thrown at a table, or by a round of public randomness.
const (
	attested = "attested"
	byBeacon = "beacon"
	byLinks  = "contested"
)

// chanceText describes declarations, dice and what the rules make of them.
func chanceText(e *events.Event, p events.Payload) document.Text {
	switch p := p.(type) {
	case *events.RollDeclared:
		return document.Concat(declaredText(p))
	case *events.DiceTyped:
		throws := rules.Each(p.Fell, func(f events.Fallen) string {
			return fmt.Sprintf("%s for %s", fallen(f.Dice), f.Throw)
		})
		return textf("%s says: %s (attested%s, to be confirmed).", words.Sentence(Seat(e.Seat)),
			strings.Join(throws, "; "), typedFor(e))
	case *events.DiceDenied:
		return textf("%s denies the dice typed for %s: %s", words.Sentence(Seat(e.Seat)), event(p.Declared),
			stop(p.Reason))
	case *events.RollLapsed:
		if p.Next == 0 {
			return textf("The roll %s lapses: nobody cosigned it before round %d came either. The host's "+
				"chain decides it.", event(p.Declared), p.Round)
		}
		return textf("The roll %s lapses: nobody cosigned it before round %d came. It awaits round %d.",
			event(p.Declared), p.Round, p.Next)
	case *events.DiceRolled:
		text := fmt.Sprintf("%s %s for %s", does(e.Side, "roll"), fallen(p.Dice), p.Throw)
		if p.Typed != "" && p.Confirmed == "" {
			text += " (ruled by the umpire" + ruledFor(e) + ")"
		} else if p.Typed != "" {
			text += fmt.Sprintf(" (attested: %s says so, %s confirms it%s)", Seat(p.Typed), Seat(p.Confirmed),
				typedFor(e))
		}
		if p.Round != 0 {
			text += fmt.Sprintf(" (round %d came)", p.Round)
		}
		return document.Concat(text, ".")
	case *events.ResultAdjudicated:
		return document.Concat(resultText(p))
	}
	return nil
}

func declaredText(p *events.RollDeclared) string {
	var throws []string
	for _, t := range p.Throws {
		text := fmt.Sprintf("%s %dd%d", t.Name, t.Dice, t.Sides)
		if len(t.Rows) > 0 {
			text += " on row " + words.Numbers(t.Rows, "+")
		}
		if t.Modifier != 0 {
			text += fmt.Sprintf(" at %+d", t.Modifier)
		}
		throws = append(throws, text)
	}
	what := p.Purpose + about(p.Subject, nil)
	if p.Purpose == freeRoll {
		what = p.Subject
	}
	text := fmt.Sprintf("Declared: %s: %s", what, strings.Join(throws, "; "))
	for _, s := range p.Sources {
		if p.Mode != byLinks && p.Mode != "" { // of the host's chain, as all dice are where nothing else is said
			text += ", by " + source(s)
		}
	}
	switch {
	case p.Mode == attested:
		text += ", at a table (attested)"
	case p.Mode == byBeacon && p.First == 0:
		text += fmt.Sprintf(", by round %d of the beacon, which is to come", p.Round)
	case p.Mode == byLinks && len(p.Sources) == 2:
		text += fmt.Sprintf("; contested: %s and %s decide", source(p.Sources[0]), source(p.Sources[1]))
	case p.Mode == byLinks:
		text += ", by the same two links"
	case p.Mode == byBeacon:
		text += fmt.Sprintf(", by round %d too", p.Round)
	}
	return text + "."
}

// freeRoll is the procedure of dice for what the rules do not resolve.
const freeRoll = "roll"

func resultText(p *events.ResultAdjudicated) string {
	if p.Procedure == freeRoll {
		return fmt.Sprintf("%s, %s: %s.", words.Sentence(p.Subject), p.Attacker, words.Join("; ",
			rules.Each(p.Readings, func(r events.Reading) string { return r.Name + ": " + r.Result })...))
	}
	parts := rules.Each(p.Readings, reading)
	if further := Figures(unread(p)); further != "" {
		parts = append(parts, further)
	}
	if len(parts) == 0 {
		parts = []string{"nothing"}
	}
	return fmt.Sprintf("Result, %s (%s): %s.", p.Subject, Procedure(p.Procedure), strings.Join(parts, "; "))
}

// rulings are the procedures whose name is not its words.
var rulings = map[string]string{"aa-fire": "AA fire", "sbr": "bombing raid", "d-day": "AA fire on D-Day",
	"sub-warfare": "submarine warfare", "submarine": "submarine warfare", "kamikaze": "kamikaze strikes"}

// Procedure is what a procedure is called: "bombing raid" for "g40.sbr".
func Procedure(procedure string) string {
	name := procedure[strings.LastIndexByte(procedure, '.')+1:]
	if words, ok := rulings[name]; ok {
		return words
	}
	return strings.ReplaceAll(name, "-", " ")
}

// fallen is "3 and 4": dice as they fell. Whether they are added or hit one by one is for the result
// to say.
func fallen(dice []int) string {
	return and(rules.Each(dice, strconv.Itoa))
}

// reading is "submarines 3+4=7 +2, column 9: 1/6".
func reading(r events.Reading) string {
	text := fmt.Sprintf("%s %s", r.Name, Dice(r.Dice))
	if r.Modified != r.Total {
		text += fmt.Sprintf(" %+d", r.Modified-r.Total)
		if r.Column == "" {
			text += fmt.Sprintf(" = %d", r.Modified)
		}
	}
	if r.Column != "" {
		text += ", column " + r.Column
	}
	return fmt.Sprintf("%s: %s", text, r.Result)
}

// Dice is "3+4=7", or "5" for one die.
func Dice(dice []int) string {
	text, total := words.Numbers(dice, "+"), 0
	for _, d := range dice {
		total += d
	}
	if len(dice) > 1 {
		text += "=" + strconv.Itoa(total)
	}
	return text
}

// Figures is "level 6, row 6"; what is zero is left out, for it says that nothing happened. It
// may leave nothing.
func Figures(list []events.Figure) string {
	var parts []string
	for _, f := range list {
		switch {
		case f.Text != "":
			parts = append(parts, f.Name+": "+f.Text)
		case f.Value != 0:
			parts = append(parts, f.Name+": "+strconv.Itoa(f.Value))
		}
	}
	return strings.Join(parts, ", ")
}

// unread gives the figures of a result that are not those of a reading by the same name.
func unread(p *events.ResultAdjudicated) []events.Figure {
	var list []events.Figure
	for _, f := range p.Figures {
		if !slices.ContainsFunc(p.Readings, func(r events.Reading) bool { return r.Name == f.Name }) {
			list = append(list, f)
		}
	}
	return list
}

func source(s events.Source) string {
	return fmt.Sprintf("link %d of chain %s", s.Position, s.Chain)
}

// Fact shows a disclosed fact: a list of words as words.
func Fact(fact string) string {
	var list []string
	if json.Unmarshal([]byte(fact), &list) != nil {
		return fact
	}
	return and(list)
}

// and lists words, or says that there are none.
func and(list []string) string { return cmp.Or(words.And(list), "none") }

// stop ends what somebody wrote with a full stop.
func stop(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.Contains(".!?", s[len(s)-1:]) {
		return s
	}
	return s + "."
}

// ruledFor says why the umpire ruled dice, where the event has it.
func ruledFor(e *events.Event) string {
	var request struct {
		Entry struct {
			Absent string `json:"absent"`
		} `json:"entry"`
	}
	if json.Unmarshal([]byte(e.Request), &request) == nil && request.Entry.Absent != "" {
		return ", for the link that was to decide did not come in time: " + request.Entry.Absent
	}
	return ""
}

// typedFor says that the umpire typed for the event's seat.
func typedFor(e *events.Event) string {
	var request struct {
		Entry struct {
			By string `json:"by"`
		} `json:"entry"`
	}
	if json.Unmarshal([]byte(e.Request), &request) == nil && request.Entry.By != "" {
		return "; typed by the umpire"
	}
	return ""
}
