package awaw

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// The facts that a turn file may report. They stand until reported anew.
const (
	factControls   = "controls"             // ports, by who holds them
	factCVEs       = "cves"                 // by SW box
	factNavalDRM   = "naval nationality"    // by power
	factAirDRM     = "air nationality"      // by power
	factAirRange   = "air range"            // by power
	factTorpedo    = "torpedo"              // by power
	factASW        = "asw research"         // by power
	factRadar      = "radar"                // by power
	factAirDefense = "air defense"          // by power
	factBombers    = "bomber results"       // by power, beyond those that strategic bombers need
	factIreland    = "ireland"              // diplomatic result
	factUSJT       = "usjt"                 // U.S.-Japanese tension
	factBreakthru  = "general intelligence" // by side, secret

	factHarborResults = "harbor results" // by power, those held
)

// holders are who may hold ports, by the key that reports it.
var holders = map[string]string{"axis controls": "European Axis", "japan controls": "Japan",
	"allies control": "Western Allies"}

func factKeys() []string {
	return []string{
		"axis controls", "japan controls", "allies control", factCVEs, factNavalDRM, factAirDRM,
		factAirRange, factTorpedo, factASW, factRadar, factAirDefense, factBombers, factIreland, factUSJT,
		factBreakthru, factHarborResults,
	}
}

// factForm describes an entry of facts. They are read one by one, so that of each is said what is wrong with it.
func factForm() reflect.Type {
	var fields []reflect.StructField
	for i, name := range factKeys() {
		kind, tag := reflect.TypeFor[rules.Mapping[int]](), `of:"power" least:"0" each:"level"`
		switch {
		case holders[name] != "":
			kind, tag = reflect.TypeFor[rules.OneOrMore[string]](), `is:"port that the tables name"`
		case name == factHarborResults:
			kind = reflect.TypeFor[rules.Mapping[rules.OneOrMore[string]]]()
			tag = `of:"power" offer:"harbor result" doc:"{Japan: [8+]}"`
		case name == factIreland || name == factUSJT:
			kind, tag = reflect.TypeFor[*int](), ""
		case name == factCVEs:
			tag = `of:"SW box" least:"0"`
		case name == factNavalDRM || name == factAirDRM:
			tag = `of:"power" each:"DRM"`
		case name == factBreakthru:
			tag = `of:"side" least:"0" each:"breakthroughs" doc:"in secret"`
		}
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("Fact%d", i), Type: kind,
			Tag: reflect.StructTag(fmt.Sprintf("json:%q %s", name, tag))})
	}
	return reflect.StructOf([]reflect.StructField{{Name: "Facts", Type: reflect.StructOf(fields), Tag: `json:"facts"`}})
}

// reportFacts reports facts, each as an event of its own.
func (d *decision) reportFacts(facts map[string]json.RawMessage) {
	if len(facts) == 0 {
		d.ViolateField("facts", rules.Input, "facts is a mapping of what stands on the board; it may name %s",
			strings.Join(factKeys(), ", "))
		return
	}
	shown := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		shown[name] = facts[name]
		field := "facts." + name
		switch {
		case holders[name] != "":
			d.reportControl(field, name, facts)
		case name == factHarborResults:
			d.reportResults(field, facts[name])
		case name == factIreland || name == factUSJT:
			d.reportNumber(field, name, facts[name])
		case slices.Contains(factKeys(), name):
			sealed := d.reportNumbers(field, name, facts[name])
			if len(sealed) > 0 {
				shown[name] = sealed
			}
		default:
			d.Unknown(d.c, field, "fact", name, factKeys())
		}
	}
	d.ShowMember(d.c, "facts", shown)
}

