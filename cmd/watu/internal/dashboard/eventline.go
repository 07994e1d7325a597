package dashboard

import (
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/worded"
)

// eventLine is an event as the pages list it.
type eventLine struct {
	Campaign string
	timeline.MarkedEvent
	lang *story.Language // of the page; nil for English
}

// Cites are the event's rules.
func (t eventLine) Cites() ruleFold { return ruleLinks(t.Campaign, t.Rules) }

// Happened is what happened, in the language of the page where that has a sentence for it.
func (t eventLine) Happened() said { return saidIn(t.lang, t.NarratedEvent) }

// said is a sentence, and the language that it is in, as HTML names it. What is quoted in it is English, as the rules
// are, or as its writer chose.
type said struct {
	Words []story.Span
	In    string
}

// saidIn says what happened in a language, or else in English.
func saidIn(l *story.Language, e timeline.NarratedEvent) said {
	if l != nil && l != story.English && e.Event != nil {
		if s, ok := story.Happened(e.Event); ok {
			return said{l.Full(s), l.Tag}
		}
	}
	return said{[]story.Span{{Text: worded.Sentence(e.Text)}}, story.English.Tag}
}

// newestFirst turns the order of events about.
func newestFirst(campaign string, list []timeline.MarkedEvent, l *story.Language) []eventLine {
	out := make([]eventLine, 0, len(list))
	for _, t := range slices.Backward(list) {
		out = append(out, eventLine{campaign, t, l})
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
