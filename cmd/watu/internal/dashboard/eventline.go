package dashboard

import (
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/worded"
)

// eventLine is an event as the pages list it.
type eventLine struct {
	Campaign string
	timeline.MarkedEvent
}

// Cites are the event's rules.
func (t eventLine) Cites() ruleFold { return ruleLinks(t.Campaign, t.Rules) }

// Words are what happened.
func (t eventLine) Words() string { return worded.Sentence(t.Text) }

// newestFirst turns the order of events about.
func newestFirst(campaign string, list []timeline.MarkedEvent) []eventLine {
	out := make([]eventLine, 0, len(list))
	for _, t := range slices.Backward(list) {
		out = append(out, eventLine{campaign, t})
	}
	return out
}

// Struck reports whether the event does not stand any more at the moment.
func (t eventLine) Struck() bool {
	return slices.ContainsFunc(t.Marks, func(m timeline.Mark) bool {
		return !m.Later && (m.Kind == timeline.MarkVoided || m.Kind == timeline.MarkCorrected)
	})
}

// Odds is the chance of a throw far from expectation, for people.
func (t eventLine) Odds() string {
	return strconv.FormatFloat(100*t.Unlikely.Chance, 'g', 2, 64) + " %"
}
