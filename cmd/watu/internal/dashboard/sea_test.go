package dashboard

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/sea"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/projections/strategic"
)

// seaAt draws the schematic of a campaign at a moment, as somebody sees it.
func seaAt(t *testing.T, c timeline.Campaign, as string, at uint64) (*sea.Picture, timeline.Views, string) {
	t.Helper()
	th, err := played()
	if err != nil {
		t.Fatal(err)
	}
	viewer, err := th.service.Viewer(c.Name, as)
	if err != nil {
		t.Fatal(err)
	}
	m, err := th.service.Moment(t.Context(), c.ID, viewer, timeline.MomentQuery{At: fmt.Sprint(at - 1), Brief: true})
	if err != nil {
		t.Fatal(err)
	}
	v, err := th.service.ViewsAt(t.Context(), c.ID, viewer, at)
	if err != nil {
		t.Fatal(err)
	}
	b := board{Campaign: c, Moment: m}
	s := b.sea(as, v)
	var out bytes.Buffer
	for _, part := range []string{"sea", "sea-cards"} {
		if err := sets()["campaign.html"].ExecuteTemplate(&out, part, s); err != nil {
			t.Fatal(err)
		}
	}
	return s, v, out.String()
}

func campaignOfName(t *testing.T, name string) timeline.Campaign {
	t.Helper()
	th, err := played()
	if err != nil {
		t.Fatal(err)
	}
	c, err := th.service.Campaign(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// At the end of the bundled war each box has its lane, and the heaviest is the largest.
func TestLanesOfAWorldAtWar(t *testing.T) {
	c := campaignOfName(t, "atlantic-and-pacific")
	s, _, page := seaAt(t, c, timeline.Public, c.Events)
	var lines []string
	for _, l := range s.Lanes {
		for _, f := range l.Fights {
			lines = append(lines, fmt.Sprintf("%s %v %v %v %s: %s %s (%s) against %s %s (%s)", l.Box, l.Now, l.Grand,
				f.Beside, f.Turn, f.Boats.Holds(), f.Boats.Result, f.Boats.Threw, f.Escorts.Holds(), f.Escorts.Result,
				f.Escorts.Threw))
		}
	}
	is(t, strings.Join(lines, "\n"), strings.Join([]string{
		`Atlantic true true false Summer 1942: 18 German submarine factors 3/8 (2 + 1, −1: 2) against ` +
			`44 British escort factors 13/22 (6 + 6, +1: 13)`,
		`Pacific true false true Summer 1942: 6 American submarine factors 1/3 (4 + 3, −1: 6) against ` +
			`3 Japanese escort factors 1/2 (5 + 5, +1: 11)`,
		`Pacific true false true Summer 1942: 4 Japanese submarine factors 1/2 (5 + 3, +2: 10) ` +
			`against 5 American escort factors 1/2 (5 + 5, −2: 8)`,
		`Indian Ocean false false false Spring 1942: 2 Japanese submarine factors 0/1 (4 + 3, +1: 8) against ` +
			`3 British escort factors 0/2 (3 + 4, −1: 6)`,
	}, "\n"))
	var steps []string
	for _, x := range s.Research.Steps {
		steps = append(steps, fmt.Sprintf("%s for %s %s in %d", x.Name, x.For, x.Value, len(x.Marks)))
	}
	is(t, strings.Join(steps, ", "),
		"Air range for Britain −1 in 1, Torpedo for Germany +1 in 1, ASW for Britain −2 in 2")
	for _, want := range []string{`<use href="#sea-boat"`, `<use href="#sea-escort"`, `>13<small> and </small>22</a>`,
		`aria-label="threw 6 &#43; 6, &#43;1: 13"`, `class="lane past"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func is(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

// At every moment the lanes show what the view says: the last result of each box that counts, and as many
// silhouettes as factors; what the two numbers do to a fleet is not said.
func TestLanesAreThoseOfTheMoment(t *testing.T) {
	c := campaignOfName(t, "atlantic-and-pacific")
	sunk := regexp.MustCompile(`(?i)\bsunk|\bsank|\bsink|\blost\b`)
	for at := uint64(1); at <= c.Events; at += 7 {
		s, v, page := seaAt(t, c, timeline.Public, at)
		last := map[string]*strategic.Result{}
		for i := range v.Strategic.Warfare {
			if x := &v.Strategic.Warfare[i]; x.Counts() && strings.HasSuffix(x.Procedure, ".sw.submarine") {
				last[x.Subject] = x
			}
		}
		if len(s.Lanes) != len(last) {
			t.Errorf("#%d: %d lanes of %d boxes", at, len(s.Lanes), len(last))
		}
		for _, l := range s.Lanes {
			x := last[l.Box]
			why := pathTo("campaigns", c.Name, "events", x.Event)
			for _, f := range l.Fights {
				if f.Turn != x.Turn || len(f.Boats.Marks) != f.Boats.Factors ||
					len(f.Escorts.Marks) != f.Escorts.Factors {
					t.Errorf("#%d, %s: %+v", at, l.Box, f)
				}
			}
			if f := l.Fights[0]; f.Why != why || f.Boats.Result != x.Readings[0].Result ||
				f.Escorts.Factors != x.Readings[1].Factors || !strings.Contains(page, `<a href="`+why+`"`) {
				t.Errorf("#%d, %s: %+v for %+v", at, l.Box, f, x)
			}
		}
		if word := sunk.FindString(page); word != "" {
			t.Errorf("#%d: the page says %q", at, word)
		}
	}
}

// A pool lies open as far as the viewer knows it: the fronts and the hatched cards make up its size, and what is
// dashed the public sees hatched.
func TestPoolsLieAsTheViewerKnowsThem(t *testing.T) {
	c := campaignOfName(t, "atlantic-and-pacific")
	for at := uint64(1); at <= c.Events; at += 50 {
		public, _, page := seaAt(t, c, timeline.Public, at)
		for _, as := range viewers(c) {
			s, v, _ := seaAt(t, c, as, at)
			for i, p := range v.Pools.Pools {
				n, hatched, own, hidden := 0, 0, 0, 0
				for _, h := range s.Pools[i].Heaps {
					n += len(h.Cards)
					if h.Kind == "unknown" {
						hatched += len(h.Cards)
					} else if h.Own {
						own += len(h.Cards)
					}
					if h.Why == "" {
						t.Errorf("%s, #%d: %s leads nowhere", as, at, h.Card)
					}
				}
				for _, h := range public.Pools[i].Heaps {
					if h.Own {
						t.Errorf("#%d: the public sees %s of %s", at, h.Card, p.Side)
					}
					if h.Kind == "unknown" {
						hidden += len(h.Cards)
					}
				}
				if int64(n) != p.Size || int64(hatched) != p.Unknown || own+hatched != hidden {
					t.Errorf("%s, #%d, %s: %d cards of %d, %d hatched, %d dashed, %d hidden", as, at, p.Side, n, p.Size,
						hatched, own, hidden)
				}
			}
		}
		won, counted := 0, 0
		for _, o := range public.Codes {
			for _, side := range append(o.Sides, o.Drawn) {
				won += side.N
			}
		}
		_, v, _ := seaAt(t, c, timeline.Public, at)
		for _, x := range v.Strategic.Contests {
			if x.Counts() {
				counted++
			}
		}
		if won != counted || strings.Contains(page, "dashed") {
			t.Errorf("#%d: %d contests of %d", at, won, counted)
		}
	}
}
