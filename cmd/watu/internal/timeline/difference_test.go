package timeline

import (
	"slices"
	"testing"
)

// An entry whose event is another one at the end was called by the old event on the way.
func TestCauseByEvent(t *testing.T) {
	w := tracing{causes: map[string][]uint64{
		"treasuries / UK / movements / #23 / in hand": {31},
		"treasuries / US / movements / #24 / in hand": {33},
		"purchases / #23 / in hand":                   {35},
	}}
	for path, want := range map[string][]uint64{
		"treasuries / UK / movements / purchase / in hand": {31},
		"purchases / #23 / in hand":                        {35},
		"purchases / #40":                                  {40},
		"treasuries / UK / movements / purchase / change":  {},
	} {
		if got := w.of(path); !slices.Equal(got, want) {
			t.Errorf("%s: changed by %v, want %v", path, got, want)
		}
	}
}
