package timeline

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// Pleas are what any seat may say on a dispute. As with dice of a table, nothing in it is sealed, and nothing sealed
// decides what becomes of it.
var (
	Pleas = []string{"dispute", "statement", "evidence"}
	table = []string{"dice", "confirm"}
)

// OwnEntry reports whether an entry is one that some of these sides may enter by themselves: their own alone, or one
// that any seat may. Sides are all of the campaign.
func OwnEntry(s rules.System, sides, own []string, verb string, body json.RawMessage) bool {
	return verb == campaign.VerbDeclassify || slices.Contains(Pleas, verb) || slices.Contains(table, verb) ||
		slices.ContainsFunc(own, func(side string) bool { return ownEntry(s, sides, side, verb, body) })
}

// OwnFields gives the fields of a verb's entries as a side enters them by itself: what stands under the verb, and as
// its side that one. It is false where no entry of the verb is a side's own: where its name may not stand, by what the
// rules list of a kind. Cards that a player draws by himself are entered by the program that draws them.
func OwnFields(v rules.Verb, side string, names func(kind string) []string) ([]rules.Field, bool) {
	under, _ := rules.Find(v.Fields(), func(f rules.Field) bool { return f.Key == v.Key })
	at := slices.IndexFunc(under.Fields, func(f rules.Field) bool { return f.Key == "side" })
	if at < 0 || v.Key == campaign.VerbHand {
		return nil, false
	}
	if there := names(under.Fields[at].Names); there != nil && !slices.Contains(there, side) {
		return nil, false
	}
	under.Fields[at].Words, under.Fields[at].Needed = []string{side}, true
	return []rules.Field{under}, true
}

// actors are the kinds of names that say whose act an entry is.
var actors = []string{"side", "power", "attacker", "treasury"}

// ActFields gives the fields of a verb's entries as a side enters them where nothing is hidden: the first name of a
// power is its own. It is false where no entry of the verb is for a side to enter. Names lists those of a kind.
func ActFields(s rules.System, sides []string, v rules.Verb, side string, names func(kind string) []string) (
	[]rules.Field, bool) {
	if !campaign.MayAct(v.Key, side) || v.By != "" && v.By != side ||
		slices.Contains([]string{"facts", rules.VerbAliases, campaign.VerbHand}, v.Key) {
		return nil, false
	}
	fields := v.Fields()
	_, f := Actor(fields)
	if f == nil {
		return fields, true
	}
	own := slices.DeleteFunc(slices.Clone(names(f.Names)), func(name string) bool {
		of, is := s.Side(sides, name)
		return !is || of != side
	})
	if len(own) > 0 {
		f.Words, f.Needed = own, true
	}
	return fields, true
}

// Actor finds the field that says whose act an entry is, and the keys that lead to it: that of a power before that of
// an attacker, at whom it fires; nil where none does.
func Actor(fields []rules.Field) (keys []string, f *rules.Field) {
	for i := range fields {
		under := fields[i].Fields
		for j := range under {
			if x := &under[j]; isActor(x) && (f == nil || x.Key == "power") {
				keys, f = []string{fields[i].Key, x.Key}, x
			}
		}
		if x := &fields[i]; f == nil && isActor(x) {
			keys, f = []string{x.Key}, x
		}
	}
	return keys, f
}

// isActor reports whether a field holds the name of whoever acts.
func isActor(f *rules.Field) bool {
	return f.Kind == rules.TextField && slices.Contains(actors, f.Names)
}

// OthersEntry reports whether an entry says of itself that it is of a side which these are not: it answers for that, or
// says what that does.
func OthersEntry(s rules.System, sides, own []string, verb string, body json.RawMessage) bool {
	var entry map[string]json.RawMessage
	var said map[string]any
	if json.Unmarshal(body, &entry) != nil || json.Unmarshal(entry[verb], &said) != nil {
		return false
	}
	for key, v := range said {
		name, _ := v.(string)
		if verb == campaign.VerbAnswer {
			name = key
		} else if !strings.EqualFold(key, "side") {
			continue
		}
		if side, ok := s.Side(sides, name); ok && !slices.Contains(own, side) {
			return true
		}
	}
	return false
}

// ownEntry reports whether an entry is one side's own: its answer, or what it says of that side and
// names no other.
func ownEntry(s rules.System, sides []string, side, verb string, body json.RawMessage) bool {
	var entry map[string]json.RawMessage
	var answer map[string]any
	if json.Unmarshal(body, &entry) != nil || json.Unmarshal(entry[verb], &answer) != nil || len(entry) != 1 {
		return false
	}
	if verb == "answer" {
		for of := range answer {
			if !strings.EqualFold(of, side) {
				return false
			}
		}
		return len(answer) == 1
	}
	of, ok := answer["side"].(string)
	if !ok {
		return false
	}
	own, ok := s.Side(sides, of)
	if !ok || own != side {
		return false
	}
	return !namesAnother(s, sides, side, answer)
}

// namesAnother looks for another side in a statement, however deep.
func namesAnother(s rules.System, sides []string, side string, v any) bool {
	switch v := v.(type) {
	case string:
		other, ok := s.Side(sides, v)
		return ok && other != side
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return namesAnother(s, sides, side, x) })
	case map[string]any:
		for key, x := range v {
			if strings.EqualFold(key, "side") && key != "side" { // would be read as the side too
				return true
			}
			if namesAnother(s, sides, side, key) || namesAnother(s, sides, side, x) {
				return true
			}
		}
	}
	return false
}
