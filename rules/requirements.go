package rules

import (
	_ "embed" // the inventory is part of the program
	"slices"
	"strings"
	"sync"

	"github.com/watu-ledger/watu/events/words"
)

//go:embed requirements.txt
var inventory string

// requirements are the ids of the inventory, in its order.
var requirements = sync.OnceValue(func() (ids []string) {
	for line := range strings.Lines(inventory) {
		if w := strings.Fields(line); len(w) > 0 && !strings.HasPrefix(w[0], "#") {
			ids = append(ids, w[0])
		}
	}
	return ids
})

// Rule finds a rule of the system by its id, whatever the case of its letters: one of its own, of what its text leaves
// open (AMB), of those common to all systems (GEN), or [Input]. Where there is none, found is empty and near are the
// ids that may have been meant, the closest first.
func (s System) Rule(id string) (found string, near []string) {
	id = strings.ToUpper(id)
	known := []string{Input}
	var under []string // the ids that go on where this one ends
	for _, r := range requirements() {
		own := strings.TrimPrefix(r, "AMB-")
		if !strings.HasPrefix(own, strings.ToUpper(s.Name)+"-") && !strings.HasPrefix(r, "GEN-") {
			continue
		}
		if known = append(known, r); len(id) > 1 && strings.HasPrefix(r, id) && len(under) < 3 {
			under = append(under, r)
		}
	}
	switch {
	case slices.Contains(known, id):
		return id, nil
	case len(under) > 0:
		return "", under
	}
	return "", words.Nearest(id, known)
}
