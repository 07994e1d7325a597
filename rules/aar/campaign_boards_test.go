package aar

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestOpenOnRealBoards: the powers of the house rules play, in the order of the board, with what the
// set-up gives them.
func TestOpenOnRealBoards(t *testing.T) {
	for name, want := range map[string]string{
		"revised":    "[{Russia 24} {Germany 40} {UK 30} {Japan 30} {US 42}]",
		"global1940": "[{Germany 30} {Russia 37} {Japan 26} {US 52} {UK 28} {Italy 10}]",
	} {
		c := rulestest.Open(t, System(), rulestest.TripleA(t, name), nil)
		var opened events.CampaignOpened
		if !c.Log()[0].Read(&opened) || fmt.Sprint(opened.Treasuries) != want ||
			len(opened.Options) != len(OptionList()) || len(opened.Board.Files) != 2 {
			t.Errorf("%s: %+v, want %s", name, opened, want)
		}
		c.Stand("turn", `{"turn":"Round 1"}`)
		for _, power := range opened.Sides {
			c.Stand("collect income", fmt.Sprintf(`{"collect income":%q}`, power))
		}
	}
}

// crowded is the largest real board, 332 spaces, with 60 German submarines where they reach the
// complexes of the UK. With all set, every complex on the board is the UK's.
func crowded(t testing.TB, all bool) *rulestest.Harness {
	t.Helper()
	files := rulestest.TripleA(t, "global1940")
	c := rulestest.Open(t, System(), files, nil)
	b, err := board.Read(board.File(files[0]))
	if err != nil {
		t.Fatal(err)
	}
	c.Stand("turn", `{"turn":"Round 1"}`)
	var zones []string
	for _, s := range b.Spaces() {
		if s.Complex == "" || !all && s.Owner != "British" {
			continue
		}
		c.Stand("facts", fmt.Sprintf(`{"facts":{"control":{%q:"UK"}}}`, s.Name))
		for _, n := range s.Neighbours {
			if zone, err := b.SeaZone(n); err == nil {
				zones = append(zones, n)
				zones = append(zones, slices.DeleteFunc(slices.Clone(zone.Neighbours), func(n string) bool {
					_, err := b.SeaZone(n)
					return err != nil
				})...)
			}
		}
	}
	slices.Sort(zones)
	zones = slices.Compact(zones)
	boats := map[string]int{}
	for i := range 60 {
		boats[zones[i*7%len(zones)]]++
	}
	data, err := json.Marshal(boats)
	if err != nil {
		t.Fatal(err)
	}
	c.Stand("facts", fmt.Sprintf(`{"facts":{"submarines":{"Germany":%s}}}`, data))
	return c
}

var crowdedUK = rules.Command{ID: "uk", Verb: "collect income",
	Body: json.RawMessage(`{"collect income":{"power":"UK","base":100}}`)}

// TestCrowded: all sixty raid.
func TestCrowded(t *testing.T) {
	for _, all := range []bool{false, true} {
		o, _ := crowded(t, all).Judge(crowdedUK)
		raids := 0
		for _, d := range o.Drafts {
			if d.Payload.Type() == "convoy_raided" {
				raids++
			}
		}
		if o.Verdict != rules.Allowed || raids != 60 {
			t.Errorf("%s, %d raids", o.Verdict, raids)
		}
	}
}

// BenchmarkRaid decides one income on the largest real board with 60 submarines, the umpire's
// record apart.
func BenchmarkRaid(b *testing.B) {
	for _, all := range []bool{false, true} {
		c := crowded(b, all)
		b.Run(map[bool]string{false: "of the UK", true: "everywhere"}[all], func(b *testing.B) {
			for b.Loop() {
				if o, _ := c.Judge(crowdedUK); o.Verdict != rules.Allowed {
					b.Fatal(o)
				}
			}
		})
	}
}

