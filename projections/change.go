package projections

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Change is one figure of a report that differs between two moments. Path names it in words, from
// the outside in: "treasuries / UK / in hand". Was is empty for what was not there before, Now for
// what is there no more.
type Change struct {
	Path string `json:"path"`
	Was  string `json:"was"`
	Now  string `json:"now"`
}

// Changes compares two reports, figure by figure. Both are values that encoding/json writes; nil
// is an empty report.
//
//   - Objects are compared field by field, in the order of the fields' names.
//   - The entries of a list are found again by the event that they carry, otherwise by what they are
//     called: a slot, a name, or side, power, territory and the like together. Entries that are
//     called the same are counted through. So an entry that moves up is no change.
//   - What comes or goes as a whole is one change, written in one line of what is not 0.
//   - A list of plain values is one figure.
//
// What reads the same is no change: false, "", [] and a field left out. Changes(a, b) is Changes(b,
// a) with Was and Now exchanged, in the same order.
func Changes(before, after any) []Change {
	var d difference
	was, now := plainly(before), plainly(after)
	if was == nil {
		was = map[string]any{}
	}
	if now == nil {
		now = map[string]any{}
	}
	d.values("", "", was, now)
	return d.list
}

// plainly gives a report as encoding/json reads it back.
func plainly(report any) any {
	b, err := json.Marshal(report)
	if err != nil {
		panic(fmt.Sprintf("projections: a report is not JSON: %v", err)) // broken invariant of View
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic(fmt.Sprintf("projections: a report is not JSON: %v", err))
	}
	return v
}

type difference struct{ list []Change }

// values compares two values of the field key at path; nil is one that is not there.
func (d *difference) values(path, key string, was, now any) {
	a, isObject := was.(map[string]any)
	b, areObjects := now.(map[string]any)
	if isObject && areObjects {
		d.objects(path, a, b)
		return
	}
	if isEntries(was) || isEntries(now) {
		x, isList := was.([]any)
		y, areLists := now.([]any)
		if (isList || was == nil) && (areLists || now == nil) {
			d.entries(path, x, y)
			return
		}
	}
	d.add(path, valueText(key, was), valueText(key, now))
}

func (d *difference) add(path, was, now string) {
	if was != now {
		d.list = append(d.list, Change{path, was, now})
	}
}

func (d *difference) objects(path string, was, now map[string]any) {
	all := maps.Clone(was)
	maps.Copy(all, now)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		d.values(below(path, spaced(key)), key, was[key], now[key])
	}
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + " / " + name
}

// spaced is a field's name in words.
func spaced(key string) string { return strings.ReplaceAll(key, "_", " ") }

// isEntries distinguishes a list of objects or lists from one of plain values.
func isEntries(v any) bool {
	list, _ := v.([]any)
	return slices.ContainsFunc(list, isCompound)
}

func isCompound(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// entries compares two lists of entries.
func (d *difference) entries(path string, was, now []any) {
	for _, p := range paired(was, now) {
		at := below(path, p.name)
		switch {
		case p.was == nil && p.now == nil:
		case p.was == nil:
			d.add(at, "", remaining(p.now))
		case p.now == nil:
			d.add(at, remaining(p.was), "")
		default:
			d.values(at, "", p.was, p.now)
		}
	}
}

// pair is an entry of a list as it was and as it is; nil for none.
type pair struct {
	was, now any
	name     string
	at       int // the lesser of its two places
}

// paired finds the entries of was again in now: first by their events, then by what they are called.
// The order is the same whichever is which.
func paired(was, now []any) []pair {
	var pairs []pair
	a, b := placed(was), placed(now)
	for _, name := range []func(any) (string, bool){eventOf, nameOf} {
		left := map[string]place{}
		for _, x := range counted(a, name) {
			left[x.name] = x
		}
		for _, y := range counted(b, name) {
			if x, ok := left[y.name]; ok {
				pairs = append(pairs, pair{x.entry, y.entry, y.name, min(x.at, y.at)})
				a[x.at].found, b[y.at].found = true, true
			}
		}
	}
	for _, x := range counted(a, eventOrName) {
		pairs = append(pairs, pair{x.entry, nil, x.name, x.at})
	}
	for _, y := range counted(b, eventOrName) {
		pairs = append(pairs, pair{nil, y.entry, y.name, y.at})
	}
	slices.SortFunc(pairs, func(x, y pair) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.name, y.name)) })
	return pairs
}

// place is an entry and where in its list it is.
type place struct {
	entry any
	at    int
	name  string
	found bool // in the other list
}

