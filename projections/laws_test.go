package projections_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/situation"
	"github.com/watu-ledger/watu/projections/strategic"
)

func all() []projections.Projection {
	return []projections.Projection{pools.Projection(), strategic.Projection(), income.Projection(),
		situation.Projection()}
}

// A play writes a campaign of so many turns; the number distinguishes campaigns.
type play func(number, turns int) *recordtest.Campaign

// plays are campaigns like those of each system, by what they are about.
func plays() []struct {
	name string
	play
} {
	return []struct {
		name string
		play
	}{{"war", recordtest.War}, {"convoys", recordtest.Convoys}, {"patrols", recordtest.Patrols},
		{"facilities", recordtest.Facilities}}
}

// shownBy reports whether the projection shows anything of such campaigns.
func shownBy(projection, name string) bool {
	switch projection {
	case "pools":
		return name == "war"
	case "strategic":
		return name != "convoys"
	case "situation":
		return true // the game turn at least
	}
	return name == "convoys" || name == "facilities"
}

// each tests every projection on every kind of campaign, also those that it shows nothing of.
func each(t *testing.T, test func(*testing.T, projections.Projection, play)) {
	for _, p := range all() {
		for _, c := range plays() {
			t.Run(p.Name+" of "+c.name, func(t *testing.T) { test(t, p, c.play) })
		}
	}
}

