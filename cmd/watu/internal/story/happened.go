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
	kinds := []func(*events.Event, events.Payload) Sentence{coursed, carded, contested, rolled, paid, fought}
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
		_, word := English.words[text]
		small := func(w string) bool { return strings.IndexFunc(w, unicode.IsLower) == 0 }
		if !word && slices.ContainsFunc(strings.Fields(text), small) {
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
	return place(text)
}

// place is a place: a sea zone by its number, or a name.
func place(name string) Part {
	if n, ok := strings.CutSuffix(name, " Sea Zone"); ok {
		return Sentence{"ev-zone", Parts{"n": Name(n)}}
	}
	return Name(name)
}

// chain is a chain of links, "draws/Britain".
func chain(name string) Part {
	of, side, found := strings.Cut(name, "/")
	if !found {
		return named(of)
	}
	return row{"/", []Part{named(of), Name(side)}}
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
		if English.counts[of+"/other"] == "" {
			return nil
		}
		out = append(out, Count{Of: of, N: int64(u.Count)})
	}
	return out
}

// about adds what a contest or a roll is about, in brackets.
func about(s Sentence, subject string, scope []string) Sentence {
	var list []Part
	if subject != "" {
		list = append(list, place(subject))
	}
	if len(scope) > 0 {
		list = append(list, row{", ", each(scope, place)})
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
	case *events.ChoiceMade:
		if alone(e.Side) && len(p.Options) > 0 && known(p.Options...) && !strings.Contains(e.Request, `"absent"`) {
			return Sentence{"ev-answers", Parts{"side": Name(e.Side), "what": terms(p.Options)}}
		}
	}
	return Sentence{}
}

// facts are those whose names are a list, also where it is empty.
var facts = []string{"controls", "control", "at war", "technologies", "techs", "submerged", "used", "new",
	"resources lost"}

func reported(e *events.Event, p *events.FactReported) Sentence {
	if p.Secret || p.Fact == "aliases" || !known(p.Fact, p.Subject) || !known(p.Names...) {
		return Sentence{}
	}
	var what Part = term(p.Fact)
	if p.Subject != "" {
		what = row{", ", []Part{what, named(p.Subject)}}
	}
	switch {
	case p.Fact == "control" && len(e.Derivation) > 0:
		return Sentence{"ev-control", Parts{"land": place(p.Subject), "side": terms(p.Names)}}
	case p.Names != nil || slices.Contains(facts, p.Fact):
		return Sentence{"ev-reported", Parts{"what": what, "is": terms(p.Names)}}
	}
	return Sentence{"ev-reported", Parts{"what": what, "is": number(p.Number)}}
}

// carded says what becomes of cards.
func carded(e *events.Event, p events.Payload) Sentence {
	side := Name(e.Side)
	switch p := p.(type) {
	case *events.DrawDeclared:
		return Sentence{"ev-draws", Parts{"side": side, "n": number(p.Count), "of": number(p.PoolSize),
			"deck": Name(p.Deck), "link": number(int(p.Source.Position)), "chain": chain(p.Source.Chain)}}
	case *events.CardsDrawn:
		return Sentence{"ev-drawn", Parts{"side": side, "n": number(p.Count), "deck": Name(p.Deck)}}
	case *events.CardsReturned:
		return Sentence{"ev-returned", Parts{"side": side, "n": number(p.Count), "deck": Name(p.Deck)}}
	case *events.ResearchAllocated:
		return Sentence{"ev-research", Parts{"side": side, "deck": Name(p.Project)}}
	case *events.ResultProduced:
		return Sentence{"ev-produced", Parts{"side": side, "deck": Name(p.Project), "year": number(p.Year)}}
	case *events.CardAdded:
		return Sentence{"ev-added", Parts{"side": side, "deck": Name(p.Deck), "n": number(p.PoolSize)}}
	case *events.StrategyCardsDrawn:
		if p.Bombers == 0 && p.Submarines == p.Base-p.Draw && alone(e.Side) {
			s := Sentence{"ev-strategy", Parts{"side": side, "n": Count{Of: "Strategy Card", N: int64(p.Draw)}}}
			if p.Submarines != 0 {
				s = Sentence{"ev-cut", Parts{"said": s, "of": number(p.Base), "n": number(p.Submarines)}}
			}
			return s
		}
	}
	return Sentence{}
}

