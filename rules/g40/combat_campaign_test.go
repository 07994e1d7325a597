package g40

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// north is the TURN of Germany against the United Kingdom: what stands there, and what attacks.
func north(t testing.TB, options map[string]string) *rulestest.Harness {
	c := world(t, options)
	c.Stand("facts", `{"facts":{"units":{
		"UK":{"UK":{"fighter":3,"tactical bomber":1,"AA gun":2,"infantry":2},
		"Scotland":{"fighter":4,"tactical bomber":1,"strategic bomber":1},"SZ 109":{"destroyer":1},
		"Malta":{"AA gun":1}},
		"US":{"UK":{"fighter":1}},
		"Germany":{"Western Germany":{"fighter":4,"tactical bomber":3,"strategic bomber":3},
		"SZ 109":{"transport":1}}}}}`)
	c.Stand("attack", `{"attack":{"attacker":"Germany","on":"SZ 109","units":{"submarine":2}}}`)
	c.Stand("attack", `{"attack":{"on":"UK","from":"SZ 109","units":{"infantry":1,"fighter":2,"tactical bomber":2}}}`)
	return c
}

// pacific is the TURN of the US against Japan: an assault from 35, an attack in 19.
func pacific(t testing.TB) *rulestest.Harness {
	c := world(t, nil)
	c.Stand("facts", `{"facts":{"control":{"Philippines":"Japan"},"units":{"Japan":{"SZ 19":{"submarine":1}},
		"US":{"SZ 35":{"carrier":2,"destroyer":1,"transport":2,"submarine":1},"SZ 19":{"battleship":1}},
		"ANZAC":{"SZ 35":{"cruiser":1}}}}}`)
	c.Stand("attack", `{"attack":{"attacker":"US","on":"Philippines","from":"SZ 35"}}`)
	c.Stand("attack", `{"attack":{"on":"SZ 19"}}`)
	return c
}

// battles are campaigns in the middle of a TURN.
func battles(t testing.TB) []*rulestest.Harness {
	asking := map[string]string{}
	for _, o := range OptionList().Free() {
		asking[o.Name] = rules.Ask
	}
	scrambled := north(t, nil)
	scrambled.Stand("scramble", `{"scramble":{"from":"Scotland","to":"SZ 109","units":{"fighter":2}}}`)
	taken := scrambled.Clone(t, 2)
	taken.Stand("facts", `{"facts":{"control":{"Scotland":"Germany"}}}`)
	return []*rulestest.Harness{north(t, asking), scrambled, taken, pacific(t)}
}

func dice(throws ...[]int) rules.Answer { return rules.Answer{Dice: throws} }

func chosen(options ...string) rules.Answer { return rules.Answer{Options: options} }

// TestRaidInCampaign flies a raid step by step: an interceptor shot down does not fire, the attacker
// chooses his losses target by target, each facility fires at its own bombers (G40-SBR-FIRE,
// G40-SBR-RETURN, G40-SBR-AA, G40-SBR-CAP).
func TestRaidInCampaign(t *testing.T) {
	c := north(t, nil)
	c.Stand("facts", `{"facts":{"facilities":{"UK":{"major ic":18,"air base":0}}}}`)
	c.Stand("bombing raid",
		`{"bombing raid":{"on":"UK","targets":{"major ic":2,"air base":{"strategic bomber":1,"tactical bomber":1}},`+
			`"escorts":2}}`,
		chosen("1"), chosen("2"), // the interceptors of the US, of the UK
		dice([]int{1, 4, 4, 4}, []int{5, 6}), // one interceptor is hit
		chosen("UK"),                         // the UK's
		dice([]int{2, 1}),                    // the two that are left hit twice
		chosen("escort", "strategic bomber"),
		chosen("major industrial complex", "major industrial complex"), // the two left are split anew
		dice([]int{1}, []int{6, 6}),                                    // the tactical bomber falls to the air base
		dice([]int{5, 4}))                                              // what is left bombs the complex
	if g := c.Game().(game); fmt.Sprint(g.unitsOf("UK", "United Kingdom")) != "[{infantry 2} {AA gun 2} {fighter 2} "+
		"{tactical bomber 1}]" {
		t.Errorf("%v", g.unitsOf("UK", "United Kingdom"))
	}
	if e := last(t, c, &events.FacilityDamaged{}); e.Facility != "major_ic" || e.Rolled != 9 || e.Damage != 2 ||
		e.Before != 18 {
		t.Errorf("%+v", e)
	}
	if e := last(t, c, &events.ResultAdjudicated{}); e.Procedure != "g40.sbr" || e.Figures[0].Value != 1 ||
		e.Figures[1].Value != 2 {
		t.Errorf("%+v", e)
	}
	for body, broken := range map[string]string{
		// Germany had 3 strategic bombers: all have raided.
		`{"bombing raid":{"on":"UK","targets":{"air base":1},"interceptors":0}}`: "[G40-SBR-AFTER]",
		// 2 of its 3 tactical bombers attack, 1 has raided.
		`{"bombing raid":{"on":"UK","targets":{"air base":{"tactical bomber":1}},"interceptors":0}}`: "[G40-SBR-AFTER]",
	} {
		if got := fmt.Sprint(c.Refused("bombing raid", body)); got != broken {
			t.Errorf("%s: %s, want %s", body, got, broken)
		}
	}
}