func fold(t testing.TB, p projections.Projection, records iter.Seq2[events.Record, error],
	openings []events.Opening) projections.View {
	t.Helper()
	v, err := projections.Fold(p, records, openings)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// At every index, the view saved and loaded and folded on is the view folded at once; and what
// it saves is the same bytes.
func TestSnapshotAndTailIsFullFold(t *testing.T) {
	each(t, func(t *testing.T, p projections.Projection, play play) {
		rows := recordtest.Rows(play(1, 6).Events)
		full := p.New()
		for _, e := range rows {
			full.Apply(e, nil)
		}
		want, saved := projections.Digest(full), full.Save()
		v := p.New()
		for i, e := range rows {
			v.Apply(e, nil)
			again := p.New()
			if err := again.Load(v.Save()); err != nil {
				t.Fatalf("after event %d: %v", i, err)
			}
			if projections.Digest(again) != projections.Digest(v) {
				t.Fatalf("after event %d the loaded view reports otherwise", i)
			}
			for _, e := range rows[i+1:] {
				again.Apply(e, nil)
			}
			if projections.Digest(again) != want || !bytes.Equal(again.Save(), saved) {
				t.Fatalf("snapshot after event %d and the tail differ from the full fold", i)
			}
		}
	})
}

// The events that a projection names are all that change its view: without the selection the
// fold gives the same.
func TestSelectionOfTypesLosesNothing(t *testing.T) {
	each(t, func(t *testing.T, p projections.Projection, play play) {
		war := play(2, 9)
		every := p
		every.Types = nil
		a, b := fold(t, p, war.Records(), war.Known("umpire")), fold(t, every, war.Records(), war.Known("umpire"))
		if !bytes.Equal(a.Save(), b.Save()) {
			t.Error("an event of another type changes the view")
		}
	})
}

// Nothing that only an opening tells is in the public view. The facts are replaced by words
// that occur nowhere else, in a war without disclosures.
func TestPublicViewKnowsNoOpening(t *testing.T) {
	for _, p := range all() {
		war := recordtest.Begin(1)
		war.Add("",
			&events.CampaignOpened{Pools: []events.Pool{{Side: "Britain", Deck: "Ultra",
				Cards: []events.Count{{Card: "ASW", Count: 1}}}}})
		war.Add("Britain", &events.CardAdded{Deck: "Ultra"}, "card", "canary-added")
		war.Add("Britain", &events.CardsDrawn{Deck: "Ultra", Count: 2}, "Britain 1", "canary-hand", "Britain 2",
			"canary-hand")
		war.Add("Britain", &events.PlayCommitted{Deck: "Ultra"}, "american cards", `["canary-play"]`)
		public, umpire := fold(t, p, war.Records(), nil), fold(t, p, war.Records(), war.Known("umpire"))
		if text := shown(public); strings.Contains(text, "canary") {
			t.Errorf("the public view tells a secret:\n%s", text)
		}
		if p.Name == "pools" {
			for _, want := range []string{"canary-added", "canary-hand", "canary-play"} {
				if !strings.Contains(shown(umpire), want) {
					t.Errorf("the umpire's view does not show %s:\n%s", want, shown(umpire))
				}
			}
			if text := shown(fold(t, p, war.Records(), war.Known("Japan"))); strings.Contains(text, "canary") {
				t.Errorf("another side's view tells a secret:\n%s", text)
			}
		}
	}
}

// What is public to begin with, everyone sees alike.
func TestPublicMattersLookTheSame(t *testing.T) {
	for _, p := range []projections.Projection{strategic.Projection(), income.Projection(), situation.Projection()} {
		for _, x := range plays() {
			c := x.play(5, 4)
			public, umpire := fold(t, p, c.Records(), nil), fold(t, p, c.Records(), c.Known("umpire"))
			if shown(public) != shown(umpire) {
				t.Errorf("%s: the umpire sees another view than the public", p.Name)
			}
		}
	}
}

// shown is everything that a view gives away.
func shown(v projections.View) string {
	report, err := json.Marshal(v.Report())
	if err != nil {
		panic(err)
	}
	text := fmt.Sprintf("%s\n%s\n", report, v.Save())
	for _, table := range v.Tables() {
		text += table.String()
	}
	return text
}

// Digests cover meaning: another campaign, other times, salts and commitments, the same play.
func TestDigestCoversMeaning(t *testing.T) {
	for _, p := range all() {
		for _, c := range plays() {
			t.Run(p.Name+" of "+c.name, func(t *testing.T) {
				want := projections.Digest(fold(t, p, c.play(4, 5).Records(), nil))
				if projections.Digest(elsewhere(p, c.play(4, 5))) != want {
					t.Error("the digest covers more than meaning")
				}
				longer := projections.Digest(fold(t, p, c.play(4, 6).Records(), nil))
				if (longer != want) != shownBy(p.Name, c.name) {
					t.Error("the digest tells two campaigns apart of which nothing is shown, or does not where " +
						"something is")
				}
			})
		}
	}
}

// elsewhere folds the campaign as another ledger would have recorded it.
func elsewhere(p projections.Projection, other *recordtest.Campaign) projections.View {
	v := p.New()
	for i := range other.Events {
		e := &other.Events[i]
		e.Campaign[3], e.ID[4], e.Edition, e.Previous = 9, 9, events.Hash{9}, events.Hash{9}
		e.Recorded = e.Recorded.AddDate(1, 0, 0)
		for j := range e.Commitments {
			e.Commitments[j].Hash[0]++
		}
		for j := range e.Openings {
			e.Openings[j].Salt[0]++
		}
	}
	for _, e := range recordtest.Rows(other.Events) {
		v.Apply(e, nil)
	}
	return v
}

// The digests of some campaigns, as every machine must find them: 32 or 64 bits, one core or many.
func TestDigestIsTheSameEverywhere(t *testing.T) {
	for _, p := range all() {
		for _, c := range plays() {
			name := p.Name + " of " + c.name
			if !shownBy(p.Name, c.name) {
				continue
			}
			if got := projections.Digest(fold(t, p, c.play(7, 12).Records(), nil)).
				String(); got != goldenDigests[name] {
				t.Errorf("%q: %q, want %s", name, got, goldenDigests[name])
			}
		}
	}
}

var goldenDigests = map[string]string{
	"pools of war":            "e426b0f2801f1b362fa6573d2add84cb6fcf5a210f645648e6449f6e267cfed0",
	"strategic of war":        "99aca147a5be8748310c967d4bd5d48d4dfb3893cc0d09e3c7d125a0eb9df309",
	"strategic of patrols":    "2c99111177bbc04e1635c8e8380a2a3657c6e1b7e2c9300dc106e1fde08acced",
	"strategic of facilities": "79b914db6b7d24da2f978c63a120414288fa90688c6fbdbb79b8900e2f6a423b",
	"income of convoys":       "36e74528a1e2a058fd3898a38a4b8777e8f0426067148c548e8d905a0d284458",
	"income of facilities":    "0f19e425200520cdc86c5ffd8c83a32528f998ba42d06a12e93bb0a49bbd257c",
	"situation of war":        "8b28bfcfd99571eb86fcf316dd85bb088b58b75b9863fe8376065a03df9ca192",
	"situation of convoys":    "8a49eb8bffcbbfc10f6df15cd145f5d752bf759ce198cb061b7464e54f377185",
	"situation of patrols":    "46bb3689a5356ce97c6e4257f3a85b791256b7b4d913184009818935e4af03fe",
	"situation of facilities": "5aba8d08128991e294a79f39613a9479492a36784ece9316aafabe26b7f6546e",
}

// Load refuses what Save has not written, and never panics.
func TestLoadRefusesDamage(t *testing.T) {
	each(t, func(t *testing.T, p projections.Projection, play play) {
		saved := fold(t, p, play(3, 3).Records(), nil).Save()
		for i := 0; i < len(saved); i += 1 + i/100 {
			if p.New().Load(saved[:i]) == nil && i > 0 {
				t.Fatalf("loads when cut to %d of %d bytes", i, len(saved))
			}
			spoilt := bytes.Clone(saved)
			spoilt[i] ^= 0xff
			v := p.New()
			if v.Load(spoilt) == nil {
				_ = shown(v)
			}
		}
	})
}

// Tables keep to 80 columns and to what a terminal prints, whatever the names are.
func TestTablesKeepToThePage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.SliceOfN(rapid.String(), 1, 9).Draw(t, "columns")
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.String(), 0, len(columns)), 0, 5).Draw(t, "rows")
		table := document.Plain{Title: rapid.String().Draw(t, "title"), Columns: columns, Rows: rows,
			Note: rapid.String().Draw(t, "note")}
		for line := range strings.SplitSeq(table.String(), "\n") {
			if n := len([]rune(line)); n > 80 {
				t.Fatalf("%d columns: %q", n, line)
			}
			if strings.ContainsAny(line, "\x1b\x07\x00") {
				t.Fatalf("a control character: %q", line)
			}
		}
	})
}

