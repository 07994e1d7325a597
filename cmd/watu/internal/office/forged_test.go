package office

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay/bundle"
)

// fileOf exports a campaign.
func fileOf(t *testing.T, c *Client, campaign, reader string) *bundle.File {
	t.Helper()
	b, err := c.Fetch(t.Context(), &Exported{}, map[string][]string{"for": {reader}}, "campaigns", campaign, "export")
	if err != nil {
		t.Fatal(err)
	}
	f, err := ReadRecord(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestForgedFigures changes what follows from a command, field by field, in events of every type that the bundled
// campaigns have, and hashes all that comes after anew: the rules, heard again, name the event.
func TestForgedFigures(t *testing.T) {
	c := played(t)
	tried, missed, seen := 0, map[string]bool{}, map[events.Type]int{}
	for _, k := range fixtures.Campaigns() {
		f := fileOf(t, c, k.Name, "umpire")
		if v, err := Verify(f, "", nil); err != nil || !v.Verified {
			t.Fatalf("%s: %v %+v", k.Name, err, v.Findings)
		}
		for i, b := range f.Events {
			e, err := events.Decode(b)
			if err != nil {
				t.Fatal(err)
			}
			if seen[e.Type]++; seen[e.Type] > 2 {
				continue
			}
			for field, forged := range forgeries(t, f, i) {
				tried++
				v, err := Verify(forged, "", nil)
				if err != nil {
					t.Fatal(err)
				}
				if v.Verified {
					missed[string(e.Type)+" "+field] = true
				} else if !names(v.Findings[0], &e) {
					t.Errorf("%s: %s of #%d (%s) was forged, and the first finding is %s", k.Name, field, i, e.Type, FindingText(v.Findings[0]))
				}
			}
		}
	}
	for _, field := range slices.Sorted(maps.Keys(missed)) {
		if !slices.ContainsFunc(stated, func(s string) bool { return strings.HasPrefix(field, s) }) {
			t.Errorf("%s may be forged", field)
		}
	}
	t.Logf("%d forgeries, of them not found: %v", tried, slices.Sorted(maps.Keys(missed)))
}

// stated are the fields that say what somebody said, in a dispute too and of a ruling on it, or the anchors of chains
// that nobody has used: nothing else in a record tells whether they are so, but the head does.
var stated = []string{
	"campaign_opened payload.note", "campaign_opened payload.demo", "campaign_opened payload.board.files[",
	"seat_taken payload.", "epoch_begun payload.", "corrected payload.",
	"dispute_opened payload.refused", "dispute_opened payload.violations", "dispute_opened payload.entry", "dispute_opened payload.verb", "dispute_opened payload.event",
	"dispute_ruled payload.dice",
	"voided payload.code", "voided payload.command", "voided payload.dispute", "voided payload.reason",
	"edition_moved payload.now", "edition_moved payload.reason",
}

// names reports whether a finding names the event that was forged, or the first of the command that it belongs to,
// which cannot have been allowed then. What the opening says shows in the header, or where it is used.
func names(x bundle.Finding, e *events.Event) bool {
	if e.Type == "campaign_opened" || e.Type == "epoch_begun" {
		return true
	}
	if e.Type == "edition_moved" && x.Field == "edition" { // judged by another edition than the move names
		return x.Event != nil && *x.Event == e.Index+1
	}
	return x.Event != nil && (*x.Event == e.Index || x.Field == "verdict" && *x.Event < e.Index)
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
	e.Derivation = slices.Clone(e.Derivation)
	alter(reflect.ValueOf(&e.Derivation).Elem(), "derivation", func(field string) { out[field] = rehashed(t, f, i, e) })
	return out
}

// alter changes each value in v, one at a time, calls see, and puts it back.
func alter(v reflect.Value, at string, see func(field string)) {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	defer v.Set(was)
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int:
		v.SetInt(v.Int() + 1)
	case reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Array:
		v.Index(5).SetUint(v.Index(5).Uint() ^ 1)
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			alter(v.Field(i), at+"."+name, see)
		}
		return
	case reflect.Slice:
		for i := range min(v.Len(), 2) {
			alter(v.Index(i), fmt.Sprintf("%s[%d]", at, i), see)
		}
		return
	}
	see(at)
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
	return &out
}

// TestExportsHoldNoSecret looks for every salt and every link of draws in the files of those who may not see them.
func TestExportsHoldNoSecret(t *testing.T) {
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
					t.Errorf("%s for %s: the opening of %q in #%d (%s) is in it: %v", k.Name, reader, o.Slot, o.Index, owner[o.Index], held)
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
	c := played(t)
	f, err := Open(t.Context(), t.TempDir(), Options{Begin: true})
	if err != nil {
		t.Fatal(err)
	}
	other := Inside(f)
	defer func() {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, k := range fixtures.Campaigns() {
		var done Imported
		if err := other.Upload(t.Context(), fileOf(t, c, k.Name, "public").Encode(), &done, nil, "imports"); err != nil {
			t.Fatal(err)
		}
	}
	rebuilt := func(c *Client) (out Rebuilt) {
		err := c.Send(t.Context(), nil, func(line json.RawMessage) error {
			var r Rebuilding
			if err := json.Unmarshal(line, &r); err != nil {
				return err
			}
			if r.Result != nil {
				out = *r.Result
			}
			return nil
		}, "rebuild")
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if was, is := rebuilt(c), rebuilt(other); len(was.Digests) < 5 || !reflect.DeepEqual(was, is) {
		t.Errorf("digests of what was imported:\n%+v\nand of what was played:\n%+v", is, was)
	}
}
