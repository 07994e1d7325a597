package turnfile

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Change is one line of a supposition: what is otherwise in a campaign that is played again.
//
//	die #57 = 3 5               how dice fell
//	card #63 = asw              a card drawn or played; several of a draw, in its order
//	option tiers = cumulative   an option of the rules, from the beginning on
//	ruling #70 = one_tier       what the umpire ruled
//	edition 2                   the edition of the rules, from the beginning on
//	entry #57: {asw: 34}        fields of an entry, as in a correction
//	without #57                 an entry is not heard
type Change struct {
	Kind    string   // the word it begins with
	Event   uint64   // 0 for an option or edition
	Name    string   // of an option or edition
	Values  []string // behind the equals sign
	Replace []Replacement
	text    string
}

const changeForms = "die #57 = 3 5; card #63 = asw; option NAME = VALUE; ruling #70 = VALUE; edition 2; entry #57: " +
	"{FIELD: VALUE}; without #57"

// ParseChange reads one change. Its errors are of type [*Error], and name the change.
func ParseChange(text string) (Change, error) {
	c, err := parseChange(strings.TrimSpace(text))
	if err != nil {
		return Change{}, named("change "+shown(text), err)
	}
	return c, nil
}

func parseChange(text string) (c Change, err error) {
	word, rest, _ := strings.Cut(text, " ")
	c, rest = Change{Kind: word, text: text}, strings.TrimSpace(rest)
	is := "="
	switch word {
	case "dice":
		c.Kind = "die"
	case "cards":
		c.Kind = "card"
	case "entry":
		is = ":"
	case "die", "card", "option", "ruling", "edition", "without":
	default:
		return c, fault(0, "it does not begin with what is otherwise. It may be one of: %s", changeForms)
	}
	about, value, valued := strings.Cut(rest, is)
	about, value = strings.TrimSpace(about), strings.TrimSpace(value)
	whole := c.Kind == "edition" || c.Kind == "without"
	switch {
	case about == "" || strings.Contains(about, " "):
		return c, fault(0, "it does not say what it is about, such as %s", c.form())
	case !whole && value == "":
		return c, fault(0, "it does not say what is otherwise, such as %s", c.form())
	case whole && valued:
		return c, fault(0, "nothing stands behind that, such as %s", c.form())
	}
	if c.Kind == "option" || c.Kind == "edition" {
		c.Name = about
	} else if c.Event, err = strconv.ParseUint(strings.TrimPrefix(about, "#"), 10, 64); err != nil || c.Event == 0 {
		return c, fault(0, "%s is no event's index, such as %s", shown(about), c.form())
	}
	if c.Kind == "entry" {
		c.Replace, err = fieldsIn(value)
		return c, err
	}
	c.Values = strings.FieldsFunc(strings.Trim(value, "[]"), func(r rune) bool { return r == ' ' || r == ',' })
	if one := c.Kind == "option" || c.Kind == "ruling"; !whole && (len(c.Values) == 0 || one && len(c.Values) > 1) {
		return c, fault(0, "it does not say in one word what is otherwise, such as %s", c.form())
	}
	return c, nil
}

// form is an example of the change's kind.
func (c Change) form() string {
	for form := range strings.SplitSeq(changeForms, "; ") {
		if strings.HasPrefix(form, c.Kind+" ") {
			return form
		}
	}
	return changeForms
}

func fieldsIn(text string) (list []Replacement, err error) {
	n, err := read([]byte(text))
	if err != nil {
		return nil, err
	}
	if n == nil || len(n.members) == 0 {
		return nil, fault(0, "what is otherwise in an entry is a mapping of fields to values, such as {asw: 34}")
	}
	for _, m := range n.members {
		list = append(list, Replacement{m.key, appendJSON(nil, m.value.json()), 0})
	}
	return list, nil
}

// Apply gives the body of an entry with the fields replaced. A field that the entry does not have
// by itself is meant within what stands under its verb.
func (c Change) Apply(verb string, body []byte) ([]byte, error) {
	top := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &top); err != nil {
		return nil, fmt.Errorf("the entry does not read: %w", err)
	}
	k := Correction{File: "change " + shown(c.text)}
	for _, r := range c.Replace {
		if key := r.Field[:end(r.Field)]; top[key] == nil && top[r.Field] == nil {
			var under map[string]json.RawMessage
			if json.Unmarshal(top[verb], &under) == nil && under != nil {
				r.Field = verb + "." + r.Field
			}
		}
		k.Replace = append(k.Replace, r)
	}
	out, _, err := k.Apply(body)
	return out, err
}

// end is where the first key of a path ends.
func end(path string) int {
	if i := strings.IndexAny(path, ".["); i > 0 {
		return i
	}
	return len(path)
}
