package turnfile

import (
	"strings"

	"github.com/goccy/go-yaml/token"
)

// checkTokens refuses, before the parser builds anything, what a file may not use, and what
// would cost the parser time out of proportion.
func checkTokens(tokens token.Tokens) error {
	var open brackets
	content, dashes := false, 0
	for _, t := range tokens {
		if err := checkToken(t, len(open) > 0); err != nil {
			return err
		}
		if err := open.take(t); err != nil {
			return err
		}
		if t.Type == token.DocumentHeaderType && content {
			return fault(t.Position.Line, "a second document begins here: keep one to a file")
		}
		content = content || t.Type != token.CommentType && t.Type != token.DocumentHeaderType
		dashes++
		if t.Type != token.SequenceEntryType {
			dashes = 0
		} else if dashes > maxDepth {
			return tooDeep(t.Position.Line)
		}
	}
	return open.closed()
}

func tooDeep(line int) error {
	return fault(line, "lists and mappings stand more than %d deep in each other: is a bracket missing?", maxDepth)
}

// checkToken refuses what stands by itself; flow says whether it is inside brackets.
func checkToken(t *token.Token, flow bool) error {
	line := t.Position.Line
	switch t.Type {
	case token.InvalidType:
		return syntaxFault(line, t.Error)
	case token.AnchorType:
		return fault(line, "& begins an anchor, which a file may not use: take it out, or put the text in quotes")
	case token.AliasType:
		return fault(line,
			"* begins an alias, which a file may not use: write the thing out, or put the text in quotes")
	case token.TagType:
		return fault(line, "! begins a tag, which a file may not use: take it out, or put the text in quotes")
	case token.MergeKeyType:
		return fault(line, "<< merges mappings, which a file may not use: write the members out")
	case token.MappingKeyType:
		return fault(line, `"? " begins a complex key, which a file may not use: write key: value`)
	case token.DirectiveType:
		return fault(line,
			"%% begins a directive, which a file may not use: take the line out, or put the text in quotes")
	case token.MappingValueType:
		return checkColon(t, flow)
	case token.CommentType:
		return checkComment(t)
	case token.SingleQuoteType, token.DoubleQuoteType:
		return nil
	}
	return checkPlain(t)
}

// checkComment refuses what is more likely a text that a # cuts than a comment: "reason: as #4 says" would lose
// all behind "as", and nobody would see it. A comment has a space behind its #, and two before it where it
// follows a text of several words.
func checkComment(t *token.Token) error {
	before, line := t.Prev, t.Position.Line
	if before == nil || lineOf(before) != line {
		return nil // a line of its own
	}
	text := ""
	switch before.Type {
	case token.MappingStartType, token.MappingEndType, token.SequenceStartType, token.SequenceEndType,
		token.CollectEntryType, token.SingleQuoteType, token.DoubleQuoteType, token.LiteralType, token.FoldedType,
		token.DocumentHeaderType, token.DocumentEndType, token.CommentType:
		return nil // a text has ended here, or has not begun
	case token.MappingValueType, token.SequenceEntryType:
	default:
		text = before.Value + " "
	}
	spaced := strings.HasPrefix(t.Value, " ") || strings.TrimSpace(t.Value) == ""
	prose := strings.Contains(strings.TrimSpace(text), " ") && !strings.HasSuffix(before.Origin, "  ")
	if spaced && !prose {
		return nil
	}
	whole := strings.TrimRight(text+"#"+t.Value, " ]}")
	return fault(line, "the # would cut this text: write it in quotes, %s; a comment stands on a line of its own",
		shown(whole))
}

// checkColon asks for a key before the colon and, in brackets, for a space after it: there
// the library would split 12:30 in two, which YAML does not.
func checkColon(t *token.Token, flow bool) error {
	line, before, after := t.Position.Line, t.Prev, t.Next
	if before == nil || before.Type == token.MappingValueType {
		return fault(line, `a ":" without a key before it`)
	}
	if before.Position.Line != line {
		return fault(line, `a ":" on another line than its key: write key: value on one line`)
	}
	if !flow || after == nil {
		return nil
	}
	switch after.Type {
	case token.CollectEntryType, token.MappingEndType, token.SequenceEndType:
		return fault(line, "%s stands in brackets without a value: write %s", shown(before.Value),
			shown(before.Value+": …"))
	}
	if after.Position.Line != line || after.Type == token.CommentType {
		return nil
	}
	switch before.Type {
	case token.SingleQuoteType, token.DoubleQuoteType:
		return nil // as JSON is written
	}
	if !strings.HasPrefix(after.Origin, " ") && !strings.HasPrefix(after.Origin, "\n") {
		return fault(line, `%s: put a space after the ":", or quotes around the text`,
			shown(before.Value+":"+after.Value))
	}
	return nil
}

// brackets are those open at a point of the file, the innermost last.
type brackets []bracket

type bracket struct {
	opened *token.Token
	member *token.Token // the first token since the bracket or the last comma
	colon  bool         // whether a colon has followed
}

// take follows the brackets to the next token.
func (b *brackets) take(t *token.Token) error {
	var in *bracket
	if n := len(*b); n > 0 {
		in = &(*b)[n-1]
	}
	switch t.Type {
	case token.MappingEndType, token.SequenceEndType:
		return b.close(in, t)
	case token.CollectEntryType:
		if in == nil {
			return nil
		}
		err := in.checkMember()
		in.member, in.colon = nil, false
		return err
	case token.CommentType:
		return nil
	}
	if in != nil && in.member == nil {
		in.member = t
	}
	switch t.Type {
	case token.MappingStartType, token.SequenceStartType:
		if *b = append(*b, bracket{opened: t}); len(*b) > maxDepth {
			return tooDeep(t.Position.Line)
		}
	case token.MappingValueType:
		if in != nil {
			in.colon = true
		}
	}
	return nil
}

func (b *brackets) close(in *bracket, t *token.Token) error {
	line := t.Position.Line
	if in == nil {
		return fault(line, "a %s that closes nothing: take it out, or put the text in quotes", t.Value)
	}
	if o := in.opened; (o.Type == token.MappingStartType) != (t.Type == token.MappingEndType) {
		return fault(line, "a %s closes the %s of line %d: one of the two is wrong", t.Value, o.Value, o.Position.Line)
	}
	*b = (*b)[:len(*b)-1]
	return in.checkMember()
}

// checkMember refuses a member of { } that has no colon. YAML reads it as a key with null,
// which is never what was meant.
func (in *bracket) checkMember() error {
	if in.opened.Type != token.MappingStartType || in.member == nil || in.colon {
		return nil
	}
	v, line := in.member.Value, in.member.Position.Line
	switch in.member.Type {
	case token.MappingStartType, token.SequenceStartType:
		return fault(line, "a list or mapping stands in { } without a key: write key: value")
	}
	return fault(line, "%s stands in brackets without a value: write %s", shown(v), shown(v+": …"))
}

func (b brackets) closed() error {
	if len(b) == 0 {
		return nil
	}
	o := b[len(b)-1].opened
	return fault(o.Position.Line,
		"the %s that opens here is never closed: is its partner missing, or is the file cut short?", o.Value)
}
