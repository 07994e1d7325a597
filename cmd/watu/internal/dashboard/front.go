package dashboard

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/standing"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
)

// front is the first page: the campaign that was played last, the others as cards, and those that stand apart. It
// shows everybody what the public may know.
type front struct {
	First    *frontCard
	Others   []frontCard
	More     []timeline.Campaign // beyond those with a card, by when they were opened
	Archived []frontCard         // the first of them with how they ended
}

// frontCard is a campaign on the front page.
type frontCard struct {
	timeline.Campaign
	storyView
	Called string
	Last   uint64 // the last event
	Played time.Time
	Now    bool // it is being played
	Map    *mapPicture
	Emblem *picture.Emblem // of a campaign without a map
}

const (
	mostFront  = 13               // how many campaigns have a card
	playedLast = 10 * time.Minute // how long a campaign counts as played now
)

// front draws the first page.
func (d *Dashboard) front(r *http.Request) (page, error) {
	list, err := d.service.Campaigns()
	if err != nil {
		return page{}, err
	}
	var cards []frontCard
	for _, c := range list.Campaigns {
		f := frontCard{Campaign: c, Called: words.Titled(c.Name), Last: c.Events - 1}
		if f.Played, err = d.playedAt(c); err != nil {
			return page{}, err
		}
		f.Now = d.now().Sub(f.Played) < playedLast
		cards = append(cards, f)
	}
	slices.SortStableFunc(cards, func(a, b frontCard) int { return b.Played.Compare(a.Played) })
	var body front
	for _, f := range cards[min(len(cards), mostFront):] {
		body.More = append(body.More, f.Campaign)
	}
	cards = cards[:min(len(cards), mostFront)]
	for i, c := range list.Archived {
		body.Archived = append(body.Archived, frontCard{Campaign: c})
		if i < mostFront {
			if err := d.addStory(r.Context(), &body.Archived[i], languageOf(r)); err != nil {
				return page{}, err
			}
		}
	}
	d.ends(cards)
	for i := range cards {
		if err := d.addStory(r.Context(), &cards[i], languageOf(r)); err != nil {
			return page{}, err
		}
	}
	// A campaign in which nothing has happened yet is no news.
	if i := slices.IndexFunc(cards, func(f frontCard) bool { return f.Headline() != nil }); len(cards) > 0 {
		body.First = &cards[max(i, 0)]
		body.Others = slices.Concat(cards[:max(i, 0)], cards[max(i, 0)+1:])
	}
	return page{name: "front", Title: story.LinesOf(languageOf(r)).Says("front-page"), Live: "/live", Body: body}, nil
}

// playedAt is when the last event of a campaign was recorded.
func (d *Dashboard) playedAt(c timeline.Campaign) (time.Time, error) {
	x, err := d.service.Extent(c.ID)
	if err != nil {
		return time.Time{}, err
	}
	e, err := d.service.Event(x.ID, c.Events-1)
	return e.Recorded.UTC(), err
}

// ends notes until when the page says of every campaign rightly whether it is played now.
func (d *Dashboard) ends(cards []frontCard) {
	first := int64(0)
	for _, f := range cards {
		if end := f.Played.Add(playedLast).UnixNano(); f.Now && (first == 0 || end < first) {
			first = end
		}
	}
	d.played.Store(first)
}

// onFront is the version of the front page: how far the record goes, and how often somebody has ceased to play. It only
// grows.
func (d *Dashboard) onFront(*http.Request) uint64 {
	if end := d.played.Load(); end != 0 && d.now().UnixNano() >= end && d.played.CompareAndSwap(end, 0) {
		d.ceased.Add(1)
	}
	return d.service.Listed() + d.ceased.Load()
}

// frontStory is the story of a campaign on the front page. It is valid until the campaign goes on.
type frontStory struct {
	version uint64
	story   storyView
	picture *mapPicture
}

// addStory gives a card its story and its picture. The story of a campaign is kept until it goes on, for the page is
// drawn again with every event of any.
func (d *Dashboard) addStory(ctx context.Context, f *frontCard, in *story.Language) error {
	version, id := d.service.Version(f.Name), f.ID+in.Tag
	d.fronts.mu.Lock()
	kept, ok := d.fronts.stories[id]
	d.fronts.mu.Unlock()
	if !ok || kept.version != version {
		kept.version = version
		views, err := d.service.ViewsAt(ctx, f.ID, timeline.Viewer{As: timeline.Public}, f.Events)
		if err != nil {
			return err
		}
		kept.story, err = d.storyAt(ctx, f.Campaign, timeline.Moment{Events: f.Events}, views, in)
		if err != nil {
			return err
		}
		panel, err := d.mapPanel(ctx, f.Campaign, f.Campaign.Events, views, in)
		if err != nil {
			return err
		}
		kept.picture = pictureOf(f.Name, panel)
		d.fronts.keep(id, kept)
	}
	f.storyView, f.Map = kept.story, kept.picture
	if f.Map == nil {
		f.Emblem = f.emblem()
	}
	return nil
}

// fronts keeps the stories of campaigns, by their ids and languages. The zero value is empty.
type fronts struct {
	mu      sync.Mutex
	stories map[string]frontStory
}

// keep adds a story. Where there are far more than a page shows, it begins anew.
func (k *fronts) keep(id string, f frontStory) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stories == nil || len(k.stories) > 4*mostFront {
		k.stories = map[string]frontStory{}
	}
	k.stories[id] = f
}

// Final says how an archived campaign ended.
func (f frontCard) Final() []standing.Span { return f.Maybe(f.story.Score.Stands) }

// At is when the campaign was played last.
func (f frontCard) At() stamp { return stamp(f.Played) }

// Figures are the two that lead.
func (f frontCard) Figures() []standing.Leader { return f.Leaders(f.story.Score) }

// Bars are the score.
func (f frontCard) Bars() []standing.Bar { return f.Words.Bars(f.story.Score, picture.Tint) }

// Of says what the figures are, and who leads by how much.
func (f frontCard) Of() string { return f.Words.Of(f.story.Score) }
