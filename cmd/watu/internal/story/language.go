package story

import (
	"bufio"
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed languages/*.txt
var files embed.FS

// Language says sentences.
type Language struct {
	Tag    string // "en"
	tag    language.Tag
	says   map[string]string
	names  map[string]string
	counts map[string]string // by "ipc/one"
	words  map[string]string // by what the program says in English
}

// Languages are those of the program by their tags, English first.
var Languages = load()

// English is the language that every reader gets who asks for none.
var English = Languages[0]

// LanguageOf is the language of a tag, or English.
func LanguageOf(tag string) *Language {
	if i := slices.IndexFunc(Languages, func(l *Language) bool { return l.Tag == tag }); i >= 0 {
		return Languages[i]
	}
	return English
}

// Preferred is the first of a reader's languages that the program has, by what his browser sends as Accept-Language, or
// English.
func Preferred(accept string) *Language {
	var tags []language.Tag
	for _, l := range Languages {
		tags = append(tags, l.tag)
	}
	wanted, _, err := language.ParseAcceptLanguage(accept)
	if err != nil {
		return English
	}
	for _, w := range wanted {
		if _, i, sure := language.NewMatcher(tags).Match(w); sure >= language.High {
			return Languages[i]
		}
	}
	return English
}

func load() (list []*Language) {
	names, err := fs.Glob(files, "languages/*.txt")
	if err != nil {
		panic(err) // the files are part of the program
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		l, err := parse(strings.TrimSuffix(path.Base(name), ".txt"), text)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b *Language) int {
		switch {
		case a.Tag == "en":
			return -1
		case b.Tag == "en":
			return 1
		}
		return strings.Compare(a.Tag, b.Tag)
	})
	return list
}

// parse reads the file of a language: a line is empty, a remark behind #, "kind key: text" or
// "word english = text".
func parse(tag string, text []byte) (*Language, error) {
	l := &Language{Tag: tag, says: map[string]string{}, names: map[string]string{}, counts: map[string]string{},
		words: map[string]string{}}
	var err error
	if l.tag, err = language.Parse(tag); err != nil {
		return nil, err
	}
	kinds := map[string]map[string]string{"say": l.says, "name": l.names, "count": l.counts, "word": l.words}
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		line := s.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		between := ": "
		if strings.HasPrefix(line, "word ") {
			between = " = " // what a view says may have a colon
		}
		head, words, ok := strings.Cut(line, between)
		kind, key, named := strings.Cut(head, " ")
		if !ok || !named || kinds[kind] == nil {
			return nil, fmt.Errorf("%q is not like %q", line, "say collects: {side} collects {net}")
		}
		if _, twice := kinds[kind][key]; twice {
			return nil, fmt.Errorf("%s %s stands there twice", kind, key)
		}
		kinds[kind][key] = words
	}
	return l, nil
}

// forms are the plurals of a number, as the files of languages name them.
var forms = map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few",
	plural.Many: "many", plural.Other: "other"}

// Called is what the language calls itself.
func (l *Language) Called() string { return l.Text(Sentence{Key: "language"}) }

// form gives the words for a number of something.
func (l *Language) form(of string, n int64) string {
	f := plural.Cardinal.MatchPlural(l.tag, int(max(n, -n)), 0, 0, 0, 0)
	for _, key := range []string{of + "/" + forms[f], of + "/other"} {
		if words, ok := l.counts[key]; ok {
			return words
		}
	}
	return "{n} " + of // a house's own unit
}

// fill puts parts into a line, {side} for the part of that name. A line that the language lacks stands empty; a test
// sees to it that none is lacking.
func (l *Language) fill(line string, with Parts) (out []Span) {
	for line != "" {
		before, rest, found := strings.Cut(line, "{")
		if before != "" {
			out = append(out, Span{Text: before})
		}
		if !found {
			break
		}
		name, after, _ := strings.Cut(rest, "}")
		if p := with[name]; p != nil {
			out = append(out, p.say(l)...)
		}
		line = after
	}
	return out
}

// Say says a sentence, with a capital at its beginning.
func (l *Language) Say(s Sentence) []Span {
	out := s.say(l)
	if len(out) > 0 {
		r, size := utf8.DecodeRuneInString(out[0].Text)
		out[0].Text = string(unicode.ToUpper(r)) + out[0].Text[size:]
	}
	return out
}

// Amid says a sentence in the middle of a line, without a capital.
func (l *Language) Amid(s Sentence) []Span { return s.say(l) }

// Text is a sentence without its figures' events.
func (l *Language) Text(s Sentence) string {
	text := ""
	for _, x := range l.Say(s) {
		text += x.Text
	}
	return text
}

// Full says a sentence with its full stop, unless it ends in what somebody wrote, and ended.
func (l *Language) Full(s Sentence) []Span {
	out, end := l.Say(s), ""
	for _, x := range out {
		end = cmp.Or(x.Text, end)
	}
	if end != "" && strings.Contains(".!?", end[len(end)-1:]) {
		return out
	}
	return append(out, Span{Text: "."})
}

// Name is what the language calls a side or a place.
func (l *Language) Name(name string) string { return Name(name).say(l)[0].Text }

// turn is what the language calls a turn, such as "Round 4" or "Summer 1942". What is none stays as it is.
func (l *Language) turn(label string) string {
	kind, which, _ := strings.Cut(label, " ")
	if own, ok := l.names["turn "+kind]; ok && which != "" && unicode.IsDigit(rune(which[0])) {
		return own + " " + which
	}
	return label
}

// Word is what the language has for words that a view says by themselves, the head of a column or the title of a table:
// {"Sea zone"}. What it does not know stays as it is.
func (l *Language) Word(english string) string {
	if own, ok := l.words[english]; ok {
		return own
	}
	return english
}

// Lines says the lines of a language that stand on a page by themselves. The zero Lines are English.
type Lines struct{ of *Language }

// LinesOf are those of a language.
func LinesOf(l *Language) Lines { return Lines{l} }

func (w Lines) language() *Language { return cmp.Or(w.of, English) }

// In is the tag of the language, as HTML names it.
func (w Lines) In() string { return w.language().Tag }

// Says is a line with a capital at its beginning. What is put into it comes by name and value: a [Part], or what a
// template has.
func (w Lines) Says(key string, with ...any) string { return w.language().Text(sentenceOf(key, with)) }

// Within is a line as it stands behind other words.
func (w Lines) Within(key string, with ...any) (text string) {
	for _, x := range sentenceOf(key, with).say(w.language()) {
		text += x.Text
	}
	return text
}

// Counted is a number of something, of any type of whole numbers, by a key of the languages' counts.
func (w Lines) Counted(of string, number any) string {
	n, err := strconv.ParseInt(fmt.Sprint(number), 10, 64)
	if err != nil {
		panic(err) // broken invariant: it is no whole number
	}
	return Count{Of: of, N: n}.say(w.language())[0].Text
}

// Word is [Language.Word].
func (w Lines) Word(english string) string { return w.language().Word(english) }

// Name is a side or a place where it stands by itself, in a table or on a map: English has there what the record has.
func (w Lines) Name(name string) string {
	if w.language() == English {
		return name
	}
	return w.of.Name(name)
}

// Phase is a phase of a turn by itself, such as "US collect income": whose it is, and what is done in it.
func (w Lines) Phase(phase string) string {
	for i, r := range phase {
		if what, ok := w.language().words[phase[i+utf8.RuneLen(r):]]; ok && r == ' ' && w.language() != English {
			return w.Called(phase[:i]) + ": " + what
		}
	}
	return w.Word(phase)
}

func sentenceOf(key string, with []any) Sentence {
	s := Sentence{key, Parts{}}
	for pair := range slices.Chunk(with, 2) {
		part, ok := pair[1].(Part)
		switch {
		case !ok && pair[0] == "turn":
			part = Name(fmt.Sprint(pair[1]))
		case !ok:
			part = Verbatim{Text: fmt.Sprint(pair[1])}
		}
		s.With[fmt.Sprint(pair[0])] = part
	}
	return s
}

// Called is a name by itself, with a capital.
func (w Lines) Called(name string) string {
	return w.language().Text(Sentence{"name", Parts{"name": Name(name)}})
}
