package ledger

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/watu-ledger/watu/events"
)

// openMem opens a ledger in memory whose failure fails the test.
func openMem(t testing.TB, fs vfs.FS) *Ledger {
	t.Helper()
	l, err := Open("/watu/ledger", Options{
		FS: fs, Fatal: func(err error) { t.Errorf("fatal: %v", err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func closeLedger(t testing.TB, l *Ledger) {
	t.Helper()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// verify checks everything that the record promises: no hole in sequence or index, each
// event chained to the one before, the two ways to read in agreement, whole steps only.
func verify(t testing.TB, l *Ledger) {
	t.Helper()
	next := map[string]uint64{}
	heads := map[string]events.Hash{}
	var sequence uint64
	for r, err := range l.After(0) {
		if err != nil {
			t.Fatal(err)
		}
		sequence++
		e, err := events.Decode(r.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		id := r.Campaign.String()
		if r.Sequence != sequence || r.Index != next[id] || e.Index != r.Index || e.Campaign != r.Campaign {
			t.Fatalf("record %d of %s (event %d) at sequence %d; want %d at %d", r.Index, id, e.Index, r.Sequence,
				next[id], sequence)
		}
		if e.Previous != heads[id] {
			t.Fatalf("event %d of %s is not chained", r.Index, id)
		}
		if r.Index == 0 || e.Command != "" {
			a, found, err := l.Command(r.Campaign, e.Command)
			if err != nil || !found || r.Index < a.First || r.Index >= a.First+uint64(a.Count) {
				t.Fatalf("command %q of event %d: %+v %v %v", e.Command, r.Index, a, found, err)
			}
		}
		next[id]++
		heads[id] = r.Hash()
	}
	if sequence != l.Durable() || len(next) != len(l.Campaigns()) {
		t.Fatalf("%d records in %d campaigns; durable %d in %d", sequence, len(next), l.Durable(), len(l.Campaigns()))
	}
	for _, c := range l.Campaigns() {
		if c.Events != next[c.ID.String()] || c.Head != heads[c.ID.String()] {
			t.Fatalf("campaign %+v", c)
		}
		var n uint64
		for r, err := range l.Read(c.ID, 0, math.MaxUint64) {
			if err != nil || r.Index != n {
				t.Fatalf("record %d, want %d: %v", r.Index, n, err)
			}
			n++
		}
		walked := n / 2
		for r, err := range l.Walk(c.ID, walked, math.MaxUint64) {
			e, decodeErr := events.Decode(r.Bytes)
			if err != nil || decodeErr != nil || e.Index != walked || r.Index != walked {
				t.Fatalf("walked to %d, want %d: %v %v", r.Index, walked, err, decodeErr)
			}
			walked++
		}
		if n != c.Events || walked != c.Events {
			t.Fatalf("campaign %s: read %d and walked to %d of %d", c.Name, n, walked, c.Events)
		}
	}
}

func TestAppendAndReopen(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	l := openMem(t, fs)
	id := l.ID()
	one, two := newChain(1), newChain(2)
	if a := one.append(t, l, "open", 2); a.Sequence != 1 {
		t.Errorf("sequence %d", a.Sequence)
	}
	if a := two.append(t, l, "open", 1); a.Sequence != 3 {
		t.Errorf("sequence %d", a.Sequence)
	}
	for i := range 30 {
		one.append(t, l, fmt.Sprint("one ", i), 3)
		two.append(t, l, fmt.Sprint("two ", i), 1)
	}
	verify(t, l)
	before, turns := l.Campaigns(), mustTurns(t, l, one)
	closeLedger(t, l)
	if _, err := l.Append(one.step("late", 1)); !errors.Is(err, ErrClosed) {
		t.Errorf("append to a closed ledger: %v", err)
	}

	l = openMem(t, fs)
	defer closeLedger(t, l)
	verify(t, l)
	if l.ID() != id || !reflect.DeepEqual(before, l.Campaigns()) || !reflect.DeepEqual(turns, mustTurns(t, l, one)) {
		t.Errorf("reopened as %s with %+v", l.ID(), l.Campaigns())
	}
	one.append(t, l, "after", 1)
	verify(t, l)
	for _, by := range []string{"campaign-2", two.campaign.String()} {
		if c, ok := l.Find(by); !ok || c.ID != two.campaign {
			t.Errorf("Find(%q) = %+v %v", by, c, ok)
		}
	}
	if _, ok := l.Find("campaign-3"); ok {
		t.Error("found a campaign that is not there")
	}
}

func mustTurns(t testing.TB, l *Ledger, c *chain) []Turn {
	t.Helper()
	turns, err := l.Turns(c.campaign)
	if err != nil {
		t.Fatal(err)
	}
	return turns
}

func TestTurns(t *testing.T) {
	t.Parallel()
	l := openMem(t, vfs.NewMem())
	defer closeLedger(t, l)
	c := newChain(1)
	for i := range 9 {
		c.append(t, l, fmt.Sprint(i), 4)
	}
	want := []Turn{{0, "turn 0", 0}, {1, "turn 1", 10}, {2, "turn 2", 20}, {3, "turn 3", 30}}
	if got := mustTurns(t, l, c); !reflect.DeepEqual(got, want) {
		t.Errorf("turns %v, want %v", got, want)
	}
}

func TestSameCommandAgain(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	l := openMem(t, fs)
	c := newChain(1)
	first := c.append(t, l, "open", 1)
	roll := c.step("roll", 2)
	c.append(t, l, "roll", 2)
	c.append(t, l, "next", 1)
	edited := roll
	edited.Digest = digestOf("something else")
	for range 2 { // in memory, and again from the disk
		again, err := l.Append(roll)
		if err != nil || !again.Replayed || again.First != 1 || again.Count != 2 || again.Sequence != 2 ||
			again.Head != events.LeafHash(roll.Events[1].Bytes()) || string(again.Answer) != "answer to roll" {
			t.Errorf("again: %+v %v", again, err)
		}
		if _, err := l.Append(edited); !errors.Is(err, ErrEdited) {
			t.Errorf("edited: %v", err)
		}
		if a, found, err := l.Command(c.campaign, "roll"); err != nil || !found || a.Digest != roll.Digest ||
			a.First != 1 {
			t.Errorf("command: %+v %v %v", a, found, err)
		}
		if _, found, err := l.Command(c.campaign, "rol"); found || err != nil {
			t.Errorf("found a command that never was: %v", err)
		}
		if l.Durable() != first.Sequence+3 {
			t.Errorf("durable %d", l.Durable())
		}
		closeLedger(t, l)
		l = openMem(t, fs)
	}
	closeLedger(t, l)
}

func TestStepsThatDoNotFit(t *testing.T) {
	t.Parallel()
	l := openMem(t, vfs.NewMem())
	defer closeLedger(t, l)
	c := newChain(1)
	c.append(t, l, "open", 2)
	change := func(f func(s *Step)) Step {
		s := c.step("x", 2)
		f(&s)
		return s
	}
	other := newChain(2)
	other.name = "campaign-1"
	ulidName := newChain(3)
	ulidName.name = other.campaign.String()
	notOpening := newChain(4).step("x", 1)
	changed(&notOpening, 0, func(e *events.Event) { e.Type = "dice_rolled" })
	absent := newChain(5).step("x", 1)
	absent.Expected = 3
	opening := events.Opening{Index: 3, Slot: "card 1"}
	for name, test := range map[string]struct {
		step Step
		want error
	}{
		"behind":       {change(func(s *Step) { s.Expected = 1 }), ErrConflict},
		"ahead":        {change(func(s *Step) { s.Expected = 3 }), ErrConflict},
		"absent":       {absent, ErrConflict},
		"no command":   {change(func(s *Step) { s.Command = "" }), ErrStep},
		"no events":    {change(func(s *Step) { s.Events = nil }), ErrStep},
		"not encoded":  {change(func(s *Step) { s.Events = make([]events.Encoded, 1) }), ErrStep},
		"long command": {change(func(s *Step) { s.Command = strings.Repeat("x", 2000) }), ErrStep},
		"wrong index":  {change(func(s *Step) { changed(s, 1, func(e *events.Event) { e.Index = 9 }) }), ErrStep},
		"wrong campaign": {change(func(s *Step) {
			changed(s, 1,
				func(e *events.Event) { e.Campaign = other.campaign })
		}), ErrStep},
		"first link": {change(func(s *Step) {
			changed(s, 0,
				func(e *events.Event) { e.Previous = events.Hash{1} })
		}), ErrStep},
		"second link": {change(func(s *Step) {
			changed(s, 1,
				func(e *events.Event) { e.Previous = events.Hash{1} })
		}), ErrStep},
		"no commitment":  {change(func(s *Step) { s.Openings = []events.Opening{opening} }), ErrStep},
		"name taken":     {other.step("x", 1), ErrNameTaken},
		"name is an id":  {ulidName.step("x", 1), ErrStep},
		"not an opening": {notOpening, ErrStep},
	} {
		if _, err := l.Append(test.step); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	if l.Durable() != 2 || len(l.Campaigns()) != 1 {
		t.Errorf("something was written: %d %+v", l.Durable(), l.Campaigns())
	}
	c.append(t, l, "x", 2)
	other.name = "free"
	other.append(t, l, "x", 1)
	verify(t, l)
}

func TestOpenings(t *testing.T) {
	t.Parallel()
	l := openMem(t, vfs.NewMem())
	defer closeLedger(t, l)
	c := newChain(1)
	c.append(t, l, "open", 1)
	s := c.step("draw", 2)
	var want []events.Opening
	for i, index := range []uint64{1, 2, 2} {
		o := events.Opening{Index: index, Slot: fmt.Sprint("card ", i), Salt: events.Hash{byte(i + 1)}, Fact: "asw"}
		changed(&s, int(index-1), func(e *events.Event) {
			e.Commitments = append(e.Commitments, events.Commitment{Slot: o.Slot, Hash: events.Hash{9}})
		})
		want = append(want, o)
	}
	changed(&s, 1, func(e *events.Event) { e.Previous = s.Events[0].Hash() })
	s.Openings = want
	if _, err := l.Append(s); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		from, to uint64
		want     []events.Opening
	}{{0, math.MaxUint64, want}, {0, 2, want[:1]}, {2, 3, want[1:]}, {3, 9, nil}, {2, 2, nil}} {
		got, err := l.Openings(c.campaign, test.from, test.to)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("openings %d to %d: %v %v", test.from, test.to, got, err)
		}
	}
}

func TestSixtyFourCampaigns(t *testing.T) {
	t.Parallel()
	l := openMem(t, vfs.NewMem())
	defer closeLedger(t, l)
	const campaigns, steps = 64, 40
	follower := make(chan error, 1)
	go func() { follower <- follow(l, campaigns*steps*2) }()
	var wg sync.WaitGroup
	for n := range campaigns {
		c := newChain(n)
		wg.Go(func() {
			for i := range steps {
				s := c.step(fmt.Sprint("command ", i), 2)
				var twins sync.WaitGroup
				var got [2]Appended
				for k := range got { // two clients send the same command at once
					twins.Go(func() {
						var err error
						if got[k], err = l.Append(s); err != nil {
							t.Error(err)
						}
					})
				}
				twins.Wait()
				if got[0].Replayed == got[1].Replayed || got[0].Sequence != got[1].Sequence {
					t.Errorf("twins: %+v", got)
				}
				c.took(s)
				if seen, ok := l.Campaign(c.campaign); !ok || seen.Events != c.next || seen.Head != c.head {
					t.Errorf("acknowledged and not seen: %+v", seen)
				}
			}
		})
	}
	wg.Wait()
	if err := <-follower; err != nil {
		t.Error(err)
	}
	verify(t, l)
}

// follow reads as the outbox does, until it has seen the given number of events.
func follow(l *Ledger, want uint64) error {
	var at uint64
	for at < want {
		durable, err := l.Wait(context.Background(), at)
		if err != nil {
			return err
		}
		for r, err := range l.After(at) {
			if err != nil || r.Sequence != at+1 {
				return fmt.Errorf("sequence %d after %d: %w", r.Sequence, at, err)
			}
			at++
		}
		if at < durable {
			return fmt.Errorf("stopped at %d before %d", at, durable)
		}
	}
	return nil
}

func TestRacingForOneIndex(t *testing.T) {
	t.Parallel()
	l := openMem(t, vfs.NewMem())
	defer closeLedger(t, l)
	c := newChain(1)
	c.append(t, l, "open", 1)
	var wg sync.WaitGroup
	won := make(chan string, 16)
	for i := range 16 {
		s := c.step(fmt.Sprint("rival ", i), 1)
		wg.Go(func() {
			if _, err := l.Append(s); err == nil {
				won <- s.Command
			} else if !errors.Is(err, ErrConflict) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(won) != 1 || l.Durable() != 2 {
		t.Errorf("%d rivals won, %d events", len(won), l.Durable())
	}
	verify(t, l)
}

func TestAfterReachesBehindTheTail(t *testing.T) {
	t.Parallel()
	l := openMem(t, vfs.NewMem())
	defer closeLedger(t, l)
	a, b := newChain(1), newChain(2)
	for i := 0; l.Durable() < 2*tailRecords; i++ {
		a.append(t, l, fmt.Sprint(i), 7)
		b.append(t, l, fmt.Sprint(i), 90)
	}
	if first := l.tail.records[0].Sequence; first == 1 {
		t.Fatal("the tail holds everything")
	}
	for _, from := range []uint64{0, 1, 6, 7, 8, 100, 8191, 8192, 8193, l.Durable() - 1, l.Durable()} {
		at := from
		for r, err := range l.After(from) {
			if err != nil || r.Sequence != at+1 {
				t.Fatalf("after %d: sequence %d: %v", at, r.Sequence, err)
			}
			if e, err := events.Decode(r.Bytes); err != nil || e.Index != r.Index || e.Campaign != r.Campaign {
				t.Fatalf("sequence %d: %v", r.Sequence, err)
			}
			at++
		}
		if at != l.Durable() {
			t.Errorf("from %d to %d, not %d", from, at, l.Durable())
		}
	}
	verify(t, l)
}

func TestWaitEnds(t *testing.T) {
	t.Parallel()
	l := openMem(t, vfs.NewMem())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.Wait(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	ended := make(chan error)
	go func() {
		_, err := l.Wait(context.Background(), 0)
		ended <- err
	}()
	closeLedger(t, l)
	if err := <-ended; !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}
