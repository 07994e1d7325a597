package desk

import (
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
)

// TestWrongSays: a line of the text is named as people name it; what went wrong elsewhere keeps its place.
func TestWrongSays(t *testing.T) {
	for want, wrong := range map[string]problem.Problem{
		"line 2 of your text: no such verb": {Message: "your text:2: no such verb"},
		"line 3 of your text: no ship":      {Where: "your text:3", Message: "no ship"},
		"your text: it is empty":            {Message: "your text: it is empty"},
		"query.at: no event #9":             {Where: "query.at", Message: "no event #9"},
		"nobody answers":                    {Message: "nobody answers"},
	} {
		if got := (Page{Wrong: &wrong}).WrongSays(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
