package report

import (
	"cmp"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/events"
)

// A report begins with the headline of its last turn, and each turn with the sentences of package story, which pages
// and overlays show too.

// addStory gives each turn its sentences, and the report its headline.
func (t *builder) addStory(out *Report) {
	r := story.Record{Turns: t.begun(), Income: t.Income, Strategic: t.Strategic, Situation: t.Situation,
		Board: t.Board, Throws: t.throws()}
	if len(t.Events) > 0 {
		var p events.CampaignOpened
		t.Events[0].Read(&p)
		r.Sides, r.Numbers = p.Sides, t.numbers(p.Options)
	}
	for _, c := range story.Tell(r).Cards { // the latest first
		if !t.covers(c.Turn.Ordinal) {
			continue
		}
		if len(out.Headline) == 0 {
			out.Headline = append(out.Headline, sentence(c.Title))
			for _, s := range []*story.Sentence{c.Cost, c.Deck} {
				if s != nil {
					out.Headline = append(out.Headline, sentence(*s))
				}
			}
		}
		i := slices.IndexFunc(out.Turns, func(x Turn) bool { return x.Ordinal == c.Turn.Ordinal })
		if i < 0 {
			continue
		}
		list := []Line{sentence(c.Title)}
		for _, s := range c.Sentences() {
			list = append(list, sentence(s))
		}
		out.Turns[i].Story = list
	}
}

// numbers is how the campaign reads the two numbers of table 24.62: as opened or ruled, or as its edition has it.
func (t *builder) numbers(options []events.Option) (value string) {
	const name = "result_meaning"
	read := func(list []events.Option) {
		for _, o := range list {
			if o.Name == name {
				value = o.Value
			}
		}
	}
	read(options)
	for i := range t.Events {
		switch p, _ := events.PayloadOf(&t.Events[i]); p := p.(type) {
		case *events.OptionRuled:
			if p.Option == name {
				value = p.Value
			}
		case *events.EditionMoved:
			read(p.Options)
		}
	}
	return value
}

// throws lists the throws that stand.
func (t *builder) throws() (list []story.Throw) {
	var rolls Rolls
	for i := range t.Events {
		e := &t.Events[i]
		p, _ := events.PayloadOf(e)
		throw, fell := rolls.Fall(e, p)
		if d, rolled := p.(*events.DiceRolled); rolled && fell && t.history.Stands(e.Index) {
			if chance := story.ChanceOf(throw, d.Dice); chance != nil {
				list = append(list, story.Throw{Ordinal: e.Turn.Ordinal, Event: e.Index,
					Side: cmp.Or(e.Side, throw.Side), Throw: throw, Fell: d.Dice, Chance: chance})
			}
		}
	}
	return list
}

// begun lists all turns of the campaign, since the story of one depends on those before it.
func (t *builder) begun() (list []events.Turn) {
	for i := range t.Events {
		turn := t.Events[i].Turn
		if n := len(list); turn.Ordinal != 0 && (n == 0 || list[n-1].Ordinal < turn.Ordinal) {
			list = append(list, turn)
		}
	}
	return list
}

// sentence is a sentence without the full stop, and the events that its figures come from.
func sentence(s story.Sentence) Line {
	out := Line{Text: plain("%s", story.English.Text(s)), Events: []uint64{}}
	for _, x := range story.English.Say(s) {
		if x.Event != 0 {
			out.Events = append(out.Events, x.Event)
		}
	}
	out.Events = sorted(out.Events)
	return out
}
