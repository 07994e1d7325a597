package chance

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

var update = flag.Bool("update", false, "write testdata/vectors.json again")

// The published vectors: inputs and what must come of them. Bytes are hexadecimal.
type vectors struct {
	Comment string         `json:"comment"`
	Chains  []chainVector  `json:"chains"`
	Seeds   []seedVector   `json:"seeds"`
	Samples []sampleVector `json:"samples"`
}

type chainVector struct {
	Secret   events.Hash    `json:"secret"`
	Campaign string         `json:"campaign"`
	Epoch    uint64         `json:"epoch"`
	Chain    string         `json:"chain"`
	Length   uint64         `json:"length"`
	Seed     events.Hash    `json:"seed"`
	Anchor   events.Hash    `json:"anchor"`
	Reveals  []revealVector `json:"reveals"`
}

type revealVector struct {
	Number uint64      `json:"number"`
	Link   events.Hash `json:"link"`
}

type seedVector struct {
	Label    string        `json:"label"`
	Campaign string        `json:"campaign"`
	Epoch    uint64        `json:"epoch"`
	Number   uint64        `json:"index"` // the name is from before there was a position
	Link     events.Hash   `json:"link"`
	Others   []events.Hash `json:"others"`
	Round    string        `json:"round"`
	Seed     events.Hash   `json:"seed"`
}

// A sampleVector throws its dice, digits and shuffle one after another from one stream.
type sampleVector struct {
	Seed    events.Hash `json:"seed"`
	Stream  string      `json:"stream"` // the first 64 bytes
	Sides   int         `json:"sides"`
	Dice    []int       `json:"dice"`
	Digits  []int       `json:"digits"`
	Shuffle []int       `json:"shuffle"`
}

// published computes every vector with the package.
func published() vectors {
	v := vectors{Comment: "vectors of package chance; bytes are hexadecimal; " +
		"a sample throws dice, then digits, then the shuffle from one stream"}
	const campaign, later = "01ARZ3NDEKTSV4RRFFQ69G5FAV", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"
	v.Chains = []chainVector{
		{Secret: sequence(0), Campaign: campaign, Epoch: 1, Chain: Dice, Length: Length},
		{Secret: sequence(0), Campaign: campaign, Epoch: 1, Chain: Draws("Britain"), Length: Length},
		{Secret: sequence(0), Campaign: campaign, Epoch: 2, Chain: Dice, Length: 1},
		{Secret: sequence(224), Campaign: later, Epoch: 1 << 40, Chain: Draws("Achse Süd"), Length: 101},
	}
	for i := range v.Chains {
		v.Chains[i].compute()
	}
	dice, draws := v.Chains[0], v.Chains[1]

	others := []events.Hash{sequence(32), sequence(64)}
	round := strings.Repeat("b7", 48)
	v.Seeds = []seedVector{
		{Label: DiceLabel, Campaign: campaign, Epoch: 1, Number: 7, Link: dice.Reveals[0].Link,
			Others: []events.Hash{}},
		{Label: DrawLabel, Campaign: campaign, Epoch: 1, Number: 9, Link: draws.Reveals[0].Link,
			Others: []events.Hash{}},
		{Label: DiceLabel, Campaign: campaign, Epoch: 1, Number: 12, Link: dice.Reveals[1].Link, Others: others},
		{Label: DiceLabel, Campaign: campaign, Epoch: 1, Number: 15, Link: dice.Reveals[2].Link,
			Others: []events.Hash{}, Round: round},
		{Label: DrawLabel, Campaign: later, Epoch: 1 << 40, Number: 1<<64 - 1, Link: sequence(96), Others: others,
			Round: round},
		{Label: ChainDiceLabel, Campaign: campaign, Epoch: 1, Number: 1, Link: dice.Reveals[0].Link,
			Others: []events.Hash{}},
		{Label: ChainDrawLabel, Campaign: campaign, Epoch: 1, Number: 1, Link: draws.Reveals[0].Link,
			Others: []events.Hash{}},
	}
	shapes := []sampleVector{
		{Sides: 6, Dice: make([]int, 5)},
		{Shuffle: make([]int, 6)},
		{Sides: 6, Dice: make([]int, 40), Digits: make([]int, 20), Shuffle: make([]int, 52)},
		{Sides: 129, Dice: make([]int, 12), Shuffle: make([]int, 256)},
		{Sides: 256, Dice: make([]int, 4), Digits: make([]int, 4), Shuffle: make([]int, 1)},
		{Sides: 6, Dice: make([]int, 5)},
		{Shuffle: make([]int, 6)},
	}
	for i := range v.Seeds {
		v.Seeds[i].compute()
		shapes[i].Seed = v.Seeds[i].Seed
		shapes[i].compute()
	}
	v.Samples = shapes
	return v
}

func (c *chainVector) compute() {
	c.Seed = ChainSeed(c.Secret, ulid.MustParseStrict(c.Campaign), c.Epoch, c.Chain)
	chain := NewChain(c.Seed, c.Length)
	c.Anchor = chain.Anchor()
	for _, k := range []uint64{1, 2, 3, 64, 100, 101, 4096} {
		if k <= c.Length {
			c.Reveals = append(c.Reveals, revealVector{k, chain.Link(k)})
		}
	}
}

