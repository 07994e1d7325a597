package board

import "strconv"

// Price is what a unit costs a power, by the names of the file, as the production rules that the power has say; false
// where they do not.
func (b *Board) Price(power, unit string) (ipcs int, ok bool) {
	ipcs, ok = b.prices[sale{power, unit}]
	return ipcs, ok
}

// RepairPrice is what a power pays for a point of damage that is taken off a unit, likewise.
func (b *Board) RepairPrice(power, unit string) (ipcs int, ok bool) {
	ipcs, ok = b.repairPrices[sale{power, unit}]
	return ipcs, ok
}

// sale is who pays for which unit.
type sale struct{ power, unit string }

// deal is what a production rule gives, and for how much; none where it takes or gives anything but PUs and one unit.
type deal struct {
	unit           string
	ipcs           int
	costs, results int
	odd            bool
}

// prices takes what units cost, and what it costs to repair them.
func (s *settler) prices() {
	s.board.prices = s.sales("productionRule", "productionFrontier", "frontierRules", "playerProduction")
	s.board.repairPrices = s.sales("repairRule", "repairFrontier", "repairRules", "playerRepair")
}

// sales finds the rules that a power has: it has a frontier, and a frontier has rules. Of two rules for one unit the
// first counts.
func (s *settler) sales(rule, frontier, member, player string) map[sale]int {
	deals := s.deals(rule)
	sold := map[string][]deal{} // by frontier
	for _, e := range s.game[frontier+"/"+member] {
		if d, ok := deals[e.get("name")]; ok {
			sold[e.parent.get("name")] = append(sold[e.parent.get("name")], d)
		}
	}
	prices := map[sale]int{}
	for _, e := range s.game["production/"+player] {
		for _, d := range sold[e.get("frontier")] {
			if _, twice := prices[sale{e.get("player"), d.unit}]; !twice {
				prices[sale{e.get("player"), d.unit}] = d.ipcs
			}
		}
	}
	return prices
}

// deals are the rules of a kind, by name.
func (s *settler) deals(rule string) map[string]deal {
	read := map[*element]deal{}
	for _, e := range s.game[rule+"/cost"] {
		d := read[e.parent]
		n, err := strconv.Atoi(e.get("quantity"))
		d.ipcs, d.costs = n, d.costs+1
		d.odd = d.odd || err != nil || n < 0 || e.get("resource") != "PUs"
		read[e.parent] = d
	}
	for _, e := range s.game[rule+"/result"] {
		d := read[e.parent]
		d.unit, d.results = e.get("resourceOrUnit"), d.results+1
		d.odd = d.odd || e.get("quantity") != "1"
		read[e.parent] = d
	}
	deals := map[string]deal{}
	for _, e := range s.game["production/"+rule] {
		if d := read[e]; !d.odd && d.costs == 1 && d.results == 1 {
			deals[e.get("name")] = d
		}
	}
	return deals
}