func (d *decision) reportControl(field, name string, facts map[string]json.RawMessage) {
	names, ok := portList(facts[name])
	if !ok {
		d.ViolateField(field, rules.Input, "%s is a list of ports, such as [Brest, Lorient], or [] for none", name)
		return
	}
	var ports []string
	for _, n := range names {
		p, ok := d.Named("port that the tables name", field, n)
		if !ok {
			return
		}
		ports = append(ports, Port(p).Title())
	}
	slices.Sort(ports)
	for _, other := range slices.Sorted(maps.Keys(holders)) {
		_, anew := facts[other]
		if other == name || anew && other > name || !d.strict() {
			continue // what the entry reports further down is held to this list
		}
		held := d.holds[holders[other]]
		if anew {
			held = portsIn(facts[other])
		}
		for _, port := range ports {
			if slices.Contains(held, port) {
				d.ViolateField(field, rules.Input, "%s is reported as held by %s: report in the same entry what is "+
					"left to them, %s: […]", port, article(holders[other]), other)
				return
			}
		}
	}
	d.warnOfNames(holders[name], ports)
	d.Record(holders[name],
		&events.FactReported{Fact: factControls, Subject: holders[name], Names: slices.Compact(ports)})
}

// warnOfNames warns of ports for which no rule asks whether a side holds them: those of the European Axis are European
// (SW-ATL-2 to -4), and Japan's the others (SW-PAC-2, SW-IND-2). The Western Allies may hold any.
func (d *decision) warnOfNames(holder string, ports []string) {
	axis := EuropeanAxis.Title()
	for _, title := range ports {
		port, _ := portNamed(title)
		if d.exact() && (holder == axis || holder == Japan.Title()) && bears(axis, port) != (holder == axis) {
			d.Warn("no rule asks whether %s holds %s: if another does, report it there; this list replaces the one "+
				"reported before", article(holder), title)
		}
	}
}

// portList reads a list of names, or one alone.
func portList(raw json.RawMessage) (names []string, ok bool) {
	var one string
	if json.Unmarshal(raw, &one) == nil && one != "" {
		return []string{one}, true
	}
	return names, json.Unmarshal(raw, &names) == nil && names != nil
}

// portsIn are the ports of a list that was read before.
func portsIn(raw json.RawMessage) (ports []string) {
	names, _ := portList(raw)
	for _, name := range names {
		if p, ok := portNamed(name); ok {
			ports = append(ports, p.Title())
		}
	}
	return ports
}

func (d *decision) reportNumber(field, name string, raw json.RawMessage) {
	var n *int
	if json.Unmarshal(raw, &n) != nil || n == nil {
		d.ViolateField(field, rules.Input, "%s is a whole number", name)
		return
	}
	if w, at := d.war(PowerJapan, PowerUnitedStates); name == factUSJT && at && w.turn == d.turn.Ordinal &&
		*n != w.level && w.by == PowerJapan {
		d.Warn("Japan declared war on the U.S. at a USJT level of %d, by which Pearl Harbor is read (AWAW-51.31-A): "+
			"this report does not change that; correct the declaration, or the report before it", w.level)
	}
	if name == factUSJT && *n < 0 {
		d.Warn("a USJT level of %d is below 0: no war can be declared at it (AWAW-51.31-A)", *n)
	}
	if d.InRange(field, *n, -rules.Limit, rules.Limit) {
		d.Record("", &events.FactReported{Fact: name, Number: *n})
	}
}

// reportNumbers reports one number for each box, power or side. It gives what stands for the
// secret ones in the log.
func (d *decision) reportNumbers(field, name string, raw json.RawMessage) (sealed map[string]any) {
	var numbers map[string]*rules.Known[int]
	if json.Unmarshal(raw, &numbers) != nil || len(numbers) == 0 {
		d.ViolateField(field, rules.Input, "%s is a mapping of names to whole numbers, such as {%s: 1}", name,
			subjects(name)[0])
		return nil
	}
	sealed = map[string]any{}
	reported := map[string]bool{}
	for _, subject := range slices.Sorted(maps.Keys(numbers)) {
		title, n, ok := d.numberOf(field, name, subject, numbers[subject])
		if !ok {
			return nil
		}
		if reported[title] { // GEN-UNIQUE
			d.ViolateField(field+"."+subject, rules.Input, "%s of %s is given twice", name, title)
			return nil
		}
		reported[title] = true
		p := &events.FactReported{Fact: name, Subject: title}
		if name != factBreakthru {
			p.Number, _ = n.Get() // no part of a record seals it
			d.lowerLevel(name, title, p.Number)
			d.Record("", p)
			continue
		}
		p.Secret = true // GEN-SECRET: research is the side's secret.
		d.fewerBreakthroughs(field+"."+subject, title, n)
		slot := name + " of " + title
		sealed[subject] = rules.Sealed(slot)
		d.Record(title, p).Secrets = []rules.Secret{{Slot: slot, Fact: rules.Map(n, strconv.Itoa)}}
	}
	return sealed
}

