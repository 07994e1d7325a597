package replay_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/store"
	"github.com/watu-ledger/watu/projections/strategic"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

var everyView = []projections.Projection{pools.Projection(), strategic.Projection(), income.Projection()}

// reading lets a runner read a ledger.
type reading struct{ *ledger.Ledger }

func (s reading) Each(f func(campaign ulid.ULID, events uint64)) {
	for _, c := range s.Campaigns() {
		f(c.ID, c.Events)
	}
}

// runner keeps the views of a host.
func (d *host) runner() *projections.Runner {
	d.t.Helper()
	views, err := store.Open(filepath.Join(d.dir, "views"), store.Options{})
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { views.Close() })
	r, err := projections.Open(reading{d.ledger}, views, nil, everyView...)
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// TestLawsOfFixtures holds the laws to every campaign that comes with watu.
func TestLawsOfFixtures(t *testing.T) {
	t.Parallel()
	for _, f := range fixtures.Campaigns() {
		d := newHost(t)
		r := d.runner()
		c := d.recited(f.Name, "laws", "laws", false)
		p := newPlayer(c, 1)
		p.throws, p.legal = true, true
		p.turns(p.length(), func() {})
		d.laws(c, r)
	}
}

var (
	lawsMany  = flag.Int("laws.campaigns", longrun.Of(20, 80), "random campaigns that the laws are held to")
	lawsFirst = flag.Int("laws.first", 0, "the number of the first of them, which is its seed")
)

// TestLawsOfRandomCampaigns holds them to short campaigns, as many as -laws.campaigns says. A thousand together go
// through everything that is wanted.
func TestLawsOfRandomCampaigns(t *testing.T) {
	many := *lawsMany
	if underRace {
		many = min(many, 60)
	}
	const together = 20 // on a ledger
	var seen tally
	var mu sync.Mutex
	// A test keeps what its parallel parts hold until the last of them has ended: 200 campaigns go at a time.
	const group = 10 * together
	end := *lawsFirst + many
	for from := *lawsFirst; from < end; from += group {
		t.Run("from", func(t *testing.T) {
			for first := from; first < min(from+group, end); first += together {
				t.Run(fmt.Sprint(first), func(t *testing.T) {
					t.Parallel()
					own := lawsFrom(t, first, min(together, end-first))
					mu.Lock()
					defer mu.Unlock()
					seen.add(own)
				})
			}
		})
	}
	seen.check(t, many >= 1000)
}

// lawsFrom plays some campaigns on one ledger, by turns, and holds the laws to each.
func lawsFrom(t *testing.T, first, many int) (seen tally) {
	d := newHost(t)
	r := d.runner()
	n := first
	defer func() {
		if t.Failed() { // one campaign alone is played as it is among others
			t.Logf("go test ./replay -run TestLawsOfRandomCampaigns -laws.campaigns 1 -laws.first %d", n)
		}
	}()
	var players []*player
	for ; n < first+many; n++ {
		p := newPlayer(d.lawful(n), uint64(n))
		p.legal = true
		players = append(players, p)
	}
	for turn := range 2 {
		for i, p := range players {
			if n = first + i; n%3 == 0 {
				p.some(turn)
			} else {
				p.eventful(turn, &seen)
			}
			if t.Failed() {
				return seen
			}
		}
		if err := r.CatchUp(t.Context(), nil); err != nil { // the views are saved in the middle
			t.Fatal(err)
		}
	}
	for i, p := range players {
		n = first + i
		p.c.undoLaw(&seen)
		p.c.correctionLaw(p, &seen)
		p.c.consequencesLaw(p, &seen)
		p.c.filesLaw(&seen)
		p.c.listedLaw()
		d.laws(p.c, r)
		if t.Failed() {
			return seen
		}
		seen.follow(p.c.all())
	}
	return seen
}

// short opens the n-th campaign, of any system.
func (d *host) short(n int) *harness {
	name := fmt.Sprintf("law-%d", n)
	switch names := []string{"pacific-patrol-1942", "second-front-1944", "two-oceans-1941"}; n % 5 {
	case 0:
		return d.open(name, "laws", asked)
	case 1:
		return d.onBoard("straits")(name, "laws", nil)
	default:
		return d.recited(names[n%5-2], name, "laws", n%2 == 1)
	}
}

// some plays a few commands of a game turn.
func (p *player) some(turn int) {
	p.turn = p.label(turn)
	if _, err := p.say("turn", entry{"turn": p.turn}); err != nil {
		p.c.t.Fatal(err)
	}
	for range 4 {
		p.act()
		p.settle(func() {})
	}
	p.throw()
	p.settle(func() {})
	p.thinkBetter()
	p.settle(func() {}) // what was taken back may have been an answer, or what closed a question
}

