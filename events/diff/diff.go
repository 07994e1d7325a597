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

// JSON hands on the leaves in which two values differ as JSON has them, in the order of their paths. Leaves are written as
// [Leaf] writes them.
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

// Items hands on the items in which two lists differ, one for another as long as there is one on either side: an item more
// leaves those behind it what they are. Was or is is nil where there is none; i is the place in the first list.
func Items[T comparable](was, is []T, found func(i int, was, is *T)) {
	at := func(list []T, i int) *T {
		if i < len(list) {
			return &list[i]
		}
		return nil
	}
	if len(was)*(len(is)+1) > mostCompared { // too long: place by place
		for i := range max(len(was), len(is)) {
			if a, b := at(was, i), at(is, i); a == nil || b == nil || *a != *b {
				found(i, a, b)
			}
		}
		return
	}
	common := make([][]int, len(was)+1) // items in common from i and j on
	for i := range common {
		common[i] = make([]int, len(is)+1)
	}
	for i := len(was) - 1; i >= 0; i-- {
		for j := len(is) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); was[i] == is[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(was) || j < len(is); {
		more, less := j < len(is) && common[i][j] == common[i][j+1], i < len(was) && common[i][j] == common[i+1][j]
		switch {
		case more && less && common[i][j] == common[i+1][j+1]:
			found(i, &was[i], &is[j])
			i, j = i+1, j+1
		case more:
			found(i, nil, &is[j])
			j++
		case less:
			found(i, &was[i], nil)
			i++
		default:
			i, j = i+1, j+1
		}
	}
}
