package dashboard

import (
	"context"
	"fmt"

	"github.com/watu-ledger/watu/cmd/watu/internal/course"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/projections/document"
)

// dicePanel is the dice against what fair dice give.
type dicePanel struct {
	links
	Sums     *chartDrawn // by side and kind
	Faces    []faces
	Left     int // dice that do not stand
	Unlikely []unlikely
}

// faces is how often each face of a kind of die fell, all sides together.
type faces struct {
	links
	course.Faces
}

// unlikely is a throw far from expectation.
type unlikely struct {
	Turn, Text string
	Event      document.Span
	Chance     string
}

func (d *Dashboard) dicePanel(ctx context.Context, c timeline.Campaign, m timeline.Moment,
	f figures) (p dicePanel, err error) {
	at, err := d.service.DiceAt(ctx, c.ID, m.Events, mostLines)
	if err != nil {
		return p, err
	}
	p.links, p.Left = f.links, at.Left
	for _, u := range at.Unlikely {
		p.Unlikely = append(p.Unlikely, unlikely{
			u.Turn, u.Text, figure(u.Index, fmt.Sprintf("#%d", u.Index)), timeline.Percent(u.Unlikely.Chance),
		})
	}
	if len(at.Dice) > 0 {
		p.Sums = &chartDrawn{f.links, "luck", f.drawn(f.chart().Luck(at.Luck)), at.Luck.Table()}
		for _, x := range course.FacesOf(at.Dice, f.path) {
			p.Faces = append(p.Faces, faces{f.links, x})
		}
	}
	return p, nil
}
