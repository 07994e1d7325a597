package diff

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

func TestJSON(t *testing.T) {
	type part struct {
		Name  string `json:"name"`
		Value int    `json:"value,omitempty"`
	}
	was := map[string]any{"net": 12, "parts": []part{{"base", 2}, {"raid", -1}}, "same": "x", "gone": true}
	is := map[string]any{"net": 13, "parts": []part{{"base", 3}}, "same": "x", "new": []int{1}}
	var got []string
	JSON(was, is, func(field, was, is string) { got = append(got, field+": "+was+" -> "+is) })
	want := []string{
		"gone: true -> nothing", "net: 12 -> 13", "new: nothing -> [1]", "parts[0].value: 2 -> 3",
		`parts[1]: {"name":"raid","value":-1} -> nothing`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	JSON(was, was, func(field, _, _ string) { t.Errorf("%s differs from itself", field) })
}

// TestItems: what is found turns the one list into the other, and no longer way does.
func TestItems(t *testing.T) {
	for seed := range uint64(300) {
		lot := rand.New(rand.NewPCG(seed, 1))
		list := func() (list []int) {
			for range lot.IntN(8) {
				list = append(list, lot.IntN(4))
			}
			return list
		}
		was, is := list(), list()
		var made []int
		next, changes := 0, 0
		Items(was, is, func(i int, a, b *int) {
			made, next = append(made, was[next:i]...), i
			if a != nil {
				next++
			}
			if b != nil {
				made = append(made, *b)
			}
			changes++
		})
		if made = append(made, was[next:]...); !slices.Equal(made, is) || changes > max(len(was), len(is)) &&
			changes > 0 && fmt.Sprint(was) == fmt.Sprint(is) {
			t.Errorf("seed %d: %v to %v gives %v", seed, was, is, made)
		}
	}
}

// TestCommon: the pairs are the same items in the same order, as many as there can be.
func TestCommon(t *testing.T) {
	for seed := range uint64(300) {
		lot := rand.New(rand.NewPCG(seed, 2))
		list := func() []int {
			list := make([]int, lot.IntN(9))
			for i := range list {
				list[i] = lot.IntN(3)
			}
			return list
		}
		a, b := list(), list()
		last := [2]int{-1, -1}
		pairs := Common(a, b)
		for _, k := range pairs {
			if k[0] <= last[0] || k[1] <= last[1] || a[k[0]] != b[k[1]] {
				t.Errorf("seed %d: %v and %v have %v in common", seed, a, b, pairs)
			}
			last = k
		}
		if want := longest(a, b); len(pairs) != want {
			t.Errorf("seed %d: %v and %v have %v in common, and not %d items", seed, a, b, pairs, want)
		}
	}
}

func longest(a, b []int) int {
	switch {
	case len(a) == 0 || len(b) == 0:
		return 0
	case a[0] == b[0]:
		return 1 + longest(a[1:], b[1:])
	}
	return max(longest(a[1:], b), longest(a, b[1:]))
}

// TestCommonOfLongLists: no table is made for what both begin with, nor for lists that are too long.
func TestCommonOfLongLists(t *testing.T) {
	long := make([]int, 8000)
	other := slices.Clone(long)
	other[len(other)-1] = 1
	different := slices.Repeat([]int{2}, 8000)
	for _, c := range []struct {
		a, b []int
		want int
	}{{long, long, 8000}, {long, other, 7999}, {long, long[:10], 10}, {long, different, 0}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		pairs := Common(c.a, c.b)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; len(pairs) != c.want || used > 8<<20 {
			t.Errorf("%d and %d items: %d pairs, %d bytes", len(c.a), len(c.b), len(pairs), used)
		}
	}
}
