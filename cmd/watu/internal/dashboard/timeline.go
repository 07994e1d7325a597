package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"

	"github.com/watu-ledger/watu/events/words"
)

// strip is the course of a campaign as a strip: a segment a turn, as wide as it has events, and
// above it marks for what one may look for. Figures are hundredths of a percent of its width.
type strip struct {
	Campaign string
	Kept     url.Values // as whom the reader asked to look, and in which language: its links keep them
	Event    uint64     // where the moment stands
	Standing bool       // at a moment that the reader named
	Last     uint64     // the last event there is
	Segments []segment
	Marks    []mark
	Results  string // a path of a tick for each result, in a box 10000 wide and 1 high
	Counts   struct{ Disputes, Corrections, Results int }
	On       timeline.TurnPlayed // the turn of the moment
	Back, To *timeline.TurnPlayed
	Ends     string // the last event of each turn, for steps by turns
	Cursor   span
}

// segment is a turn of the strip, or some that are too short to be seen alone.
type segment struct {
	Label       string
	First, Last uint64 // events
	Turns       int
	When        string // "past", "on" or "ahead" of the moment
	At          span

	Disputes, Corrections, Results int
}

// mark is a dispute or a correction on the strip.
type mark struct {
	timeline.Position
	At span
}

// span is a piece of the strip.
type span struct{ from, width uint64 }

// X and Width are as an SVG wants them.
func (s span) X() string     { return hundredths(s.from) }
func (s span) Width() string { return hundredths(s.width) }

func hundredths(n uint64) string { return fmt.Sprintf("%d.%02d%%", n/100, n%100) }

// Events is how many a segment has.
func (s segment) Events() uint64 { return s.Last - s.First + 1 }

// More says how many turns a segment has beside the one that it is named for; empty for none.
func (s segment) More() string {
	if s.Turns == 1 {
		return ""
	}
	return words.Count(uint64(s.Turns-1), "turn")
}

// Of, Before and After are how many events there are, and the one before the moment's and behind it.
func (t strip) Of() uint64     { return t.Last + 1 }
func (t strip) Before() uint64 { return max(t.Event, 1) - 1 }
func (t strip) After() uint64  { return min(t.Event+1, t.Last) }

const (
	whole    = 10000 // the width of the strip
	thinnest = 100   // the width below which a turn shares a segment with the next, so that there are few
	nearest  = 50    // how far apart two marks of a kind are at least
)

// timeline draws the course of the campaign, standing at a moment.
func (d *Dashboard) timeline(ctx context.Context, c timeline.Campaign, m timeline.Moment) (strip, error) {
	t := strip{Campaign: c.Name, Event: m.Event, Last: m.Of - 1}
	turns, err := d.service.Turns(c.ID)
	if err != nil {
		return t, err
	}
	marks, err := d.service.Positions(ctx, c.ID)
	if err != nil {
		return t, err
	}
	turns = upTo(turns, m.Of)
	t.place(turns)
	t.cut(turns)
	t.mark(marks)
	t.Cursor = t.span(m.Event, m.Event)
	return t, nil
}

// upTo leaves out what was recorded since the moment was found, so that a page agrees with itself.
func upTo(turns []timeline.TurnPlayed, events uint64) []timeline.TurnPlayed {
	for len(turns) > 0 && turns[len(turns)-1].First >= events {
		turns = turns[:len(turns)-1]
	}
	if n := len(turns); n > 0 {
		turns[n-1].Events = min(turns[n-1].Events, events-turns[n-1].First)
	}
	return turns
}

// span is where the events from first to last are on the strip.
func (t *strip) span(first, last uint64) span {
	n := t.Last + 1
	from := first * whole / n
	return span{from, max((last+1)*whole/n-from, 1)}
}

// place finds the turn of the moment and its neighbours.
func (t *strip) place(turns []timeline.TurnPlayed) {
	var ends []string
	for i, p := range turns {
		ends = append(ends, strconv.FormatUint(lastOf(p), 10))
		if t.Event < p.First || t.Event > lastOf(p) {
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

func lastOf(p timeline.TurnPlayed) uint64 { return p.First + p.Events - 1 }

// Moment is the address of the page as it was at an event.
func (t strip) Moment(event uint64) string { return t.with("at", strconv.FormatUint(event, 10)) }

// Live is the address of the page at the head.
func (t strip) Live() string { return t.with("at", "") }

// Told is the address of the moment with the story in a language.
func (t strip) Told(tag string) string {
	at := ""
	if t.Standing {
		at = strconv.FormatUint(t.Event, 10)
	}
	if tag == story.English.Tag {
		tag = ""
	}
	return t.with("at", at, "lang", tag)
}

// with is the address of the page with parameters, each by name and value; empty for without it.
func (t strip) with(parameters ...string) string {
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
func (t strip) LastOf(p *timeline.TurnPlayed) uint64 { return lastOf(*p) }

// cut makes segments of turns.
func (t *strip) cut(turns []timeline.TurnPlayed) {
	for _, p := range turns {
		if n := len(t.Segments); n > 0 && t.Segments[n-1].At.width < thinnest && len(turns) > whole/thinnest {
			s := &t.Segments[n-1]
			s.Last, s.Turns = lastOf(p), s.Turns+1
			s.At = t.span(s.First, s.Last)
			continue
		}
		t.Segments = append(t.Segments, segment{Label: labelOf(p), First: p.First, Last: lastOf(p), Turns: 1,
			At: t.span(p.First, lastOf(p))})
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

func labelOf(p timeline.TurnPlayed) string {
	return cmp.Or(p.Label, "Before the first turn")
}

// mark sets the marks, those left out that would lie on another of their kind.
func (t *strip) mark(marks []timeline.Position) {
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
		t.Marks = append(t.Marks, mark{l, at})
	}
	t.Results = ticks.String()
}

func (t *strip) count(s *segment, kind string) {
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
