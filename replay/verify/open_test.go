package verify_test

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay/verify"
	"github.com/watu-ledger/watu/rules/all"
)

// TestOpen: a file whose events are read from where they lie verifies as one that is held whole, rules included.
func TestOpen(t *testing.T) {
	b := played(t, "atlantic-and-pacific", 3).Encode()
	whole, err := verify.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	there, err := verify.Open(bytes.NewReader(b), bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	v, w := verified(t, there, all.Systems(), ""), verified(t, whole, all.Systems(), "")
	if !v.Verified || !reflect.DeepEqual(v, w) {
		t.Errorf("where they lie: %+v\nheld whole: %+v", v, w)
	}
}

// TestMemory: what a check keeps does not grow with the file, but for some 90 bytes an event, of 520 there.
func TestMemory(t *testing.T) {
	var more strings.Builder
	more.WriteString("{turn: Winter 1939, entries: [{id: cves, facts: {cves: {Atlantic: 0}}}")
	for n := range 1000 {
		fmt.Fprintf(&more, ", {id: w%d, cards: [], ", n)
		more.WriteString("submarine warfare: {box: Atlantic, submarines: 8, asw: 34, again: true}}")
	}
	more.WriteString("]}")
	b := played(t, "atlantic-and-pacific", 1, fixtures.File{Name: "more.yaml", Data: []byte(more.String())}).Encode()
	inUse := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, most, next := inUse(), uint64(0), uint64(0)
	there, err := verify.Open(bytes.NewReader(b), bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	v, err := verify.File(there, all.Systems(), "", func(done, _ uint64) {
		if done >= next || done == 0 { // in both walks
			most, next = max(most, inUse()), done+1000
		}
	})
	if err != nil || !v.Verified || v.Events < 4000 {
		t.Fatalf("%d events: %s, %v", v.Events, v.Verdict(), err)
	}
	if kept := most - min(most, before); kept > 1<<20+150*v.Events {
		t.Errorf("the check of %d events in %d kB keeps %d kB", v.Events, len(b)>>10, kept>>10)
	} else {
		t.Logf("%d events in %d kB: %d kB kept", v.Events, len(b)>>10, kept>>10)
	}
	runtime.KeepAlive(b)
}