// TestRefusedCombat: what combat in a campaign refuses, with every rule that it breaks.
func TestRefusedCombat(t *testing.T) {
	before := north(t, nil)
	scrambled := before.Clone(t, 1)
	scrambled.Stand("scramble",
		`{"scramble":[{"from":"Scotland","to":"SZ 109","units":{"fighter":2}},{"from":"UK","to":"SZ 109",`+
			`"units":{"fighter":2}}]}`)
	fired := before.Clone(t, 1)
	fired.Stand("aa fire", `{"aa fire":{"at":"UK"}}`, dice([]int{2, 2, 2, 2}))
	raided := before.Clone(t, 1)
	raided.Stand("bombing raid",
		`{"bombing raid":{"on":"Scotland","targets":{"air base":1},"escorts":1,"interceptors":3}}`,
		dice([]int{4}, []int{4}), dice([]int{6, 6, 6}), dice([]int{6}), dice([]int{3}))
	landed := scrambled.Clone(t, 1)
	landed.Stand("land", `{"land":{"from":"Scotland"}}`)
	taken := scrambled.Clone(t, 1)
	taken.Stand("facts", `{"facts":{"control":{"Scotland":"Germany"}}}`)
	isles := pacific(t)
	struck := isles.Clone(t, 1)
	struck.Stand("kamikaze",
		`{"kamikaze":{"strikes":{"SZ 35":["US carrier","US carrier","US carrier","US carrier","US carrier"]}}}`)
	later := struck.Clone(t, 1)
	later.Stand("turn", `{"turn":"Round 2"}`)
	later.Stand("attack", `{"attack":{"attacker":"US","on":"SZ 19"}}`)
	later.Stand("kamikaze", `{"kamikaze":{"strikes":{"SZ 19":["battleship"]}}}`)
	later.Stand("turn", `{"turn":"Round 3"}`)
	later.Stand("attack", `{"attack":{"attacker":"US","on":"SZ 19"}}`)
	guarded := world(t, nil)
	guarded.Stand("facts", `{"facts":{"units":{"UK":{"SZ 109":{"submarine":1}},"Germany":{"SZ 109":{"transport":1}}}}}`)
	guarded.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","from":"SZ 109","units":{"infantry":1}}}`)
	for _, c := range []struct {
		campaign   *rulestest.Harness
		verb, body string
		rules      []string
	}{
		{before, "attack", `{"attack":{"on":"UK","units":{"AA gun":1}}}`, []string{"G40-AA-VALUE", "G40-AA-MOVE"}},
		{before, "attack", `{"attack":{"on":"UK","from":"SZ 109","units":{"AA gun":1}}}`, []string{"G40-AA-VALUE"}},
		{before, "attack", `{"attack":{"on":"Malta","from":"SZ 109"}}`, []string{"INPUT"}},
		{before, "attack", `{"attack":{"on":"Southern Italy"}}`, []string{"INPUT"}},
		{scrambled, "attack", `{"attack":{"on":"SZ 110"}}`, []string{"G40-SCR-TIME"}},
		{fired, "attack", `{"attack":{"on":"SZ 110"}}`, []string{"INPUT"}},

		{before, "scramble", `{"scramble":{"from":"Scotland","to":"SZ 109","units":{"fighter":4}}}`,
			[]string{"G40-SCR-THREE"}},
		{before, "scramble", `{"scramble":{"from":"Scotland","to":"SZ 109","units":{"strategic bomber":1}}}`,
			[]string{"G40-SCR-TYPE"}},
		{before, "scramble", `{"scramble":{"from":"Scotland","to":"SZ 109","units":{"infantry":1}}}`,
			[]string{"G40-SCR-TYPE"}},
		{before, "scramble", `{"scramble":{"from":"Scotland","to":"SZ 119","units":{"fighter":1}}}`,
			[]string{"G40-SCR-WHY"}},
		{before, "scramble", `{"scramble":{"from":"Scotland","to":"SZ 110","units":{"fighter":1}}}`,
			[]string{"G40-SCR-ZONE", "G40-SCR-WHY"}},
		{before, "scramble", `{"scramble":{"from":"Malta","to":"SZ 109","units":{"fighter":1}}}`,
			[]string{"G40-SCR-BASE", "G40-SCR-ZONE", "G40-SCR-BASE"}},
		{before, "scramble", `{"scramble":{"from":"Scotland","to":"SZ 109","units":{"tactical bomber":2}}}`,
			[]string{"G40-SCR-BASE"}},
		{before, "scramble", `{"scramble":{"from":"Western Germany","to":"SZ 112","units":{"fighter":1}}}`,
			[]string{"G40-SCR-WHY", "INPUT"}},
		{scrambled, "scramble",
			`{"scramble":{"from":"Scotland","to":"SZ 109","units":{"fighter":1,"tactical bomber":1}}}`,
			[]string{"G40-SCR-THREE"}},
		{scrambled, "scramble", `{"scramble":{"power":"US","from":"UK","to":"SZ 109","units":{"fighter":2}}}`,
			[]string{"G40-SCR-THREE", "G40-SCR-BASE"}},
		{fired, "scramble", `{"scramble":{"from":"Scotland","to":"SZ 109","units":{"fighter":1}}}`,
			[]string{"G40-SCR-TIME"}},
		{raided, "scramble", `{"scramble":{"from":"Scotland","to":"SZ 109","units":{"fighter":2}}}`,
			[]string{"G40-SCR-TIME", "G40-SBR-INTERCEPT"}},

		{scrambled, "land", `{"land":{"from":"Malta"}}`, []string{"INPUT"}},
		{scrambled, "land", `{"land":{"from":"Scotland","survivors":3}}`, []string{"INPUT"}},
		{scrambled, "land", `{"land":{"from":"Scotland","at":{"UK":1}}}`, []string{"G40-SCR-LAND"}},
		{landed, "land", `{"land":{"from":"Scotland"}}`, []string{"G40-SCR-LAND"}},
		{taken, "land", `{"land":{"from":"Scotland","at":{"Quebec":1}}}`, []string{"G40-SCR-LAND"}},
		{taken, "land", `{"land":{"from":"Scotland","at":{"SZ 109":1}}}`, []string{"G40-SCR-LAND"}},
		{taken, "land", `{"land":{"from":"Scotland","at":{"Scotland":1}}}`, []string{"G40-SCR-LAND"}},

		{before, "aa fire", `{"aa fire":{"at":"UK","round":2}}`, []string{"G40-AA-ONCE"}},
		{fired, "aa fire", `{"aa fire":{"at":"UK"}}`, []string{"G40-AA-ONCE"}},
		{before, "aa fire", `{"aa fire":{"at":"UK","aircraft":{"fighter":3}}}`, []string{"G40-AA-TARGET"}},
		{before, "aa fire", `{"aa fire":{"at":"UK","aircraft":{"infantry":1}}}`, []string{"G40-AA-TARGET"}},
		{before, "aa fire", `{"aa fire":{"at":"UK","guns":3}}`, []string{"INPUT"}},
		{raided, "aa fire", `{"aa fire":{"at":"Scotland","aircraft":{"strategic bomber":1},"guns":1}}`,
			[]string{"G40-AA-RAID", "INPUT"}},

		{before, "bombing raid", `{"bombing raid":{"on":"UK","targets":{"major ic":{"tactical bomber":1}}}}`,
			[]string{"G40-SBR-TAC"}},
		{before, "bombing raid", `{"bombing raid":{"on":"UK","targets":{"minor ic":1}}}`, []string{"G40-SBR-STRAT"}},
		{before, "bombing raid", `{"bombing raid":{"on":"UK","targets":{},"escorts":1}}`, []string{"G40-SBR-ESCORT"}},
		{before, "bombing raid", `{"bombing raid":{"on":"UK","targets":{"major ic":1},"escorts":3}}`,
			[]string{"G40-SBR-ESCORT"}},
		{before, "bombing raid", `{"bombing raid":{"on":"UK","targets":{"major ic":4}}}`, []string{"G40-SBR-AFTER"}},
		{before, "bombing raid", `{"bombing raid":{"on":"UK","targets":{"major ic":1},"interceptors":4}}`,
			[]string{"G40-SBR-INTERCEPT"}},
		{scrambled, "bombing raid", `{"bombing raid":{"on":"UK","targets":{"major ic":1},"interceptors":2}}`,
			[]string{"G40-SCR-FIGHT"}},
		{raided, "bombing raid", `{"bombing raid":{"on":"Scotland","targets":{"air base":1},"interceptors":2}}`,
			[]string{"G40-SBR-INTERCEPT"}},
		{before, "bombing raid", `{"bombing raid":{"on":"Egypt","targets":{"naval base":1}}}`, []string{"INPUT"}},
		{before, "bombing raid", `{"bombing raid":{"on":"Southern Italy","targets":{"naval base":1},"interceptors":0}}`,
			[]string{"INPUT"}},

		{before, "kamikaze", `{"kamikaze":{"strikes":{"SZ 109":["Germany transport"]}}}`,
			[]string{"G40-KAM-ZONE", "G40-KAM-WHEN", "G40-KAM-TARGET"}},
		{isles, "kamikaze", `{"kamikaze":{"power":"Germany","strikes":{"SZ 35":["US carrier"]}}}`,
			[]string{"G40-KAM-WHO"}},
		{isles, "kamikaze", `{"kamikaze":{"strikes":{"SZ 35":["US transport","US submarine"]}}}`,
			[]string{"G40-KAM-TARGET", "G40-KAM-TARGET"}},
		{isles, "kamikaze", `{"kamikaze":{"strikes":{"SZ 35":["US destroyer #2"]}}}`, []string{"G40-KAM-TARGET"}},
		{isles, "kamikaze", `{"kamikaze":{"strikes":{"SZ 35":["US fighter"]}}}`, []string{"G40-KAM-TARGET"}},
		{isles, "kamikaze", `{"kamikaze":{"strikes":{"SZ 6":["US carrier"]}}}`, []string{"G40-KAM-WHEN"}},
		{isles, "kamikaze",
			`{"kamikaze":{"strikes":{"SZ 35":["carrier","carrier","carrier","carrier","carrier","carrier",
				"carrier"]}}}`, []string{"G40-KAM-SIX"}},
		{struck, "kamikaze", `{"kamikaze":{"strikes":{"SZ 35":["ANZAC cruiser"]}}}`, []string{"G40-KAM-DECLARE"}},
		{later, "kamikaze", `{"kamikaze":{"strikes":{"SZ 19":["battleship"]}}}`, []string{"G40-KAM-SIX"}},
		{struck, "unload", `{"unload":{"from":"SZ 35","onto":"Philippines","bombarding":1}}`,
			[]string{"G40-KAM-BOMBARD"}},

		{before, "unload", `{"unload":{"from":"SZ 110","onto":"UK"}}`, []string{"INPUT"}},
		{guarded, "unload", `{"unload":{"from":"SZ 109","onto":"UK"}}`, []string{"G40-SUB-UNLOAD"}},
	} {
		if got := slices.Compact(c.campaign.Clone(t, 1).Refused(c.verb, c.body)); !slices.Equal(got,
			slices.Compact(c.rules)) {
			t.Errorf("%s %s: %v, want %v", c.verb, c.body, got, c.rules)
		}
	}
}

