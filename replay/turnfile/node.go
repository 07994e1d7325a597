package turnfile

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// node is one value of the file and the line it stands on. It is a mapping when members is
// not nil, a list when items is not nil, and otherwise what plain holds: a string,
// json.Number, bool or nil.
type node struct {
	line    int
	plain   any
	members []member
	items   []*node
}

// member is one key of a mapping, in file order; line is its key's.
type member struct {
	key   string
	line  int
	value *node
}

// grow turns the library's tree into ours, depth counted from 1.
func grow(n ast.Node, depth int) (*node, error) {
	line := n.GetToken().Position.Line
	switch n := n.(type) {
	case *ast.MappingNode:
		return growMapping(n, line, depth)
	case *ast.SequenceNode:
		return growList(n, line, depth)
	case *ast.LiteralNode:
		return quoted(n.Value.Value, n.Start.Position.Line)
	case ast.ScalarNode:
		return scalar(n.GetToken())
	}
	return nil, fault(line, "a file may not use this part of YAML (%s)", strings.ToLower(n.Type().String()))
}

func growList(n *ast.SequenceNode, line, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, tooDeep(line)
	}
	list := &node{line: line, items: make([]*node, 0, len(n.Values))}
	for i, v := range n.Values {
		if !n.IsFlowStyle && i < len(n.Entries) {
			if err := checkIndent(n.Entries[i].Start, v); err != nil {
				return nil, err
			}
		}
		item, err := grow(v, depth+1)
		if err != nil {
			return nil, err
		}
		list.items = append(list.items, item)
	}
	return list, nil
}

func growMapping(n *ast.MappingNode, line, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, tooDeep(line)
	}
	m := &node{line: line, members: make([]member, 0, len(n.Values))}
	first := make(map[string]int, len(n.Values))
	for _, v := range n.Values {
		key, at, err := keyOf(v)
		if err != nil {
			return nil, err
		}
		// A list in block style may stand right under its key.
		if list, ok := v.Value.(*ast.SequenceNode); !n.IsFlowStyle && (!ok || list.IsFlowStyle) {
			if err := checkIndent(v.Key.GetToken(), v.Value); err != nil {
				return nil, err
			}
		}
		if was, ok := first[key]; ok {
			return nil, fault(at, "the key %s stands twice in one mapping, first on line %d: keep one", shown(key), was)
		}
		first[key] = at
		value, err := grow(v.Value, depth+1)
		if err != nil {
			return nil, err
		}
		m.members = append(m.members, member{key, at, value})
	}
	if len(m.members) > 0 {
		m.line = m.members[0].line
	}
	return m, nil
}

// checkIndent asks that what belongs to a key or a dash, and stands on a later line, stands
// further in: the library does not, and would take the next key's neighbour for a value.
func checkIndent(owner *token.Token, value ast.Node) error {
	t := value.GetToken()
	if t.Type == token.ImplicitNullType {
		return nil
	}
	if m, ok := value.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		t = m.Values[0].Key.GetToken()
	}
	if t.Position.Line > owner.Position.Line && column(t) <= owner.Position.Column {
		return fault(t.Position.Line, "this belongs to the %s of line %d: indent it further", shown(owner.Value),
			owner.Position.Line)
	}
	return nil
}

// column is where a token begins that is the first of its line. The library counts spaces
// at the end of the line as if they stood before it.
func column(t *token.Token) int {
	before := t.Origin[:len(t.Origin)-len(strings.TrimLeft(t.Origin, " \n"))]
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		return len(before) - i
	}
	return t.Position.Column
}

// keyOf gives a key as written, whatever it looks like: 1939, true and no are texts here.
func keyOf(v *ast.MappingValueNode) (key string, line int, err error) {
	if _, ok := v.Key.(ast.ScalarNode); !ok {
		return "", 0, fault(v.GetToken().Position.Line, "only a text can be a key")
	}
	t := v.Key.GetToken()
	line = t.Position.Line
	switch {
	case t.Type == token.ImplicitNullType || t.Value == "":
		return "", 0, fault(line, "a key is empty")
	case !utf8.ValidString(t.Value):
		return "", 0, fault(line, "a key is not UTF-8")
	}
	return t.Value, line, nil
}

func scalar(t *token.Token) (*node, error) {
	line := lineOf(t)
	switch t.Type {
	case token.SingleQuoteType, token.DoubleQuoteType:
		return quoted(t.Value, line)
	case token.NullType, token.ImplicitNullType:
		return &node{line: line}, nil
	case token.BoolType:
		return &node{line: line, plain: strings.EqualFold(t.Value, "true")}, nil
	}
	switch n, kind := number(t.Value); kind {
	case whole:
		return &node{line: line, plain: n}, nil
	case fraction:
		return nil, fault(line,
			"%s is not a whole number, and only whole ones are used: if it is a text, put it in quotes", t.Value)
	case tooLarge:
		return nil, fault(line, "%s is larger than any number here (2^53-1): if it is a text, put it in quotes",
			shown(t.Value))
	}
	return quoted(t.Value, line)
}

func quoted(s string, line int) (*node, error) {
	if !utf8.ValidString(s) {
		return nil, fault(line, "an escape in this text gives no character")
	}
	return &node{line: line, plain: s}, nil
}

// what names the kind of a value in messages.
func (n *node) what() string {
	switch {
	case n.members != nil:
		return "a mapping"
	case n.items != nil:
		return "a list"
	}
	switch v := n.plain.(type) {
	case string:
		return "the text " + shown(v)
	case json.Number:
		return "the number " + v.String()
	case bool:
		return fmt.Sprintf("%t", v)
	}
	return "nothing"
}

func (n *node) isNull() bool { return n.members == nil && n.items == nil && n.plain == nil }

// json gives the value as [appendJSON] takes it.
func (n *node) json() any {
	switch {
	case n.members != nil:
		m := make(map[string]any, len(n.members))
		for _, f := range n.members {
			m[f.key] = f.value.json()
		}
		return m
	case n.items != nil:
		list := make([]any, len(n.items))
		for i, item := range n.items {
			list[i] = item.json()
		}
		return list
	}
	return n.plain
}

// label gives a value that names something: a text or a number, not empty, printable, of at
// most 64 bytes.
func (n *node) label(what string) (string, error) {
	var s string
	switch v := n.plain.(type) {
	case string:
		s = v
	case json.Number:
		s = v.String()
	default:
		hint := ""
		if _, ok := n.plain.(bool); ok {
			hint = " (put the word in quotes if it is one)"
		}
		return "", fault(n.line, "%s is %s: it should be a text or a number%s", what, n.what(), hint)
	}
	return s, checkLabel(n.line, what, s)
}
