package board

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/watu-ledger/watu/events/words"
)

// nearest gives the names that one may have been meant for, the closest first, at most three,
// and one for each power or space. When none is near, it gives the one that is least far.
func (n *names) nearest(name string, fits func(i int) bool) []string {
	const wide = 3 // how many letters of a name there are to one that may be wrong
	type candidate struct {
		called
		far int
	}
	asked := fold(name)
	if len(asked) == 0 {
		return nil
	}
	var all []candidate
	for _, c := range n.all {
		if fits(c.i) {
			all = append(all, candidate{c, apart(asked, fold(c.name))})
		}
	}
	slices.SortStableFunc(all, func(x, y candidate) int { return cmp.Compare(x.far, y.far) })
	var near []string
	taken := map[int]bool{}
	for _, c := range all {
		if len(near) == 3 || len(near) > 0 && c.far > max(2, utf8.RuneCountInString(asked)/wide) {
			break
		}
		if !taken[c.i] {
			taken[c.i] = true
			near = append(near, c.name)
		}
	}
	return near
}

// Near gives those names of a list for which a name may be a slip of the pen: up to two letters are
// wrong, of at least four.
func Near(name string, list []string) []string {
	const slip, short = 2, 4
	var near []string
	for _, other := range list {
		if a := fold(name); utf8.RuneCountInString(a) >= short && apart(a, fold(other)) <= slip {
			near = append(near, other)
		}
	}
	return near
}

// every fits any of a list.
func every(int) bool { return true }

// meant is the end of a message about an unknown name.
func (n *names) meant(name string) string { return nearestOf(n.nearest(name, every)) }

// nearestOf ends a message about an unknown name with those that may have been meant, if there are any.
func nearestOf(near []string) string {
	if len(near) == 0 {
		return ""
	}
	quoted := make([]string, len(near))
	for i, n := range near {
		quoted[i] = shown(n)
	}
	return "; nearest: " + strings.Join(quoted, ", ")
}

// apart is the distance between two names. A name of which the other is a part is at most 2 away: "Ukraine" is near
// "Ukraine S.S.R.".
func apart(a, b string) int {
	const part = 3
	if far := words.Distance(a, b); far <= 2 || len(a) < part || !strings.Contains(b, a) {
		return far
	}
	return 2
}
