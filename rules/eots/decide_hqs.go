package eots

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// reportHQs: an HQ keeps the spelling in which it was first reported, for two of one HQ would give each
// of two bases one of its own (EOTS-11.21.C-UNIQUE).
func (d *decision) reportHQs(given rules.Mapping[hqEntry]) {
	reported := map[string]bool{}
	for _, m := range given {
		known := d.spelt(m.Name)
		if i := d.hq(known); i >= 0 {
			known = d.hqs[i].Name
		}
		if fold := d.hqKey(known); reported[fold] {
			d.ViolateField(m.At, rules.Input, "the HQ %s is given twice", known)
		} else {
			reported[fold] = true
			d.reportHQ(m.At, known, m.Value)
		}
	}
	d.warnOfOneHex(given)
}

// checkHQs holds reports of American HQs to where Japan is, and warns of one under the name of one of Japan's.
func (d *decision) checkHQs(given rules.Mapping[hqEntry]) {
	for _, m := range given {
		i := d.hq(d.spelt(m.Name))
		if i < 0 || !d.exact() {
			continue
		}
		name, hex := d.hqs[i].Name, d.hqs[i].Hex
		switch here := string(m.Value.Hex) == hex; {
		case here && d.is(hex, wordEnemy):
			d.forbid(m.At, "EOTS-11.21.C-HQ", "Japan holds %s, where %s is reported: report the hex as %s if the "+
				"Allies have taken it, or correct what is wrong", hex, name, wordFriendly)
		case d.is(hex, wordEnemy) && !d.gone(d.hqs[i]): // it stood there before
			d.Warn("Japan holds %s, where %s is reported: the text does not say how an American HQ stands there "+
				"(EOTS-11.21.C-HQ)", hex, name)
		}
		for _, about := range slices.Sorted(maps.Keys(d.targets)) {
			if slices.ContainsFunc(d.targets[about].Targets, func(t events.Target) bool {
				return t.Kind == string(JapaneseHQ) && d.sameHQ(t.Name, name)
			}) {
				d.Warn("%s was reported as a Japanese HQ, from %s: an American one of that name is another "+
					"(EOTS-11.21.C-HQ)", name, about)
				break
			}
		}
	}
}

// warnOfHexes warns of American HQs in hexes that are reported as Japan's; one that the entry reports has its warning.
func (d *decision) warnOfHexes(facts factEntry) {
	for _, q := range d.hqs {
		named := slices.ContainsFunc(facts.HQs, func(m rules.Member[hqEntry]) bool {
			return d.sameHQ(d.spelt(m.Name), q.Name)
		})
		for _, m := range facts.Hexes {
			if d.exact() && !named && m.Name == q.Hex && d.is(m.Name, wordEnemy) && !d.gone(q) {
				d.Warn("Japan holds %s, where %s was reported: the text does not say how an American HQ stands there "+
					"(EOTS-11.21.C-HQ)", m.Name, q.Name)
			}
		}
	}
}

// warnOfOneHex: two American HQs in one hex may be one under two names (EOTS-11.21.C-UNIQUE). Those that one entry
// moves have all moved by then.
func (d *decision) warnOfOneHex(given rules.Mapping[hqEntry]) {
	for i, m := range given {
		at := d.hq(d.spelt(m.Name))
		hex := string(m.Value.Hex)
		for _, far := range m.Value.From {
			if hex == "" && far.Value == 0 {
				hex = far.Name
			}
		}
		if !d.exact() || at < 0 || hex == "" {
			continue
		}
		for _, other := range d.hqs {
			later := slices.ContainsFunc(given[i:], func(n rules.Member[hqEntry]) bool {
				return d.sameHQ(d.spelt(n.Name), other.Name)
			})
			n, known := d.away(other, hex)
			if !later && known && n == 0 && !d.gone(other) {
				d.Warn("%s and %s are both reported in %s: if they are one HQ, it is reported by one name "+
					"(EOTS-11.21.C-UNIQUE)", d.hqs[at].Name, other.Name, hex)
			}
		}
	}
}

// hqKey is the name that an HQ is known by (EOTS-11.21.C-UNIQUE), without the words that say no more than that it is
// one, and whose.
func (g game) hqKey(name string) string {
	if !g.exact() {
		return strings.ToLower(name)
	}
	return keyOf(name, hqWords)
}

// wordsOf are the words of the name of an HQ but for some.
func wordsOf(name string, without []string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(rules.Shown(name), func(r rune) bool {
		return r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}), func(word string) bool { return slices.Contains(without, rules.Bare(word)) })
}

// keyOf is the name of an HQ without some words.
func keyOf(name string, without []string) string {
	key := rules.Bare(strings.Join(wordsOf(name, without), " "))
	if short := strings.TrimPrefix(strings.TrimSuffix(key, "hq"), "hq"); short != "" {
		return short
	}
	return rules.Bare(name)
}

// hqWords are no part of the name of an HQ.
var hqWords = []string{"hq", "hqs", "headquarter", "headquarters", "the", "of", "us", "usa", "american", "allied",
	"allies", "japan", "japanese"}

// titles are no part of it either, as it seems; "General" alone may be one.
var titles = []string{"adm", "admiral", "vadm", "radm", "fadm", "gen", "general", "lt", "lieutenant", "vice", "rear",
	"marshal"}

