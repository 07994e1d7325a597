package docs

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/aar"
	"github.com/watu-ledger/watu/rules/awaw"
)

var update = flag.Bool("update", false, "write the generated documents anew")

// systems are the systems of rules with options.
var systems = []struct {
	rules.System
	options rules.OptionList
	settled string // what was decided without an option
}{
	{awaw.System(), awaw.OptionList(), awawSettled},
	{aar.System(), aar.OptionList(), aarSettled},
}

// rulings.md lists every option with its question and readings, as the program has them.
func TestRulingsAreCurrent(t *testing.T) { current(t, "rulings.md", rulings()) }

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

const awawSettled = `* The missing conditions of Magic interception (48.61-C) set no further limit (AMB-AWAW-4).
* More than 60 factors use row 30 as often as needed (AMB-AWAW-7).
* Thirds of the defending air at Pearl Harbor are taken of AAF and NAS each (AMB-AWAW-12); what
  remains of NAS below three is reported (AMB-AWAW-13).
* A harbor attack result of 6 allows one target (AMB-AWAW-14). One AAF, or three NAS, is one naval
  factor (AMB-AWAW-15).
* What a harbor attack result or a critical hit does to a ship is reported, not applied (AMB-AWAW-16).
* Air range and Naval Nationality count as the attacker's less the defender's (AMB-AWAW-17). One port
  of a line suffices, and each line counts once (AMB-AWAW-18).
* An ASW card's effect on on-board attacks is on the opponent's alone (AMB-AWAW-19). The CVEs that
  count are the defender's (AMB-AWAW-20).
* Each side has its own codebreaking result a year and theater (AMB-AWAW-21).
* American cards at Pearl Harbor are shown once the table has been read (AMB-AWAW-22).
`

const aarSettled = `* The raider says which submarine raids which complex; what he does not say is allocated so that the
  raids take the most (AMB-AAR-3).
* The board or the request gives the graph of sea zones; canals are not modelled (AMB-AAR-10).
* Submarines of both enemies of a power count against one cap (AMB-AAR-11).
`
