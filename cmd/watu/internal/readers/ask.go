package readers

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// longest is how long a parameter may be, in bytes: as long as the longest label.
const longest = 200

// Known checks the query of an address: every parameter is one that is known here, is given once, and is not
// too long. One that is not known is refused and not passed over: it would be a key of its own to whatever
// keeps answers, and a misspelt one must not pass for one left out. The error says in words what to do.
func Known(u *url.URL, known ...string) (url.Values, error) {
	asked, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, fmt.Errorf("what stands behind the ? of the address does not read: %w", err)
	}
	for name, values := range asked {
		switch {
		case !slices.Contains(known, name) && len(known) == 0:
			return nil, fmt.Errorf("there is no parameter %q here: leave out what stands behind the ?", short(name))
		case !slices.Contains(known, name):
			return nil, fmt.Errorf("there is no parameter %q here; there is %s", short(name), strings.Join(known, ", "))
		case len(values) > 1:
			return nil, fmt.Errorf("the parameter %s is given %d times: give it once", name, len(values))
		case len(values[0]) > longest:
			return nil, fmt.Errorf("the parameter %s is longer than %d bytes", name, longest)
		}
	}
	return asked, nil
}

// short is a name as it is repeated to who gave it.
func short(name string) string { return name[:min(len(name), 40)] }

// Key names what a request asks for, in one way however its address is written: the pattern that it fits with
// the values of its path, and of the query what is not empty, by name. A whole number is written as such, and a
// label without the case and the space around it, by which nothing differs.
func Key(r *http.Request, asked url.Values) string {
	var b strings.Builder
	b.WriteString(r.Pattern)
	for part := range strings.SplitSeq(r.Pattern, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			name = strings.TrimSuffix(name, "}")
			value := r.PathValue(name)
			if name == "index" {
				value = whole(value)
			}
			b.WriteString("\x00" + url.QueryEscape(value))
		}
	}
	for _, name := range slices.Sorted(slices.Values(names(asked))) {
		b.WriteString("\x00" + name + "=" + url.QueryEscape(strings.ToLower(whole(strings.TrimSpace(asked.Get(name))))))
	}
	return b.String()
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
