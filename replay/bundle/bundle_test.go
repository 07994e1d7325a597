package bundle_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/oklog/ulid/v2"

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

// small is a record made by hand: a campaign is opened, its chain anchored, a die thrown and a card sealed.
func small() *bundle.File { return smallWith(chance.ByIndex) }

func smallWith(seeds chance.Seeds) *bundle.File {
	id := ulid.MustParse("01ARZ3NDEKTSV4RRFFQ69G5FAV")
	chain := chance.NewChain(chance.ChainSeed(events.Hash{1}, id, 1, chance.Dice), 8)
	link := events.Link{Chain: chance.Dice, Position: 1, Link: chain.Link(1)}
	seed := chance.Seed(seeds.Dice(id, 1, 2, 1), chance.Contribution{Link: link.Link})
	f := &bundle.File{Editions: []string{"a sheet"}}
	sheet := sha256.Sum256([]byte(f.Editions[0]))
	for i, p := range []events.Payload{
		&events.CampaignOpened{Name: "small", System: "awaw", Edition: "1", Sides: []string{"Britain"}, Dice: "chain"},
		&events.EpochBegun{Chains: []events.Anchor{{Chain: chance.Dice, Anchor: chain.Anchor(), Length: 8}},
			Seeds: string(seeds)},
		&events.RollDeclared{Throws: []events.Throw{{Name: "one", Side: "Britain", Dice: 1, Sides: 6}},
			Sources: []events.Source{{Chain: chance.Dice, Position: 1}}},
		&events.DiceRolled{Declared: 2, Throw: "one", Dice: chance.NewSampler(seed).Dice(1, 6),
			Links: []events.Link{link}},
		&events.CardAdded{Deck: "Ultra", PoolSize: 1},
	} {
		e := events.Event{
			Campaign: id, Index: uint64(i), Type: p.Type(), Side: "Britain", Command: "c", Epoch: 1, Schema: 1,
			Edition: sheet,
			Payload: events.EncodePayload(p), Previous: f.Header.Head,
		}
		if e.Type == "card_added" {
			place := events.Place{Campaign: id, Epoch: 1, Command: "c", Slot: "card"}
			e.Commitments = []events.Commitment{{Slot: "card", Hash: events.Commit(place, events.Hash{2}, "asw")}}
		}
		f.Events = append(f.Events, e.Encode())
		f.Header.Head = events.LeafHash(f.Events[i])
	}
	f.Openings = []events.Opening{{Index: 4, Slot: "card", Salt: events.Hash{2}, Fact: "asw"}}
	f.Header.Campaign, f.Header.Name, f.Header.System, f.Header.Edition = id, "small", "awaw", "1"
	f.Header.Events, f.Header.For, f.Header.Editions = 5, "Britain", []events.Hash{sheet}
	return f
}

func TestSmall(t *testing.T) {
	if r := small().Check(bundle.Options{}); !r.Good() {
		t.Errorf("%+v", r.Findings)
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

func FuzzRead(f *testing.F) {
	f.Add(small().Encode())
	f.Add([]byte(bundle.Magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := bundle.Read(bytes.NewReader(b))
		if err != nil {
			return
		}
		if !bytes.Equal(file.Encode(), b) {
			t.Fatal("it is written otherwise than it was read")
		}
		file.Check(bundle.Options{Head: events.Hash{1}})
	})
}

// FuzzSections reads sections with hashes that fit, which no mutation of bytes would find.
func FuzzSections(f *testing.F) {
	f.Add([]byte("{}"), []byte("a sheet"), small().Events[0], []byte("0"), []byte("1"), "sign")
	f.Fuzz(func(t *testing.T, head, sheet, event, openings, links []byte, kind string) {
		file := bundle.File{Header: bundle.Header{Name: string(head), For: bundle.Public, Events: 1},
			Editions: []string{string(sheet)}, Events: [][]byte{event}}
		if len(openings) > 0 {
			file.Openings = []events.Opening{{Index: uint64(openings[0]), Slot: string(openings), Fact: string(links)}}
		}
		if len(links) > 0 {
			file.Links = []bundle.Link{{Epoch: uint64(links[0]), Link: events.Link{Chain: string(links),
				Position: uint64(len(links))}}}
		}
		if len(kind) == 4 {
			file.Further = []bundle.Section{{Kind: kind, Body: sheet}}
		}
		b := file.Encode()
		read, err := bundle.Read(bytes.NewReader(b))
		if err != nil {
			return // a name that is no text, for one
		}
		if !bytes.Equal(read.Encode(), b) {
			t.Fatal("it is written otherwise than it was read")
		}
		read.Check(bundle.Options{})
	})
}
