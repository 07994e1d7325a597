// Package strip draws the course of a campaign as a strip of its turns, on which a page stands at a moment.
//
//	t := strip.Of("atlantic", 57, 506, turns, marks)
//
// A strip is as light for ten thousand turns as for ten: turns that are too short to be seen share a segment, and marks
// of a kind that would lie on each other are left out.
package strip

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// Strip is the course of a campaign: a segment a turn, as wide as it has events, and
// above it marks for what one may look for. Figures are hundredths of a percent of its width.
type Strip struct {
	Campaign string
	Kept     url.Values // as whom the reader asked to look, and in which language: its links keep them
	Event    uint64     // where the moment stands
	Standing bool       // at a moment that the reader named
	Last     uint64     // the last event there is
	Segments []Segment
	Marks    []Mark
	Results  string // a path of a tick for each result, in a box 10000 wide and 1 high
	Counts   struct{ Disputes, Corrections, Results int }
	On       timeline.TurnPlayed // the turn of the moment
	Back, To *timeline.TurnPlayed
	Ends     string // the last event of each turn, for steps by turns
	Cursor   Span
}

// Segment is a turn of the strip, or some that are too short to be seen alone.
type Segment struct {
	Label       string
	First, Last uint64 // events
	Turns       int
	When        string // "past", "on" or "ahead" of the moment
	At          Span

	Disputes, Corrections, Results int
}

// Mark is a dispute or a correction on the strip.
type Mark struct {
	timeline.Position
	At Span
}

// Span is a piece of the strip.
type Span struct{ from, width uint64 }

// X is where it begins, as an SVG wants it.
func (s Span) X() string { return hundredths(s.from) }

// Width is how wide it is.
func (s Span) Width() string { return hundredths(s.width) }

func hundredths(n uint64) string { return fmt.Sprintf("%d.%02d%%", n/100, n%100) }

// Events is how many a segment has.
func (s Segment) Events() uint64 { return s.Last - s.First + 1 }

// Fits reports whether the label has room where the strip is so many pixels wide.
func (s Segment) Fits(wide uint64) bool {
	return s.At.width*wide/whole >= 7*uint64(utf8.RuneCountInString(s.Label))+8
}

// More is how many turns a segment has beside the one that it is named for.
func (s Segment) More() int { return s.Turns - 1 }

// Of is how many events there are.
func (t Strip) Of() uint64 { return t.Last + 1 }

// Before is the event before the moment's.
func (t Strip) Before() uint64 { return max(t.Event, 1) - 1 }

// After is the one behind it.
func (t Strip) After() uint64 { return min(t.Event+1, t.Last) }

const (
	whole    = 10000 // the width of the strip
	thinnest = 100   // the width below which a turn shares a segment with the next, so that there are few
	cursor   = 30    // the width that the cursor has at the end
	nearest  = 50    // how far apart two marks of a kind are at least
)

// Of is the strip of a campaign up to its last event, standing at an event.
func Of(campaign string, event, last uint64, turns []timeline.TurnPlayed, marks []timeline.Position) Strip {
	t := Strip{Campaign: campaign, Event: event, Last: last}
	turns = UpTo(turns, last+1)
	t.place(turns)
	t.cut(turns)
	t.mark(marks)
	if t.Cursor = t.span(event, event); event == last {
		t.Cursor = Span{whole - cursor, cursor}
	}
	return t
}

// UpTo leaves out what was recorded since the moment was found, so that a page agrees with itself.
func UpTo(turns []timeline.TurnPlayed, events uint64) []timeline.TurnPlayed {
	for len(turns) > 0 && turns[len(turns)-1].First >= events {
		turns = turns[:len(turns)-1]
	}
	if n := len(turns); n > 0 {
		turns[n-1].Events = min(turns[n-1].Events, events-turns[n-1].First)
	}
	return turns
}

// span is where the events from first to last are on the strip.
func (t *Strip) span(first, last uint64) Span {
	n := t.Last + 1
	from := first * whole / n
	return Span{from, max((last+1)*whole/n-from, 1)}
}

