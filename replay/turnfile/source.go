package turnfile

import (
	"bytes"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
)

// The limits of a file. A turn is some hundred lines; the limits keep the YAML parser, which
// is quadratic in the keys of one mapping, under a second.
const (
	maxBytes = 1 << 20
	maxLines = 20_000
	maxDepth = 20
)

// read gives the tree of the one document in the file, nil when there is nothing in it.
func read(data []byte) (*node, error) {
	text, err := checkedText(data)
	if err != nil {
		return nil, err
	}
	body, err := parsed(text)
	if err != nil || body == nil {
		return nil, err
	}
	n, err := grow(body, 1)
	if err != nil || n.isNull() {
		return nil, err
	}
	return n, nil
}

// checkedText looks at the bytes: what passes is UTF-8 in lines that end with "\n".
func checkedText(data []byte) (string, error) {
	if len(data) > maxBytes {
		return "", fault(0, "is %d bytes long, and the limit is %d (1 MiB): is this the right file? if so, split it",
			len(data), maxBytes)
	}
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return "", fault(1, "this is UTF-16: save the file as UTF-8")
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	if n := bytes.Count(data, []byte("\n")); n > maxLines {
		return "", fault(0, "has %d lines, and the limit is %d: is this the right file? if so, split it", n, maxLines)
	}
	line, indent := 1, true
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return "", fault(line, "byte 0x%02x is not UTF-8: save the file as UTF-8", data[i])
		case r == '\t' && indent:
			return "", fault(line, "a tab in the indentation: indent with spaces")
		case r == '\r':
			return "", fault(line, "a carriage return without a line feed: end the lines with LF or CRLF")
		case unicode.IsControl(r) && r != '\n' && r != '\t':
			return "", fault(line, "the control character %U: take it out", r)
		case r == '\u2028' || r == '\u2029' || r == '\ufeff' || unicode.Is(unicode.Bidi_Control, r):
			return "", fault(line, "the invisible character %U: take it out", r)
		}
		indent = r == '\n' || indent && r == ' '
		if r == '\n' {
			line++
		}
		i += size
	}
	// Without it the library trims the last line of a text.
	return string(data) + "\n", nil
}

// parsed gives the syntax tree of the document.
func parsed(text string) (body ast.Node, err error) {
	defer func() {
		// What people type may find a fault of the YAML library; it must not end the server.
		if recover() != nil {
			body, err = nil, fault(0, "cannot be read as YAML: put texts with special characters in quotes")
		}
	}()
	tokens := lexer.Tokenize(text)
	if err := checkTokens(tokens); err != nil {
		return nil, err
	}
	// A key that stands twice is reported by grow, with both its lines.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	var syntax *yaml.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, syntaxFault(syntax.Token.Position.Line, syntax.Message)
	case err != nil:
		return nil, fault(0, "cannot be read as YAML: put texts with special characters in quotes")
	}
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType || doc.Body.Type() == ast.CommentGroupType {
			continue
		}
		if body != nil {
			return nil, fault(doc.Body.GetToken().Position.Line, "a second document begins here: keep one to a file")
		}
		body = doc.Body
	}
	return body, nil
}

// syntaxes puts the library's words for common slips into a table player's.
var syntaxes = map[string]string{
	"could not find end character of double-quoted text": `the text that begins here with " is never ` +
		`closed: add the closing quote`,
	"could not find end character of single-quoted text": `the text that begins here with ' is never ` +
		`closed: add the closing quote (a quote inside is doubled: '')`,
	"mapping value is not allowed in this context": `a key: value where none may stand: check ` +
		`the indentation here and below, and put a text with ": " in quotes`,
	"value is not allowed in this context": "this does not fit what stands above it: " +
		"check the indentation",
	"value is not allowed in this context. map key-value is pre-defined": "something follows a value that is " +
		"complete: check the indentation and the quotes",
	"block sequence entries are not allowed in this context": `a list begins on the line of its key: put ` +
		`"- " on a line of its own, or write [a, b]`,
	"',' or ']' must be specified":    "a comma or ] is missing before this",
	"',' or '}' must be specified":    "a comma or } is missing before this",
	"could not find flow map content": "a comma or } is missing here",
	"unexpected scalar value type": "something is missing between two commas: " +
		"take one out",
	"expected sequence element, but found ','": "something is missing between two commas: " +
		"take one out",
	"non-map value is specified": `this is no key: value as the lines above ` +
		`are: is a ":" with a space missing?`,
	"unexpected key name": `this is no key: value: is the key ` +
		`missing, or does it run over two lines?`,
	"map key definition includes an implicit line break": "a key that runs over two lines: is a " +
		"comma missing at the end of the first?",
	"found an invalid key for this map": `a list or mapping cannot be a key: is a ` +
		`comma missing?`,
	"could not find multi-line content": `the text that "|" or ">" announces is ` +
		`missing: indent it under its key`,
	"found character '\t' that cannot start any token":                   "a tab: use spaces",
	"found a tab character where an indentation space is expected":       "a tab: use spaces",
	"tab character cannot use as a map key directly":                     "a tab: use spaces",
	"tab character cannot use as a sequence delimiter":                   "a tab: use spaces",
	"tab character cannot be used for indentation in double-quoted text": "a tab: use spaces",
	"tab character cannot be used for indentation in single-quoted text": "a tab: use spaces",
	"found unexpected document separator": "a line of --- or ... inside a quoted " +
		"text: is a closing quote missing above?",
	"value cannot be placed after document separator": "something follows --- or ... on its line: " +
		"put it on the next",
}

func syntaxFault(line int, message string) error {
	if said, ok := syntaxes[message]; ok {
		return fault(line, "%s", said)
	}
	if len(message) > 100 {
		message = strings.ToValidUTF8(message[:100], "") + "…" // it may quote the rest of the file
	}
	switch {
	case strings.HasSuffix(message, "is a reserved character"):
		message += ": put the text in quotes"
	case strings.Contains(message, "escape"):
		message += `: double the \, or use single quotes`
	}
	return fault(line, "cannot be read as YAML here: %s", message)
}