func placed(list []any) []place {
	out := make([]place, len(list))
	for i, e := range list {
		out[i] = place{entry: e, at: i}
	}
	return out
}

// counted names the entries that are not found yet and can be named, the second of a name "name (2)".
func counted(list []place, name func(any) (string, bool)) []place {
	var out []place
	times := map[string]int{}
	for _, x := range list {
		if x.found {
			continue
		}
		text, ok := name(x.entry)
		if !ok {
			continue
		}
		times[text]++
		if n := times[text]; n > 1 || text == "" {
			text = strings.TrimSpace(fmt.Sprintf("%s (%d)", text, n))
		}
		x.name = text
		out = append(out, x)
	}
	return out
}

// eventOf is the event that an entry carries; a contest is named by that which opened it.
func eventOf(entry any) (string, bool) {
	o, _ := entry.(map[string]any)
	for _, f := range []string{"event", "contest"} {
		if n, ok := o[f].(json.Number); ok {
			return "#" + n.String(), true
		}
	}
	return "", false
}

// calling lists the fields by which an entry is called where it has no slot and no name.
var calling = []string{
	"turn", "label", "side", "deck", "power", "procedure", "box", "attacker", "victim", "base", "territory", "facility",
	"treasury", "zone", "space", "card", "reading", "what",
}

// callingOf gives those of an entry's fields by which it is called.
func callingOf(entry any) []string {
	o, _ := entry.(map[string]any)
	for _, alone := range []string{"slot", "name"} {
		if isName(o[alone]) {
			return []string{alone}
		}
	}
	var fields []string
	_, dated := eventOf(entry)
	for _, f := range calling {
		if isName(o[f]) && !(dated && f == "turn") { // it is stated anew in another turn under the same name
			fields = append(fields, f)
		}
	}
	return fields
}

func isName(v any) bool {
	text, ok := v.(string)
	return ok && text != ""
}

// nameOf is what an entry is called.
func nameOf(entry any) (string, bool) {
	o, _ := entry.(map[string]any)
	var words []string
	for _, f := range callingOf(entry) {
		words = append(words, o[f].(string))
	}
	_, dated := eventOf(entry)
	// what only its event tells apart is another after another event
	return strings.Join(words, ", "), len(words) > 0 || !dated
}

func eventOrName(entry any) (string, bool) {
	if event, ok := eventOf(entry); ok {
		return event, true
	}
	return nameOf(entry)
}

// pointing lists the fields that name an event by its index.
var pointing = []string{"event", "corrects", "corrected_by", "negated_by", "play", "reported", "settled", "contest",
	"declared", "detected", "submerged", "carried_out"}

// valueText writes a value of the field key in words. It is empty for nothing.
func valueText(key string, v any) string {
	switch v := v.(type) {
	case json.Number:
		if slices.Contains(pointing, key) {
			return "#" + v.String()
		}
		return v.String()
	case string:
		return v
	case bool:
		if v {
			return "yes"
		}
	case []any:
		var parts []string
		for _, e := range v {
			part := valueText("", e)
			if isCompound(e) {
				part = "(" + part + ")"
			}
			parts = append(parts, part)
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		return line(v, nil)
	}
	return ""
}

// line describes an object in one line: what it is called, then its other fields.
func line(o map[string]any, without []string) string {
	var parts []string
	names := callingOf(o)
	for _, f := range append([]string{"event"}, names...) {
		if text := valueText(f, o[f]); text != "" && !slices.Contains(without, f) {
			parts = append(parts, text)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(o)) {
		if key == "event" || slices.Contains(names, key) || slices.Contains(without, key) {
			continue
		}
		switch text := valueText(key, o[key]); {
		case text == "" || text == "0":
		case text == "yes":
			parts = append(parts, spaced(key))
		case isEntries(o[key]):
			parts = append(parts, spaced(key)+": "+text)
		case isCompound(o[key]):
			parts = append(parts, spaced(key)+" ("+text+")")
		default:
			parts = append(parts, spaced(key)+" "+text)
		}
	}
	return strings.Join(parts, ", ")
}

// remaining describes an entry that comes or goes but for what its place in the path says of it.
func remaining(entry any) string {
	o, ok := entry.(map[string]any)
	if !ok {
		return cmp.Or(valueText("", entry), "yes")
	}
	without := []string{"event", "contest"}
	if _, ok := eventOf(entry); !ok {
		without = callingOf(entry)
	}
	return cmp.Or(line(o, without), "yes")
}
