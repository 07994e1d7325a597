package words

import (
	"slices"
	"testing"
)

func TestLists(t *testing.T) {
	for _, x := range []struct {
		parts   []string
		and, or string
	}{
		{nil, "", ""}, {[]string{"a"}, "a", "a"}, {[]string{"a", "b"}, "a and b", "a or b"},
		{[]string{"a", "b", "c"}, "a, b and c", "a, b or c"},
	} {
		if and, or := And(x.parts), Or(x.parts); and != x.and || or != x.or {
			t.Errorf("%q: %q, %q", x.parts, and, or)
		}
	}
}

func TestThere(t *testing.T) {
	for want, parts := range map[string][]string{
		"there is none": nil, "there is a": {"a"}, "there are a, b and c": {"a", "b", "c"},
	} {
		if got := There(parts); got != want {
			t.Errorf("%q: %q, not %q", parts, got, want)
		}
	}
}

func TestEvents(t *testing.T) {
	got := Events([]uint64{3, 5, 6, 8, 9, 10, 11, 20}, " to ")
	if want := []string{"#3", "#5", "#6", "#8 to #11", "#20"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCount(t *testing.T) {
	for got, want := range map[string]string{
		Count(1, "entry"): "1 entry", Count(2, "entry"): "2 entries", Count(uint64(0), "event"): "0 events",
		CountOf(1, "die", "dice"): "1 die", CountOf(int64(3), "die", "dice"): "3 dice",
		Number(1, "lies", "lie"): "lies",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestModifier(t *testing.T) {
	for n, want := range map[int]string{1: "+1", 0: "0", -2: "−2"} {
		if got := Modifier(n); got != want {
			t.Errorf("%d is written %s, not %s", n, got, want)
		}
	}
}
