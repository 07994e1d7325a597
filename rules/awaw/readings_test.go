package awaw

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestCampaignScope: the cards serve all boxes of the campaign, or the one in which they are compared; in the other box
// they are compared then, or have been.
func TestCampaignScope(t *testing.T) {
	for scope, want := range map[string][2]string{
		"campaign": {"[atlantic indian_ocean]", "[-1 -1] after 1 contest"},
		"per_box":  {"[atlantic]", "[-1 0] after 2 contests"},
	} {
		in := CompareInput{Contest: SubmarineWarfareContest, Acting: EuropeanAxis, Opposing: Britain,
			OpposingCards: []Card{ASW}, Options: Options{CampaignScope: scope}}
		if scope == "per_box" {
			in.Box = Atlantic
		}
		out, f := Compare(in)
		if got := fmt.Sprint(out.AffectedBoxes); f.Refused() || got != want[0] || *out.Modifier != -1 {
			t.Errorf("AMB-AWAW-3, %s: %s at %+d, want %s: %v", scope, got, *out.Modifier, want[0], f.Violations)
		}
		if got := boxesFought(t, scope); got != want[1] {
			t.Errorf("AMB-AWAW-3, %s: %s, want %s", scope, got, want[1])
		}
	}
}

// boxesFought plays one ASW card in the Atlantic and gives the modifiers there and in the Indian Ocean.
func boxesFought(t *testing.T, scope string) string {
	for seed := range uint64(100) {
		c := rulestest.Open(t, System(), nil, map[string]string{"campaign_scope": scope}).Clone(t, seed)
		c.Stand("turn", `{"turn":"Fall 1941"}`)
		c.Stand("draw", `{"draw":"Ultra"}`)
		hand := c.Game().(game).sideOf(Britain).hand
		if !slices.ContainsFunc(hand, func(h held) bool { return h.is(ASW) }) {
			continue
		}
		var nets []int
		c.Stand("submarine warfare", `{"submarine warfare":{"box":"Atlantic","submarines":4,"asw":4},`+
			`"cards":[{"European Axis":"pass"},{"Britain":"asw"}]}`)
		nets = append(nets, lastNet(c))
		c.Stand("submarine warfare", `{"submarine warfare":{"box":"Indian Ocean","side":"European Axis",`+
			`"submarines":4,"asw":4},"cards":[]}`)
		nets = append(nets, lastNet(c))
		contests := 0
		for _, e := range c.Log() {
			contests += oneIf(e.Type == "contest_opened")
		}
		return fmt.Sprintf("%v after %d contest%s", nets, contests, strings.Repeat("s", contests-1))
	}
	return "no ASW card drawn"
}

// lastNet is the net modifier of the last result.
func lastNet(c *rulestest.Harness) int {
	log := c.Log()
	var p events.ResultAdjudicated
	log[len(log)-1].Read(&p)
	return p.Net
}

// TestAdvancedSubmarine: the +1 of an advanced submarine stands alone, or with the other modifiers; without one, or by
// carrier, it is nothing.
func TestAdvancedSubmarine(t *testing.T) {
	for _, c := range []struct {
		reading  string
		advanced bool
		mode     HarborMode
		want     int
	}{
		{"replace", true, BySubmarine, 1}, {"add", true, BySubmarine, 1 - 3 - 2}, {"", true, BySubmarine, 1},
		{"replace", false, BySubmarine, -3 - 2}, {"add", false, BySubmarine, -3 - 2}, {"add", true, ByCarrier, -3 - 2},
	} {
		list, f := HarborModifiers(HarborAttackInput{Mode: c.mode, AdvancedSubmarine: c.advanced, PreviousAttacks: 3,
			CounterIntelligence: true, Options: Options{AdvancedSubmarine: c.reading}})
		if Net(list) != c.want || len(f.Derivation) != len(list) {
			t.Errorf("AMB-AWAW-9, %+v: net %d of %+v", c, Net(list), list)
		}
	}
}

// TestHarborLimits: what a harbor attack uses up, and the ships that are shown, bind: with the same entry one state or
// one list allows what another refuses.
func TestHarborLimits(t *testing.T) {
	attack := func(port, by, more string) string {
		return `{"harbor attack":{"port":"` + port + `","theater":"Europe","attacker":"Britain","defender":"Germany",` +
			`"from":"Leith","distance":9,"by":"` + by + `",` + more + `}}`
	}
	const first = `"result":"7","carrier":"Eagle","targets":["Gneisenau"]`
	for _, x := range []struct{ rule, by, allowed, refused string }{
		{"AWAW-HA-ONE-HEX", "submarine", `"result":"6","targets":["Hipper"]`, `"result":"7","targets":["Hipper"]`},
		{"AWAW-HA-CV-INVERT", "carrier", `"result":"6","carrier":"Argus","targets":["Hipper"]`,
			`"result":"6","carrier":"eagle","targets":["Hipper"]`},
		{"AWAW-HA-CV-REVEAL", "carrier", `"result":"6","carrier":"Argus","in harbor":["Hipper"],"targets":["Hipper"]`,
			`"result":"6","carrier":"Argus","in harbor":["Emden"],"targets":["Hipper"]`},
		{"AWAW-HA-SUB-GROUPS", "submarine",
			`"result":"6","combat groups":{"1":["Hipper"],"2":["Emden"]},"combat group":"1","targets":["Hipper"]`,
			`"result":"6","combat groups":{"1":["Hipper"],"2":["Emden"]},"combat group":"2","targets":["Hipper"]`},
	} {
		c := rulestest.Open(t, System(), nil, nil)
		c.Stand("turn", `{"turn":"Fall 1941"}`)
		c.Stand("facts", `{"facts":{"harbor results":{"Britain":["7","6"]}}}`)
		o := c.Stand("harbor attack", attack("Brest", "carrier", first))
		p := o.Drafts[len(o.Drafts)-1].Payload.(*events.ResultAdjudicated)
		if figure(p.Figures, "carrier inverted") != 1 {
			t.Errorf("AWAW-HA-CV-INVERT: the carrier is not inverted: %+v", p.Figures)
		}
		if got := c.Refused("harbor attack", attack("Kiel", x.by, x.refused)); !slices.Equal(got, []string{x.rule}) {
			t.Errorf("%s: refused by %v", x.rule, got)
		}
		c.Stand("harbor attack", attack("Kiel", x.by, x.allowed))
	}
}
