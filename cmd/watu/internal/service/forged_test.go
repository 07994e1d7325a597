package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/replay/verify"
)

// fileOf exports a campaign.
func fileOf(t *testing.T, c *Service, campaign, reader string) *bundle.File {
	t.Helper()
	return fetched(t, c, campaign, ExportRequest{For: reader})
}

// fetched exports what is asked for.
func fetched(t *testing.T, c *Service, campaign string, x ExportRequest) *bundle.File {
	t.Helper()
	_, b, err := c.Export(t.Context(), campaign, x)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ReadRecord(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// readersOf are all for whom a campaign may be exported.
func readersOf(t *testing.T, c *Service, campaign string) []string {
	t.Helper()
	first, err := events.Decode(fileOf(t, c, campaign, "public").Events[0])
	if err != nil {
		t.Fatal(err)
	}
	var opened events.CampaignOpened
	first.Read(&opened)
	return append([]string{"public", "umpire"}, opened.Sides...)
}

// TestForgedFigures changes what follows from a command, field by field, in events of every type that the bundled
// campaigns have, and hashes all that comes after anew: the rules, heard again, name the event. At night it forges two
// events of each type.
func TestForgedFigures(t *testing.T) {
	longrun.Only(t)
	c := played(t)
	tried, missed, seen := 0, map[string]bool{}, map[events.Type]int{}
	for _, name := range append([]string{keptLater(t, c), atTable(t, c)}, named(fixtures.Campaigns())...) {
		f := fileOf(t, c, name, "umpire")
		if v, err := Verify(f, "", nil); err != nil || !v.Verified {
			t.Fatalf("%s: %v %+v", name, err, v.Findings)
		}
		for i, b := range f.Events {
			e, err := events.Decode(b)
			if err != nil {
				t.Fatal(err)
			}
			if seen[e.Type]++; seen[e.Type] > longrun.Of(1, 1, 2) {
				continue
			}
			for field, forged := range forgeries(t, f, i) {
				inside := strings.HasPrefix(field, "payload") || strings.HasPrefix(field, "derivation")
				if !inside && seen[e.Type] > 1 {
					continue
				}
				tried++
				v, err := Verify(forged, "", nil)
				if err != nil {
					t.Fatal(err)
				}
				if v.Verified && !lists(v, &e) {
					missed[string(e.Type)+" "+field] = true
				} else if !v.Verified && inside && !names(v.Findings[0], &e) {
					t.Errorf("%s: %s of #%d (%s) was forged, and the first finding is %s", name, field, i, e.Type,
						verify.FindingText(v.Findings[0]))
				}
			}
		}
	}
	for _, p := range events.Payloads() {
		switch p.(type) {
		case *events.RulesChanged, *events.RollLapsed, // one build plays them all, and no beacon
			*events.SeatKeyed, *events.SeatRekeyed, *events.Declassified, *events.SecretsRead: // nobody signs here
			continue
		}
		if seen[p.Type()] == 0 {
			t.Errorf("no event %s was forged", p.Type())
		}
	}
	for _, field := range slices.Sorted(maps.Keys(missed)) {
		typ, name, _ := strings.Cut(field, " ")
		stated := func(s bundle.Statement) bool { return covers(s, events.Type(typ), name) }
		listed := strings.HasPrefix(field, "corrected payload.left[") // only that something is listed is stated
		if listed || !slices.ContainsFunc(bundle.Stated, stated) {
			t.Errorf("%s may be forged", field)
		}
	}
	t.Logf("%d forgeries, of them not found: %v", tried, slices.Sorted(maps.Keys(missed)))
}

func named(list []fixtures.Campaign) (names []string) {
	for _, k := range list {
		names = append(names, k.Name)
	}
	return names
}

// atTable plays a campaign whose dice are thrown at a table: typed, denied, typed again and confirmed.
func atTable(t *testing.T, c *Service) string {
	t.Helper()
	n := replay.NewCampaign{Name: "table", System: "awaw", Seed: "one", Dice: "attested", Seats: []campaign.Seat{
		{Name: "Anna", Sides: []string{"European Axis", "Japan"}},
		{Name: "Ben", Sides: []string{"Britain", "United States"}},
	}}
	if _, err := c.OpenCampaign(n); err != nil {
		t.Fatal(err)
	}
	for _, s := range []Submission{
		{Text: "{turn: Spring 1940}"},
		{Text: "{id: box, submarine warfare: {box: Atlantic, submarines: 8, asw: 8, cves: 0}, cards: []}"},
		{Seat: "Anna", Text: "{id: d1, dice: [[3, 4], [6, 1]]}"},
		{Seat: "Ben", Text: "{id: n1, confirm: no, reason: the four was a three}"},
		{Text: "{id: d2, dice: [[3, 3], [6, 1]], by: Anna}"},
		{Seat: "Ben", Text: "{id: c2, confirm: yes}"},
	} {
		s.Name, s.Entry = "entry", true
		var done Submitted
		if err := into(&done)(c.Submit(t.Context(), n.Name, umpire, s)); err != nil || done.Problem != nil {
			t.Fatalf("%s: %v %v", s.Text, err, done.Problem)
		}
	}
	return n.Name
}

// keptLater plays a campaign in which a correction applies one consequence, keeps one and leaves one undecided, which
// is kept later.
func keptLater(t *testing.T, c *Service) string {
	t.Helper()
	boards := named(fixtures.Campaigns())
	n := fixtures.Campaigns()[slices.Index(boards, "straits-1942")]
	n.Name = "kept"
	opened(t, c, n)
	for _, text := range []string{
		"turn: Round 1\nfacts:\n  submarines: {Germany: {SZ 8: 2, SZ 9: 1}}\nentries:\n  - {id: uk, collect income: " +
			"UK}\n  - {id: us, collect income: US}\n",
		"turn: Round 2\nentries:\n  - {id: yards, purchase: {power: UK, units: {destroyer: 1}}}\n",
	} {
		var done Submitted
		if err := into(&done)(c.Submit(t.Context(), n.Name, umpire,
			Submission{Name: "turn", Text: text})); err != nil || done.Problem != nil {
			t.Fatalf("%s: %v %v", text, err, done.Problem)
		}
	}
	const text = "code: mistyped\nreason: no boat lay in SZ 9\nreplace: {facts.submarines.Germany: {SZ 9: null}}\n"
	boats := CorrectionRequest{Event: resultOf(t, c, n.Name, "Round 1/facts/submarines"), Name: "boats", Text: text}
	boats.Preview = true
	var plan Corrected
	if err := into(&plan)(c.Correct(n.Name, umpire, boats)); err != nil || len(plan.Consequences) != 2 {
		t.Fatalf("%+v, %v", plan.Consequences, err)
	}
	uk, us := plan.Consequences[0].Event, plan.Consequences[1].Event
	yards := us + 3
	boats.Preview, boats.Decisions = false, map[uint64]review.Decision{uk: review.Apply, yards: review.Keep}
	if err := into(&plan)(c.Correct(n.Name, umpire, boats)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Keep(n.Name, umpire, KeepRequest{Event: us, Reason: "so it was played"}); err != nil {
		t.Fatal(err)
	}
	return n.Name
}

// lists reports whether a verification lists an event as not checked: it is of a later version, or its command is
// sealed.
func lists(v verify.Verification, e *events.Event) bool {
	return slices.ContainsFunc(v.Unchecked, func(u bundle.Unchecked) bool {
		return slices.Contains(u.Events, e.Index) || strings.HasPrefix(u.What, "events of ")
	})
}

// names reports whether a finding names the event that was forged, or the first of the command that it belongs to,
// which cannot have been allowed then. What the opening says shows in the header, or where it is used.
func names(x bundle.Finding, e *events.Event) bool {
	if e.Type == "choice_made" { // an answer shows in what comes of it, or in the command that asked
		return x.Event != nil
	}
	if e.Type == "dice_typed" { // dice that were typed otherwise show where they count
		return x.Event != nil
	}
	if e.Type == "campaign_opened" || e.Type == "epoch_begun" {
		return true
	}
	if e.Type == "edition_moved" && x.Field == "edition" { // judged by another edition than the move names
		return x.Event != nil && *x.Event == e.Index+1
	}
	// by the head of its step
	early := x.Field == "verdict" || e.Type == "corrected" && strings.HasPrefix(x.Field, "left ")
	return x.Event != nil && (*x.Event == e.Index || early && *x.Event < e.Index)
}

// forgeries gives a file for each value in the payload and derivation of an event, with that value changed and the
// chain hashed anew.
func forgeries(t *testing.T, f *bundle.File, i int) map[string]*bundle.File {
	t.Helper()
	out := map[string]*bundle.File{}
	e, err := events.Decode(f.Events[i])
	if err != nil {
		t.Fatal(err)
	}
	p, err := events.PayloadOf(&e)
	if err != nil {
		t.Fatal(err)
	}
	alter(reflect.ValueOf(p).Elem(), "payload", func(field string) {
		changed := e
		changed.Payload = events.EncodePayload(p)
		out[field] = rehashed(t, f, i, changed)
	})
	asked := e.Request
	for field, request := range requests(t, asked) {
		e.Request = request
		out[field] = rehashed(t, f, i, e)
	}
	e.Request = asked
	envelope := reflect.ValueOf(&e).Elem()
	for at := range envelope.NumField() {
		if name := envelope.Type().Field(at).Name; name != "Payload" && name != "unknown" {
			alter(envelope.Field(at), strings.ToLower(name), func(field string) { out[field] = rehashed(t, f, i, e) })
		}
	}
	return out
}

// requests gives a recorded command with each of its words and figures changed, and with none.
func requests(t *testing.T, request string) map[string]string {
	t.Helper()
	out := map[string]string{}
	if request == "" {
		return out
	}
	d := json.NewDecoder(strings.NewReader(request))
	d.UseNumber()
	var whole any
	if err := d.Decode(&whole); err != nil {
		t.Fatal(err)
	}
	var walk func(v any, at string, set func(any))
	walk = func(v any, at string, set func(any)) {
		changed := func(to any) {
			set(to)
			if b, err := json.Marshal(struct { // as commands are recorded: the verb first
				Verb  any `json:"verb"`
				Entry any `json:"entry"`
			}{whole.(map[string]any)["verb"], whole.(map[string]any)["entry"]}); err == nil {
				out[at] = string(b)
			}
			set(v)
		}
		switch v := v.(type) {
		case map[string]any:
			for key, x := range v {
				walk(x, at+"."+key, func(to any) { v[key] = to })
			}
		case []any:
			for i, x := range v[:min(2, len(v))] {
				walk(x, fmt.Sprintf("%s[%d]", at, i), func(to any) { v[i] = to })
			}
		case string:
			changed(v + "x")
		case json.Number:
			changed(json.Number(v.String() + "1"))
		case bool:
			changed(!v)
		}
	}
	walk(whole, "request", nil)
	out["request with none"] = ""
	return out
}

// alter changes each value in v, one at a time, calls see, and puts it back.
func alter(v reflect.Value, at string, see func(field string)) {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	defer v.Set(was)
	if at, ok := v.Interface().(time.Time); ok {
		v.Set(reflect.ValueOf(at.Add(time.Millisecond)))
		see("recorded")
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Array:
		v.Index(5).SetUint(v.Index(5).Uint() ^ 1)
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if name == "" {
				name = strings.ToLower(v.Type().Field(i).Name)
			}
			alter(v.Field(i), at+"."+name, see)
		}
		return
	case reflect.Slice:
		alterList(v, at, see)
		return
	}
	see(at)
}

// alterList takes the last element of a list away, and changes the first two.
func alterList(v reflect.Value, at string, see func(field string)) {
	whole := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(whole, v)
	if v.Len() == 0 {
		return
	}
	v.Set(whole.Slice(0, whole.Len()-1))
	see(at + " with one less")
	v.Set(whole)
	for i := range min(v.Len(), 2) {
		alter(v.Index(i), fmt.Sprintf("%s[%d]", at, i), see)
	}
}

// rehashed puts an event in the place of another and ties all behind it anew.
func rehashed(t *testing.T, f *bundle.File, i int, e events.Event) *bundle.File {
	t.Helper()
	out := *f
	out.Events = slices.Clone(f.Events)
	out.Events[i] = e.Encode()
	for j := i + 1; j < len(out.Events); j++ {
		next, err := events.Decode(out.Events[j])
		if err != nil {
			t.Fatal(err)
		}
		next.Previous = events.LeafHash(out.Events[j-1])
		out.Events[j] = next.Encode()
	}
	out.Header.Head = events.LeafHash(out.Events[len(out.Events)-1])
	out.Signed = bundle.Signed{} // whoever forges has no key; with one he would sign anew
	return &out
}

// TestExportsHoldNoSecret looks for every salt and every link of draws in the files of those who may not see them.
func TestExportsHoldNoSecret(t *testing.T) {
	t.Parallel()
	c := played(t)
	for _, k := range fixtures.Campaigns() {
		whole := fileOf(t, c, k.Name, "umpire")
		var opened events.CampaignOpened
		first, _ := events.Decode(whole.Events[0])
		first.Read(&opened)
		disclosed := map[events.Hash]bool{}
		owner := map[uint64]string{}
		for _, b := range whole.Events {
			e, _ := events.Decode(b)
			owner[e.Index] = e.Side
			for _, o := range e.Openings {
				disclosed[o.Salt] = true
			}
		}
		for _, reader := range append([]string{"public"}, opened.Sides...) {
			f := fileOf(t, c, k.Name, reader)
			text := string(f.Encode())
			own := 0
			for _, o := range whole.Openings {
				held := strings.Contains(text, string(o.Salt[:]))
				if want := disclosed[o.Salt] || owner[o.Index] == reader; held != want {
					t.Errorf("%s for %s: the opening of %q in #%d (%s) is in it: %v", k.Name, reader, o.Slot, o.Index,
						owner[o.Index], held)
				}
				if owner[o.Index] == reader {
					own++
				}
			}
			for _, l := range whole.Links {
				if held := strings.Contains(text, string(l.Link.Link[:])); held != (l.Chain == "draws/"+reader) {
					t.Errorf("%s for %s: the link of %s is in it: %v", k.Name, reader, l.Chain, held)
				}
			}
			if k.System == "awaw" && (own > 0) != (reader != "public") {
				t.Errorf("%s for %s: %d openings of its own: the search is blind", k.Name, reader, own)
			}
		}
	}
}

// TestImportedViews imports what was exported: every public view has the digest that it has where it was played.
func TestImportedViews(t *testing.T) {
	t.Parallel()
	c := played(t)
	f, err := New(maintenance.Open(t.Context(), t.TempDir(), maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	other := f
	defer func() {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, k := range fixtures.Campaigns() {
		var done Imported
		if err := into(&done)(other.Import(bytes.NewReader(fileOf(t, c, k.Name, "public").Encode()), "")); err != nil {
			t.Fatal(err)
		}
	}
	rebuilt := func(c *Service) maintenance.Rebuilt {
		out, err := c.Rebuild(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return *out
	}
	if was, is := rebuilt(c), rebuilt(other); len(was.Digests) < 5 || !reflect.DeepEqual(was, is) {
		t.Errorf("digests of what was imported:\n%+v\nand of what was played:\n%+v", is, was)
	}
}

// covers reports whether a field of an event is one that is stated.
func covers(s bundle.Statement, typ events.Type, field string) bool {
	rest, ok := strings.CutPrefix(field, s.Field)
	return ok && (s.Type == "" || s.Type == typ) && (rest == "" || strings.ContainsAny(rest[:1], ".[ "))
}
