package desk

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// EntryForm is the form of one entry, made of the declaration of its verb. What it holds becomes a line of the turn
// file at hand, as if it had been typed: there is one way into the record.
type EntryForm struct {
	rules.Verb
	Example  string
	Controls []Control
	Lists    []NameList
	Begun    bool // something was typed or chosen that is not there by itself
}

// NameList is a list of names that a browser proposes.
type NameList struct {
	ID    string
	Names []Choice
}

// Pick is a group of verbs whose forms may be opened.
type Pick struct {
	Title string
	Later bool // their entries are not heard now: the title says when they are
	Verbs []rules.Verb
}

// The fields of a form of an entry, besides those of the entry.
const (
	openForm = "form" // the verb whose form is to be opened
	moreRows = "more" // the path of the list that is to have one row more
	formOf   = "verb" // the verb whose form is open
)

// longExample is how long the example of an entry may be that stands over its form: of a longer one the form says more.
const longExample = 160

// composes reports whether a form only goes on with the text at hand.
func composes(form url.Values) bool {
	return form.Get(openForm) != "" || form.Get(moreRows) != "" || form.Get("do") == Add ||
		form.Get(retake) != ""
}

// compose opens the form of an entry, gives it one more row, or adds its entry to the text.
func (d *Desk) compose(ctx context.Context, c timeline.Campaign, v timeline.Viewer, p *Page, form url.Values) error {
	if silent, err := d.silent(c, v, story.Lines{}); err != nil || silent != "" {
		return cmp.Or(err, error(problem.New(problem.Refused, "%s", silent)))
	}
	if form.Get(retake) != "" {
		return d.anew(ctx, c, v, p, form)
	}
	opened := form.Get(openForm)
	if opened != "" {
		form.Set(formOf, opened)
	}
	if form.Get("do") != Add || opened != "" || form.Get(moreRows) != "" {
		return d.openForm(c, v, p, form)
	}
	key := form.Get(formOf)
	text, err := d.addEntry(c, v, form, "")
	if err != nil {
		return cmp.Or(err, d.openForm(c, v, p, form))
	}
	p.Typed = url.Values{"do": {Add}, "text": {text}}
	p.Next = key
	return nil
}

// declared is a verb that has a form, and the fields of it that the viewer may fill.
func (d *Desk) declared(c timeline.Campaign, v timeline.Viewer, key string) (
	verb rules.Verb, fields []rules.Field, names func(kind string) []string, err error) {
	fieldsOf, names, err := d.fields(c, v)
	if err != nil {
		return verb, nil, nil, err
	}
	verb, ok := rules.Find(campaign.Verbs(d.service.System(c.System)), func(v rules.Verb) bool { return v.Key == key })
	if ok = ok && hasForm(verb); ok {
		fields, ok = fieldsOf(verb)
	}
	if !ok {
		err = problem.New(problem.Input, "there is no form of %q for %s", key, v.As)
	}
	return verb, fields, names, err
}

// fields tells which fields of a verb a viewer may fill, false where its entries are not for him to enter, and the
// names of a kind that he may choose from. What the rules list is public. Where something is hidden no name of another
// is offered to a side: an entry with one is not its own.
func (d *Desk) fields(c timeline.Campaign, v timeline.Viewer) (of func(rules.Verb) ([]rules.Field, bool),
	names func(kind string) []string, err error) {
	found, err := d.service.Find(c.ID)
	if err != nil {
		return nil, nil, err
	}
	at, err := d.service.Umpire().AtHead(found.ID)
	if err != nil {
		return nil, nil, err
	}
	hides, err := d.service.Hides(found)
	if err != nil {
		return nil, nil, err
	}
	system := d.service.System(c.System)
	all := listed(system, at.Game)
	switch {
	case v.As == timeline.Umpire:
		return func(verb rules.Verb) ([]rules.Field, bool) { return verb.Fields(), true }, all, nil
	case !hides:
		return func(verb rules.Verb) ([]rules.Field, bool) {
			return timeline.ActFields(system, at.Sides, verb, v.As, all)
		}, all, nil
	}
	others := func(name string) bool {
		side, is := system.Side(at.Sides, name)
		return is && side != v.As
	}
	return func(verb rules.Verb) ([]rules.Field, bool) { return timeline.OwnFields(verb, v.As, all) },
		func(kind string) []string { return slices.DeleteFunc(slices.Clone(all(kind)), others) }, nil
}

