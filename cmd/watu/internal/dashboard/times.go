package dashboard

import (
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/strip"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// stamp is a time on a page. A script says how long ago that was, in the reader's zone; without one it is in UTC.
type stamp time.Time

// Stamp is for programs.
func (s stamp) Stamp() string { return time.Time(s).UTC().Format(time.RFC3339) }

// day is a date for people.
func day(say story.Lines, t time.Time) string {
	t = t.UTC()
	return say.Within("day", "day", t.Day(), "month", say.Word(t.Month().String()), "year", t.Year())
}

// dated finds when the turns of a story's cards were played last, up to a moment.
func (d *Dashboard) dated(t *storyView, c timeline.Campaign, m timeline.Moment, turns []timeline.TurnPlayed) error {
	x, err := d.service.Extent(c.ID)
	if err != nil {
		return err
	}
	t.at = map[uint64]stamp{}
	var shown time.Time
	for _, card := range t.story.Cards[:min(len(t.story.Cards), mostCards)] {
		for _, turn := range turns {
			if turn.Ordinal != card.Turn.Ordinal || turn.First > m.Event {
				continue
			}
			e, err := d.service.Event(x.ID, min(strip.LastOf(turn), m.Event))
			if err != nil {
				return err
			}
			t.at[turn.Ordinal] = stamp(e.Recorded)
		}
		// Turns that were played within the hour have one time: that of the latest.
		if at, ok := t.at[card.Turn.Ordinal]; ok && !shown.IsZero() && shown.Sub(time.Time(at)).Abs() < time.Hour {
			delete(t.at, card.Turn.Ordinal)
		} else if ok {
			shown = time.Time(at)
		}
	}
	return nil
}

// At is when the card's turn was played last; nil where that is not known.
func (c storyCard) At() *stamp {
	if at, ok := c.at[c.Turn.Ordinal]; ok {
		return &at
	}
	return nil
}
