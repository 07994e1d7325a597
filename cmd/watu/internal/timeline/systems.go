package timeline

import (
	"strings"
	"sync"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

// known are the bodies of rules. Their tables are read once.
var known = sync.OnceValue(all.Systems)

func systems() map[string]rules.System {
	named := map[string]rules.System{}
	for _, s := range known() {
		named[s.Name] = s
	}
	return named
}

// Procedures are the rulings of every system, by name.
func Procedures() []rules.Procedure {
	var list []rules.Procedure
	for _, s := range known() {
		list = append(list, s.Procedures...)
	}
	return list
}

// Systems names the bodies of rules that a campaign may be played by.
func Systems() string {
	names := rules.Each(known(), func(s rules.System) string { return s.Name })
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// SystemOf gives the body of rules that a procedure belongs to: its name begins with the system's.
func SystemOf(procedure string) (rules.System, bool) {
	name, _, _ := strings.Cut(procedure, ".")
	s, ok := systems()[name]
	return s, ok
}
