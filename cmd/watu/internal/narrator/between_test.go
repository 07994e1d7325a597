package narrator

import "testing"

func TestBetween(t *testing.T) {
	for _, c := range []struct{ was, is, want string }{
		{"UK collects 11 IPCs: 16 less 5 lost.", "UK collects 12 IPCs: 16 less 4 lost.",
			"UK collects 11 → 12 IPCs: 16 less 5 → 4 lost."},
		{"it takes 1 of Germany", "it takes 1 of Germany", "it takes 1 of Germany"},
		{"US collects 22 IPCs: 23 less 1 lost; 45 in hand.", "US collects 23 IPCs: 23, none lost; " +
			"46 in hand.",
			"US collects 22 → 23 IPCs: 23 less 1 lost → 23, none lost; 45 → 46 in hand."},
		{"Result: 5+1=6, column 6: 0/2; at 4", "Result: 5+1=6 -1, column 5: 0/1; at 4",
			"Result: 5+1=6 → 5+1=6 -1, column 6: 0/2 → 5: 0/1; at 4"},
		{"Reported: Britain: 1.", "Reported: Britain: 2.", "Reported: Britain: 1 → 2."},
		{"Reported: 2 in 8 and 1 in 9.", "Reported: 2 in 8.", "Reported: 2 in 8 and 1 in 9. → Reported: 2 in 8."},
		{"Reported: hex, 2220: port, enemy and zoi.", "Reported: hex, 2220: airfield and enemy.",
			"Reported: hex, 2220: port, enemy and zoi → airfield and enemy."},
		{"Reported: lost: 2216, 2217, 2218 and 2219.", "Reported: lost: 2216, 2220, 2218 and 2221.",
			"Reported: lost: 2216, 2217, 2218 and 2219 → 2216, 2220, 2218 and 2221."},
		{"Reported: lost: 2216.", "Reported: lost: 2216 and 2217.", "Reported: lost: 2216 → 2216 and 2217."},
		{"By 2 boats of Germany (3 each): it loses 6 (of 9).", "By 1 boat of Germany: it loses 3 (of 9).",
			"By 2 boats of Germany (3 each): it loses 6 (of 9). → By 1 boat of Germany: it loses 3 (of 9)."},
		{"it loses 2 (they could take 6).", "it loses 2 (they could take 3).", "it loses 2 (they could take 6 → 3)."},
		{"a b c", "x y z", "a b c → x y z"},
		{"", "x", " → x"},
	} {
		if got := Between(c.was, c.is); got != c.want {
			t.Errorf("between %q and %q: %q, want %q", c.was, c.is, got, c.want)
		}
	}
}
