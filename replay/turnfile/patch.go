package turnfile

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// Patch makes the changes of a recorded correction in another state of the same entry: a field that it set or replaced
// has the value that it has in corrected, the entry as the correction left it, and one that it took out is taken out.
// ok is false where a change names no field that either has. The changes given are those that were made.
func Patch(body, corrected json.RawMessage,
	changes []events.Change) (patched json.RawMessage, made []events.Change, ok bool) {
	was, err := decoded(body)
	if err != nil {
		return nil, nil, false
	}
	now, err := decoded(body)
	if err != nil {
		return nil, nil, false
	}
	left, err := decoded(corrected)
	if err != nil {
		return nil, nil, false
	}
	for _, c := range changes {
		path, there := pathIn(left, c.Field)
		switch own, here := pathIn(now, c.Field); {
		case there:
			if now, ok = put(now, path, valueAt(left, path)); !ok {
				return nil, nil, false
			}
		case here:
			now = without(now, own)
		case c.Now != "":
			return nil, nil, false
		}
	}
	return appendJSON(nil, now), differing(was, now), true
}

// pathIn finds a field as a difference names it: the keys and places that lead to it. Keys may hold dots and brackets.
func pathIn(v any, field string) (path []any, ok bool) {
	for field != "" {
		switch x := v.(type) {
		case map[string]any:
			key, rest := firstKey(x, field)
			if v, ok = x[key]; !ok {
				return nil, false
			}
			path, field = append(path, key), rest
		case []any:
			index, rest, closed := strings.Cut(strings.TrimPrefix(field, "["), "]")
			i, err := strconv.Atoi(index)
			if !closed || err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v, path, field = x[i], append(path, i), strings.TrimPrefix(rest, ".")
		default:
			return nil, false
		}
	}
	return path, len(path) > 0
}

// valueAt gives what a path that was found leads to.
func valueAt(v any, path []any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.(map[string]any)[step]
		case int:
			v = v.([]any)[step]
		}
	}
	return v
}

// put sets what a path leads to; mappings on the way are made. It is false where a list lacks the item.
func put(v any, path []any, value any) (any, bool) {
	if len(path) == 0 {
		return value, true
	}
	var ok bool
	switch step := path[0].(type) {
	case string:
		m, is := v.(map[string]any)
		if !is {
			m = map[string]any{}
		}
		m[step], ok = put(m[step], path[1:], value)
		return m, ok
	case int:
		list, _ := v.([]any)
		if step >= len(list) {
			return nil, false
		}
		list[step], ok = put(list[step], path[1:], value)
		return list, ok
	}
	return nil, false
}

// without takes a member out, or the item of a list.
func without(v any, path []any) any {
	switch step := path[0].(type) {
	case string:
		m := v.(map[string]any)
		if len(path) == 1 {
			delete(m, step)
		} else {
			m[step] = without(m[step], path[1:])
		}
		return m
	case int:
		list := v.([]any)
		if len(path) == 1 {
			return slices.Delete(list, step, step+1)
		}
		list[step] = without(list[step], path[1:])
		return list
	}
	return v
}
