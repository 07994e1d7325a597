package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

func hearing(answers ...rules.Answer) *rules.Hearing {
	return rules.NewHearing(rules.Given(answers...), func(n int) uint64 { return 10 + uint64(n) })
}

var twoDice = events.RollDeclared{Purpose: "a test",
	Throws: []events.Throw{{Name: "a", Side: "Japan", Dice: 2, Sides: 6},
		{Name: "b", Side: "Britain", Dice: 1, Sides: 6}}}

func TestHearingRoll(t *testing.T) {
	h := hearing()
	if _, ok := h.Roll("Japan", &twoDice); ok {
		t.Error("dice before they are thrown")
	}
	if o := h.Outcome(); o.Verdict != rules.Asked || o.Need.Roll == nil || len(o.Drafts) != 1 {
		t.Errorf("%+v", o)
	}
	given := rules.Given(rules.Answer{Dice: [][]int{{1, 6}, {3}}}, rules.Answer{})
	h = rules.NewHearing(given, func(n int) uint64 { return 10 + uint64(n) })
	h.Cite("RULE-1", "a step")
	dice, ok := h.Roll("Japan", &twoDice)
	o := h.Outcome()
	if !ok || dice[1][0] != 3 || o.Verdict != rules.Allowed || len(o.Drafts) != 3 || given.Left() != 1 ||
		h.Declared() != 10 {
		t.Errorf("%v %+v", dice, o)
	}
	if len(o.Drafts[0].Derivation) != 1 || o.Drafts[1].Derivation != nil || o.Drafts[2].Side != "Britain" {
		t.Errorf("%+v", o.Drafts)
	}
	for _, dice := range [][][]int{{}, {{1, 6}}, {{1}, {3}}, {{1, 7}, {3}}, {{0, 6}, {3}}} {
		h := hearing(rules.Answer{Dice: dice})
		if _, ok := h.Roll("Japan", &twoDice); ok {
			t.Errorf("%v is taken", dice)
		}
		if o := h.Outcome(); o.Verdict != rules.Refused || o.Violations[0].Rule != "GEN-DICE" || o.Drafts != nil {
			t.Errorf("%v: %+v", dice, o)
		}
	}
}

// TestHearingOtherAnswer: an answer of another kind is none.
func TestHearingOtherAnswer(t *testing.T) {
	choice := &events.ChoiceAsked{Of: "Japan", Options: []string{"pass"}}
	draw := &events.DrawDeclared{Count: 1, PoolSize: 8}
	for _, a := range []rules.Answer{{Dice: [][]int{{1, 6}, {3}}}, {Positions: []int{1}}, {Options: []string{"pass"}},
		{}} {
		taken := 0
		for _, ask := range []func(h *rules.Hearing) bool{
			func(h *rules.Hearing) bool { _, ok := h.Roll("Japan", &twoDice); return ok },
			func(h *rules.Hearing) bool { _, ok := h.Draw("Japan", draw); return ok },
			func(h *rules.Hearing) bool { _, ok := h.Choose(choice); return ok },
		} {
			h := hearing(a)
			if ask(h) {
				taken++
			} else if h.Outcome().Need == nil {
				t.Errorf("%+v: neither taken nor missing", a)
			}
		}
		if taken != 1 {
			t.Errorf("%+v answers %d questions", a, taken)
		}
	}
}

func TestHearingChoice(t *testing.T) {
	for _, secret := range []bool{false, true} {
		h := hearing(rules.Answer{Options: []string{"strategic"}})
		q := &events.ChoiceAsked{Of: "Japan", Options: []string{"strategic", "none"}, Most: 1}
		var options []string
		var ok bool
		if secret {
			chosen, asked := h.ChooseInSecret(q)
			options, ok = chosen.Get()
			ok = ok && asked && q.Secret
		} else {
			options, ok = h.Choose(q)
		}
		made := h.Outcome().Drafts[1]
		lines := made.Payload.(*events.ChoiceMade).Options
		if !ok || len(options) != 1 || made.Payload.(*events.ChoiceMade).Asked != 10 {
			t.Fatalf("%v %+v", options, made)
		}
		if secret && (lines != nil || len(made.Secrets) != 1 || !is(made.Secrets[0].Fact, `["strategic"]`)) ||
			!secret &&
				(len(lines) != 1 || made.Secrets != nil) {
			t.Errorf("secret %t: %+v", secret, made)
		}
	}
}

