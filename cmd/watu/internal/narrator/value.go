package narrator

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Value describes a value of a field without the signs of JSON: {"Atlantic":3} is "Atlantic 3", and of a list of what
// has names each is named: "CVEs (rule AWAW-SW-ATL-1, value -1)".
func Value(text string) string {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, `"`) {
		return text
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return text
	}
	return unquoted(v)
}

func unquoted(v any) string {
	switch v := v.(type) {
	case []any:
		between, list := ", ", []string{}
		for _, x := range v {
			if _, whole := x.(map[string]any); whole {
				between = "; "
			}
			list = append(list, unquoted(x))
		}
		if len(list) == 0 {
			return "none"
		}
		return strings.Join(list, between)
	case map[string]any:
		name, named := v["name"].(string)
		var list []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key != "name" || !named {
				list = append(list, key+" "+unquoted(v[key]))
			}
		}
		switch text := strings.Join(list, ", "); {
		case !named:
			return text
		case text == "":
			return name
		default:
			return fmt.Sprintf("%s (%s)", name, text)
		}
	case nil:
		return "nothing"
	}
	return fmt.Sprint(v)
}
