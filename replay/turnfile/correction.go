package turnfile

import (
	"encoding/json"
	"strings"
)

// Correction is what an umpire replaces in a recorded entry, and why.
type Correction struct {
	Reason  string
	Code    string        // one word, as mistyped, misread, forgotten
	Replace []Replacement // in file order
	File    string        // where it was read, for errors
}

// Replacement is one field and what it should have been. A mapping is merged into the
// recorded one; null takes the field out; anything else takes its place.
type Replacement struct {
	Field string          // a path: "submarine warfare.asw", "cards[1]"
	Value json.RawMessage // canonical JSON
	Line  int
}

var correctionKeys = []string{"reason", "code", "replace"}

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
	for _, key := range correctionKeys {
		if top[key] == nil {
			return c, fault(n.line, "the correction has no %s: it needs all of %s", key, listed(correctionKeys, " and "))
		}
	}
	reason, ok := top["reason"].plain.(string)
	if c.Reason = strings.TrimSpace(reason); !ok || c.Reason == "" {
		return c, fault(top["reason"].line, "the reason is %s: say in words why the entry is corrected", top["reason"].what())
	}
	if c.Code, err = codeOf(top["code"]); err != nil {
		return c, err
	}
	replace := top["replace"]
	if replace.members != nil && len(replace.members) == 0 {
		return c, fault(replace.line, "replace is empty: it should be a mapping of fields to new values")
	}
	if replace.members == nil {
		return c, fault(replace.line, "replace is %s: it should be a mapping of fields to new values", replace.what())
	}
	for _, m := range replace.members {
		c.Replace = append(c.Replace, Replacement{m.key, appendJSON(nil, m.value.json()), m.line})
	}
	return c, nil
}

// codeOf reads one word of lower-case letters, digits and hyphens.
func codeOf(n *node) (string, error) {
	s, ok := n.plain.(string)
	const signs = "abcdefghijklmnopqrstuvwxyz0123456789-"
	if !ok || s == "" || len(s) > 32 || strings.Trim(s, signs) != "" {
		return "", fault(n.line, "the code is %s: it should be one word in lower case, like mistyped, misread or forgotten", n.what())
	}
	return s, nil
}
