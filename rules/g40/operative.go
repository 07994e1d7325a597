package g40

import (
	"cmp"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// brokenBase is the damage from which on a base does not operate by the reading 3 of AMB-G40-4.
const brokenBase = 3

// operative reports whether a facility operates by a reading of AMB-G40-4. Before there was the option, and by the
// reading stated, it is as the facts say.
func operative(f events.Facility, reading string) bool {
	kind := Facility(f.Kind)
	switch {
	case reading == "" || reading == "stated":
		return !f.Inoperative
	case reading == "3" && !kind.complex():
		return f.Damage < brokenBase
	}
	return f.Damage < kind.Limit()
}

// operative reports whether a facility operates in this campaign.
func (g game) operative(f events.Facility) bool { return operative(f, g.Options[OptionOperative]) }

// reckoned reports whether it follows from its damage whether a facility operates.
func (g game) reckoned() bool {
	reading := g.Options[OptionOperative]
	return reading != "" && reading != "stated"
}

// settledOperative puts the option to the umpire where it is to be asked and the facility turns on it.
func (d *decision) settledOperative(f events.Facility) bool {
	return OptionList().SettledFor(d.Hearing, d.Command, d.Options,
		func(now map[string]string) any { return operative(f, now[OptionOperative]) }, OptionOperative)
}

// citeOperative says of a damaged facility that is used why it operates, or does not (AMB-G40-4).
func (d *decision) citeOperative(field string, s board.Space, f events.Facility) {
	switch kind := Facility(f.Kind); {
	case !d.reckoned() || f.Damage == 0:
	case d.operative(f):
		d.Cite("AMB-G40-4", "the %s in %s has %d of at most %d damage and operates", kind.title(), s.Name, f.Damage,
			kind.Limit())
	default:
		d.ViolateField(field, "AMB-G40-4",
			"the %s in %s has %d of at most %d damage: it operates again when enough is repaired, {repair: …}",
			kind.title(), s.Name, f.Damage, kind.Limit())
	}
}

// checkStated refuses a fact by which a facility operates, or does not, against its damage.
func (d *decision) checkStated(at string, f events.Facility, stated *bool) bool {
	if stated == nil || !d.reckoned() || d.Options[OptionOperative] == rules.Ask || *stated == d.operative(f) {
		return true
	}
	kind := Facility(f.Kind)
	now := map[bool]string{true: "operates", false: "does not operate"}[d.operative(f)]
	d.ViolateField(at, "AMB-G40-4",
		"with %d of at most %d damage the %s %s: leave operative out, or rule that it is as stated, "+
			"{rule: {option: %s, value: stated, reason: …}}", f.Damage, kind.Limit(), kind.title(), now,
		OptionOperative)
	return false
}

// site is a kind of facility in a territory.
type site struct{ territory, kind string }

func siteOf(territory, kind string) site { return site{territory, Facility(kind).kind()} }

// worked are the facilities whose damage an event makes, or takes off. From then on it is known (G40-SBR-AFTER).
func worked(p events.Payload) []site {
	switch p := p.(type) {
	case *events.FacilityDamaged:
		return []site{siteOf(p.Territory, p.Facility)}
	case *events.FacilityBuilt:
		return []site{siteOf(p.Territory, p.Facility)}
	case *events.FacilitiesRepaired:
		return rules.Each(p.Repairs, func(r events.Repair) site { return siteOf(r.Territory, r.Facility) })
	}
	return nil
}

// checkKnown refuses a report of facilities that states other damage than raids, rockets and repairs have left
// (G40-SBR-AFTER), or a major complex where its holder may have none (G40-IC-MAJOR).
func (d *decision) checkKnown(at string, s board.Space, reported []events.Facility) bool {
	if !rules.Carries(d.Options) {
		return true
	}
	if owner, holder := d.original(s), d.holder(s); rules.Strict(d.Options) && d.complexOf(s) != MajorComplex &&
		holder != owner && slices.Contains(d.Powers, holder) &&
		slices.ContainsFunc(reported, func(f events.Facility) bool { return f.Kind == string(MajorIC) }) {
		d.ViolateField(at, "G40-IC-MAJOR",
			"%s holds %s, which was %s at first, and has no major industrial complex there: report {minor ic: 0}, or "+
				"control first if that has changed", holder, s.Name, possessive(cmp.Or(owner, "nobody")))
		return false
	}
	if rules.Exact(d.Options) && d.reduced[s.Name] && d.complexOf(s) != MajorComplex &&
		slices.ContainsFunc(reported, func(f events.Facility) bool { return f.Kind == string(MajorIC) }) {
		d.ViolateField(at, "G40-IC-REDUCE",
			"%s fell in this campaign, and no major complex has been built there since: its original owner builds it, "+
				"{build: {power: %s, territory: %s, facility: major ic, cost: …}}", s.Name, d.original(s), s.Name)
		return false
	}
	for _, f := range d.standing(s) {
		own := siteOf(s.Name, f.Kind)
		damage := 0
		for _, o := range reported {
			if siteOf(s.Name, o.Kind) == own {
				damage = o.Damage
			}
		}
		if d.worked[own] && rules.Exact(d.Options) && slices.ContainsFunc(reported, func(o events.Facility) bool {
			return o.Kind != f.Kind && siteOf(s.Name, o.Kind) == own
		}) {
			d.ViolateField(at, "G40-IC-MAJOR",
				"the complex in %s is a %s by the raids, buildings and repairs on record: an entry build upgrades it; "+
					"if an entry was wrong, correct that entry", s.Name, Facility(f.Kind).title())
			return false
		}
		if d.worked[own] && damage != f.Damage {
			d.ViolateField(at, "G40-SBR-AFTER",
				"the %s in %s has %d damage by the raids, rockets and repairs on record, not %d: an entry "+
					"repair takes it off; if an entry was wrong, correct that entry", Facility(f.Kind).title(),
				s.Name, f.Damage,
				damage)
			return false
		}
	}
	return true
}

// complexOperates reports whether new units may appear at the complex of a territory: what is eliminated by damage
// produces nothing until it is repaired (G40-SBR-AFTER); f notes that. It is not settled while the umpire is asked.
// Before there was the option, damage did not matter here.
func (d *decision) complexOperates(at string, t board.Space, f *rules.Findings) (operates, settled bool) {
	if d.Options[OptionOperative] == "" {
		return true, true
	}
	for _, c := range d.standing(t) {
		if kind := Facility(c.Kind); kind.complex() {
			if !d.settledOperative(c) {
				return false, false
			}
			if !d.operative(c) {
				f.ViolateField(at, "G40-SBR-AFTER",
					"the %s in %s has %d of at most %d damage and does not operate: nothing appears there until "+
						"some is repaired", kind.title(), t.Name, c.Damage, kind.Limit())
				return false, true
			}
		}
	}
	return true, true
}
