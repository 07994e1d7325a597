package g40

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// berth is where ships of a kind of a power lie.
type berth struct {
	post
	ship string
}

// capitalShips are the ships that take two hits (AMB-G40-6).
func capitalShips() []string { return []string{carrier, "battleship"} }

// wounds are the capital ships that have taken a hit, by their numbers at their berth, ascending.
type wounds map[berth][]int

// after applies an event to the wounds. Strikes are those last declared.
func (h wounds) after(p events.Payload, strikes []events.Strike) wounds {
	switch p := p.(type) {
	case *events.UnitsReported:
		for _, ship := range capitalShips() {
			at := berth{post{p.Power, p.Space}, ship}
			is := reported(h[at], countOf(p.Damaged, ship), countOf(p.Units, ship))
			if len(is) > 0 || len(h[at]) > 0 {
				h = rules.Put(h, at, is)
			}
		}
	case *events.UnitsLost: // struck where none was reported: of those at its berth a damaged one, if there is any
		for _, u := range p.Units {
			at := berth{post{p.Power, p.Space}, u.Name}
			if p.Cause == causeKamikaze && len(h[at]) > 0 && !slices.ContainsFunc(strikes,
				func(s events.Strike) bool { return s.Zone == p.Space && s.Owner == p.Power && s.Ship == u.Name }) {
				h = rules.Put(h, at, firstOf(len(h[at])-1))
			}
		}
	case *events.ResultAdjudicated:
		if p.Procedure == "g40.kamikaze" {
			return h.struck(p.Figures, strikes)
		}
	}
	return h
}

// sunkBy counts the damaged ships that reports took off the board in this TURN, after an event: those that a report
// leaves out with their hit, less those that one has anew.
func (g game) sunkBy(p events.Payload) map[force]int {
	sunk := g.sunk
	if r, ok := p.(*events.UnitsReported); ok {
		for _, ship := range capitalShips() {
			gone := countOf(g.unitsOf(r.Power, r.Space), ship) - countOf(r.Units, ship)
			hurt := len(g.damagedAt(r.Power, r.Space, ship)) - countOf(r.Damaged, ship)
			sunk = plus(sunk, force{r.Power, ship}, min(hurt, max(0, gone)))
		}
	}
	return sunk
}

// reported are the numbers of the damaged among some ships: as they were if as many are damaged, or else the first. No
// game has a hundred.
func reported(known []int, damaged, ships int) []int {
	damaged = max(0, min(damaged, ships, mostAircraft))
	if len(known) == damaged && (damaged == 0 || known[damaged-1] <= ships) {
		return known
	}
	return firstOf(damaged)
}

// firstOf are the numbers up to one.
func firstOf(n int) []int {
	var list []int
	for i := range n {
		list = append(list, i+1)
	}
	return list
}

// struck applies what kamikaze strikes did. Ships behind one that is sunk move up.
func (h wounds) struck(ships []events.Figure, strikes []events.Strike) wounds {
	var berths []berth
	sunk := map[berth][]int{}
	for _, f := range ships {
		i := slices.IndexFunc(strikes, func(s events.Strike) bool { return shipID(s) == f.Name })
		if i < 0 || !slices.Contains(capitalShips(), strikes[i].Ship) {
			continue
		}
		at, n := berth{post{strikes[i].Owner, strikes[i].Zone}, strikes[i].Ship}, strikes[i].Nth
		switch f.Text {
		case "damaged":
			if !slices.Contains(h[at], n) {
				h = rules.Put(h, at, slices.Sorted(slices.Values(append(slices.Clone(h[at]), n))))
			}
		case "sunk":
			berths, sunk[at] = append(berths, at), append(sunk[at], n)
		}
	}
	for i, at := range berths {
		if slices.Contains(berths[:i], at) {
			continue
		}
		var left []int
		for _, n := range h[at] {
			if !slices.Contains(sunk[at], n) {
				left = append(left, n-rules.Count(sunk[at], func(s int) bool { return s < n }))
			}
		}
		h = rules.Put(h, at, left)
	}
	return h
}

// damagedAt are the numbers of the capital ships of a power in a sea zone that have taken a hit. Where the record does
// not carry, an entry says which they are.
func (g game) damagedAt(power, zone, ship string) []int {
	if !rules.Carries(g.Options) {
		return nil
	}
	return g.wounds[berth{post{power, zone}, ship}]
}

// fleet counts the ships of a kind that a power has, as far as they are known, and those of them that have taken a hit.
func (g game) fleet(power, ship string) (ships, damaged int) {
	for _, s := range g.Board.Spaces() {
		hurt := len(g.damagedAt(power, s.Name, ship))
		ships += max(hurt, countOf(g.unitsOf(power, s.Name), ship))
		damaged += hurt
	}
	return ships, damaged
}