// Apply is total: whatever events come, in whatever order, nothing panics, and the laws hold.
func FuzzApply(f *testing.F) {
	war := recordtest.War(1, 4)
	sources := [][]events.Event{war.Events, recordtest.Convoys(1, 3).Events, recordtest.Patrols(1, 4).Events,
		recordtest.Facilities(1, 3).Events}
	f.Add([]byte{0, 1, 2, 3}, uint64(0), "Britain", "")
	f.Add([]byte{0, 12, 15, 14, 19, 20, 21, 22, 24, 25, 36, 37, 40}, uint64(20), "UK", "")
	f.Add([]byte{3, 4, 5, 3, 10, 12, 15, 16, 13, 11, 25, 26, 18, 17, 35, 30}, uint64(3), "UK Europe", "")
	f.Add([]byte{9, 9, 40, 12, 60, 7}, uint64(3), "Japan", "\xff\x01")
	f.Fuzz(func(t *testing.T, order []byte, corrects uint64, side, payload string) {
		for _, p := range all() {
			v, public := p.New(), p.New()
			for i, b := range order {
				source := sources[i%len(sources)]
				e := source[int(b)%len(source)]
				row := history.Alone(&e)
				switch b % 5 {
				case 0:
					e.Corrects, e.Side = corrects%64, side
					row.Original, row.By, row.Void = corrects%64, corrects%7, corrects%3 == 0
				case 1:
					e.Payload += payload
				case 2:
					e.Payload = payload
				case 3:
					e.Index = corrects ^ uint64(i)
				}
				v.Apply(row, war.Known("umpire"))
				public.Apply(row, nil)
			}
			again := p.New()
			if err := again.Load(v.Save()); err != nil {
				t.Fatalf("%s does not load what it saved: %v", p.Name, err)
			}
			if projections.Digest(again) != projections.Digest(v) || shown(again) != shown(v) {
				t.Fatalf("%s is another view after saving", p.Name)
			}
			checkSums(t, v)
			checkSums(t, public)
		}
	})
}

// checkSums holds the cards known and not known against the size of each pool, and what went
// into each treasury and out of it against what is in hand.
func checkSums(t *testing.T, v projections.View) {
	switch r := v.Report().(type) {
	case pools.Report:
		checkPools(t, r)
	case income.Report:
		for _, x := range r.Treasuries {
			if x.Opening+x.Income+x.Loot-x.Purchases-x.Repairs-x.Built-x.Research-x.Paid+x.Adjusted != x.InHand {
				t.Fatalf("the sums of %s's treasury are off: %+v", x.Power, x)
			}
		}
		for _, x := range r.Totals {
			if x.Base+x.Bonus-x.LostToRaids != x.Net {
				t.Fatalf("the totals of %s are off: %+v", x.Power, x)
			}
		}
	}
}

func checkPools(t *testing.T, r pools.Report) {
	for _, p := range r.Pools {
		var known int64
		for _, c := range p.Contents {
			known += c.Count
		}
		if known != p.Known || p.Known+p.Unknown != p.Size || p.Hand.Hidden < 0 || p.Unknown < 0 {
			t.Fatalf("the sums of %s's pool are off: %+v", p.Side, p)
		}
	}
}
