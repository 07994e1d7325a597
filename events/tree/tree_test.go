package tree

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

var (
	exampleCampaign = ulid.MustParseStrict("01ARZ3NDEKTSV4RRFFQ69G5FAV")
	exampleLedger   = ulid.MustParseStrict("01BX5ZZKBKACTAV9WEVGEMMVRZ")
)

// leaf is the hash of the made-up event with that index.
func leaf(index uint64) events.Hash { return events.LeafHash(fmt.Appendf(nil, "event %d", index)) }

func grown(n uint64) *Tree {
	t := &Tree{}
	for i := range n {
		t.Add(leaf(i))
	}
	return t
}

// naive is MTH of RFC 6962, section 2.1, over the leaves first to first+n-1.
func naive(first, n uint64) events.Hash {
	switch n {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return leaf(first)
	}
	k := uint64(1)
	for k*2 < n {
		k *= 2
	}
	left, right := naive(first, k), naive(first+k, n-k)
	return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
}

func (t *Tree) checkpoint(n uint64) Checkpoint {
	root, err := t.Root(n)
	if err != nil {
		panic(err)
	}
	return Checkpoint{exampleCampaign, n, root}
}

// The roots of a tree are those of RFC 6962, of every size that it had.
func TestRoots(t *testing.T) {
	tree := grown(70)
	var edge Edge
	for n := range uint64(71) {
		own := edge.Clone()
		if got := tree.checkpoint(n).Root; got != naive(0, n) || own.Root() != got {
			t.Errorf("the root of %d events is %s or %s, want %s", n, got, own.Root(), naive(0, n))
		}
		edge.Add(leaf(n))
		own.Add(leaf(n + 1)) // which is no matter of the edge that it was cloned from
	}
	if _, err := tree.Root(71); err == nil {
		t.Error("a tree of 70 events has a root of 71")
	}
}

// Each event is proven to be in each tree, at its index, with its hash, and nowhere else.
func TestInclusion(t *testing.T) {
	tree := grown(33)
	for n := uint64(1); n <= 33; n++ {
		c := tree.checkpoint(n)
		for i := range n {
			proof, err := tree.Inclusion(n, i)
			if err != nil || !CheckInclusion(c, i, leaf(i), proof) {
				t.Fatalf("event %d of %d: %v, %v", i, n, proof, err)
			}
			if CheckInclusion(c, i+1, leaf(i), proof) || CheckInclusion(c, i, leaf(i+1), proof) ||
				CheckInclusion(c, i, leaf(i), append(proof, leaf(0))) {
				t.Errorf("event %d of %d is proven elsewhere", i, n)
			}
		}
		if _, err := tree.Inclusion(n, n); err == nil {
			t.Errorf("event %d of %d is proven", n, n)
		}
	}
}

// Each tree is proven to extend those before, and none that it does not.
func TestExtension(t *testing.T) {
	tree, other := grown(33), grown(12)
	other.Add(events.LeafHash([]byte("another event")))
	for range 20 {
		other.Add(leaf(other.Events()))
	}
	for n := uint64(1); n <= 33; n++ {
		for m := uint64(1); m <= n; m++ {
			proof, err := tree.Extension(m, n)
			if err != nil || !CheckExtension(tree.checkpoint(m), tree.checkpoint(n), proof) {
				t.Fatalf("%d to %d: %v, %v", m, n, proof, err)
			}
			if m > 12 && CheckExtension(other.checkpoint(m), tree.checkpoint(n), proof) {
				t.Errorf("%d events extend a fork of %d", n, m)
			}
			strange := tree.checkpoint(n)
			strange.Campaign[3]++
			if CheckExtension(tree.checkpoint(m), strange, proof) || m < n &&
				CheckExtension(tree.checkpoint(n), tree.checkpoint(m), proof) {
				t.Errorf("%d to %d holds for another campaign, or backwards", m, n)
			}
			if len(proof) > 0 {
				proof[len(proof)/2][7] ^= 1
				if CheckExtension(tree.checkpoint(m), tree.checkpoint(n), proof) {
					t.Errorf("%d to %d holds with a bit flipped", m, n)
				}
			}
		}
	}
	if !CheckExtension(tree.checkpoint(0), tree.checkpoint(9), nil) || CheckExtension(Checkpoint{exampleCampaign, 0,
		leaf(0)}, tree.checkpoint(9), nil) {
		t.Error("the empty tree is not what every tree extends")
	}
	huge := Checkpoint{exampleCampaign, 1 << 63, leaf(1)}
	if CheckExtension(tree.checkpoint(1), huge, nil) || CheckInclusion(huge, 1<<62, leaf(1), nil) {
		t.Error("a tree of 2^63 events is proven")
	}
}

