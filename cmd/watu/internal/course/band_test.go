package course

import "testing"

// The band of a count is that of counting every way in which the dice can fall.
func TestBandByCounting(t *testing.T) {
	for _, x := range []struct{ dice, faces int }{{1, 6}, {2, 6}, {5, 6}, {7, 6}, {3, 10}, {5, 10}, {12, 2}, {8, 4},
		{9, 3}} {
		counts, all := make([]int, x.dice+1), 1
		for range x.dice {
			all *= x.faces
		}
		for way := range all {
			n := 0
			for rest, i := way, 0; i < x.dice; rest, i = rest/x.faces, i+1 {
				if rest%x.faces == 0 {
					n++
				}
			}
			counts[n]++
		}
		low, high := Band(int64(x.dice), x.faces)
		less, more := 0, 0
		for n, ways := range counts {
			if int64(n) < low {
				less += ways
			}
			if int64(n) > high {
				more += ways
			}
		}
		if 40*less > all || 40*more > all {
			t.Errorf("%+v: beyond %d to %d are %d and %d of %d ways", x, low, high, less, more, all)
		}
		if 40*(less+counts[low]) <= all || 40*(more+counts[high]) < all {
			t.Errorf("%+v: the band %d to %d is too wide", x, low, high)
		}
	}
	low, high := Band(mostCounted, 6)
	if near, far := Band(mostCounted+1, 6); near-low < -1 || near-low > 2 || far-high < -1 || far-high > 2 {
		t.Errorf("%d dice: %d to %d, and one more: %d to %d", mostCounted, low, high, near, far)
	}
	if low, high := Band(6000, 6); low < 900 || low > 950 || high < 1050 || high > 1100 {
		t.Errorf("of 6000 dice a face falls %d to %d times", low, high)
	}
}
