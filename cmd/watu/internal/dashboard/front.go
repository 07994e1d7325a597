package dashboard

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
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
func (f frontCard) Final() []storySpan { return f.maybe(f.story.Score.Stands) }

// At is when the campaign was played last.
func (f frontCard) At() stamp { return stamp(f.Played) }

// frontFigure is a figure that leads, and whose it is.
type frontFigure struct {
	Called string
	Count  storySpan
}

// Figures are the two that lead: of the alliances, or of the sides with most.
func (f frontCard) Figures() (list []frontFigure) {
	const most = 2
	groups := f.story.Score.Groups
	if len(groups) > 1 {
		for i, g := range groups[:most] {
			list = append(list, frontFigure{f.named(g.Name, i), f.counted(g.Total)})
		}
		return list
	}
	var sides []story.Side
	for _, g := range groups {
		sides = append(sides, g.Sides...)
	}
	slices.SortStableFunc(sides, func(a, b story.Side) int { return cmp.Compare(b.Figure.N, a.Figure.N) })
	for i, s := range sides[:min(len(sides), most)] {
		list = append(list, frontFigure{f.named(s.Name, i), f.counted(s.Figure)})
	}
	return list
}

// named is a name in a list: the first has a capital.
func (t storyView) named(name string, i int) string {
	if i == 0 {
		return t.called(name)
	}
	return t.lang.Name(name)
}

// counted is a figure with what it is of, and leads to its event.
func (t storyView) counted(c story.Count) storySpan {
	out := t.figure(c)
	out.Text = t.Counted(c)
	return out
}

// frontBar is the score of an alliance, split among its sides, or that of one side.
type frontBar struct {
	Called string
	Total  storySpan
	Parts  []barPart
	Split  bool        // it is an alliance
	More   []storySpan // of a side alone: what is counted, and its second figure
}

// barPart is a side's piece of a bar, in a box a thousand wide.
type barPart struct {
	X, W   int64
	Tint   string
	Called string
	Figure storySpan
}

// Bars draws the score as bars on one scale.
func (f frontCard) Bars() (list []frontBar) {
	const wide, apart = 1000, 4
	groups := f.story.Score.Groups
	allied := len(groups) != 1 || groups[0].Name != ""
	if !allied {
		sides := groups[0].Sides
		groups = nil
		for _, s := range sides {
			groups = append(groups, story.Group{Name: s.Name, Total: s.Figure, Sides: []story.Side{s}})
		}
	}
	top := int64(1)
	for _, g := range groups {
		top = max(top, g.Total.N)
	}
	for _, g := range groups {
		bar := frontBar{Called: f.called(g.Name), Total: f.figure(g.Total), Split: allied}
		if !allied {
			bar.More = []storySpan{f.counted(g.Total)}
			if x := g.Sides[0].Extra; x != nil {
				bar.More = append(append(bar.More, storySpan{Text: ", "}), f.spans(*x)...)
			}
		}
		sum := int64(0)
		for i, s := range g.Sides {
			from := sum * wide / top
			sum += s.Figure.N
			bar.Parts = append(bar.Parts, barPart{X: from, W: max(sum*wide/top-from-apart, 0), Tint: tintOf(s.Name),
				Called: f.named(s.Name, i), Figure: f.figure(s.Figure)})
		}
		list = append(list, bar)
	}
	return list
}

// Of says what the figures are, and who leads by how much.
func (f frontCard) Of() string {
	text := f.lang.Text(story.Sentence{Key: f.story.Score.Of})
	for _, g := range f.story.Score.Groups {
		if g.Lead > 0 {
			text += ". " + story.LinesOf(f.lang).Says("front-lead", "side", story.Name(g.Name), "n", g.Lead)
		}
	}
	return text + "."
}
