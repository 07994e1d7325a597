package dashboard

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/share"
	"github.com/watu-ledger/watu/cmd/watu/internal/strip"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
)

// scene is a campaign at a moment, as a viewer may know it.
type scene struct {
	Campaign timeline.Campaign
	Viewer   timeline.Viewer
	Moment   timeline.Moment
	Views    timeline.Views
	Story    storyView
	Map      *mapPicture // for what is shown elsewhere
	Emblem   *picture.Emblem
}

// everybody looks at what is shown elsewhere, whatever tokens a request brings.
func everybody(*http.Request, string) (timeline.Viewer, error) {
	return timeline.Viewer{As: timeline.Public}, nil
}

// scene gathers a campaign at the moment that is asked for.
func (d *Dashboard) scene(r *http.Request, who access.ViewerFunc, at string) (s scene, err error) {
	if s.Campaign, err = d.service.Campaign(r.PathValue("c")); err != nil {
		return s, err
	}
	if s.Viewer, err = who(r, s.Campaign.ID); err != nil {
		return s, err
	}
	q := timeline.MomentQuery{At: at, Back: true, Brief: true}
	if s.Moment, err = d.service.Moment(r.Context(), s.Campaign.ID, s.Viewer, q); err != nil {
		return s, err
	}
	if s.Views, err = d.service.ViewsAt(r.Context(), s.Campaign.ID, s.Viewer, s.Moment.Events); err != nil {
		return s, err
	}
	s.Story, err = d.storyAt(r.Context(), s.Campaign, s.Moment, s.Views, languageOf(r))
	return s, err
}

// seen is the scene that everybody may see, with a picture of its map.
func (d *Dashboard) seen(r *http.Request) (scene, error) {
	s, err := d.scene(r, everybody, cmp.Or(r.PathValue("index"), r.FormValue("at")))
	if err != nil {
		return s, err
	}
	panel, err := d.mapPanel(r.Context(), s.Campaign, s.Moment.Events, s.Views, s.Story.Lang)
	if s.Map = pictureOf(s.Campaign.Name, panel); s.Map == nil {
		s.Emblem = frontCard{storyView: s.Story}.emblem()
	}
	return s, err
}

// sharing says what other sites show of a page. What a viewer alone may know is in no tag of it.
func sharing(c timeline.Campaign, path, title, text string) *share.Page {
	return &share.Page{Path: path, Feed: pathTo("campaigns", c.Name, "feed.atom"), Title: title, Text: text,
		Picture: path + "/preview.png"}
}

// sharing is that of the page of a campaign.
func (b board) sharing(viewer timeline.Viewer) *share.Page {
	path, title, said := pathTo("campaigns", b.Campaign.Name), words.Titled(b.Campaign.Name), b.Campaign.Title+"."
	if b.Standing {
		path = links{name: b.Campaign.Name}.At(b.Moment.Event)
	}
	if head := b.Story.Headline(); head != nil {
		title, said = share.Summary(b.Story.Lang, title+", "+b.Story.Lang.Name(head.Turn.Label), head.Card)
	}
	if viewer.As != timeline.Public {
		title, said = "", ""
	}
	p := sharing(b.Campaign, path, title, said)
	p.Picture = pathTo("campaigns", b.Campaign.Name, "preview.png") + "?at=" + text(b.Moment.Event)
	return p
}

// embed draws a campaign for a frame on another site.
func (d *Dashboard) embed(r *http.Request) (page, error) {
	s, err := d.seen(r)
	p := page{name: "embed", Title: words.Titled(s.Campaign.Name), Campaign: s.Campaign.Name, Viewer: s.Viewer, Body: s}
	if r.FormValue("at") == "" {
		p.Live = pathTo("campaigns", s.Campaign.Name, "live")
	}
	return p, err
}