// TestHearingRefer: nothing of a referred command stands but the question, and it is sealed.
func TestHearingRefer(t *testing.T) {
	h := hearing()
	h.Record("", &events.PhaseAdvanced{Phase: "combat"})
	body := json.RawMessage(`{"produce":{"card":"asw"}}`)
	h.Refer(rules.Command{Body: body}, &events.Referred{Option: "blank_cards"})
	o := h.Outcome()
	if o.Verdict != rules.Referred || len(o.Drafts) != 1 || len(o.Drafts[0].Secrets) != 1 {
		t.Fatalf("%+v", o)
	}
	secret := o.Drafts[0].Secrets[0]
	fact, _ := secret.Fact.Get()
	back := rules.Unseal(o.Request, []events.Opening{{Slot: secret.Slot, Fact: fact}})
	if string(back) != string(body) || string(rules.Unseal(o.Request, nil)) != string(o.Request) {
		t.Errorf("%s, sealed as %s", back, o.Request)
	}
}

func TestUnseal(t *testing.T) {
	known := []events.Opening{{Slot: "points", Fact: "4"}, {Slot: "card", Fact: "asw"},
		{Slot: "cards", Fact: `["wild"]`}}
	for sealed, want := range map[string]string{
		`{"a":{"sealed":"points"},"b":{"sealed":"card"}}`: `{"a":4,"b":"asw"}`,
		`[{"sealed":"cards"},{"sealed":"other"}]`:         `[["wild"],{"sealed":"other"}]`,
		`{"sealed":"card","more":1}`:                      `{"more":1,"sealed":"card"}`,
		`[{"sealed":"card"},{"sealed":"card"}]`:           `["asw",{"sealed":"card"}]`,
		`{"n":12345678901234567890}`:                      `{"n":12345678901234567890}`,
		`not JSON`:                                        `not JSON`,
	} {
		if got := string(rules.Unseal(json.RawMessage(sealed), known)); got != want {
			t.Errorf("%s: %s, want %s", sealed, got, want)
		}
	}
}

// A small entry does not unseal to a large one.
func TestUnsealBounds(t *testing.T) {
	var known []events.Opening
	var request []map[string]string
	for i := range 10 {
		slot := fmt.Sprint("slot ", i)
		known = append(known, events.Opening{Slot: slot, Fact: strings.Repeat("a", 1<<20)})
		for range 100 {
			request = append(request, rules.Sealed(slot))
		}
	}
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	got := string(rules.Unseal(body, known))
	if n := strings.Count(got, "sealed"); n != 996 || len(got) > 5<<20 {
		t.Errorf("%d parts stay sealed, in %d bytes", n, len(got))
	}
}

// TestInTime: an entry is for the turn that is on; only a turn and a ruling need none.
func TestInTime(t *testing.T) {
	fall := events.Turn{Ordinal: 3, Label: "Fall 1941"}
	for _, c := range []struct {
		verb, turn string
		on         events.Turn
		want       string
	}{
		{"draw", "Fall 1941", fall, ""},
		{"draw", "", fall, ""},
		{"draw", "Winter 1941", fall, "this entry is for Winter 1941, but the campaign is in Fall 1941"},
		{"rule", "Winter 1941", fall, "this entry is for Winter 1941, but the campaign is in Fall 1941"},
		{"turn", "Winter 1941", fall, ""},
		{"draw", "Fall 1941", events.Turn{}, "begin"},
		{"draw", "", events.Turn{}, "begin"},
		{"rule", "", events.Turn{}, ""},
		{"rule", "Fall 1941", events.Turn{}, "this entry is for Fall 1941, but the campaign is in no turn yet"},
		{"turn", "Fall 1941", events.Turn{}, ""},
	} {
		h := rules.NewHearing(nil, nil)
		text := ""
		if ok := h.InTime(rules.Command{Verb: c.verb, Turn: c.turn}, c.on, "begin"); !ok {
			text = h.Violations[0].Message
		}
		if text != c.want {
			t.Errorf("%s of %q in %q: %q, want %q", c.verb, c.turn, c.on.Label, text, c.want)
		}
	}
}

// TestShort: an entry that is one value is read as such, and only then.
func TestShort(t *testing.T) {
	for body, want := range map[string]string{
		`{"collect income":"UK"}`: "UK", `{"collect income":""}`: "", `{"collect income":"UK","base":3}`: "no",
		`{"collect income":{"power":"UK"}}`: "no",
		`{"collect income":null}`:           "no", `{"other":"UK"}`: "no", `"UK"`: "no",
	} {
		word, c := "", rules.Command{Verb: "collect income", Body: json.RawMessage(body)}
		if ok := c.Short(&word); ok != (want != "no") || ok && word != want {
			t.Errorf("%s: %q, %v", body, word, ok)
		}
	}
}

// is reports whether a fact is known, and what.
func is(k rules.Known[string], want string) bool {
	v, known := k.Get()
	return known && v == want
}
