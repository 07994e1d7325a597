package service

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
)

// way goes through a campaign from one end to the other.
func way(t *testing.T, c *Service, campaign, as, by string, back bool) []timeline.Moment {
	t.Helper()
	var all []timeline.Moment
	g := timeline.MomentQuery{By: by, Back: back}
	for {
		m := goes(t, c, campaign, as, g)
		all = append(all, m)
		if back && m.First || !back && m.Last {
			return all
		}
		g.From = &m.Events
	}
}

// goes goes to a stop.
func goes(t *testing.T, c *Service, campaign, as string, g timeline.MomentQuery) (m timeline.Moment) {
	t.Helper()
	viewer, err := c.Viewer(campaign, as)
	if err == nil {
		m, err = c.Moment(t.Context(), campaign, viewer, g)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// state is what a stop shows but for the way to it.
func state(t *testing.T, m timeline.Moment) string {
	t.Helper()
	m.Since = timeline.Interval{}
	return asJSON(t, m)
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Backwards and then forwards is the way forwards, and each stop is the same whichever way it was
// reached; what changed on the way back is what changed on the way there, exchanged. A short run goes event by event
// through one campaign alone.
func TestBackwardsThenForwards(t *testing.T) {
	t.Parallel()
	c := played(t)
	for _, k := range fixtures.Campaigns() {
		for _, look := range []struct{ as, by string }{{"public", "event"}, {"umpire", "phase"}, {"public", "turn"}} {
			t.Run(k.Name+"/"+look.as+"/"+look.by, func(t *testing.T) {
				if look.by == "event" && k.System != "aar" && !longrun.On() {
					t.Skip("NOT TESTED: event by event takes long. WATU_LONG=1 runs it")
				}
				there := way(t, c, k.Name, look.as, look.by, false)
				back := way(t, c, k.Name, look.as, look.by, true)
				slices.Reverse(back)
				if look.by != "event" && asJSON(t, there) != asJSON(t, way(t, c, k.Name, look.as, look.by, false)) {
					t.Error("the way forwards is another after the way back")
				}
				if len(there) != len(back) || len(there) < 4 {
					t.Fatalf("%d stops forwards, %d back", len(there), len(back))
				}
				for i := range there {
					if state(t, there[i]) != state(t, back[i]) {
						t.Errorf("the stop after #%d is another on the way back", there[i].Event)
					}
					if i > 0 {
						exchanged(t, there[i].Since, back[i-1].Since)
					}
				}
			})
		}
	}
}

// exchanged wants the same passage, the other way round.
func exchanged(t *testing.T, there, back timeline.Interval) {
	t.Helper()
	if !back.Back || there.Back || len(there.Happened) != len(back.Happened) {
		t.Errorf("%d events on the way from #%d, %d on the way back", len(there.Happened), there.Events,
			len(back.Happened))
	}
	for i := range back.Changes {
		for k := range back.Changes[i].Changes {
			x := &back.Changes[i].Changes[k]
			x.Was, x.Now = x.Now, x.Was
		}
	}
	if asJSON(t, there.Changes) != asJSON(t, back.Changes) {
		t.Errorf("from #%d on\n%s\nand back\n%s", there.Events, asJSON(t, there.Changes), asJSON(t, back.Changes))
	}
}

// A stop shows each view as `watu show` does at that event, and the digest of the public.
func TestStopsAreTheViews(t *testing.T) {
	t.Parallel()
	c := played(t)
	for _, k := range fixtures.Campaigns() {
		for _, as := range []string{"public", "umpire"} {
			for _, m := range way(t, c, k.Name, as, "phase", false) {
				if len(m.Views) == 0 {
					t.Fatalf("%s shows nothing", k.Name)
				}
				for _, seen := range m.Views {
					v, err := viewAs(t, c, k.Name, as, seen.Projection, m.Event)
					if err != nil {
						t.Fatal(err)
					}
					if string(v.Report) != string(seen.Report) || v.Digest != seen.Digest || v.Turn != m.Turn ||
						v.Events != m.Events {
						t.Errorf("%s after #%d as %s: %s is another than show has it", k.Name, m.Event, as,
							seen.Projection)
					}
				}
			}
		}
	}
}

// What a viewer is shown of a past moment is what he was shown when it was the present: nothing that
// was opened since, and everything that he held then.
func TestShowsWhatWasKnownThen(t *testing.T) {
	t.Parallel()
	c := began(t)
	for _, k := range fixtures.Campaigns() {
		live := map[string]timeline.Moment{}
		viewers := []string{"public", "umpire"}
		opened(t, c, k)
		var listed timeline.Campaign
		if err := into(&listed)(c.Campaign(k.Name)); err != nil {
			t.Fatal(err)
		}
		viewers = append(viewers, listed.Sides...)
		for _, file := range k.Files {
			submitted(t, c, k, file)
			for _, as := range viewers {
				m := goes(t, c, k.Name, as, timeline.MomentQuery{By: "event", Back: true})
				live[fmt.Sprint(as, " ", m.Events)] = m
			}
		}
		for place, then := range live {
			now := at(t, c, k.Name, then.As, then.Event)
			if asJSON(t, then.Views) != asJSON(t, now.Views) || asJSON(t, then.Disputes) != asJSON(t, now.Disputes) {
				t.Errorf("%s, %s: what was shown then is not what is shown of then", k.Name, place)
			}
			for i := range now.Since.Happened {
				if now.Since.Happened[i].Text != then.Since.Happened[i].Text {
					t.Errorf("%s, %s: #%d is told otherwise", k.Name, place, now.Since.Happened[i].Index)
				}
			}
		}
	}
}

func at(t *testing.T, c *Service, campaign, as string, event uint64) timeline.Moment {
	t.Helper()
	return goes(t, c, campaign, as, timeline.MomentQuery{By: "event", At: fmt.Sprint(event)})
}

// pool is as much of a pool's report as tells what a viewer knows.
type pool struct {
	Side, Deck string
	Additions  []struct {
		Event uint64
		Card  string
	}
	Hand struct {
		Event uint64
		Cards []struct{ Slot, Card string }
	}
}

// At no stop does a card lie open, to the public or to the other side, before the event that opened
// it; to its side it does from its own event on. A short run stops at each phase.
func TestNoCardBeforeItsOpening(t *testing.T) {
	t.Parallel()
	c := played(t)
	const name = "atlantic-and-pacific"
	disclosed := map[events.Ref]uint64{}
	for _, l := range logOf(t, c, name) {
		for _, o := range l.Openings {
			disclosed[events.Ref{Index: o.Index, Slot: o.Slot}] = l.Index
		}
	}
	by, open, closed := "phase", 0, 0
	if longrun.On() {
		by = "event"
	}
	for _, as := range []string{"public", "Britain"} {
		for _, m := range way(t, c, name, as, by, false) {
			var r struct{ Pools []pool }
			if err := json.Unmarshal(m.Views[slices.IndexFunc(m.Views, func(s timeline.MomentView) bool {
				return s.Projection == "pools"
			})].Report, &r); err != nil {
				t.Fatal(err)
			}
			look := func(p pool, event uint64, slot, card string) {
				by, ever := disclosed[events.Ref{Index: event, Slot: slot}]
				known := ever && by <= m.Event || p.Side == as
				if (card != "") != known {
					t.Fatalf("as %s after #%d: %s of #%d is %q", as, m.Event, slot, event, card)
				}
				if known {
					open++
				} else {
					closed++
				}
			}
			for _, p := range r.Pools {
				for _, a := range p.Additions {
					look(p, a.Event, "card", a.Card)
				}
				for _, h := range p.Hand.Cards {
					look(p, p.Hand.Event, h.Slot, h.Card)
				}
			}
		}
	}
	if least := longrun.Of(300, 1000); open < least || closed < least {
		t.Errorf("%d cards open, %d closed: the campaign tests little", open, closed)
	}
}

// TestJumps goes to places by what people call them.
func TestJumps(t *testing.T) {
	t.Parallel()
	c := played(t)
	ask := func(query string) (timeline.Moment, error) {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		g := timeline.MomentQuery{
			At: q.Get("at"), By: q.Get("by"), Back: q.Get("back") != "", Unlikely: q.Get("unlikely"),
		}
		if n, err := strconv.ParseUint(q.Get("from"), 10, 64); err == nil {
			g.From = &n
		}
		viewer, err := c.Viewer("two-oceans-1941", q.Get("as"))
		if err != nil {
			return timeline.Moment{}, err
		}
		return c.Moment(t.Context(), "two-oceans-1941", viewer, g)
	}
	for query, want := range map[string]uint64{
		"at=57": 57, "at=%2357": 57, "at=round2": 77, "at=turn:Round+2": 77, "by=turn": 2, "by=turn&back=1": 198,
		"by=event&back=1&from=5": 3,
		"by=phase&from=10":       11, "by=unlikely&unlikely=1": 17, "by=unlikely&unlikely=1&from=18": 18,
	} {
		if m, err := ask(query); err != nil || m.Event != want {
			t.Errorf("%s leads to #%d (%v), want #%d", query, m.Event, err, want)
		}
	}
	for query, want := range map[string]string{
		"at=199": "its last is #198", "at=Round+9": "its turns are Round 1", "at=turn:9": "its turns are",
		"by=dispute":   "no dispute",
		"at=dispute:3": "has had no dispute", "by=week": "there are event", "by=turn&from=199": "ends here",
		"by=turn&from=1&back=1": "begins here",
		"by=unlikely&from=199":  "5 %", "unlikely=0": "above 0", "unlikely=2": "above 0", "unlikely=x": "above 0",
		"as=Sweden": "no side",
	} {
		if _, err := ask(query); err == nil || !strings.Contains(err.Error(), want) ||
			problem.Of(err).Kind != problem.Input {
			t.Errorf("%s: %v, want %q", query, err, want)
		}
	}
}

// TestDifference holds the causes of every figure that changed against a fold event by event.
func TestDifference(t *testing.T) {
	t.Parallel()
	c := played(t)
	d, err := c.Difference(t.Context(), "straits-1942", public, "Round 1", "Round 2")
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string][]uint64{}
	for i := d.From.Event + 1; i <= d.To.Event; i++ {
		for _, v := range at(t, c, "straits-1942", "public", i).Since.Changes {
			for _, x := range v.Changes {
				changed[v.Projection+" "+x.Path] = append(changed[v.Projection+" "+x.Path], i)
			}
		}
	}
	figures := 0
	for _, v := range d.Views {
		for _, x := range v.Changes {
			if len(x.Events) == 0 {
				t.Errorf("nothing changed %s", x.Path)
			}
			if causes := changed[v.Projection+" "+x.Path]; x.Was != "" && x.Now != "" &&
				!slices.Equal(causes, x.Events) {
				t.Errorf("%s: changed by %v, it says %v", x.Path, causes, x.Events)
			} else if x.Was != "" {
				figures++
			}
		}
	}
	if figures < 5 {
		t.Errorf("%d figures changed: the turn tests little", figures)
	}
	if _, err := c.Difference(t.Context(), "straits-1942", public, "Round 1", ""); err == nil ||
		!strings.Contains(err.Error(), "to is missing") {
		t.Error(err)
	}
}

// What is undone stands at the stops before, as it did then, and is marked there.
func TestUndoneLater(t *testing.T) {
	t.Parallel()
	c := played(t)
	undone := 0
	for _, k := range fixtures.Campaigns() {
		listed, err := c.Find(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		slips, err := c.Umpire().Undoables(listed.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(slips) == 0 {
			continue
		}
		before := way(t, c, k.Name, "public", "phase", false)
		first := slips[len(slips)-1].First
		if _, err := c.Umpire().Undo(listed.ID, first, "the wrong turn file"); err != nil {
			t.Fatal(err)
		}
		undone++
		marks := at(t, c, k.Name, "public", first).Since.Happened[0].Marks
		if len(marks) != 1 || marks[0].Kind != timeline.MarkVoided || marks[0].By < listed.Events || !marks[0].Later {
			t.Errorf("%s: #%d is not marked: %+v", k.Name, first, marks)
		}
		after, back := way(t, c, k.Name, "public", "phase", false), way(t, c, k.Name, "public", "phase", true)
		slices.Reverse(back)
		for i := range before {
			if i < len(before)-1 && asJSON(t, before[i].Views) != asJSON(t, after[i].Views) {
				t.Errorf("%s: the stop after #%d is another since", k.Name, before[i].Event)
			}
		}
		for i := range after {
			if state(t, after[i]) != state(t, back[i]) {
				t.Errorf("%s: the stop after #%d is another on the way back", k.Name, after[i].Event)
			}
		}
	}
	if undone == 0 {
		t.Error("nothing could be undone: the campaigns test nothing")
	}
}
