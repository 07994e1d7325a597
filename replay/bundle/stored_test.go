package bundle_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/bundle"
)

// opened writes a file and opens it, so that its events stay where they are.
func opened(t *testing.T, f *bundle.File) (*bundle.File, []byte) {
	t.Helper()
	b := f.Encode()
	out, err := bundle.Open(bytes.NewReader(b), bytes.NewReader(b))
	must(t, err)
	return out, b
}

// TestOpenReadsTheSame: a file whose events stay where they are has the events of one that is read whole, and the same
// report, and so has each with an event forged, doubled or left out. At night it is each event of each campaign, before
// that one of each type and some more.
func TestOpenReadsTheSame(t *testing.T) {
	t.Parallel()
	sample := longrun.OneOf(96, 12)
	same := func(name string, f *bundle.File) {
		t.Helper()
		there, b := opened(t, f)
		whole, err := bundle.Read(bytes.NewReader(b))
		must(t, err)
		var list [][]byte
		for b, err := range there.Stored(0, there.Len()) {
			must(t, err)
			list = append(list, bytes.Clone(b))
		}
		if len(there.Events) != 0 || !slices.EqualFunc(list, whole.Events, bytes.Equal) {
			t.Fatalf("%s: %d events were read again of %d", name, len(list), len(whole.Events))
		}
		if a, b := whole.Check(bundle.Options{}), there.Check(bundle.Options{}); !reflect.DeepEqual(a, b) {
			t.Fatalf("%s: read whole\n%+v\nand where they are\n%+v", name, a.Findings, b.Findings)
		}
	}
	for _, p := range campaigns(t) {
		f := p.seenBy(bundle.Umpire)
		same(p.name, f)
		for i, b := range f.Events {
			e, err := events.Decode(b)
			must(t, err)
			for what, change := range forgeries(&e) {
				if sample.Has(fmt.Sprint(e.Type, what)) {
					same(fmt.Sprintf("%s, %s of #%d forged", p.name, what, i), rehashed(t, f, i, change))
				}
			}
			if sample.Has(string(e.Type)) {
				same(fmt.Sprintf("%s, #%d doubled", p.name, i), with(f, slices.Insert(slices.Clone(f.Events), i, b)))
				same(fmt.Sprintf("%s, #%d left out", p.name, i), with(f, slices.Delete(slices.Clone(f.Events), i, i+1)))
			}
		}
	}
}

// TestOpenChanged: a file that is another when it is read again is found out.
func TestOpenChanged(t *testing.T) {
	for _, p := range campaigns(t) {
		b := p.seenBy(bundle.Public).Encode()
		later := bytes.Clone(b)
		at := bytes.Index(later, []byte("campaign_opened"))
		later[at] ^= 1
		for what, again := range map[string]io.ReaderAt{
			"another": bytes.NewReader(later), "shorter": bytes.NewReader(b[:at]),
		} {
			f, err := bundle.Open(bytes.NewReader(b), again)
			must(t, err)
			for _, err := range f.Stored(0, 1) {
				if err == nil || what == "another" && !errors.Is(err, bundle.ErrDamaged) {
					t.Errorf("%s: of a file that is %s then, event 0 is read: %v", p.name, what, err)
				}
			}
			r := f.Check(bundle.Options{})
			if !slices.ContainsFunc(r.Findings, func(x bundle.Finding) bool {
				return x.Field == "record" && strings.Contains(x.Message, "record")
			}) {
				t.Errorf("%s: a file that is %s then is checked: %+v", p.name, what, r.Findings)
			}
		}
	}
}

// pieces notes the longest piece that is read of a file.
type pieces struct {
	*bytes.Reader
	longest int
}

func (p *pieces) ReadAt(b []byte, at int64) (int, error) {
	p.longest = max(p.longest, len(b))
	return p.Reader.ReadAt(b, at)
}

// TestOpenLong: a page of long events is no longer than a megabyte and the event that passes it.
func TestOpenLong(t *testing.T) {
	const many, long = 60, 300_000
	f := small()
	for i := uint64(len(f.Events)); i < many; i++ {
		e, err := events.Decode(f.Events[1])
		must(t, err)
		e.Index, e.Request, e.Previous = i, strings.Repeat("x", long), events.LeafHash(f.Events[i-1])
		f.Events = append(f.Events, e.Encode())
	}
	b := f.Encode()
	in := &pieces{Reader: bytes.NewReader(b)}
	there, err := bundle.Open(bytes.NewReader(b), in)
	must(t, err)
	at := 0
	for b, err := range there.Stored(0, there.Len()) {
		must(t, err)
		if !bytes.Equal(b, f.Events[at]) {
			t.Fatalf("event %d is read otherwise", at)
		}
		at++
	}
	if at != many || in.longest < long || in.longest > 1<<20+long+4096 {
		t.Errorf("of %d events a piece of %d bytes was read at once", at, in.longest)
	}
	for _, at := range []uint64{many - 1, 0, many / 2} { // one by one, from any page
		for b, err := range there.Stored(at, at+1) {
			must(t, err)
			if !bytes.Equal(b, f.Events[at]) {
				t.Errorf("event %d is read otherwise", at)
			}
		}
	}
}
