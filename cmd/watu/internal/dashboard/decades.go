package dashboard

import "github.com/watu-ledger/watu/cmd/watu/internal/story"

// decade is ten turns of the story, or those of them of which there is something to say: a line each.
type decade struct {
	N     uint64 // from 1
	Name  string // "Round 31 to Round 40"
	Lines []decadeLine
}

// decadeLine is a turn: its title, and the page of the campaign at its end.
type decadeLine struct{ Turn, Title, At string }

// mostDecades is how many decades stand on a page.
const mostDecades = 40

// Decades are the turns behind the cards in full, the latest first.
func (t storyView) Decades() (list []decade) {
	before := uint64(0)
	for i, c := range t.story.Cards {
		if i < mostCards {
			continue
		}
		n, called := (c.Turn.Ordinal-1)/10+1, t.Lang.Name(c.Turn.Label)
		if n != before && len(list) == mostDecades {
			break
		}
		if n != before {
			list, before = append(list, decade{N: n, Name: called}), n
		}
		d := &list[len(list)-1]
		d.Lines = append(d.Lines, decadeLine{called, t.Lang.Text(c.Title), t.At(t.ends[c.Turn.Ordinal])})
		if len(d.Lines) > 1 {
			d.Name = story.LinesOf(t.Lang).Within("ev-to", "a", called, "b", d.Lines[0].Turn)
		}
	}
	return list
}

// Before says how many turns the story leaves out; empty for none.
func (t storyView) Before() string {
	n := len(t.story.Cards) - mostCards
	for _, d := range t.Decades() {
		n -= len(d.Lines)
	}
	if n > 0 {
		return t.Says("earlier", story.Count{Of: "earlier", N: int64(n)}) + "."
	}
	return ""
}
