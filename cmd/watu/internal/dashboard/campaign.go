package dashboard

import (
	"context"
	"net/http"
	"net/url"

	"github.com/watu-ledger/watu/cmd/watu/internal/course"
	"github.com/watu-ledger/watu/cmd/watu/internal/desk"
	"github.com/watu-ledger/watu/cmd/watu/internal/mapview"
	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/sea"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/strip"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
)

// board is what the page of a campaign shows, all of it as it was at the moment.
type board struct {
	Campaign timeline.Campaign
	Edition  timeline.EditionPlayed
	Moment   timeline.Moment
	Standing bool // at a moment that the reader named, whatever comes after it
	Timeline strip.Strip
	Here     eventLine
	Happened []eventLine // since the turn began, the newest first
	Earlier  bool        // there is more of the turn than Happened
	Disputes []disputed
	Pending  *document.Section // at the head
	Story    storyView
	Plot     *picture.Plot
	Course   []course.Panel // how it went, beside the score
	Map      *mapview.Panel
	Sea      *sea.Picture // where there is no map
	Panels   panels
	Keys     *document.Section // of players who sign
	Asked    *desk.MoveForm    // at the head
}

// campaign draws a campaign at a moment.
func (d *Dashboard) campaign(r *http.Request) (page, error) {
	c, viewer, err := d.looks(r)
	if err != nil {
		return page{}, err
	}
	b, err := d.boardAt(r.Context(), c, viewer, r.FormValue("at"), languageOf(r))
	if err != nil {
		return page{}, err
	}
	b.Timeline.Kept, b.Timeline.Standing = kept(r), b.Standing
	known := false
	if b.Pending, known, err = d.pendingAt(r.Context(), c, viewer, b.Moment.Last); err != nil {
		return page{}, err
	}
	if b.Moment.Last && !b.Standing {
		if move, err := d.desk.Move(r.Context(), c, viewer); err == nil { // else the desk says what is wrong
			b.Asked = move.Form(c.Name, r.URL.Query().Get("as"))
		}
	}
	return page{name: "campaign", passing: !known, Title: b.title(), Campaign: c.Name, Viewer: viewer,
		Live: pathTo("campaigns", c.Name, "live"), Body: b, Share: b.sharing(viewer)}, nil
}

// kept are the parameters of a page that its own links keep.
func kept(r *http.Request) url.Values {
	q := url.Values{}
	for _, name := range []string{"as", "lang"} {
		if value := r.FormValue(name); value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// languageOf is the language in which the reader asks for the story, or English.
func languageOf(r *http.Request) *story.Language { return story.LanguageOf(r.FormValue("lang")) }

// boardAt gathers what a viewer may know of a campaign at a moment: at its head, where none is named.
func (d *Dashboard) boardAt(ctx context.Context, c timeline.Campaign, viewer timeline.Viewer, at string,
	in *story.Language) (b board, err error) {
	b = board{Campaign: c, Standing: at != ""}
	q := timeline.MomentQuery{At: at, Back: true, Brief: true}
	if b.Moment, err = d.service.Moment(ctx, c.ID, viewer, q); err != nil {
		return b, err
	}
	if err := d.happened(ctx, &b, in); err != nil {
		return b, err
	}
	views, err := d.service.ViewsAt(ctx, c.ID, viewer, b.Moment.Events)
	if err != nil {
		return b, err
	}
	if b.Map, err = d.mapPanel(ctx, c, b.Moment.Events, views, in); err != nil {
		return b, err
	}
	b.Sea = b.sea(viewer.As, views)
	if b.Story, err = d.storyAt(ctx, c, b.Moment, views, in); err != nil {
		return b, err
	}
	turns, err := d.service.Turns(c.ID)
	if err != nil {
		return b, err
	}
	foot, on := strip.Foot(strip.UpTo(turns, b.Moment.Of), b.Moment.Event)
	b.Plot = b.Story.plot(foot, on)
	if err := d.course(ctx, &b, views, foot, on); err != nil {
		return b, err
	}
	if b.Panels, err = d.panels(ctx, c, b.Moment, views, in); err != nil {
		return b, err
	}
	b.Keys, err = d.keys(ctx, c, b.Moment.Events)
	return b, err
}

// title says which campaign, and which moment of it.
func (b board) title() string {
	called := words.Titled(b.Campaign.Name)
	switch {
	case b.Asked != nil && b.Asked.Yours():
		return story.LinesOf(b.Story.Lang).Says("your-move") + " · " + called
	case b.Standing:
		return story.LinesOf(b.Story.Lang).Says("title-at", "what", called, "n", b.Moment.Event)
	case b.Moment.Turn != "":
		return called + ", " + b.Moment.Turn
	}
	return called
}

// recent is how many events of a turn the page of a campaign lists.
const recent = 30

// happened gathers how the campaign came to the moment.
func (d *Dashboard) happened(ctx context.Context, b *board, in *story.Language) (err error) {
	c, m := b.Campaign, b.Moment
	if b.Edition, err = d.service.EditionAt(ctx, c.ID, m.Events); err != nil {
		return err
	}
	turns, err := d.service.Turns(c.ID)
	if err != nil {
		return err
	}
	marks, err := d.service.Positions(ctx, c.ID)
	if err != nil {
		return err
	}
	b.Timeline = strip.Of(c.Name, m.Event, m.Of-1, turns, marks)
	b.Here = eventLine{c.Name, m.Here, in}
	from := b.Timeline.On.First
	if m.Events-from > recent {
		from, b.Earlier = m.Events-recent, true
	}
	happened, err := d.service.MarkedEvents(ctx, c.ID, from, m.Events, m.Events)
	if err != nil {
		return err
	}
	b.Happened = newestFirst(c.Name, happened, in)
	if b.Disputes, err = d.disputedAt(c, m); err != nil {
		return err
	}
	for i, x := range b.Disputes {
		if b.Disputes[i].Stake, err = d.stakeOf(ctx, c, x.Dispute, m.Events, in); err != nil {
			return err
		}
	}
	return nil
}

// Ahead is how many events came after the moment.
func (b board) Ahead() uint64 { return b.Moment.Of - b.Moment.Events }
