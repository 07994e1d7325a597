package service

import (
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/bundle"
)

// without takes openings out of a file that are not disclosed in it too, and has it state that it lacks them.
func without(t *testing.T, f *bundle.File, drop func(events.Opening) bool) *bundle.File {
	t.Helper()
	out := *f
	out.Openings = slices.DeleteFunc(slices.Clone(f.Openings), drop)
	out.Lacks = out.Missing()
	return &out
}

// umpiresFiles are the files of the campaigns with cards.
func umpiresFiles(t *testing.T, c *Service) map[string]*bundle.File {
	t.Helper()
	files := map[string]*bundle.File{}
	for _, k := range fixtures.Campaigns() {
		if f := fileOf(t, c, k.Name, "umpire"); len(f.Openings) > 0 {
			files[k.Name] = f
		}
	}
	if len(files) == 0 {
		t.Fatal("no campaign has secrets")
	}
	return files
}

// TestLackAccusesNobody takes each opening by itself, and all of each kind, out of files that say so: no event is
// accused, and of every event that is not checked the number is named.
func TestLackAccusesNobody(t *testing.T) {
	t.Parallel()
	unsure := 0
	for name, whole := range umpiresFiles(t, played(t)) {
		dropped := map[string]func(events.Opening) bool{}
		for _, o := range whole.Openings {
			dropped[o.Slot] = func(x events.Opening) bool { return x.Slot == o.Slot }
			dropped["one "+o.Slot] = func(x events.Opening) bool { return x.Index == o.Index && x.Slot == o.Slot }
		}
		for what, drop := range dropped {
			f := without(t, whole, drop)
			v := verified(t, f)
			if !v.Verified || len(v.Missing) != len(f.Lacks) {
				t.Errorf("%s without %s: %+v", name, what, v.Findings)
			}
			for _, u := range v.Unchecked {
				if u.Lack && (len(u.Events) == 0 || len(u.Events) != u.Count) {
					t.Errorf("%s without %s: %s (%d) names %v", name, what, u.What, u.Count, u.Events)
				}
				if u.Lack && strings.Contains(u.Why, "turns on a secret") {
					unsure++
				}
			}
		}
	}
	if unsure == 0 {
		t.Error("nothing turned on what was taken out")
	}
}

// TestLackExcusesNoFigure changes figures behind an opening that a file says it lacks: each is found, also in the
// events that turn on that opening. At night it changes two events of each type.
func TestLackExcusesNoFigure(t *testing.T) {
	longrun.Only(t)
	always := []events.Type{
		"result_adjudicated", "contest_settled", "cards_returned", "turn_advanced", "war_declared", "result_produced",
		"card_added", "draw_declared", "cards_drawn",
	}
	found := map[events.Type]int{}
	for name, whole := range umpiresFiles(t, played(t)) {
		for _, slot := range []string{"points", "card"} {
			at := slices.IndexFunc(whole.Openings, func(o events.Opening) bool { return o.Slot == slot })
			if at < 0 {
				continue
			}
			o := whole.Openings[at]
			f := without(t, whole, func(x events.Opening) bool { return x.Index == o.Index && x.Slot == o.Slot })
			seen := map[events.Type]int{}
			for i := int(o.Index); i < len(f.Events); i++ {
				e, err := events.Decode(f.Events[i])
				if err != nil {
					t.Fatal(err)
				}
				if seen[e.Type]++; seen[e.Type] > longrun.Of(1, 1, 2) {
					continue
				}
				for field, forged := range forgeries(t, f, i) {
					if !strings.HasPrefix(field, "payload") {
						continue
					}
					v, err := Verify(forged, "", nil)
					if err != nil {
						t.Fatal(err)
					}
					if !v.Verified {
						found[e.Type]++
						continue
					}
					stated := slices.ContainsFunc(bundle.Stated, func(s bundle.Statement) bool {
						return covers(s, e.Type, field)
					})
					if !stated {
						t.Errorf("%s lacks %s of #%d: %s of #%d (%s) may be forged", name, slot, o.Index, field, i,
							e.Type)
					}
				}
			}
		}
	}
	for _, typ := range always {
		if found[typ] == 0 {
			t.Errorf("no forged %s was found", typ)
		}
	}
	t.Logf("found: %v", found)
}
