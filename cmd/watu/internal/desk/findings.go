package desk

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/rules"
)

// textName is what the text of a form is called where a line of it is named.
const textName = "your text"

// Finding is something to look at in the text at hand, at its line.
type Finding struct {
	Line    int    // 0 for the text as a whole
	Says    string // the line
	Message string
	Rule    string // that is broken
	Title   string // of the rule; "" where no text has it
	Refused bool   // else it is a warning
	Wants   string // what has to be entered first, as [rules.Violation] has it
}

// Findings are what was found in the text at hand when it was judged last, in the order of its lines. The first entry
// that is refused ends them, as it ends the turn file.
func (p Page) Findings() (list []Finding) {
	if act := p.Typed.Get("do"); p.Done == nil || act != Check && act != Enter && !composes(p.Typed) {
		return nil
	}
	judged, shown := strings.Split(p.Done.judged, "\n"), strings.Split(p.Text(), "\n")
	add := func(f Finding) {
		if f.Line > 0 && f.Line <= len(judged) {
			f.Says = strings.TrimSpace(judged[f.Line-1])
			f.Line = shownLine(f.Line, judged, shown)
		}
		list = append(list, f)
	}
	wrong, says := p.wrongLine()
	for _, e := range p.Done.Entries {
		for _, text := range e.Warnings {
			if e.State == service.Fits { // else it is recorded
				add(Finding{Line: e.Line, Message: text})
			}
		}
		for i, v := range e.Violations {
			line := e.Line
			if i == 0 && wrong > 0 {
				line = wrong
			}
			add(Finding{line, "", v.Message, v.Rule, v.Title, true, v.Wants})
		}
	}
	if says != "" && (len(list) == 0 || !list[len(list)-1].Refused) {
		add(Finding{wrong, "", says, p.Wrong.RuleID(), p.Wrong.Title, true, p.Wrong.Wants})
	}
	return list
}

// inText is how a message begins that names a place of the text: "your text:12: ".
var inText = regexp.MustCompile(`^` + textName + `(?::(\d+))?: `)

// wrongLine is the line of the text at which the act went wrong, and what is wrong there; "" where it is not the text.
func (p Page) wrongLine() (line int, says string) {
	if p.Wrong == nil {
		return 0, ""
	}
	message := p.message()
	m := inText.FindStringSubmatch(message)
	if m == nil {
		return 0, ""
	}
	line, _ = strconv.Atoi(m[1]) // 0 where it names none
	return line, message[len(m[0]):]
}

// message is what went wrong, behind the place where it did.
func (p Page) message() string {
	if p.Wrong.Where != "" {
		return p.Wrong.Where + ": " + p.Wrong.Message
	}
	return p.Wrong.Message
}

// WrongSays is what is wrong. A line of the text is named beside it: what was recorded is gone from above.
func (p Page) WrongSays() string {
	if _, says := p.wrongLine(); says != "" {
		return says
	}
	return p.message()
}

// Tells says to a side what a refusal wants that is the umpire's to do; "" for nothing. The rules speak as to whoever
// may.
func (p Page) Tells(wants string) string {
	switch {
	case p.Umpire || p.Silent != "":
	case wants == rules.VerbTurn:
		return p.Say.Says("tell-turn") + "."
	case wants == rules.VerbFacts:
		return p.Say.Says("tell-facts") + "."
	}
	return ""
}

// Fits reports whether the text was checked, and nothing is wrong with it.
func (p Page) Fits() bool { return p.Wrong == nil && p.Done != nil && p.Done.Check }

// FormOnly is the entry of a checked text behind which the form alone was judged: what comes depends on its dice.
func (p Page) FormOnly() string {
	_, id, _ := strings.Cut(p.Done.FormOnly, "/")
	return id
}
