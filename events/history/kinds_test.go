package history_test

import (
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
)

// A hostile record has a type of its own in each event: packing them stays as quick as the events are many, and each
// keeps its type.
func TestKindsWithoutEnd(t *testing.T) {
	var x history.Index
	const many = 30_000
	kind := func(i uint64) events.Type { return events.Type(fmt.Sprintf("type_%d", i%(many-7))) }
	for i := range uint64(many) {
		x.Add(&events.Event{Index: i, Type: kind(i), Command: "c"})
	}
	v := x.Head()
	for i := range v.Len() {
		if v.Type(i) != kind(i) {
			t.Fatalf("#%d is a %s, not a %s", i, v.Type(i), kind(i))
		}
	}
}
