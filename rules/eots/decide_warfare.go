package eots

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

const (
	procedureSubWarfare = "eots.sub-warfare"
	wordSuccess         = "success"
)

// warfare hears {submarine warfare: Fife}, a list of bases in the order in which they roll, or a
// mapping of bases to what a success is to be spent on: {Fife: asp, Lockwood: swm}. What is not given
// is asked when it matters.
func (d *decision) warfare(given json.RawMessage) {
	names, choices, ok := d.conductors(given)
	if !ok || !d.replaced() || d.exact() && d.behind(phaseWarfare, "EOTS-11.22.A-5") {
		return
	}
	in, ok := d.segmentOf(names, choices)
	if !ok {
		return
	}
	d.Check(CheckSubWarfare(in))
	d.checkShared(in)
	d.checkChoices(in)
	if d.Refused() || !d.settledFor(in) {
		return
	}
	if d.enter(phaseWarfare, "", "EOTS-11.22.A-5") {
		d.conduct(in)
	}
}

// conductors reads which bases conduct submarine warfare, and the choices declared.
func (d *decision) conductors(raw json.RawMessage) (names []string, choices map[string]string, ok bool) {
	var list rules.OneOrMore[string]
	var given map[string]string
	switch {
	case json.Unmarshal(raw, &list) == nil && len(list) > 0 && list[0] != "":
	case json.Unmarshal(raw, &given) == nil && len(given) > 0:
		list = slices.Sorted(maps.Keys(given))
	default:
		d.ViolateField("submarine warfare", rules.Input,
			"which Sub Bases? Write one, a list, or what a success of each is to be spent on: {Fife: asp, "+
				"Lockwood: swm}")
		return nil, nil, false
	}
	choices = map[string]string{}
	for _, name := range list {
		known, ok := d.baseCalled(name)
		choice := strings.ToLower(given[name])
		switch {
		case !ok:
			d.Unknown(d.c, "submarine warfare", "Sub Base", name, subBases())
			return nil, nil, false
		case slices.Contains(names, known):
			d.ViolateField("submarine warfare", rules.Input, "%s is given twice", known)
			return nil, nil, false
		case given != nil && !slices.Contains([]string{takeASP, takeSWM, takeNone}, choice):
			d.Unknown(d.c, "submarine warfare."+name, "choice", given[name], []string{takeASP, takeSWM, takeNone})
			return nil, nil, false
		}
		names, choices[known] = append(names, known), choice
	}
	return names, choices, true
}

// segmentOf puts together what the ruling asks, all but the dice. A base that is not in play is
// refused by the ruling on who conducts submarine warfare.
func (d *decision) segmentOf(names []string, choices map[string]string) (SubWarfareInput, bool) {
	asps, known := d.figures[factASPs]
	takes := slices.ContainsFunc(names, func(name string) bool { return choices[name] == takeASP })
	switch {
	case known && !(d.untold[factASPs] && takes):
		d.warnOfUntold(factASPs)
	case rules.Firm(d.options) && !takes &&
		!slices.ContainsFunc(names, func(name string) bool { return choices[name] == "" }):
		asps = -1 // nothing turns on them
	default:
		d.Unreported("submarine warfare", rules.Input, "how many ASPs has Japan? Report it, facts: {asps: 5}")
		return SubWarfareInput{}, false
	}
	in := SubWarfareInput{SWMInput: d.swmBefore(), Turn: d.number(), JapaneseASPs: asps, Options: d.rulesOptions()}
	for _, name := range names {
		roll := SubBaseRoll{Name: name, InSupply: true, Activatable: true, OnMap: true,
			HQs: []string{unexamined(name)}, Choice: choices[name]}
		b, there := d.base(name)
		switch {
		case slices.Contains(d.rolled, name):
			d.ViolateField("submarine warfare", "EOTS-11.22.A-5", "%s has rolled its die this turn", name)
		case !there && slices.Contains(Conducting(in.Turn), name):
			d.ViolateField("submarine warfare", rules.Input, "%s is not in play; in play: %s", name,
				strings.Join(d.names(), " and "))
		case !there: // another's time: the ruling says so
		case b.hex == "", !b.atStart: // EOTS-11.22.A-4: whatever else is reported, it conducts nothing
			roll.OnMap = false
		case !d.reads(&roll, b):
			return in, false
		}
		in.SubBases = append(in.SubBases, roll)
	}
	return in, true
}

