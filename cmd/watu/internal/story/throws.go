package story

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
)

// rolled says what dice are thrown for, how they fell, and what that comes to.
func rolled(e *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.RollDeclared:
		one := len(p.Sources) == 1 && p.Round == 0 && p.Mode != "attested" && p.Mode != "contested"
		if one && (p.Purpose == "roll" || known(p.Purpose, p.Subject)) {
			return declared(p)
		}
	case *events.DiceRolled:
		if p.Typed == "" && p.Round == 0 {
			return does("ev-rolls", e.Side, Parts{"dice": each(p.Dice, number), "throw": named(p.Throw)})
		}
	case *events.ResultAdjudicated:
		if p.Procedure == "roll" {
			return Sentence{"ev-thrown", Parts{"what": said(words.Sentence(p.Subject)), "side": Name(p.Attacker),
				"list": row{"; ", parts(p.Readings, func(r events.Reading) Part {
					return row{": ", []Part{named(r.Name), named(r.Result)}}
				})}}}
		}
		return adjudicated(p)
	}
	return Sentence{}
}

func declared(p *events.RollDeclared) Sentence {
	var throws []Part
	for _, t := range p.Throws {
		s := Sentence{"ev-throw", Parts{"throw": named(t.Name), "dice": Verbatim{Text: fmt.Sprintf("%dd%d", t.Dice,
			t.Sides)}}}
		if len(t.Rows) > 0 {
			s = Sentence{"ev-row", Parts{"said": s, "rows": Verbatim{Text: words.Numbers(t.Rows, "+")}}}
		}
		if t.Modifier != 0 {
			s = Sentence{"ev-at", Parts{"said": s, "n": signed(t.Modifier)}}
		}
		throws = append(throws, s)
	}
	what := about(Sentence{"ev-term", Parts{"what": named(p.Purpose)}}, p.Subject, nil)
	if p.Purpose == "roll" { // for what the rules do not resolve: the umpire's own words
		what = Sentence{"ev-term", Parts{"what": said(p.Subject)}}
	}
	return Sentence{"ev-declared", Parts{"what": what, "throws": row{"; ", throws}}}
}

// procedures are those whose name is not its words.
var procedures = map[string]string{"aa-fire": "AA fire", "sbr": "bombing raid", "d-day": "AA fire on D-Day",
	"sub-warfare": "submarine warfare", "submarine": "submarine warfare", "kamikaze": "kamikaze strikes"}

// adjudicated says the readings of a result that has nothing else to say.
func adjudicated(p *events.ResultAdjudicated) Sentence {
	var further []events.Figure
	for _, f := range p.Figures {
		if !slices.ContainsFunc(p.Readings, func(r events.Reading) bool { return r.Name == f.Name }) {
			further = append(further, f)
		}
	}
	if !knownFigures(further) {
		return Sentence{}
	}
	var readings []Part
	for _, r := range p.Readings {
		if !known(r.Result) {
			return Sentence{}
		}
		dice := words.Numbers(r.Dice, "+")
		if len(r.Dice) > 1 {
			dice += "=" + strconv.Itoa(r.Total)
		}
		if r.Modified != r.Total {
			dice += fmt.Sprintf(" %+d", r.Modified-r.Total)
			if r.Column == "" {
				dice += fmt.Sprintf(" = %d", r.Modified)
			}
		}
		s := Sentence{"ev-reading", Parts{"throw": named(r.Name), "dice": Verbatim{Text: dice}}}
		if r.Column != "" {
			s = Sentence{"ev-column", Parts{"said": s, "column": Verbatim{Text: r.Column}}}
		}
		readings = append(readings, row{": ", []Part{s, named(r.Result)}})
	}
	if list := figuresOf(further); len(list.list) > 0 {
		readings = append(readings, list)
	}
	if len(readings) == 0 {
		readings = []Part{Sentence{Key: "ev-nothing"}}
	}
	name := p.Procedure[strings.LastIndexByte(p.Procedure, '.')+1:]
	if own, ok := procedures[name]; ok {
		name = own
	} else if name = strings.ReplaceAll(name, "-", " "); !known(name) {
		return Sentence{}
	}
	return Sentence{"ev-result", Parts{"subject": typed(p.Subject), "what": named(name),
		"readings": row{"; ", readings}}}
}

// knownFigures reports whether languages have words for all figures that say something.
func knownFigures(list []events.Figure) bool {
	return !slices.ContainsFunc(list, func(f events.Figure) bool {
		return (f.Text != "" || f.Value != 0) && !known(f.Name)
	})
}

// figuresOf are figures with their names, those left out that say nothing.
func figuresOf(list []events.Figure) row {
	var out []Part
	for _, f := range list {
		switch {
		case f.Text != "" && f.Name == "base": // of ships; that of an income is a number
			out = append(out, row{": ", []Part{Sentence{Key: "ev-home"}, Name(f.Text)}})
		case f.Text != "":
			out = append(out, row{": ", []Part{named(f.Name), named(f.Text)}})
		case f.Value != 0:
			out = append(out, row{": ", []Part{named(f.Name), number(f.Value)}})
		}
	}
	return row{", ", out}
}
