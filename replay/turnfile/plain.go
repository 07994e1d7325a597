package turnfile

import (
	"strings"

	"github.com/goccy/go-yaml/token"
)

// checkPlain refuses unquoted text that is likely a slip, or that the library reads otherwise
// than YAML says.
func checkPlain(t *token.Token) error {
	line := lineOf(t)
	lines := strings.Split(strings.TrimLeft(t.Origin, " \n"), "\n")
	header := blockHeader(t)
	if header != nil { // the library gives such a text the line of its end
		line, lines = header.Position.Line+1, strings.Split(t.Origin, "\n")
	}
	for i, l := range lines {
		// The library drops a tab within an unquoted text, which would join two words.
		if strings.Contains(l, "\t") {
			return fault(line+i, "a tab by %s: use spaces", shown(strings.TrimSpace(l)))
		}
	}
	if t.Type != token.StringType || header != nil || t.Value == "" {
		return nil
	}
	if sign := strings.TrimRight(t.Value[:min(2, len(t.Value))], " \n"); strings.Contains(",]}%", t.Value[:1]) ||
		sign == "?" || sign == "-" {
		return fault(line, "a text cannot begin with %s: put it in quotes", t.Value[:1])
	}
	if strings.Contains(t.Value, ": ") || strings.HasSuffix(t.Value, ":") {
		return fault(line, `%s runs on past a ":": is a comma missing? else put it in quotes`, shown(t.Value))
	}
	for i, l := range lines[1:] {
		l = strings.TrimSpace(l)
		if l == "-" || strings.HasPrefix(l, "- ") {
			return fault(line+i+1,
				`a list item where the text of line %d goes on: check the indentation, or put the text in quotes`, line)
		}
	}
	if i := strings.Index(t.Value, " #"); i >= 0 {
		return fault(line,
			`a comment within a text of several lines, %s: put the comment elsewhere, or the text in quotes`,
			shown(t.Value))
	}
	return nil
}

// blockHeader gives the "|" or ">" that announces this text, or nil.
func blockHeader(t *token.Token) *token.Token {
	p := t.Prev
	for p != nil && p.Type == token.CommentType {
		p = p.Prev
	}
	if p != nil && (p.Type == token.LiteralType || p.Type == token.FoldedType) {
		return p
	}
	return nil
}

// lineOf is where a token begins. The library gives a text of several lines the line of its
// end when one of them begins with a hyphen.
func lineOf(t *token.Token) int {
	if p := t.Prev; p != nil && (p.Type == token.MappingValueType || p.Type == token.SequenceEntryType) {
		lead := t.Origin[:len(t.Origin)-len(strings.TrimLeft(t.Origin, " \n"))]
		return min(t.Position.Line, p.Position.Line+strings.Count(lead, "\n"))
	}
	return t.Position.Line
}
