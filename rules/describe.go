package rules

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Schema describes an entry of the verb as a JSON Schema (draft 2020-12): its keys, and what may stand under each as it
// is declared. Names are described by their kind; whether there is such a one, the campaign knows.
func (v Verb) Schema() map[string]any {
	if v.Form == nil {
		return map[string]any{"properties": map[string]any{v.Key: map[string]any{"description": v.Line}}}
	}
	s := schemaOf(v.Form, "", "")
	s["properties"].(map[string]any)[v.Key].(map[string]any)["title"] = v.Line
	return s
}

// schemaOf describes a value by its type and the tags of its field; of are the kinds of keys from here on inwards.
func schemaOf(t reflect.Type, tag reflect.StructTag, of string) map[string]any {
	zero := reflect.New(t).Interface()
	switch k := zero.(type) {
	case interface{ mayBeSealed() any }:
		return schemaOf(reflect.TypeOf(k.mayBeSealed()).Elem(), tag, of)
	case interface{ items() reflect.Type }:
		one := schemaOf(k.items(), tag, of)
		return map[string]any{"anyOf": []any{one, map[string]any{"type": "array", "items": one}}}
	case interface{ mapping() }:
		kind, of, _ := strings.Cut(of, ",")
		s := map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem().Field(1).Type, tag, of)}
		return describe(s, "by "+strings.TrimSuffix(cmp.Or(kind, "name"), "*"))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem(), tag, of)
	case reflect.Struct:
		return objectOf(t)
	case reflect.Map:
		return map[string]any{"type": "object"}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return map[string]any{} // its judge reads it
		}
		return map[string]any{"type": "array", "items": schemaOf(t.Elem(), tag, of)}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int:
		s := map[string]any{"type": "integer"}
		if least, most, bounded := bounds(tag); bounded {
			s["minimum"], s["maximum"] = least, most
		}
		return s
	}
	s := map[string]any{"type": "string"}
	if words := tag.Get("word"); words != "" {
		s = map[string]any{"enum": strings.Split(words, ",")}
	} else if _, numbers := zero.(json.Unmarshaler); numbers {
		s["type"] = []string{"string", "integer"}
	}
	if otherwise := tag.Get("else"); otherwise != "" {
		return describe(s, tag.Get("is"), otherwise+" by default")
	}
	return describe(s, tag.Get("is"))
}

// objectOf describes a mapping with the keys of a struct, or a value that stands in its place.
func objectOf(t reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	s := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	var alone map[string]any
	for i, name := range fieldNames(t) {
		tag := t.Field(i).Tag
		field := schemaOf(t.Field(i).Type, tag, tag.Get("of"))
		if tag.Get("alone") != "" {
			alone = field
		}
		if neededField(t.Field(i)) {
			required = append(required, name)
		}
		properties[name] = describe(field, tag.Get("doc"))
	}
	if len(required) > 0 {
		s["required"] = required
	}
	if alone != nil {
		return map[string]any{"anyOf": []any{alone, s}}
	}
	return s
}

// neededField reports whether something must stand in a field.
func neededField(f reflect.StructField) bool {
	_, needed := f.Tag.Lookup("need")
	_, optional, _ := strings.Cut(f.Tag.Get("json"), ",")
	named := f.Type.Kind() == reflect.String && f.Tag.Get("is")+f.Tag.Get("word") != ""
	return needed || named && optional == "" && f.Tag.Get("else") == ""
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

// bounds are the smallest and the largest number that a tag allows.
func bounds(tag reflect.StructTag) (least, most int, bounded bool) {
	least, err := strconv.Atoi(tag.Get("least"))
	if err != nil {
		return 0, 0, false
	}
	if most, err = strconv.Atoi(tag.Get("most")); err != nil {
		most = Limit
	}
	return least, most, true
}
