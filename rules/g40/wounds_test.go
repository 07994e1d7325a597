package g40

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestKamikazeEdge: a die of 2 hits, a die of 3 misses (G40-KAM-HIT).
func TestKamikazeEdge(t *testing.T) {
	for die, want := range map[int]string{1: "sunk", 2: "sunk", 3: "untouched", 6: "untouched"} {
		c := pacific(t)
		c.Stand("kamikaze", `{"kamikaze":{"strikes":{"SZ 35":["US destroyer"]}}}`, dice([]int{die}))
		if got := last(t, c, &events.ResultAdjudicated{}).Figures[0].Text; got != want {
			t.Errorf("a die of %d: the destroyer is %s, want %s", die, got, want)
		}
		in := KamikazeInput{Player: "Japan", Tokens: 1, Timing: "start_of_conduct_combat",
			SeaZones: []KamikazeZone{{ID: "6", Symbol: true, Trigger: "amphibious_assault"}},
			Ships:    []Ship{{ID: "DD", Type: "destroyer", SeaZone: "6", Side: "allied"}},
			Strikes:  []Strike{{SeaZone: "6", Target: "DD", Roll: die}}}
		if out, f := Kamikaze(in); f.Refused() || out.Ships[0].Status != want {
			t.Errorf("a die of %d: %+v %v", die, out, f.Violations)
		}
	}
}

// hurt is the ROUND after the second of two American carriers in sea zone 35 took a hit, before an attack of ANZAC.
func hurt(t *testing.T, edition string) *rulestest.Harness {
	c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "two-oceans"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("facts",
		`{"facts":{"control":{"Philippines":"Japan"},"units":{"US":{"SZ 35":{"carrier":2,"destroyer":1}}}}}`)
	c.Stand("attack", `{"attack":{"attacker":"US","on":"Philippines","from":"SZ 35"}}`)
	c.Stand("kamikaze", `{"kamikaze":{"strikes":{"SZ 35":["carrier 2"]}}}`, dice([]int{2}))
	c.Stand("attack", `{"attack":{"attacker":"ANZAC","on":"Philippines","from":"SZ 35"}}`)
	return c
}

// TestSecondHitSinks: a carrier that a kamikaze damaged sinks at the next hit, also in a later TURN, and nobody needs
// say that it was damaged (G40-KAM-SUNK). Older editions know it only from the entry.
func TestSecondHitSinks(t *testing.T) {
	for edition, want := range map[string]string{"1": "[damaged damaged]", "3": "[damaged sunk]"} {
		c := hurt(t, edition)
		c.Stand("kamikaze", `{"kamikaze":{"strikes":{"SZ 35":["US carrier","US carrier 2"]}}}`,
			dice([]int{1}, []int{1}))
		var got []string
		for _, f := range last(t, c, &events.ResultAdjudicated{}).Figures {
			got = append(got, f.Text)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("edition %s: %v, want %s", edition, got, want)
		}
		if edition == "1" {
			continue
		}
		// the first, damaged now, is the only one left
		if got := c.Game().(game).damagedAt("US", "35 Sea Zone", carrier); fmt.Sprint(got) != "[1]" {
			t.Errorf("damaged are %v", got)
		}
	}
}

