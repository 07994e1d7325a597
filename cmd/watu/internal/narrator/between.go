package narrator

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events/diff"
)

// Between describes two sentences as one, with what differs before and behind an arrow: "UK collects 11 → 12 IPCs".
// Where words were put in or left out, or little is the same, the two stand one behind the other.
func Between(was, is string) string {
	a, b := strings.Fields(was), strings.Fields(is)
	whole := was + " → " + is
	kept := diff.Common(a, b)
	if 2*len(kept) < min(len(a), len(b)) {
		return whole
	}
	var out []string
	i, j := 0, 0
	for _, k := range append(kept, [2]int{len(a), len(b)}) {
		gone, come := a[i:k[0]], b[j:k[1]]
		switch {
		case len(gone) > 0 && len(come) > 0 && max(len(gone), len(come)) <= min(len(gone), len(come))+2:
			out = append(out, unended(gone, come)...)
			if last, ends := ending(a, k[0]); ends && max(len(gone), len(come)) > 1 {
				out = append(out, last)
			}
			out = append(append(out, "→"), come...)
		case len(gone)+len(come) > 0:
			return whole
		}
		if k[0] < len(a) {
			out = append(out, a[k[0]])
		}
		i, j = k[0]+1, k[1]+1
	}
	return strings.Join(out, " ")
}

// unended leaves out the sign that ends both of two pieces behind the first: "column 6 → 5:".
func unended(gone, come []string) []string {
	last := gone[len(gone)-1]
	sign := last[len(last)-1:]
	if !strings.Contains(",;:.", sign) || last == sign || !strings.HasSuffix(come[len(come)-1], sign) {
		return gone
	}
	return append(slices.Clone(gone[:len(gone)-1]), strings.TrimSuffix(last, sign))
}

// ending gives the word at i without the sign that ends a clause behind it, if there is one. So a clause that is worded
// otherwise stands whole on both sides of its arrow: "23 less 1 of damage → 23, without damage;".
func ending(words []string, i int) (word string, ends bool) {
	if i < len(words) {
		word = strings.TrimRight(words[i], ",;:.")
	}
	return word, i < len(words) && word != words[i] && word != ""
}