// reads fills in what is reported of the hex of a base.
func (d *decision) reads(roll *SubBaseRoll, b base) bool {
	sloc, known := d.sloc(b.hex)
	if !known {
		d.Unreported("submarine warfare", rules.Input,
			"nothing is reported of what %s reaches from %s; report it, facts: {sloc: {%s: {range: …, home island "+
				"ports: {…}, resources: {…}, japanese hqs: {…}}}}", b.name, b.hex, b.hex)
		return false
	}
	if !d.measured("submarine warfare", b.hex) {
		return false
	}
	if d.carries() && d.is(b.hex, wordEnemy) {
		d.ViolateField("submarine warfare", "EOTS-11.21.E-1", "Japan holds %s: %s leaves it and conducts nothing there",
			b.hex, b.name)
	}
	d.warnOfRange(b, sloc.Range)
	sloc.Options = d.rulesOptions()
	pv, f := SLOCPV(sloc)
	d.Check(f)
	roll.SLOCPV = pv.SLOCPV
	roll.InSupply, roll.Activatable = d.supplied(b.hex), d.activatable(b.hex)
	roll.HQs = InHalfRange(d.near(b.hex))
	return true
}

// warnOfRange: the SLOC Proximity Range is the base's (EOTS-11.22.C-1), and what one reached that was replaced since
// (EOTS-11.21.B-4) another need not. It is said until it has counted for the other.
func (d *decision) warnOfRange(b base, hexes int) {
	if d.carries() && d.ranged[b.hex] < d.changed && b.counted != b.hex {
		d.Warn("the range of %d from %s was reported before %s came, on Turn %d; report it if its SLOC Proximity "+
			"Range is another (EOTS-11.22.C-1)", hexes, b.hex, b.name, d.changed)
	}
}

// checkShared: the HQ that is a base's own must not be that of another that conducts submarine warfare this turn, in
// this entry or another. Of one that does not the text does not say it.
func (d *decision) checkShared(in SubWarfareInput) {
	if d.exact() {
		d.checkLeaned(in)
		return
	}
	conducts := func(b base) bool {
		return slices.Contains(d.rolled, b.name) ||
			slices.ContainsFunc(in.SubBases, func(x SubBaseRoll) bool { return x.Name == b.name })
	}
	names, near, ok := d.sharers(conducts)
	if !ok && len(in.SubBases) < len(names) {
		d.ViolateField("submarine warfare", "EOTS-11.22.A-3",
			"each Sub Base needs an American HQ of its own within half its activation range: %s", sharing(names, near))
	} else if ok {
		d.warnOfSharing("EOTS-11.22.A-3")
	}
}

// checkLeaned is checkShared where an HQ that has moved since a base rolled is still the one that was near it.
func (d *decision) checkLeaned(in SubWarfareInput) {
	names, near := slices.Clone(d.rolled), slices.Clone(d.leaned)
	for _, b := range in.SubBases {
		names, near = append(names, b.Name), append(near, b.HQs)
	}
	if _, ok := OwnHQs(near); ok {
		d.warnOfSharing("EOTS-11.22.A-3")
	} else if len(d.rolled) > 0 {
		d.ViolateField("submarine warfare", "EOTS-11.22.A-3", "each Sub Base needs an American HQ of its own within "+
			"half its activation range, as they stood when it rolled: %s", sharing(names, near))
	}
}

