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

// exactCase is a play that the strict editions let through and the exact ones refuse by a rule.
type exactCase struct {
	name, rule string
	steps      []step // the last is refused
}

const (
	boarded = `{"harbor attack":{"port":%q,"theater":"Europe","by":"carrier","attacker":%q,"defender":%q,` +
		`"result":"7","carrier":%q,"from":"Malta","distance":3,"targets":[%q]},"cards":[]}`
	sunk = `{"harbor attack":{"port":"Scapa Flow","theater":"Europe","by":"submarine","attacker":"Germany",` +
		`"defender":"Britain","result":"7","from":"Kiel","distance":14,%s},"cards":[]}`
	bombs = `{"strategic bombing":{"target":%q,"attacker":"Britain","defender":"Germany",%s}}`
)

// TestExact: what the strict editions let through, and the exact ones refuse, each by its rule.
func TestExact(t *testing.T) {
	for _, x := range []exactCase{
		{"a ship as target and as light ship", "AWAW-HA-DUPLICATE", []step{
			{"harbor attack", fmt.Sprintf(sunk, `"targets":["Hood"],"light ships":["H.M.S. Hood"]`)}}},
		{"a carrier of two powers", "AWAW-HA-CV-INVERT", []step{
			{"harbor attack", fmt.Sprintf(boarded, "Taranto", "Britain", "Italy", "Ark Royal", "Littorio")},
			{"harbor attack", fmt.Sprintf(boarded, "Spezia", "United States", "Italy", "HMS Ark-Royal", "Cavour")}}},
		{"a carrier against itself", "AWAW-HA-CV-BASE", []step{
			{"harbor attack", fmt.Sprintf(boarded, "Taranto", "Britain", "Italy", "Ark Royal", "ark royal")}}},
		{"a named ship in two combat groups", "AWAW-HA-SUB-GROUPS", []step{
			{"harbor attack", fmt.Sprintf(sunk, `"targets":["Hood"],"combat group":"1",`+
				`"combat groups":{"1":["Hood","light ships"],"2":["HOOD","light ships"]}`)}}},
		{"a carrier twice in a harbor", "AWAW-HA-CV-REVEAL", []step{
			{"harbor attack", fmt.Sprintf(boarded, "Taranto", "Britain", "Italy", "Ark Royal", "Littorio")},
			{"harbor attack", `{"harbor attack":{"port":"Malta","theater":"Europe","by":"carrier",` +
				`"attacker":"Italy","defender":"Britain","result":"8+","carrier":"Aquila","from":"Taranto",` +
				`"distance":3,"in harbor":["Ark Royal","HMS Ark Royal"],"targets":["Ark Royal"]},"cards":[]}`}}},
		{"production after the other deck was drawn", "AWAW-48.11-D", []step{
			{"allocate", `{"allocate":{"side":"Japan","project":"Magic","points":3}}`},
			{"produce", `{"produce":{"side":"Japan","project":"Magic","card":"tactical"}}`}}},
		{"a search again without cards", "AWAW-48.52", []step{
			{"phase", `{"phase":"combat","player":"Japan"}`},
			{"contest", `{"contest":{"kind":"search","acting":"Japan","subject":"Midway, round 1"},` +
				`"cards":[{"Japan":"tactical"}]}`},
			{"contest", `{"contest":{"kind":"search","acting":"United States","subject":"Midway round 1"},` +
				`"cards":[]}`}}},
		{"more jets than factors", "AWAW-SB-AIR-2", []step{
			{"strategic bombing", fmt.Sprintf(bombs, "Essen",
				`"air combat":{"attacker":6,"defender":2},"jets":{"defender":3}`)}}},
		{"a target in another theater", "AWAW-SB-TGT-2", []step{
			{"strategic bombing", fmt.Sprintf(bombs, "Essen", `"bombers":6,"defense":{"cities":1}`)},
			{"strategic bombing", fmt.Sprintf(bombs, "essen",
				`"bombers":6,"defense":{"cities":1},"theater":"Pacific","excess range":8`)}}},
		{"a port in another theater", "AWAW-HA-RANGE", []step{
			{"harbor attack", fmt.Sprintf(sunk, `"targets":["Hood"]`)},
			{"strategic bombing", fmt.Sprintf(bombs, "Essen",
				`"bombers":6,"defense":{},"theater":"Pacific"`)},
			{"harbor attack", `{"harbor attack":{"port":"Essen","theater":"Europe","by":"submarine",` +
				`"attacker":"Russia","defender":"Germany","result":"7","from":"Riga","distance":14,` +
				`"targets":["U 1"]}}`}}},
		{"the first round once more", "AWAW-48.52", []step{
			{"phase", `{"phase":"combat","player":"Japan"}`},
			{"contest", `{"contest":{"kind":"search","acting":"Japan","subject":"Midway"},` +
				`"cards":[{"Japan":"tactical"}]}`},
			{"contest", `{"contest":{"kind":"search","acting":"United States","subject":"Midway, round 1"}}`}}},
		{"a mission is met after a fleet combat", "AWAW-48.61-C", []step{
			{"phase", `{"phase":"combat","player":"Japan"}`},
			{"contest", `{"contest":{"kind":"naval nationality","acting":"Japan","subject":"Truk"},"cards":[]}`},
			{"magic interception", `{"magic interception":{"missions":["Truk"]},"cards":[]}`}}},
		{"a base in the port attacked", "AWAW-HA-SUB-BASE", []step{{"harbor attack", strings.Replace(
			fmt.Sprintf(sunk, `"targets":["Hood"]`), "Kiel", "scapa flow", 1)}}},
		{"a box that is called a port", "AWAW-HA-BOX", []step{{"harbor attack", strings.Replace(
			fmt.Sprintf(sunk, `"targets":["Hood"]`), "Scapa Flow", "Atlantic U.S. box", 1)}}},
		{"a base in a box of another name", "AWAW-HA-SW-BOX", []step{{"harbor attack", strings.Replace(
			fmt.Sprintf(sunk, `"targets":["Hood"]`), "Kiel", "SW box Atlantic", 1)}}},
		{"a port that another holds", rules.Input, []step{
			{"facts", `{"facts":{"japan controls":["Manila"]}}`},
			{"submarine warfare", `{"submarine warfare":{"box":"Pacific","side":"US","submarines":5,"asw":3,` +
				`"cves":0,"controls":["Manila"]},"cards":[]}`}}},
	} {
		for _, edition := range []string{"3", "4", "5"} {
			c := holding(t, edition, Japan, Tactical)
			last := len(x.steps) - 1
			for _, s := range x.steps[:last] {
				c.Stand(s.verb, s.body)
			}
			o, _ := c.Judge(rules.Command{ID: "x", Verb: x.steps[last].verb, Body: []byte(x.steps[last].body)})
			broken := slices.ContainsFunc(o.Violations, func(v rules.Violation) bool { return v.Rule == x.rule })
			if broken != (edition != "3") || !broken && o.Verdict == rules.Refused {
				t.Errorf("%s, edition %s: %s %v", x.name, edition, o.Verdict, o.Violations)
			}
		}
	}
}

