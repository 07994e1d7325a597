package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

const followDir = "/watu/follower"

// original is a ledger that others copy: all its records, and all that it knows.
type original struct {
	id      ulid.ULID
	records []events.Record
	known   []Adopted
	chains  []*chain
	text    string
	reaches Checkpoint
}

func newOriginal(t testing.TB, steps int) *original {
	t.Helper()
	l := openMem(t, vfs.NewMem())
	defer closeLedger(t, l)
	o := &original{id: l.ID(), chains: populate(t, l, steps)}
	o.text, o.reaches = mustEverything(t, l, o.chains), l.Checkpoint()
	for r, err := range l.After(0) {
		if err != nil {
			t.Fatal(err)
		}
		o.records = append(o.records, r)
		e, err := events.Decode(r.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(o.known); n > 0 && o.known[n-1].Command == e.Command {
			continue
		}
		a, _, err := l.Command(r.Campaign, e.Command)
		if err != nil {
			t.Fatal(err)
		}
		k := Adopted{Campaign: r.Campaign, Command: e.Command, Answered: a}
		if k.Openings, err = l.Openings(r.Campaign, a.First, a.First+uint64(a.Count)); err != nil {
			t.Fatal(err)
		}
		o.known = append(o.known, k)
	}
	return o
}

// at gives what is known of commands that end with one of these records.
func (o *original) at(records []events.Record) (known []Adopted) {
	for _, k := range o.known {
		last := k.First + uint64(k.Count) - 1
		if slices.ContainsFunc(records,
			func(r events.Record) bool { return r.Campaign == k.Campaign && r.Index == last }) {
			known = append(known, k)
		}
	}
	return known
}

func follower(t testing.TB, fs vfs.FS, id ulid.ULID) *Ledger {
	t.Helper()
	l, err := Follow(followDir, id, "nats://convoy",
		Options{FS: fs, Logf: t.Logf, Fatal: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestFollow copies a ledger in batches of every size, some records twice, with a reader that
// waits and with restarts in between.
func TestFollow(t *testing.T) {
	t.Parallel()
	o := newOriginal(t, 90)
	for size := 1; size < len(o.records)+3; size = size*2 + 1 {
		mem := vfs.NewMem()
		l := follower(t, mem, o.id)
		heard := make(chan error, 1)
		listen := func(l *Ledger) { heard <- follow(l, uint64(len(o.records))) }
		go listen(l)
		for at := 0; at < len(o.records); at += size {
			some := o.records[max(0, at-2):min(at+size, len(o.records))]
			if err := l.Adopt(some, o.at(some)); err != nil {
				t.Fatal(err)
			}
			if at/size == 3 {
				closeLedger(t, l)
				<-heard
				l = follower(t, mem, o.id)
				go listen(l)
			}
		}
		if err := <-heard; err != nil {
			t.Error(err)
		}
		verify(t, l)
		if got := mustEverything(t, l, o.chains); got != o.text || !l.Checkpoint().Equal(o.reaches) {
			t.Errorf("batches of %d: the follower has\n%s\nwant\n%s", size, got, o.text)
		}
		mustDump(t, l)
		closeLedger(t, l)
	}
}

// TestAdoptThenAppend takes over a ledger from its stream alone, and goes on.
func TestAdoptThenAppend(t *testing.T) {
	t.Parallel()
	o := newOriginal(t, 20)
	mem := vfs.NewMem()
	l, err := open(followDir, Options{FS: mem, Fatal: func(err error) { t.Error(err) }}, birth{ledger: o.id})
	if err != nil {
		t.Fatal(err)
	}
	defer closeLedger(t, l)
	half := len(o.records) / 2
	c := o.chains[0]
	first := o.known[0]
	stream := []Adopted{{Campaign: c.campaign, Command: first.Command,
		Answered: Answered{First: 0, Count: first.Count}}}
	if err := errors.Join(l.Adopt(o.records[:half], stream), l.Adopt(o.records, nil)); err != nil {
		t.Fatal(err)
	}
	again, err := l.Append(Step{Campaign: c.campaign, Command: first.Command, Digest: digestOf("whatever"),
		Events: []events.Encoded{events.Encode(events.Event{})}})
	if err != nil || !again.Replayed || again.First != 0 || again.Count != first.Count || again.Sequence != 1 {
		t.Errorf("a command of unknown contents again: %+v %v", again, err)
	}
	for i := range 3 {
		o.chains[i].append(t, l, "goes on", 2)
	}
	fresh := newChain(7)
	fresh.append(t, l, "open", 2)
	verifyEvents(t, l)
	if err := l.Adopt(nil, o.known); err != nil { // a backup knows the rest
		t.Error(err)
	}
	if a, found, err := l.Command(c.campaign, first.Command); err != nil || !found || !a.Digest.IsZero() {
		t.Errorf("an entry was changed: %+v %v", a, err)
	}
	if k := o.known[1]; k.Campaign == o.chains[1].campaign {
		if a, _, _ := l.Command(k.Campaign, k.Command); a.Digest != k.Digest || !bytes.Equal(a.Answer, k.Answer) {
			t.Errorf("known %+v, want %+v", a, k)
		}
	}
	mustDump(t, l)
}

// verifyEvents checks that the events are in one sequence, chained.
func verifyEvents(t *testing.T, l *Ledger) {
	t.Helper()
	var at uint64
	for r, err := range l.After(0) {
		if at++; err != nil || r.Sequence != at {
			t.Fatalf("sequence %d at %d: %v", r.Sequence, at, err)
		}
	}
	if at != l.Durable() {
		t.Errorf("%d events, want %d", at, l.Durable())
	}
	mustDump(t, l)
}

// TestAdoptWhatDoesNotFit changes a record or what is known, one thing at a time.
func TestAdoptWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	o := newOriginal(t, 24)
	l := follower(t, vfs.NewMem(), o.id)
	defer closeLedger(t, l)
	cut := len(o.records) - 8
	if err := l.Adopt(o.records[:cut], o.at(o.records[:cut])); err != nil {
		t.Fatal(err)
	}
	for name, test := range o.unfit(t, cut) {
		if err := l.Adopt(test.records, nil); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	if l.Durable() != uint64(cut) {
		t.Fatalf("something was adopted: %d events", l.Durable())
	}
	checkKnownThatDoesNotFit(t, l, o)
	if err := l.Adopt(o.records[cut-1:], o.known); err != nil {
		t.Error(err)
	}
	if got := mustEverything(t, l, o.chains); got != o.text {
		t.Error("the follower differs after all")
	}
}

// reworded is the record with an event that was changed.
func reworded(t *testing.T, r events.Record, change func(e *events.Event)) events.Record {
	t.Helper()
	e, err := events.Decode(r.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	change(&e)
	r.Bytes = e.Encode()
	return r
}

type unfit struct {
	records []events.Record
	want    error
}

// unfit gives records that do not fit behind the first cut ones.
func (o *original) unfit(t *testing.T, cut int) map[string]unfit {
	t.Helper()
	tail := func(change func(r []events.Record)) []events.Record {
		records := slices.Clone(o.records[cut:])
		change(records)
		return records
	}
	opening := func(s Step) []events.Record {
		return []events.Record{{Sequence: uint64(cut + 1), Campaign: s.Campaign, Bytes: s.Events[0].Bytes()}}
	}
	pair := 0 // of two events of one campaign
	for o.records[cut+pair].Campaign != o.records[cut+pair+1].Campaign {
		pair++
	}
	other := func(e *events.Event) { e.Seat = "another" }
	unlinked := func(e *events.Event) { e.Previous[0]++ }
	twin := newChain(8)
	twin.name = "campaign-1"
	unnamed := newChain(9).step("x", 1)
	changed(&unnamed, 0, func(e *events.Event) { e.Type = "dice_rolled" })
	fork := append([]events.Record{reworded(t, o.records[cut-1], other)}, o.records[cut:]...)
	return map[string]unfit{
		"hole before":    {o.records[cut+1:], ErrStep},
		"hole within":    {tail(func(r []events.Record) { r[3].Sequence++ }), ErrStep},
		"sequence 0":     {[]events.Record{{}}, ErrStep},
		"other index":    {tail(func(r []events.Record) { r[2].Index++ }), ErrStep},
		"other campaign": {tail(func(r []events.Record) { r[2].Campaign[3]++ }), ErrStep},
		"cut bytes":      {tail(func(r []events.Record) { r[1].Bytes = r[1].Bytes[:20] }), ErrStep},
		"not canonical": {tail(func(r []events.Record) { r[1].Bytes = append([]byte{0x10, 0x80, 0}, r[1].Bytes...) }),
			ErrStep},
		"other link":     {tail(func(r []events.Record) { r[0] = reworded(t, r[0], unlinked) }), ErrStep},
		"other bytes":    {tail(func(r []events.Record) { r[pair] = reworded(t, r[pair], other) }), ErrStep},
		"fork":           {fork, ErrFork},
		"name taken":     {opening(twin.step("x", 1)), ErrNameTaken},
		"not an opening": {opening(unnamed), ErrStep},
	}
}

func checkKnownThatDoesNotFit(t *testing.T, l *Ledger, o *original) {
	t.Helper()
	change := func(f func(k *Adopted)) []Adopted {
		k := o.known[4]
		k.Openings = slices.Clone(k.Openings)
		f(&k)
		return []Adopted{k}
	}
	for name, test := range map[string]struct {
		known []Adopted
		want  error
	}{
		"nothing":          {change(func(k *Adopted) { k.Command, k.Openings = "", nil }), ErrStep},
		"unknown campaign": {change(func(k *Adopted) { k.Campaign[2]++ }), ErrStep},
		"no events":        {change(func(k *Adopted) { k.Command, k.Count = "new", 0 }), ErrStep},
		"events to come":   {change(func(k *Adopted) { k.Command, k.Count = "new", 1000 }), ErrStep},
		"far events":       {change(func(k *Adopted) { k.Command, k.First = "new", 1<<64-1 }), ErrStep},
		"other events":     {change(func(k *Adopted) { k.First = 0 }), ErrFork},
		"other contents":   {change(func(k *Adopted) { k.Digest[0]++ }), ErrFork},
		"unknown contents": {change(func(k *Adopted) { k.Digest = events.Hash{} }), nil},
		"no commitment":    {change(func(k *Adopted) { k.Openings[0].Slot = "card 9" }), ErrStep},
		"opening to come":  {change(func(k *Adopted) { k.Openings[0].Index = 1000 }), ErrStep},
		"other opening":    {change(func(k *Adopted) { k.Openings[0].Fact = "submarine" }), ErrFork},
		"one command twice": {[]Adopted{
			{Campaign: o.known[0].Campaign, Command: "new", Answered: Answered{Count: 1}},
			{Campaign: o.known[0].Campaign, Command: "new", Answered: Answered{Count: 2}},
		}, ErrFork},
	} {
		if err := l.Adopt(nil, test.known); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	if _, found, err := l.Command(o.known[0].Campaign, "new"); found || err != nil {
		t.Errorf("something was stored: %v", err)
	}
}

// TestRepair brings a record up to its checkpoint again.
func TestRepair(t *testing.T) {
	t.Parallel()
	ages, chains := aging(t)
	whole := openMem(t, ages[2].files(t))
	var records []events.Record
	for r, err := range whole.After(0) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	want := mustEverything(t, whole, chains[:0])
	closeLedger(t, whole)
	mem := ages[0].with(fileMem, ages[2][fileMem]).files(t)
	l, err := openWith(t, mem, Options{Repairing: true})
	if err != nil {
		t.Fatal(err)
	}
	// What stands at the checkpoint's place must be what the checkpoint says.
	other := slices.Clone(records[:9])
	other[8] = reworded(t, other[8], func(e *events.Event) { e.Seat = "another" })
	if err := l.Adopt(other, nil); !errors.Is(err, ErrDiffers) || l.Durable() != 3 {
		t.Errorf("a tail that contradicts the checkpoint: %v; %d events", err, l.Durable())
	}
	for at := 3; at < len(records); at++ {
		checkBehind(t, l, at)
		if text := readAll(t, mem, fileMem); !bytes.Equal(text, ages[2][fileMem]) {
			t.Errorf("at %d: the checkpoint was not left alone", at)
		}
		if err := l.Adopt(records[at-1:at+1], nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := mustEverything(t, l, chains[:0]); got != want || l.Behind() != nil {
		t.Errorf("repaired:\n%s\nwant:\n%s; behind: %v", got, want, l.Behind())
	}
	newChain(3).append(t, l, "whole again", 1)
	untilCheckpointed(l)
	closeLedger(t, l)
	if l, err = openWith(t, mem, Options{}); err != nil {
		t.Fatal(err)
	}
	verifyEvents(t, l)
	closeLedger(t, l)
}

// checkBehind checks that a ledger of so many events says what is missing and takes no steps.
func checkBehind(t *testing.T, l *Ledger, at int) {
	t.Helper()
	var behind *CheckpointError
	if !errors.As(l.Behind(), &behind) || behind.Campaigns[0].EventsHere != uint64(min(at, 9)) && at < 9 {
		t.Errorf("at %d: %v", at, l.Behind())
	}
	if _, err := l.Append(newChain(3).step("too early", 1)); !errors.Is(err, ErrShort) {
		t.Errorf("at %d: append: %v", at, err)
	}
}

// TestAdoptBesideAppends adopts while other campaigns append: each sequence is given once.
func TestAdoptBesideAppends(t *testing.T) {
	t.Parallel()
	l := openMem(t, vfs.NewMem())
	defer closeLedger(t, l)
	var wg sync.WaitGroup
	for n := range 4 {
		c := newChain(n)
		wg.Go(func() {
			for i := range 100 {
				s := c.step(fmt.Sprint(i), 2)
				if _, err := l.Append(s); err != nil {
					t.Error(err)
					return
				}
				c.took(s)
			}
		})
	}
	mine, adopted := newChain(9), 0
	for range 400 {
		s := mine.step("adopted", 1)
		r := events.Record{Sequence: l.Durable() + 1, Campaign: mine.campaign, Index: mine.next,
			Bytes: s.Events[0].Bytes()}
		switch err := l.Adopt([]events.Record{r}, nil); {
		case err == nil:
			mine.took(s)
			adopted++
		case !errors.Is(err, ErrFork):
			t.Fatal(err)
		}
	}
	wg.Wait()
	verifyEvents(t, l)
	if l.Durable() != uint64(800+adopted) {
		t.Errorf("%d events, %d of them adopted", l.Durable(), adopted)
	}
	t.Logf("%d of 400 were adopted", adopted)
}

// TestFollowerCrashes pulls the plug at each operation of a following in turn.
func TestFollowerCrashes(t *testing.T) {
	t.Parallel()
	o := newOriginal(t, 12)
	for k := 1; ; k++ {
		disk := vfs.NewCrashableMem()
		p := &plug{
			fs: disk, left: k, acked: func() []uint64 { return nil },
			cfg: vfs.CrashCloneCfg{UnsyncedDataPercent: (k * 37) % 101, RNG: rand.New(rand.NewPCG(6, uint64(k)))},
		}
		l := follower(t, errorfs.Wrap(disk, p), o.id)
		for at := 0; at < len(o.records); at += 5 {
			some := o.records[at:min(at+5, len(o.records))]
			if err := l.Adopt(some, o.at(some)); err != nil {
				t.Fatal(err)
			}
		}
		closeLedger(t, l)
		if p.after == nil {
			return
		}
		l = follower(t, p.after, o.id)
		if here := l.Durable(); here%5 != 0 && here != uint64(len(o.records)) {
			t.Errorf("crash at operation %d: half a batch, %d events", k, here)
		}
		if err := l.Adopt(o.records, o.known); err != nil {
			t.Errorf("crash at operation %d: %v", k, err)
		}
		if got := mustEverything(t, l, o.chains); got != o.text {
			t.Errorf("crash at operation %d: the follower differs", k)
		}
		closeLedger(t, l)
	}
}