// called is a card's type as people write it.
func called(card string) Part {
	if len(card) <= 3 { // an abbreviation: ASW
		return term(strings.ToUpper(card))
	}
	return term(card)
}

// contested says how a contest of cards goes.
func contested(e *events.Event, p events.Payload) Sentence {
	side := Name(e.Side)
	switch p := p.(type) {
	case *events.CardPlayed:
		s := Sentence{"ev-card", Parts{"side": side, "card": called(p.Card)}}
		if strings.Contains("aeio", p.Card[:min(1, len(p.Card))]) {
			s.Key = "ev-card-an"
		}
		if p.As != "" {
			s = Sentence{"ev-as", Parts{"said": s, "card": called(p.As)}}
		}
		return s
	case *events.CardNegated:
		return Sentence{"ev-negated", Parts{"by": numbered(p.By), "card": called(p.Card), "side": side,
			"event": numbered(p.Played)}}
	case *events.Passed:
		return Sentence{"ev-passed", Parts{"side": side}}
	case *events.ContestOpened:
		if !known(p.Kind, p.Subject) {
			return Sentence{}
		}
		subject, kind := p.Subject, p.Kind
		if strings.EqualFold(subject, kind) {
			subject, kind = "", p.Subject
		}
		return about(Sentence{"ev-contest", Parts{"title": title(kind), "a": Name(p.Acting), "b": Name(p.Opposing),
			"deck": Name(p.Deck)}}, subject, p.Scope)
	case *events.ContestSettled:
		if len(p.Effects) == 0 && known(p.Kind) {
			return settled(p)
		}
	}
	return Sentence{}
}

func settled(p *events.ContestSettled) Sentence {
	kind := p.Kind
	if strings.EqualFold(p.Subject, kind) {
		kind = p.Subject
	}
	s := Sentence{"ev-score", Parts{"title": title(kind), "a": Name(p.Acting), "n": number(p.ActingCards),
		"b": Name(p.Opposing), "m": number(p.OpposingCards)}}
	switch {
	case p.Advantage != "":
		s = Sentence{"ev-advantage", Parts{"said": s, "side": Name(p.Advantage)}}
	case p.Modifier == 0:
		s = Sentence{"ev-no-advantage", Parts{"said": s}}
	}
	if p.Modifier != 0 {
		s = Sentence{"ev-modifier", Parts{"said": s, "n": signed(p.Modifier), "side": Name(p.Acting)}}
	}
	return about(s, "", p.Scope)
}

// rolled says what dice are thrown for, how they fell, and what that comes to.
func rolled(e *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.RollDeclared:
		one := len(p.Sources) == 1 && p.Round == 0 && p.Mode != "attested" && p.Mode != "contested"
		if one && known(p.Purpose, p.Subject) {
			return declared(p)
		}
	case *events.DiceRolled:
		if alone(e.Side) && p.Typed == "" && p.Round == 0 && known(p.Throw) {
			return Sentence{"ev-rolls", Parts{"side": Name(e.Side), "dice": each(p.Dice, number),
				"throw": named(p.Throw)}}
		}
	case *events.ResultAdjudicated:
		if p.Procedure != "roll" && len(p.Readings) > 0 {
			return adjudicated(p)
		}
	}
	return Sentence{}
}