func (s *seedVector) compute() {
	round, err := hex.DecodeString(s.Round)
	if err != nil {
		panic(err)
	}
	d := Declaration{Label: s.Label, Campaign: ulid.MustParseStrict(s.Campaign), Epoch: s.Epoch, Number: s.Number}
	s.Seed = Seed(d, Contribution{Link: s.Link, Others: s.Others, Round: round})
}

// compute fills in as many dice, digits and cards as there is room for.
func (s *sampleVector) compute() {
	t := newStream(s.Seed)
	var first [64]byte
	for i := range first {
		first[i] = t.next()
	}
	s.Stream = hex.EncodeToString(first[:])
	sampler := NewSampler(s.Seed)
	s.Dice = sampler.Dice(len(s.Dice), s.Sides)
	digits := make([]int, len(s.Digits))
	for i := range digits {
		digits[i] = digit(sampler)[0]
	}
	s.Digits = digits
	s.Shuffle = sampler.Shuffle(len(s.Shuffle))
}

// file is the vectors as published. Each list of numbers is put back on one line, which json
// indents to a line each.
func (v vectors) file(t *testing.T) []byte {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	b = regexp.MustCompile(`\[\s+(\d)`).ReplaceAll(b, []byte("[$1"))
	b = regexp.MustCompile(`,\s+(\d)`).ReplaceAll(b, []byte(", $1"))
	b = regexp.MustCompile(`(\d)\s+\]`).ReplaceAll(b, []byte("$1]"))
	return append(b, '\n')
}

func TestVectors(t *testing.T) {
	path := filepath.Join("testdata", "vectors.json")
	want := published().file(t)
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the package computes; the vectors are published, so this breaks every campaign", path)
	}
}

// readVectors reads the file, not the package.
func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Chains) == 0 || len(v.Seeds) == 0 || len(v.Samples) == 0 {
		t.Fatal("no vectors")
	}
	return v
}

func TestVectorsAgreeWithNaive(t *testing.T) {
	v := readVectors(t)
	for i, c := range v.Chains {
		seed := naiveMAC(c.Secret[:], naiveParts(naiveText("watu/chain/v1"),
			naiveCampaign(c.Campaign), naiveNumber(c.Epoch), naiveText(c.Chain)))
		chain := naiveChain(seed, int(c.Length))
		if !bytes.Equal(seed, c.Seed[:]) || !bytes.Equal(chain[c.Length], c.Anchor[:]) {
			t.Errorf("chain %d: seed %x, anchor %x", i, seed, chain[c.Length])
		}
		for _, r := range c.Reveals {
			if link := chain[c.Length-r.Number]; !bytes.Equal(link, r.Link[:]) {
				t.Errorf("chain %d: link %d is %x", i, r.Number, link)
			}
		}
	}
	for i, s := range v.Seeds {
		parts := []string{naiveText(s.Label), naiveCampaign(s.Campaign), naiveNumber(s.Epoch), naiveNumber(s.Number)}
		for _, link := range s.Others {
			parts = append(parts, link.String())
		}
		if s.Round != "" {
			parts = append(parts, s.Round)
		}
		if seed := naiveMAC(s.Link[:], naiveParts(parts...)); !bytes.Equal(seed, s.Seed[:]) {
			t.Errorf("seed %d: %x", i, seed)
		}
	}
	for i, s := range v.Samples {
		if got := naiveSample(s); !reflect.DeepEqual(got, s) {
			t.Errorf("sample %d: %+v", i, got)
		}
	}
}

// naiveSample is s as the naive implementation has it.
func naiveSample(s sampleVector) sampleVector {
	n := newNaive(s.Seed[:])
	stream := make([]byte, 64)
	for i := range stream {
		stream[i] = n.at(i)
	}
	s.Stream = hex.EncodeToString(stream)
	s.Dice, s.Digits = slices.Clone(s.Dice), slices.Clone(s.Digits)
	for i := range s.Dice {
		s.Dice[i] = n.choose(s.Sides) + 1
	}
	for i := range s.Digits {
		s.Digits[i] = n.choose(10)
	}
	s.Shuffle = n.shuffle(len(s.Shuffle))
	return s
}

// The figures of the worked example in the package comment are those of the vectors.
func TestWorkedExample(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	v := readVectors(t)
	figures := []string{"a_0    = " + v.Chains[0].Seed.String()}
	for i := range 2 {
		c, sample := v.Chains[i], v.Samples[i]
		figures = append(figures, "anchor = "+c.Anchor.String(), "a_4095 = "+c.Reveals[0].Link.String(),
			"seed   = "+v.Seeds[i].Seed.String(), "stream = "+sample.Stream[:16]+"…")
	}
	figures = append(figures, "dice   = "+spaced(v.Samples[0].Dice), "order  = "+spaced(v.Samples[1].Shuffle))
	for _, figure := range figures {
		if !strings.Contains(string(doc), figure+"\n") {
			t.Errorf("the package comment lacks %q", figure)
		}
	}
}

func spaced(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, " ")
}
