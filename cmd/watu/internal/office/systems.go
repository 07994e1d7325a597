package office

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/aar"
	"github.com/watu-ledger/watu/rules/awaw"
)

// systems are the bodies of rules that a campaign may be played by, by name.
func systems() map[string]rules.System {
	all := map[string]rules.System{}
	for _, s := range []rules.System{awaw.System(), aar.System()} {
		all[s.Name] = s
	}
	return all
}

// Systems names the bodies of rules that a campaign may be played by.
func Systems() string {
	var names []string
	for name := range systems() {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " or ")
}
