// Package league sets the campaigns of a ledger side by side, for everybody: how each stands, for whom it waits and
// since when; and a feed of that, in which each turn and each open question is an entry.
package league

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/share"
	"github.com/watu-ledger/watu/cmd/watu/internal/standing"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
)

// Row is a campaign of the league.
type Row struct {
	timeline.Campaign
	Played time.Time              // when its last event was recorded
	Asked  *timeline.OpenQuestion // that is open; nil for none
	Since  time.Time              // when it was asked

	// How it stands, where that was asked for.
	Bars  []standing.Bar
	Of    string          // what the figures are
	Final []standing.Span // of an archived one: how it ended
	Card  *story.Card     // its latest turn of which there is something to say
}

// RowOf reads who is asked in a campaign, and when it was played last.
func RowOf(ctx context.Context, f *service.Service, c timeline.Campaign) (r Row, err error) {
	r.Campaign = c
	x, err := f.Extent(c.ID)
	if err != nil {
		return r, err
	}
	if r.Asked, err = f.OpenQuestion(ctx, c.ID, c.Events); err != nil {
		return r, err
	}
	last, err := f.Event(x.ID, c.Events-1)
	r.Played = last.Recorded
	if err == nil && r.Asked != nil {
		asked, lost := f.Event(x.ID, r.Asked.Index)
		r.Since, err = asked.Recorded, lost
	}
	return r, err
}

// Called is the campaign's name as a title.
func (r Row) Called() string { return words.Titled(r.Name) }

// Side is whoever is asked, as a sentence names it.
func (r Row) Side() story.Name { return story.Name(r.Asked.Of) }

// League is all campaigns: those that are played, the last played first, and those that are archived.
type League struct{ Rows, Archived []Row }

// Of sorts rows into a league.
func Of(rows []Row) (l League) {
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Or(b.Played.Compare(a.Played)) })
	for _, r := range rows {
		if r.Archived {
			l.Archived = append(l.Archived, r)
		} else {
			l.Rows = append(l.Rows, r)
		}
	}
	return l
}

// Path is where the page is, FeedPath its feed.
const (
	Path     = "/league"
	FeedPath = Path + "/feed.atom"
)

// Feed is what happened last in each campaign that is played, and for whom it waits.
func (l League) Feed(in *story.Language, site string) *share.Feed {
	say := story.LinesOf(in)
	f := &share.Feed{ID: share.FeedID(in, Path+" "+site), Title: say.Says("league"), Site: site, Lang: in.Tag,
		Path: share.In(in, Path), Self: share.In(in, FeedPath)}
	for _, r := range l.Rows {
		if f.Opened.IsZero() || r.Opened.Before(f.Opened) {
			f.Opened = r.Opened
		}
		path := share.In(in, "/campaigns/"+r.Name)
		if r.Card != nil {
			title, text := share.Summary(in, r.Card.Turn.Label, *r.Card)
			f.Add(share.Entry{ID: share.ID(r.ID, "league turn", r.Card.Turn.Ordinal), Kind: "turn", Path: path,
				Title: r.Called() + ", " + r.Card.Turn.Label + ": " + title, Text: text, Published: r.Played,
				Updated: r.Played})
		}
		if r.Asked != nil && r.Asked.Round == 0 {
			f.Add(share.Entry{ID: share.ID(r.ID, "league asked", r.Asked.Index), Kind: "question", Path: path,
				Title: r.Called() + " " + say.Within("waits-for", "side", r.Side()), Text: r.Asked.Question,
				Published: r.Since, Updated: r.Since})
		}
	}
	return f
}