// sharers gives bases on the map that are near an American HQ, with those HQs, and whether each has one of its own. A
// base that is near none takes none from the others.
func (d *decision) sharers(of func(base) bool) (names []string, near [][]string, ok bool) {
	for _, b := range d.bases {
		if hqs := InHalfRange(d.near(b.hex)); len(hqs) > 0 && of(b) {
			names, near = append(names, b.name), append(near, hqs)
		}
	}
	_, ok = OwnHQs(near)
	return names, near, ok
}

// warnOfSharing: two bases that stand have one HQ between them, as one moved. The text does not say which has it.
func (d *decision) warnOfSharing(rule string) {
	if names, near, ok := d.sharers(func(base) bool { return true }); !ok {
		d.Warn("the Sub Bases have one American HQ between them (%s): the text does not say which of them has it as "+
			"its own; one may conduct submarine warfare in a turn, not both (%s)", sharing(names, near), rule)
	}
}

// checkChoices refuses before the dice what could not be spent after them, were the bases to succeed.
func (d *decision) checkChoices(in SubWarfareInput) {
	s := d.segment(in)
	var declared []string
	for _, b := range in.SubBases {
		if b.Choice != takeNone && b.Choice != "" && slices.Contains(declared, b.Choice) {
			rule := map[string]string{takeASP: "EOTS-11.23-4", takeSWM: "EOTS-11.23-5"}[b.Choice]
			d.Warn("%s is chosen twice, and is taken once in a turn: of two successes the second takes nothing; a "+
				"list of the bases asks after each (%s)", b.Choice, rule)
			continue
		}
		declared = append(declared, b.Choice)
		s.spend(b.Name, b.Choice)
	}
	d.Check(s.Findings)
}

// segment is the Strategic Warfare Segment as it stands.
func (d *decision) segment(in SubWarfareInput) segment {
	before, _ := SWM(in.SWMInput)
	return segment{immediate: in.Options.immediate(), before: before, now: d.swmNow(), asps: in.JapaneseASPs,
		tookASP: d.tookASP, tookSWM: d.tookSWM}
}

// settledFor puts to the umpire, before the dice, what the segment may turn on.
func (d *decision) settledFor(in SubWarfareInput) bool {
	list := OptionList()
	for _, b := range in.SubBases {
		if x, ok := d.base(b.Name); ok && d.countsDiffer(x.hex) &&
			!list.Settled(d.Hearing, d.c, d.options, "spaces_counted") {
			return false
		}
	}
	if len(in.SubBases)+len(d.rolled) > 1 && !list.Settled(d.Hearing, d.c, d.options, "swm_timing") {
		return false
	}
	return list.Settled(d.Hearing, d.c, d.options, "die")
}

// countsDiffer reports whether the SLOC PV turns on how often a space counts.
func (d *decision) countsDiffer(hex string) bool {
	once, _ := d.sloc(hex)
	each := once
	each.Options.SpacesCounted = "each_condition"
	a, _ := SLOCPV(once)
	b, _ := SLOCPV(each)
	return a.SLOCPV != b.SLOCPV
}

// conduct rolls for each base in turn, and spends its success before the next one rolls.
func (d *decision) conduct(in SubWarfareInput) {
	s := d.segment(in)
	in.citeConditions(&d.Findings)
	_, found := SWM(in.SWMInput)
	d.Add(found)
	for _, b := range in.SubBases {
		if !d.roll(&s, b, in.Options) {
			return
		}
	}
}

