package projections_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/watu-ledger/watu/projections"
)

func TestChanges(t *testing.T) {
	for _, c := range []struct{ name, was, now, want string }{
		{
			"a figure in a list of powers, one of which moved up",
			`{"treasuries": [{"power": "UK", "in_hand": 12}, {"power": "US", "in_hand": 40}]}`,
			`{"treasuries": [{"power": "US", "in_hand": 40}, {"power": "UK", "in_hand": 9}]}`,
			"treasuries / UK / in hand: 12 -> 9\n",
		},
		{
			"what comes is one change",
			`{"purchases": [{"event": 3, "power": "UK", "cost": 7}]}`,
			`{"purchases": [{"event": 3, "power": "UK", "cost": 7},
				{"event": 9, "power": "UK", "typed": true, "more": false, "cost": 8, "units": [{"name": "tank",
				"count": 2}], "dice": [1, 6]}]}`,
			"purchases / #9:  -> UK, cost 8, dice (1, 6), typed, units: (tank, count 2)\n",
		},
		{
			"what carries the same event is the same",
			`{"results": [{"event": 3, "net": 1}, {"event": 5, "net": 1}]}`,
			`{"results": [{"event": 5, "net": 1, "corrected_by": 8}, {"event": 8, "corrects": 5, "net": 2}]}`,
			"results / #3: net 1 -> \nresults / #5 / corrected by:  -> #8\nresults / #8:  -> corrects #5, net 2\n",
		},
		{
			"what is told again by another event is called the same",
			`{"figures": [{"event": 3, "name": "ASPs", "value": 4}],
				"bases": [{"event": 1, "base": "Fife", "turn": "1", "hex": "2813"}]}`,
			`{"figures": [{"event": 7, "name": "ASPs", "value": 3}],
				"bases": [{"event": 5, "base": "Fife", "turn": "2", "hex": "2220"}]}`,
			"bases / Fife / event: #1 -> #5\nbases / Fife / hex: 2813 -> 2220\nbases / Fife / turn: 1 -> 2\n" +
				"figures / ASPs / event: #3 -> #7\nfigures / ASPs / value: 4 -> 3\n",
		},
		{
			"a contest is named by its opening",
			`{"contests": [{"contest": 3, "turn": "1", "modifier": 0}]}`,
			`{"contests": [{"contest": 3, "turn": "1", "modifier": 1}, {"contest": 9, "turn": "1", "modifier": -1}]}`,
			"contests / #3 / modifier: 0 -> 1\ncontests / #9:  -> modifier -1, turn 1\n",
		},
		{
			"a card of a hand keeps its slot",
			`{"hand": {"cards": [{"slot": "Britain 1", "state": "hidden"}]}}`,
			`{"hand": {"cards": [{"slot": "Britain 1", "state": "played", "card": "asw", "play": 12}]}}`,
			"hand / cards / Britain 1 / card:  -> asw\nhand / cards / Britain 1 / play:  -> #12\nhand / cards / " +
				"Britain 1 / state: hidden -> played\n",
		},
		{
			"names that are there twice are counted through, and what has none has a place",
			`{"units": [{"name": "sub", "zone": "8"}, {"name": "sub", "zone": "9"}], "rows": [[1, 2], [3]]}`,
			`{"units": [{"name": "sub", "zone": "8"}, {"name": "sub", "zone": "7"}], "rows": [[1, 2], [4]]}`,
			"rows / (2): 3 -> 4\nunits / sub (2) / zone: 9 -> 7\n",
		},
		{
			"what reads the same is no change",
			`{"a": false, "b": "", "c": [], "d": null, "e": {}, "f": 1}`, `{"f": 1}`, "",
		},
		{"an object in the place of nothing", `{"income": null}`, `{"income": {"base": 10, "event": 4}}`,
			"income:  -> #4, base 10\n"},
		{"a list of entries in the place of a word", `{"x": "none"}`, `{"x": [{"name": "A"}]}`, "x: none -> (A)\n"},
		{"lists of plain values", `{"dice": [1, 2]}`, `{"dice": [2]}`, "dice: 1, 2 -> 2\n"},
		{"no report at all", `null`, `{"cards": [{"slot": "1"}]}`, "cards / 1:  -> yes\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := changes(projections.Changes(json.RawMessage(c.was), json.RawMessage(c.now))); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func changes(list []projections.Change) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%s: %s -> %s\n", c.Path, c.Was, c.Now)
	}
	return b.String()
}

// aReport draws values as reports have them: few names, so that much is called the same.
func aReport() *rapid.Generator[any] {
	plain := rapid.OneOf(
		rapid.Map(rapid.IntRange(0, 3), func(n int) any { return n }),
		rapid.Map(rapid.SampledFrom([]string{"", "a", "b"}), func(s string) any { return s }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Just[any](nil),
	)
	fields := rapid.SampledFrom([]string{"event", "name", "slot", "side", "power", "net", "list", "play"})
	deeper := plain
	for range 4 {
		inner := deeper
		deeper = rapid.OneOf(plain,
			rapid.Map(rapid.SliceOfN(inner, 0, 4), func(list []any) any { return list }),
			rapid.Map(rapid.MapOfN(fields, inner, 0, 4), func(o map[string]any) any { return o }))
	}
	return deeper
}

func TestChangesLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := aReport().Draw(t, "a"), aReport().Draw(t, "b")
		if list := projections.Changes(a, a); len(list) != 0 {
			t.Fatalf("nothing changed, and it says %v", list)
		}
		there, back := projections.Changes(a, b), projections.Changes(b, a)
		for i := range back {
			back[i].Was, back[i].Now = back[i].Now, back[i].Was
		}
		if !slices.Equal(there, back) {
			t.Fatalf("one way\n%sthe other way\n%s", changes(there), changes(back))
		}
		for _, c := range there {
			if c.Was == c.Now {
				t.Fatalf("%q is no change of %s", c.Was, c.Path)
			}
		}
	})
}

// TestChangesFindsEveryFigure sets one number of a report, however deep, and wants one change.
func TestChangesFindsEveryFigure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		report := map[string]any{"powers": []any{}}
		n := rapid.IntRange(1, 5).Draw(t, "powers")
		for i := range n {
			turns := []any{}
			for k := range rapid.IntRange(1, 4).Draw(t, "turns") {
				turns = append(turns, map[string]any{"event": 10*i + k, "base": 1, "net": 2})
			}
			report["powers"] = append(report["powers"].([]any), map[string]any{"power": fmt.Sprint("P", i),
				"turns": turns})
		}
		was, _ := json.Marshal(report)
		power := rapid.IntRange(0, n-1).Draw(t, "power")
		turns := report["powers"].([]any)[power].(map[string]any)["turns"].([]any)
		turn := rapid.IntRange(0, len(turns)-1).Draw(t, "turn")
		turns[turn].(map[string]any)["net"] = 3
		want := fmt.Sprintf("powers / P%d / turns / #%d / net: 2 -> 3\n", power, 10*power+turn)
		if got := changes(projections.Changes(json.RawMessage(was), report)); got != want {
			t.Fatalf("got %swant %s", got, want)
		}
	})
}
