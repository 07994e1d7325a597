// Package requests puts JSON requests to the procedures of the rules ([rules.Procedure]): it reads them strictly,
// holds them to the procedure's input schema, fills in its defaults and names every field at fault. It is apart from
// package rules so that what only plays or verifies campaigns links no JSON Schema.
package requests

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/watu-ledger/watu/rules"
)

// compiled holds the compiled input schemas, by their text.
var compiled sync.Map

// Adjudicate rules on a request. A request that is not understood is refused under [rules.Input],
// an illegal one under the rules that it breaks. A schema that does not compile is a fault of the program: it panics.
func Adjudicate(p rules.Procedure, request []byte) rules.Ruling {
	s, known := compiled.Load(string(p.Input))
	if !known {
		s, _ = compiled.LoadOrStore(string(p.Input), compileRequest(p.Name, p.Input))
	}
	r := rules.Ruling{Procedure: p.Name}
	normal, f := s.(*requestSchema).read(request)
	if f.Refused() {
		r.Violations = f.Violations
		return r
	}
	outcome, f, err := p.Judge(normal)
	if err != nil {
		f.Violate(rules.Input, "the request does not fit %s: %v", p.Name, err)
	}
	if f.Refused() {
		r.Violations = f.Violations
		return r
	}
	r.OK, r.Outcome, r.Derivation, r.Consulted = true, outcome, f.Derivation, f.Consulted
	return r
}

// requestSchema is a compiled input schema and its text, which holds the defaults.
type requestSchema struct {
	compiled *jsonschema.Schema
	text     map[string]any
}

// CompileSchema compiles a JSON Schema under a name of its own.
func CompileSchema(name string, schema []byte) (*jsonschema.Schema, error) {
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", name, err)
	}
	url := "urn:watu:schema:" + name
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(url, text); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", name, err)
	}
	s, err := c.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", name, err)
	}
	return s, nil
}

func compileRequest(name string, schema []byte) *requestSchema {
	compiled, err := CompileSchema(name+".input", schema)
	if err != nil {
		panic(err)
	}
	var text map[string]any
	if err := json.Unmarshal(schema, &text); err != nil {
		panic(err)
	}
	return &requestSchema{compiled: compiled, text: text}
}

// read gives the request in plain form: defaults filled in, numbers in plain digits.
func (s *requestSchema) read(request []byte) ([]byte, rules.Findings) {
	var f rules.Findings
	value, err := parseRequest(request)
	if err != nil {
		f.Violate(rules.Input, "%v", err)
		return nil, f
	}
	if err := s.compiled.Validate(value); err != nil {
		f.Violations = inputViolations(err)
		return nil, f
	}
	fillDefaults(s.text, value)
	normal, err := json.Marshal(value)
	if err != nil {
		f.Violate(rules.Input, "%v", err)
	}
	return normal, f
}

// fillDefaults gives absent fields the default of the schema. An absent object is made only
// where its fields have defaults and none is required (options): elsewhere absence says something
// of its own.
func fillDefaults(schema map[string]any, value any) {
	switch v := value.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			property := properties[name].(map[string]any)
			if _, given := v[name]; !given {
				if !missing(property, v, name) {
					continue
				}
			}
			fillDefaults(property, v[name])
		}
	case []any:
		items, _ := schema["items"].(map[string]any)
		for i := range v {
			fillDefaults(items, v[i])
		}
	}
}

func missing(property, into map[string]any, name string) bool {
	if value, has := property["default"]; has {
		into[name] = value
		return true
	}
	if required, _ := property["required"].([]any); len(required) > 0 {
		return false // without them it could not stand
	}
	inner, _ := property["properties"].(map[string]any)
	for _, field := range slices.Sorted(maps.Keys(inner)) {
		if _, has := inner[field].(map[string]any)["default"]; has {
			into[name] = map[string]any{}
			return true
		}
	}
	return false
}

// inputViolations names every field at fault and what is expected there, in the order of
// the fields' pointers.
func inputViolations(err error) []rules.Violation {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []rules.Violation{{Rule: rules.Input, Message: err.Error()}}
	}
	var list []rules.Violation
	collect(invalid, &list)
	slices.SortStableFunc(list, func(a, b rules.Violation) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(list)
}

func collect(e *jsonschema.ValidationError, list *[]rules.Violation) {
	if len(e.Causes) > 0 {
		for _, cause := range e.Causes {
			collect(cause, list)
		}
		return
	}
	pointer := ""
	for _, part := range e.InstanceLocation {
		pointer += "/" + escapePointer(part)
	}
	*list = append(*list,
		rules.Violation{Rule: rules.Input, Field: pointer, Message: where(pointer) + ": " + expected(e.ErrorKind)})
}

// expected says in plain words what a schema keyword asks for.
func expected(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("%s is given, %s is expected", k.Got, strings.Join(k.Want, " or "))
	case *kind.Enum:
		return fmt.Sprintf("%s is unknown, expected is one of %s", shown(k.Got), list(k.Want))
	case *kind.Required:
		return "missing: " + strings.Join(k.Missing, ", ")
	case *kind.AdditionalProperties:
		unknown := slices.Clone(k.Properties)
		slices.Sort(unknown)
		for i, name := range unknown {
			unknown[i] = strconv.Quote(escapePointer(name))
		}
		return "no such field: " + strings.Join(unknown, ", ")
	case *kind.Minimum:
		return fmt.Sprintf("%s is given, at least %s is expected", ratio(k.Got), ratio(k.Want))
	case *kind.Maximum:
		return fmt.Sprintf("%s is given, at most %s is expected", ratio(k.Got), ratio(k.Want))
	case *kind.MinItems:
		return fmt.Sprintf("%d given, at least %d expected", k.Got, k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("%d given, at most %d expected", k.Got, k.Want)
	case *kind.MinLength:
		return "a name is expected, not an empty one"
	case *kind.UniqueItems:
		return fmt.Sprintf("items %d and %d are the same, each is expected once", k.Duplicates[0], k.Duplicates[1])
	}
	return fmt.Sprintf("does not fit the schema (%s)", strings.Join(k.KeywordPath(), "/"))
}

func ratio(r *big.Rat) string { return r.RatString() }

func list(values []any) string {
	parts := rules.Each(values, shown)
	return strings.Join(parts, ", ")
}

func shown(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "the value"
	}
	if r := []rune(string(b)); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return string(b)
}
