package dashboard

import (
	"context"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/course"
	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/standing"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/strip"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
)

// storyView is a campaign in sentences: the score, the headline, and a card for each turn.
type storyView struct {
	links
	standing.Words
	story story.Story
	at    map[uint64]stamp  // when a turn was played last, by its ordinal
	ends  map[uint64]uint64 // the last events of turns, by ordinal
}

// mostCards is how many turns the story of a page tells in full.
const mostCards = 10

// storyAt makes the story of a campaign at a moment, from its views.
func (d *Dashboard) storyAt(ctx context.Context, c timeline.Campaign, m timeline.Moment, v timeline.Views,
	in *story.Language) (storyView, error) {
	x := links{name: c.Name}
	t := storyView{links: x, Words: standing.Words{Lang: in, Path: x.To}}
	turns, err := d.service.Turns(c.ID)
	if err != nil {
		return t, err
	}
	t.ends = map[uint64]uint64{}
	r := story.Record{Sides: c.Sides, Income: v.Income, Strategic: v.Strategic, Situation: v.Situation,
		Ended: c.Archived}
	if v.Strategic != nil {
		if r.Numbers, err = d.service.OptionAt(ctx, c.Name, m.Events, "result_meaning"); err != nil {
			return t, err
		}
	}
	for _, x := range turns {
		t.ends[x.Ordinal] = min(strip.LastOf(x), m.Event)
		if x.Ordinal != 0 && x.First < m.Events {
			r.Recorded = t.ends[x.Ordinal] + 1 - x.First
		}
		if n := len(r.Turns); x.Ordinal != 0 && x.First < m.Events && (n == 0 || r.Turns[n-1].Ordinal < x.Ordinal) {
			r.Turns = append(r.Turns, events.Turn{Ordinal: x.Ordinal, Label: x.Label})
		}
	}
	throws, err := d.service.ThrowsAt(ctx, c.ID, m.Events)
	if err != nil {
		return t, err
	}
	for _, x := range throws {
		r.Throws = append(r.Throws, story.Throw{Ordinal: x.Turn, Event: x.Index, Side: x.Side, Throw: x.Throw,
			Fell: x.Dice, Chance: x.Chance})
	}
	b, err := d.boards.of(d.service, c.ID)
	if b != nil {
		r.Board = b.players
	}
	if t.story = story.Tell(r); err == nil {
		err = d.dated(&t, c, m, turns)
	}
	return t, err
}

// Headline is the latest card; nil before anything has happened that is worth a sentence.
func (t storyView) Headline() *storyCard {
	if len(t.story.Cards) == 0 {
		return nil
	}
	return &storyCard{t, t.story.Cards[0]}
}

// Cards are the turns, the latest first: at most so many.
func (t storyView) Cards() (list []storyCard) {
	for i, c := range t.story.Cards {
		if i < mostCards {
			list = append(list, storyCard{t, c})
		}
	}
	return list
}

// Says is a line of the reader's language, with a number in it where one is given.
func (t storyView) Says(key string, n ...story.Part) string {
	s := story.Sentence{Key: key, With: story.Parts{}}
	for _, part := range n {
		s.With["n"] = part
	}
	return t.Lang.Text(s)
}

// In is the language of the story, as HTML names it.
func (t storyView) In() string { return t.Lang.Tag }

// Elsewise are the other languages of the story.
func (t storyView) Elsewise() []*story.Language {
	return slices.DeleteFunc(slices.Clone(story.Languages), func(l *story.Language) bool { return l == t.Lang })
}

// storyCard is a turn of the story.
type storyCard struct {
	storyView
	story.Card
}

// Head is the card's title, with links at its figures.
func (c storyCard) Head() []standing.Span { return c.Spans(c.Title) }

// Paid says what it cost.
func (c storyCard) Paid() []standing.Span { return c.Maybe(c.Cost) }

// Under says who is ahead.
func (c storyCard) Under() []standing.Span { return c.Maybe(c.Deck) }

// Body are the card's sentences.
func (c storyCard) Body() (list [][]standing.Span) {
	for _, s := range c.Sentences() {
		list = append(list, append(c.Spans(s), standing.Span{Text: "."}))
	}
	return list
}

// PlotOf says what the figures of the plot are.
func (t storyView) PlotOf() string { return t.Lang.Text(story.Sentence{Key: t.story.Score.Of}) }

// ScoreOf says what the figures of the score are, and of which turns.
func (t storyView) ScoreOf() string { return t.Lang.Text(t.story.Score.About()) }

