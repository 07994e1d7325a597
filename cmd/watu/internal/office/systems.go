package office

import (
	"strings"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/aar"
	"github.com/watu-ledger/watu/rules/awaw"
	"github.com/watu-ledger/watu/rules/eots"
	"github.com/watu-ledger/watu/rules/g40"
)

// every is every body of rules that a campaign may be played by, in the order of their names.
func every() []rules.System {
	return []rules.System{aar.System(), awaw.System(), eots.System(), g40.System()}
}

func systems() map[string]rules.System {
	all := map[string]rules.System{}
	for _, s := range every() {
		all[s.Name] = s
	}
	return all
}

// Procedures are the rulings of every system, by name.
func Procedures() []rules.Procedure {
	var list []rules.Procedure
	for _, s := range every() {
		list = append(list, s.Procedures...)
	}
	return list
}

// Systems names the bodies of rules that a campaign may be played by.
func Systems() string {
	var names []string
	for _, s := range every() {
		names = append(names, s.Name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// SystemOf gives the body of rules that a procedure belongs to: its name begins with the system's.
func SystemOf(procedure string) (rules.System, bool) {
	name, _, _ := strings.Cut(procedure, ".")
	s, ok := systems()[name]
	return s, ok
}
