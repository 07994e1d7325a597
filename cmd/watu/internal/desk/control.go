package desk

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/rules"
)

// Control is a field of an entry on a form, with what was typed into it.
type Control struct {
	rules.Field
	Name    string // of its input: the path of the field
	Label   string
	Column  string // what a control in a row is called beside the others of its column
	Hint    string // what stands there by default, and between which numbers
	Means   string // what may stand there, as its declaration says it, in English
	Ghost   string // what stands in it in a row before anything is typed
	Value   string
	Choices []Choice  // to choose from; nil where anything may be typed
	Groups  []Group   // or to choose from, apart
	List    string    // the id of names that are proposed, where they are too many to choose from
	Rows    []Row     // of a list or a mapping: those that are filled, and one more
	Inner   []Control // of a group
	None    bool      // it is said that nothing stands there
	Must    bool      // the form is not sent without it
	Focus   bool      // typing begins here
	Usual   bool      // most entries have it
	Open    bool      // something stands within it
}

// Group is a part of what may be chosen.
type Group struct {
	Name    string
	Choices []Choice
}

// Row is a row of a list, or of a mapping whose names stand in Named.
type Row struct {
	Named *Control
	Is    Control
}

// Shape is how a control is drawn.
func (c Control) Shape() string {
	switch {
	case c.Kind == rules.GroupField:
		return "group"
	case c.Kind == rules.ListField || c.Kind == rules.MappingField:
		return "rows"
	case c.Kind == rules.TruthField:
		return "truth"
	case c.Kind == rules.NumberField:
		return "number"
	case c.Choices != nil:
		return "choice"
	case c.Groups != nil:
		return "groups"
	}
	return "text"
}

// Folded reports whether a control has several parts, and is left alone by most.
func (c Control) Folded() bool {
	parts := c.Kind == rules.GroupField || c.Kind == rules.ListField || c.Kind == rules.MappingField
	return parts && !c.Needed && !c.Usual
}

// controls makes the controls of fields, in the order of a form: those that are folded come last.
func (b *builder) controls(list []rules.Field, within string, must func(rules.Field) bool) (made []Control) {
	for _, folded := range []bool{false, true} {
		for _, f := range list {
			at := within + f.Key
			if (Control{Field: f, Usual: b.usual(at)}).Folded() == folded {
				made = append(made, b.control(f, at, cmp.Or(f.Label, f.Key), must(f)))
			}
		}
	}
	return made
}

// ID is that of its element.
func (c Control) ID() string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '-'
	}, c.Name)
}

// Hinted reports whether something is said beside it.
func (c Control) Hinted() bool { return c.Hint != "" || c.Means != "" }

// MayBeNone reports whether its value may be an empty list.
func (c Control) MayBeNone() bool {
	return !c.Needed && !slices.ContainsFunc(c.Fields, func(f rules.Field) bool { return f.Needed })
}

const (
	fieldPrefix = "f/" // of the names of all controls
	fewNames    = 16   // are chosen from; of more, those that begin with what is typed are proposed
	notedNames  = 40   // where something is said beside them
	mostRows    = 400
)

// builder makes the controls of a form of what was typed.
type builder struct {
	form  url.Values
	names func(kind string) []string
	lists map[string][]Choice // the names that are proposed, by the id of their list
	given map[string][]Choice // that were typed, by their kind
	focus string              // the path where typing begins, until a control is found for it
	begun bool                // something was typed or chosen that is not there by itself
	say   story.Lines
	usual func(at string) bool // whether most entries have a field

	readings []Group // of the options on which may be ruled
	likely   func(kind string) []rules.Likely
}

// control makes the control of a field; must says that the form needs whatever stands around it.
func (b *builder) control(f rules.Field, at, label string, must bool) Control {
	c := Control{Field: f, Name: at, Label: label, Hint: b.hint(f), Means: meaning(f), Value: b.form.Get(at),
		Must: must && f.Needed, Usual: b.usual(at)}
	switch f.Kind {
	case rules.GroupField:
		c.Inner = b.controls(f.Fields, at+"/", func(rules.Field) bool { return must && (f.Needed || f.Key == "") })
	case rules.ListField, rules.MappingField:
		c.Rows = b.rows(f, at)
		if sum := b.sum(f, at); sum > 0 {
			c.Hint = b.say.Within("comes-to", "ipcs", b.say.Counted("ipc", sum))
		}
	default:
		stands := b.offer(&c)
		c.Focus = b.focused(at)
		b.begun = b.begun || b.form.Get(at) != "" && b.form.Get(at) != stands
	}
	c.None = b.form.Get(at+"/none") != ""
	b.begun = b.begun || c.None
	c.Open = c.Value != "" || c.None || slices.ContainsFunc(c.Inner, Control.begun) ||
		slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Is.begun() || r.Named != nil && r.Named.begun() })
	return c
}

func (c Control) begun() bool { return c.Open || c.Focus }

// focused reports whether typing begins in the control of a path: the first one of those asked for.
func (b *builder) focused(at string) bool {
	if b.focus == "" || at != b.focus && !strings.HasPrefix(at, strings.TrimSuffix(b.focus, "/")+"/") {
		return false
	}
	b.focus = ""
	return true
}

