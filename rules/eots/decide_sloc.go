package eots

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// reportSLOC: what a base in the hex reaches, and what lies about it.
func (d *decision) reportSLOC(field, hex string, s slocEntry) {
	was, known := d.targets[hex]
	nothing := s.Range == nil && s.Pusan == nil && s.HQs == nil && len(s.Ports)+len(s.Resources) == 0
	switch {
	case d.exact() && known && nothing:
		d.ViolateField(field, rules.Input, "what is new of %s? Write {range, home island ports, pusan, resources, "+
			"japanese hqs}, as far as they changed", hex)
		return
	case s.Range != nil:
		if known && !d.rangeStands(field, hex, was.Range, *s.Range) {
			return
		}
		b, there := rules.Find(d.bases, func(b base) bool { return b.hex == hex })
		if there && (!known || d.ranged[hex] < d.changed) {
			d.warnOfReach(b, hex, *s.Range)
		}
		was.Range = *s.Range
	case !known:
		d.ViolateField(field+".range", rules.Input, "how far does its SLOC reach? Write range: 12, say")
		return
	default: // the report is a new one, and a later warning would not see that its range is an old one
		if b, there := rules.Find(d.bases, func(b base) bool { return b.hex == hex }); there {
			d.warnOfRange(b, was.Range)
		}
	}
	p := &events.TargetsReported{Hex: hex, Range: was.Range}
	add := func(kind SpaceKind, from rules.Mapping[int]) {
		for _, m := range from {
			p.Targets = append(p.Targets, events.Target{Kind: string(kind), Name: m.Name, Distance: m.Value})
		}
	}
	if _, port := s.Ports.Named(Pusan); port && d.exact() {
		d.ViolateField(field+".home island ports", "EOTS-11.22.C-2", "%s is Pusan, which is no home island port: "+
			"write pusan: …", Pusan)
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
			func(other rules.Member[int]) bool { return d.sameHQ(other.Name, m.Name) }) {
			d.ViolateField(field, rules.Input, "the HQ %s is given twice", m.Name)
			return
		}
		if d.exact() && s.HQs != nil && d.hq(m.Name) >= 0 {
			d.Warn("%s was reported as an American HQ: a Japanese one of that name is another (EOTS-11.22.C-4)", m.Name)
		}
	}
	if d.exact() && s.HQs != nil {
		d.warnOfTwoNames(hqs)
	}
	add(JapaneseHQ, hqs)
	d.oneDistance(field, p)
	d.state("", p)
	for _, t := range p.Targets {
		stood := slices.Contains(was.Targets, t)
		if !stood && t.Kind != string(JapaneseHQ) && d.checkWay(field, hex, t.Name, t.Distance, "EOTS-11.22.C-1") {
			break
		}
	}
}

// rangeStands: the SLOC Proximity Range is that of the base (EOTS-11.22.C-1), and in a turn in which it has counted it
// is no other. One from before a base came in the place of another is its own once it has counted; one in the turn of
// a replacement is that of the base that comes (EOTS-11.21.B-4).
func (d *decision) rangeStands(field, hex string, was, now int) bool {
	b, stands := rules.Find(d.bases, func(b base) bool { return b.hex == hex })
	old := d.ranged[hex] < d.changed
	_, comes := d.awaited()
	if !d.exact() || was == now || comes || old && !(stands && b.counted == hex) {
		return true
	}
	before, known := d.targets[b.from]
	switch {
	case stands && known && before.Range == now && d.ranged[b.from] >= d.changed &&
		(b.reached == "" || rules.Firm(d.options) && b.reached == b.from):
		return true // what it brings along; what was reported of the hex is another base's
	case stands && b.reached == "" && b.last != "" && b.reach == now:
		return true // likewise, by way of the Turn Record Track
	case stands && b.reached == hex && !old:
		d.ViolateField(field+".range", "EOTS-11.22.C-1", "the SLOC Proximity Range of %s has counted this turn, and "+
			"was reported last as %d, not %d: correct the report that is wrong", b.name, was, now)
		return false
	}
	d.Warn("a range of %d was reported from %s, and it is %d now: the SLOC Proximity Range is the base's "+
		"(EOTS-11.22.C-1)", was, hex, now)
	return true
}

// warnOfReach says of a range in a hex to which a base comes, or where it stands and none was reported, that it had
// another in the hex that it left.
func (d *decision) warnOfReach(b base, hex string, hexes int) {
	_, comes := d.awaited()
	if d.carries() && !comes && b.last != "" && b.reach != hexes {
		d.Warn("a range of %d was reported from %s, where %s stood, and one of %d from %s: the SLOC Proximity Range "+
			"is the base's, wherever it stands (EOTS-11.22.C-1)", b.reach, b.last, b.name, hexes, hex)
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
