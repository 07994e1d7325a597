package web

import (
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay"
)

// proposed are the names that an input of a form proposes; none where it has no list, or there is no such input.
func proposed(body, input string) (names []string) {
	of := regexp.MustCompile(`<input id="[^"]*" name="` + regexp.QuoteMeta(input) + `"[^>]* list="([^"]*)"`).
		FindStringSubmatch(body)
	if of == nil {
		return nil
	}
	_, list, _ := strings.Cut(body, `<datalist id="`+of[1]+`">`)
	list, _, _ = strings.Cut(list, "</datalist>")
	for _, m := range regexp.MustCompile(`<option value="([^"]*)"`).FindAllStringSubmatch(list, -1) {
		names = append(names, html.UnescapeString(m[1]))
	}
	return names
}

// TestFormsPropose: fields of forms propose what the rules list and what the record has so far, and anything else may
// be typed; the name of the next turn stands there, the parts that most entries have are open, and each column says
// what it holds.
func TestFormsPropose(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		system, enters, form, input string
		names                       []string // among those proposed
		says, not                   []string
	}{
		{system: "aar", form: "turn", says: []string{`<option selected>Round 1</option>`}},
		{system: "awaw", form: "turn", input: "f/turn", names: []string{"Fall 1939", "Spring 1942"},
			says: []string{`name="f/turn" size="24" value="Fall 1939"`}},
		{"awaw", "turn: Spring 1942", "turn", "", nil, []string{`<option selected>Summer 1942</option>`}, nil},
		{system: "eots", form: "turn", input: "f/turn", names: []string{"Turn 2, 1942"},
			says: []string{`name="f/turn" size="24" value="Turn 2, 1942"`}},
		{"aar", "turn: Round 1\nfacts: {submarines: {Germany: {SZ 8: 2, U-47: SZ 9}}}", "submerge", "f/submerge/0",
			[]string{"U-47"}, nil, []string{"#1"}},
		{"aar", "turn: Round 1\nentries:\n  - {id: p, phase: purchase units, player: Russia}\n" +
			"  - {id: f, facts: {used: {Russia: [Marat, 1st Guards]}}}", "d-day", "f/d-day/units/0/unit",
			[]string{"1st Guards", "Marat"}, nil, nil},
		{"aar", "turn: Round 1", "facts", "f/facts/control/0/is", []string{"neutral", "Germany"},
			[]string{`<span aria-hidden="true">territory</span>`, `<span aria-hidden="true">holder</span>`,
				`<span aria-hidden="true">IPCs</span>`}, nil},
		{"aar", "turn: Round 1", "purchase", "", nil, []string{`<span aria-hidden="true">unit</span>`,
			`<span aria-hidden="true">how many</span>`, `<fieldset class="field"><legend><span lang="en">units</span>`},
			nil},
		{"awaw", "turn: Spring 1940", "produce", "", nil, []string{"<option>Ultra</option>", "<option>asw</option>",
			"<option>European Axis</option>"}, nil},
		{"awaw", "turn: Spring 1940", "harbor attack", "f/harbor attack/port", []string{"Brest", "Gibraltar"}, nil,
			nil},
		{"eots", "turn: Turn 2, 1942\nfacts: {american hqs: {South Pacific: {hex: 3727, range: 15}}}", "relocate",
			"f/relocate/by", []string{"South Pacific"}, nil, nil},
		{"eots", "turn: Turn 2, 1942\nfacts: {hexes: {4715: [port, friendly]}}", "place", "f/place/hex",
			[]string{"2813", "4715"}, nil, nil},
	} {
		d := open(t, Options{})
		umpire := d.begin(replay.NewCampaign{System: x.system})
		if x.enters != "" {
			if w := d.send(umpire, url.Values{"do": {"enter"}, "text": {x.enters}}); w.Code != 200 {
				t.Errorf("%s: %d %s", x.enters, w.Code, w.Body)
			}
		}
		body := d.send(umpire, url.Values{"form": {x.form}}).Body.String()
		form, _, _ := strings.Cut(body[strings.Index(body, `<fieldset id="entry">`):], `<div id="picks"`)
		got := proposed(form, x.input)
		for _, name := range x.names {
			if !slices.Contains(got, name) {
				t.Errorf("%s %s: %s is not among %q proposed at %s:\n%s", x.system, x.form, name, got, x.input, form)
			}
		}
		for _, says := range x.says {
			if !strings.Contains(form, says) {
				t.Errorf("%s %s: without %q:\n%s", x.system, x.form, says, form)
			}
		}
		for _, says := range x.not {
			if strings.Contains(form, says) {
				t.Errorf("%s %s: with %q:\n%s", x.system, x.form, says, form)
			}
		}
	}
}

// TestChoicesSayWhatIsNotHeld: who is asked for a card reads of which he holds none; nobody else does.
func TestChoicesSayWhatIsNotHeld(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	choice := regexp.MustCompile(`name="choice" value="([^"]+)">([^<]+)</button>`)
	none, asked := 0, []string{"European Axis", "Britain"}
	for _, of := range asked {
		hand := regexp.MustCompile(`(?s)<p class="hand">.*?</p>`).FindString(d.sees(holds[of]))
		for _, m := range choice.FindAllStringSubmatch(d.sees(holds[of]), -1) {
			held := m[1] == "pass" || strings.Contains(hand, m[1])
			if hand == "" || held == strings.Contains(m[2], "none in hand") {
				t.Errorf("of %q the button says %q, and the hand is %s", m[1], m[2], hand)
			}
			if !held {
				none++
			}
		}
		for as, token := range holds {
			if body := d.sees(token); as != of && strings.Contains(body, "none in hand") {
				t.Errorf("%q reads what the hand of %s lacks: %s", as, of, body)
			}
		}
		d.send(holds[of], url.Values{"do": {"answer"}, "choice": {"pass"},
			"asked": {strconv.FormatUint(d.question().Index, 10)}})
	}
	if none == 0 {
		t.Error("each card that is asked for is held")
	}
}
