package replay_test

import (
	"bytes"
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/rules/awaw"
)

// TestRecover takes a record apart and has it made again from its events and the secret, cut at
// many places: what was published comes back to the byte, with its openings and commands, and a
// step that was cut is completed to what it had been.
func TestRecover(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	p := simulate(t, d, 7, map[string]string{"us_entry": "ask", "play_order": "ask"})
	all := p.c.records(0, campaign.Everything)
	meanings := p.c.meanings()
	sealed := map[string]bool{}
	for m := 4; m <= len(all); m += longrun.Of(8, 2, 1) * (1 + m%31) {
		f := d.copyOf(t)
		found, err := f.umpire.Recover(records(all[:m]))
		if err != nil {
			t.Fatalf("cut at %d: %v", m, err)
		}
		c := &harness{host: f, id: ledger.Campaign{ID: p.c.id.ID}, seat: campaign.UmpireSeat}
		again := c.records(0, campaign.Everything)
		if found.Events != m || len(again) != m+found.Completed {
			t.Fatalf("cut at %d: %d events came back, %d were completed, %d are there", m, found.Events,
				found.Completed, len(again))
		}
		for i, r := range again[:m] {
			if !bytes.Equal(r.Bytes, all[i].Bytes) || r.Sequence != all[i].Sequence {
				t.Fatalf("cut at %d: event %d differs", m, i)
			}
		}
		for i, text := range c.meanings()[m:] {
			if m+i >= len(meanings) || text != meanings[m+i] {
				t.Fatalf("cut at %d: event %d is completed to\n%s\nand was\n%s", m, m+i, text,
					meanings[min(m+i, len(meanings)-1)])
			}
		}
		for _, s := range found.Sealed {
			sealed[s] = true
		}
		if len(found.Cut) > 0 && !halfSaid(all[m-1]) {
			t.Errorf("cut at %d: %v", m, found.Cut)
		}
		c.sameOpenings(t, p.c, uint64(m), len(found.Sealed))
		c.sameCommands(t, p.c, uint64(m))
		if err := f.umpire.SameAsFolded(c.id.ID); err != nil {
			t.Fatalf("cut at %d: %v", m, err)
		}
	}
	// An entry that is referred or disputed is committed whole, and combat groups have ships of any name: they alone
	// cannot be guessed.
	whole := 0
	for _, e := range p.c.all() {
		for _, c := range e.Commitments {
			if strings.HasPrefix(c.Slot, "combat group ") {
				whole++
			}
		}
		switch e.Type {
		case "referred", "dispute_opened", "dispute_ruled":
			whole += len(e.Commitments)
		}
	}
	if len(sealed) > whole {
		t.Errorf("%d facts stay sealed, and %d are entries or combat groups: %v", len(sealed), whole, sealed)
	}
}

// copyOf is a host with an empty record, the same secrets and boards.
func (d *host) copyOf(t *testing.T) *host {
	t.Helper()
	l, err := ledger.Open(filepath.Join(t.TempDir(), "ledger"), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return &host{t: t, dir: d.dir, ledger: l, umpire: replay.NewUmpire(l,
		keys.NewKeys(filepath.Join(d.dir, "secrets")), replay.NewBoards(filepath.Join(d.dir, "boards")),
		awaw.System())}
}

func records(list []events.Record) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		for _, r := range list {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// halfSaid reports whether nobody can know what followed this event: the opening of a campaign,
// a correction, a card bought whose kind the next event commits to.
func halfSaid(r events.Record) bool {
	e, err := events.Decode(r.Bytes)
	return err == nil && (e.Type == "corrected" || e.Type == "dispute_ruled" || e.Type == "result_produced" ||
		e.Corrects != 0 || e.Index < 3)
}

// sameOpenings compares the openings of the first events with those of the original.
func (c *harness) sameOpenings(t *testing.T, was *harness, upTo uint64, sealed int) {
	t.Helper()
	want, err := was.ledger.Openings(was.id.ID, 0, upTo)
	if err != nil {
		t.Fatal(err)
	}
	got := c.openings()
	missing := 0
	for _, o := range want {
		x, ok := got[events.Ref{Index: o.Index, Slot: o.Slot}]
		if !ok {
			missing++
		} else if x != o {
			t.Fatalf("%q of #%d opens to %q, not %q", o.Slot, o.Index, x.Fact, o.Fact)
		}
	}
	if missing != sealed {
		t.Errorf("%d openings are missing, %d are said to be", missing, sealed)
	}
}

// sameCommands looks for every command of the first events: with the digest it had, or none.
func (c *harness) sameCommands(t *testing.T, was *harness, upTo uint64) {
	t.Helper()
	known := 0
	for _, e := range was.events(0, upTo) {
		if e.Request == "" {
			continue
		}
		old, _, err := was.ledger.Command(was.id.ID, e.Command)
		if err != nil {
			t.Fatal(err)
		}
		now, found, err := c.ledger.Command(was.id.ID, e.Command)
		if err != nil || !found {
			t.Fatalf("command %q of #%d: %v, found: %v", e.Command, e.Index, err, found)
		}
		if !now.Digest.IsZero() && now.Digest != old.Digest {
			t.Fatalf("command %q of #%d has another digest:\n%s", e.Command, e.Index, e.Request)
		}
		if !now.Digest.IsZero() {
			known++
		}
	}
	if upTo > 50 && known == 0 {
		t.Errorf("no command of %d events is known again", upTo)
	}
}
