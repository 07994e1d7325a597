package eots

import (
	"encoding/json"
	"fmt"
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
	wordRecaptured  = "recaptured" // by the Allies, after Japan took it from under a Sub Base
	wordLost        = "lost"       // so taken: recorded, never typed
)

// ground are the words for what is printed on the map.
func ground() []string { return []string{wordPort, wordAirfield, wordCoastal} }

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
	HQs    rules.Mapping[hqEntry]   `json:"american hqs" offer:"American HQ"`
	Hexes  rules.Mapping[[]string]  `json:"hexes" of:"hex" is:"word for a hex"`
	SLOC   rules.Mapping[slocEntry] `json:"sloc" of:"hex"`
	Lost   *[]hexID                 `json:"resources lost" offer:"hex"`
	ASPs   *int                     `json:"asps" least:"0"`
	China  *int                     `json:"china divisions" least:"0"`
	Marker *int                     `json:"swm marker" least:"-5"` // EOTS-11.22.B-5
}

type hqEntry struct {
	Hex       hexID              `json:"hex" offer:"hex"`
	Range     *int               `json:"range" least:"0"`
	Activates *bool              `json:"activates"`
	From      rules.Mapping[int] `json:"from" of:"hex" least:"0" each:"hexes away"`
}

type slocEntry struct {
	Range     *int                `json:"range" least:"0"`
	Ports     rules.Mapping[int]  `json:"home island ports" of:"hex" least:"0" each:"hexes away"`
	Pusan     *int                `json:"pusan" least:"0"`
	Resources rules.Mapping[int]  `json:"resources" of:"hex" least:"0" each:"hexes away"`
	HQs       *rules.Mapping[int] `json:"japanese hqs" least:"0" offer:"Japanese HQ" each:"hexes away"`
}

// reportFacts reports facts, each as an event of its own. They stand until reported anew.
func (d *decision) reportFacts(facts factEntry) {
	_, _, apart := d.sharers(func(base) bool { return true })
	d.reportHQs(facts.HQs)
	d.warnOfHomePorts(facts.HQs)
	if d.exact() && apart && len(facts.HQs) > 0 {
		d.warnOfSharing("EOTS-11.21.C-UNIQUE")
	}
	for _, m := range facts.Hexes {
		d.reportHex(m.At, m.Name, m.Value)
	}
	for _, m := range facts.SLOC {
		d.reportSLOC(m.At, m.Name, m.Value)
	}
	if d.exact() {
		d.checkJapaneseHQs(facts.SLOC)
		d.warnOfPorts(facts.SLOC)
	}
	d.checkHQs(facts.HQs)
	d.warnOfHexes(facts)
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
	switch {
	case n == nil:
	case d.exact() && !d.untold[fact] && d.moved[fact] == d.turn.Ordinal && *n > d.figures[fact]:
		rule := map[string]string{factASPs: "EOTS-11.23-3", factChina: "EOTS-11.24.A-4"}[fact]
		d.ViolateField("facts."+fact, rule, "after what was taken of them this turn %s are %d, not %d: correct the "+
			"entry that is wrong; what no entry can say is a compensation, compensate: {%s: %d, reason: …}", fact,
			d.figures[fact], *n, fact, *n-d.figures[fact])
	default:
		d.warnOfCap(fact, *n)
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
	fled := slices.Contains(d.fled, hex)
	gained := fled && d.is(hex, wordEnemy) // Wilkes left it in an emergency of its own (EOTS-11.21.E-3)
	switch back := slices.Contains(words, wordRecaptured); {
	case back && !((lost || gained) && friendly):
		d.ViolateField(field, rules.Input, "%s is %s only where the Allies take back what Japan took from a Sub Base: "+
			"%s is not, or not %s", hex, wordRecaptured, hex, wordFriendly)
		return
	case lost && friendly && !back:
		d.Unreported(field, "EOTS-11.21.C-SPACE", "Japan took %s from a Sub Base; if the Allies have taken it back, "+
			"report it: {%s: [port, friendly, supply, %s]}", hex, hex, wordRecaptured)
		return
	case friendly && d.exact() && d.is(hex, wordEnemy) && d.hex(hex, "").HoldsSubBase:
		d.ViolateField(field, "EOTS-11.21.E-1", "Japan holds %s, where a Sub Base stands: it makes an emergency move "+
			"first; correct the report if Japan does not hold it", hex)
		return
	case lost && !friendly:
		words = append(slices.Clip(words), wordLost)
	case friendly && fled && !gained && !d.hex(hex, "").HoldsSubBase:
		d.Warn("a Sub Base fled from %s, and it is reported as %s now: if Japan has gained it, correct this report; "+
			"if the Allies hold it still, or have it back, no matter (EOTS-11.21.E-3)", hex, wordFriendly)
	case back && slices.Contains(d.taken, hex):
		d.Warn("Japan took %s in this %s phase: the text does not say how the Allies have it back already "+
			"(EOTS-11.21.C-SPACE)", hex, d.phase)
	}
	if d.exact() {
		d.warnOfGain(hex, words)
		d.checkTerrain(field, hex, words)
	}
	d.state("", &events.FactReported{Fact: factHex, Subject: hex, Names: words})
}
