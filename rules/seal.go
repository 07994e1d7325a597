package rules

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// Sealed stands in a recorded request for a secret: {"sealed": slot}, the slot being that of
// the commitment in one of the command's own events.
func Sealed(slot string) map[string]string { return map[string]string{"sealed": slot} }

// SealedSlots lists the slots that stand in an entry in the place of secrets.
func SealedSlots(entry json.RawMessage) (slots []string) {
	var v any
	if decodeJSON(entry, &v) {
		slots = slotsIn(v, nil)
	}
	return slots
}

func slotsIn(v any, slots []string) []string {
	switch v := v.(type) {
	case []any:
		for _, part := range v {
			slots = slotsIn(part, slots)
		}
	case map[string]any:
		if slot, ok := v["sealed"].(string); ok && len(v) == 1 {
			return append(slots, slot)
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			slots = slotsIn(v[k], slots)
		}
	}
	return slots
}

// Unseal puts the secrets back into a recorded request, as far as the openings known tell
// them. A fact that is JSON comes back as JSON, any other as a string. A slot stands in a request once: further places
// of it stay sealed, and so do facts behind the first 4 MiB of them.
func Unseal(request json.RawMessage, known []events.Opening) json.RawMessage {
	var v any
	if !decodeJSON(request, &v) {
		return request
	}
	facts := map[string]string{}
	for _, o := range known {
		facts[o.Slot] = o.Fact
	}
	out, err := json.Marshal((&unsealer{facts, 4 << 20}).unseal(v))
	if err != nil {
		return request
	}
	return out
}

// unsealer has the facts that were not put back yet, and how many bytes of them may be.
type unsealer struct {
	facts map[string]string
	most  int
}

func (u *unsealer) unseal(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = u.unseal(v[i])
		}
	case map[string]any:
		if slot, ok := v["sealed"].(string); ok && len(v) == 1 {
			fact, known := u.facts[slot]
			var reported any
			if u.most -= len(fact); !known || u.most < 0 {
				return v
			}
			delete(u.facts, slot)
			if decodeJSON([]byte(fact), &reported) {
				return reported
			}
			return fact
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			v[k] = u.unseal(v[k])
		}
	}
	return v
}

// WithSealed gives a recorded command in which every part that is still sealed names the one of the commitments that
// stands behind it. The system's code reads it as an unknown figure ([Known]); anywhere else it is not understood.
func (c Command) WithSealed(commitments []events.Ref) Command {
	c.Sealed = nil // of another form of the entry
	var v any
	if !bytes.Contains(c.Body, []byte(`"sealed"`)) || !decodeJSON(c.Body, &v) {
		return c
	}
	bySlot := map[string]events.Ref{}
	for _, at := range commitments {
		bySlot[at.Slot] = at
	}
	v = c.locate(v, bySlot)
	if body, err := json.Marshal(v); err == nil {
		c.Body = body
	}
	return c
}

func (c *Command) locate(v any, bySlot map[string]events.Ref) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = c.locate(v[i], bySlot)
		}
	case map[string]any:
		slot, sealed := v["sealed"].(string)
		if at, ok := bySlot[slot]; ok && sealed && len(v) == 1 {
			c.Sealed = append(c.Sealed, at)
			return map[string]any{"sealed": slot, "event": at.Index}
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			v[k] = c.locate(v[k], bySlot)
		}
	}
	return v
}

// Hides reports whether the entry is a recorded one, and all these commitments stand behind sealed parts of it. In play
// nobody may say of a figure that it is sealed.
func (c Command) Hides(at []events.Ref) bool {
	return !slices.ContainsFunc(at, func(ref events.Ref) bool { return !slices.Contains(c.Sealed, ref) })
}

// whole is the entry as a referral commits to it.
func (c Command) whole() Known[string] {
	if len(c.Sealed) > 0 {
		return Unknown[string](c.Sealed[0], c.Sealed[1:]...)
	}
	return Fact(string(c.Body))
}

// WhollySealed reports whether an entry is sealed as a whole, as that of a referral is.
func WhollySealed(entry json.RawMessage) bool {
	var v map[string]any
	if json.Unmarshal(entry, &v) != nil {
		return false
	}
	_, sealed := v["sealed"].(string)
	_, located := v["event"]
	return sealed && (len(v) == 1 || located && len(v) == 2)
}

func decodeJSON(b []byte, into any) bool {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(into) == nil && !d.More()
}
