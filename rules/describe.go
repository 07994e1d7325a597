package rules

import (
	"cmp"
	"slices"
	"strings"
)

// Schema describes an entry of the verb as a JSON Schema (draft 2020-12): its keys, and what may stand under each as it
// is declared. Names are described by their kind; whether there is such a one, the campaign knows.
func (v Verb) Schema() map[string]any {
	if v.Form == nil {
		return map[string]any{"properties": map[string]any{v.Key: map[string]any{"description": v.Line}}}
	}
	s := objectOf(v.Fields())
	s["properties"].(map[string]any)[v.Key].(map[string]any)["title"] = v.Line
	return s
}

func (f Field) schema() map[string]any {
	switch f.Kind {
	case ListField:
		list := map[string]any{"type": "array", "items": f.Of.schema()}
		if f.Single {
			return map[string]any{"anyOf": []any{f.Of.schema(), list}}
		}
		return list
	case MappingField:
		s := map[string]any{"type": "object", "additionalProperties": f.Of.schema()}
		return describe(s, "by "+cmp.Or(f.Names, f.Offers, "name"), f.Each)
	case GroupField:
		return objectOf(f.Fields)
	case TruthField:
		return map[string]any{"type": "boolean"}
	case NumberField:
		s := map[string]any{"type": "integer"}
		if f.Bounded {
			s["minimum"], s["maximum"] = f.Least, f.Most
		}
		return s
	case AnyField:
		return map[string]any{} // its judge reads it
	}
	s := map[string]any{"type": "string"}
	if f.Words != nil {
		s = map[string]any{"enum": f.Words}
	} else if f.Figures {
		s["type"] = []string{"string", "integer"}
	}
	if f.Default != "" {
		return describe(s, f.Names, f.Default+" by default")
	}
	return describe(s, f.Names)
}

// objectOf describes a mapping with the keys of fields, or a value that stands in its place.
func objectOf(fields []Field) map[string]any {
	properties, required := map[string]any{}, []string{}
	s := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	var alone map[string]any
	for _, f := range fields {
		field := f.schema()
		if f.Alone {
			alone = field
		}
		if f.Needed {
			required = append(required, f.Key)
		}
		properties[f.Key] = describe(field, f.Doc)
	}
	if len(required) > 0 {
		s["required"] = required
	}
	if alone != nil {
		return map[string]any{"anyOf": []any{alone, s}}
	}
	return s
}

// describe adds the remarks on a value to its description.
func describe(s map[string]any, lines ...string) map[string]any {
	before, _ := s["description"].(string)
	lines = slices.DeleteFunc(append([]string{before}, lines...), func(one string) bool { return one == "" })
	if len(lines) > 0 {
		s["description"] = strings.Join(lines, ": ")
	}
	return s
}