// levels are the figures that results of research raise, by the rule that reads them.
var levels = map[string]string{factAirRange: "AWAW-SW-GEN-2", factTorpedo: "AWAW-SW-GEN-3", factASW: "AWAW-SW-GEN-4",
	factRadar: "AWAW-SB-AIR-3", factAirDefense: "AWAW-SB-TGT-3", factBombers: "AWAW-SB-TGT-1"}

// lowerLevel warns of a level of research that is reported lower than it was: no result of research is undone.
func (d *decision) lowerLevel(name, title string, n int) {
	if before := d.fact(name, title); levels[name] != "" && n < before && d.exact() {
		d.Warn("%s of %s was reported as %d, and what research has reached is not lost (%s): if that was wrong, "+
			"correct it", name, title, before, levels[name])
	}
}

// fewerBreakthroughs wants no fewer breakthroughs than those that set the price of a result (48.11-B): none is undone.
// The figure is the side's secret: whoever reports it alone sees the message.
func (d *decision) fewerBreakthroughs(field, title string, n rules.Known[int]) {
	f, _ := factionNamed(title)
	now, stated := n.Get()
	before, known := d.sideOf(f).priced.Get()
	if stated && known && now < before {
		d.forbid(field, "AWAW-48.11-B", "the price of %s's last result was that of more breakthroughs, and none is "+
			"lost: report as many, or correct the report that it rested on", f.Name())
	}
}

// numberOf reads one subject of a fact and its number.
func (d *decision) numberOf(field, name, subject string,
	n *rules.Known[int]) (title string, number rules.Known[int], ok bool) {
	field += "." + subject
	title, ok = subjectNamed(name, subject)
	switch {
	case !ok:
		d.Unknown(d.c, field, "subject of "+name, subject, subjects(name))
	case n == nil, len(n.Sealed()) > 0 && (name != factBreakthru || !d.c.Hides(n.Sealed())):
		d.ViolateField(field, rules.Input, "%s of %s is a whole number", name, title)
	default:
		found := rules.Map(*n, func(n int) rules.Findings { return checkNumber(field, name, title, n) })
		d.Weigh(found)
		f, _ := found.Get()
		return title, *n, !f.Refused()
	}
	return "", number, false
}

func checkNumber(field, name, title string, n int) (f rules.Findings) {
	if n < 0 && name != factNavalDRM && name != factAirDRM {
		f.ViolateField(field, rules.Input, "%s of %s cannot be %d", name, title, n)
		return f
	}
	if n < -rules.Limit || n > rules.Limit {
		f.ViolateField(field, rules.Input, "%s: %d is beyond anything in the game", field, n)
	}
	return f
}

func subjects(name string) []string {
	switch name {
	case factCVEs:
		return boxTitles()
	case factBreakthru:
		return factionTitles()
	}
	return powerTitles()
}

func subjectNamed(name, subject string) (string, bool) {
	switch name {
	case factCVEs:
		b, ok := boxNamed(subject)
		return b.Name(), ok
	case factBreakthru:
		f, ok := factionNamed(subject)
		return f.Title(), ok
	}
	p, ok := powerNamed(subject)
	return p.Title(), ok
}
