package g40

import (
	"encoding/json"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// party is a number of aircraft, and which they are; without units that was not said.
type party struct {
	n     int
	units []events.Unit
}

// partyGiven reads how many of some aircraft are meant: a number, or a mapping by kind. A number leaves the kinds open
// where both kinds flew; then it is refused where the record carries on which they are.
func (d *decision) partyGiven(field string, raw json.RawMessage, of []events.Unit, least int) (party, bool) {
	var p party
	var given rules.Mapping[int]
	switch {
	case json.Unmarshal(raw, &p.n) == nil:
		return d.kindsOf(field, p.n, of, least)
	case json.Unmarshal(raw, &given) != nil || len(given) == 0:
		d.ViolateField(field, rules.Input, "write how many aircraft: 2, or by kind: {fighter: 1, tactical bomber: 1}")
		return p, false
	case !rules.Check(d, field, &given, `of:"unit" least:"0" most:"100"`):
		return p, false
	}
	for _, u := range unitsOf(given) {
		if there := countOf(of, u.Name); u.Count > there {
			d.ViolateField(field, rules.Input, "there %s %s to land, not %d", words.Number(there, "is", "are"),
				noneOr(there, u.Name), u.Count)
			return p, false
		}
		p.units = append(p.units, u)
		p.n += u.Count
	}
	return p, true
}

// kindsOf gives a number of some aircraft their kinds.
func (d *decision) kindsOf(field string, n int, of []events.Unit, least int) (party, bool) {
	kinds := slices.DeleteFunc(slices.Clone(of), func(u events.Unit) bool { return u.Count == 0 })
	switch {
	case n < least || n > mostAircraft:
		return party{n: n}, d.InRange(field, n, least, mostAircraft)
	case n == 0:
		return party{}, true
	case n == count(of):
		return party{n, kinds}, true
	case len(kinds) == 1:
		return party{n, []events.Unit{{Name: kinds[0].Name, Count: n}}}, true
	case n < count(of) && rules.Carries(d.Options):
		d.ViolateField(field, rules.Input,
			"%d of fighters and tactical bombers: say which, {fighter: %d}, {tactical bomber: %d} or some of both", n,
			n, n)
		return party{}, false
	}
	return party{n: n}, true
}

// count is how many units are in a list.
func count(units []events.Unit) int {
	return rules.Sum(units, func(u events.Unit) int { return u.Count })
}