// TestKamikazeZonesOfRealBoard: the real board marks no symbols, so it is the sea zones around the
// six islands of the text (G40-KAM-ZONE, AMB-G40-5); players know them by these numbers.
func TestKamikazeZonesOfRealBoard(t *testing.T) {
	g := rulestest.Open(t, System(), rulestest.TripleA(t, "global1940"), nil).Game().(game)
	var zones []string
	for _, s := range g.Board.Spaces() {
		if g.hasSymbol(s) {
			zones = append(zones, strings.TrimSuffix(s.Name, " Sea Zone"))
		}
	}
	slices.Sort(zones)
	if got := strings.Join(zones, " "); got != "17 19 20 22 35 6" {
		t.Errorf("the symbol is in %s", got)
	}
}

// TestScrambleOnRealBoard is the source's own example: Scotland and the United Kingdom both reach sea
// zone 109, the United Kingdom 110 too, each with three in all (G40-SCR-THREE, G40-SCR-ZONE).
func TestScrambleOnRealBoard(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.TripleA(t, "global1940"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("attack", `{"attack":{"attacker":"Germany","on":"SZ 109"}}`)
	c.Stand("attack", `{"attack":{"on":"SZ 110"}}`)
	c.Stand("scramble",
		`{"scramble":[{"from":"Scotland","to":"SZ 109","units":{"fighter":3}},{"from":"UK","to":"SZ 109",`+
			`"units":{"fighter":2}}]}`)
	if got := c.Refused("scramble",
		`{"scramble":{"from":"Scotland","to":"SZ 110","units":{"fighter":1}}}`); !slices.Equal(got,
		[]string{"G40-SCR-THREE", "G40-SCR-ZONE"}) {
		t.Error(got)
	}
	if got := c.Refused("scramble",
		`{"scramble":{"from":"UK","to":"SZ 110","units":{"fighter":2}}}`); !slices.Equal(got,
		[]string{"G40-SCR-THREE"}) {
		t.Error(got)
	}
	c.Stand("scramble", `{"scramble":{"from":"UK","to":"SZ 110","units":{"tactical bomber":1}}}`)
}

// TestCorrectedCombat: a correction takes the place of what it corrects, for what follows from it: a
// strike less leaves its token, a raid less its bombers (G40-KAM-SIX, G40-SBR-AFTER).
func TestCorrectedCombat(t *testing.T) {
	c := pacific(t)
	c.Stand("kamikaze", `{"kamikaze":{"strikes":{"SZ 35":["US carrier","US carrier","US carrier"]}}}`)
	if left := c.Game().(game).tokens(); left != 3 {
		t.Fatalf("%d tokens left", left)
	}
	var declared uint64
	for _, e := range c.Log() {
		if e.Type == (*events.StrikesDeclared)(nil).Type() {
			declared = e.Index
		}
	}
	p := &events.StrikesDeclared{Power: "Japan",
		Strikes: []events.Strike{{Zone: "35 Sea Zone", Owner: "US", Ship: "carrier", Nth: 1}}, Left: 5}
	was := c.Game().(game)
	c.Correct(declared, p)
	if g := c.Game().(game); g.tokens() != 5 || !g.struckIn("35 Sea Zone") {
		t.Errorf("%d tokens left", g.tokens())
	}
	if was.tokens() != 3 {
		t.Error("the state that was corrected changed")
	}
}

// TestNothingReported: where no units were reported entries give what there is, also after losses.
func TestNothingReported(t *testing.T) {
	c := world(t, nil)
	c.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","units":{"fighter":2}}}`)
	c.Stand("bombing raid", `{"bombing raid":{"on":"UK","targets":{"air base":1},"interceptors":1}}`, dice([]int{1}),
		dice([]int{6}), dice([]int{6}))
	if e := last(t, c, &events.UnitsLost{}); e.Power != "UK" || fmt.Sprint(e.Units) != "[{fighter 1}]" ||
		e.Chosen != "" {
		t.Errorf("%+v", e)
	}
	c.Stand("bombing raid", `{"bombing raid":{"on":"Scotland","targets":{"air base":1},"interceptors":2}}`,
		dice([]int{6}), dice([]int{1, 2}))
	c.Stand("aa fire", `{"aa fire":{"at":"UK","guns":1}}`, dice([]int{1, 2}))
	if e := last(t, c, &events.UnitsLost{}); e.Power != "Germany" || e.Cause != "AA fire" || e.Units[0].Count != 1 {
		t.Errorf("%+v", e)
	}
}

// TestBombardOnce: no more ships bombard from a sea zone in a TURN than were there, in however many entries.
func TestBombardOnce(t *testing.T) {
	c := world(t, nil)
	c.Stand("facts", `{"facts":{"units":{"Germany":{"SZ 110":{"cruiser":1,"transport":2}}}}}`)
	c.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","from":"SZ 110"}}`)
	joined := c.Clone(t, 1)
	if got := c.Refused("unload", `{"unload":{"from":"SZ 110","onto":"UK","bombarding":2}}`); got[0] != "INPUT" {
		t.Error(got)
	}
	c.Stand("unload", `{"unload":{"from":"SZ 110","onto":"UK","bombarding":1}}`)
	if got := c.Refused("unload", `{"unload":{"from":"SZ 110","onto":"UK","bombarding":1}}`); got[0] != "INPUT" {
		t.Error(got)
	}
	c.Stand("unload", `{"unload":{"from":"SZ 110","onto":"UK"}}`)
	joined.Stand("attack", `{"attack":{"on":"UK","from":"SZ 110","units":{"cruiser":2}}}`) // that came in the TURN
	joined.Stand("unload", `{"unload":{"from":"SZ 110","onto":"UK","bombarding":2}}`)
}

// TestWarshipsSentAreThere: a warship that was declared to attack in a sea zone, or to support an assault from it, is
// there at the end of the Combat Move, wherever it was reported (G40-SUB-UNLOAD); one that attacks elsewhere is not.
func TestWarshipsSentAreThere(t *testing.T) {
	for attack, want := range map[string]bool{
		`{"attack":{"attacker":"Germany","on":"SZ 109","units":{"cruiser":1}}}`:             true,
		`{"attack":{"attacker":"Germany","on":"UK","from":"SZ 109","units":{"cruiser":1}}}`: true,
		`{"attack":{"attacker":"Germany","on":"SZ 109","units":{"submarine":1}}}`:           true,
		`{"attack":{"attacker":"Germany","on":"SZ 109","units":{"fighter":1}}}`:             false,
		`{"attack":{"attacker":"Germany","on":"SZ 110","units":{"cruiser":1}}}`:             false,
	} {
		c := world(t, nil)
		c.Stand("facts", `{"facts":{"units":{"UK":{"SZ 109":{"submarine":1}},"Germany":{"SZ 109":{"transport":1}}}}}`)
		c.Stand("attack", attack)
		c.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","from":"SZ 109","units":{"infantry":1}}}`)
		unload := `{"unload":{"from":"SZ 109","onto":"UK","warships":1}}`
		if !want {
			if got := c.Refused("unload", unload); !slices.Equal(got, []string{"G40-SUB-UNLOAD"}) {
				t.Errorf("%s: %v", attack, got)
			}
			continue
		}
		c.Stand("unload", unload)
		if p := last(t, c, &events.TransportsUnloaded{}); p.Warships != 1 || p.Submarines != 1 {
			t.Errorf("%s: %+v", attack, p)
		}
	}
}

// TestFiredAtOnce: aircraft that an entry of AA fire gives attack there, and fight nowhere else in the TURN, shot down
// or not (G40-SBR-AFTER, G40-SBR-ESCORT); what raided is not fired at (G40-AA-TARGET), nor more than there is.
func TestFiredAtOnce(t *testing.T) {
	c := world(t, nil)
	c.Stand("facts", `{"facts":{"units":{"Germany":{"Western Germany":{"fighter":3,"strategic bomber":2}},
		"UK":{"UK":{"AA gun":2,"infantry":1}}}}}`)
	c.Stand("phase", `{"phase":"conduct combat","player":"Germany"}`)
	raided := c.Clone(t, 1)
	more := `{"aa fire":{"at":"UK","aircraft":{"fighter":4}}}`
	if got := c.Refused("aa fire", more); !slices.Equal(got, []string{"G40-AA-TARGET"}) {
		t.Error(got)
	}
	c.Stand("aa fire", `{"aa fire":{"at":"UK","aircraft":{"fighter":2,"strategic bomber":1}}}`, dice([]int{2, 3, 4}))
	for raid, want := range map[string]string{
		`{"bombing raid":{"on":"UK","targets":{"major ic":2},"interceptors":0}}`:             "G40-SBR-AFTER",
		`{"bombing raid":{"on":"UK","targets":{"major ic":1},"escorts":2,"interceptors":0}}`: "G40-SBR-ESCORT",
	} {
		if got := c.Refused("bombing raid", raid); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v", raid, got)
		}
	}
	left := `{"bombing raid":{"on":"UK","targets":{"major ic":1},"escorts":1,"interceptors":0}}` // which comes too late
	if got := c.Refused("bombing raid", left); !slices.Equal(got, []string{"G40-SBR-INTERCEPT"}) {
		t.Error(got)
	}
	raided.Stand("bombing raid", `{"bombing raid":{"on":"Scotland","targets":{"air base":2},"interceptors":0}}`,
		dice([]int{6, 6}), dice([]int{1, 1}))
	shot := `{"aa fire":{"at":"UK","aircraft":{"strategic bomber":1}}}`
	if got := raided.Refused("aa fire", shot); !slices.Equal(got, []string{"G40-AA-TARGET"}) {
		t.Error(got)
	}
}