// TestInterceptionGoesOn: the strategic cards of a player turn are compared together, so a card that was played into an
// earlier entry still counts against one played later (48.61-A, 48.63-C).
func TestInterceptionGoesOn(t *testing.T) {
	for edition, dice := range map[string]int{"3": 1, "4": 0, "5": 0} {
		c := holding(t, edition, Japan, Tactical)
		c.Record(rules.Command{ID: "hand"}, handed(c, Japan, "strategic", "blank", "blank", "blank"))
		c.Record(rules.Command{ID: "hand"}, handed(c, UnitedStates, "strategic", "wild", "blank", "blank"))
		c.Stand("phase", `{"phase":"movement","player":"Japan"}`)
		const intercept = `{"contest":{"kind":"interception","acting":"Japan"},"cards":[%s]}`
		c.Stand("contest", fmt.Sprintf(intercept, `{"Japan":"pass"},{"US":"strategic"}`))
		o := c.Stand("contest", fmt.Sprintf(intercept, `{"Japan":"strategic"}`))
		p := o.Drafts[len(o.Drafts)-1].Payload.(*events.ContestSettled)
		negated := slices.ContainsFunc(o.Drafts, func(x rules.Draft) bool { return x.Payload.Type() == "card_negated" })
		if n := figure(p.Effects, "extra interception dice"); n != dice || negated != (edition != "3") {
			t.Errorf("edition %s: %d dice, negated %t", edition, n, negated)
		}
		counter := `{"contest":{"kind":"interception","acting":"US"},"cards":[{"US":"wild"}]}`
		o = c.Stand("contest", counter)
		p = o.Drafts[len(o.Drafts)-1].Payload.(*events.ContestSettled)
		if own := oneIf(edition != "3"); p.ActingCards != 1+own || p.OpposingCards != own {
			t.Errorf("edition %s: %d against %d cards to counter-intercept", edition, p.ActingCards, p.OpposingCards)
		}
	}
}

