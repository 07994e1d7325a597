package docs

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/aar"
	"github.com/watu-ledger/watu/rules/awaw"
	"github.com/watu-ledger/watu/rules/eots"
	"github.com/watu-ledger/watu/rules/g40"
)

var update = flag.Bool("update", false, "write the generated documents anew")

// ruled is a system of rules with what its text leaves open.
type ruled struct {
	rules.System
	options rules.OptionList
	settled string // what was decided without an option
}

var systems = []ruled{
	{awaw.System(), awaw.OptionList().Free(), awawSettled},
	{aar.System(), aar.OptionList().Free(), aarSettled},
	{eots.System(), eots.OptionList().Free(), eotsSettled},
	{g40.System(), g40.OptionList().Free(), g40Settled},
}

// rulings.md lists every option with its question and readings, as the program has them.
func TestRulingsAreCurrent(t *testing.T) {
	for _, s := range systems {
		for _, o := range s.options {
			if o.Why == "" {
				t.Errorf("option %s of %s does not say why its default is the recommended reading", o.Name, s.Title)
			}
		}
	}
	current(t, "rulings.md", rulings())
}

func rulings() string {
	var b strings.Builder
	b.WriteString(rulingsHead)
	for _, s := range systems {
		fmt.Fprintf(&b, "\n## %s\n", s.Title)
		for _, o := range s.options {
			fmt.Fprintf(&b, "\n### %s\n\n%s. %s\n\n", o.Name, o.Ambiguity, o.Question)
			for _, r := range o.Readings {
				fmt.Fprintf(&b, "* `%s`%s: %s\n", r.Value, defaultOf(s.System, o.Name, r.Value), r.Meaning)
			}
			fmt.Fprintf(&b, "\nWhy the default: %s\n", o.Why)
		}
		fmt.Fprintf(&b, "\n### Settled without an option: %s\n\n%s", s.Title, s.settled)
	}
	return b.String()
}

// defaultOf marks a reading that is the default: of all editions, or of those named.
func defaultOf(s rules.System, option, value string) string {
	var of []string
	for _, e := range s.Editions {
		if e.Default(option) == value {
			of = append(of, e.Name)
		}
	}
	switch len(of) {
	case 0:
		return ""
	case len(s.Editions):
		return " (default)"
	}
	return " (default of edition " + strings.Join(of, ", ") + ")"
}

const rulingsHead = `# Rulings

Where a rule text is silent, contradicts itself or has lost a list, watu does not guess in silence.
A campaign has an option for the matter, written with its value into the first event. The value ` + "`ask`" + `
stops the first entry that depends on it and puts the question to the umpire; his ruling is an event
with its reason, and holds from there on. ` + "`watu adjudicate`" + ` never asks: it takes the default, or the
option in the request.
`