// laws of any campaign at any time.
func (d *host) laws(c *harness, r *projections.Runner) {
	d.t.Helper()
	if err := c.umpire.SameAsFolded(c.id.ID); err != nil {
		d.t.Errorf("%s: replay is not live: %v", c.id.Name, err)
	}
	var moments []uint64
	n := c.now().Next
	for at := uint64(1); at <= n; at += 1 + n/20 {
		moments = append(moments, at)
	}
	if err := c.umpire.MomentsAsFolded(c.id.ID, moments...); err != nil {
		d.t.Errorf("%s: a moment is another than folded: %v", c.id.Name, err)
	}
	findings, _ := c.tried()
	for _, f := range findings {
		d.t.Errorf("%s: by its own edition: %v", c.id.Name, f)
	}
	if err := r.CatchUp(d.t.Context(), nil); err != nil {
		d.t.Fatal(err)
	}
	for _, p := range everyView {
		v, n, err := r.Latest(p.Name, c.id.ID)
		if err != nil || n != c.now().Next {
			d.t.Fatalf("%s: %s after %d events, %v", c.id.Name, p.Name, n, err)
		}
		if full := c.fold(p, n); projections.Digest(v) != projections.Digest(full) {
			d.t.Errorf("%s: %s saved on the way is not that folded in one", c.id.Name, p.Name)
		}
	}
	voidOfVoid(d.t, c.id.Name, c.all())
	d.momentLaw(c, r)
	from := n / 2
	if slices.ContainsFunc(c.all(), func(e events.Event) bool { return e.Type == "corrected" }) {
		from = 0 // what drew cards before that is not heard again
	}
	c.unchanged(from) // a what-if without a change is the record
}

// momentLaw: a moment is the same whichever way it is come to.
func (d *host) momentLaw(c *harness, r *projections.Runner) {
	d.t.Helper()
	n := c.now().Next
	moments := []uint64{n / 4, n / 2, n - 1, n}
	for _, p := range everyView {
		var forwards []events.Hash
		for _, at := range moments {
			forwards = append(forwards, projections.Digest(c.fold(p, at)))
		}
		for i := len(moments) - 1; i >= 0; i-- {
			v, err := r.At(d.t.Context(), p.Name, c.id.ID, moments[i])
			if err != nil {
				d.t.Fatal(err)
			}
			if projections.Digest(v) != forwards[i] {
				d.t.Errorf("%s: %s at %d is another on the way back", c.id.Name, p.Name, moments[i])
			}
		}
	}
}

