package desk

import (
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
)

// TestWrongSays: what is wrong in the text is said without its place, which stands beside it; what went wrong elsewhere
// keeps its place.
func TestWrongSays(t *testing.T) {
	for want, wrong := range map[string]problem.Problem{
		"no such verb":          {Message: "your text:2: no such verb"},
		"no ship":               {Where: "your text:3", Message: "no ship"},
		"it is empty":           {Message: "your text: it is empty"},
		"query.at: no event #9": {Where: "query.at", Message: "no event #9"},
		"nobody answers":        {Message: "nobody answers"},
	} {
		if got := (Page{Wrong: &wrong}).WrongSays(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
