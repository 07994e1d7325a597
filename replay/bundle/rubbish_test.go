package bundle_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/bundle"
)

// zeros gives zero bytes for ever.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// same gives the same bytes again and again.
type same struct {
	bytes []byte
	at    int
}

func (s *same) Read(b []byte) (n int, err error) {
	for n < len(b) {
		k := copy(b[n:], s.bytes[s.at:])
		n, s.at = n+k, (s.at+k)%len(s.bytes)
	}
	return n, nil
}

// sections are the smallest there are, in their order, without end.
type sections struct {
	n    int
	rest []byte
}

func (s *sections) Read(b []byte) (int, error) {
	if len(s.rest) == 0 {
		kind := []byte("aaaa")
		for i, n := 3, s.n; i >= 0; i, n = i-1, n/26 {
			kind[i] += byte(n % 26)
		}
		s.n++
		s.rest = whole(string(kind), nil)
	}
	n := copy(b, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// rubbish is how much of it is fed to a reader, and mostCost how much memory that may take in all.
const (
	rubbish  = 3 << 29
	mostCost = 64 << 20
)

// section is a section of which the body is yet to come.
func section(kind string, length uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte(kind), length)
}

// whole is a section with its hash.
func whole(kind string, body []byte) []byte {
	b := append(section(kind, uint64(len(body))), body...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// TestRubbish feeds the reader 1.5 GB each of what is no record, or begins like one: it is refused, and takes no memory
// to speak of.
func TestRubbish(t *testing.T) {
	file := small()
	file.Openings, file.Links, file.Boards, file.Further = nil, nil, nil, nil
	b := file.Encode()
	at := bytes.Index(b, []byte("EVNT"))
	end := at + 12 + int(binary.BigEndian.Uint64(b[at+4:])) + 32
	begun, head := string(b[:end]), string(b[:at])
	part := func(b []byte) string { return string(append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...)) }
	random := func() io.Reader { return rand.NewChaCha8([32]byte{12}) }
	sheets := bundle.Magic + string(b[len(bundle.Magic):bytes.Index(b, []byte("EDIT"))])
	for name, in := range map[string]struct {
		prefix string
		rest   io.Reader
	}{
		"zeros":                       {"", zeros{}},
		"random bytes":                {"", random()},
		"a first line and zeros":      {bundle.Magic, zeros{}},
		"a first line and random":     {bundle.Magic, random()},
		"an endless header":           {bundle.Magic + string(section("HEAD", rubbish)), zeros{}},
		"a header of all lengths":     {bundle.Magic + string(section("HEAD", 1<<64-1)), zeros{}},
		"the same sheet":              {sheets, &same{bytes: whole("EDIT", []byte("a sheet"))}},
		"many sections":               {begun, &sections{}},
		"a sheet of 1 GB":             {sheets + string(section("EDIT", 1<<30-4096)), random()},
		"events of zeros":             {head + string(section("EVNT", 1<<30-4096)), zeros{}},
		"random events":               {head + string(section("EVNT", 1<<30-4096)), random()},
		"an event of 4 GB":            {head + string(section("EVNT", 1<<30-4096)) + "\xff\xff\xff\xff", random()},
		"an event, and zeros":         {head + string(section("EVNT", 1<<30-4096)) + part(file.Events[0]), zeros{}},
		"an event, and random":        {head + string(section("EVNT", 1<<30-4096)) + part(file.Events[0]), random()},
		"openings of zeros":           {begun + string(section("OPEN", 1<<29)), zeros{}},
		"random openings":             {begun + string(section("OPEN", 1<<29)), random()},
		"links of zeros":              {begun + string(section("LINK", 1<<29)), zeros{}},
		"boards":                      {begun + string(section("BORD", 1<<29)), random()},
		"a long seal":                 {begun + string(section("SEAL", 1<<29)), zeros{}},
		"lacks of zeros":              {begun + string(section("lack", 1<<29)), zeros{}},
		"a section to be passed over": {begun + string(section("sign", 1<<29)), random()},
		"more than a file may have":   {begun + string(section("BORD", 1<<31)), random()},
		"what follows the seal":       {string(b), zeros{}},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := bundle.Read(io.MultiReader(bytes.NewReader([]byte(in.prefix)), io.LimitReader(in.rest, rubbish)))
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: read as a record", name)
		}
		if cost := after.TotalAlloc - before.TotalAlloc; cost > mostCost {
			t.Errorf("%s: %d MB allocated in all: %v", name, cost>>20, err)
		}
		t.Logf("%s: %d kB, %v", name, (after.TotalAlloc-before.TotalAlloc)>>10, err)
	}
}

// openings gives well-formed openings of what nothing is committed to, in their order, without end.
type ordered struct {
	next uint64
	rest []byte
}

func (o *ordered) Read(b []byte) (int, error) {
	if len(o.rest) == 0 {
		o.rest = binary.BigEndian.AppendUint64(nil, o.next)
		o.rest = append(o.rest, make([]byte, 4+32+4)...)
		o.next++
	}
	n := copy(b, o.rest)
	o.rest = o.rest[n:]
	return n, nil
}

// TestOrderedRubbish feeds lists whose elements are well-formed and in their order: there are no more than the events
// call for.
func TestOrderedRubbish(t *testing.T) {
	file := small()
	file.Openings = nil
	b := file.Encode()
	begun := b[:bytes.Index(b, []byte("SEAL"))]
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := bundle.Read(io.MultiReader(bytes.NewReader(slices.Concat(begun, section("OPEN", 48<<20))), &ordered{}))
	runtime.ReadMemStats(&after)
	if cost := after.TotalAlloc - before.TotalAlloc; err == nil || cost > 1<<20 {
		t.Errorf("%d kB for openings of nothing: %v", cost>>10, err)
	}
}

// TestManyEvents reads a record of many events: it takes what its events take, and a fixed amount beside.
func TestManyEvents(t *testing.T) {
	f := small()
	f.Openings, f.Header.For = nil, bundle.Public
	list := f.Events[:2:2]
	previous := events.LeafHash(list[1])
	for i := uint64(2); i < 20_000; i++ {
		e, err := events.Decode(f.Events[1])
		must(t, err)
		e.Index, e.Previous = i, previous
		list = append(list, e.Encode())
		previous = events.LeafHash(list[i])
	}
	f.Events, f.Header.Events, f.Header.Head = list, uint64(len(list)), previous
	b := f.Encode()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	again, err := bundle.Read(bytes.NewReader(b))
	runtime.GC()
	runtime.ReadMemStats(&after)
	must(t, err)
	if kept := after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc); kept > uint64(3*len(b))+8<<20 {
		t.Errorf("a file of %d kB is kept in %d kB", len(b)>>10, kept>>10)
	}
	runtime.KeepAlive(again)
}
