package chance

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// bytesOf is a sampler over the given bytes; asking for more than there are is a panic.
func bytesOf(stream ...byte) *Sampler {
	return &Sampler{next: func() byte {
		b := stream[0]
		stream = stream[1:]
		return b
	}}
}

// accepts reports whether uniform(n) stops at byte b, and with what.
func accepts(n int, b byte) (int, bool) {
	taken := 0
	v := (&Sampler{next: func() byte {
		taken++
		if taken > 1 {
			return 0 // always accepted
		}
		return b
	}}).uniform(n)
	return v, taken == 1
}

// For every number of sides, the 256 values of a byte split evenly: each face has ⌊256/s⌋ of
// them and the rest are thrown away.
func TestUniformIsExact(t *testing.T) {
	for sides := 2; sides <= MaxSides; sides++ {
		count := make([]int, sides)
		rejected := 0
		for b := range 256 {
			if v, ok := accepts(sides, byte(b)); ok {
				count[v]++
			} else {
				rejected++
			}
		}
		for face, n := range count {
			if n != 256/sides {
				t.Errorf("%d sides: %d bytes give %d, want %d", sides, n, face, 256/sides)
			}
		}
		if rejected != 256%sides {
			t.Errorf("%d sides: %d bytes thrown away, want %d", sides, rejected, 256%sides)
		}
	}
}

func TestDice(t *testing.T) {
	tests := []struct {
		name  string
		throw func(*Sampler) []int
		bytes []byte
		want  []int
	}{
		{"a six", die(6), []byte{5}, []int{6}},
		{"the last byte a six-sided die takes", die(6), []byte{251}, []int{6}},
		{"the first it does not", die(6), []byte{252, 0}, []int{1}},
		{"several thrown away", die(6), []byte{255, 254, 253, 252, 251}, []int{6}},
		{"a coin takes every byte", die(2), []byte{255}, []int{2}},
		{"256 sides", die(256), []byte{255}, []int{256}},
		{"255 sides", die(255), []byte{255, 254}, []int{255}},
		{"129 sides take the least", die(129), []byte{129, 128}, []int{129}},
		{"ten sides as 1 to 10", die(10), []byte{250, 249}, []int{10}},
		{"ten sides as 0 to 9", digit, []byte{250, 249}, []int{9}},
		{"a digit of nothing", digit, []byte{240}, []int{0}},
		{"dice in order", dice(3, 6), []byte{0, 1, 252, 2}, []int{1, 2, 3}},
		{"no dice take no byte", dice(0, 6), nil, []int{}},
	}
	for _, tt := range tests {
		if got := tt.throw(bytesOf(tt.bytes...)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func die(sides int) func(*Sampler) []int {
	return func(s *Sampler) []int { return []int{s.Die(sides)} }
}

func digit(s *Sampler) []int { return s.Throw(events.Throw{Dice: 1, Sides: 10, FromZero: true}) }

func dice(n, sides int) func(*Sampler) []int {
	return func(s *Sampler) []int { return s.Dice(n, sides) }
}

// Over all streams of three bytes below 12, which 4, 3 and 2 divide, each order of four cards
// comes out equally often. With TestUniformIsExact this makes the shuffle exact.
func TestShuffleIsUniform(t *testing.T) {
	count := map[[4]int]int{}
	for x := range 12 * 12 * 12 {
		s := bytesOf(byte(x/144), byte(x/12%12), byte(x%12))
		count[[4]int(s.Shuffle(4))]++
	}
	if len(count) != 24 {
		t.Errorf("%d orders of four cards, want 24", len(count))
	}
	for order, n := range count {
		if n != 72 {
			t.Errorf("order %v comes out %d times, want 72", order, n)
		}
	}
}

func TestShuffle(t *testing.T) {
	tests := []struct {
		name  string
		n     int
		bytes []byte
		want  []int
	}{
		{"no cards", 0, nil, []int{}},
		{"one card takes no byte", 1, nil, []int{1}},
		{"two swapped", 2, []byte{0}, []int{2, 1}},
		{"two left", 2, []byte{1}, []int{1, 2}},
		{"every card left", 4, []byte{3, 2, 1}, []int{1, 2, 3, 4}},
		{"always with the first cell", 4, []byte{0, 0, 0}, []int{2, 3, 4, 1}},
		{"a byte thrown away for three", 3, []byte{255, 254, 0}, []int{2, 1, 3}},
		{"six of the worked example", 6, []byte{0x6f, 0xa9, 0xf4, 0x6d, 0xc0}, []int{3, 6, 2, 1, 5, 4}},
	}
	for _, tt := range tests {
		if got := bytesOf(tt.bytes...).Shuffle(tt.n); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// One stream serves all that is asked, in the order asked, over the edges of its blocks.
func TestStreamIsShared(t *testing.T) {
	all := NewSampler(sequence(3)).Dice(200, 256)
	s := NewSampler(sequence(3))
	var parts []int
	for n := range 20 {
		parts = append(parts, s.Dice(n, 256)...)
	}
	if !slices.Equal(parts, all[:len(parts)]) {
		t.Error("dice thrown in parts differ from dice thrown at once")
	}
}

func TestSamplerBounds(t *testing.T) {
	s := NewSampler(sequence(1))
	for _, sides := range []int{-1, 0, 1, 257} {
		mustPanic(t, fmt.Sprintf("%d sides", sides), func() { s.Die(sides) })
	}
	mustPanic(t, "fewer dice than none", func() { s.Dice(-1, 6) })
	mustPanic(t, "fewer cards than none", func() { s.Shuffle(-1) })
	mustPanic(t, "257 cards", func() { s.Shuffle(257) })
}

// FuzzSampler: for every seed, every die shows a face it has and every shuffle keeps every
// card, as the naive implementation has them.
func FuzzSampler(f *testing.F) {
	f.Add([]byte{}, uint8(4), uint8(6))
	f.Add([]byte("a seed of thirty-two bytes, or so"), uint8(254), uint8(255))
	f.Fuzz(func(t *testing.T, text []byte, extra, cards uint8) {
		var seed events.Hash
		copy(seed[:], text)
		sides := 2 + int(extra)%255
		s, want := NewSampler(seed), newNaive(seed[:])
		for _, d := range s.Dice(3, sides) {
			if d < 1 || d > sides || d != want.choose(sides)+1 {
				t.Errorf("a die of %d sides shows %d", sides, d)
			}
		}
		if d := digit(s)[0]; d < 0 || d > 9 || d != want.choose(10) {
			t.Errorf("a digit is %d", d)
		}
		order := s.Shuffle(int(cards))
		if !slices.Equal(order, want.shuffle(int(cards))) {
			t.Errorf("%d cards come as %v", cards, order)
		}
		slices.Sort(order)
		for i, card := range order {
			if card != i+1 {
				t.Fatalf("a shuffle of %d cards lost card %d", cards, i+1)
			}
		}
	})
}