func declared(p *events.RollDeclared) Sentence {
	var throws []Part
	for _, t := range p.Throws {
		if !known(t.Name) {
			return Sentence{}
		}
		s := Sentence{"ev-throw", Parts{"throw": named(t.Name), "dice": Verbatim{Text: fmt.Sprintf("%dd%d", t.Dice,
			t.Sides)}}}
		if len(t.Rows) > 0 {
			s = Sentence{"ev-row", Parts{"said": s, "rows": Verbatim{Text: words.Numbers(t.Rows, "+")}}}
		}
		if t.Modifier != 0 {
			s = Sentence{"ev-at", Parts{"said": s, "n": signed(t.Modifier)}}
		}
		throws = append(throws, s)
	}
	what := about(Sentence{"ev-term", Parts{"what": named(p.Purpose)}}, p.Subject, nil)
	return Sentence{"ev-declared", Parts{"what": what, "throws": row{"; ", throws},
		"link": number(int(p.Sources[0].Position)), "chain": chain(p.Sources[0].Chain)}}
}

// procedures are those whose name is not its words.
var procedures = map[string]string{"aa-fire": "AA fire", "sbr": "bombing raid", "d-day": "D-Day",
	"sub-warfare": "submarine warfare", "kamikaze": "kamikaze strikes"}

// adjudicated says the readings of a result that has nothing else to say.
func adjudicated(p *events.ResultAdjudicated) Sentence {
	for _, f := range p.Figures {
		read := slices.ContainsFunc(p.Readings, func(r events.Reading) bool { return r.Name == f.Name })
		if !read && (f.Text != "" || f.Value != 0) {
			return Sentence{}
		}
	}
	var readings []Part
	for _, r := range p.Readings {
		if !known(r.Name, r.Result) {
			return Sentence{}
		}
		dice := words.Numbers(r.Dice, "+")
		if len(r.Dice) > 1 {
			dice += "=" + strconv.Itoa(r.Total)
		}
		if r.Modified != r.Total {
			dice += fmt.Sprintf(" %+d", r.Modified-r.Total)
			if r.Column == "" {
				dice += fmt.Sprintf(" = %d", r.Modified)
			}
		}
		s := Sentence{"ev-reading", Parts{"throw": named(r.Name), "dice": Verbatim{Text: dice}}}
		if r.Column != "" {
			s = Sentence{"ev-column", Parts{"said": s, "column": Verbatim{Text: r.Column}}}
		}
		readings = append(readings, row{": ", []Part{s, named(r.Result)}})
	}
	name := p.Procedure[strings.LastIndexByte(p.Procedure, '.')+1:]
	if own, ok := procedures[name]; ok {
		name = own
	}
	if name = strings.ReplaceAll(name, "-", " "); !known(name, p.Subject) {
		return Sentence{}
	}
	return Sentence{"ev-result", Parts{"subject": place(p.Subject), "what": named(name),
		"readings": row{"; ", readings}}}
}

// paid says what comes in, and what it is spent on.
func paid(_ *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.IncomeCollected:
		return incomeOf(p)
	case *events.UnitsPurchased:
		if units := pieces(p.Units); units != nil {
			return Sentence{"ev-buys", Parts{"side": Name(p.Power), "units": units, "n": ipcs(int64(p.Cost), 0),
				"left": ipcs(int64(p.Treasury), 0)}}
		}
	case *events.UnitsReported:
		if units := pieces(p.Units); units != nil && len(p.Damaged) == 0 {
			return Sentence{"ev-units", Parts{"side": Name(p.Power), "place": place(p.Space), "units": units}}
		}
	}
	return Sentence{}
}

func incomeOf(p *events.IncomeCollected) Sentence {
	of := Sentence{"ev-base", Parts{"n": number(p.Base)}}
	if p.Bonus != 0 {
		of = Sentence{"ev-bonus", Parts{"said": of, "n": number(p.Bonus)}}
	}
	if p.Damage != 0 {
		of = Sentence{"ev-damaged", Parts{"said": of, "n": number(p.Damage)}}
	} else {
		of = Sentence{"ev-undamaged", Parts{"said": of}}
	}
	s := Sentence{"ev-collects", Parts{"side": Name(p.Power), "n": ipcs(int64(p.Net), 0), "made": of,
		"left": ipcs(int64(p.Treasury), 0)}}
	switch {
	case p.Typed && p.Base != p.Board:
		return Sentence{"ev-typed", Parts{"said": s, "n": number(p.Base), "board": number(p.Board)}}
	case p.Typed:
		return Sentence{"ev-typed-so", Parts{"said": s}}
	}
	return s
}

