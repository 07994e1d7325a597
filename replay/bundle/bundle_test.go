package bundle_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// TestFixtures writes and reads every bundled campaign for everyone who may ask, and finds nothing wrong.
func TestFixtures(t *testing.T) {
	t.Parallel()
	for _, p := range campaigns(t) {
		for _, reader := range slices.Concat([]string{bundle.Public, bundle.Umpire}, p.sides) {
			f := p.seenBy(reader)
			b := f.Encode()
			again, err := bundle.Read(bytes.NewReader(b))
			if err != nil {
				t.Fatalf("%s for %s: %v", p.name, reader, err)
			}
			if !bytes.Equal(again.Encode(), b) {
				t.Errorf("%s for %s is written otherwise the second time", p.name, reader)
			}
			shuffled := *f
			shuffled.Openings, shuffled.Boards = slices.Clone(f.Openings), slices.Clone(f.Boards)
			rand.Shuffle(len(shuffled.Openings), func(i, j int) {
				shuffled.Openings[i], shuffled.Openings[j] = shuffled.Openings[j], shuffled.Openings[i]
			})
			slices.Reverse(shuffled.Boards)
			if !bytes.Equal(shuffled.Encode(), b) {
				t.Errorf("%s for %s depends on the order in which it was gathered", p.name, reader)
			}
			r := again.Check(bundle.Options{Head: p.whole.Header.Head})
			for _, w := range r.Findings {
				t.Errorf("%s for %s: %v %+v", p.name, reader, *w.Event, w)
			}
			for _, c := range r.Checks {
				if c.Name == bundle.CheckAttested || c.Name == bundle.CheckBeacon || c.Count == 0 {
					t.Errorf("%s for %s: %+v", p.name, reader, c)
				}
			}
		}
	}
}

// TestThrownAgain follows dice that a ruling has thrown again, or replaced by those of a table.
func TestThrownAgain(t *testing.T) {
	t.Parallel()
	tried := 0
	rulings := func(u *replay.Umpire, l *ledger.Ledger, c ledger.Campaign) {
		for r, err := range l.Read(c.ID, 0, campaign.Everything) {
			must(t, err)
			if e, _ := events.Decode(r.Bytes); e.Type == "dice_rolled" {
				a, err := u.Correct(c.ID, review.Correction{Event: r.Index, Code: "dispute", Reason: "cocked",
					Dice: review.DiceRuling{Again: true}})
				if err == nil && a.Verdict == rules.Allowed {
					tried++
				}
			}
		}
	}
	for _, f := range fixtures.Campaigns()[:longrun.Of(1, len(fixtures.Campaigns()))] {
		p := play(t, f, rulings)
		r := p.whole.Check(bundle.Options{})
		for _, w := range r.Findings {
			t.Errorf("%s: %s", f.Name, say(w))
		}
	}
	if tried < 10 {
		t.Errorf("%d rolls were thrown again: that tests little", tried)
	}
}