// place finds the turn of the moment and its neighbours.
func (t *Strip) place(turns []timeline.TurnPlayed) {
	var ends []string
	for i, p := range turns {
		ends = append(ends, strconv.FormatUint(LastOf(p), 10))
		if t.Event < p.First || t.Event > LastOf(p) {
			continue
		}
		t.On = p
		if i > 0 {
			t.Back = &turns[i-1]
		}
		if i+1 < len(turns) {
			t.To = &turns[i+1]
		}
	}
	t.Ends = strings.Join(ends, " ")
}

// LastOf is the index of a turn's last event.
func LastOf(p timeline.TurnPlayed) uint64 { return p.First + p.Events - 1 }

// Moment is the address of the page as it was at an event.
func (t Strip) Moment(event uint64) string { return t.with("at", strconv.FormatUint(event, 10)) }

// Live is the address of the page at the head.
func (t Strip) Live() string { return t.with("at", "") }

// In is the address of the moment with the story in a language.
func (t Strip) In(tag string) string {
	at := ""
	if t.Standing {
		at = strconv.FormatUint(t.Event, 10)
	}
	return t.with("at", at, "lang", tag)
}

// with is the address of the page with parameters, each by name and value; empty for without it.
func (t Strip) with(parameters ...string) string {
	q := url.Values{}
	maps.Copy(q, t.Kept)
	for pair := range slices.Chunk(parameters, 2) {
		if q.Set(pair[0], pair[1]); pair[1] == "" {
			q.Del(pair[0])
		}
	}
	u := url.URL{Path: "/campaigns/" + t.Campaign, RawQuery: q.Encode()}
	return u.String()
}

// LastOf is the index of a turn's last event.
func (t Strip) LastOf(p *timeline.TurnPlayed) uint64 { return LastOf(*p) }

// cut makes segments of turns.
func (t *Strip) cut(turns []timeline.TurnPlayed) {
	for _, p := range turns {
		if n := len(t.Segments); n > 0 && t.Segments[n-1].At.width < thinnest && len(turns) > whole/thinnest {
			s := &t.Segments[n-1]
			s.Last, s.Turns = LastOf(p), s.Turns+1
			s.At = t.span(s.First, s.Last)
			continue
		}
		t.Segments = append(t.Segments, Segment{Label: LabelOf(p), First: p.First, Last: LastOf(p), Turns: 1,
			At: t.span(p.First, LastOf(p))})
	}
	for i := range t.Segments {
		s := &t.Segments[i]
		switch {
		case t.Event > s.Last:
			s.When = "past"
		case t.Event >= s.First:
			s.When = "on"
		default:
			s.When = "ahead"
		}
	}
}

// LabelOf is what a turn is called.
func LabelOf(p timeline.TurnPlayed) string {
	return cmp.Or(p.Label, "Before the first turn")
}

// mark sets the marks, those left out that would lie on another of their kind.
func (t *Strip) mark(marks []timeline.Position) {
	var ticks strings.Builder
	next := map[string]uint64{}
	on := 0
	for _, l := range marks {
		if l.Index > t.Last {
			break
		}
		for t.Segments[on].Last < l.Index {
			on++
		}
		t.count(&t.Segments[on], l.Kind)
		at := t.span(l.Index, l.Index)
		if at.from < next[l.Kind] {
			continue
		}
		next[l.Kind] = at.from + nearest
		if l.Kind == timeline.MarkResult {
			fmt.Fprintf(&ticks, "M%d 0v1", at.from+at.width/2)
			continue
		}
		t.Marks = append(t.Marks, Mark{l, at})
	}
	t.Results = ticks.String()
}

func (t *Strip) count(s *Segment, kind string) {
	switch kind {
	case timeline.MarkDisputed:
		s.Disputes++
		t.Counts.Disputes++
	case timeline.MarkCorrected:
		s.Corrections++
		t.Counts.Corrections++
	default:
		s.Results++
		t.Counts.Results++
	}
}
