package dashboard

import (
	"context"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/worded"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
)

// contestPanel is the contest of cards that is on, or the last that was, and what the campaign waits
// for.
type contestPanel struct {
	links
	Waits   *question
	Contest *contest
	Cards   bool // the game has them
}

// question is one that nobody has answered yet.
type question struct {
	Of      string
	Comes   bool // by itself: a round of a beacon
	Text    document.Span
	Rule    document.Text
	Options []string
}

type contest struct {
	Title    document.Span
	On       bool // nobody has settled it
	Acting   string
	Opposing string
	Subject  string
	Turn     string
	Rules    document.Text
	Plays    []contestPlay
	Settled  document.Text
	Cards    document.Text // how many counted
	Rule     document.Text // by which it was settled
}

// contestPlay is a play, or a pass.
type contestPlay struct {
	Side string
	Card *glyph // nil of a pass
	Text document.Span
	Lost document.Span // the negation; empty if it counts
}

func (d *Dashboard) contestPanel(ctx context.Context, c timeline.Campaign, m timeline.Moment,
	f figures) (p contestPanel, err error) {
	p.links = f.links
	asked, err := d.service.OpenQuestion(ctx, c.ID, m.Events)
	if err != nil {
		return p, err
	}
	if asked != nil {
		p.Waits = &question{Of: asked.Of, Comes: asked.Round != 0, Options: asked.Options,
			Text: figure(asked.Index, asked.Question)}
		if asked.Rule != "" {
			p.Waits.Rule = document.Text{rule(asked.Rule)}
		}
	}
	x, err := d.service.ContestAt(ctx, c.ID, m.Events)
	if err != nil || x == nil {
		return p, err
	}
	p.Contest = f.contest(x)
	return p, nil
}

func (f figures) contest(x *timeline.ContestAt) *contest {
	o := x.Opened
	out := &contest{
		Title: figure(x.Index, o.Kind), On: x.Settled == nil, Acting: o.Acting, Opposing: o.Opposing,
		Subject: words.Join(", ", o.Subject, strings.Join(o.Scope, ", ")), Turn: x.Turn, Rules: ruleSpans(x.Rules),
	}
	for _, p := range x.Plays {
		line := contestPlay{Side: p.Side,
			Text: figure(p.Index, strings.TrimSuffix(strings.TrimPrefix(p.Text, p.Side+" "), "."))}
		if p.Card != "" || p.Sealed {
			g := f.glyph(p.Card, p.Index)
			g.Lost = p.Negated != 0
			line.Card = &g
		}
		if p.Negated != 0 {
			line.Lost = figure(p.Negated, story.LinesOf(f.in).Within("negated-by", "n", p.NegatedBy))
		}
		out.Plays = append(out.Plays, line)
	}
	if s := x.Settled; s != nil {
		out.Cards = document.Text{plain(s.Acting), plain(" "), figure(x.End.Index, s.ActingCards),
			plain(", "), plain(s.Opposing), plain(" "), figure(x.End.Index, s.OpposingCards)}
		result := "no advantage"
		switch {
		case s.Modifier != 0:
			result = words.Modifier(s.Modifier) + " for " + s.Acting
		case len(s.Effects) > 0:
			result = narrator.Figures(s.Effects)
		case s.Advantage != "":
			result = "the advantage is with " + s.Advantage
		}
		out.Settled, out.Rule = document.Text{figure(x.End.Index, result)}, ruleSpans(x.End.Rules)
	}
	return out
}

// rulingsPanel is what the umpire ruled last, and what was put to him.
type rulingsPanel struct {
	links
	Rulings []ruling
}

type ruling struct {
	Turn, Kind, Text string
	Event            document.Span
	Rules            document.Text
	Was              bool // it was voided, or another stands in its place
}

// rulingKinds is what the events of the panel are called.
var rulingKinds = map[string]string{
	"dispute_ruled": "dispute", "option_ruled": "option", "referred": "referred to the umpire",
	"edition_moved": "edition",
}

func (d *Dashboard) rulingsPanel(ctx context.Context, c timeline.Campaign, m timeline.Moment,
	f figures) (p rulingsPanel, err error) {
	list, err := d.service.RulingsAt(ctx, c.ID, m.Events, mostLines)
	p.links = f.links
	for _, r := range list {
		out := ruling{Turn: r.Turn, Kind: rulingKinds[string(r.Type)], Text: worded.Sentence(r.Text),
			Event: document.Event(r.Index), Rules: ruleSpans(r.Rules)}
		for _, mark := range r.Marks {
			out.Was = out.Was || !mark.Later && (mark.Kind == timeline.MarkVoided ||
				mark.Kind == timeline.MarkCorrected)
		}
		p.Rulings = append(p.Rulings, out)
	}
	return p, err
}
