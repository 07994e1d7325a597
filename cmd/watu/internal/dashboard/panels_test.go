package dashboard

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/report"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/strategic"
)

func everyone(as string) access.ViewerFunc {
	return func(*http.Request, string) (timeline.Viewer, error) { return timeline.Viewer{As: as}, nil }
}

// seenAt draws the panels of a campaign at a moment, as somebody sees them.
func seenAt(t testing.TB, f *service.Service, c timeline.Campaign, as string,
	at uint64) (panels, timeline.Views, string) {
	t.Helper()
	viewer, err := f.Viewer(c.Name, as)
	if err != nil {
		t.Fatal(err)
	}
	m := timeline.Moment{Events: at}
	v, err := f.ViewsAt(t.Context(), c.ID, viewer, at)
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(f, everyone(as), readers.New(readers.Options{})).panels(t.Context(), c, m, v, story.English)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := sets()["campaign.html"].ExecuteTemplate(&b, "panels", p); err != nil {
		t.Fatal(err)
	}
	return p, v, b.String()
}

// viewers are all who may look at a campaign.
func viewers(c timeline.Campaign) []string {
	return append([]string{timeline.Public, timeline.Umpire}, c.Sides...)
}

// moments are some of a campaign's, its beginning and its head among them.
func moments(c timeline.Campaign) []uint64 {
	var list []uint64
	for at := uint64(1); at < c.Events; at += uint64(longrun.Of(122, 61)) {
		list = append(list, at)
	}
	return append(list, c.Events)
}

var (
	leads   = regexp.MustCompile(`href="([^"]+)"`)
	numeral = regexp.MustCompile(`^[+−-]?\d+(\.\d+)?$`)
)

// At every moment and for everyone, what a panel says is what the report says; every figure leads to an
// event that has happened; and a panel is there from the first event on, or never.
func TestPanelsSayWhatTheReportsSay(t *testing.T) {
	f, _ := playBundled(t)
	for _, k := range fixtures.Campaigns() {
		c, err := f.Campaign(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, as := range viewers(c) {
			for _, at := range moments(c) {
				where := fmt.Sprintf("%s, %s, after %d events", k.Name, as, at)
				p, v, page := seenAt(t, f, c, as, at)
				followed(t, f, where, page, c.Name, at)
				linked(t, where, &p)
				heldTo(t, where, &p, v)
				if (p.Pools != nil) != (c.System == "awaw") || (p.Income != nil) != (c.System == "aar" ||
					c.System == "g40") {
					t.Errorf("%s: pools %v, income %v", where, p.Pools != nil, p.Income != nil)
				}
			}
		}
	}
}

// followed checks where a panel's links lead: a figure to an event that has happened, an id to a rule that
// was applied by then.
func followed(t *testing.T, f *service.Service, where, page, campaign string, at uint64) {
	t.Helper()
	for _, m := range leads.FindAllStringSubmatch(page, -1) {
		if id, here := strings.CutPrefix(m[1], "#"); here { // a sum leads to its parts
			if strings.Count(page, `id="`+id+`"`) != 1 {
				t.Errorf("%s: a sum leads to #%s, which is there %d times", where, id,
					strings.Count(page, `id="`+id+`"`))
			}
			continue
		}
		if id, ok := strings.CutPrefix(m[1], "/campaigns/"+campaign+"/rules/"); ok {
			if _, err := f.RuleApplied(t.Context(), campaign, id, timeline.RulePage{At: at, Most: 1}); err != nil {
				t.Errorf("%s: %s: %v", where, m[1], err)
			}
			continue
		}
		tail, ok := strings.CutPrefix(m[1], "/campaigns/"+campaign+"/events")
		tail = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(tail, "?from="), "/"), "#opening-pools")
		if n, err := strconv.ParseUint(tail, 10, 64); !ok || err != nil || n >= at {
			t.Errorf("%s: a figure leads to %s", where, m[1])
		}
	}
}

