package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
)

// Read decodes the command's body into a struct and reports whether it is understood. Keys must
// be spelt exactly as the struct's json tags spell them; a key that is not known, and a value
// of another kind, are refused as [Input].
func (h *Hearing) Read(c Command, into any) bool {
	if !h.knows(c, "", c.Body, reflect.TypeOf(into).Elem()) {
		return false
	}
	err := json.Unmarshal(c.Body, into)
	if err == nil {
		return true
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		h.ViolateField(wrong.Field, Input, "%s: a %s is given, %s is expected", c.fieldName(wrong.Field), wrong.Value,
			plain(wrong.Type))
		return false
	}
	h.Violate(Input, "the entry does not read: %v", err)
	return false
}

// Short reads an entry that is one value instead of a mapping, {verb: value}, and reports whether
// it is.
func (c Command) Short(value any) bool {
	var body map[string]json.RawMessage
	if json.Unmarshal(c.Body, &body) != nil || len(body) != 1 || string(body[c.Verb]) == "null" {
		return false
	}
	return json.Unmarshal(body[c.Verb], value) == nil
}

// knows refuses a key that is not spelt exactly as the entry spells it. The decoder would take
// another case for the same key; what is sealed under one spelling must not stand open under
// another.
func (h *Hearing) knows(c Command, at string, raw json.RawMessage, t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if k, ok := reflect.New(t).Interface().(interface{ mayBeSealed() any }); ok {
		if at, sealed := sealedAt(raw); !sealed || c.Hides([]events.Ref{at}) {
			return true
		}
		h.ViolateField(at, Input, "%s: a mapping is given, %s is expected", c.fieldName(at),
			plain(reflect.TypeOf(k.mayBeSealed()).Elem()))
		return false
	}
	if l, ok := reflect.Zero(t).Interface().(interface{ items() reflect.Type }); ok {
		return h.knowsItems(c, at, raw, l.items())
	}
	var members map[string]json.RawMessage
	if t.Kind() != reflect.Struct || json.Unmarshal(raw, &members) != nil {
		return true // what is no mapping is for the decoder to say
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		field := strings.TrimPrefix(at+"."+name, ".")
		i := slices.Index(fieldNames(t), name)
		if i < 0 {
			h.ViolateField(field, Input, "%s knows no %q; it knows %s", c.fieldName(at), name,
				strings.Join(fieldNames(t), ", "))
			return false
		}
		if !h.knows(c, field, members[name], t.Field(i).Type) {
			return false
		}
	}
	return true
}

func (h *Hearing) knowsItems(c Command, at string, raw json.RawMessage, t reflect.Type) bool {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return h.knows(c, at, raw, t)
	}
	for i, item := range items {
		if !h.knows(c, fmt.Sprintf("%s[%d]", at, i), item, t) {
			return false
		}
	}
	return true
}

// VerbAliases is the key of the entry with which the umpire adds names to the board.
const VerbAliases = "aliases"

// Timeless reports whether an entry of a verb needs no turn: to rule on an option, to compensate, and to name what is
// on the board.
func Timeless(verb string) bool {
	return verb == "rule" || verb == VerbCompensate || verb == VerbAliases
}

// InTime reports whether the command may be judged in the turn that is on: the one for which it was
// written, and any has begun. None is what to say where none has. To begin a turn needs none, nor does what is
// [Timeless].
func (h *Hearing) InTime(c Command, on events.Turn, none string) bool {
	switch {
	case c.Verb == "turn":
		return true
	case !Timeless(c.Verb) && on.Ordinal == 0:
		h.Violations = append(h.Violations, Violation{Rule: Input, Message: none, Wants: VerbTurn})
	case c.Turn != "" && on.Ordinal == 0:
		h.Violate(Input, "this entry is for %s, but the campaign is in no turn yet", c.Turn)
	case c.Turn != "" && c.Turn != on.Label:
		h.Violate(Input, "this entry is for %s, but the campaign is in %s", c.Turn, on.Label)
	default:
		return true
	}
	return false
}

// Unknown refuses a name, with those that there are; an empty one is missing.
func (h *Hearing) Unknown(c Command, field, what, name string, there []string) {
	if name == "" {
		h.ViolateField(field, Input, "%s is missing: name the %s, one of %s", c.fieldName(field), what,
			strings.Join(there, ", "))
		return
	}
	h.ViolateField(field, Input, "there is no %s %q; %s", what, name, words.There(there))
}

func (c Command) fieldName(field string) string {
	if field == "" {
		return c.Verb
	}
	return field
}

// plain says in words what a Go type wants.
func plain(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return plain(t.Elem())
	case reflect.Int:
		return "a whole number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "a mapping (key: value)"
	}
	return "a name"
}

// fieldNames lists the keys of a mapping.
func fieldNames(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}