// fold gives the public view after so many events.
func (c *harness) fold(p projections.Projection, upTo uint64) projections.View {
	c.t.Helper()
	v, err := projections.Fold(p, c.ledger.Read(c.id.ID, 0, upTo), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	return v
}

// correctionLaw: a correction and its inverse leave every figure as it was, and both are there to be
// seen.
func (c *harness) correctionLaw(p *player, seen *tally) {
	c.t.Helper()
	for _, e := range c.all() {
		if history.Alters(&e) {
			return // a figure is derived by what is known now, which may be more than when it was recorded
		}
	}
	for try := range 6 {
		event := 3 + uint64(p.lot.IntN(max(1, int(c.now().Next)-3)))
		var path []string
		var was float64
		length := c.now().Next
		set := func(to float64) error {
			k := review.Correction{Event: event, Code: "mistyped", Reason: "a law", ID: fmt.Sprintf("law/%d/%d/%v",
				event, try, to)}
			k.Replace = func(body json.RawMessage) (json.RawMessage, []events.Change, error) {
				var v any
				if err := json.Unmarshal(body, &v); err != nil {
					return nil, nil, err
				}
				if path == nil {
					if path, was = someFigure(v, p); path == nil {
						return nil, nil, review.ErrNotCorrectable
					}
				}
				setAt(v, path, to)
				out, err := json.Marshal(v)
				return out, changesOf(body, out), err
			}
			a, err := c.umpire.Correct(c.id.ID, k)
			if err == nil && a.Verdict == rules.Refused {
				return review.ErrNotCorrectable
			}
			return err
		}
		if set(float64(p.lot.IntN(9))) != nil {
			continue
		}
		if err := set(was); err != nil {
			c.t.Logf("%s: #%d corrected, and not back: %v", c.id.Name, event, err)
			continue
		}
		seen.count("corrected and back")
		for _, p := range everyView {
			for _, x := range figuresApart(c.fold(p, length), c.fold(p, c.now().Next)) {
				c.t.Errorf("%s: #%d corrected and back: %s: %v", c.id.Name, event, p.Name, x)
			}
		}
		heads := 0
		for _, e := range c.events(length, campaign.Everything) {
			var p events.Corrected
			if e.Read(&p) && p.Cause == 0 {
				heads++
			}
		}
		if heads != 2 {
			c.t.Errorf("%s: %d corrections are seen", c.id.Name, heads)
		}
		return
	}
}

// someFigure finds a figure of an entry.
func someFigure(v any, p *player) (path []string, was float64) {
	m, ok := v.(map[string]any)
	for ok {
		var names []string
		for name := range m {
			names = append(names, name)
		}
		if len(names) == 0 {
			return nil, 0
		}
		slices.Sort(names)
		name := pick(p.lot, names...)
		path = append(path, name)
		if n, figure := m[name].(float64); figure {
			return path, n
		}
		m, ok = m[name].(map[string]any)
	}
	return nil, 0
}

// setAt sets what a path leads to.
func setAt(v any, path []string, to float64) {
	m, _ := v.(map[string]any)
	for ; len(path) > 1; path = path[1:] {
		m, _ = m[path[0]].(map[string]any)
	}
	m[path[0]] = to
}

// figuresApart gives the figures in which two views differ: by what counts, without the rows of what is void and the
// marks that corrections leave.
func figuresApart(was, is projections.View) []projections.Change {
	return projections.Changes(unmarked(was.Report()), unmarked(is.Report()))
}

// marks are fields that say when and by which event a figure came to be.
var marks = []string{"event", "corrects", "corrected_by", "corrected", "reported", "settled", "turn", "turn_ordinal",
	"phase"}

// unmarked gives a report with what was corrected last in the place of what it corrects.
func unmarked(report any) any {
	text, err := json.Marshal(report)
	if err != nil {
		return nil
	}
	var v any
	if json.Unmarshal(text, &v) != nil {
		return nil
	}
	return unmark(v)
}

func unmark(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range marks {
			delete(v, name)
		}
		for name := range v {
			v[name] = unmark(v[name])
		}
	case []any:
		at := map[any]int{}
		var list []any
		for _, e := range v {
			entry, _ := e.(map[string]any)
			if gone(entry) {
				continue
			}
			corrected, first := entry["corrects"]
			if i, ok := at[corrected]; first && ok {
				list[i] = e
				continue
			}
			for _, own := range []string{"event", "settled"} { // a contest's row has another event for a name
				if event, ok := entry[own]; ok {
					at[event] = len(list)
				}
			}
			list = append(list, e)
		}
		for i := range list {
			list[i] = unmark(list[i])
		}
		return list
	}
	return v
}

// gone reports whether an entry of a report is void, or has nothing but such entries.
func gone(entry map[string]any) bool {
	if entry["voided_by"] != nil {
		return true
	}
	if entry["income"] != nil {
		return false
	}
	rows := 0
	for _, name := range []string{"corrected", "raids", "disruptions", "attacks"} {
		list, _ := entry[name].([]any)
		for _, e := range list {
			if row, _ := e.(map[string]any); row["voided_by"] == nil {
				return false
			}
			rows++
		}
	}
	return rows > 0
}

// voidOfVoid: what was voided stands again when the void is voided.
func voidOfVoid(t testing.TB, name string, all []events.Event) {
	t.Helper()
	stood := effective(all)
	at := len(stood) - 1
	for at > 0 && (history.Alters(&stood[at]) || stood[at].Replaces != 0) { // what takes a place gives another back
		at--
	}
	last := stood[at]
	n := uint64(len(all))
	void := func(index uint64, what ...uint64) events.Event {
		return events.Event{Campaign: last.Campaign, Index: index, Type: "voided",
			Payload: events.EncodePayload(&events.Voided{Events: what})}
	}
	once := effective(append(all[:n:n], void(n, last.Index)))
	if len(once) != len(stood) || once[len(once)-1].Index != n {
		t.Errorf("%s: of %d events %d stand when one is voided", name, len(stood), len(once)-1)
	}
	twice := effective(append(all[:n:n], void(n, last.Index), void(n+1, n)))
	if !reflect.DeepEqual(twice[:len(twice)-1], stood) {
		t.Errorf("%s: a void that is voided leaves something", name)
	}
}

// TestLawsOfSeeds holds the laws to campaigns by which defects were found, as far as the walk still leads there: a
// correction that came back beside others than those it was made on; an entry whose phase was voided, and whose dice
// were thrown again when another phase had begun.
func TestLawsOfSeeds(t *testing.T) {
	for _, seed := range []int{212419, 261541} {
		lawsFrom(t, seed, 1)
	}
}
