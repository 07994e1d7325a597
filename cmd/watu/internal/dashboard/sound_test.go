package dashboard

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// void are the elements without an end.
var void = []string{"meta", "base", "link", "input", "br", "hr", "img", "col", "wbr", "source"}

// implied are the elements whose end may be left out.
var implied = []string{"li", "dt", "dd", "option", "colgroup", "thead", "tbody", "tfoot", "tr", "td", "th"}

// unbalanced finds tags that are not closed where they should be, which a browser would guess at.
func unbalanced(text string) (found []string) {
	var open []string
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		kind := z.Next()
		name, _ := z.TagName()
		tag := string(name)
		for kind == html.EndTagToken && len(open) > 0 && open[len(open)-1] != tag &&
			slices.Contains(implied, open[len(open)-1]) {
			open = open[:len(open)-1]
		}
		switch {
		case kind == html.ErrorToken:
			if len(open) > 0 {
				found = append(found, fmt.Sprintf("not closed: %v", open))
			}
			return found
		case kind == html.StartTagToken && !slices.Contains(void, tag):
			open = append(open, tag)
		case kind == html.EndTagToken && (len(open) == 0 || open[len(open)-1] != tag):
			return append(found, fmt.Sprintf("</%s> closes %v", tag, open))
		case kind == html.EndTagToken:
			open = open[:len(open)-1]
		}
	}
}

// faults finds what no page may have: two elements of one id, what points at none, what the content
// security policy forbids, and live elements that cannot be swapped.
func faults(doc *html.Node) (found []string) {
	ids := map[string]int{}
	for n := range doc.Descendants() {
		if id := attr(n, "id"); id != "" {
			ids[id]++
		}
	}
	for id, times := range ids {
		if times > 1 {
			found = append(found, fmt.Sprintf("%d elements have the id %q", times, id))
		}
	}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		found = append(found, forbidden(n)...)
		for _, a := range n.Attr {
			if a.Key == "aria-labelledby" || a.Key == "aria-describedby" || a.Key == "for" {
				for id := range strings.FieldsSeq(a.Val) {
					if ids[id] == 0 {
						found = append(found, fmt.Sprintf("%s=%q of <%s> points at nothing", a.Key, a.Val, n.Data))
					}
				}
			}
		}
		if has(n, "data-live") && attr(n, "id") == "" {
			found = append(found, fmt.Sprintf("a live <%s> has no id", n.Data))
		}
		for up := n.Parent; has(n, "data-live") && up != nil; up = up.Parent {
			if has(up, "data-live") {
				found = append(found, fmt.Sprintf("%q lives in %q", attr(n, "id"), attr(up, "id")))
			}
		}
	}
	return found
}

// forbidden finds what the content security policy would not let through.
func forbidden(n *html.Node) (found []string) {
	if n.Data == "style" || n.Data == "script" && n.FirstChild != nil {
		found = append(found, fmt.Sprintf("<%s> with contents", n.Data))
	}
	for _, a := range n.Attr {
		if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
			found = append(found, fmt.Sprintf("<%s> has %s=%q", n.Data, a.Key, a.Val))
		}
		if v := strings.ToLower(a.Val); strings.HasPrefix(v, "javascript:") || strings.HasPrefix(v, "data:") {
			found = append(found, fmt.Sprintf("<%s> has %s=%q", n.Data, a.Key, a.Val))
		}
	}
	return found
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

// byID finds an element.
func byID(doc *html.Node, id string) *html.Node {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && attr(n, "id") == id {
			return n
		}
	}
	return nil
}

// textOf is all that an element says; "" for none.
func textOf(n *html.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
