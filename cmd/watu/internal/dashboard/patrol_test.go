package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// After Turn 7 Fife is off the map, and two successes have cost Japan an ASP, a step of the SWM and two cards.
func TestPatrolsOfEmpireOfTheSun(t *testing.T) {
	c := campaignOfName(t, "pacific-patrol-1942")
	s, _, page := seaAt(t, c, timeline.Public, 96)
	p := s.Patrol
	var threw []string
	for _, b := range p.Threw {
		threw = append(threw, fmt.Sprintf("%s, %s: %s, %s %s", b.Name, b.Hex, b.Threw.By+" is "+b.Threw.IsText(),
			b.Threw.Result(), b.Threw.Spent))
	}
	is(t, strings.Join(threw, "\n"), "Fife, : −4 is −2, success lowers the SWM\n"+
		"Lockwood, 4024: −3 is −1, success costs an ASP")
	if len(p.Bases) != 1 || p.Bases[0].Name != "Lockwood" || len(p.Past) != 3 {
		t.Errorf("on the map %+v, before %+v", p.Bases, p.Past)
	}
	var cut, cost []int
	for i, x := range p.Cards.Cards {
		if x.Lost {
			cut = append(cut, i)
		}
	}
	for i, x := range p.ASPs.Ships {
		if x.Lost {
			cost = append(cost, i)
		}
	}
	if p.Cards.Draw != 5 || len(p.Cards.Cards) != 7 || !slices.Equal(cut, []int{5, 6}) ||
		p.Cards.Boats != 2 {
		t.Errorf("cards: %+v", p.Cards)
	}
	if p.ASPs.Left != 4 || !slices.Equal(cost, []int{4, 5}) {
		t.Errorf("ASPs: %+v", p.ASPs)
	}
	var cells []string
	for _, x := range p.SWM.Cells {
		if x.On {
			x.Text = "[" + x.Text + "]"
		}
		cells = append(cells, x.Text)
	}
	is(t, strings.Join(cells, " "), "+2 +1 0 −1 [−2] −3 −4 −5")
	for _, want := range []string{`href="/campaigns/pacific-patrol-1942/events/85"`, "2813", "Lockwood, hex 4024",
		`aria-label="threw 2"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// At every moment the bases stand where the view has them, in the drawing, and each throw leads to its event.
func TestBasesStandInTheirHexes(t *testing.T) {
	c := campaignOfName(t, "pacific-patrol-1942")
	for at := uint64(1); at <= c.Events; at++ {
		s, v, page := seaAt(t, c, timeline.Public, at)
		if s == nil {
			if len(v.Strategic.Postings) > 0 {
				t.Errorf("#%d: nothing is drawn", at)
			}
			continue
		}
		on := 0
		for _, b := range v.Strategic.Bases {
			if b.Hex != "" {
				on++
			}
		}
		if len(s.Patrol.Bases) != on {
			t.Errorf("#%d: %d bases drawn of %d", at, len(s.Patrol.Bases), on)
		}
		for _, b := range s.Patrol.Bases {
			if b.X < 16 || b.X > s.Patrol.Width-16 || b.Y < 14 || b.Y > s.Patrol.Height-14 {
				t.Errorf("#%d: %s stands at %d, %d of %d, %d", at, b.Name, b.X, b.Y, s.Patrol.Width, s.Patrol.Height)
			}
		}
		for _, b := range s.Patrol.Threw {
			if b.Threw == nil && b.Away {
				continue
			}
			if !strings.Contains(page, `href="`+b.Threw.Why+`"`) {
				t.Errorf("#%d: the throw of %s leads nowhere", at, b.Name)
			}
		}
	}
}
