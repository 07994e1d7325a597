package board

import (
	"cmp"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events/words"
)

// zoneNumber gives the number of a sea zone that is called by one, as "8 Sea Zone", "SZ 8", "SZ8" or "Sea Zone 8".
// Zeros at its head do not count.
func zoneNumber(name string) (number string, ok bool) {
	name = fold(name)
	for _, word := range []string{"sz", "sea zone"} {
		if rest, cut := strings.CutPrefix(name, word); cut {
			number = strings.TrimPrefix(rest, " ")
		} else if rest, cut := strings.CutSuffix(name, " "+word); cut {
			number = rest
		}
	}
	if strings.Trim(number, "0123456789") != "" {
		return "", false
	}
	number = strings.TrimLeft(number, "0")
	return number, number != ""
}

// numberOf gives the number of a sea zone of the board, where its name has one: "SZ 48 South Atlantic" too.
func (b *Board) numberOf(i int) (string, bool) {
	name := b.spaces[i].Name
	if rest, cut := strings.CutPrefix(fold(name), "sz "); cut {
		number, _, _ := strings.Cut(rest, " ")
		name = "sz " + number
	}
	number, ok := zoneNumber(name)
	return number, ok && b.spaces[i].Water
}

// known finds a space by one of its names, or the one sea zone of a number, however that is written.
func (b *Board) known(name string) (int, bool) {
	if i, ok := b.spaceNames.known[fold(name)]; ok {
		return i, true
	}
	number, ok := zoneNumber(name)
	if !ok {
		return 0, false
	}
	found, count := 0, 0
	for i := range b.spaces {
		if n, ok := b.numberOf(i); ok && n == number {
			found, count = i, count+1
		}
	}
	return found, count == 1
}

// nearestTo gives the names of spaces of a kind that one may have been meant for, as [names.nearest] does. For a sea
// zone with a number that there is not, they are sea zones with other numbers, as the table calls them.
func (b *Board) nearestTo(name string, k spaceKind) []string {
	type candidate struct{ i, far, off int }
	var all []candidate
	number, numbered := zoneNumber(name)
	for i := 0; numbered && i < len(b.spaces); i++ {
		if n, ok := b.numberOf(i); ok && b.fits(i, k) {
			all = append(all, candidate{i, words.Distance(number, n), off(number, n)})
		}
	}
	if len(all) == 0 {
		return b.spaceNames.nearest(name, func(i int) bool { return b.fits(i, k) })
	}
	slices.SortStableFunc(all, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.far, y.far), cmp.Compare(x.off, y.off))
	})
	var near []string
	for _, c := range all[:min(3, len(all))] {
		near = append(near, b.spaceNames.table(c.i))
	}
	return near
}

// off says how far apart two numbers are; numbers of more than six digits are all equally far.
func off(x, y string) int {
	value := func(number string) (v int) {
		for _, d := range number[:min(6, len(number))] {
			v = v*10 + int(d-'0')
		}
		return v
	}
	return max(value(x)-value(y), value(y)-value(x))
}
