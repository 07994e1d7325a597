package story

import (
	"fmt"
	"strconv"
)

// Sentence is what is to be said, in no language yet: the key of a line in the files of languages, and what is put into
// it by name.
type Sentence struct {
	Key  string
	With Parts
}

// Parts are put into a sentence by name.
type Parts map[string]Part

// Part is a piece of a sentence: a [Name], a [Count], a [Verbatim], a [Two], a [List] or another [Sentence].
type Part interface {
	say(l *Language) []Span
}

// Name is the proper name of a side, a place or a ship. A language may have its own for it.
type Name string

// Count is how many there are of something, by a key of the languages' counts: {"ipc", 17} is 17 IPCs.
type Count struct {
	Of    string
	N     int64
	Event uint64 // by which that is so
}

// Verbatim is a figure as it is printed: +1.
type Verbatim struct {
	Text  string
	Event uint64
}

// Two is a figure of two numbers, as a table prints them: 13/22. It is said so that nobody reads a fraction: 13 and 22.
type Two struct {
	First, Second int64
	Event         uint64
}

// twoOf is a result of a table as it is said; a single number stays as it is.
func twoOf(result string, event uint64) Part {
	two := Two{Event: event}
	if n, err := fmt.Sscanf(result, "%d/%d", &two.First, &two.Second); n != 2 || err != nil {
		return Verbatim{result, event}
	}
	return two
}

// List is pieces with "and" before the last.
type List []Part

// Span is a piece of a sentence in a language. A figure has the event that it comes from.
type Span struct {
	Text   string
	Figure bool
	Event  uint64
	Quoted bool // as somebody wrote it, or the rules have it, whatever the language of the sentence
}

func (s Sentence) say(l *Language) []Span { return l.fill(l.says[s.Key], s.With) }

func (n Name) say(l *Language) []Span {
	if own, ok := l.names[string(n)]; ok {
		return []Span{{Text: own}}
	}
	return []Span{{Text: l.turn(string(n))}}
}

func (c Count) say(l *Language) []Span {
	number := strconv.FormatInt(max(c.N, -c.N), 10)
	if c.N < 0 {
		number = "−" + number
	}
	text := ""
	for _, s := range l.fill(l.form(c.Of, c.N), Parts{"n": Name(number)}) {
		text += s.Text
	}
	return []Span{{Text: text, Figure: true, Event: c.Event}}
}

func (v Verbatim) say(*Language) []Span { return []Span{{Text: v.Text, Figure: true, Event: v.Event}} }

func (t Two) say(l *Language) []Span {
	text := ""
	for _, s := range l.fill(l.says["two"], Parts{"a": plain(int(t.First), 0), "b": plain(int(t.Second), 0)}) {
		text += s.Text
	}
	return []Span{{Text: text, Figure: true, Event: t.Event}}
}

func (list List) say(l *Language) (out []Span) {
	n := len(list)
	if n < 2 {
		for _, p := range list {
			out = p.say(l)
		}
		return out
	}
	for i, p := range list[:n-1] {
		if i > 0 {
			out = append(out, Span{Text: ", "})
		}
		out = append(out, p.say(l)...)
	}
	return l.fill(l.says["and"], Parts{"a": spans(out), "b": list[n-1]})
}

// spans are pieces that are said already.
type spans []Span

func (s spans) say(*Language) []Span { return s }
