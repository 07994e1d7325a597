package narrator

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	member = regexp.MustCompile(`\.([^ .])`)
	place  = regexp.MustCompile(`\[(\d+)\]`)
	step   = regexp.MustCompile(`^derivation\[(\d+)\]$`)
)

// short are the names that entries have for what has a longer one.
var short = map[string]string{"sbr": "bombing", "ic": "complex", "aa": "AA gun"}

// Field names a field of an entry or an event, which is known by its path, in words:
//
//	sbr.damage              bombing, damage
//	cards[0].European Axis  cards 1, European Axis
//	derivation[1]           step 2 of the derivation
//	#16.net                 net of #16
func Field(path string) string {
	if strings.HasPrefix(path, "#") {
		at, of, within := strings.Cut(path, ".")
		if !within {
			return at
		}
		return Field(of) + " of " + at
	}
	if m := step.FindStringSubmatch(path); m != nil {
		return fmt.Sprintf("step %d of the derivation", counted(m[1]))
	}
	path = place.ReplaceAllStringFunc(path, func(at string) string {
		return fmt.Sprintf(" %d", counted(strings.Trim(at, "[]")))
	})
	parts := strings.Split(member.ReplaceAllString(path, "\x00$1"), "\x00")
	for i, p := range parts {
		if long, ok := short[p]; ok {
			p = long
		}
		parts[i] = strings.ReplaceAll(p, "_", " ")
	}
	return strings.Join(parts, ", ")
}

// counted is an index as people count, from 1.
func counted(index string) int {
	n, _ := strconv.Atoi(index)
	return n + 1
}
