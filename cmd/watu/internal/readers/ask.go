package readers

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events/words"
)

// longest is how long a parameter may be, in bytes: 200 letters of any script.
const longest = 800

// longestName is how much of a name is repeated to who gave it.
const longestName = 40

// ParameterError is why the query of an address is not taken.
type ParameterError struct {
	Name string // of the parameter; empty where the query does not read
	Says string // what is wrong with it, and what there is
}

// Error says it in a sentence.
func (e *ParameterError) Error() string {
	if e.Name == "" {
		return "what stands behind the ? of the address " + e.Says
	}
	return fmt.Sprintf("the parameter %q %s", e.Name, e.Says)
}

// CheckQuery checks the query of an address: every parameter is one that is known here, and is not too long. Of one
// that is given twice the first counts, as where a button and a slider of a form have the same name. One that is not
// known is refused and not passed over: it would be a key of its own to whatever keeps answers, and a misspelt one
// must not pass for one left out. The error is a [ParameterError].
func CheckQuery(u *url.URL, known ...string) (url.Values, error) {
	asked, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, &ParameterError{Says: "does not read: " + err.Error()}
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		values := asked[name]
		switch {
		case !slices.Contains(known, name):
			return nil, &ParameterError{name[:min(len(name), longestName)], "is not known here: " + words.There(known)}
		case len(values[0]) > longest:
			return nil, &ParameterError{name, fmt.Sprintf("is longer than %d bytes", longest)}
		}
	}
	return asked, nil
}

// Key names what a request asks for, in one way however its address is written: the pattern that its path
// fits, the parts of the path, and of the query what is not empty, by name.
func Key(pattern string, u *url.URL, asked url.Values) string {
	_, path, _ := strings.Cut(pattern, " ")
	kinds := strings.Split(path, "/")
	key := pattern
	for i, part := range strings.Split(u.EscapedPath(), "/") {
		if plain, err := url.PathUnescape(part); err == nil {
			part = plain
		}
		if i < len(kinds) && kinds[i] == "{index}" {
			part = whole(part)
		}
		key += "/" + url.PathEscape(part)
	}
	for _, name := range slices.Sorted(slices.Values(names(asked))) {
		key += "&" + name + "=" + url.QueryEscape(asked.Get(name))
	}
	return key
}

// names lists the parameters that are not empty.
func names(asked url.Values) (list []string) {
	for name := range asked {
		if asked.Get(name) != "" {
			list = append(list, name)
		}
	}
	return list
}

// whole writes a whole number in one way: without zeros before it.
func whole(text string) string {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return strconv.FormatUint(n, 10)
	}
	return text
}
