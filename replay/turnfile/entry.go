package turnfile

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// Entry is one command of a file: ID, Verb, Turn and Body are set, Seat is the caller's to set.
type Entry struct {
	rules.Command
	Line int // where it begins

	lines map[string]int
}

// LineOf gives the line of a field of the body, named by its path as [rules.Violation] names
// it ("cards[1]", "submarine warfare.asw"; "" is the entry). A field that is not in the file
// has the line of what it would stand in.
func (e Entry) LineOf(field string) int {
	for field != "" {
		if line, ok := e.lines[field]; ok {
			return line
		}
		field = field[:max(0, strings.LastIndexAny(field, ".["))]
	}
	return e.Line
}

// ID gives the id of an entry in the campaign: the turn's label, a slash, the entry's own id.
// Without a turn it is the entry's own.
func ID(turn, entry string) string {
	if turn == "" {
		return entry
	}
	return turn + "/" + entry
}

// newEntry makes the entry of a mapping; its body is the mapping itself.
func newEntry(id, verb string, line int, body *node) Entry {
	e := Entry{Line: line, lines: map[string]int{}}
	e.ID, e.Verb, e.Body = id, verb, appendJSON(nil, body.json())
	noteLines(e.lines, "", body)
	return e
}

func noteLines(lines map[string]int, path string, n *node) {
	for _, m := range n.members {
		at := m.key
		if path != "" {
			at = path + "." + m.key
		}
		lines[at] = m.line
		noteLines(lines, at, m.value)
	}
	for i, item := range n.items {
		at := path + "[" + strconv.Itoa(i) + "]"
		lines[at] = item.line
		noteLines(lines, at, item)
	}
}

// ParseEntry reads one entry by itself, a mapping in flow or block style. Name stands for the
// file in errors. The ID of an entry without an id is empty: whoever submits it names it, and
// not after its content in clear, for ids are public and the content may be secret. The errors
// are of type [*Error].
func ParseEntry(name, text, turn string, verbs []rules.Verb) (Entry, error) {
	n, err := read([]byte(text))
	if err != nil {
		return Entry{}, named(name, err)
	}
	if n == nil {
		return Entry{}, named(name, fault(0, "is empty: write one entry, like {draw: Ultra}"))
	}
	id, e, err := entryOf(n, verbs)
	if err != nil {
		return Entry{}, named(name, err)
	}
	if e.Turn = turn; id != "" {
		e.ID = ID(turn, id)
	}
	return e, nil
}

// entryOf reads the mapping of one entry; the id is "" when it has none.
func entryOf(n *node, verbs []rules.Verb) (id string, e Entry, err error) {
	if n.members == nil {
		hint := ""
		if s, ok := n.plain.(string); ok && strings.Contains(s, ":") {
			hint = ` (a space is due after the ":")`
		}
		return "", e, fault(n.line, "an entry is %s: it should be a mapping with an id and a verb%s", n.what(), hint)
	}
	body := &node{line: n.line, members: []member{}}
	for _, m := range n.members {
		if m.key != "id" {
			body.members = append(body.members, m)
			continue
		}
		m.value.line = m.line
		if id, err = idOf(m.value); err != nil {
			return "", e, err
		}
	}
	verb, err := verbOf(body, id, verbs)
	if err != nil {
		return "", e, err
	}
	if label, ok := body.members[0].value.plain.(string); ok && verb == "turn" && len(body.members) == 1 {
		body.members[0].value = &node{line: body.members[0].value.line, plain: turnLabel(label)}
	}
	return id, newEntry(id, verb, n.line, body), nil
}

func idOf(n *node) (string, error) {
	id, err := n.label("the id")
	if err == nil && strings.Contains(id, "/") {
		err = fault(n.line, `the id %s has a "/", which divides it from the turn: use another sign`, shown(id))
	}
	return id, err
}

func checkLabel(line int, what, s string) error {
	const most = 64
	switch {
	case strings.TrimSpace(s) == "":
		return fault(line, "%s is empty", what)
	case len(s) > most:
		return fault(line, "%s is %d bytes long, and the limit is %d: shorten it", what, len(s), most)
	case strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fault(line, "%s %s has a sign that cannot be printed: take it out", what, shown(s))
	}
	return nil
}

// verbOf finds the one key of the entry that the system knows as a verb.
func verbOf(body *node, id string, verbs []rules.Verb) (string, error) {
	var known, found, others []string
	for _, v := range verbs {
		known = append(known, v.Key)
	}
	for _, m := range body.members {
		others = append(others, m.key)
		for _, k := range known {
			if k == m.key {
				found = append(found, k)
			}
		}
	}
	entry := "the entry"
	if id != "" {
		entry += " " + shown(id)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", fault(body.line, "%s has %d verbs, %s: make an entry of each", entry, len(found),
			words.And(listed(found)))
	case len(others) == 0:
		return "", fault(body.line, "%s has no verb: add one of %s", entry, words.Or(listed(known)))
	}
	hint, at := "", body.line
	for _, m := range body.members {
		if h := meant(m.key, known); h != "" && hint == "" {
			hint, at = h, m.line
		}
	}
	return "", fault(at, "%s has no verb among its keys (%s)%s the verbs are %s",
		entry, strings.Join(listed(others), ", "), orSemicolon(hint), words.And(listed(known)))
}

func orSemicolon(hint string) string {
	if hint == "" {
		return ";"
	}
	return hint
}
