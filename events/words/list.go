package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Join joins those parts that there are: "" is none.
func Join(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(s string) bool { return s == "" }), between)
}

// And joins the parts of a list: "a, b and c". Of no parts it is empty.
func And(parts []string) string { return join(parts, " and ") }

// Or joins alternatives: "a, b or c".
func Or(parts []string) string { return join(parts, " or ") }

// There says what there is: "there is a", "there are a, b and c".
func There(parts []string) string {
	switch len(parts) {
	case 0:
		return "there is none"
	case 1:
		return "there is " + parts[0]
	}
	return "there are " + And(parts)
}

func join(parts []string, last string) string {
	n := len(parts)
	if n < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:n-1], ", ") + last + parts[n-1]
}

// Events names events by their indexes, ascending, runs of three and more by their ends: "#22" and "#34 to #37", where
// to is " to ".
func Events(list []uint64, to string) []string {
	var parts []string
	for _, r := range Runs(list) {
		part := fmt.Sprintf("#%d", r[0])
		if r[1] != r[0] {
			part += fmt.Sprintf("%s#%d", to, r[1])
		}
		parts = append(parts, part)
	}
	return parts
}

// Runs gives the first and last of each run of numbers, ascending; two that follow each other are two runs.
func Runs(list []uint64) (runs [][2]uint64) {
	for i := 0; i < len(list); i++ {
		first := list[i]
		for i+1 < len(list) && list[i+1] == list[i]+1 {
			i++
		}
		if list[i] == first+1 {
			runs = append(runs, [2]uint64{first, first})
			first++
		}
		runs = append(runs, [2]uint64{first, list[i]})
	}
	return runs
}

// Numbers joins numbers: "3+4".
func Numbers(list []int, between string) string {
	parts := make([]string, len(list))
	for i, n := range list {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, between)
}

// Sentence begins a text with a capital.
func Sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}