// tables are all that stand in the panels.
func (p *panels) tables() (list []document.Table) {
	if w := p.Warfare; w != nil {
		for _, b := range w.Boxes {
			list = append(list, b.Readings)
		}
		for _, c := range w.Charts {
			list = append(list, c.Table)
		}
		list = append(append(append(list, w.Totals), w.Bases...), w.Beside...)
	}
	if i := p.Income; i != nil {
		for _, e := range i.Powers {
			list = append(list, e.Raids)
		}
		if i.Chart != nil {
			list = append(list, i.Chart.Table)
		}
		list = append(append(append(list, i.Totals), i.Others...), i.Damaged...)
	}
	if p.Dice.Sums != nil {
		list = append(list, p.Dice.Sums.Table)
	}
	return list
}

// linked checks that a number of a table leads to an event; a sum of nothing has none.
func linked(t *testing.T, where string, p *panels) {
	t.Helper()
	for _, x := range p.tables() {
		for _, row := range x.Rows {
			for _, c := range row {
				for _, span := range c {
					if span.To == (document.Link{}) && span.Text != "0" && numeral.MatchString(span.Text) {
						t.Errorf("%s: %s in %q leads nowhere", where, span.Text, x.Title)
					}
				}
			}
		}
	}
}

// column gives what stands in a column, by what stands in the first ones that name the row.
func in(t document.Table, name string, keys int) map[string]string {
	at := slices.IndexFunc(t.Columns, func(c document.Column) bool { return c.Name == name })
	out := map[string]string{}
	for _, row := range t.Rows {
		var key []string
		for _, c := range row[:keys] {
			key = append(key, c.String())
		}
		if at >= 0 && at < len(row) {
			out[strings.Join(key, "|")] = row[at].String()
		}
	}
	return out
}

// heldTo checks pools, totals and hands against the reports.
func heldTo(t *testing.T, where string, p *panels, v timeline.Views) {
	t.Helper()
	if v.Pools != nil && p.Pools != nil {
		for i, d := range v.Pools.Pools {
			heldToPool(t, where, &p.Pools.Decks[i], &d)
		}
	}
	if v.Strategic != nil {
		first, second := in(p.Warfare.Totals, "First", 4), in(p.Warfare.Totals, "Second", 4)
		won := in(p.Warfare.Totals, "Successes", 1)
		for _, x := range v.Strategic.Totals {
			key := strings.Join([]string{x.Box, x.Attacker, x.Reading, x.Side}, "|")
			if strategic.IsBase(x.Procedure) {
				if won[x.Box] != fmt.Sprint(x.Successes) {
					t.Errorf("%s: %s: %s successes of %d", where, x.Box, won[x.Box], x.Successes)
				}
			} else if first[key] != fmt.Sprint(x.First) || second[key] != fmt.Sprint(x.Second) {
				t.Errorf("%s: %s: %s/%s, and it is %d/%d", where, key, first[key], second[key], x.First, x.Second)
			}
		}
	}
	if v.Income != nil {
		net, hand := in(p.Income.Totals, "Net", 1), map[string]string{}
		for _, x := range p.Income.Others {
			if x.Title == "Treasuries" {
				hand = in(x, "In hand", 1)
			}
		}
		for _, x := range v.Income.Totals {
			if net[x.Power] != fmt.Sprint(x.Net) {
				t.Errorf("%s: %s: net %s of %d", where, x.Power, net[x.Power], x.Net)
			}
		}
		for _, x := range v.Income.Treasuries {
			if hand[x.Power] != fmt.Sprint(x.InHand) {
				t.Errorf("%s: %s has %s of %d", where, x.Power, hand[x.Power], x.InHand)
			}
		}
	}
}

func heldToPool(t *testing.T, where string, d *deck, p *pools.Pool) {
	t.Helper()
	if d.Size.Text != fmt.Sprint(p.Size) || int64(len(d.Unknown)) != p.Unknown || len(d.Hand) != len(p.Hand.Cards) ||
		len(d.Secret) != len(p.Secret) {
		t.Errorf("%s: %s: %s cards, %d unknown, %d in hand", where, p.Side, d.Size.Text, len(d.Unknown), len(d.Hand))
	}
	for i, c := range p.Hand.Cards {
		g := d.Hand[i]
		if (g.Kind == "unknown") != (c.Card == "") || c.Card != "" && g.Kind != strings.ToLower(c.Card) ||
			g.Lost != (c.State == "negated") || g.Played != (c.State == "played") {
			t.Errorf("%s: %s: card %d is drawn %+v, and it is %+v", where, p.Side, i, g, c)
		}
	}
}

