package aar

import (
	"cmp"
	"slices"
)

// A bound on what submarines can take. Put a price on each of them, any price from 0 on. Let
// every complex take those that leave it the most, that is, what they take of its room
// above their prices, without a thought for the others: two may well take the same one. Then
//
//	the prices of all submarines + what every complex is left with
//
// is at least the damage of any allocation: the damage at a complex is the prices of those sent
// there and what they leave it above them, the latter is no more than the most, and nobody is
// sent twice. So any prices serve, and good ones bound closely. They are found by haggling: a
// submarine that several want gets dearer, one that nobody wants cheaper.

// unit is one IPC in the coin of the prices, in which halves and thirds are whole; dearest is
// the price above which nobody takes a submarine.
const (
	unit    coins = 55440
	dearest       = 3 * unit
)

type coins int64

// position is the submarines still to be allocated, by kinds, and the rooms left.
type position struct {
	kinds [][]target // submarines with the same targets are of one kind
	count []int      // how many there are of each
	bids  [][]bid    // of each complex: the kinds that reach it
	rooms []int
}

// bid is what a submarine of a kind is worth to a complex.
type bid struct{ kind, ipcs int }

// enlist adds a submarine and gives its kind.
func (p *position) enlist(targets []target) int {
	k := slices.IndexFunc(p.kinds, func(other []target) bool { return slices.Equal(other, targets) })
	if k < 0 {
		k = len(p.kinds)
		p.kinds, p.count = append(p.kinds, targets), append(p.count, 0)
		for _, t := range targets {
			p.bids[t.complex] = append(p.bids[t.complex], bid{k, t.ipcs})
		}
	}
	p.count[k]++
	return k
}

// bound is what the position can yield at most by these prices, in coins. It counts in wanted,
// unless that is nil, how many of each kind the complexes take.
func (p *position) bound(price []coins, wanted []int) coins {
	var sum coins
	for k, n := range p.count {
		sum += coins(n) * price[k]
	}
	for c, bids := range p.bids {
		if len(bids) > 0 {
			sum += p.profit(c, price, wanted)
		}
	}
	return sum
}

// profit is the most that a complex can be left with. Of those worth the same it takes the
// cheapest, so all there is to try is how many of the near ones it takes; the room that they
// leave goes to the far ones, worth 1 each, that cost less than that.
func (p *position) profit(c int, price []coins, wanted []int) coins {
	slices.SortFunc(p.bids[c], func(a, b bid) int {
		return cmp.Or(b.ipcs-a.ipcs, cmp.Compare(price[a.kind], price[b.kind]), a.kind-b.kind)
	})
	split := 0
	for split < len(p.bids[c]) && p.bids[c][split].ipcs > 1 {
		split++
	}
	near, far := p.bids[c][:split], p.bids[c][split:]
	var memory [32]coins
	gains := append(memory[:0], 0) // of so many far ones
	for _, b := range far {
		for n := p.count[b.kind]; n > 0 && price[b.kind] < unit && len(gains) <= p.rooms[c]; n-- {
			gains = append(gains, gains[len(gains)-1]+unit-price[b.kind])
		}
	}
	room, taken, sum := p.rooms[c], 0, coins(0)
	nears, fars := 0, len(gains)-1
	best := gains[fars]
	for _, b := range near {
		for n := p.count[b.kind]; n > 0 && room > 0; n-- {
			took := min(b.ipcs, room)
			room -= took
			sum += coins(took)*unit - price[b.kind]
			taken++
			if y := min(room, len(gains)-1); sum+gains[y] > best {
				best, nears, fars = sum+gains[y], taken, y
			}
		}
	}
	if wanted != nil {
		p.want(near, nears, wanted)
		p.want(far, fars, wanted)
	}
	return best
}

// want counts the first n submarines of a row of bids.
func (p *position) want(bids []bid, n int, wanted []int) {
	for _, b := range bids {
		k := min(n, p.count[b.kind])
		wanted[b.kind] += k
		n -= k
	}
}
