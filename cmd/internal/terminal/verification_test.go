package terminal

import (
	"bytes"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/verify"
)

// TestLackingPage: what could not be checked for what a file lacks is named by number, and the last line counts it.
func TestLackingPage(t *testing.T) {
	var out bytes.Buffer
	v := verify.Verification{Verified: true, Report: bundle.Report{
		Unchecked: []bundle.Unchecked{
			{What: "events", Why: "sealed", Count: 1, Events: []uint64{7}},
			{What: "events", Why: "it turns on a secret", Count: 5, Events: []uint64{36, 22, 34, 35, 40}, Lack: true},
			{What: "events", Why: "part is sealed", Count: 2, Events: []uint64{41, 22}, Lack: true},
		},
		Missing: []bundle.Missing{{Stated: true}},
	}}
	(&Page{Out: &out}).Verification(v)
	page := out.String()
	for _, want := range []string{
		"it turns on a secret: #22, #34 to #36, #40\n", "part is sealed: #22, #41\n", "(1): sealed\n",
		"6 events could not be checked because of what the file lacks",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page:\n%s", want, page)
		}
	}
	if strings.Contains(page, "Nothing is wrong") {
		t.Errorf("the page says that nothing is wrong:\n%s", page)
	}
}