// exampleKey is the key of the package comment: its random bytes are 00 01 02 … 1f.
func exampleKey(t *testing.T) *Key {
	t.Helper()
	seed := make([]byte, 32)
	for i := range seed {
		seed[i] = byte(i)
	}
	k, err := NewKey(bytes.NewReader(seed), exampleLedger)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Keys of any bytes come back, and what they sign is theirs.
func TestKeys(t *testing.T) {
	c := grown(3).checkpoint(3)
	for n := range 256 {
		random := bytes.Repeat([]byte{byte(n), byte(n * 7), 0xfb, 0xef}, 8)
		k, err := NewKey(bytes.NewReader(random), exampleLedger)
		if err != nil {
			t.Fatal(err)
		}
		signed, err := c.Sign(k)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Parse(signed, k.Verifier()); got != c || err != nil {
			t.Errorf("%s: %+v, %v", k, got, err)
		}
	}
}

func TestKey(t *testing.T) {
	k := exampleKey(t)
	again, err := ParseKey(k.Secret())
	if err != nil || again.Secret() != k.Secret() || again.String() != k.String() {
		t.Errorf("%s comes back as %s, %v", k, again, err)
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(format, k); text != k.Verifier().String() {
			t.Errorf("a key prints itself as %s", text)
		}
	}
	v, err := ParseVerifier(" " + k.String() + "\n")
	if err != nil || v.String() != k.String() || v.Name() != "watu/01BX5ZZKBKACTAV9WEVGEMMVRZ" {
		t.Errorf("the verifier comes back as %s, %v", v, err)
	}
	for _, wrong := range []string{
		"", "x", k.String(), k.Secret()[:len(k.Secret())-4], strings.Replace(k.Secret(), "/01BX", "/01BY", 1),
	} {
		if _, err := ParseKey(wrong); !errors.Is(err, ErrKey) || wrong != "" && strings.Contains(err.Error(), wrong) {
			t.Errorf("ParseKey(%q) is %v", wrong, err)
		}
	}
	for _, wrong := range []string{"", "x", k.Secret(), k.String() + "A", strings.Replace(k.String(), "watu/", "", 1)} {
		if _, err := ParseVerifier(wrong); !errors.Is(err, ErrKey) {
			t.Errorf("ParseVerifier(%q) is %v", wrong, err)
		}
	}
}

// A signed checkpoint comes back, however it was pasted, and says by whom it is signed where that is another.
func TestCheckpoint(t *testing.T) {
	k := exampleKey(t)
	c := grown(61).checkpoint(61)
	signed, err := c.Sign(k)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{signed, "\n  " + signed + "\n\n", strings.ReplaceAll(signed, "\n", "\r\n")} {
		if got, err := Parse(text, k.Verifier()); err != nil || got != c {
			t.Errorf("%q is read as %+v, %v", text, got, err)
		}
	}
	other, err := NewKey(bytes.NewReader(make([]byte, 32)), exampleLedger)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Parse(signed, other.Verifier()); !errors.Is(err, ErrSignature) || got != c {
		t.Errorf("under another key: %+v, %v", got, err)
	}
	for i := range len(signed) - 1 {
		text := []byte(signed)
		text[i] ^= 1
		if _, err := Parse(string(text), k.Verifier()); err == nil {
			t.Errorf("byte %d may be another: %s", i, text)
		}
	}
}

// A note that is signed and no checkpoint of a campaign is refused.
func TestStrangeNotes(t *testing.T) {
	k := exampleKey(t)
	for _, text := range []string{
		"watu/x\n1\nqINS1GRFhWHwdkUeqLEoP4yEMkTBBzxBkGwGQlVlVcs=\n",
		"go.sum database tree\n1\nqINS1GRFhWHwdkUeqLEoP4yEMkTBBzxBkGwGQlVlVcs=\n",
		"watu/01ARZ3NDEKTSV4RRFFQ69G5FAV\n01\nqINS1GRFhWHwdkUeqLEoP4yEMkTBBzxBkGwGQlVlVcs=\n",
		"watu/01ARZ3NDEKTSV4RRFFQ69G5FAV\n1\nqINS\n",
		"watu/01ARZ3NDEKTSV4RRFFQ69G5FAV\n-1\nqINS1GRFhWHwdkUeqLEoP4yEMkTBBzxBkGwGQlVlVcs=\n",
		"watu/01ARZ3NDEKTSV4RRFFQ69G5FAV\n1\nqINS1GRFhWHwdkUeqLEoP4yEMkTBBzxBkGwGQlVlVcs=\nmore\n",
		"hello\n",
	} {
		if _, err := Parse(sign(t, k, text), k.Verifier()); !errors.Is(err, ErrNote) {
			t.Errorf("%q is read: %v", text, err)
		}
	}
	for _, text := range []string{"", "\n", "hello", strings.Repeat("x", 1<<20)} {
		if _, err := Parse(text, k.Verifier()); !errors.Is(err, ErrNote) {
			t.Errorf("%.20q is read: %v", text, err)
		}
	}
}

// What is wrong with a note is said by its line, whatever stands before it; a signature that does not fit is no matter
// of form.
func TestMalformedNotes(t *testing.T) {
	k := exampleKey(t)
	signed := "Here it is:\n" + sign(t, k, grown(5).checkpoint(5).Text())
	for line, c := range []struct{ old, by, says string }{
		{"watu/01", "watu/O1", "line 2: it is not watu/CAMPAIGN"},
		{"\n5\n", "\nfive\n", "line 3: it is not the number of events"},
		{"=\n\n", "\n\n", "line 4: it is not the root of the tree"},
		{"=\n\n", "=\nmore\n", "line 5: it is not empty"},
		{"— watu/", "- watu/", "line 6: it is not a signature"},
		{"watu/", "wotu/", "no line of it is watu/CAMPAIGN"},
	} {
		text := strings.ReplaceAll(signed, c.old, c.by)
		_, err := Parse(text, k.Verifier())
		if !errors.Is(err, ErrNote) || Unsigned(err) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%d: %v, want %q", line, err, c.says)
		}
	}
	changed := strings.Replace(signed, "\n5\n", "\n6\n", 1) + "\nSigned by the key …\n"
	if _, err := Parse(changed, k.Verifier()); !Unsigned(err) {
		t.Errorf("a note that was changed: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	seed := make([]byte, 32)
	k, err := NewKey(bytes.NewReader(seed), exampleLedger)
	if err != nil {
		f.Fatal(err)
	}
	signed, err := grown(5).checkpoint(5).Sign(k)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(signed)
	f.Add(strings.ReplaceAll(signed, "\n", "\r\n"))
	w := exampleWitness(f, "w", 1)
	p := policyOf(f, "quorum w", w)
	f.Add(signed + cosign(f, grown(5).checkpoint(5), w, 7))
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text, k.Verifier())
		got, cosigned := ParseCosigned(text, k.Verifier(), p)
		if cosigned == nil && (err != nil || got.Checkpoint != c) ||
			p.Met(got.Cosignatures) && got.Cosignatures[0].Time != 7 {
			t.Errorf("%q is read as %+v, %v and %+v, %v", text, c, err, got, cosigned)
		}
		if err == nil && (c.Campaign != exampleCampaign || c.Events != 5) {
			t.Errorf("%q is read as %+v", text, c)
		}
	})
}
