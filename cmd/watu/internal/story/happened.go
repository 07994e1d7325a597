package story

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
)

// Happened says what an event is, for a line of a list: as package narrator does in English, which a test holds these
// sentences to. It is for the kinds of events that lists have most of, and for what most of them have to say; of the
// rest it reports false, and narrator's sentence stands in its place.
func Happened(e *events.Event) (Sentence, bool) {
	p, err := events.PayloadOf(e)
	if err != nil || e.Replaces != 0 {
		return Sentence{}, false
	}
	kinds := []func(*events.Event, events.Payload) Sentence{coursed, entered, askedOf, argued, carded, contested,
		rolled, paid, fought, based, operated, battled, built}
	for _, of := range kinds {
		s := of(e, p)
		switch {
		case s.Key == "":
		case e.Corrects != 0:
			return Sentence{"ev-instead", Parts{"n": numbered(e.Corrects), "said": s}}, true
		default:
			return s, true
		}
	}
	return Sentence{}, false
}

// term is a word of the rules, by the languages' words.
type term string

func (t term) say(l *Language) []Span { return []Span{{Text: l.Word(string(t))}} }

// title is a term that begins a sentence.
type title string

func (t title) say(l *Language) []Span { return []Span{{Text: words.Sentence(l.Word(string(t)))}} }

// row is pieces with a separator between them.
type row struct {
	by   string
	list []Part
}

func (r row) say(l *Language) (out []Span) {
	for i, p := range r.list {
		if i > 0 {
			out = append(out, Span{Text: r.by})
		}
		out = append(out, p.say(l)...)
	}
	return out
}

func numbered(event uint64) Part { return Verbatim{Text: fmt.Sprintf("#%d", event)} }
func number(n int) Part          { return Verbatim{Text: strconv.Itoa(n)} }
func signed(n int) Part          { return Verbatim{Text: fmt.Sprintf("%+d", n)} }

func each[T any](list []T, of func(T) Part) (out List) {
	for _, x := range list {
		out = append(out, of(x))
	}
	return out
}

// parts are pieces, to stand in a row.
func parts[T any](list []T, of func(T) Part) []Part { return each(list, of) }

// terms are words with "and" before the last; none is said too.
func terms(list []string) Part {
	if len(list) == 0 {
		return Sentence{Key: "ev-none"}
	}
	return each(list, func(x string) Part { return named(x) })
}

// known reports whether languages have words for each of some terms, or it is a name, each of whose words has a
// capital: what a rulebook or a person writes otherwise stays in the sentence that narrator makes of it.
func known(texts ...string) bool {
	for _, text := range texts {
		small := func(w string) bool { return strings.IndexFunc(w, unicode.IsLower) == 0 }
		if _, word := English.words[text]; word || !slices.ContainsFunc(strings.Fields(text), small) {
			continue
		}
		if _, like := phrase(text); !like {
			return false
		}
	}
	return true
}

// named is a word of the rules, or a name.
func named(text string) Part {
	if _, ok := English.words[text]; ok {
		return term(text)
	}
	if s, ok := phrase(text); ok {
		return s
	}
	return typed(text)
}

// typed is a name as somebody typed it, unless languages have their own for it.
type typed string

func (t typed) say(l *Language) []Span {
	if own, ok := l.names[string(t)]; ok {
		return []Span{{Text: own}}
	}
	return said(t).say(l)
}

// alone reports whether a side is one, of which a verb is in the singular.
func alone(side string) bool { return side != "" && side != "Allies" }

// pieces counts units, if the languages count each of them.
func pieces(list []events.Unit) (out List) {
	for _, u := range list {
		of := u.Name
		if of == "aa_gun" {
			of = "AA gun"
		}
		kind, called, has := strings.Cut(strings.TrimSuffix(of, ")"), " (") // "bomber (Bomber Command)"
		if English.counts[kind+"/other"] == "" {
			return nil
		}
		var unit Part = Count{Of: kind, N: int64(u.Count)}
		if has {
			unit = Sentence{"ev-called", Parts{"units": unit, "name": said(called)}}
		}
		out = append(out, unit)
	}
	return out
}

// about adds what a contest or a roll is about, in brackets.
func about(s Sentence, subject string, scope []string) Sentence {
	var list []Part
	if subject != "" {
		list = append(list, typed(subject))
	}
	if len(scope) > 0 {
		list = append(list, row{", ", each(scope, func(s string) Part { return typed(s) })})
	}
	if len(list) == 0 {
		return s
	}
	return Sentence{"ev-about", Parts{"said": s, "what": row{": ", list}}}
}

// coursed says how the campaign goes on.
func coursed(e *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.TurnAdvanced:
		return Sentence{"ev-turn", Parts{"turn": Name(p.Label)}}
	case *events.PhaseAdvanced:
		if !known(p.Phase) {
			return Sentence{}
		}
		if p.Player != "" {
			return Sentence{"ev-phase-of-side", Parts{"side": Name(p.Player), "phase": named(p.Phase)}}
		}
		return Sentence{"ev-phase", Parts{"phase": named(p.Phase)}}
	case *events.FactReported:
		return reported(e, p)
	}
	return Sentence{}
}

// facts are those whose names are a list, also where it is empty.
var facts = []string{"controls", "control", "at war", "technologies", "techs", "submerged", "used", "new",
	"resources lost"}

func reported(e *events.Event, p *events.FactReported) Sentence {
	if p.Fact == "aliases" || !known(p.Fact, p.Subject) || !known(p.Names...) {
		return Sentence{}
	}
	var what Part = term(p.Fact)
	of := "ev-of-" + strings.ReplaceAll(p.Fact, " ", "-")
	if _, ok := English.says[of]; ok && p.Subject != "" {
		what = Sentence{of, Parts{"of": named(p.Subject)}}
	} else if p.Subject != "" {
		what = row{", ", []Part{what, named(p.Subject)}}
	}
	switch {
	case p.Secret:
		return Sentence{"ev-reported-sealed", Parts{"what": what}}
	case p.Fact == "control" && len(e.Derivation) > 0:
		return Sentence{"ev-control", Parts{"land": Name(p.Subject), "side": terms(p.Names)}}
	case p.Names != nil || slices.Contains(facts, p.Fact):
		return Sentence{"ev-reported", Parts{"what": what, "is": terms(p.Names)}}
	}
	return Sentence{"ev-reported", Parts{"what": what, "is": number(p.Number)}}
}