// Score is how the sides stand.
func (t storyView) Score() *score {
	s := &score{storyView: t, Of: t.ScoreOf()}
	top := int64(1)
	for _, g := range t.story.Score.Groups {
		for _, x := range g.Sides {
			for _, p := range x.Series {
				top = max(top, p.N)
			}
		}
	}
	for _, g := range t.story.Score.Groups {
		if len(g.Sides) == 0 {
			continue // nothing has a figure yet
		}
		out := scoreGroup{Group: g, Total: t.Count(g.Total)}
		if g.Name != "" {
			out.Called = t.Side(g.Name)
			if out.Of = s.Of; g.Lead > 0 {
				out.Of = t.Lang.Text(story.Sentence{Key: "lead", With: story.Parts{
					"of": t.story.Score.About(), "n": story.Count{Of: "plain", N: g.Lead}}})
			}
		}
		for _, x := range g.Sides {
			side := scoreSide{Side: x, Tint: picture.Tint(x.Name), Called: t.Side(x.Name), Figure: t.Count(x.Figure),
				Unit: t.Unit(x.Figure), Spark: strip.Spark(x.Series, top), More: t.Amid(x.Extra),
				Between: t.Amid(x.Made), Figures: t.Amid(x.Of), Against: t.Amid(x.Against())}
			out.Sides = append(out.Sides, side)
		}
		s.Groups = append(s.Groups, out)
	}
	if len(s.Groups) == 0 {
		return nil
	}
	return s
}

// Stands says what a score is of, for those who hear it.
func (s score) Stands() string {
	return s.Lang.Text(story.Sentence{Key: "stands", With: story.Parts{"of": s.story.Score.About()}})
}

// Verdict says who stands better by the figures, and Caveat what they do not say.
func (s score) Verdict() []standing.Span { return s.Maybe(s.story.Score.Stands) }
func (s score) Caveat() []standing.Span  { return s.Maybe(s.story.Score.Caveat) }

// score is how the sides stand, for the head of a page.
type score struct {
	storyView
	Of     string
	Groups []scoreGroup
}

type scoreGroup struct {
	story.Group
	Called string
	Of     string // by how much it leads, or else what the figures are
	Total  standing.Span
	Sides  []scoreSide
}

type scoreSide struct {
	story.Side
	Tint   string // of the style sheet
	Called string
	Figure standing.Span
	Unit   string // of the figure
	More   []standing.Span

	Figures []standing.Span // what the figure is of
	Between []standing.Span // how the second figure comes of the first
	Against []standing.Span // the turn that the change is against
	Spark   string          // points of a line in a box of 100 to 24
}

// Up and Down say which way the figure went.
func (s scoreSide) Up() bool   { return s.Change != nil && *s.Change > 0 }
func (s scoreSide) Down() bool { return s.Change != nil && *s.Change < 0 }

// Moved is by how much.
func (s scoreSide) Moved() int64 {
	if s.Change == nil {
		return 0
	}
	return max(*s.Change, -*s.Change)
}

// plot draws the figures of the score turn by turn; nil where there is nothing to compare.
func (t storyView) plot(foot []picture.Turn, on uint64) *picture.Plot {
	var lines []picture.Line
	for _, g := range t.story.Score.Groups {
		for _, s := range g.Sides {
			l := picture.Line{Tint: picture.Tint(s.Name), Called: t.Side(s.Name)}
			for _, p := range s.Series {
				l.Dots = append(l.Dots, picture.Dot{Ordinal: p.Ordinal, N: p.N, Event: p.Event})
			}
			lines = append(lines, l)
		}
	}
	return picture.PlotOf(foot, on, lines)
}

// course draws how the campaign went beside its score.
func (d *Dashboard) course(ctx context.Context, b *board, v timeline.Views, foot []picture.Turn, on uint64) error {
	throws, err := d.service.ThrowsAt(ctx, b.Campaign.ID, b.Moment.Events)
	r := course.Record{Turns: foot, On: on, Sides: b.Campaign.Sides, Income: v.Income, Strategic: v.Strategic,
		Pools: v.Pools, Lang: b.Story.Lang, Tint: picture.Tint}
	for _, t := range throws {
		low, high := t.Throw.Shows()
		r.Throws = append(r.Throws, course.Throw{Event: t.Index, Side: t.Side, Low: low, High: high, AtMost: t.AtMost,
			Dice: t.Dice})
	}
	b.Course = course.Of(r)
	return err
}
