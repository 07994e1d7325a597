package narrator

import (
	"testing"

	"github.com/watu-ledger/watu/events"
)

func TestField(t *testing.T) {
	for path, want := range map[string]string{
		"sbr.damage":                          "bombing, damage",
		"cards[0].European Axis":              "cards 1, European Axis",
		"harbor attack.initial german attack": "harbor attack, initial german attack",
		"facts.hex.St. Lawrence.torpedoed":    "facts, hex, St. Lawrence, torpedoed",
		"double_ipc_value":                    "double ipc value",
		"was":                                 "was",
		"derivation[1]":                       "step 2 of the derivation",
		"#16.net":                             "net of #16",
		"#16":                                 "#16",
	} {
		if got := Field(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		} else if path[0] != '#' && Field(got) != got {
			t.Errorf("%s in words becomes %q", want, Field(got))
		}
	}
}

func TestChange(t *testing.T) {
	for want, c := range map[string]events.Change{
		"collect income, base is 16, was 17": {Field: "collect income.base", Was: "17", Now: "16"},
		"facts, submarines, Germany, SZ 9 is taken out, was 1": {
			Field: "facts.submarines.Germany.SZ 9", Was: "1",
		},
		"collect income, objectives is 5, was not given": {Field: "collect income.objectives", Now: "5"},
		"collect income is base 17, power UK, was UK": {
			Field: "collect income", Was: "UK", Now: `{"base":17,"power":"UK"}`,
		},
		"contest, cards, Britain is another, sealed as before": {
			Field: "contest.cards.Britain", Was: "sealed", Now: "sealed",
		},
	} {
		if got := Change(c); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
