package awaw

import (
	"fmt"

	"github.com/watu-ledger/watu/rules"
)

// DrawPhase is when cards are drawn.
type DrawPhase string

// The two times of a draw (48.21-B, 48.21-B2).
const (
	EndOfResearch    DrawPhase = "end_of_research"
	DeclarationOfWar DrawPhase = "declaration_of_war"
)

// DrawInput asks for a faction's draw. Positions count from 1 in the pool laid out in the
// order of [Cards]; whoever shuffles supplies them. A nil pool is the initial one.
type DrawInput struct {
	Faction       Faction   `json:"faction"`
	Phase         DrawPhase `json:"phase"`
	JapanUSAtWar  bool      `json:"japan_us_at_war"`
	AlreadyDrawn  bool      `json:"already_drawn_this_turn"`
	Pool          *Pool     `json:"pool"`
	DrawPositions []int     `json:"draw_positions"`
	Options       Options   `json:"options"`
}

// DrawOutcome is a hand and the pool behind it. PoolSize counts both.
type DrawOutcome struct {
	Deck       Deck   `json:"deck"`
	Drawn      []Card `json:"drawn"` // in the order of the positions
	Hand       Pool   `json:"hand"`
	LeftInPool Pool   `json:"left_in_pool"`
	PoolSize   int    `json:"pool_size"`
}

func (in DrawInput) pool() Pool {
	if in.Pool == nil {
		return InitialPool(in.Faction)
	}
	return *in.Pool
}

// CheckDraw finds what forbids the draw, without looking at positions: its time (48.21-B,
// 48.21-B2), a second one in the turn, an unlawful pool.
func CheckDraw(in DrawInput) rules.Findings {
	f := checkDrawTime(in)
	f.Add(CheckPool(in.Faction, in.pool(), in.Options))
	f.Add(checkDrawSize(in.pool().Size()))
	return f
}

func checkDrawTime(in DrawInput) (f rules.Findings) {
	who := in.Faction.Name()
	if in.Faction.Deck() == Ultra && in.Phase != EndOfResearch {
		f.ViolateField("phase", "AWAW-48.21-B",
			"%s draws Ultra cards as the research phase closes, not on a declaration of war", who)
	}
	// A draw on the declaration is itself the sign of the war.
	if in.Faction.Deck() == Magic && !in.JapanUSAtWar && in.Phase != DeclarationOfWar {
		f.ViolateField("phase", "AWAW-48.21-B2",
			"%s draws no Magic cards before Japan or the U.S. declares war on the other", who)
	}
	if in.AlreadyDrawn {
		if in.Faction.Deck() == Magic {
			f.Violate("AWAW-48.21-B2", "%s drew Magic cards this turn; the next draw comes in a later turn", who)
		}
		f.Violate("AWAW-48.21-B", "%s drew this turn; there is one draw a turn", who)
	}
	return f
}

func checkDrawSize(size int) (f rules.Findings) {
	if size < CardsDrawn {
		f.ViolateField("pool", "AWAW-48.21-B", "%d cards are drawn; the pool has %d", CardsDrawn, size)
	}
	return f
}

// Draw rules on a draw of four cards (48.21).
func Draw(in DrawInput) (DrawOutcome, rules.Findings) {
	f := CheckDraw(in)
	f.Add(checkPositions(in.pool().Size(), in.DrawPositions))
	if f.Refused() {
		return DrawOutcome{}, f
	}
	out := drawCards(in.pool(), in.DrawPositions)
	out.Deck = in.Faction.Deck()

	f.Cite("AWAW-48.21-A", "%s draws from its own %s pool", in.Faction.Name(), out.Deck.Name())
	if in.Pool == nil {
		consultInitial(&f, in.Faction, Cards()...)
		f.Cite("AWAW-48.23-A", "no card was added: the pool is the initial one of %d cards", out.PoolSize)
	}
	when := "as the research phase closes"
	if in.Phase == DeclarationOfWar {
		when = "on the declaration of war between Japan and the U.S."
	}
	rule := "AWAW-48.21-B"
	if out.Deck == Magic {
		rule = "AWAW-48.21-B2"
	}
	f.Cite(rule, "four cards of %d are drawn %s; %d stay in the pool", out.PoolSize, when, out.LeftInPool.Size())
	return out, f
}

// drawCards takes lawful positions out of a pool.
func drawCards(pool Pool, positions []int) DrawOutcome {
	out := DrawOutcome{Drawn: []Card{}, PoolSize: pool.Size(), LeftInPool: pool}
	for _, position := range positions {
		c, _ := pool.At(position)
		out.Drawn = append(out.Drawn, c)
		out.Hand = out.Hand.With(c, 1)
		out.LeftInPool = out.LeftInPool.With(c, -1)
	}
	return out
}

// checkPositions wants four distinct positions of a pool of so many cards.
func checkPositions(size int, positions []int) rules.Findings {
	var f rules.Findings
	if len(positions) != CardsDrawn {
		f.ViolateField("draw_positions", "AWAW-48.21-B", "exactly %d cards are drawn, not %d", CardsDrawn,
			len(positions))
	}
	for i, position := range positions {
		field := fmt.Sprintf("draw_positions[%d]", i)
		if position < 1 || position > size {
			f.ViolateField(field, "AWAW-48.21-B", "position %d draws no card: the pool has %d", position, size)
			f.ViolateField(field, rules.Input, "%s: %d is given, a position from 1 to %d is expected", field, position,
				size)
		}
		for _, earlier := range positions[:i] {
			if earlier == position {
				f.ViolateField(field, "AWAW-48.21-B", "position %d is drawn twice, so fewer than %d cards are drawn",
					position, CardsDrawn)
				f.ViolateField(field, rules.Input, "%s: %d is given twice, distinct positions are expected", field,
					position)
				break
			}
		}
	}
	return f
}
