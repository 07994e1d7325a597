package g40

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// world is a campaign on the board that comes with watu, in its first ROUND.
func world(t testing.TB, options map[string]string) *rulestest.Harness {
	t.Helper()
	c := rulestest.Open(t, System(), rulestest.Board(t, "two-oceans"), options)
	c.Stand("turn", `{"turn":"Round 1"}`)
	return c
}

// campaigns are campaigns at points where different things may be done.
func campaigns(t testing.TB) []*rulestest.Harness {
	t.Helper()
	opened := rulestest.Open(t, System(), rulestest.Board(t, "two-oceans"), nil)
	first := world(t, nil)
	asking := map[string]string{}
	for _, o := range OptionList().Free() {
		asking[o.Name] = rules.Ask
	}
	armed := world(t, asking)
	armed.Stand("facts",
		`{"facts":{"technologies":{"Germany":["rockets"],"UK":["rockets"],"Japan":["super submarines"]},
		"units":{"Germany":{"SZ 109":{"submarine":2},"SZ 119":{"submarine":1,"cruiser":1}},
		"Japan":{"SZ 39":{"submarine":2,"destroyer":1}},"UK":{"SZ 112":{"submarine":1}}},
		"facilities":{"Western Germany":{"major ic":4,"air base":0},"Egypt":{"naval base":4}}}}`)
	bought := armed.Clone(t, 1)
	bought.Stand("purchase", `{"purchase":{"power":"Germany","cost":6,"units":{"tank":1}}}`)
	late := world(t, nil)
	late.Stand("facts",
		`{"facts":{"control":{"UK":"Germany","France":"Germany","Malta":"Italy"},"facilities":{"UK":["minor ic"]}}}`)
	late.Stand("phase", `{"phase":"conduct combat","player":"UK"}`)
	boardless := rulestest.New(t, System(), nil)
	return append([]*rulestest.Harness{opened, first, armed, bought, late, boardless}, battles(t)...)
}

func FuzzDecide(f *testing.F) { rulestest.FuzzDecide(f, campaigns(f)) }

func FuzzEvolve(f *testing.F) { rulestest.FuzzEvolve(f, campaigns(f)) }

func TestEntries(t *testing.T) { rulestest.EveryEntry(t, campaigns(t)) }

func TestOddEntries(t *testing.T) {
	rulestest.OddEntries(t, campaigns(t), "UK", "UK Pacific", "SZ 109", "India", "submarine", "air base", "neutral")
}