// TestTogether: where both sides put their cards down together, who plays none plays no card behind that (AMB-AWAW-2).
func TestTogether(t *testing.T) {
	for cards, rule := range map[string]string{
		`{"Japan":"pass"},{"US":"pass"},{"Japan":"tactical"}`: "AWAW-48.32-B",
		`{"Japan":"pass"},{"Japan":"tactical"}`:               "AWAW-48.32-B",
		`{"US":"pass"},{"Japan":"tactical"},{"US":"wild"}`:    "AWAW-48.32-B",
		`{"US":"pass"},{"Japan":"tactical"},{"Japan":"pass"}`: "",
		`{"US":"wild"},{"US":"tactical"},{"Japan":"pass"}`:    "",
		`{"Japan":"tactical"},{"US":"tactical"}`:              "",
	} {
		for _, edition := range []string{"3", "4", "5"} {
			c := dealt(t, edition)
			c.Stand("rule", `{"rule":{"option":"play_order","value":"simultaneous_secret","reason":"x"}}`)
			c.Stand("phase", `{"phase":"combat","player":"Japan"}`)
			o, _ := c.Judge(rules.Command{ID: "x", Verb: "contest",
				Body: []byte(`{"contest":{"kind":"search","acting":"Japan","subject":"M"},"cards":[` + cards + `]}`)})
			broken := slices.ContainsFunc(o.Violations, func(v rules.Violation) bool { return v.Rule == rule })
			if broken != (rule != "" && edition != "3") || !broken && o.Verdict == rules.Refused {
				t.Errorf("%s, edition %s: %s %v", cards, edition, o.Verdict, o.Violations)
			}
		}
	}
}

// TestFirstRound: a search of the first round of a combat that Magic began is the first one, however the round is said
// (48.62), and one of a later round is not.
func TestFirstRound(t *testing.T) {
	for edition, first := range map[string]int{"3": 0, "4": 1, "5": 1} {
		c := holding(t, edition, Japan, Tactical)
		c.Record(rules.Command{ID: "hand"}, handed(c, UnitedStates, "strategic", "wild", "blank", "blank"))
		c.Stand("magic interception", `{"magic interception":{"missions":["Truk","Truk carriers"],`+
			`"intercept":["Truk"]},"cards":[{"US":"strategic"}]}`)
		for _, x := range []struct {
			subject string
			cards   int
		}{{"Truk, round 2", 0}, {"Truk carriers, round 1", 0}, {"Truk, round 1", first}, {"Truk", 1 - first}} {
			body := fmt.Sprintf(`{"contest":{"kind":"search","acting":"US","subject":%q},"cards":[]}`, x.subject)
			o, _ := c.Judge(rules.Command{ID: "x", Verb: "contest", Body: []byte(body)})
			if edition != "3" && x.subject == "Truk" { // compared already
				if o.Verdict != rules.Refused {
					t.Errorf("edition %s: the first round stands again: %s", edition, o.Verdict)
				}
				continue
			}
			o = c.Stand("contest", body)
			p := o.Drafts[len(o.Drafts)-1].Payload.(*events.ContestSettled)
			if n := figure(p.Effects, figureFirstRound); n != x.cards {
				t.Errorf("edition %s: %s: %d cards in the first round", edition, x.subject, n)
			}
		}
	}
}

