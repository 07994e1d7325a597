package turnfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// errNotCanonical reports JSON that has no canonical form here.
var errNotCanonical = errors.New("only whole numbers have a canonical form")

// Canonical gives the one form of a JSON value that bodies are recorded in: no white space,
// keys sorted by their bytes, numbers as plain decimal integers, and in texts only the escapes
// that JSON demands (RFC 8785, section 3.2.2.2). It is written here rather than by
// encoding/json because recorded bodies are compared byte for byte for as long as a campaign
// lives, and that package has changed its escapes before.
func Canonical(raw json.RawMessage) (json.RawMessage, error) {
	v, err := decoded(raw)
	if err != nil {
		return nil, err
	}
	return appendJSON(nil, v), nil
}

// decoded reads one JSON value, numbers as json.Number in canonical form.
func decoded(raw json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("body: more than one JSON value")
	}
	return v, wholeNumbers(v)
}

func wholeNumbers(v any) error {
	switch v := v.(type) {
	case json.Number:
		if n, kind := number(string(v)); kind != whole || n != v {
			return fmt.Errorf("body: %s: %w", v, errNotCanonical)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if err := wholeNumbers(v[k]); err != nil {
				return err
			}
		}
	case []any:
		for _, item := range v {
			if err := wholeNumbers(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// appendJSON writes a value made of map[string]any, []any, string, json.Number, bool and nil.
func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return fmt.Appendf(b, "%t", v)
	case json.Number:
		return append(b, v...)
	case string:
		return appendText(b, v)
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, key), ':')
			b = appendJSON(b, v[key])
		}
		return append(b, '}')
	}
	panic(fmt.Sprintf("turnfile: a %T is no JSON value", v))
}

func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= 0x20:
			b = append(b, c)
		case c == '\b':
			b = append(b, `\b`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\f':
			b = append(b, `\f`...)
		case c == '\r':
			b = append(b, `\r`...)
		default:
			b = fmt.Appendf(b, `\u%04x`, c)
		}
	}
	return append(b, '"')
}
