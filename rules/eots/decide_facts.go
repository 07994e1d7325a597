package eots

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// The facts that a turn file may report.
const (
	factHQs    = "american hqs"
	factHexes  = "hexes"
	factHex    = "hex" // one of them, as recorded
	factSLOC   = "sloc"
	factLost   = "resources lost"
	factASPs   = "asps"
	factChina  = "china divisions"
	factMarker = "swm marker"
)

// The words for what stands in a hex.
const (
	wordPort        = "port"
	wordAirfield    = "airfield"
	wordCoastal     = "coastal"
	wordFriendly    = "friendly"
	wordEnemy       = "enemy"
	wordSupply      = "supply"
	wordZOI         = "zoi" // Japanese
	wordNeutralized = "neutralized"
	wordRecaptured  = "recaptured" // by the Allies, after Japan took it from under a Sub Base
	wordLost        = "lost"       // so taken: recorded, never typed
)

func hexWords() []string {
	return []string{wordPort, wordAirfield, wordCoastal, wordFriendly, wordEnemy, wordSupply, wordZOI, wordNeutralized,
		wordRecaptured}
}

// hexID is the number of a hex, typed as a number or in quotes: four figures.
type hexID string

// UnmarshalJSON reads 2813 and "0512".
func (x *hexID) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) != nil {
		s = string(text)
	}
	if s != "" && !isHex(s) {
		return fmt.Errorf("%s is no hex: a hex has four figures, such as 2813", text)
	}
	*x = hexID(s)
	return nil
}

func isHex(s string) bool { return len(s) == 4 && strings.Trim(s, "0123456789") == "" }

// factEntry is what may be reported. An HQ's distances are from the hexes named.
type factEntry struct {
	HQs    rules.Mapping[hqEntry]   `json:"american hqs"`
	Hexes  rules.Mapping[[]string]  `json:"hexes" of:"hex" is:"word for a hex"`
	SLOC   rules.Mapping[slocEntry] `json:"sloc" of:"hex"`
	Lost   *[]hexID                 `json:"resources lost"`
	ASPs   *int                     `json:"asps" least:"0"`
	China  *int                     `json:"china divisions" least:"0"`
	Marker *int                     `json:"swm marker" least:"-5"` // EOTS-11.22.B-5
}

type hqEntry struct {
	Hex       hexID              `json:"hex"`
	Range     *int               `json:"range" least:"0"`
	Activates *bool              `json:"activates"`
	From      rules.Mapping[int] `json:"from" of:"hex" least:"0"`
}

type slocEntry struct {
	Range     *int                `json:"range" least:"0"`
	Ports     rules.Mapping[int]  `json:"home island ports" of:"hex" least:"0"`
	Pusan     *int                `json:"pusan" least:"0"`
	Resources rules.Mapping[int]  `json:"resources" of:"hex" least:"0"`
	HQs       *rules.Mapping[int] `json:"japanese hqs" least:"0"`
}

// reportFacts reports facts, each as an event of its own. They stand until reported anew.
func (d *decision) reportFacts(facts factEntry) {
	_, _, apart := d.sharers(func(base) bool { return true })
	d.reportHQs(facts.HQs)
	if d.exact() && apart && len(facts.HQs) > 0 {
		d.warnOfSharing("EOTS-11.21.C-UNIQUE")
	}
	for _, m := range facts.Hexes {
		d.reportHex(m.At, m.Name, m.Value)
	}
	for _, m := range facts.SLOC {
		d.reportSLOC(m.At, m.Name, m.Value)
	}
	d.warnOfHQs(facts.HQs)
	if facts.Lost != nil {
		d.reportLost(*facts.Lost)
	}
	d.reportNumber(factASPs, facts.ASPs)
	d.reportNumber(factChina, facts.China)
	d.reportMarker(facts.Marker)
	if !d.Refused() && len(d.Outcome().Drafts) == 0 {
		d.ViolateField("facts", rules.Input,
			"facts is a mapping of what stands on the map; it may name %s, %s, %s, %s, %s, %s, %s", factHQs, factHexes,
			factSLOC, factLost, factASPs, factChina, factMarker)
	}
}

// state records a fact. Where one entry reports several, each is held to those before it, as if it had an entry of its
// own.
func (d *decision) state(side string, p events.Payload) {
	d.Record(side, p)
	if d.exact() {
		d.position = d.after(p)
	}
}

func (d *decision) reportNumber(fact string, n *int) {
	if n != nil {
		d.state("", &events.FactReported{Fact: fact, Number: *n})
	}
}

