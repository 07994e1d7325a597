package desk

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// Amend is the form of an entry that is recorded, filled with what it says. What is changed in it becomes the text of
// a correction, as if that had been typed.
type Amend struct {
	*EntryForm
	Event  uint64
	Code   string
	Reason string
}

// Codes are the kinds of mistakes that a form chooses from.
func (Amend) Codes() []Choice {
	return []Choice{{"typo", "a slip while typing"}, {"misread", "the board was misread"},
		{"forgotten", "something was forgotten"}, {"misunderstood", "a rule or an agreement was misunderstood"}}
}

// amends is the field by which a form says that it is one of a recorded entry.
const amends = "amends"

// amend has a form of a recorded entry previewed or recorded as the correction that it holds, and opens it again where
// nothing was recorded.
func (d *Desk) amend(ctx context.Context, c timeline.Campaign, v timeline.Viewer, p *Page, form url.Values) (
	done Done, err error) {
	if form.Get(moreRows) == "" {
		var text string
		if text, err = d.amendment(c, v, form); err == nil {
			form.Set("text", text)
			done, err = d.Do(ctx, c, v, form)
		}
	} else {
		form.Del("do")
	}
	if done.Stands() {
		return done, err
	}
	event, wrong := index(form.Get("event"))
	if wrong == nil {
		wrong = d.Amend(c, v, p, event, form)
	}
	return done, cmp.Or(err, wrong)
}

// recorded gives the entry behind an event as it stands, and its verb.
func (d *Desk) recorded(c timeline.Campaign, event uint64) (verb rules.Verb, entry map[string]any, err error) {
	found, err := d.service.Find(c.ID)
	if err != nil {
		return verb, nil, err
	}
	if event >= found.Events {
		return verb, nil, problem.NoEvent(c.Name, event, found.Events)
	}
	at, err := d.service.Umpire().AtHead(found.ID)
	if err != nil {
		return verb, nil, err
	}
	first, err := d.service.Event(found.ID, at.History.Command(event).First())
	if err != nil {
		return verb, nil, err
	}
	if verb, _, _, err = d.declared(c, umpire, campaign.RequestIn(&first).Verb); err != nil {
		return verb, nil, problem.New(problem.Input, "#%d is of no entry that has a form: type what is right as text",
			event)
	}
	var body json.RawMessage
	errRead := errors.New("the entry was read")
	_, err = d.service.Umpire().Propose(found.ID, review.Correction{Event: event, Code: "typo", Reason: "to read it",
		Replace: func(is json.RawMessage) (json.RawMessage, []events.Change, error) {
			body = is
			return nil, nil, errRead
		}})
	if body == nil {
		return verb, nil, err
	}
	entry, err = entryIn(body)
	return verb, entry, err
}

func entryIn(body []byte) (entry map[string]any, err error) {
	read := json.NewDecoder(bytes.NewReader(body))
	read.UseNumber()
	return entry, read.Decode(&entry)
}

// Amend opens the form of the entry behind an event on a page, with what was typed into it, or else what stands. An
// entry that has none leaves the form in which a correction is typed.
func (d *Desk) Amend(c timeline.Campaign, v timeline.Viewer, p *Page, event uint64, typed url.Values) error {
	if v.As != timeline.Umpire {
		return problem.New(problem.Refused, "a correction is for the umpire to make")
	}
	p.Event = number(event) // for the form in which a correction is typed
	verb, entry, err := d.recorded(c, event)
	if err != nil {
		return err
	}
	if typed == nil {
		typed = url.Values{}
		putEntry(verb, entry, typed)
	}
	opened := Page{View: View{Say: p.Say}}
	typed.Set(formOf, verb.Key)
	err = d.openForm(c, v, &opened, typed)
	typed.Del(formOf)
	p.Event = ""
	p.Amend = &Amend{opened.Form, event, typed.Get("code"), typed.Get("reason")}
	return err
}

// Types reports whether a correction is typed as text.
func (p Page) Types() bool {
	return p.Amend == nil && (p.Corrects() || p.Wrong != nil && p.Done == nil)
}

// amendment is the text of the correction that a filled form of a recorded entry holds.
func (d *Desk) amendment(c timeline.Campaign, v timeline.Viewer, form url.Values) (string, error) {
	if v.As != timeline.Umpire {
		return "", problem.New(problem.Refused, "a correction is for the umpire to make")
	}
	event, err := index(form.Get("event"))
	if err != nil {
		return "", err
	}
	reason := strings.TrimSpace(form.Get("reason"))
	if reason == "" {
		return "", problem.New(problem.Input, "say why the entry is corrected: the others will read it")
	}
	replace, err := d.replacement(c, event, form)
	code := form.Get("code")
	if code == "" {
		code = Amend{}.Codes()[0].Value
	}
	return fmt.Sprintf("code: %s\nreason: %s\n%s", code, turnfile.Flow(reason), replace), err
}

