package awaw

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestBlanksStand: a blank that was added while blanks were allowed stands, and is drawn, when they no longer are
// (AWAW-48.242-D, AMB-AWAW-1).
func TestBlanksStand(t *testing.T) {
	c := rulestest.Open(t, System(), nil, map[string]string{"blank_cards": "allowed"})
	c.Stand("turn", `{"turn":"Winter 1941"}`)
	c.Stand("allocate", `{"allocate":{"side":"Britain","project":"Ultra","points":6}}`)
	c.Stand("produce", `{"produce":{"side":"Britain","project":"Ultra","card":"blank"}}`)
	c.Record(rules.Command{ID: "r"}, []rules.Draft{{Payload: &events.OptionRuled{Option: "blank_cards",
		Value: "refused"}}})
	c.Stand("draw", `{"draw":"Ultra"}`)
	c.Stand("turn", `{"turn":"Spring 1942"}`)
	if broken := c.Refused("produce", `{"produce":{"side":"Britain","project":"Ultra","card":"blank"}}`); broken[0] !=
		"AWAW-48.242-D" {
		t.Error(broken)
	}
	c.Stand("produce", `{"produce":{"side":"Britain","project":"Ultra","card":"asw"}}`)
}

// step is an entry of a strict case.
type step struct{ verb, body string }

// TestStrict: what the editions that carry let through, and the strict ones refuse, each by its rule.
func TestStrict(t *testing.T) {
	for rule, steps := range map[string][]step{
		"AWAW-48.52": {{"phase", `{"phase":"combat","player":"Japan"}`},
			{"contest", `{"contest":{"kind":"search","acting":"Japan","subject":"Midway"},` +
				`"cards":[{"Japan":"tactical"}]}`},
			{"contest", `{"contest":{"kind":"search","acting":"United States","subject":"midway"}}`}},
		"AWAW-48.21-D": {{"phase", `{"phase":"combat","player":"European Axis"}`},
			{"contest", `{"contest":{"kind":"search","acting":"Japan"},"cards":[{"Japan":"tactical"}]}`}},
		"AWAW-HA-RANGE": {{"harbor attack", `{"harbor attack":{"port":"Pearl Harbor","theater":"Europe",` +
			`"front":"pacific","by":"submarine","attacker":"Japan","defender":"United States","result":"7",` +
			`"from":"Truk","distance":20,"targets":["Utah"]},"cards":[]}`}},
		"AWAW-48.14-B": {{"harbor attack", `{"harbor attack":{"port":"Toulon","theater":"Europe",` +
			`"front":"mediterranean","by":"submarine","attacker":"Japan","defender":"France","result":"6",` +
			`"from":"Spezia","distance":20,"targets":["Dunkerque"]},"cards":[{"Japan":"tactical"}]}`}},
		"AWAW-HA-SW-BOX": {{"harbor attack", `{"harbor attack":{"port":"Scapa Flow","theater":"Europe",` +
			`"by":"submarine","attacker":"Italy","defender":"Britain","result":"6","from":"Atlantic box",` +
			`"distance":1,"targets":["Hood"]},"cards":[]}`}},
		"AWAW-HA-INITIAL": {{"harbor attack", `{"harbor attack":{"port":"Scapa Flow","theater":"Europe",` +
			`"by":"submarine","attacker":"Germany","defender":"Britain","initial german attack":true,"result":"7",` +
			`"from":"Kiel","distance":14,"targets":["Hood"]},"cards":[]}`}},
		"AWAW-SW-ATL-6": {{"declare war", `{"declare war":{"by":"Germany","on":"United States"}}`},
			{"submarine warfare", `{"submarine warfare":{"box":"Atlantic","submarines":8,"asw":6,"war turn":2},` +
				`"cards":[]}`}},
		rules.Input: {{"facts", `{"facts":{"allies control":["Manila","Gibraltar"]}}`},
			{"facts", `{"facts":{"japan controls":["Manila"]}}`}},
		"AWAW-48.61-C": {{"phase", `{"phase":"combat","player":"Japan"}`},
			{"contest", `{"contest":{"kind":"interception","acting":"Japan"},"cards":[]}`},
			{"magic interception", `{"magic interception":{"missions":["Truk"]},"cards":[]}`}},
	} {
		for _, edition := range []string{"2", "3"} {
			c := holding(t, edition, Japan, Tactical)
			last := len(steps) - 1
			for _, s := range steps[:last] {
				c.Stand(s.verb, s.body)
			}
			o, _ := c.Judge(rules.Command{ID: "x", Verb: steps[last].verb, Body: []byte(steps[last].body)})
			broken := slices.ContainsFunc(o.Violations, func(v rules.Violation) bool { return v.Rule == rule })
			if broken != (edition == "3") || !broken && o.Verdict == rules.Refused {
				t.Errorf("%s, edition %s: %s %v", rule, edition, o.Verdict, o.Violations)
			}
		}
	}
}

