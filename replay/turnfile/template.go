package turnfile

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// Template is what a turn file for a campaign begins with.
type Template struct {
	Campaign string
	Where    string   // how far it is: "#104, Round 4, US collect income"
	Turn     string   // that is on; empty before the first
	Next     []string // turns that may begin now
	Over     bool     // the turn that is on is at its end
	Asked    []string // the open question, and an entry that answers it
	Verbs    []rules.Verb
	Names    func(kind string) []string
}

// Write gives the file: its head, and as comments an example of each entry with the names of the campaign. As it is
// it reads, and enters nothing ([File.Blank]).
func (t Template) Write() string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("# A turn file for %s, which is at %s.", t.Campaign, t.Where)
	say("# Take the # away before what happens, and put in what happened; each entry has an id of its own. Then look " +
		"at it:")
	say("#   watu submit %s FILE --check", t.Campaign)
	say("campaign: %s", t.Campaign)
	heads := append([]string{}, t.Next...)
	if t.Turn != "" && t.Over && len(heads) > 0 {
		heads = append(heads, t.Turn)
	} else if t.Turn != "" {
		heads = append([]string{t.Turn}, heads...)
	}
	for i, turn := range heads {
		does := "begins"
		if turn == t.Turn {
			does = "goes on"
		}
		if i == 0 {
			say("# %s %s.\nturn: %s", turn, does, Flow(turn))
		} else {
			say("# If %s %s, write turn: %s", turn, does, Flow(turn))
		}
	}
	if len(heads) == 0 {
		turn, _ := rules.Find(t.Verbs, func(v rules.Verb) bool { return v.Key == "turn" })
		for _, f := range turn.Fields() {
			say("# To begin the first turn, write turn: and its name, %s", f.Doc)
		}
	}
	for i, line := range t.Asked {
		if i == 0 {
			line = "The campaign waits for " + line
		}
		say("# %s", line)
	}
	say("entries:")
	for i, v := range t.Verbs {
		if fields := v.Fields(); v.Key != "turn" && len(fields) > 0 {
			t.verb(say, i, v, fields)
		}
	}
	return b.String()
}

func (t Template) verb(say func(string, ...any), i int, v rules.Verb, fields []rules.Field) {
	say("\n# %s: %s", v.Key, v.Line)
	parts := []string{fmt.Sprintf("id: e%d", i+1)}
	under := fields[0]
	for _, f := range fields {
		if f.Key == v.Key {
			under = f
		}
		if f.Key == v.Key || f.Needed {
			parts = append(parts, f.Key+": "+t.example(f))
		}
	}
	say("# - {%s}", strings.Join(parts, ", "))
	for _, f := range slices.Concat(under.Fields, beside(fields, v.Key)) {
		needed := ""
		if f.Needed {
			needed = "needed"
		}
		say("#   %s", words.Join("; ", Flow(f.Key)+": "+t.kind(f, v.Key), needed, f.Doc))
	}
}

// bare is a text that needs no quotes.
var bare = regexp.MustCompile(`^[\pL][\pL0-9]*([ .'_-][\pL0-9]+)*$`)

// Flow writes a text as a file takes it: in quotes where it would read as something else.
func Flow(text string) string {
	if bare.MatchString(text) && !slices.Contains([]string{"true", "false", "null"}, strings.ToLower(text)) {
		return text
	}
	return fmt.Sprintf("%q", text)
}

// beside are the fields that stand beside the verb.
func beside(fields []rules.Field, verb string) []rules.Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f rules.Field) bool { return f.Key == verb })
}

// example is a value that a field may have: of a group what is needed, or else its first.
func (t Template) example(f rules.Field) string {
	name := "…"
	if list := t.Names(f.Names); f.Names != "" && len(list) > 0 {
		name = Flow(list[0])
	}
	switch f.Kind {
	case rules.NumberField:
		return strconv.Itoa(max(f.Least, min(1, f.Most)))
	case rules.TruthField:
		return "true"
	case rules.ListField:
		return "[" + t.example(*f.Of) + "]"
	case rules.MappingField:
		return "{" + name + ": " + t.example(*f.Of) + "}"
	case rules.GroupField:
		return t.group(f.Fields)
	case rules.AnyField:
		return "…"
	}
	if len(f.Words) > 0 {
		return Flow(f.Words[0])
	}
	return name
}

// group is an example of several fields: two that name the same kind of thing name two of them.
func (t Template) group(fields []rules.Field) string {
	var list []string
	named, all := map[string]int{}, t.Names
	t.Names = func(kind string) []string {
		names := all(kind)
		return names[max(0, min(named[kind], len(names)-1)):]
	}
	for i, f := range fields {
		none := !slices.ContainsFunc(fields, func(f rules.Field) bool { return f.Needed })
		switch {
		case f.Alone && !slices.ContainsFunc(fields, func(g rules.Field) bool { return g.Needed && !g.Alone }):
			return t.example(f)
		case f.Needed || none && i == 0:
			list = append(list, Flow(f.Key)+": "+t.example(f))
			named[f.Names]++
		}
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// kind says what may stand in a field of a verb.
func (t Template) kind(f rules.Field, verb string) string {
	named := "a " + cmp.Or(f.Names, "name")
	if list := t.Names(f.Names); f.Names != "" && len(list) > 0 && len(list) <= 12 {
		named = strings.Join(list, ", ")
	}
	switch {
	case len(f.Words) > 0:
		return words.Or(f.Words)
	case f.Kind == rules.NumberField && f.Bounded && f.Most < rules.Limit:
		return fmt.Sprintf("a number from %d to %d", f.Least, f.Most)
	case f.Kind == rules.NumberField:
		return "a number"
	case f.Kind == rules.TruthField:
		return "true or false"
	case f.Kind == rules.ListField:
		return "a list of " + t.kind(*f.Of, verb)
	case f.Kind == rules.MappingField:
		return "by " + named + ": " + t.kind(*f.Of, verb)
	case f.Kind == rules.GroupField:
		return "{" + strings.Join(rules.Each(f.Fields, func(f rules.Field) string { return f.Key }), ", ") + "}"
	case f.Kind == rules.AnyField:
		return "see watu help " + verb
	case f.Names == "":
		return "text"
	}
	return named
}
