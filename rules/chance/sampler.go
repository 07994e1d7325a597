package chance

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"

	"github.com/watu-ledger/watu/events"
)

// MaxSides is the most faces of a die and the most cards of a shuffle: one byte decides each.
const MaxSides = 256

// A Sampler turns a seed into dice and shuffles without bias. Everything asked of it comes
// from one stream of bytes, in the order asked. It is not safe for concurrent use.
type Sampler struct {
	next func() byte
}

// NewSampler starts the sampler of seed at the first byte of its stream.
func NewSampler(seed events.Hash) *Sampler {
	return &Sampler{next: newStream(seed).next}
}

// Die throws one die of the given number of sides, 2 to [MaxSides], and returns 1 to sides.
func (s *Sampler) Die(sides int) int { return s.uniform(sides) + 1 }

// Dice throws n dice of the given number of sides, in order.
func (s *Sampler) Dice(n, sides int) []int {
	if n < 0 {
		panic(fmt.Sprintf("chance: %d dice", n))
	}
	dice := make([]int, n)
	for i := range dice {
		dice[i] = s.Die(sides)
	}
	return dice
}

// Throw throws the dice of one handful, in order: 1 to sides, or 0 to sides-1 where they are read
// from zero.
func (s *Sampler) Throw(t events.Throw) []int {
	dice := s.Dice(t.Dice, t.Sides)
	low, _ := t.Shows()
	for i := range dice {
		dice[i] += low - 1
	}
	return dice
}

// Shuffle puts the positions 1 to n of a pool in a random order, the first card drawn first.
// It panics unless n is within 0 to [MaxSides].
func (s *Sampler) Shuffle(n int) []int {
	if n < 0 || n > MaxSides {
		panic(fmt.Sprintf("chance: a shuffle of %d", n))
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i + 1
	}
	for i := n - 1; i >= 1; i-- {
		j := s.uniform(i + 1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// uniform returns one of n equally likely numbers, 0 to n-1. A byte at or above the largest
// multiple of n within 256 is thrown away: it would favour the small numbers.
func (s *Sampler) uniform(n int) int {
	if n < 2 || n > MaxSides {
		panic(fmt.Sprintf("chance: a die of %d sides", n))
	}
	limit := 256 / n * n
	for {
		if b := int(s.next()); b < limit {
			return b % n
		}
	}
}

// A stream is HMAC in counter mode: the blocks HMAC-SHA256(seed, counter), the counter being
// 8 bytes big-endian from 0.
type stream struct {
	mac     hash.Hash
	counter uint64
	block   [sha256.Size]byte
	used    int
}

func newStream(seed events.Hash) *stream {
	return &stream{mac: hmac.New(sha256.New, seed[:]), used: sha256.Size}
}

func (t *stream) next() byte {
	if t.used == len(t.block) {
		var counter [8]byte
		binary.BigEndian.PutUint64(counter[:], t.counter)
		t.mac.Reset()
		t.mac.Write(counter[:])
		t.mac.Sum(t.block[:0])
		t.counter++
		t.used = 0
	}
	b := t.block[t.used]
	t.used++
	return b
}
