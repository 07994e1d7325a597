package desk

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
)

// TestAtTable: whose seat signs, or has typed the dice, reads so in place of buttons; the umpire speaks for seats
// that do not sign.
func TestAtTable(t *testing.T) {
	seats := []campaign.Seat{{Name: "Anna", Role: campaign.RolePlayer, Sides: []string{"Japan"}},
		{Name: "Ben", Role: campaign.RolePlayer, Sides: []string{"Britain"}}}
	roll := &campaign.AwaitedRoll{Seats: []string{campaign.UmpireSeat, "Anna", "Ben"},
		Declared: &events.RollDeclared{Throws: []events.Throw{{Name: "bombs", Side: "Japan", Dice: 2, Sides: 6}}}}
	typed := *roll
	typed.Typed, typed.By, typed.TypedAt = &events.DiceTyped{}, "Anna", 7
	for _, x := range []struct {
		roll        *campaign.AwaitedRoll
		signed      bool
		as          string
		mine, signs bool
		by          []string
		throws      int
	}{
		{roll, false, "Japan", true, false, nil, 1},
		{roll, true, "Japan", true, true, nil, 1},
		{roll, false, timeline.Umpire, true, false, []string{"Anna", "Ben"}, 1},
		{roll, true, timeline.Umpire, true, false, []string{}, 1},
		{roll, true, timeline.Public, true, false, nil, 1},
		{&typed, false, "Japan", false, false, nil, 0},
		{&typed, false, "Britain", true, false, nil, 0},
		{&typed, false, timeline.Umpire, true, false, []string{"Ben"}, 0},
	} {
		m := &Move{Mine: true}
		m.atTable(&campaign.Campaign{Seats: seats, Signed: x.signed, Open: &campaign.Question{Roll: x.roll}},
			timeline.Viewer{As: x.as})
		if m.Mine != x.mine || m.Signs != x.signs || !slices.Equal(m.By, x.by) || len(m.Throws) != x.throws {
			t.Errorf("%s, signed %v: %+v", x.as, x.signed, m)
		}
	}
}