// holding is a campaign in Winter 1941, after Ultra was drawn and Japan declared war, in which a side has drawn a card.
func holding(t *testing.T, edition string, f Faction, card Card) *rulestest.Harness {
	t.Helper()
	for seed := range uint64(200) {
		c := rulestest.OpenOn(t, System(), edition, nil, map[string]string{"result_meaning": "eliminated_inverted"}).
			Clone(t, seed)
		c.Stand("turn", `{"turn":"Winter 1941"}`)
		c.Stand("draw", `{"draw":"Ultra"}`)
		c.Stand("declare war", `{"declare war":{"by":"Japan","on":"United States","usjt":33}}`)
		if at, _ := unused(c.Game().(game).sideOf(f).hand, card).Get(); at >= 0 {
			return c
		}
	}
	t.Fatalf("%s never draws %s", f.Name(), card)
	return nil
}

// TestDeckOfTheater: the sides are asked for cards where their deck reaches the port, Ultra on the Indian Ocean too
// (48.13-B, 48.14-B).
func TestDeckOfTheater(t *testing.T) {
	const attack = `{"harbor attack":{"port":"P","theater":%q,"front":%q,"by":"submarine","attacker":%q,` +
		`"defender":"Britain","result":"6","from":"Q","distance":9,"targets":["Hood"]}}`
	for _, x := range []struct {
		theater, front, attacker string
		asked                    bool
	}{
		{"Europe", "mediterranean", "Germany", true}, {"Pacific", "southeast asia", "Germany", true},
		{"Pacific", "pacific", "Germany", false}, {"Pacific", "china", "Germany", false},
		{"Pacific", "southeast asia", "Japan", true}, {"Europe", "western", "Japan", false},
	} {
		c := holding(t, "3", Japan, Tactical)
		o, _ := c.Judge(rules.Command{ID: "x", Verb: "harbor attack",
			Body: fmt.Appendf(nil, attack, x.theater, x.front, x.attacker)})
		if asked := o.Verdict == rules.Asked; asked != x.asked {
			t.Errorf("%s in %s, %s: %s", x.attacker, x.theater, x.front, o.Verdict)
		}
	}
}

// TestVoidProduction: a card whose production was ruled void after the draw is not played (AWAW-48.241-A).
func TestVoidProduction(t *testing.T) {
	for seed := range uint64(200) {
		for _, edition := range []string{"2", "3"} {
			c := rulestest.OpenOn(t, System(), edition, nil, nil).Clone(t, seed)
			c.Stand("turn", `{"turn":"Winter 1941"}`)
			c.Stand("allocate", `{"allocate":{"side":"Britain","project":"Ultra","points":3}}`)
			c.Stand("produce", `{"produce":{"side":"Britain","project":"Ultra","card":"tactical"}}`)
			c.Stand("draw", `{"draw":"Ultra"}`)
			c.Stand("phase", `{"phase":"combat","player":"European Axis"}`)
			hand := c.Game().(game).sideOf(Britain).hand
			if tactical := rules.Each(hand, func(h held) int { return oneIf(h.is(Tactical)) }); sum(tactical) < 2 {
				break
			}
			const search = `{"contest":{"kind":"search","acting":"Britain","subject":%q},` +
				`"cards":[{"Britain":"tactical"}]}`
			c.Stand("contest", fmt.Sprintf(search, "Bismarck"))
			voided := c.Game().(game).with(Britain, func(s *side) {
				pool, _ := s.pool.Get()
				s.pool, s.size = rules.Fact(pool.With(Tactical, -1)), s.size-1
			})
			h := rules.NewHearing(rules.Given(), func(n int) uint64 { return uint64(len(c.Log()) + n) })
			voided.Decide(rules.Command{ID: "x", Verb: "contest", Body: fmt.Appendf(nil, search, "Prinz Eugen")}, h)
			o := h.Outcome()
			if broken := o.Verdict == rules.Refused; broken != (edition == "3") {
				t.Errorf("edition %s: %s %v", edition, o.Verdict, o.Violations)
			}
			if edition == "3" {
				return
			}
		}
	}
	t.Fatal("Britain never draws two tactical cards")
}

