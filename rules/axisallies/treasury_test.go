package axisallies

import (
	"testing"

	"github.com/watu-ledger/watu/events"
)

// TestTreasury: a power may have two treasuries; one event may move both; what is corrected changes
// where it stands, so that a report made since holds.
func TestTreasury(t *testing.T) {
	var s State
	play := func(index, corrects uint64, p events.Payload, own ...Move) {
		s = s.Apply(&events.Event{Index: index, Corrects: corrects}, p, own...)
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
	play(1, 0, &events.CampaignOpened{Sides: []string{"UK"}, Treasuries: []events.Treasury{{Power: "UK Europe", IPCs: 28}, {Power: "UK Pacific", IPCs: 17}}})
	play(2, 0, &events.UnitsPurchased{Power: "UK Europe", Cost: 20})
	holds("bought for 20", 8, 17)
	play(3, 0, &events.Passed{}, capture(10)...)
	holds("lost 10, of 8 in hand", 0, 27)
	play(4, 0, &events.FactReported{Fact: FactTreasury, Subject: "UK Pacific", Number: 5})
	play(5, 2, &events.UnitsPurchased{Power: "UK Europe", Cost: 12})
	holds("bought for 12 after all", 6, 5)
	play(6, 3, &events.Passed{}, capture(4)...)
	holds("lost 4 after all", 12, 5)
	play(7, 0, &events.IncomeCollected{Power: "UK Europe", Net: -14, Treasury: -2})
	holds("an income that its event lets leave a debt", -2, 5)
	play(8, 0, &events.UnitsPurchased{Power: "UK Europe", Treasury: -2})
	play(9, 0, &events.Passed{}, capture(0)...)
	holds("paid nothing, which settles no debt", -2, 5)
	play(10, 0, &events.IncomeCollected{Power: "UK Europe", Net: 1, Treasury: -1})
	holds("earned less than is owed", -1, 5)
}

// TestControlAmended: a correction of a report changes what still stands by it, and nothing else.
func TestControlAmended(t *testing.T) {
	var s State
	play := func(index, corrects uint64, holder string) {
		s = s.Apply(&events.Event{Index: index, Corrects: corrects}, &events.FactReported{Fact: FactControl, Subject: "France", Names: []string{holder}})
	}
	play(1, 0, "Germany")
	play(2, 1, "Italy")
	if s.Control["France"].Value != "Italy" {
		t.Error(s.Control)
	}
	play(3, 0, "US")
	play(4, 1, "Germany")
	if s.Control["France"].Value != "US" {
		t.Error(s.Control)
	}
}
