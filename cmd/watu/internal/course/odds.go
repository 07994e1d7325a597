package course

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// counted is up to how many dice their sums are counted one by one. Of more, the normal distribution tells as much as
// anybody reads.
const counted = 600

// farther is the chance that as many fair dice are farther from expectation, on the same side of it.
func (f *fortune) farther() float64 {
	off, _ := f.off.Float64()
	if f.n > counted {
		v, _ := f.variance.Float64()
		return math.Erfc(math.Abs(off)/math.Sqrt(2*v)) / 2
	}
	kinds := slices.SortedFunc(maps.Keys(f.dice), func(a, b chances) int {
		return cmp.Or(cmp.Compare(a.faces, b.faces), cmp.Compare(a.hit, b.hit))
	})
	sum, mean := []float64{1}, 0.0
	for _, k := range kinds {
		for range f.dice[k] {
			sum = added(sum, k)
		}
		if mean += float64(f.dice[k]) * float64(k.faces-1) / 2; k.hit > 0 {
			mean += float64(f.dice[k]) * (float64(k.hit)/float64(k.faces) - float64(k.faces-1)/2)
		}
	}
	chance := 0.0
	for n, p := range sum {
		if d := float64(n) - mean; off > 0 && d > off+1e-9 || off < 0 && d < off-1e-9 {
			chance += p
		}
	}
	return chance
}

// added are the chances of sums, counted from 0, with one die more.
func added(sum []float64, k chances) []float64 {
	if k.hit > 0 { // it counts 1 or nothing
		p, out := float64(k.hit)/float64(k.faces), make([]float64, len(sum)+1)
		for n, x := range sum {
			out[n] += x * (1 - p)
			out[n+1] += x * p
		}
		return out
	}
	out, run := make([]float64, len(sum)+k.faces-1), 0.0
	for n := range out {
		if n < len(sum) {
			run += sum[n]
		}
		if n >= k.faces {
			run -= sum[n-k.faces]
		}
		out[n] = max(run, 0) / float64(k.faces)
	}
	return out
}
