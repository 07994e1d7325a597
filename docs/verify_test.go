package docs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	merkle "github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/fixtures/reader"
	"github.com/watu-ledger/watu/rules/chance"
)

// round1000 is the signature of a round of quicknet, as drand published it.
const round1000 = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"

// counted gives n bytes that count up from first.
func counted(first byte, n int) []byte {
	list := make([]byte, n)
	for i := range list {
		list[i] = first + byte(i)
	}
	return list
}

// TestVerifyVectors: every vector of verify.md is what this program computes.
func TestVerifyVectors(t *testing.T) {
	page, err := os.ReadFile("verify.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"tree": treeVectors(t), "note": noteVectors(t), "chain": chainVectors(t), "beacon": beaconVectors(t),
		"links": linkVectors(t),
	} {
		if !strings.Contains(string(page), "\n```\n"+want+"```\n") {
			t.Errorf("verify.md does not have the vectors of the %s:\n%s", name, want)
		}
	}
}

func treeVectors(t *testing.T) string {
	var all merkle.Tree
	var b strings.Builder
	for _, text := range []string{"a", "b", "c"} {
		hash := events.LeafHash([]byte(text))
		all.Add(hash)
		fmt.Fprintf(&b, "leaf of %q   %s\n", text, hash)
	}
	for n := range uint64(4) {
		root, err := all.Root(n)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "root of %d     %s\n", n, root)
	}
	return b.String()
}

func noteVectors(t *testing.T) string {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	key, err := merkle.NewKey(bytes.NewReader(counted(0, 32)), ulid.MustParseStrict("01BX5ZZKBKACTAV9WEVGEMMVRZ"))
	must(err)
	witness, err := merkle.NewWitnessKey(bytes.NewReader(counted(32, 32)), "anna.example/w")
	must(err)
	var all merkle.Tree
	for _, text := range []string{"a", "b", "c"} {
		all.Add(events.LeafHash([]byte(text)))
	}
	root, err := all.Root(3)
	must(err)
	c := merkle.Checkpoint{Campaign: ulid.MustParseStrict("01ARZ3NDEKTSV4RRFFQ69G5FAV"), Events: 3, Root: root}
	signed, err := c.Sign(key)
	must(err)
	cosignature, err := c.Cosign(witness, 1692806363)
	must(err)
	policy, err := merkle.ParsePolicy("witness anna " + witness.Verifier().String() + "\nquorum anna\n")
	must(err)
	at := beacon.Quicknet().Time(1000)
	x, err := merkle.ParseCosigned(signed+cosignature, key.Verifier(), policy)
	must(err)
	if !policy.MetBefore(x.Cosignatures, at) || policy.MetBefore(x.Cosignatures, at-1) {
		t.Error("the witness did not cosign in the last second before round 1000")
	}
	return fmt.Sprintf("%s\n%s\n\n%s%s", key.Verifier(), witness.Verifier(), signed, cosignature)
}

const vectorCampaign = "01ARZ3NDEKTSV4RRFFQ69G5FAV"

func chainVectors(t *testing.T) string {
	link, err := hex.DecodeString("9d9dbdba100e162322d6a44212bacfa48e4bb86a7631239c0f6db98d6486b99d")
	if err != nil {
		t.Fatal(err)
	}
	d := chance.ByPosition.Dice(ulid.MustParseStrict(vectorCampaign), 1, 7, 1)
	seed := chance.Seed(d, chance.Contribution{Link: events.Hash(link)})
	return fmt.Sprintf("campaign      %s\nepoch         1\nposition      1\nlink          %x\nseed          %s\n"+
		"dice          %s\n", vectorCampaign, link, seed, fallen(seed, 6, 5))
}

