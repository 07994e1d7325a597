package turnfile_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay/turnfile"
)

// FuzzTurnFile holds the parser to its promises for any bytes: no panic, errors of one line
// that name the file, bodies that are canonical, ids that are unique, lines that exist.
func FuzzTurnFile(f *testing.F) {
	f.Add([]byte(winter1941))
	f.Add([]byte("- - a\n- ? b\n: |\n  c\n"))
	f.Add([]byte("entries:\n- id: 1\n  draw: >-\n    a\n\n    b\n- {\"id\":\"x\",\"draw\":[1,-2,{}]}\n"))
	for _, c := range bad {
		if len(c.text) < 4096 {
			f.Add([]byte(c.text))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := turnfile.Parse("turn.yaml", data, verbs)
		if err != nil {
			checkError(t, err)
			return
		}
		seen := map[string]bool{}
		for _, e := range file.Entries {
			if seen[e.ID] {
				t.Errorf("the id %q stands twice", e.ID)
			}
			seen[e.ID] = true
			again, err := turnfile.Canonical(e.Body)
			if err != nil || !bytes.Equal(again, e.Body) {
				t.Errorf("body %s is not canonical: %s, %v", e.Body, again, err)
			}
			if last := bytes.Count(data, []byte("\n")) + 1; e.Line < 1 || e.Line > last ||
				e.LineOf("no such field") != e.Line {
				t.Errorf("entry %q has line %d of %d", e.ID, e.Line, last)
			}
		}
	})
}

// FuzzCorrection: no panic, and what is applied is canonical and changes something.
func FuzzCorrection(f *testing.F) {
	f.Add([]byte("reason: a\ncode: b\nreplace: {draw: Magic, 'a[0].b': 1}\n"), []byte(`{"draw":"Ultra","a":[{"b":2}]}`))
	f.Add([]byte("reason: a\ncode: b\nreplace:\n  a.b: {c: null, d: {e: 1}}\n  f[1]: x\n"),
		[]byte(`{"a":{"b":{"c":1}},"f":[1]}`))
	f.Fuzz(func(t *testing.T, data, body []byte) {
		c, err := turnfile.ParseCorrection("fix.yaml", data)
		if err != nil {
			checkError(t, err)
			return
		}
		before := bytes.Clone(body)
		corrected, changes, err := c.Apply(body)
		if !bytes.Equal(before, body) {
			t.Error("Apply wrote to its argument")
		}
		if err != nil {
			return
		}
		again, err := turnfile.Canonical(corrected)
		if err != nil || !bytes.Equal(again, corrected) {
			t.Errorf("%s is not canonical: %s, %v", corrected, again, err)
		}
		// One that replaces nothing has the entry heard again as it is.
		was, _ := turnfile.Canonical(body)
		if changed := len(c.Replace) > 0; (len(changes) > 0) != changed || bytes.Equal(was, corrected) == changed {
			t.Errorf("%d changes, from %s to %s", len(changes), was, corrected)
		}
	})
}

func checkError(t *testing.T, err error) {
	t.Helper()
	var fault *turnfile.Error
	if !errors.As(err, &fault) {
		t.Fatalf("error %T", err)
	}
	if fault.File == "" || fault.Message == "" || strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("error %q", err)
	}
}
