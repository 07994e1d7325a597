package turnfile

import "encoding/json"

// Mapping reads a file that is one mapping, and gives each of its values as canonical JSON. Its
// errors are of type [*Error].
func Mapping(name string, data []byte) (map[string]json.RawMessage, error) {
	n, err := read(data)
	if err == nil && n == nil {
		err = fault(0, "is empty: it should be a mapping of keys to values")
	}
	if err == nil && n.members == nil {
		err = fault(n.line, "the file is %s: it should be a mapping of keys to values", n.what())
	}
	if err != nil {
		return nil, named(name, err)
	}
	values := map[string]json.RawMessage{}
	for _, m := range n.members {
		values[m.key] = appendJSON(nil, m.value.json())
	}
	return values, nil
}