// verbs are those whose entries a viewer may enter.
func (d *Desk) verbs(c timeline.Campaign, v timeline.Viewer) ([]rules.Verb, error) {
	fields, _, err := d.fields(c, v)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(campaign.Verbs(d.service.System(c.System)), func(verb rules.Verb) bool {
		_, may := fields(verb)
		return !may
	}), nil
}

// hasForm reports whether entries of a verb are made by a form of its own. What a question wants is entered where it is
// asked.
func hasForm(v rules.Verb) bool {
	asked := []string{campaign.VerbAnswer, campaign.VerbDice, campaign.VerbConfirm}
	return v.Form != nil && !slices.Contains(asked, v.Key)
}

// listed gives the names of a kind that the rules list.
func listed(system rules.System, g rules.Game) func(kind string) []string {
	return func(kind string) []string {
		if kind == "option" {
			return system.Options.Free().Names()
		}
		if lister, ok := g.(rules.Lister); ok {
			return lister.Names(kind)
		}
		return nil
	}
}

// readings are those that a ruling may choose, by option.
func readings(system rules.System) []Group {
	return rules.Each(system.Options.Free(), func(o rules.Option) Group {
		return Group{o.Name, rules.Each(o.Readings, func(r rules.Reading) Choice {
			return Choice{r.Value, r.Value + ": " + r.Meaning}
		})}
	})
}

// openForm puts the form on the page that was open when it was sent; none where none was.
func (d *Desk) openForm(c timeline.Campaign, v timeline.Viewer, p *Page, form url.Values) error {
	if form.Get(formOf) == "" {
		return nil
	}
	verb, fields, names, err := d.declared(c, v, form.Get(formOf))
	if err != nil {
		return err
	}
	system := d.service.System(c.System)
	sample := sampleOf(system, verb.Key)
	b := &builder{say: p.Say, form: form, lists: map[string][]Choice{}, given: map[string][]Choice{}, names: names,
		usual: sample.usual, readings: readings(system)}
	if b.likely, err = d.likely(c, verb.Key, fields, names, form); err != nil {
		return err
	}
	if b.focus = form.Get(moreRows); form.Get(openForm) != "" {
		b.focus = fieldPrefix
	}
	p.Form = &EntryForm{Verb: verb}
	if len(sample.first) <= longExample {
		p.Form.Example = sample.first
	}
	for i := range fields {
		fields[i].Needed = fields[i].Needed || fields[i].Key == verb.Key
	}
	for _, control := range b.controls(fields, fieldPrefix, func(rules.Field) bool { return true }) {
		if control.Key == verb.Key && control.Kind == rules.GroupField {
			p.Form.Controls = append(p.Form.Controls, control.Inner...)
			continue
		}
		p.Form.Controls = append(p.Form.Controls, control)
	}
	p.Form.Begun = b.begun
	for _, id := range slices.Sorted(maps.Keys(b.lists)) {
		p.Form.Lists = append(p.Form.Lists, NameList{id, b.lists[id]})
	}
	return nil
}

// addEntry gives the text at hand with the entry that a form holds. An entry of a side has an id that no other gives.
// After says how many events the campaign had of which ids are taken: all of them where it is no number.
func (d *Desk) addEntry(c timeline.Campaign, v timeline.Viewer, form url.Values, after string) (string, error) {
	verb, fields, _, err := d.declared(c, v, form.Get(formOf))
	if err != nil {
		return "", err
	}
	members, err := entryOf(verb, fields, form)
	if err != nil {
		return "", err
	}
	by := v.As
	if by == timeline.Umpire {
		by = ""
	}
	found, err := d.service.Find(c.ID)
	if err != nil {
		return "", err
	}
	if n, err := strconv.ParseUint(after, 10, 64); err == nil {
		found.Events = min(n, found.Events)
	}
	return d.withEntry(c, found, form.Get("text"), members, by)
}

// entryOf gives the members of an entry that a form holds, in flow style.
func entryOf(verb rules.Verb, fields []rules.Field, form url.Values) (string, error) {
	var members []string
	for _, f := range fields {
		at := fieldPrefix + f.Key
		text, err := valueOf(f, at, form)
		switch {
		case err != nil:
			return "", err
		case text == "" && f.Key != verb.Key:
			continue
		case text == "" && f.Kind == rules.GroupField:
			text = "{}"
		case text == "":
			return "", problem.New(problem.Input, "%s: nothing is said yet", f.Key)
		}
		members = append(members, turnfile.Flow(f.Key)+": "+text)
	}
	return strings.Join(members, ", "), nil
}

