package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/watu-ledger/watu/events"
)

// populate fills l with three campaigns, with openings, answers and turns, part of it flushed
// into tables and part in the write-ahead log alone.
func populate(t testing.TB, l *Ledger, steps int) []*chain {
	t.Helper()
	chains := []*chain{newChain(1), newChain(2), newChain(3)}
	for i := range steps {
		c := chains[i%len(chains)]
		appendSecret(t, l, c, fmt.Sprint("command ", i), 1+i%4)
		if i == steps/3 || i == steps/2 {
			if err := l.db.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return chains
}

// appendSecret appends a step whose last event commits to a fact that is stored with it.
func appendSecret(t testing.TB, l *Ledger, c *chain, command string, n int) {
	t.Helper()
	s := c.step(command, n)
	changed(&s, n-1, func(e *events.Event) {
		e.Commitments = []events.Commitment{{Slot: "card 1", Hash: digestOf(command)}}
	})
	s.Openings = []events.Opening{{Index: s.Expected + uint64(n) - 1, Slot: "card 1",
		Salt: digestOf("salt of " + command), Fact: "asw"}}
	if _, err := l.Append(s); err != nil {
		t.Fatal(err)
	}
	c.took(s)
}

// everything is all that a ledger can be asked, as text; a trouble with any of it is the error.
func everything(l *Ledger, chains []*chain) (string, error) {
	var b strings.Builder
	fmt.Fprintln(&b, l.ID(), l.Durable(), l.Campaigns())
	for r, err := range l.After(0) {
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%d %s %d %x\n", r.Sequence, r.Campaign, r.Index, r.Bytes)
	}
	for _, c := range chains {
		for r, err := range l.Read(c.campaign, 0, 1<<40) {
			if err != nil {
				return "", err
			}
			e, err := events.Decode(r.Bytes)
			if err != nil {
				return "", err
			}
			a, found, err := l.Command(c.campaign, e.Command)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "%d %x %s %+v %v\n", r.Sequence, r.Bytes, e.Command, a, found)
		}
		turns, err := l.Turns(c.campaign)
		if err != nil {
			return "", err
		}
		openings, err := l.Openings(c.campaign, 0, 1<<40)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&b, turns, openings)
	}
	return b.String(), nil
}

func mustEverything(t testing.TB, l *Ledger, chains []*chain) string {
	t.Helper()
	text, err := everything(l, chains)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func mustDump(t testing.TB, l *Ledger) ([]byte, Checkpoint) {
	t.Helper()
	var b bytes.Buffer
	c, err := l.Dump(&b)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), c
}

const loadDir = "/watu/loaded"

func openLoaded(t testing.TB, fs vfs.FS) *Ledger {
	t.Helper()
	l, err := Open(loadDir, Options{FS: fs, Logf: t.Logf, Fatal: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestDumpAndLoad(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l := openMem(t, mem)
	defer closeLedger(t, l)
	chains := populate(t, l, 60)
	dump, dumped := mustDump(t, l)
	want := mustEverything(t, l, chains)
	if !dumped.Equal(l.Checkpoint()) || dumped.Sequence != l.Durable() || dumped.Campaigns[0].Name != "campaign-1" {
		t.Errorf("dumped %+v of %+v", dumped, l.Checkpoint())
	}
	loaded, err := Load(loadDir, bytes.NewReader(dump), Options{FS: mem})
	if err != nil || !loaded.Equal(dumped) {
		t.Fatalf("loaded %+v: %v", loaded, err)
	}
	copied := openLoaded(t, mem)
	defer closeLedger(t, copied)
	verify(t, copied)
	if got := mustEverything(t, copied, chains); got != want {
		t.Errorf("loaded:\n%s\nwant:\n%s", got, want)
	}
	if *copied.born.Load() != *l.born.Load() || copied.Checkpointed() != dumped.Sequence {
		t.Errorf("identity %+v, want %+v; checkpointed %d", copied.born.Load(), l.born.Load(), copied.Checkpointed())
	}
	again, _ := mustDump(t, copied)
	if !bytes.Equal(again, dump) {
		t.Error("the copy's dump is another")
	}
	chains[0].append(t, copied, "goes on", 2)
	verify(t, copied)
}

// TestDumpWhileAppending dumps again and again while many campaigns append: every dump is the
// record at one moment.
func TestDumpWhileAppending(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l := openMem(t, mem)
	defer closeLedger(t, l)
	var wg sync.WaitGroup
	for n := range 16 {
		c := newChain(n)
		wg.Go(func() {
			for i := range 60 {
				s := c.step(fmt.Sprint(i), 1+i%3)
				if _, err := l.Append(s); err != nil {
					t.Error(err)
					return
				}
				c.took(s)
			}
		})
	}
	var last uint64
	for i := range 12 {
		before := l.Durable()
		dump, dumped := mustDump(t, l)
		if dumped.Sequence < before || dumped.Sequence < last {
			t.Errorf("dumped to %d after %d were durable", dumped.Sequence, before)
		}
		last = dumped.Sequence
		dir := fmt.Sprint(loadDir, i)
		if loaded, err := Load(dir, bytes.NewReader(dump), Options{FS: mem}); err != nil || !loaded.Equal(dumped) {
			t.Errorf("load: %v", err)
		}
	}
	wg.Wait()
}

func TestDumpOfABrokenRecord(t *testing.T) {
	t.Parallel()
	l := openMem(t, vfs.NewMem())
	defer closeLedger(t, l)
	chains := populate(t, l, 30)
	for name, key := range map[string][]byte{
		"record":   numberKey(keyRecord, chains[0].campaign, 3),
		"step":     stepKey(1),
		"turn":     numberKey(keyTurn, chains[0].campaign, 0),
		"campaign": campaignKey(keyCampaign, chains[1].campaign),
	} {
		value, closer, err := l.db.Get(key)
		if err != nil {
			t.Fatal(name, err)
		}
		value = bytes.Clone(value)
		if err := errors.Join(closer.Close(), l.db.Delete(key, nil)); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Dump(&bytes.Buffer{}); !errors.Is(err, ErrDamaged) {
			t.Errorf("without a %s: %v", name, err)
		}
		if err := l.db.Set(key, value, nil); err != nil {
			t.Fatal(err)
		}
	}
	mustDump(t, l)
}
