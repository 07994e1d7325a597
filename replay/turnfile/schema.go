package turnfile

import (
	"encoding/json"

	"github.com/watu-ledger/watu/rules"
)

// Schema describes the turn files of a system with these verbs as a JSON Schema (draft 2020-12), which editors of YAML
// complete and check by. What it allows may be refused yet: a name that there is not, and whatever a rule forbids.
func Schema(title string, verbs []rules.Verb) []byte {
	text := map[string]any{"type": "string"}
	properties := map[string]any{"id": map[string]any{"type": "string",
		"description": "unique in the turn, and public"}}
	facts := map[string]any{}
	for _, v := range verbs {
		of, _ := v.Schema()["properties"].(map[string]any)
		for key, value := range of {
			if _, known := properties[key]; !known || key == v.Key {
				properties[key] = value
			}
		}
		if v.Key == "facts" {
			facts, _ = of["facts"].(map[string]any)
		}
	}
	entry := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	schema, _ := json.MarshalIndent(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A turn file of " + title,
		"type": "object", "additionalProperties": false,
		"properties": map[string]any{
			"campaign": text, "turn": text, "facts": facts, "entries": map[string]any{"type": "array", "items": entry},
		},
	}, "", "  ")
	return append(schema, '\n')
}
