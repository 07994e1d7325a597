package story

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// pattern reads a line of English that rules put together: "damage to the {what}".
type pattern struct {
	key  string
	line *regexp.Regexp
}

// slotQuoted is a part of a line, {what}, where what has a meaning in patterns is quoted.
var slotQuoted = regexp.MustCompile(`\\\{(\w+)\\\}`)

// patterns are of the lines whose key begins with as-, for what no list of words can hold.
var patterns = func() (list []pattern) {
	for _, key := range slices.Sorted(maps.Keys(English.says)) {
		if strings.HasPrefix(key, "as-") {
			line := slotQuoted.ReplaceAllString(regexp.QuoteMeta(English.says[key]), "(?P<$1>.+?)")
			list = append(list, pattern{key, regexp.MustCompile("^" + line + "$")})
		}
	}
	return list
}()

// phrase is a text of the rules as a line with its parts; false where no line is like it.
func phrase(text string) (Sentence, bool) {
	for _, p := range patterns {
		m := p.line.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		s := Sentence{p.key, Parts{}}
		for i, name := range p.line.SubexpNames()[1:] {
			s.With[name] = articled(m[i+1])
		}
		return s, true
	}
	return Sentence{}, false
}

// articled is a word of the rules or a name, before which English may have an article.
func articled(text string) Part {
	if name, ok := strings.CutPrefix(text, "the "); ok {
		return Sentence{"ev-the", Parts{"what": named(name)}}
	}
	return named(text)
}

// askedOf says what is asked, answered, or left to the umpire.
func askedOf(e *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.ChoiceAsked:
		if what, ok := phrase(p.Question); ok {
			return Sentence{"ev-question", Parts{"side": sided(p.Of), "what": what, "options": offered(p)}}
		}
	case *events.ChoiceMade:
		switch {
		case strings.Contains(e.Request, `"absent"`):
		case len(p.Options) == 0:
			return does("ev-answers-sealed", e.Side, Parts{"event": numbered(p.Asked)})
		default:
			return does("ev-answers", e.Side, Parts{"what": terms(p.Options)})
		}
	case *events.Referred:
		return Sentence{"ev-referred", Parts{"option": said(p.Option), "what": said(p.Question)}}
	case *events.OptionRuled:
		return Sentence{"ev-option", Parts{"option": said(p.Option), "value": said(p.Value), "was": said(p.Was),
			"why": said(p.Reason)}}
	}
	return Sentence{}
}

// offered are the options of a question, each once, with how often those may be named that are there more than once.
func offered(p *events.ChoiceAsked) Part {
	var list []Part
	for option := range strings.SplitSeq(p.Offered(), ", ") {
		list = append(list, named(option))
	}
	return row{", ", list}
}

// said is what somebody wrote, or the rules have, as it stands.
type said string

func (s said) say(*Language) []Span {
	return []Span{{Text: strings.TrimSpace(string(s)), Quoted: true}}
}

// sided is a side; the Allies have an article in English, too.
func sided(side string) Part {
	if !alone(side) {
		return Sentence{Key: "ev-allies"}
	}
	return Name(side)
}

// does is what a side does, which has a line of its own where the side is several.
func does(key, side string, with Parts) Sentence {
	if with["side"] = sided(side); !alone(side) {
		key += "-allies"
	}
	return Sentence{key, with}
}
