package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events/diff"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
)

// plain is a text without marks.
func plain(format string, args ...any) document.Text {
	return document.Plainly(fmt.Sprintf(format, args...))
}

// word is a piece of a sentence: a word, or the sign behind one.
type word struct {
	text  string
	space bool // before it
}

// split cuts a sentence into words, and takes the signs that end them apart, so that a figure may
// change and the comma behind it stay.
func split(text string) []word {
	var list []word
	for _, f := range strings.Fields(text) {
		stem := cmp.Or(strings.TrimRight(f, ",.;:!?)"), f)
		list = append(list, word{stem, len(list) > 0})
		if sign := f[len(stem):]; sign != "" {
			list = append(list, word{sign, false})
		}
	}
	return list
}

// changed marks in one sentence what was and what is now. Sentences that have little in common stand
// one after the other.
func changed(was, now string) document.Text {
	a, b := split(was), split(now)
	switch {
	case strings.Join(strings.Fields(was), " ") == strings.Join(strings.Fields(now), " "):
		return plain("%s", now)
	case was == "":
		return document.Text{{Text: now, Mark: document.Now}}
	}
	kept := diff.Common(texts(a), texts(b))
	if 2*len(kept) < min(len(a), len(b)) || len(kept) == 0 {
		return document.Text{{Text: was, Mark: document.Was}, {Text: " "}, {Text: now, Mark: document.Now}}
	}
	var out document.Text
	i, j := 0, 0
	for _, k := range append(kept, [2]int{len(a), len(b)}) {
		gone, come := strings.Join(texts(a[i:k[0]]), ""), strings.Join(texts(b[j:k[1]]), "")
		if gone != "" && come != "" && narrator.Brackets(gone, come) {
			return document.Text{{Text: was, Mark: document.Was}, {Text: " "}, {Text: now, Mark: document.Now}}
		}
		out = add(out, a[i:k[0]], document.Was)
		out = add(out, b[j:k[1]], document.Now)
		if k[0] < len(a) {
			out = add(out, b[k[1]:k[1]+1], "")
		}
		i, j = k[0]+1, k[1]+1
	}
	return out
}

// add puts words behind a text, the space before them without a mark.
func add(t document.Text, words []word, mark document.Mark) document.Text {
	if len(words) == 0 {
		return t
	}
	line := ""
	for i, w := range words {
		if w.space && i > 0 {
			line += " "
		}
		line += w.text
	}
	n := len(t)
	space := words[0].space || mark == document.Now && n > 0 && t[n-1].Mark == document.Was
	switch {
	case space && n > 0 && t[n-1].Mark == "":
		t[n-1].Text += " "
	case space:
		t, n = append(t, document.Span{Text: " "}), n+1
	}
	if n > 0 && t[n-1].Mark == mark {
		t[n-1].Text += line
		return t
	}
	return append(t, document.Span{Text: line, Mark: mark})
}

// texts are words without what stands between them.
func texts(list []word) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = w.text
	}
	return out
}

// sorted are indexes in ascending order, each once.
func sorted(list []uint64) []uint64 {
	slices.Sort(list)
	return slices.Compact(list)
}

// indexes is "#3–#5, #9".
func indexes(list []uint64) string { return strings.Join(words.Events(list, "–"), ", ") }
