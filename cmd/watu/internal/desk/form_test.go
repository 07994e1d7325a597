package desk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

// TestFormsWriteWhatIsTyped: every entry of the bundled campaigns can be made by the form of its verb, which writes
// what the turn file has.
func TestFormsWriteWhatIsTyped(t *testing.T) {
	written := 0
	for _, s := range all.Systems() {
		for _, k := range fixtures.Campaigns() {
			for _, file := range k.Files {
				read, err := turnfile.Parse(file.Name, file.Data, campaign.Verbs(s))
				if k.System != s.Name || err != nil {
					continue // a correction
				}
				for _, e := range read.Entries {
					verb, _ := rules.Find(campaign.Verbs(s), func(v rules.Verb) bool { return v.Key == e.Verb })
					if hasForm(verb) {
						holdEntry(t, s, verb, e.Body)
						written++
					}
				}
			}
		}
	}
	if written < 300 {
		t.Errorf("%d entries", written)
	}
}

func holdEntry(t *testing.T, s rules.System, verb rules.Verb, body json.RawMessage) {
	t.Helper()
	form, want := url.Values{}, decoded(t, body).(map[string]any)
	for _, f := range verb.Fields() {
		if v, there := want[f.Key]; there {
			want[f.Key] = fill(form, f, fieldPrefix+f.Key, v)
		}
	}
	members, err := entryOf(verb, verb.Fields(), form)
	if err != nil {
		t.Errorf("%s, %s: %v", s.Name, body, err)
		return
	}
	e, err := turnfile.ParseEntry("it", "{"+members+"}", "", campaign.Verbs(s))
	if err != nil {
		t.Errorf("%s, %s: %v", s.Name, members, err)
	} else if got := decoded(t, e.Body); !reflect.DeepEqual(got, any(want)) {
		t.Errorf("%s: the form writes %s, not %s", s.Name, e.Body, body)
	}
}

func decoded(t *testing.T, body json.RawMessage) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// fill puts a value into a form, and gives it in the shortest way of writing it.
func fill(form url.Values, f rules.Field, at string, v any) any {
	list, isList := v.([]any)
	group, isGroup := v.(map[string]any)
	switch f.Kind {
	case rules.GroupField:
		return fillGroup(form, f, at, v, group, isGroup)
	case rules.ListField:
		if !isList {
			list = []any{v}
		}
		if len(list) == 0 {
			form.Set(at+"/none", "none")
		}
		for i, x := range list {
			list[i] = fill(form, *f.Of, row(at, i), x)
		}
		if f.Single && len(list) == 1 && f.Of.Kind == rules.TextField {
			return list[0]
		}
		return list
	case rules.MappingField:
		if len(group) == 0 {
			form.Set(at+"/none", "none")
		}
		for i, name := range slices.Sorted(maps.Keys(group)) {
			form.Set(row(at, i)+"/name", name)
			group[name] = fill(form, *f.Of, row(at, i)+"/is", group[name])
		}
		return group
	case rules.AnyField:
		raw, _ := json.Marshal(v)
		form.Set(at, turnfile.FlowEntry(raw, ""))
		return v
	}
	form.Set(at, fmt.Sprint(v))
	if n, isNumber := v.(json.Number); isNumber && f.Kind == rules.TextField {
		return n.String()
	}
	return v
}

func fillGroup(form url.Values, f rules.Field, at string, v any, group map[string]any, isGroup bool) any {
	alone, short := rules.Find(f.Fields, func(x rules.Field) bool { return x.Alone })
	if !isGroup && short {
		return fill(form, alone, at+"/"+alone.Key, v)
	}
	if len(group) == 0 {
		form.Set(at+"/none", "none")
	}
	for _, x := range f.Fields {
		if v, there := group[x.Key]; there {
			group[x.Key] = fill(form, x, at+"/"+x.Key, v)
		}
	}
	if only, there := group[alone.Key]; short && there && len(group) == 1 {
		return only
	}
	return group
}

// TestFormsSayWhatIsMissing: what a form cannot write, it says.
func TestFormsSayWhatIsMissing(t *testing.T) {
	verbs := campaign.Verbs(all.Systems()[slices.IndexFunc(all.Systems(), func(s rules.System) bool {
		return s.Name == "aar"
	})])
	for _, x := range []struct {
		verb, says string
		form       url.Values
	}{
		{"collect income", "base: \"1x\" is not a number from 0", url.Values{"f/collect income/base": {"1x"}}},
		{"purchase", "row 1 has a name or a value alone", url.Values{"f/purchase/units/0/name": {"armor"}}},
		{"purchase", "row 2 has a name or a value alone", url.Values{"f/purchase/units/1/is": {"3"}}},
		{"turn", "turn: nothing is said yet", url.Values{"f/turn": {" "}}},
		{"aa fire", "not a number from 1 to 50", url.Values{"f/aa fire/aircraft/0/name": {"bomber"},
			"f/aa fire/aircraft/0/is": {"51"}}},
	} {
		verb, _ := rules.Find(verbs, func(v rules.Verb) bool { return v.Key == x.verb })
		if got, err := entryOf(verb, verb.Fields(), x.form); err == nil || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%v: %q, %v; want %q", x.form, got, err, x.says)
		}
	}
}

// TestFormsOfferNames: what a form has typed freely is what no list could hold; everything else says of which kind it
// is, and what stands beside the names of a mapping has a word.
func TestFormsOfferNames(t *testing.T) {
	free := map[string]bool{}
	var look func(at string, f rules.Field)
	look = func(at string, f rules.Field) {
		if f.Key != "" {
			at += "/" + f.Key
		}
		for _, x := range f.Fields {
			look(at, x)
		}
		if f.Kind == rules.TextField && f.Words == nil && kindOf(f) == "" || f.Kind == rules.MappingField &&
			(kindOf(f) == "" || f.Each == "" && kindOf(*f.Of) == "" && f.Of.Kind < rules.ListField) {
			free[at] = true
		}
		if f.Of != nil {
			look(at, *f.Of)
		}
	}
	for _, s := range all.Systems() {
		for _, v := range s.Verbs {
			for _, f := range v.Fields() {
				look(s.Name, f)
			}
		}
	}
	want := []string{"aar/aliases", "aar/compensate/reason", "aar/roll/dice", "aar/roll/for", "awaw/compensate/reason",
		"awaw/contest/subject", "awaw/hand/arbiter", "awaw/hand/note", "awaw/hand/signature",
		"awaw/harbor attack/combat group", "awaw/harbor attack/combat groups", "awaw/harbor attack/light ships",
		"awaw/magic interception/defensive", "awaw/magic interception/elsewhere",
		"awaw/magic interception/intercept", "awaw/magic interception/missions", "awaw/pearl harbor/intercept",
		"awaw/pearl harbor/task forces", "awaw/roll/dice", "awaw/roll/for", "awaw/strategic bombing/wave",
		"eots/compensate/reason", "eots/roll/dice", "eots/roll/for", "g40/aliases", "g40/compensate/reason",
		"g40/roll/dice", "g40/roll/for",
	}
	if got := slices.Sorted(maps.Keys(free)); !slices.Equal(got, want) {
		t.Errorf("typed freely: %q", got)
	}
}
