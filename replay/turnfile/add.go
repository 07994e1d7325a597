package turnfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// Add gives the text of a turn file with one entry more at its end. Members are those of the entry in flow style, as
// they stand between its braces, without an id: "draw: Ultra". The id is made of the verb, and of the side whose entry
// it is if by names one; taken says of an [ID] that it is another entry's. A turn that the entry begins comes to the
// head of the file. What stood there stays as it is.
func Add(name, text, members, by string, verbs []rules.Verb, taken func(id string) bool) (string, error) {
	old := &File{}
	if strings.TrimSpace(text) != "" {
		var err error
		if old, err = Parse(name, []byte(text), verbs); err != nil {
			return "", err
		}
		text = strings.TrimRight(text, "\n") + "\n"
	}
	e, err := ParseEntry("the form", "{"+members+"}", "", verbs)
	if err != nil {
		return "", err
	}
	if e.Verb == "turn" {
		if old.Turn != "" {
			return "", named(name, fault(0, "begins %s already: enter it, and begin the next turn then", old.Turn))
		}
		added := members + "\n" + text
		_, err = Parse(name, []byte(added), verbs)
		return added, err
	}
	id := old.freeID(strings.ToLower(strings.TrimSpace(e.Verb+" "+by)), taken)
	line := fmt.Sprintf("- {id: %s, %s}\n", Flow(id), members)
	for _, added := range []string{text + indentOf(text) + line, text + "entries:\n  " + line} {
		f, err := Parse(name, []byte(added), verbs)
		if err == nil && len(f.Entries) == len(old.Entries)+1 && f.Entries[len(old.Entries)].ID == ID(f.Turn, id) {
			return added, nil
		}
	}
	return "", named(name, fault(0, "does not end with its entries: put this where it belongs: %s", line))
}

// freeID gives an id that no entry has: the words, or the words with a number.
func (f *File) freeID(words string, taken func(id string) bool) string {
	base := strings.ReplaceAll(words, " ", "-")
	for n := 1; ; n++ {
		id := base
		if n > 1 {
			id = fmt.Sprintf("%s-%d", base, n)
		}
		full := ID(f.Turn, id)
		if !taken(full) && !slices.ContainsFunc(f.Entries, func(e Entry) bool { return e.ID == full }) {
			return id
		}
	}
}

// items are the entries of a file in block style.
var items = regexp.MustCompile(`(?m)^entries:[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n)*( *)- `)

// indentOf is how far the entries of a text are indented.
func indentOf(text string) string {
	if m := items.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return "  "
}

// FlowEntry writes the body of an entry in flow style, the verb first: {draw: Ultra}.
func FlowEntry(body json.RawMessage, verb string) string {
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(body)
	}
	return flowOf(v, verb)
}

func flowOf(v any, first string) string {
	var list []string
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		slices.SortStableFunc(keys, func(a, b string) int {
			switch first {
			case a:
				return -1
			case b:
				return 1
			}
			return 0
		})
		for _, key := range keys {
			list = append(list, Flow(key)+": "+flowOf(v[key], ""))
		}
		return "{" + strings.Join(list, ", ") + "}"
	case []any:
		for _, x := range v {
			list = append(list, flowOf(x, ""))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case string:
		return Flow(v)
	case nil:
		return "null"
	}
	return fmt.Sprint(v)
}

// Rest gives what is left of the text of a turn file when all is taken away that comes before the entry of a line; ""
// where no entry stands so far below. Where the others do not stand above it, all stays as it is.
func Rest(text string, line int, verbs []rules.Verb) string {
	f, err := Parse("", []byte(text), verbs)
	if err != nil {
		return text
	}
	lines := strings.SplitAfter(strings.TrimRight(text, "\n")+"\n", "\n")
	if line >= len(lines) {
		return ""
	}
	at := slices.IndexFunc(f.Entries, func(e Entry) bool { return e.Line == line })
	if at <= 0 {
		return text
	}
	left := f.Entries[at:]
	for _, key := range topKeys[2:] {
		rest := key + ":\n" + strings.Join(lines[line-1:], "")
		is, err := Parse("", []byte(rest), verbs)
		if err == nil && slices.EqualFunc(is.Entries, left, func(a, b Entry) bool { return ID(f.Turn, a.ID) == b.ID }) {
			return rest
		}
	}
	return text
}
