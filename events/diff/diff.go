// Package diff says in what two values differ: field by field, or item by item.
//
//	diff.JSON(was, is, func(field, was, is string) { fmt.Println(field, was, is) })
//	// in_hand 19 20
//	// modifiers[0].value 2 nothing
package diff

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// JSON hands on the leaves in which two values differ as JSON has them, in the order of their paths. Leaves are written
// as [Leaf] writes them.
func JSON(was, is any, found func(field, was, is string)) { unlike("", Plain(was), Plain(is), found) }

// Plain gives a value as JSON has it: of maps, lists, texts, numbers and truth values.
func Plain(v any) (plain any) {
	b, err := json.Marshal(v)
	if err == nil {
		_ = json.Unmarshal(b, &plain)
	}
	return plain
}

// Leaf writes a value: a text as it is, none as "nothing", anything else as JSON.
func Leaf(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		return v
	}
	b, _ := json.Marshal(v)
	return string(b)
}

func unlike(at string, was, is any, found func(field, was, is string)) {
	if reflect.DeepEqual(was, is) {
		return
	}
	a, mapped := was.(map[string]any)
	b, mappedToo := is.(map[string]any)
	if mapped && mappedToo {
		keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
		slices.Sort(keys)
		for _, k := range slices.Compact(keys) {
			unlike(strings.TrimPrefix(at+"."+k, "."), a[k], b[k], found)
		}
		return
	}
	x, listed := was.([]any)
	y, listedToo := is.([]any)
	if listed && listedToo {
		for i := range max(len(x), len(y)) {
			unlike(at+"["+strconv.Itoa(i)+"]", item(x, i), item(y, i), found)
		}
		return
	}
	found(at, Leaf(was), Leaf(is))
}

func item(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// mostCompared bounds what is kept to compare two lists item by item.
const mostCompared = 1 << 20

// Common pairs, by their places, the items that two lists have in the same order: as many as there can be, and none if
// the lists are too long to compare.
func Common[T comparable](a, b []T) [][2]int {
	if len(a)*(len(b)+1) > mostCompared {
		return nil
	}
	n := make([][]int, len(a)+1) // how many of a[i:] and b[j:]
	for i := range n {
		n[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if n[i][j] = max(n[i+1][j], n[i][j+1]); a[i] == b[j] {
				n[i][j] = max(n[i][j], n[i+1][j+1]+1)
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j] && n[i][j] == n[i+1][j+1]+1:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case n[i][j] == n[i+1][j+1]: // one item in the place of another
			i, j = i+1, j+1
		case n[i+1][j] >= n[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// Items hands on the items in which two lists differ, one for another as long as there is one on either side: an item
// more leaves those behind it what they are. Was or is is nil where there is none; i is the place in the first list.
func Items[T comparable](was, is []T, found func(i int, was, is *T)) {
	i, j := 0, 0
	for _, k := range append(Common(was, is), [2]int{len(was), len(is)}) {
		for ; i < k[0] || j < k[1]; i, j = min(i+1, k[0]), min(j+1, k[1]) {
			a, b := before(was, i, k[0]), before(is, j, k[1])
			if a == nil || b == nil || *a != *b {
				found(i, a, b)
			}
		}
		i, j = k[0]+1, k[1]+1
	}
}

// before gives the item at i, if that is before the end.
func before[T any](list []T, i, end int) *T {
	if i < end {
		return &list[i]
	}
	return nil
}