// TestMissionsAlike: before names meant the same however they are written the search of one such mission was that of
// the other too (48.62); the exact editions refuse two of them.
func TestMissionsAlike(t *testing.T) {
	c := holding(t, "1", Japan, Tactical)
	c.Record(rules.Command{ID: "hand"}, handed(c, UnitedStates, "strategic", "wild", "blank", "blank"))
	c.Stand("magic interception", `{"magic interception":{"missions":["Truk","truk"],"intercept":["Truk","truk"]},`+
		`"cards":[{"US":"strategic"},{"Japan":"pass"},{"US":"wild"}]}`)
	c.Stand("contest", `{"contest":{"kind":"search","acting":"US","subject":"Truk","after magic interception":true},`+
		`"cards":[]}`)
	for _, x := range c.Game().(game).magic {
		if !x.searched {
			t.Errorf("%s awaits its first search", x.mission)
		}
	}
}

// TestNoCard: a side that can have no card is asked, for a pass is its own act, and the question says that it can have
// none (48.22-A, 48.22-B).
func TestNoCard(t *testing.T) {
	for edition, said := range map[string]bool{"3": false, "4": true, "5": true} {
		c := holding(t, edition, Japan, Tactical)
		c.Stand("phase", `{"phase":"combat","player":"Western Allies"}`)
		o, _ := c.Judge(rules.Command{ID: "x", Verb: "contest",
			Body: []byte(`{"contest":{"kind":"onboard submarine","acting":"Britain"}}`)})
		if strings.Contains(o.Need.Choice.Question, "can have no submarine warfare card") != said {
			t.Errorf("edition %s: %s", edition, o.Need.Choice.Question)
		}
	}
}

// TestSecondStrikeAlone: a second strike may be entered behind a first one that found no task force, or that names the
// task forces again (51.31-D).
func TestSecondStrikeAlone(t *testing.T) {
	for _, x := range [][2]string{{"[]", ""}, {"[]", `,"task forces":[]`}, {`["TF 8"]`, `,"task forces":["tf 8"]`}} {
		for edition, heard := range map[string]bool{"3": false, "4": true, "5": true} {
			c := holding(t, edition, Japan, Tactical)
			c.Stand("pearl harbor", fmt.Sprintf(`{"pearl harbor":{"task forces":%s},"japanese cards":[],`+
				`"american cards":[]}`, x[0]))
			strike := fmt.Sprintf(`{"pearl harbor":{"second strike":true%s}}`, x[1])
			o, _ := c.Judge(rules.Command{ID: "x", Verb: "pearl harbor", Body: []byte(strike)})
			if (o.Verdict == rules.Allowed) != heard {
				t.Errorf("edition %s: %s %v", edition, o.Verdict, o.Violations)
			}
			if !heard {
				continue
			}
			c.Stand("pearl harbor", strike)
			if broken := c.Refused("pearl harbor", strike); !slices.Equal(broken, []string{"AWAW-48.71-A"}) {
				t.Error(broken)
			}
		}
	}
}

