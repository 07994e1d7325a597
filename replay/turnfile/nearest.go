package turnfile

import (
	"cmp"
	"slices"
	"strings"
)

// nearest gives the known words that s may have been meant for, the closest first, at most
// three; none when nothing is near.
func nearest(s string, known []string) []string {
	type candidate struct {
		word string
		far  int
	}
	var near []candidate
	for _, k := range known {
		far := distance([]rune(strings.ToLower(s)), []rune(strings.ToLower(k)))
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

// distance counts the letters to change, add, drop or swap with their neighbour to turn a
// into b (the optimal string alignment distance).
func distance(a, b []rune) int {
	const most = 100
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

// meant is "; did you mean "x"?" for the nearest known words, or nothing.
func meant(s string, known []string) string {
	words := nearest(s, known)
	if len(words) == 0 {
		return ""
	}
	return "; did you mean " + listed(words, " or ") + "?"
}

// listed quotes words and joins them with commas, the last with the given word.
func listed(words []string, last string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = shown(w)
	}
	if n := len(quoted); n > 1 {
		return strings.Join(quoted[:n-1], ", ") + last + quoted[n-1]
	}
	return strings.Join(quoted, "")
}