// TestLostInGroup: a carrier that its attack has cost lies in no combat group (AWAW-HA-CV-LOST), and a pick that is
// refused shows no ship of one (GEN-SECRET).
func TestLostInGroup(t *testing.T) {
	for edition, lost := range map[string]bool{"2": false, "3": true} {
		c := rulestest.OpenOn(t, System(), edition, nil, nil)
		c.Stand("turn", `{"turn":"Winter 1941"}`)
		c.Stand("harbor attack", `{"harbor attack":{"port":"Taranto","theater":"Europe","by":"carrier",`+
			`"attacker":"Britain","defender":"Italy","result":"7","carrier":"Eagle","from":"Malta","distance":3,`+
			`"air defense":20,"targets":["Littorio"]}}`)
		const attack = `{"harbor attack":{"port":"Malta","theater":"Europe","by":"submarine","attacker":"Italy",` +
			`"defender":"Britain","result":"7","from":"Taranto","distance":3,` +
			`"combat groups":{"first":["Hood","eagle"]},"combat group":"first","targets":[%q]}}`
		o, _ := c.Judge(rules.Command{ID: "x", Verb: "harbor attack", Body: fmt.Appendf(nil, attack, "Hood")})
		if refused := o.Verdict == rules.Refused; refused != lost {
			t.Errorf("edition %s: %s %v", edition, o.Verdict, o.Violations)
		}
		o, _ = c.Judge(rules.Command{ID: "x", Verb: "harbor attack", Body: fmt.Appendf(nil, attack, "Rodney")})
		if o.Verdict != rules.Refused || !lost && strings.Contains(o.Violations[0].Message, "Hood") {
			t.Errorf("edition %s: %s %v", edition, o.Verdict, o.Violations)
		}
	}
}

// TestLaterStrike: Japan launches a second strike once it knows how the first one went, and once (AWAW-51.31-D).
func TestLaterStrike(t *testing.T) {
	for _, edition := range []string{"1", "3"} {
		c := holding(t, edition, Japan, Tactical)
		c.Stand("pearl harbor", `{"pearl harbor":{"task forces":["TF 8","TF 11"]},"japanese cards":[],`+
			`"american cards":[]}`)
		const again, wrong = `{"pearl harbor":{"second strike":true,"intercept":["tf 8"]}}`, "AWAW-48.71-A"
		c.Refused("pearl harbor", `{"pearl harbor":{"second strike":true,"intercept":["TF 9"]}}`)
		c.Stand("pearl harbor", again)
		if p := c.Log()[len(c.Log())-1]; p.Type != "result_adjudicated" {
			t.Errorf("edition %s ends with %s", edition, p.Type)
		}
		if broken := c.Refused("pearl harbor", again); broken[0] != wrong {
			t.Errorf("edition %s: %v", edition, broken)
		}
	}
}

// TestNoCarriers: Pearl Harbor may be attacked when no American carrier TF is left (AWAW-51.31-B). Only the level of
// surprise is rolled, in the column that the cards give.
func TestNoCarriers(t *testing.T) {
	for _, edition := range []string{"1", "3"} {
		c := holding(t, edition, Japan, Tactical)
		const attack = `{"pearl harbor":{%s"second strike":true,"defending air":{"aaf":3}},"japanese cards":[],` +
			`"american cards":[]}`
		c.Refused("pearl harbor", fmt.Sprintf(attack, ""))
		o := c.Stand("pearl harbor", fmt.Sprintf(attack, `"task forces":[],`))
		var rolled []string
		for _, draft := range o.Drafts {
			if p, is := draft.Payload.(*events.RollDeclared); is {
				rolled = append(rolled, p.Purpose)
			}
		}
		last, _ := o.Drafts[len(o.Drafts)-1].Payload.(*events.ResultAdjudicated)
		if !slices.Equal(rolled, []string{"level of surprise"}) || last == nil || last.Readings[0].Column != "32-33" {
			t.Errorf("edition %s rolls %v, and ends with %+v", edition, rolled, last)
		}
		c.Refused("pearl harbor", fmt.Sprintf(attack, `"task forces":[],`))
	}
}

// TestAmericanDeclaration: the U.S. declares war whatever the tension is, Japan at a level that is known (51.31-A).
func TestAmericanDeclaration(t *testing.T) {
	c := rulestest.Open(t, System(), nil, nil)
	c.Stand("turn", `{"turn":"Winter 1941"}`)
	c.Refused("declare war", `{"declare war":{"by":"Japan","on":"United States"}}`)
	c.Stand("declare war", `{"declare war":{"by":"United States","on":"Japan"}}`)
	c.Refused("pearl harbor", `{"pearl harbor":{"task forces":["TF 8"]},"japanese cards":[],"american cards":[]}`)
}