// What the public sees of a card is what the log discloses; its side and the umpire see the card.
func TestNoHiddenCardInThePoolsOfThePublic(t *testing.T) {
	f, _ := playBundled(t)
	c, err := f.Campaign("atlantic-and-pacific")
	if err != nil {
		t.Fatal(err)
	}
	hidden, known := 0, 0
	for at := uint64(1); at <= c.Events; at += 13 {
		public, seen, _ := seenAt(t, f, c, timeline.Public, at)
		umpire, _, _ := seenAt(t, f, c, timeline.Umpire, at)
		side, _, _ := seenAt(t, f, c, "Britain", at)
		for i, d := range public.Pools.Decks {
			for j, g := range d.Hand {
				labels := seen.Pools.Pools[i].Hand.Cards[j].State != "hidden"
				if (g.Kind != "unknown") != labels {
					t.Errorf("after %d events the public sees %s's card %d: %+v", at, d.Side, j, g)
				}
				if umpire.Pools.Decks[i].Hand[j].Kind == "unknown" ||
					(d.Side == "Britain" && side.Pools.Decks[i].Hand[j].Kind == "unknown") {
					t.Errorf("after %d events card %d of %s is hidden from whoever holds it", at, j, d.Side)
				}
				if d.Side != "Britain" && side.Pools.Decks[i].Hand[j] != g {
					t.Errorf("after %d events Britain sees %s's card %d", at, d.Side, j)
				}
				if labels {
					known++
				} else {
					hidden++
				}
			}
		}
	}
	if hidden < 100 || known < 20 {
		t.Errorf("%d cards hidden, %d known: the campaign shows nothing", hidden, known)
	}
}

// The dice are those that an after-action report counts.
func TestDiceAreThoseOfTheReport(t *testing.T) {
	f, c := playBundled(t)
	for _, k := range fixtures.Campaigns() {
		var r report.Report
		if err := c.Query(t.Context(), &r, url.Values{}, "campaigns", k.Name, "report"); err != nil {
			t.Fatal(err)
		}
		labels, err := f.Campaign(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		at, err := f.DiceAt(t.Context(), k.Name, labels.Events, mostLines)
		if err != nil || at.Left != r.Luck.Left || len(at.Dice) != len(r.Luck.Dice) {
			t.Fatalf("%s: %v: %d kinds and %d left out, the report has %d and %d", k.Name, err, len(at.Dice), at.Left,
				len(r.Luck.Dice), r.Luck.Left)
		}
		for _, x := range at.Dice {
			if !slices.ContainsFunc(r.Luck.Dice, func(d report.Dice) bool {
				d.Faces, d.First = x.Faces, x.First
				return reflect.DeepEqual(d, x)
			}) {
				t.Errorf("%s: %+v is not in the report: %+v", k.Name, x, r.Luck.Dice)
			}
			all, sum := int64(0), int64(0)
			for i, n := range x.Faces {
				all, sum = all+n, sum+n*int64(i)
			}
			if all != x.Dice || sum != x.Sum {
				t.Errorf("%s: the faces of %+v do not add up", k.Name, x)
			}
		}
	}
}

// A page of turns says what it leaves out.
func TestEarlierTurnsAreALinkAway(t *testing.T) {
	f := figures{links: links{name: "c"}, turns: make([]events.Turn, lately), before: 3}
	note := f.earlier()
	if !strings.Contains(note.String(), "3 turns before") || !slices.ContainsFunc(note, func(s document.Span) bool {
		return f.path(s.To) == "/campaigns/c/events?from=0"
	}) {
		t.Errorf("%+v", note)
	}
}
