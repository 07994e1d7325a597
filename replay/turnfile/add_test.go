package turnfile_test

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// TestAdd: an entry comes to the end of a file as it is written, under an id that nobody has; a file that cannot take
// it stays as it is.
func TestAdd(t *testing.T) {
	verbs := []rules.Verb{{Key: "turn"}, {Key: "draw"}, {Key: "collect income"}}
	taken := func(id string) bool { return id == "Round 1/draw" }
	for _, x := range []struct{ text, members, want string }{
		{"", "draw: Ultra", "entries:\n  - {id: draw, draw: Ultra}\n"},
		{"", "turn: Round 1", "turn: Round 1\n"},
		{"turn: Round 1\n", "draw: Ultra", "turn: Round 1\nentries:\n  - {id: draw-2, draw: Ultra}\n"},
		{"entries:\n- {id: draw, draw: Ultra} # once\n\n", "draw: [Ultra, Magic]",
			"entries:\n- {id: draw, draw: Ultra} # once\n- {id: draw-2, draw: [Ultra, Magic]}\n"},
		{"turn: Round 2\nentries:\n # all\n\n    - id: a\n      draw: Ultra", "collect income: UK",
			"turn: Round 2\nentries:\n # all\n\n    - id: a\n      draw: Ultra\n" +
				"    - {id: collect-income, collect income: UK}\n"},
		{"entries: []", "draw: Ultra", ""},
		{"entries:\n  - {id: draw, draw: Ultra}\nfacts: {}\n", "draw: Ultra", ""},
		{"turn: Round 1\n", "turn: Round 2", ""},
		{"turn: [", "draw: Ultra", ""},
		{"", "draw: {", ""},
		{"", "draw: Ultra, collect income: UK", ""},
	} {
		got, err := turnfile.Add("a turn", x.text, x.members, "", verbs, taken)
		if got != x.want || (err == nil) != (x.want != "") {
			t.Errorf("%q and %q: %q, %v; want %q", x.text, x.members, got, err, x.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "a turn:") && !strings.HasPrefix(err.Error(), "the form:") {
			t.Errorf("%q and %q: %v does not say where", x.text, x.members, err)
		}
	}
}

// TestAddOfASide: an entry of a side has an id of its own.
func TestAddOfASide(t *testing.T) {
	got, err := turnfile.Add("a turn", "", "draw: Ultra", "European Axis", []rules.Verb{{Key: "draw"}},
		func(id string) bool { return strings.HasSuffix(id, "draw-european-axis") })
	if want := "entries:\n  - {id: draw-european-axis-2, draw: Ultra}\n"; got != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// TestTextIsRead: a text that a form writes is read as that text.
func TestTextIsRead(t *testing.T) {
	verbs := []rules.Verb{{Key: "draw"}}
	for _, text := range []string{"UK", "SZ 7", "St. Nazaire", "8+", "true", "null", "no", "a: b", "a # b", "2nd Army",
		"x, y", `say "so"`, "\\", "Ōyodo", "{x}", "-1"} {
		e, err := turnfile.ParseEntry("it", "{draw: "+turnfile.Flow(text)+"}", "", verbs)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := turnfile.FlowEntry(e.Body, "draw"); got != "{draw: "+turnfile.Flow(text)+"}" {
			t.Errorf("%q is read as %s", text, got)
		}
	}
}

// TestRest: what is left of a text begins with an entry, and is read as what stood there from it on.
func TestRest(t *testing.T) {
	verbs := []rules.Verb{{Key: "turn"}, {Key: "draw"}, {Key: "collect income"}}
	const (
		last   = "- id: b\n  draw: Magic # twice\n"
		turn   = "turn: Round 1\nfacts:\n  a: 1\n  b: 2\nentries:\n- {id: a, draw: Ultra}\n" + last
		line   = "entries: [{id: a, draw: Ultra}, {id: b, draw: Magic}]\n"
		upside = "entries:\n- {id: a, draw: Ultra}\nfacts:\n  a: 1\n  b: 2\n"
	)
	for _, x := range []struct {
		text string
		line int
		want string
	}{
		{turn, 1, turn},
		{turn, 4, "facts:\n  b: 2\nentries:\n- {id: a, draw: Ultra}\n" + last},
		{turn, 7, "entries:\n" + last},
		{turn, 8, turn}, // none begins there
		{turn, 9, ""},
		{"", 1, ""},
		{line, 1, line},
		{upside, 5, upside},
		{"turn: [", 1, "turn: ["},
	} {
		if got := turnfile.Rest(x.text, x.line, verbs); got != x.want {
			t.Errorf("%q from line %d: %q, want %q", x.text, x.line, got, x.want)
		}
	}
}
