package awaw

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestWarnings: what no rule forbids, and may be a slip, is said to whoever hands the entry in.
func TestWarnings(t *testing.T) {
	c := rulestest.Open(t, System(), nil, map[string]string{"result_meaning": "eliminated_inverted"})
	c.Stand("turn", `{"turn":"Fall 1941"}`)
	for _, step := range []struct{ verb, body, want string }{
		{"phase", `{"phase":"movement","player":"European Axis"}`, ""},
		{"submarine warfare", `{"submarine warfare":{"box":"Atlantic","submarines":2,"asw":30}}`, ""},
		{"phase", `{"phase":"movement","player":"Western Allies"}`, ""},
		{"harbor attack", `{"harbor attack":{"port":"Brest","theater":"Europe","by":"submarine",` +
			`"attacker":"Britain","defender":"Germany","result":"7","from":"Leith","distance":3,` +
			`"targets":["Hood"]}}`, ""},
		{"phase", `{"phase":"combat","player":"Japan"}`, ""},
		{"turn", `{"turn":"Winter 1941"}`, ""},
		{"submarine warfare", `{"submarine warfare":{"box":"Atlantic","submarines":9}}`, ""},
		{"compensate", `{"compensate":{"factors":{"Atlantic":{"submarines":-9}},"reason":"x"}}`, ""},
		{"turn", `{"turn":"Spring 1942"}`, ""},
		{"draw", `{"draw":"Ultra"}`, ""},
		{"facts", `{"facts":{"cves":{"Pacific":7},"harbor results":{"Germany":["7"]}}}`, ""},
		{"harbor attack", `{"harbor attack":{"port":"Plymouth","theater":"Europe","by":"submarine",` +
			`"attacker":"Germany","defender":"Britain","result":"7","from":"Atlantic SW box",` +
			`"front":"western","targets":["Repulse"]},"cards":[]}`, ""},
		{"phase", `{"phase":"combat","player":"European Axis"}`, ""},
		{"submarine warfare", `{"submarine warfare":{"box":"Pacific","side":"US","submarines":9,"asw":1}}`,
			"the CVEs reported in the Pacific box, 7, count as Japan's here; if they are American, say cves: 0"},
		{"turn", `{"turn":"Summer 1942"}`, ""},
		{"phase", `{"phase":"combat","player":"Japan"}`,
			"the research phase of Summer 1942 ends without the draw of Ultra: no Ultra card can be played in " +
				"this turn"},
	} {
		o, _ := c.Judge(rules.Command{ID: "x", Verb: step.verb, Body: []byte(step.body)})
		got := ""
		if len(o.Warnings) > 0 {
			got = o.Warnings[0]
		}
		if got != step.want || len(o.Warnings) > 1 || len(o.Violations) > 0 {
			t.Errorf("%s: %q, want %q, %v", step.body, o.Warnings, step.want, o.Violations)
		}
		c.Stand(step.verb, step.body)
	}
}

// TestWarnedOfCards: a card that adds nothing to a lead, and a search that may be the first of a mission intercepted.
func TestWarnedOfCards(t *testing.T) {
	open := rulestest.OpenOn(t, System(), "2", nil, nil) // in a strict one Magic interception comes first
	open.Stand("turn", `{"turn":"Winter 1941"}`)
	seen := map[string]bool{}
	for seed := range uint64(200) {
		c := open.Clone(t, seed)
		c.Stand("declare war", `{"declare war":{"by":"Japan","on":"United States","usjt":33}}`)
		c.Stand("phase", `{"phase":"combat","player":"Japan"}`)
		const magic = `{"magic interception":{"missions":["Truk"],"intercept":["Truk"]},` +
			`"cards":[{"United States":"strategic"}]}`
		for _, step := range []struct{ verb, body, want string }{
			{"contest", `{"contest":{"kind":"search","acting":"United States"},` +
				`"cards":[{"United States":"tactical"},{"Japan":"pass"},{"United States":"wild"}]}`,
				"the U.S. leads already, and no lead gives more for search than that of one card"},
			{"magic interception", magic, ""},
			{"contest", `{"contest":{"kind":"search","acting":"Japan"},"cards":[]}`,
				"a mission that Magic intercepts awaits its first search, in which the U.S. has a card more: if this " +
					"is that one, say so, subject: Truk"},
		} {
			o, _ := c.Judge(rules.Command{ID: "x", Verb: step.verb, Body: []byte(step.body)})
			if o.Verdict != rules.Allowed {
				break // the U.S. has not drawn these cards
			}
			if got := strings.Join(o.Warnings, "; "); got != step.want {
				t.Errorf("%s: %q, want %q", step.body, got, step.want)
			}
			seen[step.want] = true
			c.Stand(step.verb, step.body)
		}
	}
	if len(seen) != 3 {
		t.Errorf("only %v was tried", seen)
	}
}

// TestWarnedOfCombatBeforeSurprise: Japan and the U.S. have fought in the record before Pearl Harbor (AWAW-48.71-A).
func TestWarnedOfCombatBeforeSurprise(t *testing.T) {
	const boats = `{"submarine warfare":{"box":"Pacific","side":"Japan","submarines":4,"asw":3},"cards":[]}`
	const indian = `{"submarine warfare":{"box":"Indian Ocean","side":"Japan","submarines":4,"asw":3},"cards":[]}`
	const declared = `{"declare war":{"by":"Japan","on":"United States","usjt":33}}`
	for _, c := range []struct {
		before []string
		want   string
	}{
		{[]string{boats, declared}, "before this attack (event "},
		{[]string{boats, `{"turn":"Winter 1941"}`, declared}, "before this attack (in Fall 1941)"},
		{[]string{indian, declared}, ""},
		{[]string{declared, boats}, ""},
	} {
		h := rulestest.Open(t, System(), nil, map[string]string{"result_meaning": "eliminated_inverted"})
		h.Stand("turn", `{"turn":"Fall 1941"}`)
		for _, body := range c.before {
			verb, _, _ := strings.Cut(body[2:], `"`)
			h.Stand(verb, body)
		}
		o, _ := h.Judge(rules.Command{ID: "x", Verb: "pearl harbor", Body: []byte(
			`{"pearl harbor":{"task forces":[]},"japanese cards":[],"american cards":[]}`)})
		got := strings.Join(o.Warnings, "; ")
		if o.Verdict != rules.Allowed || c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%v: %v %q, want %q", c.before, o.Violations, got, c.want)
		}
	}
}
