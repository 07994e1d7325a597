package narrator_test

import (
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
)

func TestValue(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"12":                    "12",
		"nothing":               "nothing",
		"[1":                    "[1",
		"[sealed] twice":        "[sealed] twice",
		"[]":                    "none",
		`["Hood","Ark Royal"]`:  "Hood, Ark Royal",
		`{"Atlantic":3,"A":[]}`: "A none, Atlantic 3",
		`[{"name":"CVEs","rule":"AWAW-SW-ATL-1","value":-1},` +
			`{"name":"torpedo research","value":1}]`: "CVEs (rule AWAW-SW-ATL-1, value -1); torpedo research (value 1)",
		`[{"name":"Hood"}]`: "Hood",
	} {
		if got := narrator.Value(text); got != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}
