package g40

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// TestStrikesPassed: once Japan has said that it strikes nowhere in a TURN, the combat goes on as after strikes; it
// spends no token, bars no bombardment, and counts for that TURN alone (G40-KAM-WHEN, G40-KAM-BOMBARD).
func TestStrikesPassed(t *testing.T) {
	c := pacific(t)
	capture, pass := `{"capture":{"territory":"Philippines","by":"US"}}`, `{"kamikaze":{"strikes":{"SZ 35":[]}}}`
	if got := c.Refused("capture", capture); !slices.Equal(got, []string{"G40-KAM-WHEN"}) {
		t.Error(got)
	}
	c.Stand("kamikaze", pass)
	if p := last(t, c, &events.StrikesDeclared{}); p.Power != "Japan" || len(p.Strikes) > 0 || p.Left != 6 {
		t.Errorf("%+v", p)
	}
	if got := c.Refused("kamikaze", pass); !slices.Equal(got, []string{"G40-KAM-DECLARE"}) {
		t.Error(got)
	}
	c.Stand("unload", `{"unload":{"from":"SZ 35","onto":"Philippines","bombarding":3}}`)
	c.Stand("capture", capture)
	c.Stand("attack", `{"attack":{"attacker":"ANZAC","on":"SZ 19","units":{"cruiser":1}}}`)
	if got := c.Refused("collect income", `{"collect income":"ANZAC"}`); !slices.Equal(got, []string{"G40-KAM-WHEN"}) {
		t.Error(got)
	}
	c.Stand("kamikaze", `{"kamikaze":{"strikes":{"SZ 19":["cruiser"]}}}`)
	c.Stand("collect income", `{"collect income":"ANZAC"}`)
	c = on(t, "9", `{"facts":{"control":{"Philippines":"Germany"},"units":{"US":{"SZ 35":{"carrier":1}}}}}`)
	c.Stand("attack", `{"attack":{"attacker":"US","on":"Philippines","from":"SZ 35"}}`)
	c.Stand("kamikaze", pass)
	c.Stand("facts", `{"facts":{"at war":{"US":["Germany"]}}}`) // who passes does not fight
}

// TestStruckAtItsBerth: a ship that is sunk where none was reported is off the board where it was, from edition 11 on:
// in the sea zone that had as many as were declared (GEN-CARRY).
func TestStruckAtItsBerth(t *testing.T) {
	for edition, want := range map[string]string{"9": "35", "10": "35", "11": "26", "12": "26"} {
		c := on(t, edition, `{"facts":{"control":{"Philippines":"Japan"},
			"units":{"US":{"SZ 6":{"destroyer":1},"SZ 26":{"destroyer":2}}}}}`)
		c.Stand("attack", `{"attack":{"attacker":"US","on":"Philippines","from":"SZ 35","units":{"destroyer":2}}}`)
		c.Stand("kamikaze", `{"kamikaze":{"strikes":{"SZ 35":["destroyer"]}}}`, dice([]int{1}))
		if got := last(t, c, &events.UnitsLost{}).Space; got != want+" Sea Zone" {
			t.Errorf("edition %s: struck from %s, want %s", edition, got, want)
		}
	}
}

// TestNothingIsAskedBefore: what is refused as strikes come first, or as out of its step, is refused before an option
// is put to the umpire or a die declared.
func TestNothingIsAskedBefore(t *testing.T) {
	asking := map[string]string{OptionTemporaryControl: rules.Ask, OptionStrategicBomberBonus: rules.Ask,
		OptionOperative: rules.Ask, OptionPrices: rules.Ask}
	c := world(t, asking)
	c.Stand("facts", `{"facts":{"technologies":{"US":["rockets"]},"facilities":{"Malaya":{"air base":3}},
		"control":{"Philippines":"Japan","Malaya":"US"},"units":{"US":{"SZ 35":{"carrier":1,"transport":1}}}}}`)
	c.Stand("attack", `{"attack":{"attacker":"US","on":"Philippines","from":"SZ 35"}}`)
	before := c.Clone(t, 1)
	c.Stand("kamikaze", `{"kamikaze":{"strikes":{"SZ 35":[]}}}`)
	c.Stand("unload", `{"unload":{"from":"SZ 35","onto":"Philippines"}}`)
	raid := `{"bombing raid":{"on":"Japan","targets":{"major ic":1},"interceptors":0}}`
	rockets := `{"rockets":{"from":"Malaya","at":"Japan","facility":"air base"}}`
	for _, x := range []struct {
		after      bool
		verb, body string
		want       string
	}{
		{false, "bombing raid", raid, "G40-KAM-WHEN"},
		{false, "rockets", rockets, "G40-KAM-WHEN"},
		{false, "purchase", `{"purchase":{"power":"ANZAC","cost":3,"units":{"infantry":1}}}`, "G40-KAM-WHEN"},
		{true, "bombing raid", raid, "G40-SBR-INTERCEPT"},
		{true, "rockets", rockets, "G40-TECH-ROCKETS"},
	} {
		campaign := before
		if x.after {
			campaign = c
		}
		o, _ := campaign.Judge(rules.Command{ID: "x", Verb: x.verb, Body: []byte(x.body)})
		if o.Verdict != rules.Refused || o.Need != nil || len(o.Drafts) > 0 || o.Violations[0].Rule != x.want {
			t.Errorf("%s: %s %v, want %s", x.body, o.Verdict, fmt.Sprint(o.Violations), x.want)
		}
	}
}

// TestRefusalsAreMended: what a firm refusal says to do is heard, and then the entry that it refused, or what stands in
// its place.
func TestRefusalsAreMended(t *testing.T) {
	for _, x := range []struct {
		before, entry, rule string
		mend                []string // entries, the last of them the one refused, or what takes its place
	}{
		{`{"facts":{"control":{"Java":"UK"}}}`, `{"facts":{"economies":{"UK":"Pacific"}}}`, "G40-UK-LOOT",
			[]string{`{"facts":{"economies":{"Java":"Pacific"}}}`}},
		{`{"phase":"combat move","player":"Germany"}`, `{"facts":{"control":{"UK":"Germany"}}}`, "G40-UK-LOOT",
			[]string{`{"facts":{"treasury":{"UK Europe":0}}}`, `{"facts":{"control":{"UK":"Germany"}}}`}},
		{`{"phase":"combat move","player":"Germany"}`, `{"facts":{"control":{"UK":"Germany"}}}`, "G40-UK-LOOT",
			[]string{`{"capture":{"territory":"UK","by":"Germany"}}`}},
		{`{"facts":{"at war":{"Japan":["China"]},"units":{"US":{"SZ 19":{"submarine":1}}}}}`,
			`{"attack":{"attacker":"Japan","on":"SZ 19"}}`, "INPUT",
			[]string{`{"facts":{"at war":{"Japan":["China","US"]}}}`, `{"attack":{"attacker":"Japan","on":"SZ 19"}}`}},
	} {
		c := on(t, "9", `{"facts":{"treasury":{"UK Europe":20}}}`)
		verb := func(body string) string { return strings.Split(body, `"`)[1] }
		c.Stand(verb(x.before), x.before)
		if got := c.Refused(verb(x.entry), x.entry); !slices.Equal(got, []string{x.rule}) {
			t.Errorf("%s: %v", x.entry, got)
		}
		for _, body := range x.mend {
			c.Stand(verb(body), body)
		}
	}
}
