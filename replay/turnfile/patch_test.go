package turnfile_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/turnfile"
)

// The changes of a correction are made in an entry that is another than the one corrected: nothing else is.
func TestPatch(t *testing.T) {
	for _, c := range []struct {
		was, correction, other, want string
		changes                      int
	}{
		{`{"war":{"asw":34,"subs":8}}`, "war: {asw: 43}", `{"war":{"asw":34,"subs":9}}`, `{"war":{"asw":43,"subs":9}}`,
			1},
		{`{"war":{"asw":34,"subs":8}}`, "war: {subs: null}", `{"war":{"asw":30,"subs":9}}`, `{"war":{"asw":30}}`, 1},
		{`{"war":{"asw":34}}`, "war: {cves: 2}", `{"war":{"asw":30}}`, `{"war":{"asw":30,"cves":2}}`, 1},
		{`{"war":{"asw":34}}`, "war: {cves: 2}", `{"war":{"cves":2}}`, `{"war":{"cves":2}}`, 0},
		{`{"at":{"St. Nazaire":[1,2]}}`, `"at.St. Nazaire[1]": 3`, `{"at":{"St. Nazaire":[5,6]}}`,
			`{"at":{"St. Nazaire":[5,3]}}`, 1},
		{`{"cards":["a"]}`, `cards: [a, b]`, `{"cards":["c"]}`, `{"cards":["a","b"]}`, 1},
		{`{"facts":{"x":1}}`, `facts: {y: {z: 1}}`, `{"facts":{}}`, `{"facts":{"y":{"z":1}}}`, 1},
	} {
		k, err := turnfile.ParseCorrection("k", []byte("reason: r\ncode: c\nreplace:\n  "+c.correction+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		left, changes, err := k.Apply(json.RawMessage(c.was))
		if err != nil {
			t.Fatal(err)
		}
		got, made, ok := turnfile.Patch(json.RawMessage(c.other), left, changes)
		if !ok || string(got) != c.want || len(made) != c.changes {
			t.Errorf("%s on %s: %s %v %v, want %s", c.correction, c.other, got, made, ok, c.want)
		}
		// A value that is sealed in the record is that of the entry as it was left.
		for i := range changes {
			changes[i].Was, changes[i].Now = "sealed", "sealed"
		}
		if sealed, _, ok := turnfile.Patch(json.RawMessage(c.other), left, changes); c.changes > 0 &&
			(!ok && c.want != `{"war":{"asw":30}}` || ok && string(sealed) != c.want) {
			t.Errorf("%s sealed: %s %v", c.correction, sealed, ok)
		}
		// On the entry itself it is the correction.
		if again, made, ok := turnfile.Patch(json.RawMessage(c.was), left, changes); !ok ||
			string(again) != string(left) || len(made) == 0 {
			t.Errorf("%s again: %s %v, not %s", c.correction, again, made, left)
		}
	}
	for _, field := range []string{"", "none", "war.asw.x", "war[0]"} {
		if _, _, ok := turnfile.Patch(json.RawMessage(`{"war":{"asw":34}}`), json.RawMessage(`{"war":{"asw":34}}`),
			[]events.Change{{Field: field, Now: "1"}}); ok {
			t.Errorf("%q names a field", field)
		}
	}
	if _, made, ok := turnfile.Patch(json.RawMessage(`{"a":1}`), json.RawMessage(`{"a":1}`), nil); !ok ||
		!reflect.DeepEqual(made, []events.Change(nil)) {
		t.Error("nothing changes something")
	}
}
