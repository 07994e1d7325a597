package course

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/pools"
)

// decks are how each pool was made up, turn by turn, as the viewer knows its cards now.
func (r Record) decks() (list []Panel) {
	if r.Pools == nil {
		return nil
	}
	for i := range r.Pools.Pools {
		p := &r.Pools.Pools[i]
		title := r.Lang.Text(story.Sentence{Key: "course-deck", With: story.Parts{"side": story.Name(p.Side),
			"deck": story.Name(p.Deck)}})
		list = append(list, r.stack(fmt.Sprintf("deck-%d", i), title, r.layers(p))...)
	}
	return list
}

// unknown is the kind of a card that the viewer does not know.
const unknown = "unknown"

// layers are the cards of a pool by kind.
func (r Record) layers(p *pools.Pool) (list []picture.Layer) {
	for _, c := range p.Contents {
		list = append(list, r.layer(p, c.Card, headed(c.Card), strings.ToLower(c.Card), c.Count))
	}
	if p.Unknown > 0 {
		list = append(list, r.layer(p, "", r.text("course-sealed"), unknown, p.Unknown))
	}
	return list
}

// headed is the name of a kind of card as it stands alone: "Tactical", "ASW".
func headed(card string) string {
	n := 1
	if len(card) <= len("asw") {
		n = len(card)
	}
	return strings.ToUpper(card[:n]) + card[n:]
}

// layer is how many cards of a kind there were at the end of each turn: as many as now, less those added since.
func (r Record) layer(p *pools.Pool, card, called, kind string, now int64) picture.Layer {
	l := picture.Layer{Kind: kind, Called: called, N: map[uint64]int64{}}
	for _, t := range r.until() {
		l.N[t.Ordinal] = now
		for _, a := range p.Additions {
			at := a.Event
			if a.Corrects != 0 { // it stands where the first stood
				at = a.Corrects
			}
			if a.Card == card && at > t.End {
				l.N[t.Ordinal]--
			}
		}
	}
	return l
}

// draws are the strategy cards that a side drew, and those that submarines and bombers cut.
func (r Record) draws() (list []Panel) {
	if r.Strategic == nil {
		return nil
	}
	var sides []string
	drawn := map[string][3]map[uint64]int64{}
	var cut sums
	for _, x := range r.Strategic.CardsDrawn {
		if !x.Counts() {
			continue
		}
		if !slices.Contains(sides, x.Side) {
			sides = append(sides, x.Side)
			drawn[x.Side] = [3]map[uint64]int64{{}, {}, {}}
		}
		for i, n := range []int{x.Draw, x.Submarines, x.Bombers} {
			drawn[x.Side][i][x.Ordinal] = int64(max(n, 0))
		}
		cut.add(x.Side, x.Ordinal, x.Event, int64(x.Base-x.Draw))
	}
	for _, side := range sides {
		title := r.Lang.Text(story.Sentence{Key: "course-draws", With: story.Parts{"side": story.Name(side)}})
		list = append(list, r.stack("draws-"+strings.ToLower(side), title, []picture.Layer{
			{Kind: "drawn", Called: r.text("course-drawn"), N: drawn[side][0]},
			{Kind: "submarine", Called: r.text("course-cut"), N: drawn[side][1]},
			{Kind: "bomber", Called: r.text("course-bombed"), N: drawn[side][2]},
		})...)
	}
	return append(list, r.panel("cut", "course-cards", cut)...)
}

// stack draws layers, with the table of them.
func (r Record) stack(id, title string, layers []picture.Layer) []Panel {
	p := Panel{ID: id, Title: title, Stack: picture.StackOf(r.Turns, r.On, layers)}
	if p.Stack == nil {
		return nil
	}
	heads := []string{"Turn"}
	for _, l := range layers {
		heads = append(heads, "#"+l.Called)
	}
	p.Table = document.Table{Columns: document.Columns(heads...)}
	for _, t := range r.until() {
		row := []any{r.Lang.Name(t.Label)}
		for _, l := range layers {
			cell := ""
			if n, ok := l.N[t.Ordinal]; ok {
				cell = fmt.Sprint(n)
			}
			row = append(row, cell)
		}
		p.Table.Add(row...)
	}
	p.Table.Last(mostRows)
	return []Panel{p}
}
