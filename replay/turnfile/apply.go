package turnfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/diff"
	"github.com/watu-ledger/watu/events/words"
)

// Apply gives the body as corrected and what changed in it, field by field in the order of
// their keys; a field that is not there is the empty text in Was or Now. A replacement that
// does not fit the body, and a correction that changes nothing, are of type [*Error]; any
// other error means that the body is not an entry's.
func (c Correction) Apply(body json.RawMessage) (json.RawMessage, []events.Change, error) {
	was, err := decoded(body)
	if err != nil {
		return nil, nil, err
	}
	if _, ok := was.(map[string]any); !ok {
		return nil, nil, errors.New("body: not a JSON object")
	}
	now, err := decoded(body)
	if err != nil {
		return nil, nil, err
	}
	c.lengthen(was.(map[string]any))
	c.lengthen(now.(map[string]any))
	for _, r := range c.Replace {
		value, err := decoded(r.Value)
		if err != nil {
			return nil, nil, err
		}
		if now, err = replace(now, r.Field, r.Field, value, r.Line); err != nil {
			return nil, nil, named(c.File, err)
		}
	}
	changes := differing(was, now)
	if len(changes) == 0 && len(c.Replace) > 0 {
		return nil, nil,
			named(c.File, fault(c.Replace[0].Line, "the correction changes nothing: the entry says so already"))
	}
	return appendJSON(nil, now), changes, nil
}

// lengthen gives an entry that was entered short as it is meant, where a field of it is to be replaced, or a mapping
// goes over it.
func (c Correction) lengthen(body map[string]any) {
	for _, r := range c.Replace {
		key, rest := firstKey(body, r.Field)
		mapping := strings.HasPrefix(string(r.Value), "{")
		if text, short := body[key].(string); short && (rest != "" || mapping) && c.Alone != nil {
			if field := c.Alone(key); field != "" {
				body[key] = map[string]any{field: text}
			}
		}
	}
}

// replace puts value at the path rest within v, and gives v as it then is. Field is the whole
// path, for messages.
func replace(v any, rest, field string, value any, line int) (any, error) {
	if rest == "" {
		return merged(v, value, field, line)
	}
	switch v := v.(type) {
	case map[string]any:
		return v, replaceMember(v, rest, field, value, line)
	case []any:
		return replaceItem(v, rest, field, value, line)
	}
	at := strings.TrimSuffix(strings.TrimSuffix(field, rest), ".")
	held, full := appendJSON(nil, v), ""
	if text, short := v.(string); short && !strings.ContainsAny(at, ".[") {
		full = fmt.Sprintf(": it was entered short; give it in full, with the name of each field, as in %s: {FIELD: "+
			"%s, %s: …}",
			at, text, rest)
	}
	return nil, fault(line, "there is no field %s: %s holds %s, which has no parts%s", shown(field), shown(at), held,
		full)
}

func replaceMember(m map[string]any, rest, field string, value any, line int) error {
	path := strings.TrimSuffix(field, rest)
	key, rest := firstKey(m, rest)
	old, ok := m[key]
	switch {
	case !ok && (rest != "" || value == nil):
		return noField(path, field, key, m, line)
	case rest == "" && value == nil:
		delete(m, key)
		return nil
	}
	now, err := replace(old, rest, field, value, line)
	m[key] = now
	return err
}

// firstKey divides a path at its first key: the longest that the mapping has, for keys may
// hold dots and brackets themselves ("St. Nazaire"), else what stands before the first.
func firstKey(m map[string]any, path string) (key, rest string) {
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		if _, ok := m[path[:end]]; ok {
			return path[:end], strings.TrimPrefix(path[end:], ".")
		}
	}
	if end := strings.IndexAny(path, ".["); end > 0 {
		return path[:end], strings.TrimPrefix(path[end:], ".")
	}
	return path, ""
}

func replaceItem(list []any, rest, field string, value any, line int) (any, error) {
	index, after, ok := strings.Cut(strings.TrimPrefix(rest, "["), "]")
	i, err := strconv.Atoi(index)
	after = strings.TrimPrefix(after, ".")
	switch {
	case !strings.HasPrefix(rest, "[") || !ok || err != nil:
		return nil, fault(line, "%s: a list stands before %s: name an item of it by its place, from [0] to [%d]",
			shown(field), shown(rest), len(list)-1)
	case i < 0 || i > len(list) || i == len(list) && after != "":
		return nil, fault(line, "%s: there is no item [%d]: the list has %d, counted from 0", shown(field), i,
			len(list))
	case value == nil && after == "":
		return nil, fault(line,
			"%s: an item cannot be taken out by null, for the places after it would shift: write the whole list anew",
			shown(field))
	case i == len(list):
		item, err := merged(nil, value, field, line)
		return append(list, item), err
	}
	list[i], err = replace(list[i], after, field, value, line)
	return list, err
}

// merged puts value over v as JSON Merge Patch does (RFC 7396): mappings member by member,
// null takes a member out, anything else replaces. Other than there, null needs a member to
// take out: a misspelt one must not pass for done.
func merged(v, value any, field string, line int) (any, error) {
	patch, ok := value.(map[string]any)
	if !ok {
		return value, nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		m = map[string]any{}
	}
	for _, key := range slices.Sorted(maps.Keys(patch)) {
		at, part := field+"."+key, patch[key]
		if part != nil {
			var err error
			if m[key], err = merged(m[key], part, at, line); err != nil {
				return nil, err
			}
			continue
		}
		if _, ok := m[key]; !ok {
			return nil, noField(field+".", at, key, m, line)
		}
		delete(m, key)
	}
	return m, nil
}

// noField says that a mapping lacks a key of a field, whose path begins with the mapping's.
func noField(path, field, key string, m map[string]any, line int) error {
	keys := slices.Sorted(maps.Keys(m))
	if len(keys) == 0 {
		return fault(line, "there is no field %s: nothing stands there", shown(field))
	}
	for i, k := range keys {
		keys[i] = path + k
	}
	if hint := meant(path+key, keys); hint != "" {
		return fault(line, "there is no field %s%s", shown(field), hint)
	}
	return fault(line, "there is no field %s; %s", shown(field), words.There(listed(keys)))
}

// differing lists the fields that differ: within mappings, and within lists of the same length.
func differing(was, now any) (changes []events.Change) {
	sameLength := func(x, y []any) bool { return len(x) == len(y) }
	diff.Walk(was, now, sameLength, func(field string, was, now any) {
		changes = append(changes, events.Change{Field: field, Was: part(was), Now: part(now)})
	})
	return changes
}

// part writes a part of a body; one that is not there is empty.
func part(v any) string {
	if v == (diff.Missing{}) {
		return ""
	}
	return string(appendJSON(nil, v))
}
