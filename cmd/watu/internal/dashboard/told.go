package dashboard

import (
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// told is an event as the pages tell it.
type told struct {
	Campaign string
	service.Told
}

// Cites are the event's rules.
func (t told) Cites() []ruleLink { return ruleLinks(t.Campaign, t.Rules) }

// newestFirst turns the order of events about.
func newestFirst(campaign string, list []service.Told) []told {
	out := make([]told, 0, len(list))
	for _, t := range slices.Backward(list) {
		out = append(out, told{campaign, t})
	}
	return out
}

// Struck reports whether the event does not stand any more at the moment.
func (t told) Struck() bool {
	return slices.ContainsFunc(t.Marks, func(m service.Mark) bool {
		return !m.Later && (m.Kind == service.MarkVoided || m.Kind == service.MarkCorrected)
	})
}

// Odds is the chance of a throw far from expectation, for people.
func (t told) Odds() string { return strconv.FormatFloat(100*t.Unlikely.Chance, 'g', 2, 64) + " %" }
