package aar

import (
	"fmt"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// warnOfUnplaced says of units in a combat or a raid, of kinds that are counted together, that with those before in
// this TURN their power has fewer by the board's set-up and what it placed: they may be bought in this ROUND and not on
// the board yet, or not be there at all. Losses are not followed. Of a power that has placed none by a later ROUND
// nothing is known, nor of one to which the board gives none: its table keeps its units elsewhere (GEN-CARRY).
func (d *decision) warnOfUnplaced(power string, n, before int, what string, kinds ...string) {
	began := d.setUp(power)
	if len(began) == 0 {
		return
	}
	sum := func(of map[string]int) int {
		return rules.Sum(kinds, func(kind string) int { return of[kind] })
	}
	known, bought := sum(began)+sum(d.placed[power]), sum(d.bought[power])
	follows := len(d.placed[power]) > 0 || d.Turn.Ordinal == 1
	n += before
	part := fmt.Sprintf("%s of %s %s part", words.Count(n, what), power, words.Number(n, "takes", "take"))
	if before > 0 {
		part += " in this TURN"
	}
	switch {
	case n <= known:
	case bought > 0:
		d.Warn("%s, and %d that %s bought in this ROUND %s not placed yet: new units take no part before; if these "+
			"are others, no matter (GEN-CARRY)", part, bought, power, words.Number(bought, "is", "are"))
	case follows:
		d.Warn("%s, and %s has %d by the board's set-up and what it placed since: if these are there, no matter "+
			"(GEN-CARRY)", part, power, known)
	}
}

// setUp gives how many units of each kind a power begins with by the board: none where that has complexes alone.
func (d *decision) setUp(power string) map[string]int {
	file, err := d.Board.Power(power)
	if err != nil {
		return nil
	}
	began := map[string]int{}
	for name, n := range d.Board.SetUp(file) {
		if unit, known := d.kind(name); known && unit != industrialComplex {
			began[unit] += n
		}
	}
	return began
}

// warnOfFlown is [decision.warnOfUnplaced] for aircraft that AA guns fire at.
func (d *decision) warnOfFlown(power string, aircraft rules.Mapping[int]) {
	for _, m := range aircraft {
		d.warnOfUnplaced(power, m.Value, 0, m.Name, m.Name) // they may fly over several
	}
}