// TestDDayOnRealBoards: France and SZ 7 are found by their names on the board of Revised, and in Global
// 1940 France begins in Allied hands (AAR-5-FRANCE).
func TestDDayOnRealBoards(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.TripleA(t, "revised"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("facts", `{"facts":{"submarines":{"Germany":{"SZ 7":1}},"control":{"Southern Europe":"US"}}}`)
	if broken := c.Refused("declare d-day", `{"declare d-day":"Norway"}`); !slices.Equal(broken,
		[]string{"AAR-5-TARGET"}) {
		t.Error(broken)
	}
	c.Stand("declare d-day", `{"declare d-day":"Western Europe"}`)
	landing := `{"d-day":{"units":[{"unit":"1st Army","power":"US","type":"infantry","from":"7 Sea Zone"},` +
		`{"unit":"LSTs","power":"US","type":"transport","carries":["1st Army"]},` +
		`{"unit":"Patton","power":"US","type":"armor","role":"overland","from":"Southern Europe"}%s]}}`
	if broken := c.Refused("d-day",
		fmt.Sprintf(landing, `,{"unit":"Rodney","power":"UK","type":"battleship"}`)); !slices.Equal(broken,
		[]string{"AAR-5-BOMBARD"}) {
		t.Error(broken)
	}
	if broken := c.Refused("turn", `{"turn":"Round 2"}`); !slices.Equal(broken, []string{"AAR-5-NO-CALL-OFF"}) {
		t.Error(broken)
	}
	c.Stand("d-day", fmt.Sprintf(landing, ""))
	c.Stand("turn", `{"turn":"Round 2"}`)

	global := rulestest.Open(t, System(), rulestest.TripleA(t, "global1940"), nil)
	global.Stand("turn", `{"turn":"Round 1"}`)
	if broken := global.Refused("declare d-day", `{"declare d-day":"France"}`); !slices.Equal(broken,
		[]string{"AAR-5-FRANCE"}) {
		t.Error(broken)
	}
}

// TestDDayNextRound: where the US plays before the UK in a ROUND, D-Day comes on the US TURN of the
// next, and until then nothing holds the campaign up (AAR-5-US-TURN).
func TestDDayNextRound(t *testing.T) {
	files := rulestest.Board(t, "straits")
	for i, f := range files {
		swap := strings.NewReplacer(`player="British"`, `player="Americans"`, `player="Americans"`, `player="British"`)
		if strings.HasSuffix(f.Name, ".xml") {
			files[i].Data = []byte(swap.Replace(string(f.Data)))
		}
	}
	c := rulestest.Open(t, System(), files, nil)
	landing := `{"d-day":{"units":[{"unit":"1st Army","power":"US","type":"infantry"},` +
		`{"unit":"LSTs","power":"UK","type":"transport","carries":["1st Army"]}]}}`
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("phase", `{"phase":"combat move","player":"US"}`)
	c.Stand("declare d-day", `{"declare d-day":"France"}`)
	if broken := c.Refused("d-day", landing); !slices.Contains(broken, "AAR-5-US-TURN") {
		t.Error(broken)
	}
	c.Stand("turn", `{"turn":"Round 2"}`)
	for _, player := range []string{"Japan", "UK"} {
		if broken := c.Refused("phase", fmt.Sprintf(`{"phase":"combat move","player":%q}`,
			player)); !slices.Equal(broken, []string{"AAR-5-NO-CALL-OFF"}) {
			t.Error(player, broken)
		}
	}
	c.Stand("d-day", landing)
	c.Stand("phase", `{"phase":"combat move","player":"UK"}`)
}

// TestBookPrices: what the house rules leave alone costs what the board says, unless it was reported otherwise; a house
// price goes before the board's (AAR-6-PRICES, AAR-6-UNKNOWN).
func TestBookPrices(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.TripleA(t, "revised"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("facts", `{"facts":{"prices":{"artillery":6}}}`)
	for units, want := range map[string]int{`"infantry":5`: 15, `"armor":1`: 5, `"AA gun":2`: 10, `"artillery":1`: 6,
		`"destroyer":1`: 8, `"submarine":1,"carrier":1`: 22} {
		o, _ := c.Judge(rules.Command{ID: "buy", Verb: "purchase",
			Body: json.RawMessage(`{"purchase":{"power":"UK","units":{` + units + `}}}`)})
		if p, ok := o.Drafts[len(o.Drafts)-1].Payload.(*events.UnitsPurchased); !ok || p.Cost != want {
			t.Errorf("%s: %+v, want %d", units, o, want)
		}
	}
	for _, body := range []string{`"cost":1,"units":{"infantry":5}`, `"cost":0,"units":{"infantry":2}`, `"cost":9`,
		`"units":{"partisan":1}`} {
		if broken := c.Refused("purchase", `{"purchase":{"power":"UK",`+body+`}}`); !slices.ContainsFunc(broken,
			func(rule string) bool { return rule == "AAR-6-PRICES" || rule == "AAR-6-UNKNOWN" }) {
			t.Error(body, broken)
		}
	}
}
