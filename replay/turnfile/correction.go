package turnfile

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Correction is what an umpire replaces in a recorded entry, and why. One that replaces nothing has
// the entry heard again, on what was corrected before it.
type Correction struct {
	Reason  string
	Code    string        // one word, as mistyped, misread, forgotten
	Replace []Replacement // in file order
	Dice    Dice
	Dispute uint64 // on whose account it is made, 0 for none
	// Consequences says what becomes of later entries that come out otherwise: "apply" or "keep", by any event of the
	// entry; by event 0 for all that are not named.
	Consequences map[uint64]string
	File         string // where it was read, for errors
	// Alone gives the field that is meant where a value stands in the place of the mapping under a key, empty for none:
	// then a field of such an entry can be corrected too. It may be nil.
	Alone func(key string) string
}

// Dice says what becomes of the dice of a corrected entry; they stand unless it says otherwise.
type Dice struct {
	Again bool               // dice: thrown again
	Fell  map[uint64][][]int // dice: {57: [[3, 4], [6, 1]]}: by event of the roll, a list for each throw
	Seen  string             // seen by: Anna
}

// Replacement is one field and what it should have been. A mapping is merged into the
// recorded one; null takes the field out; anything else takes its place.
type Replacement struct {
	Field string          // a path: "submarine warfare.asw", "cards[1]"
	Value json.RawMessage // canonical JSON
	Line  int
}

var correctionKeys = []string{"reason", "code", "replace", "dice", "seen by", "dispute", "consequences"}

const diceAgain = "thrown again"

// ParseCorrection reads a correction. Its errors are of type [*Error].
func ParseCorrection(name string, data []byte) (Correction, error) {
	c, err := parseCorrection(data)
	if err != nil {
		return Correction{}, named(name, err)
	}
	c.File = name
	return c, nil
}

func parseCorrection(data []byte) (c Correction, err error) {
	n, err := read(data)
	if err != nil {
		return c, err
	}
	if n == nil {
		return c, fault(0, "is empty: a correction has reason:, code: and replace:")
	}
	top, err := topLevel(n, "a correction", correctionKeys)
	if err != nil {
		return c, err
	}
	for _, key := range []string{"reason", "code"} {
		if top[key] == nil {
			return c, fault(n.line,
				"the correction has no %s: it needs a reason and a code, and says in replace or dice what was wrong",
				key)
		}
	}
	reason, ok := top["reason"].plain.(string)
	if c.Reason = strings.TrimSpace(reason); !ok || c.Reason == "" {
		return c, fault(top["reason"].line, "the reason is %s: say in words why the entry is corrected",
			top["reason"].what())
	}
	if c.Code, err = codeOf(top["code"]); err != nil {
		return c, err
	}
	if c.Replace, err = replacements(top["replace"]); err != nil {
		return c, err
	}
	if c.Dispute, err = disputeIn(top["dispute"]); err != nil {
		return c, err
	}
	if c.Consequences, err = consequencesIn(top["consequences"]); err != nil {
		return c, err
	}
	c.Dice, err = diceIn(top["dice"], top["seen by"])
	return c, err
}

// consequencesIn reads what becomes of what follows from the correction; nil if nothing is said of it.
func consequencesIn(n *node) (map[uint64]string, error) {
	if n == nil {
		return nil, nil
	}
	decided := map[uint64]string{}
	say := func(event uint64, n *node) bool {
		word, _ := n.plain.(string)
		decided[event] = word
		return word == "apply" || word == "keep"
	}
	if len(n.members) == 0 && say(0, n) {
		return decided, nil
	}
	for _, m := range n.members {
		event, err := strconv.ParseUint(strings.TrimPrefix(m.key, "#"), 10, 64)
		if err != nil || event == 0 || !say(event, m.value) {
			return nil, fault(m.line, "consequences are applied or kept by an event of theirs: {15: keep, 20: apply}")
		}
	}
	if len(n.members) == 0 {
		return nil, fault(n.line,
			"consequences is %s: it should be apply or keep, or one of these for each, by its event: {15: keep}",
			n.what())
	}
	return decided, nil
}

// disputeIn reads the dispute on whose account something is corrected; none is 0.
func disputeIn(n *node) (uint64, error) {
	if n == nil {
		return 0, nil
	}
	index, err := strconv.ParseUint(strings.TrimPrefix(string(appendJSON(nil, n.json())), "#"), 10, 64)
	if err != nil || index == 0 {
		return 0, fault(n.line, "dispute is %s: it should be the event that opened it, as in dispute: 60", n.what())
	}
	return index, nil
}

// replacements reads the fields to replace; none is none.
func replacements(n *node) ([]Replacement, error) {
	switch {
	case n == nil:
		return nil, nil
	case n.members != nil && len(n.members) == 0:
		return nil, fault(n.line, "replace is empty: it should be a mapping of fields to new values")
	case n.members == nil:
		return nil, fault(n.line, "replace is %s: it should be a mapping of fields to new values", n.what())
	}
	var list []Replacement
	for _, m := range n.members {
		list = append(list, Replacement{m.key, appendJSON(nil, m.value.json()), m.line})
	}
	return list, nil
}

// diceIn reads what becomes of the dice, and who saw those of a table.
func diceIn(n, seen *node) (d Dice, err error) {
	if n == nil {
		if seen != nil {
			return d, fault(seen.line, "seen by says who saw dice fall that replace others: say which in dice")
		}
		return d, nil
	}
	if n.plain == diceAgain {
		d.Again = true
		return d, nil
	}
	if len(n.members) == 0 {
		return d, fault(n.line,
			"dice is %s: it should be %q, or the dice of a table by the event of their roll, {57: [[3, 4], [6, 1]]}, "+
				"with seen by: who saw them", n.what(), diceAgain)
	}
	d.Fell = map[uint64][][]int{}
	for _, m := range n.members {
		event, err := strconv.ParseUint(strings.TrimPrefix(m.key, "#"), 10, 64)
		var fell [][]int
		if err != nil || json.Unmarshal(appendJSON(nil, m.value.json()), &fell) != nil {
			return d, fault(m.line,
				"the dice of a roll are named by its event and have a list for each throw: {57: [[3, 4], [6, 1]]}")
		}
		d.Fell[event] = fell
	}
	name, ok := "", false
	if seen != nil {
		name, ok = seen.plain.(string)
	}
	if d.Seen = strings.TrimSpace(name); !ok || d.Seen == "" {
		return d, fault(n.line, "dice of a table need a witness: seen by: the seat that saw them fall")
	}
	return d, nil
}

// codeOf reads one word of lower-case letters, digits and hyphens.
func codeOf(n *node) (string, error) {
	s, ok := n.plain.(string)
	const signs = "abcdefghijklmnopqrstuvwxyz0123456789-"
	if !ok || s == "" || len(s) > 32 || strings.Trim(s, signs) != "" {
		return "", fault(n.line,
			"the code is %s: it should be one word in lower case, like mistyped, misread or forgotten", n.what())
	}
	return s, nil
}