// reportMarker: before anything has moved it the marker may stand anywhere, as other turns may have been played before;
// afterwards it shows the SWM.
func (d *decision) reportMarker(n *int) {
	begins, now := d.begins(), d.swmNow()
	if n != nil && d.carries() && !begins && *n != now {
		d.ViolateField("facts."+factMarker, "EOTS-11.22.B-6", "the %s shows %+d, not %+d: correct the entry that is "+
			"wrong; what no entry can say is a compensation, compensate: {swm: %d, reason: …}", marker(now), now, *n,
			*n-now)
		return
	}
	if most := highestSWM(d.year); n != nil && d.strict() && begins && *n > most {
		d.ViolateField("facts."+factMarker, "EOTS-11.22.B-2", "the SWM of %d is %+d at most, not %+d: %+d of the year "+
			"and %+d for each of cards 37 and 38", d.year, most, *n, yearSWM(d.year), escortSWM)
		return
	}
	d.reportNumber(factMarker, n)
}

// reportHQs: an HQ keeps the spelling in which it was first reported, for two of one HQ would give each
// of two bases one of its own (EOTS-11.21.C-UNIQUE).
func (d *decision) reportHQs(given rules.Mapping[hqEntry]) {
	reported := map[string]bool{}
	for _, m := range given {
		known := d.spelt(m.Name)
		if i := d.hq(known); i >= 0 {
			known = d.hqs[i].Name
		}
		if fold := strings.ToLower(known); reported[fold] {
			d.ViolateField(m.At, rules.Input, "the HQ %s is given twice", known)
		} else {
			reported[fold] = true
			d.reportHQ(m.At, known, m.Value)
		}
	}
}

// warnOfHQs warns of American HQs that are reported where Japan is, or under the name of one of Japan's.
func (d *decision) warnOfHQs(given rules.Mapping[hqEntry]) {
	for _, m := range given {
		i := d.hq(d.spelt(m.Name))
		if i < 0 || !d.exact() {
			continue
		}
		name, hex := d.hqs[i].Name, d.hqs[i].Hex
		if d.is(hex, wordEnemy) {
			d.Warn("Japan holds %s, where %s is reported: the text does not say how an American HQ stands there "+
				"(EOTS-11.21.C-HQ)", hex, name)
		}
		for _, about := range slices.Sorted(maps.Keys(d.targets)) {
			if slices.ContainsFunc(d.targets[about].Targets, func(t events.Target) bool {
				return t.Kind == string(JapaneseHQ) && strings.EqualFold(t.Name, name)
			}) {
				d.Warn("%s was reported as a Japanese HQ, from %s: an American one of that name is another "+
					"(EOTS-11.21.C-HQ)", name, about)
				break
			}
		}
	}
}