// TestGermanSide: Germany and Italy stand for their side, the European Axis, in every entry (48.13-A, 48.21-B).
func TestGermanSide(t *testing.T) {
	c := rulestest.Open(t, System(), nil, nil)
	c.Stand("turn", `{"turn":"Winter 1941"}`)
	c.Stand("allocate", `{"allocate":{"side":"Germany","project":"Ultra","points":3}}`)
	c.Stand("facts", `{"facts":{"general intelligence":{"Italy":1}}}`)
	c.Stand("produce", `{"produce":{"side":"Italy","project":"Ultra","card":"tactical"}}`)
	broken := c.Refused("produce", `{"produce":{"side":"Germany","project":"Magic","card":"tactical"}}`)
	if broken[0] != "AWAW-48.14-A" {
		t.Error(broken)
	}
	c.Stand("draw", `{"draw":"Ultra"}`)
	c.Stand("phase", `{"phase":"combat","player":"European Axis"}`)
	o := c.Stand("contest", `{"contest":{"kind":"search","acting":"Germany"},"cards":[{"Italy":"pass"}]}`)
	if p := o.Drafts[0].Payload.(*events.ContestOpened); p.Acting != "European Axis" {
		t.Error(p.Acting)
	}
}

// TestProducedAfterDeclaration: war that is declared in the research phase has Magic drawn at once, and the results of
// that phase are still announced at its end (AWAW-48.11-D, AWAW-48.21-B2). The card is no part of the hand.
func TestProducedAfterDeclaration(t *testing.T) {
	c := holding(t, "3", Japan, Tactical)
	const produce = `{"produce":{"side":"%s","project":"%s","card":"tactical"}}`
	c.Stand("allocate", `{"allocate":{"side":"Japan","project":"Magic","points":3}}`)
	c.Stand("allocate", `{"allocate":{"side":"Britain","project":"Ultra","points":3}}`)
	c.Stand("produce", fmt.Sprintf(produce, "Japan", "Magic"))
	if s := c.Game().(game).sideOf(Japan); s.size != 9 || len(s.hand) != CardsDrawn {
		t.Errorf("a pool of %d and a hand of %d", s.size, len(s.hand))
	}
	if broken := c.Refused("produce", fmt.Sprintf(produce, "Britain", "Ultra")); broken[0] != "AWAW-48.11-D" {
		t.Error(broken)
	}
	c.Stand("turn", `{"turn":"Spring 1942"}`)
	c.Stand("draw", `{"draw":"Magic"}`)
	if broken := c.Refused("produce", fmt.Sprintf(produce, "Japan", "Magic")); broken[0] != "AWAW-48.11-D" {
		t.Error(broken)
	}
}

// TestStatedWar: the turn of a German-American war from before the campaign began is stated once, and goes on from
// there (AWAW-SW-ATL-6).
func TestStatedWar(t *testing.T) {
	const combat = `{"submarine warfare":{"box":"Atlantic","submarines":1,"asw":1%s},"cards":[]}`
	net := func(o rules.Outcome) int {
		return o.Drafts[len(o.Drafts)-1].Payload.(*events.ResultAdjudicated).Net
	}
	for edition, later := range map[string]int{"2": 0, "3": 2} {
		c := rulestest.OpenOn(t, System(), edition, nil, nil)
		c.Stand("turn", `{"turn":"Winter 1943"}`)
		c.Stand("submarine warfare", fmt.Sprintf(combat, `,"war turn":1`))
		c.Stand("turn", `{"turn":"Spring 1944"}`)
		if n := net(c.Stand("submarine warfare", fmt.Sprintf(combat, ""))); n != later {
			t.Errorf("edition %s: %+d in the second turn", edition, n)
		}
		const again = `,"again":true,"war turn":1`
		for verb, body := range map[string]string{"submarine warfare": fmt.Sprintf(combat, again),
			"declare war": `{"declare war":{"by":"United States","on":"Germany"}}`} {
			o, _ := c.Judge(rules.Command{ID: "x", Verb: verb, Body: []byte(body)})
			if refused := o.Verdict == rules.Refused; refused != (edition == "3") {
				t.Errorf("edition %s: %s %v", edition, o.Verdict, o.Violations)
			}
		}
	}
}