// offer has names chosen from where they are few and no other may stand, else proposed. It gives what stands there by
// itself.
func (b *builder) offer(c *Control) (stands string) {
	if c.Names == "reading" {
		c.Groups = b.readings
		return ""
	}
	words, open := b.choices(c.Field)
	if len(words) == 0 && c.Offers == "" {
		return ""
	}
	kind := kindOf(c.Field)
	list := b.noted(words, kind)
	if c.Must && (len(words) == 1 || open && kind == "turn" || len(b.likely(kind)) == 1) {
		stands = list[0].Value
		c.Value = cmp.Or(c.Value, stands)
	}
	if open || len(words) > b.most(kind) {
		c.List = "names-" + strings.ReplaceAll(kind, " ", "-")
		typed := Choice{c.Value, c.Value} // a name that the form itself gives may stand elsewhere in it
		if list = slices.Concat(list, b.given[kind]); c.Value != "" && !slices.Contains(list, typed) {
			b.given[kind], list = append(b.given[kind], typed), append(list, typed)
		}
		b.lists[c.List] = list
		return stands
	}
	c.Choices = list
	if c.Value != "" && !slices.Contains(words, c.Value) {
		c.Choices = append(list, Choice{c.Value, c.Value})
	}
	return stands
}

// most is how many names of a kind are chosen from.
func (b *builder) most(kind string) int {
	if len(b.likely(kind)) > 0 {
		return notedNames
	}
	return fewNames
}

// noted are names with what is said beside them, the likely ones first.
func (b *builder) noted(names []string, kind string) (list []Choice) {
	likely := b.likely(kind)
	for _, x := range likely {
		c := Choice{x.Name, x.Name}
		if x.Note != "" {
			c.Words += ", " + x.Note
		}
		list = append(list, c)
	}
	for _, name := range names {
		if !slices.ContainsFunc(likely, func(x rules.Likely) bool { return x.Name == name }) {
			list = append(list, Choice{name, name})
		}
	}
	return list
}

// sum is what the rows come to that say how many are bought of what has a price.
func (b *builder) sum(f rules.Field, at string) (sum int) {
	for i := range rowsOf(b.form, at) {
		n, _ := strconv.Atoi(b.form.Get(row(at, i) + "/is"))
		for _, x := range b.likely(kindOf(f)) {
			if x.Name == b.form.Get(row(at, i)+"/name") {
				sum += min(max(n, 0), rules.Limit) * x.IPCs
			}
		}
	}
	return sum
}

// choices are the words and names that may stand in a field, or of an open list some that may.
func (b *builder) choices(f rules.Field) (list []string, open bool) {
	kind := kindOf(f)
	if list = f.Words; list != nil || kind == "" {
		return list, false
	}
	if list = b.names(kind); len(list) > 0 {
		return list, f.Offers != ""
	}
	return b.names("likely " + kind), true
}

func (b *builder) rows(f rules.Field, at string) (rows []Row) {
	last := -1
	for i := range rowsOf(b.form, at) {
		if filled(b.form, row(at, i)) {
			last = i
		}
	}
	if b.focus == at { // one more is asked for
		b.focus = row(at, last+1)
	}
	what := cmp.Or(f.Key, kindOf(f))
	for i := range last + 2 {
		r, number := Row{}, strconv.Itoa(i+1)
		if f.Kind == rules.ListField {
			r.Is = b.control(*f.Of, row(at, i), what+" "+number, false).within(kindOf(*f.Of), "")
		} else {
			kind := cmp.Or(kindOf(f), "name")
			named := b.control(rules.Field{Names: f.Names, Offers: f.Offers}, row(at, i)+"/name", kind+" "+number,
				false).within("", kind)
			r.Named = &named
			r.Is = b.control(*f.Of, row(at, i)+"/is", kind+" "+number+", "+what, false).within("",
				cmp.Or(f.Each, kindOf(*f.Of), what))
		}
		rows = append(rows, r)
	}
	return rows
}

// within is a control in a row: the list says what may stand there, and the control the kind of a name, or what its
// column holds.
func (c Control) within(kind, column string) Control {
	c.Hint, c.Means, c.Ghost, c.Column = "", "", kind, column
	return c
}

// kindOf is the kind of the names that may stand in a field.
func kindOf(f rules.Field) string { return cmp.Or(f.Names, f.Offers) }

func row(at string, i int) string { return at + "/" + strconv.Itoa(i) }

// rowsOf is how many rows of a list or a mapping were sent.
func rowsOf(form url.Values, at string) int {
	n := 0
	for name := range form {
		rest, ok := strings.CutPrefix(name, at+"/")
		text, _, _ := strings.Cut(rest, "/")
		if i, err := strconv.Atoi(text); ok && err == nil && i >= n && i < mostRows {
			n = i + 1
		}
	}
	return n
}

// filled reports whether something was typed into a control, or within it.
func filled(form url.Values, at string) bool {
	for name := range form {
		if (name == at || strings.HasPrefix(name, at+"/")) && strings.TrimSpace(form.Get(name)) != "" {
			return true
		}
	}
	return false
}

// hint says beside a field what stands there by default, and between which numbers.
func (b *builder) hint(f rules.Field) string {
	var said []string
	if f.Default != "" {
		said = append(said, b.say.Within("by-default", "value", f.Default))
	}
	if f.Bounded && f.Most < rules.Limit {
		said = append(said, b.say.Within("least-most", "least", f.Least, "most", f.Most))
	}
	if list, open := b.choices(named(f)); len(list) > b.most(kindOf(named(f))) && !open {
		said = append(said, b.say.Within("to-choose", "n", len(list)))
	}
	return strings.Join(said, ": ")
}

// named is the field itself, or what stands in a list: where the names of a field stand.
func named(f rules.Field) rules.Field {
	if f.Kind == rules.ListField {
		return *f.Of
	}
	return f
}

// meaning says what may stand in a field, as far as it does not show.
func meaning(f rules.Field) string {
	if kind := kindOf(named(f)); f.Doc == "" && kind != f.Key && f.Kind != rules.MappingField {
		return kind
	}
	return f.Doc
}
