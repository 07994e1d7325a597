package turnfile

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// File is a turn file. Campaign and Turn are empty when the file does not name them.
type File struct {
	Campaign string
	Turn     string
	Entries  []Entry // the turn, the facts, the entries, in the order of the package comment
	Blank    bool    // entries: stands there with nothing below it, and no facts do: a [Template] that nobody filled in
}

// Parse reads a turn file for a system with these verbs. Name stands for the file in errors,
// which are of type [*Error].
func Parse(name string, data []byte, verbs []rules.Verb) (*File, error) {
	f, err := parseFile(data, verbs)
	if err != nil {
		return nil, named(name, err)
	}
	return f, nil
}

var topKeys = []string{"campaign", "turn", "facts", "entries"}

func parseFile(data []byte, verbs []rules.Verb) (*File, error) {
	n, err := read(data)
	if err != nil {
		return nil, err
	}
	if n == nil {
		return nil, fault(0, "is empty: a turn file has turn: and entries:")
	}
	top, err := topLevel(n, "a turn file", topKeys)
	if err != nil {
		return nil, err
	}
	f := &File{}
	if m, ok := top["campaign"]; ok {
		if f.Campaign, err = m.label("campaign"); err != nil {
			return nil, err
		}
	}
	if m, ok := top["turn"]; ok {
		if err := f.addTurn(m); err != nil {
			return nil, err
		}
	}
	if m, ok := top["facts"]; ok {
		if err := f.addFacts(m); err != nil {
			return nil, err
		}
	}
	if m, ok := top["entries"]; ok {
		if err := f.addEntries(m, verbs); err != nil {
			return nil, err
		}
		f.Blank = m.isNull() && !slices.ContainsFunc(f.Entries, func(e Entry) bool { return e.Verb != "turn" })
	}
	for i := range f.Entries {
		f.Entries[i].Turn = f.Turn
	}
	return f, nil
}

// topLevel gives the values of a file's keys, each on its key's line, and refuses other keys.
func topLevel(n *node, what string, known []string) (map[string]*node, error) {
	if n.members == nil {
		return nil, fault(n.line, "%s is a mapping with the keys %s: this is %s", what, words.And(listed(known)),
			n.what())
	}
	top := make(map[string]*node, len(known))
	for _, m := range n.members {
		top[m.key] = m.value
		if m.value.members == nil && m.value.items == nil {
			m.value.line = m.line
		}
		ok := false
		for _, k := range known {
			ok = ok || k == m.key
		}
		if !ok {
			hint := meant(m.key, known)
			return nil, fault(m.line, "%s has no key %s%s %s", what, shown(m.key), orSemicolon(hint),
				"the keys are "+words.And(listed(known)))
		}
	}
	return top, nil
}

func (f *File) addTurn(n *node) (err error) {
	if f.Turn, err = n.label("turn"); err != nil {
		return err
	}
	f.Turn = turnLabel(f.Turn)
	label := &node{line: n.line, plain: f.Turn} // a turn named by a number is a label all the same
	body := &node{line: n.line, members: []member{{"turn", n.line, label}}}
	f.Entries = append(f.Entries, newEntry(ID(f.Turn, "turn"), "turn", n.line, body))
	return nil
}

// turnLabel is the label of a turn as every system writes it, for it enters the ids of entries: Round 2 for round 2.
func turnLabel(typed string) string {
	list := strings.Fields(typed)
	for i, word := range list {
		first, size := utf8.DecodeRuneInString(word)
		list[i] = string(unicode.ToUpper(first)) + strings.ToLower(word[size:])
	}
	return strings.Join(list, " ")
}

// GoOn takes the turn out of the entries of a file that names the turn that is on: it does not begin once more.
func (f *File) GoOn(on string) {
	if f.Turn != "" && f.Turn == on {
		f.Entries = f.Entries[1:]
	}
}

func (f *File) addFacts(n *node) error {
	if n.members == nil && !n.isNull() {
		return fault(n.line, "facts is %s: it should be a mapping, one key for each fact", n.what())
	}
	// Who holds the board comes first: what stands on it is judged by that.
	facts := n.members
	if i := slices.IndexFunc(facts, func(m member) bool { return m.key == "control" }); i > 0 {
		facts = slices.Concat(facts[i:i+1], facts[:i], facts[i+1:])
	}
	for _, m := range facts {
		if err := checkLabel(m.line, "the fact's key", m.key); err != nil {
			return err
		}
		fact := &node{line: m.line, members: []member{m}}
		body := &node{line: m.line, members: []member{{"facts", m.line, fact}}}
		f.Entries = append(f.Entries, newEntry(ID(f.Turn, "facts/"+m.key), "facts", m.line, body))
	}
	return nil
}

func (f *File) addEntries(n *node, verbs []rules.Verb) error {
	if n.items == nil && !n.isNull() {
		return fault(n.line, `entries is %s: it should be a list, each entry after "- "`, n.what())
	}
	first := map[string]int{}
	for _, item := range n.items {
		id, e, err := entryOf(item, verbs)
		switch {
		case err != nil:
			return err
		case id == "":
			return fault(item.line, "the entry %s has no id: add one that is unique in the file, like id: %s",
				shown(e.Verb), "a1")
		case id == "turn" && f.Turn != "":
			return fault(e.LineOf(""), `the id "turn" is that of the turn itself: choose another`)
		case first[id] != 0:
			return fault(item.line, "the id %s stands twice, first on line %d: an id is unique in the file", shown(id),
				first[id])
		}
		first[id] = item.line
		e.ID = ID(f.Turn, id)
		f.Entries = append(f.Entries, e)
	}
	return nil
}
