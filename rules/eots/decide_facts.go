package eots

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

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
)

func hexWords() []string {
	return []string{wordPort, wordAirfield, wordCoastal, wordFriendly, wordEnemy, wordSupply, wordZOI, wordNeutralized}
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
	HQs    map[string]hqEntry   `json:"american hqs"`
	Hexes  map[string][]string  `json:"hexes"`
	SLOC   map[string]slocEntry `json:"sloc"`
	Lost   *[]hexID             `json:"resources lost"`
	ASPs   *int                 `json:"asps"`
	China  *int                 `json:"china divisions"`
	Marker *int                 `json:"swm marker"`
}

type hqEntry struct {
	Hex       hexID          `json:"hex"`
	Range     *int           `json:"range"`
	Activates *bool          `json:"activates"`
	From      map[string]int `json:"from"`
}

type slocEntry struct {
	Range     *int           `json:"range"`
	Ports     map[string]int `json:"home island ports"`
	Pusan     *int           `json:"pusan"`
	Resources map[string]int `json:"resources"`
	HQs       map[string]int `json:"japanese hqs"`
}

// reportFacts reports facts, each as an event of its own. They stand until reported anew.
func (d *decision) reportFacts() {
	var entry struct {
		Facts factEntry `json:"facts"`
	}
	if !d.Read(d.c, &entry) {
		return
	}
	facts := entry.Facts
	d.reportHQs(facts.HQs)
	for _, hex := range slices.Sorted(maps.Keys(facts.Hexes)) {
		d.reportHex(hex, facts.Hexes[hex])
	}
	for _, hex := range slices.Sorted(maps.Keys(facts.SLOC)) {
		d.reportSLOC(hex, facts.SLOC[hex])
	}
	if facts.Lost != nil {
		d.reportLost(*facts.Lost)
	}
	d.reportNumber(factASPs, facts.ASPs, 0)
	d.reportNumber(factChina, facts.China, 0)
	d.reportNumber(factMarker, facts.Marker, lowestSWM)
	if !d.Refused() && len(d.Outcome().Drafts) == 0 {
		d.ViolateField("facts", rules.Input, "facts is a mapping of what stands on the map; it may name %s, %s, %s, %s, %s, %s, %s", factHQs, factHexes, factSLOC, factLost, factASPs, factChina, factMarker)
	}
}

func (d *decision) reportNumber(fact string, n *int, least int) {
	if n != nil && d.inRange("facts."+fact, *n, least) {
		d.Record("", &events.FactReported{Fact: fact, Number: *n})
	}
}

// reportHQs: an HQ keeps the spelling in which it was first reported, for two of one HQ would give each
// of two bases one of its own (EOTS-11.21.C-UNIQUE).
func (d *decision) reportHQs(given map[string]hqEntry) {
	told := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		known := name
		if i := d.hq(name); i >= 0 {
			known = d.hqs[i].Name
		}
		if fold := strings.ToLower(known); told[fold] {
			d.ViolateField("facts."+factHQs+"."+name, rules.Input, "the HQ %s is given twice", known)
		} else {
			told[fold] = true
			d.reportHQ(known, given[name])
		}
	}
}

// reportHQ: what is left out stands as it was reported; distances stand as long as the HQ does not
// move.
func (d *decision) reportHQ(name string, q hqEntry) {
	field := "facts." + factHQs + "." + name
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
	switch {
	case name == "":
		d.ViolateField(field, rules.Input, "an HQ has a name")
		return
	case q.Range == nil && i < 0:
		d.ViolateField(field, rules.Input, "%s: how far does it activate? Write range: 15, say", name)
		return
	case q.Range != nil:
		p.Range = *q.Range
	}
	if q.Activates != nil {
		p.Idle = !*q.Activates
	}
	maps.Copy(distances, q.From)
	p.Distances = d.distances(field+".from", distances)
	if d.inRange(field+".range", p.Range, 0) && !d.Refused() {
		d.Record(allies, p)
	}
}

// distances gives hexes and how far they are, by their numbers.
func (d *decision) distances(field string, from map[string]int) []events.Distance {
	var list []events.Distance
	for _, hex := range slices.Sorted(maps.Keys(from)) {
		if d.isHex(field, hex) && d.inRange(field+"."+hex, from[hex], 0) {
			list = append(list, events.Distance{Hex: hex, Hexes: from[hex]})
		}
	}
	return list
}

func (d *decision) isHex(field, hex string) bool {
	if !isHex(hex) {
		d.ViolateField(field, rules.Input, "%q is no hex: a hex has four figures, such as 2813", hex)
	}
	return isHex(hex)
}

func (d *decision) reportHex(hex string, words []string) {
	field := "facts." + factHexes + "." + hex
	if !d.isHex(field, hex) {
		return
	}
	var names []string
	for _, w := range words {
		w = strings.ToLower(w)
		switch {
		case !slices.Contains(hexWords(), w):
			d.Unknown(d.c, field, "word for a hex", w, hexWords())
			return
		case slices.Contains(names, w):
			d.ViolateField(field, rules.Input, "%s is given twice for hex %s", w, hex)
			return
		}
		names = append(names, w)
	}
	if slices.Contains(names, wordFriendly) == slices.Contains(names, wordEnemy) {
		d.ViolateField(field, rules.Input, "%s is %s or it is %s: give one of the two, as in {%s: [port, friendly, supply]}", hex, wordFriendly, wordEnemy, hex)
		return
	}
	d.Record("", &events.FactReported{Fact: factHex, Subject: hex, Names: names})
}

// reportSLOC: what a base in the hex reaches, and what lies about it.
func (d *decision) reportSLOC(hex string, s slocEntry) {
	field := "facts." + factSLOC + "." + hex
	if !d.isHex(field, hex) {
		return
	}
	if s.Range == nil {
		d.ViolateField(field, rules.Input, "%s: how far is the SLOC Proximity Range of a base there? Write range: 12, say", hex)
		return
	}
	p := &events.TargetsReported{Hex: hex, Range: *s.Range}
	add := func(kind SpaceKind, from map[string]int) {
		for _, name := range slices.Sorted(maps.Keys(from)) {
			if kind != JapaneseHQ && !d.isHex(field, name) || !d.inRange(field+"."+name, from[name], 0) {
				return
			}
			p.Targets = append(p.Targets, events.Target{Kind: string(kind), Name: name, Distance: from[name]})
		}
	}
	add(HomeIslandPort, s.Ports)
	if s.Pusan != nil {
		add(PusanPort, map[string]int{Pusan: *s.Pusan})
	}
	add(Resource, s.Resources)
	names := slices.Sorted(maps.Keys(s.HQs))
	for i, name := range names { // no HQ counts twice under two spellings (EOTS-11.22.C-4)
		if slices.ContainsFunc(names[:i], func(other string) bool { return strings.EqualFold(other, name) }) {
			d.ViolateField(field, rules.Input, "the HQ %s is given twice", name)
		}
	}
	add(JapaneseHQ, s.HQs)
	if d.inRange(field+".range", *s.Range, 0) && !d.Refused() {
		d.Record("", p)
	}
}

// reportLost: every resource hex counts as Japanese but those named here.
func (d *decision) reportLost(hexes []hexID) {
	p := &events.FactReported{Fact: factLost}
	for _, x := range hexes {
		if x == "" || slices.Contains(p.Names, string(x)) {
			d.ViolateField("facts."+factLost, rules.Input, "%s is a list of hexes, each once, such as [2220, 2415]", factLost)
			return
		}
		p.Names = append(p.Names, string(x))
	}
	p.Number = len(p.Names)
	d.Record("", p)
}
