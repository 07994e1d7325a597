package envelope

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
)

// begins lists the types of event that a command may lead to under its own id, by its verb, for the verbs that every
// system hears alike. Other verbs are for the rules of the system.
var begins = map[string][]events.Type{
	"answer": {"choice_made"}, "dice": {"dice_typed", "dice_rolled"}, "confirm": {"dice_rolled", "dice_denied"},
	"dispute": {"dispute_opened"}, "statement": {"statement_made"},
	"evidence": {"evidence_brought"}, "rule": {"option_ruled"}, "reveal": {"opened"}, "keep": {"consequence_kept"},
	"undo": {"voided"}, VerbLink: {"dice_rolled"}, "round": {"dice_rolled"}, "lapse": {"roll_lapsed"},
	"unwitnessed": {"dice_rolled"}, "epoch": {"epoch_begun"}, "rules": {"rules_changed"},
	"edition": {"edition_moved"}, VerbDeclassify: {"declassified"},
	"open": {"campaign_opened", "seat_taken", "epoch_begun"},
}

// LeadsTo reports whether an event of that type may follow from a command with that verb, as far as that is known
// without the system's rules.
func LeadsTo(verb string, t events.Type) bool {
	if own, heard := begins[verb]; heard { // a later program may have types of its own
		return slices.Contains(own, t) || !events.Known(t)
	}
	return t.KeysSeat() == (verb == VerbKey) && t != "dice_typed" && t != "dice_denied"
}

// Says fails where what is recorded is not what was signed: an answer, dice of a table, or a confirmation of them. It
// lets any other command pass, for the rules say what follows from that. The event is the first that the command led
// to.
func (c Command) Says(e *events.Event, p events.Payload) error {
	var r Request
	entry := map[string]json.RawMessage{}
	if err := json.Unmarshal(c.Request, &r); err != nil {
		return err
	}
	if !LeadsTo(r.Verb, e.Type) {
		return fmt.Errorf("%s leads to no %s", r.Verb, e.Type)
	}
	if _, heard := begins[r.Verb]; !heard {
		return nil
	}
	if json.Unmarshal(r.Entry, &entry) != nil || entry[r.Verb] == nil {
		return fmt.Errorf("the entry does not say %s", r.Verb)
	}
	said, holds := entry[r.Verb], true
	delete(entry, r.Verb)
	switch p := p.(type) {
	case *events.ChoiceMade:
		holds = answers(said, e.Side, p.Options) && len(entry) == 0
	case *events.DiceTyped:
		holds = fell(said, p.Fell) && len(entry) == 0
	case *events.DiceRolled:
		holds = rolls(r.Verb, said, p, len(entry) == 0)
	case *events.Declassified:
		var link events.Link
		holds = json.Unmarshal(said, &link) == nil && link == p.Link && len(entry) == 0
	case *events.DiceDenied:
		reason := ""
		holds = confirms(said, "no") && json.Unmarshal(entry["reason"], &reason) == nil &&
			strings.TrimSpace(reason) == p.Reason
	}
	if !holds {
		return fmt.Errorf("the player signed %s, and that is not what stands in the event", c.Request)
	}
	return nil
}

// rolls reports whether dice follow from what was said: that they fell so, or a link that decides them.
func rolls(verb string, said json.RawMessage, p *events.DiceRolled, alone bool) bool {
	var link events.Link
	switch verb {
	case "confirm":
		return confirms(said, "yes")
	case VerbLink:
		return alone && json.Unmarshal(said, &link) == nil && len(p.Links) == 2 && p.Links[1] == link
	}
	return verb != "dice"
}

// Brings reports whether the command brings a key, and that chain.
func (c Command) Brings(entry KeyEntry) bool {
	want, err := KeyRequest(entry)
	k, not := tree.ParseWitness(entry.Key)
	return err == nil && not == nil && string(want) == string(c.Request) && c.ID == KeyID(k.Fingerprint())
}

// answers reports whether an answer names a side and its options. A secret one is sealed.
func answers(said json.RawMessage, side string, options []string) bool {
	var of map[string]json.RawMessage
	if json.Unmarshal(said, &of) != nil || len(of) != 1 {
		return false
	}
	for name, chosen := range of {
		switch {
		case !strings.EqualFold(name, side):
			return false
		case isSealed(chosen):
			return len(options) == 0
		}
		named, ok := Options(chosen)
		return ok && slices.EqualFunc(named, options, strings.EqualFold)
	}
	return false
}

// Options reads what a side chooses, as an answer says it: an option, or a list of them. One that is a number need not
// be in quotes.
func Options(said json.RawMessage) (options []string, ok bool) {
	var several []json.RawMessage
	if json.Unmarshal(said, &several) != nil {
		several = []json.RawMessage{said}
	}
	options = []string{}
	for _, one := range several {
		var option string
		var number json.Number
		switch {
		case string(one) == "null":
			return nil, false
		case len(one) > 0 && one[0] != '"' && json.Unmarshal(one, &number) == nil:
			option = number.String()
		case json.Unmarshal(one, &option) != nil:
			return nil, false
		}
		options = append(options, option)
	}
	return options, several != nil
}

func isSealed(raw json.RawMessage) bool {
	var slot map[string]string
	return json.Unmarshal(raw, &slot) == nil && len(slot) == 1 && slot["sealed"] != ""
}

// fell reports whether dice of a table are those of these throws.
func fell(said json.RawMessage, throws []events.Fallen) bool {
	var names []string
	for _, t := range throws {
		names = append(names, t.Throw)
	}
	lists, ok := Dice(said, names...)
	return ok && slices.EqualFunc(lists, throws, func(dice []int, t events.Fallen) bool {
		return slices.Equal(dice, t.Dice)
	})
}

// Dice reads how the dice of throws fell at a table: a list for each throw, in their order or by their names, or one
// list where there is one throw. A list of one die may be the die.
func Dice(said json.RawMessage, throws ...string) (lists [][]int, ok bool) {
	if dice, ok := diceOf(said); ok && len(throws) == 1 {
		return [][]int{dice}, true
	}
	var named map[string]json.RawMessage
	var each []json.RawMessage
	if json.Unmarshal(said, &each) != nil && json.Unmarshal(said, &named) == nil && len(named) == len(throws) {
		for _, name := range throws {
			each = append(each, named[name])
		}
	}
	for _, one := range each {
		dice, ok := diceOf(one)
		if !ok {
			return nil, false
		}
		lists = append(lists, dice)
	}
	return lists, each != nil
}

func diceOf(said json.RawMessage) (dice []int, ok bool) {
	if json.Unmarshal(said, &dice) == nil {
		return dice, dice != nil
	}
	var die int
	return []int{die}, json.Unmarshal(said, &die) == nil
}

// confirms reports whether a confirmation is a yes or a no.
func confirms(said json.RawMessage, word string) bool {
	var text string
	if json.Unmarshal(said, &text) == nil {
		return strings.EqualFold(text, word)
	}
	return string(said) == map[string]string{"yes": "true", "no": "false"}[word]
}
