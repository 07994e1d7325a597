package rules

import (
	"bytes"
	"encoding/json"

	"github.com/watu-ledger/watu/events"
)

// Sealed stands in a recorded request for a secret: {"sealed": slot}, the slot being that of
// the commitment in one of the command's own events.
func Sealed(slot string) map[string]string { return map[string]string{"sealed": slot} }

// Unseal puts the secrets back into a recorded request, as far as the openings known tell
// them. A fact that is JSON comes back as JSON, any other as a string.
func Unseal(request json.RawMessage, known []events.Opening) json.RawMessage {
	var v any
	if !decodeJSON(request, &v) {
		return request
	}
	facts := map[string]string{}
	for _, o := range known {
		facts[o.Slot] = o.Fact
	}
	out, err := json.Marshal(unseal(v, facts))
	if err != nil {
		return request
	}
	return out
}

func unseal(v any, facts map[string]string) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = unseal(v[i], facts)
		}
	case map[string]any:
		if slot, ok := v["sealed"].(string); ok && len(v) == 1 {
			fact, known := facts[slot]
			var told any
			switch {
			case !known:
				return v
			case decodeJSON([]byte(fact), &told):
				return told
			}
			return fact
		}
		for k := range v {
			v[k] = unseal(v[k], facts)
		}
	}
	return v
}

func decodeJSON(b []byte, into any) bool {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(into) == nil && !d.More()
}
