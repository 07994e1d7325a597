package timeline

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// Ids are in the order in which people count.
func TestRuleIDsByNumber(t *testing.T) {
	want := []string{"AAR-4-CAP", "AAR-4-RANGE", "AAR-10-CAP", "AWAW-24.62-B", "AWAW-48.9", "AWAW-48.41",
		"AWAW-48.41-A", "AWAW-48.410", "EOTS-11.21.B-2", "EOTS-11.21.B-10", "GEN-LOT"}
	got := slices.Clone(want)
	slices.Sort(got)
	if slices.SortFunc(got, byNumber); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if byNumber("A-07", "A-7") == byNumber("A-7", "A-07") && byNumber("A-07", "A-7") != 0 {
		t.Error("the order is not one")
	}
}

// A rule is noted once for an event that names it in many ways, and said is each of them.
func TestRulesOfEvents(t *testing.T) {
	list := written(
		&events.RollDeclared{Modifiers: []events.Modifier{{Name: "air cover", Value: 1, Rule: "X-1"},
			{Name: "codes", Value: -2, Rule: "x-1"}}},
		&events.ConvoyRaided{Victim: "Britain", Cap: "X-2"},
		&events.DisputeOpened{Claim: "no", Rule: "X-2", Violations: []events.Citation{{Rule: "X-1", Step: "too far"}}},
		&events.DisputeRuled{Ruling: "void", Reason: "so it is", Rules: []string{"X-3"}},
		&events.OptionRuled{Option: "o", Value: "b", Was: "a", Rule: "X-3"},
	)
	it := newIndex()
	for i := range list {
		list[i].Derivation = []events.Citation{{Rule: "X-4", Step: "one"}, {Rule: "X-4", Step: "one"}}
		it.add(&list[i])
	}
	for id, want := range map[string][]uint64{"X-1": {0, 2}, "X-2": {1, 2}, "X-3": {3, 4}, "X-4": {0, 1, 2, 3, 4}} {
		if got := it.ruled[id]; got.id != id || !slices.Equal(got.events, want) {
			t.Errorf("%s is named by %v, not %v", id, got.events, want)
		}
	}
	if got := it.ruled["X-4"].before(2).events; !slices.Equal(got, []uint64{0, 1}) {
		t.Errorf("after two events it was named by %v", got)
	}
	if got, want := saidOf(&list[0], "X-1"), []RuleText{{RuleModifier, "+1 air cover"},
		{RuleModifier, "-2 codes"}}; !slices.Equal(got, want) {
		t.Errorf("#0 says %v", got)
	}
	if got, want := saidOf(&list[0], "X-4"), []RuleText{{RuleCited, "one"}}; !slices.Equal(got, want) {
		t.Errorf("#0 says %v", got)
	}
}