// TestRefusedEntries: what a campaign refuses beside the requests, with every rule that it breaks.
func TestRefusedEntries(t *testing.T) {
	lost := world(t, nil) // London has fallen
	lost.Stand("facts",
		`{"facts":{"control":{"UK":"Germany"},"facilities":{"Egypt":{"naval base":2}},"treasury":{"UK Europe":9}}}`)
	free := world(t, nil)
	free.Stand("facts",
		`{"facts":{"technologies":{"Germany":["rockets"],"US":["improved shipyards"]},"control":{"France":"Germany"},`+
			`"facilities":{"France":["minor ic","air base"],"Egypt":{"naval base":2}},"at war":{"Japan":["China"]}}}`)
	fired := free.Clone(t, 1)
	fired.Stand("rockets", `{"rockets":{"from":"Western Germany","at":"UK","facility":"air base"}}`)
	for _, c := range []struct {
		campaign   *rulestest.Harness
		verb, body string
		rules      []string
	}{
		{free, "research", `{"research":{"power":"UK","cost":10,"europe":5,"pacific":4}}`, []string{"G40-UK-RD"}},
		{free, "research", `{"research":{"power":"UK","cost":20,"europe":20}}`,
			[]string{"G40-UK-SEPARATE", "G40-UK-RD"}},
		{lost, "research", `{"research":{"power":"UK","cost":5,"europe":5}}`, []string{"G40-UK-HELD"}},
		{free, "purchase", `{"purchase":{"power":"UK Pacific","units":{"infantry":3}}}`, []string{"G40-UK-SEPARATE"}},
		{free, "purchase", `{"purchase":{"power":"UK","cost":9}}`, []string{"INPUT"}},
		{lost, "purchase", `{"purchase":{"power":"UK Europe","units":{"infantry":3}}}`, []string{"G40-UK-HELD"}},
		{free, "purchase", `{"purchase":{"power":"Germany","cost":9,"units":{"AA gun":2}}}`, []string{"G40-AA-COST"}},
		{free, "purchase", `{"purchase":{"power":"US","cost":8,"units":{"cruiser":1}}}`, []string{"G40-TECH-SHIPYARD"}},
		{lost, "repair", `{"repair":{"power":"UK Europe","cost":0,"facilities":{"Egypt":{"naval base":2}}}}`,
			[]string{"G40-UK-HELD"}},
		{lost, "repair", `{"repair":{"power":"UK Pacific","cost":2,"facilities":{"Egypt":{"naval base":2}}}}`,
			[]string{"G40-UK-SEPARATE"}},
		{free, "repair", `{"repair":{"power":"UK Europe","cost":3,"facilities":{"Egypt":{"naval base":3}}}}`,
			[]string{"INPUT"}},
		{free, "build", `{"build":{"power":"Germany","territory":"France","facility":"major ic","cost":5}}`,
			[]string{"G40-IC-CAPTURED", "G40-IC-MAJOR"}},
		{free, "build", `{"build":{"power":"UK Europe","territory":"Malaya","facility":"minor ic","cost":2}}`,
			[]string{"G40-UK-MOBILIZE"}},
		{free, "build", `{"build":{"power":"UK Europe","territory":"UK","facility":"minor ic","cost":2}}`,
			[]string{"INPUT"}},
		{free, "mobilize", `{"mobilize":{"power":"UK Europe","units":{"India":{"infantry":1}}}}`,
			[]string{"G40-UK-MOBILIZE"}},
		{free, "mobilize", `{"mobilize":{"power":"UK Pacific","units":{"SZ 37":{"destroyer":1}}}}`,
			[]string{"G40-UK-MOBILIZE"}},
		{free, "mobilize", `{"mobilize":{"power":"UK Pacific","units":{"India":{"infantry":1}}}}`,
			[]string{"G40-UK-MOBILIZE"}},
		{lost, "collect income", `{"collect income":"UK Europe"}`, []string{"G40-UK-HELD"}},
		{lost, "collect income", `{"collect income":{"power":"UK Pacific","base":9}}`, []string{"G40-UK-NO-TRANSFER"}},
		{free, "capture", `{"capture":{"territory":"Philippines","by":"Japan"}}`, []string{"INPUT"}},
		{free, "capture", `{"capture":{"territory":"Eastern United States","by":"Germany"}}`, []string{"INPUT"}},
		{free, "rockets", `{"rockets":{"from":"UK","at":"Western Germany","facility":"air base"}}`,
			[]string{"G40-TECH-ROCKETS"}},
		{free, "rockets", `{"rockets":{"from":"Western Germany","at":"Philippines","facility":"air base"}}`,
			[]string{"G40-TECH-ROCKETS"}},
		{free, "rockets", `{"rockets":{"from":"Germany","at":"UK","facility":"air base"}}`,
			[]string{"G40-TECH-ROCKETS"}},
		{free, "rockets", `{"rockets":{"from":"Western Germany","at":"Southern Italy","facility":"air base"}}`,
			[]string{"G40-TECH-ROCKETS"}},
		{free, "facts", `{"facts":{"facilities":{"Malta":["minor ic","major ic"]}}}`, []string{"G40-SBR-ONE"}},
		{fired, "rockets", `{"rockets":{"from":"Western Germany","at":"UK","facility":"naval base"}}`,
			[]string{"G40-TECH-ROCKETS"}},
	} {
		if got := slices.Compact(c.campaign.Clone(t, 1).Refused(c.verb, c.body)); !slices.Equal(got, c.rules) {
			t.Errorf("%s %s: %v, want %v", c.verb, c.body, got, c.rules)
		}
	}
}

// TestOpenOnRealBoard: the powers in their order of play; the United Kingdom is one with two
// treasuries (G40-UK-COLLECT). Facts tell what the board does not: which bases operate (AMB-G40-4) and
// where convoys run (AMB-G40-5).
func TestOpenOnRealBoard(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.TripleA(t, "global1940"), map[string]string{OptionOperative: "stated"})
	var opened events.CampaignOpened
	if !c.Log()[0].Read(&opened) ||
		fmt.Sprint(opened.Sides) != "[Germany Russia Japan US China UK Italy ANZAC France]" ||
		fmt.Sprint(opened.Treasuries) != "[{Germany 30} {Russia 37} {Japan 26} {US 52} {China 12} {UK Europe 28} {UK "+
			"Pacific 17} {Italy 10} {ANZAC 10} {France 19}]" ||
		len(opened.Options) != len(OptionList()) {
		t.Errorf("%+v", opened)
	}
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("facts",
		`{"facts":{"control":{"Malta":"Italy","India":"UK Pacific"},"at war":{"Japan":["China"]},
			"technologies":{"Germany":["rockets"]},
		"facilities":{"Malta":["air base"],"Egypt":{"minor ic":2,"naval base":{"damage":3,"operative":false}}},
		"units":{"Germany":{"SZ 109":{"submarines":2,"aircraft carrier":1}}},
		"economies":{"Java":"UK Pacific"},"convoys":{"SZ 2":1},"treasury":{"UK Europe":3}}}`)
	g := c.Game().(game)
	for territory, want := range map[string]Economy{"India": Pacific, "Java": Pacific, "Egypt": Europe,
		"Philippines": Pacific, "Germany": Europe} {
		s, err := g.Board.Territory(territory)
		if got := g.economyOf(s); err != nil || got != want {
			t.Errorf("%s falls under %s, %v", territory, got, err)
		}
	}
	if g.atWar("Japan", "UK") || g.atWar("UK", "Japan") || !g.atWar("China", "Japan") || !g.atWar("Germany", "UK") {
		t.Error("who is at war?")
	}
	s, _ := g.Board.Territory("Egypt")
	if got := fmt.Sprint(g.standing(s)); got != "[{minor_ic 2 false} {naval_base 3 true}]" {
		t.Errorf("in Egypt stands %s", got)
	}
	if got := fmt.Sprint(g.unitsOf("Germany", "109 Sea Zone")); got != "[{submarine 2} {carrier 1}]" {
		t.Errorf("Germany has %s", got)
	}
}