// valueOf gives what a control holds as it stands in an entry; "" where nothing was said.
func valueOf(f rules.Field, at string, form url.Values) (string, error) {
	typed := strings.TrimSpace(form.Get(at))
	switch f.Kind {
	case rules.GroupField:
		return groupOf(f, at, form)
	case rules.ListField, rules.MappingField:
		return rowsIn(f, at, form)
	case rules.NumberField:
		n, err := strconv.Atoi(typed)
		if typed != "" && err != nil || err == nil && f.Bounded && (n < f.Least || n > f.Most) {
			return "", problem.New(problem.Input, "%s: %q is not a number%s", labelOf(at), typed, limitsOf(f))
		}
		return typed, nil
	case rules.AnyField, rules.TruthField:
		return typed, nil
	}
	if typed == "" {
		return "", nil
	}
	return turnfile.Flow(typed), nil
}

func limitsOf(f rules.Field) string {
	if !f.Bounded {
		return ""
	}
	return fmt.Sprintf(" from %d to %d", f.Least, f.Most)
}

// labelOf names a control where something is wrong with it: by the keys of its path.
func labelOf(at string) string {
	return strings.ReplaceAll(strings.TrimPrefix(at, fieldPrefix), "/", ", ")
}

// groupOf gives a mapping of fields, or the value that stands in its place.
func groupOf(f rules.Field, at string, form url.Values) (string, error) {
	var members []string
	alone := ""
	for _, x := range f.Fields {
		text, err := valueOf(x, at+"/"+x.Key, form)
		if err != nil {
			return "", err
		}
		if text == "" {
			continue
		}
		if x.Alone {
			alone = text
		}
		members = append(members, turnfile.Flow(x.Key)+": "+text)
	}
	switch {
	case len(members) == 1 && alone != "":
		return alone, nil
	case len(members) == 0 && form.Get(at+"/none") == "":
		return "", nil
	}
	return "{" + strings.Join(members, ", ") + "}", nil
}

// rowsIn gives a list, or a mapping of names.
func rowsIn(f rules.Field, at string, form url.Values) (string, error) {
	var list []string
	for i := range rowsOf(form, at) {
		place := row(at, i)
		if f.Kind == rules.MappingField {
			place += "/is"
		}
		text, err := valueOf(*f.Of, place, form)
		if err != nil {
			return "", err
		}
		if f.Kind == rules.ListField {
			if text != "" {
				list = append(list, text)
			}
			continue
		}
		name := strings.TrimSpace(form.Get(row(at, i) + "/name"))
		switch {
		case name == "" && text == "":
			continue
		case name == "" || text == "":
			return "", problem.New(problem.Input, "%s: row %d has a name or a value alone: give both", labelOf(at), i+1)
		}
		list = append(list, turnfile.Flow(name)+": "+text)
	}
	switch none := form.Get(at+"/none") != ""; {
	case len(list) == 0 && !none:
		return "", nil
	case f.Kind == rules.MappingField:
		return "{" + strings.Join(list, ", ") + "}", nil
	case f.Single && len(list) == 1 && f.Of.Kind == rules.TextField:
		return list[0], nil
	}
	return "[" + strings.Join(list, ", ") + "]", nil
}

// Picks are the verbs that have forms: first those that the moment allows, of them first what stands on the board, and
// the turn where none has begun.
func (p Page) Picks() []Pick {
	asked := p.Move != nil || p.Dice != ""
	begins := p.begins()
	begun := p.Campaign.Turn != "" || begins
	now, later := Pick{Title: p.Say.Says("next-entry")}, Pick{Title: p.Say.Says("not-now"), Later: true}
	switch {
	case asked:
		later.Title = p.Say.Says("once-answered")
	case !begun:
		later.Title = p.Say.Says("once-begun")
	}
	first := func(v rules.Verb) int {
		if v.Key == "turn" && begun { // the next one comes last
			return -2
		}
		return slices.Index([]string{"facts", "turn"}, v.Key)
	}
	for _, v := range slices.SortedStableFunc(slices.Values(p.Verbs), func(a, b rules.Verb) int {
		return first(b) - first(a)
	}) {
		switch {
		case !hasForm(v), v.Key == "turn" && begins:
		case slices.Contains(p.NotNow, v.Key):
			later.Verbs = append(later.Verbs, v)
		case campaign.HeardDuringQuestion(v.Key), !asked && (begun || v.Key == "turn" || rules.Timeless(v.Key)):
			now.Verbs = append(now.Verbs, v)
		default:
			later.Verbs = append(later.Verbs, v)
		}
	}
	return slices.DeleteFunc([]Pick{now, later}, func(x Pick) bool { return len(x.Verbs) == 0 })
}
