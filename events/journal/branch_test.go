package journal_test

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/events/ledger"
)

var campaign = ulid.ULID{15: 1}

// writer makes steps that follow one another.
type writer struct {
	random   *rand.Rand
	next     uint64
	previous events.Hash
}

func (w *writer) step(command string) journal.Step {
	s := journal.Step{
		Campaign: campaign, Expected: w.next, Command: command, Digest: events.Hash{1, byte(w.next)},
		Answer: []byte("answer to " + command),
	}
	for range 1 + w.random.IntN(3) {
		payload := events.Payload(&events.DiceRolled{Dice: []int{w.random.IntN(6) + 1}})
		if w.next == 0 {
			payload = &events.CampaignOpened{Name: "atlantic"}
		}
		e := events.Event{
			Campaign: campaign, ID: campaign, Index: w.next, Command: command, Previous: w.previous,
			Schema: events.SchemaVersion, Type: payload.Type(), Payload: events.EncodePayload(payload),
		}
		for _, slot := range []string{"b", "a", "c"}[:w.random.IntN(4)] {
			e.Commitments = append(e.Commitments, events.Commitment{Slot: slot, Hash: events.Hash{2}})
			s.Openings = append(s.Openings, events.Opening{Index: w.next, Slot: slot, Fact: command})
		}
		x := events.Encode(e)
		s.Events = append(s.Events, x)
		w.next, w.previous = w.next+1, x.Hash()
	}
	w.random.Shuffle(len(s.Openings), func(i, j int) { s.Openings[i], s.Openings[j] = s.Openings[j], s.Openings[i] })
	return s
}

func openLedger(t *testing.T) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open("/ledger", ledger.Options{FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// A branch answers like a ledger that holds the same, wherever it branched off, and whatever the journal
// goes on with that it branched off from.
func TestBranch(t *testing.T) {
	for seed := range uint64(40) {
		w := &writer{random: rand.New(rand.NewPCG(seed, 0))}
		whole, from := openLedger(t), openLedger(t)
		steps := 1 + w.random.IntN(6)
		for i := range steps {
			s := w.step(fmt.Sprint("command ", i))
			both(t, whole, from, s)
		}
		at := w.next
		b, err := journal.NewBranch(from, campaign, at)
		if err != nil {
			t.Fatal(err)
		}
		elsewhere := &writer{random: w.random, next: w.next, previous: w.previous}
		for i := range 8 {
			if _, err := from.Append(elsewhere.step(fmt.Sprint("elsewhere ", i))); err != nil {
				t.Fatal(err)
			}
			s := w.step(fmt.Sprint("command ", steps+i))
			for _, s := range wrong(s) {
				both(t, whole, b, s)
			}
			both(t, whole, b, s)
			both(t, whole, b, s) // and once more
			s.Digest[0]++
			both(t, whole, b, s)
		}
		same(t, w.random, whole, b, at)
	}
}

// wrong gives steps that no journal takes.
func wrong(s journal.Step) []journal.Step {
	behind, ahead, nameless, empty, blank, unchained, sealed := s, s, s, s, s, s, s
	behind.Expected--
	ahead.Expected++
	nameless.Command = ""
	empty.Events = nil
	blank.Events = append(slices.Clone(s.Events), events.Encoded{})
	unchained.Events = slices.Clone(s.Events)
	other := *s.Events[0].Event()
	other.Previous = events.Hash{3}
	unchained.Events[0] = events.Encode(other)
	sealed.Openings = []events.Opening{{Index: s.Expected, Slot: "none"}}
	return []journal.Step{behind, ahead, nameless, empty, blank, unchained, sealed}
}

// both appends a step to two journals and wants the same of both.
func both(t *testing.T, x, y journal.Journal, s journal.Step) {
	t.Helper()
	a, failed := x.Append(s)
	b, err := y.Append(s)
	if !reflect.DeepEqual(a, b) || (failed == nil) != (err == nil) {
		t.Fatalf("%+v, %v; want %+v, %v", b, err, a, failed)
	}
	for _, sentinel := range []error{journal.ErrConflict, journal.ErrEdited, journal.ErrStep} {
		if errors.Is(failed, sentinel) != errors.Is(err, sentinel) {
			t.Fatalf("%v; want %v", err, failed)
		}
	}
}

// same wants of a branch what a ledger says.
func same(t *testing.T, random *rand.Rand, l *ledger.Ledger, b *journal.Branch, at uint64) {
	t.Helper()
	want, _ := l.Campaign(campaign)
	for _, name := range []string{"atlantic", campaign.String()} {
		if got, ok := b.Find(name); !ok || got != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, ok, want)
		}
	}
	if _, ok := b.Find("pacific"); ok {
		t.Error("a branch knows another campaign")
	}
	for range 20 {
		from, to := random.Uint64N(want.Events+2), random.Uint64N(want.Events+2)
		if random.IntN(4) == 0 {
			to = math.MaxUint64
		}
		records := list(t, l.Read(campaign, from, to))
		if read := list(t, b.Read(campaign, from, to)); !reflect.DeepEqual(read, records) {
			t.Errorf("from %d to %d: %d records, want %d", from, to, len(read), len(records))
		}
		if walked := list(t, b.Walk(campaign, from, to)); !reflect.DeepEqual(walked, records) {
			t.Errorf("walked from %d to %d: %d records, want %d", from, to, len(walked), len(records))
		}
		openings, err := l.Openings(campaign, from, to)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := b.Openings(campaign, from, to); err != nil || !reflect.DeepEqual(got, openings) {
			t.Errorf("from %d to %d: %+v, %v; want %+v", from, to, got, err, openings)
		}
	}
	for i := range 14 {
		id := fmt.Sprint("command ", i)
		a, found, err := l.Command(campaign, id)
		got, ok, failed := b.Command(campaign, id)
		if err != nil || failed != nil || ok != (found && a.First >= at) || ok && !reflect.DeepEqual(got, a) {
			t.Errorf("%s: %+v %v %v; want %+v %v %v", id, got, ok, failed, a, found, err)
		}
	}
}

// list reads records, with bytes of their own.
func list(t *testing.T, records iter.Seq2[events.Record, error]) []events.Record {
	t.Helper()
	var out []events.Record
	for r, err := range records {
		if err != nil {
			t.Fatal(err)
		}
		r.Bytes = append([]byte{}, r.Bytes...)
		out = append(out, r)
	}
	return out
}

// Nothing branches off where there is nothing, and a branch adopts nothing.
func TestNoBranch(t *testing.T) {
	l := openLedger(t)
	w := &writer{random: rand.New(rand.NewPCG(1, 1))}
	if _, err := l.Append(w.step("open")); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.NewBranch(l, campaign, w.next+1); !errors.Is(err, journal.ErrConflict) {
		t.Errorf("behind the end: %v", err)
	}
	if _, err := journal.NewBranch(l, ulid.ULID{15: 2}, 0); !errors.Is(err, journal.ErrConflict) {
		t.Errorf("of no campaign: %v", err)
	}
	b, err := journal.NewBranch(l, campaign, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Adopt(list(t, l.Read(campaign, 0, w.next)), nil); !errors.Is(err, journal.ErrBranch) {
		t.Errorf("adopted: %v", err)
	}
	if c, _ := b.Campaign(campaign); c.Events != 0 || !c.Head.IsZero() {
		t.Errorf("%+v", c)
	}
}