// longer reports whether a name is another with more words before or behind it.
func longer(name, other string) bool {
	words, key := wordsOf(name, hqWords), keyOf(other, hqWords)
	for i := 1; i < len(words); i++ {
		if rules.Bare(strings.Join(words[:i], " ")) == key || rules.Bare(strings.Join(words[i:], " ")) == key {
			return true
		}
	}
	return false
}

// oneHQ reports whether two names are one but for a title or more words.
func oneHQ(a, b string) bool {
	without := slices.Concat(hqWords, titles)
	return keyOf(a, without) == keyOf(b, without) || longer(a, b) || longer(b, a)
}

// warnOfTwoNames: a Japanese HQ under two names would count twice (EOTS-11.22.C-4). South and South Seas are two.
func (d *decision) warnOfTwoNames(given rules.Mapping[int]) {
	seas := func(name string) bool { return strings.Contains(rules.Bare(name), "seas") }
	for i, m := range given {
		for _, other := range given[:i] {
			near := m.Value == other.Value && shareWord(m.Name, other.Name)
			if seas(m.Name) == seas(other.Name) && (near || oneHQ(m.Name, other.Name)) {
				d.Warn("%s and %s may be one Japanese HQ, and count as two: if they are one, it is reported by one "+
					"name (EOTS-11.22.C-4)", other.Name, m.Name)
				return
			}
		}
	}
}

// shareWord reports whether a word of one name is one of the other's, or begins it; a title is none.
func shareWord(a, b string) bool {
	without := slices.Concat(hqWords, titles)
	return slices.ContainsFunc(wordsOf(a, without), func(one string) bool {
		return slices.ContainsFunc(wordsOf(b, without), func(other string) bool {
			one, other := rules.Bare(one), rules.Bare(other)
			return strings.HasPrefix(one, other) || strings.HasPrefix(other, one)
		})
	})
}

// warnOfName warns of an HQ that is new, and has the name of another but for a title or more words. Where both are in
// one hex there is a warning already.
func (d *decision) warnOfName(p *events.HeadquartersReported) {
	for _, other := range d.hqs {
		if oneHQ(p.Name, other.Name) && !d.sameHQ(other.Name, p.Name) && (p.Hex == "" || p.Hex != other.Hex) {
			d.Warn("%s may be %s: if they are one HQ, it is reported by one name (EOTS-11.21.C-UNIQUE)", p.Name,
				other.Name)
			return
		}
	}
}

// sameHQ reports whether two names are those of one HQ.
func (g game) sameHQ(a, b string) bool {
	return strings.EqualFold(a, b) || g.hqKey(a) == g.hqKey(b)
}

// spelt is the name of an HQ without what nobody sees in it: spaces about it, a second one between its words, marks
// without a width.
func (d *decision) spelt(name string) string {
	switch {
	case d.exact():
		return rules.Shown(name)
	case !d.strict():
		return name
	}
	seen := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name)
	return strings.Join(strings.Fields(seen), " ")
}

// reportHQ: what is left out stands as it was reported; distances stand as long as the HQ does not move, and again
// where it comes to a hex of which they are known.
func (d *decision) reportHQ(field, name string, q hqEntry) {
	p := &events.HeadquartersReported{Name: name, Hex: string(q.Hex)}
	distances := map[string]int{}
	i := d.hq(name)
	if i >= 0 {
		was := d.hqs[i]
		p.Range, p.Idle = was.Range, was.Idle
		if p.Hex == "" || p.Hex == was.Hex {
			p.Hex = was.Hex
			for _, far := range was.Distances {
				distances[far.Hex] = far.Hexes
			}
		}
	}
	d.knownFrom(p.Hex, distances)
	switch {
	case name == "":
		d.ViolateField(field, rules.Input, "an HQ has a name")
		return
	case q.Range == nil && i < 0:
		d.ViolateField(field, rules.Input, "%s: how far does it activate? Write range: 15, say", name)
		return
	case d.strict() && q.Hex == "" && q.Range == nil && q.Activates == nil && len(q.From) == 0:
		d.ViolateField(field, rules.Input, "what is new of %s? Write {hex, range, activates, from}, as far as they "+
			"changed", name)
		return
	case q.Range != nil:
		now := events.HeadquartersReported{Range: *q.Range}
		if d.carries() && i >= 0 && now.Range != p.Range && !d.gone(now) && !d.gone(*p) {
			d.Warn("%s had an activation range of %d, and has %d now: the text does not say what changes it "+
				"(EOTS-11.21.C-HQ)", name, p.Range, now.Range)
		}
		p.Range = now.Range
	}
	if q.Activates != nil {
		p.Idle = !*q.Activates
	}
	for _, m := range q.From {
		d.checkDistance(p, m, distances)
		distances[m.Name] = m.Value
	}
	for _, hex := range slices.Sorted(maps.Keys(distances)) {
		p.Distances = append(p.Distances, events.Distance{Hex: hex, Hexes: distances[hex]})
	}
	d.state(allies, p)
	if d.exact() && p.Hex == "" {
		d.checkPlace(field, name, q.From, "EOTS-11.21.C-HQ")
	}
	if d.exact() && i < 0 {
		d.warnOfName(p)
	}
	if d.exact() && len(q.From) > 0 {
		d.checkDouble(field, p)
	}
	for _, m := range q.From {
		if d.checkWay(m.At, p.Hex, m.Name, m.Value, "EOTS-11.21.C-HQ") {
			break
		}
	}
}