// TestEveryBit flips each bit of a small file, and cuts and extends it: nothing is read.
func TestEveryBit(t *testing.T) {
	t.Parallel()
	p := campaigns(t)[0]
	f := p.seenBy(bundle.Umpire)
	f.Events, f.Openings, f.Editions, f.Boards = f.Events[:3], f.Openings[:1], []string{"a sheet"},
		[][]byte{[]byte("a map")}
	f.Further = []bundle.Section{{Kind: "sign", Body: []byte("x")}}
	b := f.Encode()
	if _, err := bundle.Read(bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
	for i := range len(b) * 8 {
		b[i/8] ^= 1 << (i % 8)
		if _, err := bundle.Read(bytes.NewReader(b)); err == nil {
			t.Fatalf("bit %d of byte %d may be flipped", i%8, i/8)
		}
		b[i/8] ^= 1 << (i % 8)
	}
	for n := range len(b) {
		if _, err := bundle.Read(bytes.NewReader(b[:n])); err == nil {
			t.Fatalf("the first %d bytes are read", n)
		}
	}
	if _, err := bundle.Read(bytes.NewReader(append(slices.Clone(b), 0))); !errors.Is(err, bundle.ErrDamaged) {
		t.Errorf("a byte more: %v", err)
	}
}

// TestBits flips bits of large files at random.
func TestBits(t *testing.T) {
	t.Parallel()
	for _, p := range campaigns(t) {
		b := p.whole.Encode()
		for range 200 {
			i := rand.IntN(len(b) * 8)
			b[i/8] ^= 1 << (i % 8)
			if _, err := bundle.Read(bytes.NewReader(b)); err == nil {
				t.Fatalf("%s: bit %d of byte %d may be flipped", p.name, i%8, i/8)
			}
			b[i/8] ^= 1 << (i % 8)
		}
	}
}

// TestDamageNamesTheEvent flips a bit within an event: the message says which.
func TestDamageNamesTheEvent(t *testing.T) {
	p := campaigns(t)[0]
	b := p.whole.Encode()
	for _, index := range []int{0, 1, 17, len(p.whole.Events) - 2} {
		at := bytes.Index(b, p.whole.Events[index]) + len(p.whole.Events[index])/2
		b[at] ^= 4
		_, err := bundle.Read(bytes.NewReader(b))
		var d *bundle.Damage
		if !errors.As(err, &d) || d.Event == nil || *d.Event != uint64(index) {
			t.Errorf("event %d: %v", index, err)
		}
		b[at] ^= 4
	}
}

// TestOrder refuses sections in another order, twice, or unknown ones that have to be understood.
func TestOrder(t *testing.T) {
	f := campaigns(t)[0].seenBy(bundle.Public)
	for kind, want := range map[string]error{
		"SIGN": bundle.ErrNewer, "EDIT": bundle.ErrDamaged, "HEAD": bundle.ErrDamaged, "EVNT": bundle.ErrDamaged,
		"si n": bundle.ErrDamaged, "sign": nil,
	} {
		f.Further = []bundle.Section{{Kind: kind, Body: []byte("?")}}
		if _, err := bundle.Read(bytes.NewReader(f.Encode())); !errors.Is(err, want) {
			t.Errorf("a section %s at the end: %v, want %v", kind, err, want)
		}
	}
	f.Further = []bundle.Section{{Kind: "sign"}, {Kind: "sign"}}
	if _, err := bundle.Read(bytes.NewReader(f.Encode())); !errors.Is(err, bundle.ErrDamaged) {
		t.Errorf("a section twice: %v", err)
	}
}

// TestOthers says of other files what they are.
func TestOthers(t *testing.T) {
	for text, want := range map[string]error{
		"": bundle.ErrNotRecord, "age-encryption.org/v1\n": bundle.ErrNotRecord, "watu record 2\n": bundle.ErrNewer,
		bundle.Magic: bundle.ErrDamaged,
	} {
		if _, err := bundle.Read(bytes.NewReader([]byte(text))); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

// A program that does not know how the dice fall refuses the file, and does not find them wrong.
func TestDiceToKnow(t *testing.T) {
	const kind = "DICE"
	b := smallWith(chance.ByPosition).Encode()
	f, err := bundle.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if r := f.Check(bundle.Options{}); !r.Good() || !bytes.Equal(f.Encode(), b) {
		t.Errorf("%+v", r.Findings)
	}
	own := whole(kind, []byte("seeds position\n"))
	at := bytes.Index(b, own)
	if at < 0 || bytes.Contains(small().Encode(), []byte(kind)) {
		t.Fatal("the file does not say it, or one that need not does")
	}
	end := b[at+len(own):]
	for body, want := range map[string]error{
		"":                                 bundle.ErrDamaged,
		"seeds moon\n":                     bundle.ErrNewer,
		"dice x\nseeds position\n":         bundle.ErrNewer,
		"seeds position\nseeds position\n": bundle.ErrDamaged,
	} {
		other := slices.Clone(b[:at])
		if body != "" {
			other = append(other, whole(kind, []byte(body))...)
		}
		other = append(other, end[:len(end)-len(whole("SEAL", make([]byte, 32)))]...)
		seal := sha256.Sum256(other)
		if _, err := bundle.Read(bytes.NewReader(append(other, whole("SEAL", seal[:])...))); !errors.Is(err, want) {
			t.Errorf("%q: %v", body, err)
		}
	}
}
