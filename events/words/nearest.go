package words

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest gives the known words that s may have been meant for, whatever the case of its letters: the closest first, at
// most three; none when nothing is near.
func Nearest(s string, known []string) []string {
	type candidate struct {
		word string
		far  int
	}
	var near []candidate
	for _, k := range known {
		far := Distance(strings.ToLower(s), strings.ToLower(k))
		if far <= max(2, len(k)/3) {
			near = append(near, candidate{k, far})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	var words []string
	for _, c := range near[:min(3, len(near))] {
		words = append(words, c.word)
	}
	return words
}

// Distance counts the letters to change, add, drop or swap with their neighbour to turn one word into the other (the
// optimal string alignment distance). Words of more than 100 letters are 100 apart.
func Distance(s, other string) int {
	const most = 100
	a, b := []rune(s), []rune(other)
	if len(a) > most || len(b) > most {
		return most
	}
	var before, last, row []int
	for j := range len(b) + 1 {
		last = append(last, j)
	}
	for i := range a {
		row = append(make([]int, 0, len(b)+1), i+1)
		for j := range b {
			d := last[j]
			if a[i] != b[j] {
				d++
			}
			d = min(d, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row = append(row, d)
		}
		before, last = last, row
	}
	return last[len(b)]
}