// handed is the draw of a hand of these cards.
func handed(c *rulestest.Harness, f Faction, cards ...string) []rules.Draft {
	draft := rules.Draft{Side: f.Title(), Payload: &events.CardsDrawn{Deck: f.Deck().Name(), Count: CardsDrawn}}
	for i, card := range cards {
		draft.Secrets = append(draft.Secrets, rules.Secret{Slot: fmt.Sprint(f.Title(), i), Fact: rules.Fact(card)})
	}
	return []rules.Draft{draft}
}

// TestLightShipsOfOneName: light ships may be there twice by one name, and both be picked; a named ship is picked once
// (AWAW-HA-DUPLICATE).
func TestLightShipsOfOneName(t *testing.T) {
	c := holding(t, "5", Japan, Tactical)
	attack := fmt.Sprintf(sunk, `"combat group":"1","combat groups":{"1":["Hood","HMS Hood","DD","DD"]}`)
	c.Refused("harbor attack", attack, rules.Answer{Options: []string{"Hood", "HMS Hood"}})
	o := c.Stand("harbor attack", attack, rules.Answer{Options: []string{"DD", "DD"}})
	if p := o.Drafts[len(o.Drafts)-1].Payload.(*events.ResultAdjudicated); len(p.Readings) != 2 {
		t.Error(p.Readings)
	}
}

// TestExactWarnings: what no rule forbids is said in every edition.
func TestExactWarnings(t *testing.T) {
	for _, edition := range []string{"3", "4"} {
		c := rulestest.OpenOn(t, System(), edition, nil, nil)
		c.Stand("turn", `{"turn":"Winter 1941"}`)
		for _, x := range []struct{ verb, body, want string }{
			{"strategic bombing", fmt.Sprintf(bombs, "Essen", `"bombers":6,"defense":{},"theater":"Pacific"`),
				"Essen is said to lie in the Pacific theater"},
			{"strategic bombing", fmt.Sprintf(bombs, "Essen", `"bombers":6,"defense":{},"jets":{"attacker":1}`),
				"jets count in the air combat"},
			{"strategic bombing", fmt.Sprintf(bombs, "Essen",
				`"bombers":6,"defense":{},"air combat":{"attacker":5,"defender":1}`), "6 factors of bombers are over"},
			{"harbor attack", fmt.Sprintf(boarded, "Mers-el-Kébir", "Britain", "France", "Ark Royal", "Dunkerque"),
				"Britain and France are of one side"},
			{"declare war", `{"declare war":{"by":"Britain","on":"France"}}`, "Britain and France are of one side"},
		} {
			o, _ := c.Judge(rules.Command{ID: "x", Verb: x.verb, Body: []byte(x.body)})
			if !strings.Contains(strings.Join(o.Warnings, "; "), x.want) || o.Verdict != rules.Allowed {
				t.Errorf("edition %s: %s: %q %v", edition, x.want, o.Warnings, o.Violations)
			}
		}
		c.Stand("strategic bombing", fmt.Sprintf(bombs, "Essen", `"bombers":6,"defense":{}`))
		o, _ := c.Judge(rules.Command{ID: "x", Verb: "strategic bombing",
			Body: []byte(fmt.Sprintf(bombs, "ESSEN", `"bombers":6,"defense":{}`))})
		if !strings.Contains(strings.Join(o.Warnings, "; "), "has bombed ESSEN in Winter 1941 already") {
			t.Errorf("edition %s: %q", edition, o.Warnings)
		}
	}
}

// TestBare: a name without what it may as well be written without.
func TestBare(t *testing.T) {
	for name, want := range map[string]string{"H.M.S. Ark Royal": "arkroyal", "the  Ark-Royal": "arkroyal",
		"Béarn": "bearn", "TF 8": "tf8", "The": "the", "!": "!", "Yorktown (CV-10)": "yorktowncv10",
		"Midway 1-1": "midway1-1", "Midway 11": "midway11", "The HMS Hood": "hood"} {
		if got := rules.Bare(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
