package awaw

import (
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/rules"
)

// CardsDrawn is how many cards a faction draws a turn (48.21-B).
const CardsDrawn = 4

// typeLimit is how many cards of one type a pool may hold (48.242-D).
const typeLimit = 3

const prohibited = "Proh." // as table 48.23 prints it

// Pool counts the cards of each type in a faction's pool, or in a hand.
type Pool struct {
	Submarine int `json:"submarine"`
	ASW       int `json:"asw"`
	Tactical  int `json:"tactical"`
	Strategic int `json:"strategic"`
	Wild      int `json:"wild"`
	Blank     int `json:"blank"`
}

// InitialPool is the faction's pool at the start of the game: eight cards (48.23-A). It is
// empty for no faction.
func InitialPool(f Faction) Pool {
	var p Pool
	for _, c := range Cards() {
		n, err := strconv.Atoi(initialCell(f, c))
		if err == nil { // else prohibited: none
			p = p.With(c, n)
		}
	}
	return p
}

// Prohibited reports whether the faction may never have such a card (48.23).
func Prohibited(f Faction, c Card) bool { return initialCell(f, c) == prohibited }

// initialCell is the cell of table 48.23, whose rows and columns stand in the order of [Factions]
// and [Cards]; empty for what is no faction or card.
func initialCell(f Faction, c Card) string {
	row, column := slices.Index(Factions(), f), slices.Index(Cards(), c)
	if row < 0 || column < 0 {
		return ""
	}
	return initialPoolsTable.Rows[row].Cells[column]
}

// consultInitial notes that the faction's line of table 48.23 was read for these cards.
func consultInitial(found *rules.Findings, f Faction, cards ...Card) {
	row := initialPoolsTable.Rows[slices.Index(Factions(), f)].Label
	for _, c := range cards {
		found.Consult(TableInitialPools, row, initialPoolsTable.Columns[slices.Index(Cards(), c)])
	}
}

func (p *Pool) of(c Card) *int {
	switch c {
	case Submarine:
		return &p.Submarine
	case ASW:
		return &p.ASW
	case Tactical:
		return &p.Tactical
	case Strategic:
		return &p.Strategic
	case Wild:
		return &p.Wild
	case Blank:
		return &p.Blank
	}
	return new(int)
}

// Count is the number of cards of one type.
func (p Pool) Count(c Card) int { return *p.of(c) }

// With gives the pool with n more cards of one type.
func (p Pool) With(c Card, n int) Pool {
	*p.of(c) += n
	return p
}

// Size is the number of cards in the pool.
func (p Pool) Size() int {
	return p.Submarine + p.ASW + p.Tactical + p.Strategic + p.Wild + p.Blank
}

// At is the card at a position, from 1, of the pool laid out in the order of [Cards], and
// false if the pool has no such position.
func (p Pool) At(position int) (Card, bool) {
	if position < 1 {
		return "", false
	}
	for _, c := range Cards() {
		if position <= p.Count(c) {
			return c, true
		}
		position -= p.Count(c)
	}
	return "", false
}

// CheckPool finds what a faction's pool breaks: prohibited types, more than three of a type,
// fewer than it began with, an American wild card that is not one.
func CheckPool(f Faction, p Pool, o Options) rules.Findings {
	var found rules.Findings
	initial := InitialPool(f)
	for _, c := range Cards() {
		n, began := p.Count(c), initial.Count(c)
		if Prohibited(f, c) {
			if n > 0 {
				violateProhibited(&found, "pool", f, c)
			}
			continue
		}
		if n < began {
			found.ViolateField("pool", "AWAW-48.242-E", "%s began with %s and never discards one; the pool has %d",
				f.Name(), c.several(began), n)
		}
		if c == Wild && n != began { // 48.242-C: nobody selects one
			found.ViolateField("pool", "AWAW-48.242-C",
				"the American pool holds its one wild card always; here it has %d", n)
			if n > began { // 48.22-E: there is one
				found.ViolateField("pool", c.rule(), "there is one wild card, not %d", n)
			}
			continue
		}
		if limit, limited := typeMaximum(f, c, o); limited && n > limit {
			found.ViolateField("pool", "AWAW-48.242-D", "%s may hold at most %s; the pool has %d", f.Name(),
				c.several(limit), n)
		}
	}
	return found
}

// checkStanding checks a pool of a campaign. Blanks that it holds were added while the campaign allowed them, and stand
// under a later ruling that allows no more (AMB-AWAW-1).
func checkStanding(f Faction, p Pool) rules.Findings {
	return CheckPool(f, p, Options{BlankCards: "allowed"})
}

// typeMaximum is the largest number of cards of a type that the pool may hold. The initial
// blanks stand although they exceed three (AMB-AWAW-1); where blanks may be added they have
// no limit.
func typeMaximum(f Faction, c Card, o Options) (limit int, limited bool) {
	if c != Blank {
		return typeLimit, true
	}
	return max(typeLimit, InitialPool(f).Blank), o.BlankCards != "allowed"
}

// violateProhibited notes a card that the faction may never have: under the prohibition (48.23-B, 48.23-C, 48.23-D),
// and under the paragraphs that keep it from being selected (48.242-A, 48.242-B, 48.242-C) and say whose it is
// (48.22-A, 48.22-B, 48.22-E).
func violateProhibited(found *rules.Findings, field string, f Faction, c Card) {
	found.ViolateField(field, prohibitionRule(f), "%s may never have %s", f.Name(), c.one())
	found.ViolateField(field, selectionRule(c), "%s cannot have selected %s", f.Name(), c.one())
	found.ViolateField(field, c.rule(), "%s has no %s cards", f.Name(), c.Name())
}

// prohibitionRule is the paragraph of 48.23 with the faction's prohibited cards.
func prohibitionRule(f Faction) string {
	switch f {
	case EuropeanAxis:
		return "AWAW-48.23-B"
	case Britain:
		return "AWAW-48.23-C"
	}
	return "AWAW-48.23-D"
}

// selectionRule is the paragraph that keeps a card type from being selected.
func selectionRule(c Card) string {
	switch c {
	case ASW:
		return "AWAW-48.242-A"
	case Submarine:
		return "AWAW-48.242-B"
	}
	return "AWAW-48.242-C"
}