func beaconVectors(t *testing.T) string {
	signature, err := hex.DecodeString(round1000)
	if err != nil {
		t.Fatal(err)
	}
	if err := beacon.Quicknet().Verify(1000, signature); err != nil {
		t.Fatal(err)
	}
	declaration := events.LeafHash([]byte("a"))
	var b strings.Builder
	fmt.Fprintf(&b, "round         1000\ntime          %d\nsignature     %s\n              %s\nrandomness    %x\n"+
		"campaign      %s\ndeclaration   %s\n", beacon.Quicknet().Time(1000), round1000[:64], round1000[64:],
		sha256.Sum256(signature), vectorCampaign, declaration)
	for ordinal := range uint64(2) {
		seed := chance.BeaconSeed(beacon.Randomness(signature), ulid.MustParseStrict(vectorCampaign), declaration,
			ordinal)
		fmt.Fprintf(&b, "seed of %d     %s\ndice of %d     %s\n", ordinal, seed, ordinal, fallen(seed, 6, 5))
	}
	return b.String()
}

func linkVectors(t *testing.T) string {
	host, err := hex.DecodeString("9d9dbdba100e162322d6a44212bacfa48e4bb86a7631239c0f6db98d6486b99d")
	if err != nil {
		t.Fatal(err)
	}
	seat := counted(64, 32)
	randomness := chance.Contested(events.Hash(host), events.Hash(seat))
	declaration := events.LeafHash([]byte("a"))
	seed := chance.BeaconSeed(randomness, ulid.MustParseStrict(vectorCampaign), declaration, 0)
	return fmt.Sprintf("host's link   %x\nseat's link   %x\nrandomness    %s\ncampaign      %s\ndeclaration   %s\n"+
		"seed of 0     %s\ndice of 0     %s\n", host, seat, randomness, vectorCampaign, declaration, seed,
		fallen(seed, 6, 5))
}

// fallen is how n dice of so many sides fall.
func fallen(seed events.Hash, sides, n int) string {
	dice := chance.NewSampler(seed).Throw(events.Throw{Dice: n, Sides: sides})
	return strings.Trim(fmt.Sprint(dice), "[]")
}

// TestDiceInPython runs the twenty lines of verify.md: they throw the dice that this program throws, of chains and of
// rounds, for the vectors and for a hundred rolls drawn by lot.
func TestDiceInPython(t *testing.T) {
	page, err := os.ReadFile("verify.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)\n```python\n(.*?)```\n").FindSubmatch(page)
	if m == nil {
		t.Fatal("verify.md has no Python")
	}
	if n := bytes.Count(m[1], []byte("\n")); n > 20 {
		t.Errorf("the Python has %d lines", n)
	}
	var script, want strings.Builder
	script.Write(m[1])
	roll := func(call string, seed events.Hash, sides, n int) {
		fmt.Fprintf(&script, "print(*throw(%s, %d, %d))\n", call, sides, n)
		fmt.Fprintln(&want, fallen(seed, sides, n))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var c ulid.ULID
		var link, declared events.Hash
		signature := make([]byte, 48)
		for _, part := range [][]byte{c[:], link[:], declared[:], signature} {
			for i := range part {
				part[i] = byte(r.Uint32())
			}
		}
		epoch, position, sides, n := 1+r.Uint64N(9), 1+r.Uint64N(4096), 2+r.IntN(19), 1+r.IntN(40)
		seed := chance.Seed(chance.ByPosition.Dice(c, epoch, 0, position), chance.Contribution{Link: link})
		roll(fmt.Sprintf("by_chain(%q, %q, %d, %d)", link.String(), c.String(), epoch, position), seed, sides, n)
		seed = chance.BeaconSeed(beacon.Randomness(signature), c, declared, position)
		roll(fmt.Sprintf("by_beacon(\"%x\", %q, %q, %d)", signature, c.String(), declared.String(), position), seed,
			sides, n)
	}
	for range 50 {
		var c ulid.ULID
		var host, seat, declared events.Hash
		for _, part := range [][]byte{c[:], host[:], seat[:], declared[:]} {
			for i := range part {
				part[i] = byte(r.Uint32())
			}
		}
		seed := chance.BeaconSeed(chance.Contested(host, seat), c, declared, 3)
		roll(fmt.Sprintf("by_links(%q, %q, %q, %q, 3)", host, seat, c, declared), seed, 6, 20)
	}
	out, err := exec.Command(reader.Python(t), "-c", script.String()).Output()
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != want.String() {
		t.Errorf("Python throws\n%s\nand this program\n%s", out, &want)
	}
}
