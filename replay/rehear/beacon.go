package rehear

import (
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// Beacon is the mode of dice that a round of public randomness decides.
const Beacon = "beacon"

// Contested is the mode of dice that two links decide together: the host's, and that of a seat which does not roll.
const Contested = "contested"

// Round answers the rolls of a command from a round that has come, or from two links. Its first roll awaited it; those
// behind that, up to the next choice, take the same round. It answers nothing else.
type Round struct {
	Mode       string // [Beacon] or [Contested]
	Campaign   ulid.ULID
	Number     uint64 // 0 where links decide
	Randomness events.Hash
	First      uint64      // index of the event that declares the first roll
	Declared   events.Hash // its hash
	Rolls      int         // how many have taken the round
}

// Answer rolls.
func (r *Round) Answer(n rules.Need, _ uint64) (a rules.Answer, ok bool, err error) {
	if n.Roll == nil {
		return a, false, nil
	}
	if n.Roll.Mode, n.Roll.Round = r.Mode, r.Number; r.Rolls > 0 {
		n.Roll.First, n.Roll.Ordinal = r.First, r.Rolls
	}
	r.Rolls++
	a.Dice, err = r.Dice(n.Roll)
	return a, err == nil, err
}

// Dice are those of a roll that was declared to take the round.
func (r *Round) Dice(p *events.RollDeclared) ([][]int, error) {
	return thrown(chance.BeaconSeed(r.Randomness, r.Campaign, r.Declared, uint64(p.Ordinal)), p)
}

// mostDice is how many dice a roll has at most: more than any rule asks for.
const mostDice = 1 << 20

// thrown are the dice of a roll by a seed. A record that comes from elsewhere may declare what cannot be thrown.
func thrown(seed events.Hash, p *events.RollDeclared) (dice [][]int, err error) {
	s, left := chance.NewSampler(seed), mostDice
	for _, t := range p.Throws {
		if t.Sides < 2 || t.Sides > chance.MaxSides || t.Dice < 0 || t.Dice > left {
			return nil, fmt.Errorf("%s: %d dice of %d sides cannot be thrown", p.Purpose, t.Dice, t.Sides)
		}
		left -= t.Dice
		dice = append(dice, s.Throw(t))
	}
	return dice, nil
}
