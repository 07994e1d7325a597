package diff

import (
	"fmt"
	"math/rand/v2"
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