// roll is one base's die: declaration, result, and what a success is spent on.
func (d *decision) roll(s *segment, b SubBaseRoll, o Options) bool {
	swm := s.swm()
	s.tell(d)
	stands, _ := d.base(b.Name)
	sloc, _ := d.sloc(stands.hex)
	sloc.Options = o
	_, found := SLOCPV(sloc)
	d.Add(found)
	citeDie(&d.Findings, o)
	modifiers := []events.Modifier{{Name: "SWM", Value: swm, Rule: "EOTS-11.22.B-1"},
		{Name: "SLOC PV", Value: -b.SLOCPV, Rule: "EOTS-11.22.C-5"}}
	low, _ := o.faces()
	dice, ok := d.Roll(allies, &events.RollDeclared{
		Purpose: "submarine warfare", Subject: b.Name, Modifiers: modifiers, Net: swm - b.SLOCPV,
		Throws: []events.Throw{{Name: b.Name, Side: allies, Dice: 1, Sides: 10, FromZero: low == 0,
			Modifier: swm - b.SLOCPV}},
	})
	if !ok {
		return false
	}
	b.Die = dice[0][0]
	r := s.result(b, swm)
	word := "no success"
	switch {
	case r.Success:
		word = wordSuccess
		s.Cite("EOTS-11.23-1", "the Japanese draw of this turn is cut by one card")
	case b.Choice == takeASP || b.Choice == takeSWM:
		s.Cite("AMB-EOTS-11", "the choice made for %s is void without a success", b.Name)
	}
	s.tell(d)
	d.Record(allies, &events.ResultAdjudicated{
		Procedure: procedureSubWarfare, Subject: b.Name, Attacker: allies, Defender: japan, Modifiers: modifiers,
		Net: swm - b.SLOCPV, Declared: d.Declared(),
		Readings: []events.Reading{{Name: "die", Side: allies, Dice: dice[0], Total: b.Die, Modified: r.Result,
			Result: word}},
	})
	return !r.Success || d.spend(s, b)
}

// spend takes what a success is spent on: what was declared, or what the Allies answer.
func (d *decision) spend(s *segment, b SubBaseRoll) bool {
	choice := b.Choice
	if choice == "" {
		var ok bool
		if choice, ok = d.ask(s, b.Name); !ok {
			return false
		}
	}
	switch {
	case b.Choice == takeASP && s.tookASP > 0:
		s.Cite("EOTS-11.23-4", "the choice made for %s is void: only one ASP is lost in a turn", b.Name)
		choice = takeNone
	case b.Choice == takeSWM && s.tookSWM > 0:
		s.Cite("EOTS-11.23-5", "the choice made for %s is void: the SWM is reduced only once in a turn", b.Name)
		choice = takeNone
	}
	s.spend(b.Name, choice)
	if choice == takeNone {
		s.Cite("EOTS-11.23-3", "the Allies take neither an ASP nor the SWM for %s", b.Name)
	} else if s.tookASP == 1 && s.tookSWM == 1 {
		s.Cite("EOTS-11.23-6", "two successes of a turn take one ASP and reduce the SWM once")
	}
	s.tell(d)
	if d.Refused() {
		return false
	}
	d.Record(allies, &events.SuccessSpent{Base: b.Name, On: choice, Shipping: s.asps, Modifier: s.now})
	return true
}

// ask asks the Allies what to take, where there is a choice.
func (d *decision) ask(s *segment, base string) (string, bool) {
	options := []string{}
	for _, choice := range []string{takeASP, takeSWM, takeNone} {
		try := *s
		try.Findings = rules.Findings{}
		if try.check(base, choice); !try.Refused() {
			options = append(options, choice)
		}
	}
	if len(options) == 1 {
		return takeNone, true
	}
	answer, ok := d.Choose(&events.ChoiceAsked{
		Question: base + " succeeds. Does it cost Japan an ASP as well, or lower the SWM, or neither?", Of: allies,
		Options: options, Rule: "EOTS-11.23-3",
	})
	if !ok {
		return "", false
	}
	// What was answered once may not do any more when the entry is corrected: then spending it says so.
	if len(answer) != 1 || !slices.Contains([]string{takeASP, takeSWM, takeNone}, strings.ToLower(answer[0])) {
		d.ViolateField("answer", rules.Input, "answer with one of %s", strings.Join(options, ", "))
		return "", false
	}
	return strings.ToLower(answer[0]), true
}

// tell hands over what the segment has found so far.
func (s *segment) tell(d *decision) {
	d.Add(s.Findings)
	s.Findings = rules.Findings{}
}

// number is the turn as the tables have it.
func (d *decision) number() int { return int(min(d.turn.Ordinal, lastTurn)) }
