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

// JSON calls found for each leaf in which two values differ in their JSON, in the order of the paths. [Leaf] writes the
// leaves.
func JSON(was, is any, found func(field, was, is string)) {
	Walk(Plain(was), Plain(is), func(_, _ []any) bool { return true }, func(field string, was, is any) {
		if was, is = orNil(was), orNil(is); was != nil || is != nil {
			found(field, Leaf(was), Leaf(is))
		}
	})
}

// Missing stands for a member or item that one of two values does not have.
type Missing struct{}

func orNil(v any) any {
	if v == (Missing{}) {
		return nil
	}
	return v
}

// Walk calls found for each part in which two plain values ([Plain]) differ, in the order of the paths. It goes into
// mappings, and into lists where within says so.
func Walk(was, is any, within func(x, y []any) bool, found func(field string, was, is any)) {
	walk("", was, is, within, found)
}

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

func walk(at string, was, is any, within func(x, y []any) bool, found func(field string, was, is any)) {
	if reflect.DeepEqual(was, is) {
		return
	}
	a, mapped := was.(map[string]any)
	b, mappedToo := is.(map[string]any)
	if mapped && mappedToo {
		keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
		slices.Sort(keys)
		for _, k := range slices.Compact(keys) {
			walk(strings.TrimPrefix(at+"."+k, "."), member(a, k), member(b, k), within, found)
		}
		return
	}
	x, listed := was.([]any)
	y, listedToo := is.([]any)
	if listed && listedToo && within(x, y) {
		for i := range max(len(x), len(y)) {
			walk(at+"["+strconv.Itoa(i)+"]", item(x, i), item(y, i), within, found)
		}
		return
	}
	found(at, was, is)
}

func member(m map[string]any, key string) any {
	if v, ok := m[key]; ok {
		return v
	}
	return Missing{}
}

func item(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return Missing{}
}

// mostCompared bounds what is kept to compare two lists item by item.
const mostCompared = 1 << 20

// Common pairs, by their places, the items that two lists have in the same order: as many as there can be, and none but
// those that both begin with if the lists are too long to compare.
func Common[T comparable](a, b []T) [][2]int {
	return CommonFunc(len(a), len(b), func(i, j int) bool { return a[i] == b[j] })
}

// CommonFunc is [Common] for lists of so many items, of which same compares two by their places.
func CommonFunc(a, b int, same func(i, j int) bool) (pairs [][2]int) {
	from := 0
	for from < a && from < b && same(from, from) {
		pairs = append(pairs, [2]int{from, from})
		from++
	}
	rows, columns := a-from+1, b-from+1
	if rows == 1 || columns == 1 || rows > mostCompared/columns {
		return pairs
	}
	n := make([][]int, rows) // how many are common from i and j on
	for i := range n {
		n[i] = make([]int, columns)
	}
	for i := rows - 2; i >= 0; i-- {
		for j := columns - 2; j >= 0; j-- {
			if n[i][j] = max(n[i+1][j], n[i][j+1]); same(from+i, from+j) {
				n[i][j] = max(n[i][j], n[i+1][j+1]+1)
			}
		}
	}
	for i, j := 0, 0; i < rows-1 && j < columns-1; {
		switch {
		case n[i][j] == n[i+1][j+1]+1 && same(from+i, from+j):
			pairs = append(pairs, [2]int{from + i, from + j})
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

// Items calls found for each item in which two lists differ, one for another as long as there is one on either side:
// after an added or missing item the rest still match. Was or is is nil where there is none; i is the place in the
// first list.
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