// replacement says what a filled form of a recorded entry changes in it, as a correction has it.
func (d *Desk) replacement(c timeline.Campaign, event uint64, form url.Values) (string, error) {
	verb, entry, err := d.recorded(c, event)
	if err != nil {
		return "", err
	}
	old := url.Values{}
	putEntry(verb, entry, old)
	was, err := d.heldBy(c, verb, old)
	if err != nil {
		return "", err
	}
	is, err := d.heldBy(c, verb, form)
	if err != nil {
		return "", err
	}
	patch := patchOf(was, is)
	if len(patch) == 0 {
		return "", problem.New(problem.Input, "nothing is changed in the form: the entry says so already")
	}
	replace, err := json.Marshal(patch)
	return "replace: " + turnfile.FlowEntry(replace, verb.Key) + "\n", err
}

// heldBy gives the entry that a form holds.
func (d *Desk) heldBy(c timeline.Campaign, verb rules.Verb, form url.Values) (map[string]any, error) {
	members, err := entryOf(verb, verb.Fields(), form)
	if err != nil {
		return nil, err
	}
	e, err := turnfile.ParseEntry("the form", "{"+members+"}", "", campaign.Verbs(d.service.System(c.System)))
	if err != nil {
		return nil, err
	}
	return entryIn(e.Body)
}

// patchOf says what makes one mapping of another: what is gone is nil.
func patchOf(was, is map[string]any) map[string]any {
	patch := map[string]any{}
	for key := range was {
		if _, stays := is[key]; !stays {
			patch[key] = nil
		}
	}
	for key, now := range is {
		old, there := was[key]
		before, nested := old.(map[string]any)
		after, still := now.(map[string]any)
		switch {
		case nested && still && len(before) > 0:
			if inner := patchOf(before, after); len(inner) > 0 {
				patch[key] = inner
			}
		case !there || !sameJSON(old, now):
			patch[key] = now
		}
	}
	return patch
}

func sameJSON(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

// putEntry fills the form of a verb with an entry.
func putEntry(verb rules.Verb, entry map[string]any, form url.Values) {
	for _, f := range verb.Fields() {
		if value, ok := entry[f.Key]; ok {
			put(f, fieldPrefix+f.Key, value, form)
		}
	}
}

// put fills a control with a value.
func put(f rules.Field, at string, value any, form url.Values) {
	switch f.Kind {
	case rules.GroupField:
		putGroup(f, at, value, form)
	case rules.ListField:
		list, many := value.([]any)
		if !many {
			list = []any{value}
		}
		for i, x := range list {
			put(*f.Of, row(at, i), x, form)
		}
		putNone(at, len(list), form)
	case rules.MappingField:
		members, _ := value.(map[string]any)
		for i, name := range slices.Sorted(maps.Keys(members)) {
			form.Set(row(at, i)+"/name", name)
			put(*f.Of, row(at, i)+"/is", members[name], form)
		}
		putNone(at, len(members), form)
	case rules.AnyField:
		text, err := json.Marshal(value)
		if err == nil {
			form.Set(at, turnfile.FlowEntry(text, ""))
		}
	default:
		form.Set(at, fmt.Sprint(value))
	}
}

// putGroup fills the controls of a group, or the one that is meant where a value stands in its place.
func putGroup(f rules.Field, at string, value any, form url.Values) {
	members, full := value.(map[string]any)
	for _, x := range f.Fields {
		is, there := members[x.Key]
		if !full && x.Alone {
			is, there = value, true
		}
		if there {
			put(x, at+"/"+x.Key, is, form)
		}
	}
	if full {
		putNone(at, len(members), form)
	}
}

// putNone says of what holds nothing that it does.
func putNone(at string, holds int, form url.Values) {
	if holds == 0 {
		form.Set(at+"/none", strconv.Itoa(holds))
	}
}

// freeRolls are throws by an entry of their own, [rules.VerbRoll], behind the first later entry that a correction
// changes, in its turn. They are bound to no figure, so whether they count yet is the umpire's to say.
func (d *Desk) freeRolls(c timeline.Campaign, x service.Corrected) (list []timeline.NarratedEvent, err error) {
	later := x.Offered()
	found, err := d.service.Find(c.ID)
	if err != nil || len(later) == 0 {
		return nil, err
	}
	at, err := d.service.Umpire().AtHead(found.ID)
	if err != nil {
		return nil, err
	}
	list, err = d.service.NarrateWanted(found, later[0].Event, found.Events, func(i uint64) bool {
		return at.History.Type(i) == "result_adjudicated" && at.History.Stands(i)
	})
	return slices.DeleteFunc(list, func(e timeline.NarratedEvent) bool {
		var p events.ResultAdjudicated
		return e.Turn != later[0].Turn || !e.Event.Read(&p) || p.Procedure != rules.VerbRoll
	}), err
}
