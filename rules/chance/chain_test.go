package chance

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

var (
	exampleSecret   = Secret(sequence(0))
	exampleCampaign = ulid.MustParseStrict("01ARZ3NDEKTSV4RRFFQ69G5FAV")
)

// sequence is 32 bytes that count up from first.
func sequence(first byte) (h events.Hash) {
	for i := range h {
		h[i] = first + byte(i)
	}
	return h
}

// Every link of chains around the sizes where the checkpoints change.
func TestChainLinks(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 4, 5, 8, 9, 10, 15, 16, 17, 99, 100, 101, 1000, Length} {
		c := NewChain(sequence(byte(n)), n)
		if c.Len() != n {
			t.Errorf("n=%d: Len is %d", n, c.Len())
		}
		if got := uint64(len(c.marks)); got*got > 2*n+2 {
			t.Errorf("n=%d: %d checkpoints", n, got)
		}
		after := c.Anchor()
		for k := uint64(1); k <= n; k++ {
			link := c.Link(k)
			if sha256.Sum256(link[:]) != after {
				t.Fatalf("n=%d: link %d does not hash to the one revealed before it", n, k)
			}
			after = link
		}
		if after != sequence(byte(n)) {
			t.Errorf("n=%d: the last link is not the seed", n)
		}
	}
}

func TestVerifyLink(t *testing.T) {
	const n = 200
	c := NewChain(sequence(1), n)
	for k := uint64(1); k <= n; k++ {
		link := c.Link(k)
		if !VerifyLink(c.Anchor(), k, link) {
			t.Errorf("link %d does not verify", k)
		}
		// From an earlier reveal, counted from there.
		if k > 3 && !VerifyLink(c.Link(3), k-3, link) {
			t.Errorf("link %d does not verify from link 3", k)
		}
		for _, wrong := range []uint64{0, k - 1, k + 1, n + k, MaxLength + 1, k + 1<<32, ^uint64(0)} {
			if VerifyLink(c.Anchor(), wrong, link) {
				t.Errorf("link %d verifies as number %d", k, wrong)
			}
		}
		link[k%32] ^= 1 << (k % 8)
		if VerifyLink(c.Anchor(), k, link) {
			t.Errorf("link %d verifies with a bit flipped", k)
		}
	}
	if VerifyLink(c.Anchor(), 0, c.Anchor()) {
		t.Error("the anchor verifies as a reveal of itself")
	}
}

// No chain of a campaign shares a link with another of it, nor with the same chain in another
// epoch, campaign or under another secret; so no reveal opens a link elsewhere.
func TestChainsAreApart(t *testing.T) {
	other := exampleCampaign
	other[15]++
	seeds := map[string]events.Hash{
		"dice":            ChainSeed(exampleSecret, exampleCampaign, 1, Dice),
		"Britain":         ChainSeed(exampleSecret, exampleCampaign, 1, Draws("Britain")),
		"European Axis":   ChainSeed(exampleSecret, exampleCampaign, 1, Draws("European Axis")),
		"a side dice":     ChainSeed(exampleSecret, exampleCampaign, 1, Draws(Dice)),
		"a nameless side": ChainSeed(exampleSecret, exampleCampaign, 1, Draws("")),
		"epoch 2":         ChainSeed(exampleSecret, exampleCampaign, 2, Dice),
		"campaign":        ChainSeed(exampleSecret, other, 1, Dice),
		"secret":          ChainSeed(sequence(1), exampleCampaign, 1, Dice),
	}
	const n = 300
	seen := map[events.Hash]string{}
	for name, seed := range seeds {
		c := NewChain(seed, n)
		links := []events.Hash{c.Anchor()}
		for k := uint64(1); k <= n; k++ {
			links = append(links, c.Link(k))
		}
		for _, link := range links {
			if of, ok := seen[link]; ok {
				t.Errorf("chains %q and %q share %s", name, of, link)
			}
			seen[link] = name
		}
		for stranger, s := range seeds {
			if stranger != name && VerifyLink(c.Anchor(), n, s) {
				t.Errorf("the last link of %q verifies against the anchor of %q", stranger, name)
			}
		}
	}
	if len(seen) != len(seeds)*(n+1) {
		t.Errorf("%d links, want %d", len(seen), len(seeds)*(n+1))
	}
}

func TestChainPrintsNoLink(t *testing.T) {
	c := NewChain(sequence(1), 9)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		text := fmt.Sprintf(verb, c)
		if !strings.Contains(text, c.Anchor().String()) {
			t.Errorf("%s does not name the anchor: %s", verb, text)
		}
		for k := uint64(1); k <= c.Len(); k++ {
			if strings.Contains(text, c.Link(k).String()) {
				t.Errorf("%s prints link %d: %s", verb, k, text)
			}
		}
		if strings.Contains(text, "marks") {
			t.Errorf("%s prints checkpoints: %s", verb, text)
		}
	}
}

func TestChainBounds(t *testing.T) {
	c := NewChain(sequence(1), 4)
	mustPanic(t, "no links", func() { NewChain(sequence(1), 0) })
	mustPanic(t, "too many links", func() { NewChain(sequence(1), MaxLength+1) })
	mustPanic(t, "link 0", func() { c.Link(0) })
	mustPanic(t, "link beyond the chain", func() { c.Link(5) })
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}