// preview draws the picture of a moment; of an event that is named, with its sentence.
func (d *Dashboard) preview(r *http.Request) response {
	s, err := d.seen(r)
	if err != nil {
		return d.trouble(err).draw()
	}
	p := share.Preview{Campaign: words.Titled(s.Campaign.Name), When: s.Moment.Turn, Of: s.Story.ScoreOf(),
		Groups: share.GroupsOf(s.Story.Lang, s.Story.story.Score, picture.Tint), Emblem: s.Emblem}
	if s.Map != nil {
		p.Map = &s.Map.Map
	}
	switch head := s.Story.Headline(); {
	case strings.Contains(r.Pattern, "/disputes/"):
		x, err := d.service.Dispute(r.Context(), s.Campaign.ID, s.Moment.Event, s.Viewer)
		if err != nil {
			return d.trouble(err).draw()
		}
		p.Head, p.Deck = "“"+x.Dispute.Claim.Claim+"”", "Disputed by "+x.Dispute.By+", and open."
		if by := x.Dispute.Ruling; by != nil {
			how := narrator.Ruling(by.Ruling, by.Scope, "")
			if x.Dispute.Settled != 0 {
				how = fmt.Sprintf("settled by correction #%d", x.Dispute.Settled)
			}
			p.Deck = "Disputed by " + x.Dispute.By + ". Ruled: " + how + "."
		}
	case r.PathValue("index") != "":
		p.Head = s.Moment.Here.Text
	case head == nil:
		p.Head = s.Story.Says("nothing-yet")
	default:
		p.Head = s.Story.Lang.Text(head.Title)
		if head.Deck != nil {
			p.Deck = s.Story.Lang.Text(*head.Deck) + "."
		}
	}
	select { // a picture takes much memory: one is drawn at a time
	case d.drawing <- struct{}{}:
		defer func() { <-d.drawing }()
	case <-r.Context().Done():
		return d.trouble(r.Context().Err()).draw()
	}
	b, err := p.PNG(paints())
	if err != nil {
		return d.trouble(err).draw()
	}
	return response{status: http.StatusOK, bytes: b, tag: tagOf(b), kind: "image/png"}
}

// feed answers with the story of a campaign, its rulings and its disputes, for programs that follow.
func (d *Dashboard) feed(r *http.Request) response {
	f, err := d.feedOf(r)
	if err != nil {
		return d.trouble(err).draw()
	}
	b := f.XML()
	return response{status: http.StatusOK, bytes: b, tag: tagOf(b), kind: "application/atom+xml; charset=utf-8"}
}

func (d *Dashboard) feedOf(r *http.Request) (*share.Feed, error) {
	s, err := d.scene(r, everybody, "")
	if err != nil {
		return nil, err
	}
	c, x, l := s.Campaign, links{name: s.Campaign.Name}, s.Story.Lang
	f := &share.Feed{ID: share.FeedID(l, c.ID), Title: words.Titled(c.Name), Site: d.site(r), Opened: c.Opened,
		Lang: l.Tag, Path: share.In(l, pathTo("campaigns", c.Name)),
		Self: share.In(l, pathTo("campaigns", c.Name, "feed.atom"))}
	there, err := d.service.Extent(c.ID)
	when := func(index uint64) time.Time {
		e, lost := d.service.Event(there.ID, index)
		err = cmp.Or(err, lost)
		return e.Recorded
	}
	add := func(kind string, of, first, last uint64, path, title, text string) {
		f.Add(share.Entry{ID: share.ID(c.ID, kind, of), Kind: kind, Path: path, Title: title, Text: text,
			Published: when(first), Updated: when(last)})
	}
	turns, lost := d.service.Turns(c.ID)
	if err = cmp.Or(err, lost); err != nil {
		return nil, err
	}
	first, last := map[uint64]uint64{}, map[uint64]uint64{}
	for _, t := range strip.UpTo(turns, s.Moment.Events) {
		if _, begun := first[t.Ordinal]; !begun {
			first[t.Ordinal] = t.First
		}
		last[t.Ordinal] = strip.LastOf(t)
	}
	for _, card := range s.Story.story.Cards[:min(len(s.Story.story.Cards), share.MostEntries)] {
		title, text := share.Summary(l, l.Name(card.Turn.Label), card)
		n := card.Turn.Ordinal
		add("turn", n, first[n], last[n], share.In(l, x.At(last[n])), l.Name(card.Turn.Label)+": "+title, text)
	}
	rulings, lost := d.service.RulingsAt(r.Context(), c.ID, s.Moment.Events, recent)
	disputes, gone := d.disputedAt(c, s.Moment)
	if err = cmp.Or(err, lost, gone); err != nil {
		return nil, err
	}
	for _, e := range rulings {
		add("ruling", e.Index, e.Index, e.Index, x.To(e.Index), share.Ruling(l, e.Index), e.Text)
	}
	for _, e := range disputes {
		until, how := e.Index, ""
		if e.Ruling != nil {
			until, how = e.Ruling.Event, e.Ruling.Ruling
		}
		add("dispute", e.Index, e.Index, until, x.Dispute(e.Index), share.Dispute(l, e.Index, how), e.Claim.Claim)
	}
	return f, err
}
