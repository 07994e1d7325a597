package axisallies

import (
	"testing"

	"github.com/watu-ledger/watu/events"
)

// TestTreasury: a power may have two treasuries; one event may move both.
func TestTreasury(t *testing.T) {
	var s State
	play := func(index uint64, p events.Payload, own ...Move) {
		s = s.Apply(&events.Event{Index: index}, p, own...)
	}
	holds := func(when string, europe, pacific int) {
		t.Helper()
		if e, p := s.Treasury("UK Europe"), s.Treasury("UK Pacific"); e != europe || p != pacific {
			t.Errorf("%s: %d and %d, want %d and %d", when, e, p, europe, pacific)
		}
	}
	capture := func(ipcs int) []Move {
		return []Move{{"UK Europe", Damaged, ipcs, 0}, {"UK Pacific", Earned, ipcs, 0}}
	}
	play(1, &events.CampaignOpened{Sides: []string{"UK"},
		Treasuries: []events.Treasury{{Power: "UK Europe", IPCs: 28}, {Power: "UK Pacific", IPCs: 17}}})
	play(2, &events.UnitsPurchased{Power: "UK Europe", Cost: 20})
	holds("bought for 20", 8, 17)
	play(3, &events.Passed{}, capture(10)...)
	holds("lost 10, of 8 in hand", 0, 27)
	play(4, &events.FactReported{Fact: FactTreasury, Subject: "UK Pacific", Number: 5})
	holds("as reported", 0, 5)
	play(7, &events.IncomeCollected{Power: "UK Europe", Net: -14, Treasury: -2})
	holds("an income that its event lets leave a debt", -2, 5)
	play(8, &events.UnitsPurchased{Power: "UK Europe", Treasury: -2})
	play(9, &events.Passed{}, capture(0)...)
	holds("paid nothing, which settles no debt", -2, 5)
	play(10, &events.IncomeCollected{Power: "UK Europe", Net: 1, Treasury: -1})
	holds("earned less than is owed", -1, 5)
}