// TestWoundsFollow: a report does not make a damaged ship whole; the hit goes where it is said to lie, or sinks with
// its ship, and is repaired in its owner's Purchase & Repair (G40-KAM-SUNK, AMB-G40-6).
func TestWoundsFollow(t *testing.T) {
	c := hurt(t, "3")
	for body, want := range map[string]string{
		`{"facts":{"units":{"US":{"SZ 35":{},"SZ 26":{"carrier":2,"destroyer":1}}}}}`:         "[G40-KAM-SUNK]",
		`{"facts":{"units":{"US":{"SZ 35":{"carrier":2,"damaged carrier":0}}}}}`:              "[G40-KAM-SUNK]",
		`{"facts":{"units":{"US":{"SZ 35":{"carrier":1,"damaged carrier":2}}}}}`:              "[INPUT]",
		`{"facts":{"units":{"US":{"SZ 35":{"destroyer":1,"damaged destroyer":1}}}}}`:          "[AMB-G40-6]",
		`{"purchase":{"power":"US","cost":12,"units":{"damaged carrier":1}}}`:                 "[INPUT]",
		`{"facts":{"units":{"US":{"SZ 35":{"carrier":1},"SZ 26":{"damaged battleship":1}}}}}`: "[INPUT]",
	} {
		verb := map[byte]string{'f': "facts", 'p': "purchase"}[body[2]]
		if got := fmt.Sprint(slices.Compact(c.Clone(t, 1).Refused(verb, body))); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	known := func(c *rulestest.Harness) string {
		g := c.Game().(game)
		return fmt.Sprint(g.damagedAt("US", "35 Sea Zone", carrier), g.damagedAt("US", "26 Sea Zone", carrier))
	}
	kept, sunk := c.Clone(t, 1), c.Clone(t, 1)
	kept.Stand("facts", `{"facts":{"units":{"US":{"SZ 35":{"carrier":2}}}}}`) // a destroyer less
	if got := known(kept); got != "[2] []" {
		t.Error(got)
	}
	gone := `{"facts":{"units":{"US":{"SZ 35":{"carrier":1,"damaged carrier":0,"destroyer":1}}}}}`
	o, _ := sunk.Judge(rules.Command{ID: "gone", Verb: "facts", Body: []byte(gone)})
	want := "[damaged carriers of US that are not reported any more: 1; if one has not sunk, write damaged carrier: " +
		"1 where it is]"
	if got := fmt.Sprint(o.Warnings); got != want {
		t.Error(got)
	}
	sunk.Stand("facts", gone)
	if got := known(sunk); got != "[] []" {
		t.Error(got)
	}
	c.Stand("facts", `{"facts":{"units":{"US":{"SZ 35":{"carrier":1,"damaged carrier":0},
		"SZ 26":{"carrier":1,"damaged carriers":1}}}}}`)
	if got := known(c); got != "[] [1]" {
		t.Error(got)
	}
	whole := `{"facts":{"units":{"US":{"SZ 26":{"carrier":1,"damaged carrier":0}}}}}`
	c.Stand("turn", `{"turn":"Round 2"}`)
	if got := c.Refused("facts", whole); !slices.Equal(got, []string{"G40-KAM-SUNK"}) {
		t.Error(got)
	}
	c.Stand("phase", `{"phase":"purchase and repair","player":"US"}`)
	c.Stand("facts", whole)
	if got := known(c); got != "[] []" {
		t.Error(got)
	}
}

// TestNotAtWar: a ship of a power that Japan is not at war with is no target, and nobody calls it Japanese
// (G40-KAM-TARGET).
func TestNotAtWar(t *testing.T) {
	c := pacific(t)
	c.Stand("facts", `{"facts":{"at war":{"Japan":["US"]}}}`)
	body := `{"kamikaze":{"strikes":{"SZ 35":["ANZAC cruiser"]}}}`
	if got := c.Refused("kamikaze", body); !slices.Equal(got, []string{"G40-KAM-TARGET"}) {
		t.Error(got)
	}
	o, _ := c.Judge(rules.Command{ID: "peace", Verb: "kamikaze", Body: []byte(body)})
	want := "Japan is not at war with ANZAC: strikes are on its enemies' ships; report at war if that has changed"
	if len(o.Violations) != 1 || o.Violations[0].Message != want {
		t.Errorf("%+v", o.Violations)
	}
}

// TestStrikesWithoutVictims: a strike is warned of where the attack is on a sea zone in which Japan is reported to have
// nothing; not where nothing was reported, nor where its aircraft scrambled to (G40-KAM-WHEN).
func TestStrikesWithoutVictims(t *testing.T) {
	warned := "no unit of Japan is reported in 6 Sea Zone: strikes answer an attack on Japanese units, or an " +
		"amphibious assault; if one is there, report it first (G40-KAM-WHEN)"
	for facts, want := range map[string]bool{
		`{"facts":{"units":{"Japan":{"SZ 6":{},"Japan":{"fighter":1}}}}}`:               true,
		`{"facts":{"units":{"Japan":{"SZ 6":{"transport":1},"Japan":{"fighter":1}}}}}`:  false,
		`{"facts":{"units":{"Japan":{"SZ 19":{"submarine":1},"Japan":{"fighter":1}}}}}`: false,
	} {
		c := on(t, "5", facts)
		c.Stand("attack", `{"attack":{"attacker":"US","on":"SZ 6","units":{"cruiser":1}}}`)
		flown := c.Clone(t, 1)
		flown.Stand("scramble", `{"scramble":{"from":"Japan","to":"SZ 6","units":{"fighter":1}}}`)
		for _, c := range []*rulestest.Harness{c, flown} {
			body := `{"kamikaze":{"strikes":{"SZ 6":["cruiser"]}}}`
			strike := rules.Command{ID: "k", Verb: "kamikaze", Body: []byte(body)}
			o, _ := c.Judge(strike)
			if got := slices.Contains(o.Warnings, warned); got != (want && c != flown) || len(o.Violations) > 0 {
				t.Errorf("%s: %v %v", facts, o.Warnings, o.Violations)
			}
		}
	}
}

// TestCountlessShips: an event may claim any number of damaged ships; the state keeps no more than are there, nor a
// list beyond measure.
func TestCountlessShips(t *testing.T) {
	for _, c := range []struct{ damaged, ships, want int }{{3, 2, 2}, {-1, 2, 0}, {1, -1, 0},
		{1 << 30, 1 << 30, mostAircraft}} {
		if got := reported(nil, c.damaged, c.ships); len(got) != c.want {
			t.Errorf("%d of %d: %d numbers", c.damaged, c.ships, len(got))
		}
	}
}