// last reads the last event of a type.
func last[P events.Payload](t *testing.T, c *rulestest.Harness, p P) P {
	t.Helper()
	log := c.Log()
	for i := len(log) - 1; i >= 0; i-- {
		if log[i].Read(p) {
			return p
		}
	}
	t.Fatalf("there is no %s", p.Type())
	return p
}

// TestRealConvoys is the source's own example on the real board: Scotland touches the convoys of 109
// and 119 and loses 2 at most (G40-CONVOY-CAP); what 109 cannot take there it takes of the United
// Kingdom (G40-CONVOY-FLOW).
func TestRealConvoys(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.TripleA(t, "global1940"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("facts",
		`{"facts":{"units":{"Germany":{"SZ 119":{"submarine":2}},"Japan":{"SZ 39":{"submarine":1}}},"at `+
			`war":{"Japan":["China"]}}}`)
	first := c.Clone(t, 1)
	first.Stand("collect income", `{"collect income":{"power":"UK Europe","objectives":5}}`)
	if e := last(t, first, &events.IncomeCollected{}); e.Damage != 2 || e.Base != 28 || e.Net != 31 ||
		e.Treasury != 59 || e.Power != "UK Europe" {
		t.Errorf("%+v", e)
	}
	c.Stand("facts", `{"facts":{"units":{"Germany":{"SZ 109":{"submarine":1}},"Italy":{"SZ 109":{"destroyer":1}}}}}`)
	c.Stand("collect income", `{"collect income":"UK Europe"}`)
	if e := last(t, c, &events.IncomeCollected{}); e.Damage != 6 || e.Net != 22 {
		t.Errorf("%+v", e)
	}
	c.Stand("collect income", `{"collect income":"UK Pacific"}`)
	if e := last(t, c, &events.IncomeCollected{}); e.Damage != 0 || e.Net != 17 || e.Treasury != 34 {
		t.Errorf("Japan is not at war: %+v", e)
	}
}

// TestRealRockets: from Western Germany the United Kingdom is three spaces away, across the sea; over
// Switzerland, Turkey or Spain nothing flies (G40-TECH-ROCKETS-NEUTRAL).
func TestRealRockets(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.TripleA(t, "global1940"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("facts", `{"facts":{"technologies":{"Germany":["rockets"]}}}`)
	c.Stand("rockets", `{"rockets":{"from":"Western Germany","at":"UK","facility":"major ic"}}`)
	hit := last(t, c, &events.FacilityDamaged{})
	if hit.Distance != 3 || hit.Limit != 20 || hit.Damage != hit.Rolled || hit.Victim != "UK" || hit.Declared == 0 {
		t.Errorf("%+v", hit)
	}
	g := c.Game().(game)
	s, _ := g.Board.Territory("UK")
	if f, ok := g.facility(s, MajorIC); !ok || f.Damage != hit.Damage {
		t.Errorf("it has %+v", f)
	}
	if got := c.Refused("rockets",
		`{"rockets":{"from":"Western Germany","at":"Russia","facility":"major ic"}}`); !slices.Contains(got,
		"G40-TECH-ROCKETS") {
		t.Error(got)
	}
}

// TestAcrossNeutrals: what is in range across a neutral alone is out of reach.
func TestAcrossNeutrals(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.TripleA(t, "global1940"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("facts",
		`{"facts":{"technologies":{"UK":["rockets"],"Italy":["rockets"]},
			"facilities":{"Gibraltar":["air base","naval base"],"Northern Italy":["air base","major ic"]},
		"control":{"Western Germany":"UK","France":"Italy"}}}`)
	g := c.Game().(game)
	found := false
	for _, from := range []string{"Gibraltar", "Northern Italy", "UK", "Western Germany"} {
		for _, at := range g.Board.Spaces() {
			for _, f := range g.standing(at) {
				body, _ := json.Marshal(map[string]any{"rockets": map[string]string{"from": from, "at": at.Name,
					"facility": f.Kind}})
				o, _ := c.Judge(rules.Command{ID: "x", Verb: "rockets", Body: body})
				found = found ||
					slices.ContainsFunc(o.Violations,
						func(v rules.Violation) bool { return v.Rule == "G40-TECH-ROCKETS-NEUTRAL" })
			}
		}
	}
	if !found {
		t.Error("no neutral is in the way of anything")
	}
}
