package terminal

import (
	"bytes"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/verify"
)

// The report says who could have chosen the dice: in a line for each answer, and for each roll where that is asked for.
func TestChoosersOnThePage(t *testing.T) {
	v := verify.Verification{Verified: true, Report: bundle.Report{Rolls: []bundle.Choice{
		{Event: 4, Who: bundle.ByNobody, Why: "cosigned before round 7 came"},
		{Event: 9, Who: bundle.ByHost, Why: "his secret decides"},
		{Event: 12, Who: bundle.ByNobody, Why: "cosigned before round 9 came", Void: true},
	}}}
	for each, want := range map[bool]string{
		false: "  nobody (2): #4, #12\n  host (1): his secret decides\n",
		true: "  #4 nobody: cosigned before round 7 came\n  #9 host: his secret decides\n" +
			"  #12 (void) nobody: cosigned before round 9 came\n",
	} {
		var out bytes.Buffer
		(&Page{Out: &out}).Verification(v, each)
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not on the page:\n%s", want, &out)
		}
	}
}

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
	(&Page{Out: &out}).Verification(v, false)
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