// spelt is the name of an HQ without what nobody sees in it: spaces about it, a second one between its words, marks
// without a width.
func (d *decision) spelt(name string) string {
	if !d.strict() {
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
		if d.carries() && i >= 0 && *q.Range != p.Range {
			d.Warn("%s had an activation range of %d, and has %d now: the text does not say what changes it "+
				"(EOTS-11.21.C-HQ)", name, p.Range, *q.Range)
		}
		p.Range = *q.Range
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
	for _, m := range q.From {
		if d.warnOfWay(p.Hex, m.Name, m.Value, "EOTS-11.21.C-HQ") {
			break
		}
	}
}

func (d *decision) isHex(field, hex string) bool {
	if !isHex(hex) {
		d.ViolateField(field, rules.Input, "%q is no hex: a hex has four figures, such as 2813", hex)
	}
	return isHex(hex)
}

func (d *decision) reportHex(field, hex string, words []string) {
	for i, w := range words {
		if slices.Contains(words[:i], w) {
			d.ViolateField(field, rules.Input, "%s is given twice for hex %s", w, hex)
			return
		}
	}
	if slices.Contains(words, wordFriendly) == slices.Contains(words, wordEnemy) {
		d.ViolateField(field, rules.Input,
			"%s is %s or it is %s: give one of the two, as in {%s: [port, friendly, supply]}", hex, wordFriendly,
			wordEnemy, hex)
		return
	}
	lost, friendly := d.is(hex, wordLost), slices.Contains(words, wordFriendly)
	switch back := slices.Contains(words, wordRecaptured); {
	case back && !(lost && friendly):
		d.ViolateField(field, rules.Input, "%s is %s only where the Allies take back what Japan took from a Sub Base: "+
			"%s is not, or not %s", hex, wordRecaptured, hex, wordFriendly)
		return
	case lost && friendly && !back:
		d.ViolateField(field, "EOTS-11.21.C-SPACE", "Japan took %s from a Sub Base; if the Allies have taken it back, "+
			"report it: {%s: [port, friendly, supply, %s]}", hex, hex, wordRecaptured)
		return
	case friendly && d.exact() && d.is(hex, wordEnemy) && d.hex(hex, "").HoldsSubBase:
		d.ViolateField(field, "EOTS-11.21.E-1", "Japan holds %s, where a Sub Base stands: it makes an emergency move "+
			"first; correct the report if Japan does not hold it", hex)
		return
	case lost && !friendly:
		words = append(slices.Clip(words), wordLost)
	case back && slices.Contains(d.taken, hex):
		d.Warn("Japan took %s in this %s phase: the text does not say how the Allies have it back already "+
			"(EOTS-11.21.C-SPACE)", hex, d.phase)
	}
	d.state("", &events.FactReported{Fact: factHex, Subject: hex, Names: words})
}

// reportSLOC: what a base in the hex reaches, and what lies about it.
func (d *decision) reportSLOC(field, hex string, s slocEntry) {
	was, known := d.targets[hex]
	switch {
	case s.Range != nil:
		was.Range = *s.Range
	case !known:
		d.ViolateField(field+".range", rules.Input, "how far does its SLOC reach? Write range: 12, say")
		return
	}
	p := &events.TargetsReported{Hex: hex, Range: was.Range}
	add := func(kind SpaceKind, from rules.Mapping[int]) {
		for _, m := range from {
			p.Targets = append(p.Targets, events.Target{Kind: string(kind), Name: m.Name, Distance: m.Value})
		}
	}
	add(HomeIslandPort, d.standing(field, was, HomeIslandPort, "EOTS-11.22.C-1", s.Ports))
	var pusan rules.Mapping[int]
	if s.Pusan != nil {
		pusan = rules.Mapping[int]{{Name: Pusan, Value: *s.Pusan}}
	}
	add(PusanPort, d.standing(field, was, PusanPort, "EOTS-11.22.C-2", pusan))
	add(Resource, d.standing(field, was, Resource, "EOTS-11.22.C-3", s.Resources))
	hqs := d.hqsOf(was, s.HQs)
	for i, m := range hqs { // no HQ counts twice under two spellings (EOTS-11.22.C-4)
		if slices.ContainsFunc(hqs[:i],
			func(other rules.Member[int]) bool { return strings.EqualFold(other.Name, m.Name) }) {
			d.ViolateField(field, rules.Input, "the HQ %s is given twice", m.Name)
			return
		}
	}
	add(JapaneseHQ, hqs)
	d.oneDistance(field, p)
	d.state("", p)
	for _, t := range p.Targets {
		if t.Kind != string(JapaneseHQ) && d.warnOfWay(hex, t.Name, t.Distance, "EOTS-11.22.C-1") {
			break
		}
	}
}

// hqsOf gives the Japanese HQs that are reported. They may move, so one given makes all of them new; left out they
// stand as they were, and {} says that there is none (EOTS-11.22.C-4).
func (d *decision) hqsOf(was events.TargetsReported, given *rules.Mapping[int]) rules.Mapping[int] {
	if given != nil {
		return rules.Each(*given, func(m rules.Member[int]) rules.Member[int] {
			m.Name = d.spelt(m.Name)
			return m
		})
	}
	var stood rules.Mapping[int]
	for _, t := range was.Targets {
		if t.Kind == string(JapaneseHQ) {
			stood = append(stood, rules.Member[int]{Name: t.Name, Value: t.Distance})
		}
	}
	switch {
	case d.strict():
		return stood
	case d.carries() && len(stood) > 0:
		d.Warn("no Japanese HQ is given, and so none counts from %s any more: all of them are given anew "+
			"(EOTS-11.22.C-4)", was.Hex)
	}
	return nil
}

// standing gives the spaces of a kind that are reported, with those that were reported of the hex before: unlike HQs
// they do not move.
func (d *decision) standing(field string, was events.TargetsReported, kind SpaceKind, rule string,
	given rules.Mapping[int]) rules.Mapping[int] {
	for _, t := range was.Targets {
		if t.Kind != string(kind) || !d.carries() {
			continue
		}
		switch m, again := given.Named(t.Name); {
		case !again:
			given = append(given, rules.Member[int]{Name: t.Name, Value: t.Distance})
		case m.Value != t.Distance:
			d.ViolateField(field, rule, "%s was reported %d hexes from %s, and does not move: it is not %d; "+
				"correct the report that is wrong", t.Name, t.Distance, was.Hex, m.Value)
		}
	}
	slices.SortFunc(given, func(a, b rules.Member[int]) int { return strings.Compare(a.Name, b.Name) })
	return given
}