// fought says what is raided, bombed and taken.
func fought(_ *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.SubmarinesReported:
		var zones []string
		at := map[string]int{}
		for _, s := range p.Submarines {
			if at[s.Zone]++; at[s.Zone] == 1 {
				zones = append(zones, s.Zone)
			}
		}
		var list Part = Sentence{Key: "ev-none"}
		if len(zones) > 0 {
			list = each(zones, func(zone string) Part {
				return Sentence{"ev-in", Parts{"n": number(at[zone]), "zone": place(zone)}}
			})
		}
		return Sentence{"ev-submarines", Parts{"side": Name(p.Power), "list": list}}
	case *events.EconomicAttackMade:
		return bombed(p)
	case *events.ConvoyRaided:
		if p.Cap == "" {
			return raided(p)
		}
	case *events.ConvoyDisrupted:
		return disrupted(p)
	case *events.TerritoryCaptured:
		return captureOf(p)
	}
	return Sentence{}
}

func bombed(p *events.EconomicAttackMade) Sentence {
	s := Sentence{"ev-bombs", Parts{"side": Name(p.Attacker), "land": place(p.Territory), "victim": Name(p.Victim),
		"rolled": number(p.Rolled), "n": ipcs(int64(p.Damage), 0)}}
	switch p.Kind {
	case "rockets":
		s.Key = "ev-rockets"
	case "sbr":
	default:
		return Sentence{}
	}
	if p.Damage == p.Rolled {
		return s
	}
	if p.Before == 0 {
		return Sentence{"ev-limit", Parts{"said": s, "n": number(p.Limit)}}
	}
	return Sentence{"ev-limit-before", Parts{"said": s, "n": number(p.Limit), "taken": number(p.Before)}}
}

func raided(p *events.ConvoyRaided) Sentence {
	away := Sentence{Key: "ev-adjacent"}
	if p.Distance != 1 {
		away = Sentence{"ev-away", Parts{"n": number(p.Distance)}}
	}
	s := Sentence{"ev-raids", Parts{"boat": Name(p.Submarine), "side": Name(p.Owner), "zone": place(p.Zone),
		"away": away, "land": place(p.Territory), "victim": Name(p.Victim), "n": ipcs(int64(p.Damage), 0)}}
	if p.Damage != p.Reach {
		s = Sentence{"ev-reach", Parts{"said": s, "n": number(p.Reach)}}
	}
	if p.Declared {
		s = Sentence{"ev-chose", Parts{"said": s}}
	}
	return s
}

func disrupted(p *events.ConvoyDisrupted) Sentence {
	var list List
	for _, r := range p.Raiders {
		units := pieces([]events.Unit{{Name: r.Unit, Count: r.Count}})
		if units == nil {
			return Sentence{}
		}
		s := Sentence{"ev-raider", Parts{"units": units, "side": Name(r.Power)}}
		if r.Count > 1 {
			s = Sentence{"ev-each", Parts{"said": s, "n": number(r.Each)}}
		}
		list = append(list, s)
	}
	return Sentence{"ev-disrupted", Parts{"zone": place(p.Zone), "raiders": list, "side": Name(p.Victim),
		"n": number(p.Damage), "worth": number(p.Worth), "land": place(p.Territory), "most": number(p.Potential)}}
}

// captureOf says who takes a territory from whom; nothing of one whose complex changes, or that is a capital.
func captureOf(p *events.TerritoryCaptured) Sentence {
	if p.LootFrom != "" || p.Holder == p.By && p.Was != p.Complex {
		return Sentence{}
	}
	s := Sentence{"ev-captures", Parts{"side": Name(p.By), "land": place(p.Territory)}}
	if p.From != "" && p.From != p.Territory {
		s = Sentence{"ev-captures-from", Parts{"side": Name(p.By), "land": place(p.Territory), "from": Name(p.From)}}
	}
	if p.Holder != p.By {
		s = Sentence{"ev-liberated", Parts{"said": s, "side": Name(p.Holder)}}
	}
	return s
}
