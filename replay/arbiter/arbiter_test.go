package arbiter_test

import (
	"reflect"
	"strings"
	"testing"

	"filippo.io/age"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/arbiter"
)

func identity(t *testing.T) *age.X25519Identity {
	t.Helper()
	k, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func hand(cards ...string) (h arbiter.Hand) {
	h.Link = events.Link{Chain: "seat/a", Position: 3, Link: events.Hash{7}}
	for i, c := range cards {
		slot := "Britain " + string(rune('1'+i))
		h.Cards = append(h.Cards, arbiter.Card{Slot: slot, Salt: events.Hash{byte(i)}, Fact: c})
	}
	return h
}

// TestSealed shows that a sealed hand opens by the arbiter's key and by no other, and that its length tells no card.
func TestSealed(t *testing.T) {
	mine, other := identity(t), identity(t)
	h := hand("tactical", "blank", "submarine", "asw")
	sealed, err := arbiter.Seal(mine.Recipient().String(), h)
	if err != nil {
		t.Fatal(err)
	}
	got, err := arbiter.Open(sealed, []age.Identity{other, mine})
	if err != nil || got.Link != h.Link || len(got.Cards) != 4 || got.Cards[2] != h.Cards[2] {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := arbiter.Open(sealed, []age.Identity{other}); err == nil {
		t.Error("another key opens it")
	}
	short, err := arbiter.Seal(mine.Recipient().String(), hand("asw", "asw", "asw", "asw"))
	if err != nil || len(short) != len(sealed) {
		t.Errorf("%d bytes and %d: the length tells cards; %v", len(short), len(sealed), err)
	}
	for i, c := range []byte(sealed) { // each changed byte, but of the last group, where bits may stand for nothing
		if i%97 == 0 && i < len(sealed)-4 {
			changed := []byte(sealed)
			if changed[i] = 'A'; c == 'A' {
				changed[i] = 'B'
			}
			if _, err := arbiter.Open(string(changed), []age.Identity{mine}); err == nil {
				t.Errorf("opens with byte %d changed", i)
			}
		}
	}
}

// TestNotSealed shows what is no sealed hand.
func TestNotSealed(t *testing.T) {
	mine := identity(t)
	if _, err := arbiter.Seal("someone", hand()); err == nil || !strings.Contains(err.Error(), "age1") {
		t.Errorf("%v", err)
	}
	for _, text := range []string{"", "%", "AAAA", strings.Repeat("A", arbiter.Most+4)} {
		if _, err := arbiter.Open(text, []age.Identity{mine}); err == nil {
			t.Errorf("%.8q opens", text)
		}
	}
}

// FuzzOpen: what is opened is a hand that seals to the same; anything else is refused.
func FuzzOpen(f *testing.F) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		f.Fatal(err)
	}
	sealed, err := arbiter.Seal(id.Recipient().String(), hand("Ultra"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sealed)
	f.Add(sealed[:len(sealed)/2])
	f.Fuzz(func(t *testing.T, text string) {
		h, err := arbiter.Open(text, []age.Identity{id})
		if err != nil {
			return
		}
		again, err := arbiter.Seal(id.Recipient().String(), h)
		if err != nil {
			t.Fatal(err)
		}
		if x, err := arbiter.Open(again, []age.Identity{id}); err != nil || !reflect.DeepEqual(x, h) {
			t.Errorf("%+v became %+v, %v", h, x, err)
		}
	})
}
