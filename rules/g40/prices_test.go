package g40

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestCostOfBuilding: what is built at another cost is refused with the cost to write, for without one it is placed of
// what was bought before (AMB-G40-9).
func TestCostOfBuilding(t *testing.T) {
	c := world(t, nil)
	o, _ := c.Judge(rules.Command{ID: "b", Verb: "build",
		Body: []byte(`{"build":{"power":"Germany","territory":"Germany","facility":"air base","cost":1}}`)})
	want := "1 air base at 15 IPCs each, as on the board: what is bought here costs 15 in all, and 1 is given: write " +
		"cost: 15"
	if len(o.Violations) != 1 || o.Violations[0].Message != want {
		t.Errorf("%+v, want %s", o.Violations, want)
	}
}

// TestExactPrices: a purchase needs no cost, and one that differs is refused by what prices it (G40-AA-COST,
// G40-TECH-SHIPYARD, AMB-G40-9).
func TestExactPrices(t *testing.T) {
	c := world(t, nil)
	c.Stand("facts", `{"facts":{"technologies":{"US":["improved shipyards"]},"treasury":{"Germany":99,"US":99}}}`)
	for body, want := range map[string][]string{
		`{"power":"Germany","cost":1,"units":{"infantry":5}}`:            {"AMB-G40-9"},
		`{"power":"Germany","cost":0,"units":{"infantry":2}}`:            {"AMB-G40-9"},
		`{"power":"Germany","cost":16,"units":{"infantry":5}}`:           {"AMB-G40-9"},
		`{"power":"Germany","cost":6,"units":{"AA gun":1}}`:              {"G40-AA-COST"},
		`{"power":"US","cost":12,"units":{"cruiser":1}}`:                 {"G40-TECH-SHIPYARD"},
		`{"power":"US","cost":10,"units":{"cruiser":1,"infantry":1}}`:    {"AMB-G40-9", "G40-TECH-SHIPYARD"},
		`{"power":"US","cost":5,"units":{"submarine":1}}`:                {"AMB-G40-9"}, // only cruisers
		`{"power":"Germany","cost":9}`:                                   {"INPUT"},
		`{"power":"Germany"}`:                                            {"INPUT"},
		`{"power":"Germany","cost":9,"units":{"cruiser":1}}`:             {"AMB-G40-9"},
		`{"power":"Germany","units":{"battleship":9999}}`:                {"INPUT"},
		`{"power":"Germany","cost":10,"units":{"air base":1}}`:           {"AMB-G40-9"},
		`{"power":"Germany","units":{"hotel":1}}`:                        {"INPUT"},
		`{"power":"Germany","cost":1,"units":{"infantry":0,"AA gun":0}}`: {"INPUT"},
	} {
		got := c.Clone(t, 1).Refused("purchase", `{"purchase":`+body+`}`)
		if slices.Sort(got); !slices.Equal(slices.Compact(got), want) {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
	for body, want := range map[string]int{
		`{"power":"Germany","units":{"infantry":5}}`:                             15,
		`{"power":"Germany","cost":15,"units":{"infantry":5}}`:                   15,
		`{"power":"US","units":{"cruiser":1,"AA gun":2,"submarine":1,"tank":1}}`: 31,
		`{"power":"Germany","units":{"cruiser":1,"air base":1,"minor ic":1}}`:    39,
		`{"power":"US","cost":40,"units":{"upgrade":2}}`:                         40,
	} {
		c := c.Clone(t, 1)
		c.Stand("purchase", `{"purchase":`+body+`}`)
		if got := last(t, c, &events.UnitsPurchased{}); got.Cost != want || got.Treasury != 99-want {
			t.Errorf("%s: %+v, want %d", body, got, want)
		}
	}
}

// TestHousePrices: by option a cost is the house's, and no less than what the text prices; so it is in the editions
// before (AMB-G40-9).
func TestHousePrices(t *testing.T) {
	house := world(t, map[string]string{OptionPrices: "house"})
	before := rulestest.OpenOn(t, System(), "1", rulestest.Board(t, "two-oceans"), nil)
	before.Stand("turn", `{"turn":"Round 1"}`)
	for _, c := range []*rulestest.Harness{house, before} {
		c.Stand("purchase", `{"purchase":{"power":"Germany","cost":1,"units":{"infantry":5}}}`)
		got := c.Refused("purchase", `{"purchase":{"power":"Germany","cost":4,"units":{"AA gun":1}}}`)
		if !slices.Equal(got, []string{"G40-AA-COST"}) {
			t.Error(got)
		}
		c.Stand("purchase", `{"purchase":{"power":"Germany","units":{"infantry":1}}}`)
		if got := last(t, c, &events.UnitsPurchased{}); got.Cost != 3 || got.Treasury != 6 {
			t.Errorf("without a cost it is the board's: %+v", got)
		}
	}
}

// TestPricesAsked: where the option is open, the umpire is asked when a cost differs (AMB-G40-9).
func TestPricesAsked(t *testing.T) {
	c := world(t, map[string]string{OptionPrices: rules.Ask})
	c.Stand("purchase", `{"purchase":{"power":"Germany","cost":3,"units":{"infantry":1}}}`)
	body := `{"purchase":{"power":"Germany","cost":2,"units":{"infantry":1}}}`
	if o, _ := c.Judge(rules.Command{ID: "cheap", Verb: "purchase", Body: []byte(body)}); o.Verdict != rules.Referred {
		t.Errorf("%+v", o)
	}
}

// TestPricesReported: what neither the text nor the board prices is refused until it is reported (AMB-G40-9); the text
// prices AA guns whatever is reported (G40-AA-COST).
func TestPricesReported(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.TripleA(t, "global1940"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	body := `{"purchase":{"power":"China","units":{"fighter":1}}}` // the board sells China infantry and artillery
	if got := c.Refused("purchase", body); !slices.Equal(got, []string{"AMB-G40-9"}) {
		t.Error(got)
	}
	if got := c.Refused("facts", `{"facts":{"prices":{"AA gun":6}}}`); !slices.Equal(got, []string{"G40-AA-COST"}) {
		t.Error(got)
	}
	c.Stand("facts", `{"facts":{"prices":{"fighter":10,"infantry":2,"repair":2},"facilities":{"UK":{"air base":3}}}}`)
	c.Stand("purchase", body)
	if got := last(t, c, &events.UnitsPurchased{}); got.Cost != 10 {
		t.Errorf("%+v", got)
	}
	repair := `{"repair":{"power":"UK Europe","facilities":{"UK":{"air base":3}}}}`
	c.Stand("repair", repair)
	if got := last(t, c, &events.FacilitiesRepaired{}); got.Cost != 6 {
		t.Errorf("%+v", got)
	}
	if got := c.Refused("repair", `{"repair":{"power":"UK Europe","cost":1,"facilities":{"UK":{"air base":3}}}}`); len(
		got) == 0 {
		t.Error("repaired for less")
	}
	c.Stand("purchase", `{"purchase":{"power":"UK Pacific","units":{"infantry":1}}}`)
	if got := last(t, c, &events.UnitsPurchased{}); got.Cost != 2 {
		t.Errorf("%+v", got)
	}
}

// TestFacilitiesBought: what is placed without a cost was bought in the ROUND, once for each (GEN-CARRY), and stands
// without a fact; what is paid as it is built has its price (AMB-G40-9).
func TestFacilitiesBought(t *testing.T) {
	c := world(t, nil)
	c.Stand("facts", `{"facts":{"treasury":{"US":60}}}`)
	place := `{"build":{"power":"US","territory":"Philippines","facility":"minor ic"}}`
	if got := c.Refused("build", place); !slices.Equal(got, []string{"GEN-CARRY"}) {
		t.Error(got)
	}
	c.Stand("purchase", `{"purchase":{"power":"US","units":{"minor ic":1,"infantry":1,"upgrade":1}}}`)
	for body, want := range map[string]string{
		`{"power":"US","territory":"Western United States","facility":"major ic","cost":30}`: "AMB-G40-9",
		`{"power":"US","territory":"Philippines","facility":"minor ic","cost":1}`:            "AMB-G40-9",
	} {
		if got := c.Clone(t, 1).Refused("build", `{"build":`+body+`}`); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v", body, got)
		}
	}
	c.Stand("build", place)
	c.Stand("build", `{"build":{"power":"US","territory":"Western United States","facility":"major ic"}}`)
	g := c.Game().(game)
	if s, _ := g.Board.Territory("Philippines"); g.complexOf(s) != MinorComplex || g.Treasury("US") != 25 {
		t.Errorf("%s, %d in hand", g.complexOf(s), g.Treasury("US"))
	}
	c.Stand("mobilize", `{"mobilize":{"power":"US","units":{"Philippines":{"infantry":1}}}}`)
	second := `{"build":{"power":"US","territory":"Eastern United States","facility":"minor ic"}}`
	if got := c.Refused("build", second); len(got) == 0 {
		t.Error("placed twice")
	}
	c.Stand("turn", `{"turn":"Round 2"}`)
	c.Stand("capture", `{"capture":{"territory":"Java","by":"US"}}`)
	for _, own := range []string{"Java"} {
		body := fmt.Sprintf(`{"build":{"power":"US","territory":%q,"facility":"minor ic"}}`, own)
		if got := c.Refused("build", body); !slices.Equal(got, []string{"GEN-CARRY"}) {
			t.Errorf("%s: %v", own, got)
		}
	}
	old := rulestest.OpenOn(t, System(), "1", rulestest.Board(t, "two-oceans"), nil)
	old.Stand("turn", `{"turn":"Round 1"}`)
	old.Stand("build", place)
}

// TestPriceInPlaceOfTheBoards: a price that is reported counts in the place of the board's, and whoever reports it is
// warned (AMB-G40-9).
func TestPriceInPlaceOfTheBoards(t *testing.T) {
	for body, want := range map[string]string{
		`{"infantry":1}`: "[the price of infantry is 1 from here on, and the board has 3 (AMB-G40-9)]",
		`{"tank":5}`:     "[the price of tank is 5 from here on, and the board has 6 (AMB-G40-9)]",
		`{"infantry":3}`: "[]",
		`{"repair":0}`:   "[the price of repair is 0 from here on, and the board has 1 (AMB-G40-9)]",
	} {
		o, _ := world(t, nil).Judge(rules.Command{ID: "prices", Verb: "facts",
			Body: []byte(`{"facts":{"prices":` + body + `}}`)})
		if got := fmt.Sprint(o.Warnings); got != want {
			t.Errorf("%s: %s", body, got)
		}
	}
}
