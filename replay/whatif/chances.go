package whatif

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// chances answers rolls and draws with the dice and cards of the record wherever the same roll or draw is called for.
// It is the [replay.SimulatedChance] of a what-if.
type chances struct {
	seed      string                       // decides the dice and cards that the record does not have
	record    map[string][]*recordedChance // rolls and draws of each command, in order
	positions map[uint64][]int             // of the draws made, by the index of their declaration
	firsts    map[string]uint64            // the last of these, by the command that it is part of
	fresh     []uint64                     // declarations that the record has no answer to
	awaited   map[uint64]*recordedChance   // rolls that await a round of a beacon, by the index of their declaration

	// Of the command being heard, until it has ended.
	used  []*recordedChance
	drawn map[uint64][]int
	news  []uint64
}

// recordedChance is a roll or a draw of the record.
type recordedChance struct {
	side   string
	roll   *events.RollDeclared // nil for a draw
	dice   [][]int
	rolled []uint64     // index of the event of each throw
	fell   rules.Answer // by what, beside the dice: a link, or a round of a beacon

	draw  *events.DrawDeclared
	cards []string
	taken bool
	meant bool // the cards are those of a change
}

// newChances takes the rolls and draws from a record. Dice thrown at a table are typed in by commands.
func newChances(seed string, r *recordedCommands) *chances {
	o := &chances{seed: seed, record: map[string][]*recordedChance{}, positions: map[uint64][]int{},
		drawn: map[uint64][]int{}, awaited: map[uint64]*recordedChance{},
		firsts: map[string]uint64{}}
	declared := map[uint64]*recordedChance{}
	for i := range r.events {
		e := &r.events[i]
		if e.Corrects != 0 || e.Replaces != 0 {
			continue
		}
		switch e.Type {
		case "roll_declared", "draw_declared", "dice_rolled", "cards_drawn":
		default:
			continue
		}
		switch p, _ := events.PayloadOf(e); p := p.(type) {
		case *events.RollDeclared:
			if p.Mode != campaign.Attested {
				declared[e.Index] = &recordedChance{side: e.Side, roll: p}
				o.record[e.Command] = append(o.record[e.Command], declared[e.Index])
			}
		case *events.DrawDeclared:
			declared[e.Index] = &recordedChance{side: e.Side, draw: p}
			o.record[e.Command] = append(o.record[e.Command], declared[e.Index])
		case *events.DiceRolled:
			if was := declared[p.Declared]; was != nil {
				if len(was.rolled) == 0 { // the first throw says it for all
					was.fell = rules.Answer{Links: p.Links, Round: p.Round, Signature: p.Signature, Note: p.Note}
				}
				was.dice, was.rolled = append(was.dice, p.Dice), append(was.rolled, e.Index)
			}
		case *events.CardsDrawn:
			if was := declared[p.Declared]; was != nil {
				for _, c := range e.Commitments {
					was.cards = append(was.cards, r.known[events.Ref{Index: e.Index, Slot: c.Slot}].Fact)
				}
			}
		}
	}
	return o
}

// Source answers the rolls and draws of a command: from the record as far as that has them, and else from the chains,
// which grow from the seed. No chain of the campaign is named by what falls so.
func (o *chances) Source(j replay.Judgement, chain rehear.Chain) rules.Source {
	next := chain.Next
	chain.Next = func(name string) (events.Source, events.Hash, error) {
		s, link, err := next(name)
		s.Chain = o.seed + " " + s.Chain
		return s, link, err
	}
	chain.Contest = nil // what the record does not have falls at once
	j.Given = slices.Clip(j.Given)
	return &source{chances: o, Judgement: j, seeded: chain}
}

// source answers the needs of one command.
type source struct {
	*chances
	replay.Judgement
	seeded rehear.Chain
}

// Answer rolls or draws. Dice thrown at a table are asked for there.
func (r *source) Answer(n rules.Need, at uint64) (a rules.Answer, ok bool, err error) {
	if n.Choice != nil || n.Roll != nil && r.seeded.Attested {
		return r.seeded.Answer(n, at)
	}
	if r.awaits(n, at) {
		return a, false, nil
	}
	if a, ok, err = r.recall(n, at); !ok && err == nil {
		r.news = append(r.news, at)
		a, ok, err = r.seeded.Answer(n, at)
	}
	if r.Given = append(r.Given, a); a.Positions != nil {
		r.drawn[at] = a.Positions
	}
	return a, ok, err
}

// awaits declares a roll as the record does, if it awaited a round of a beacon there.
func (r *source) awaits(n rules.Need, at uint64) bool {
	was := r.same(r.Command.ID, n)
	if n.Roll == nil || was == nil || !was.awaits() {
		return false
	}
	r.take(was)
	r.awaited[at], r.firsts[r.Command.ID] = was, at
	n.Roll.Mode, n.Roll.Round = was.roll.Mode, was.roll.Round
	return true
}

// recall answers a need from the record.
func (r *source) recall(n rules.Need, at uint64) (a rules.Answer, ok bool, err error) {
	was := r.same(r.Command.ID, n)
	switch {
	case was == nil:
		return a, false, nil
	case n.Roll != nil:
		r.take(was)
		for _, l := range was.fell.Links {
			n.Roll.Sources = append(n.Roll.Sources, events.Source{Chain: l.Chain, Position: l.Position})
		}
		if first := r.firsts[r.Command.ID]; was.roll.First != 0 && first != 0 {
			n.Roll.Mode, n.Roll.Round = was.roll.Mode, was.roll.Round
			n.Roll.First, n.Roll.Ordinal = first, was.roll.Ordinal
		}
		a = was.fell
		a.Dice = was.dice
		return a, true, nil
	}
	positions, missing := dealt(layout(r.Judgement, n, at), was.cards)
	switch {
	case missing == "":
		r.take(was)
		n.Draw.Source = was.draw.Source
		return rules.Answer{Positions: positions}, true, nil
	case was.meant:
		err = fmt.Errorf("%w: the %s pool of %s does not hold these cards: it lacks a %s", ErrChange, n.Draw.Deck,
			n.Side, missing)
	}
	return a, false, err
}

func (o *chances) take(was *recordedChance) {
	was.taken = true
	o.used = append(o.used, was)
}

// same finds the first roll or draw of the record that is the one called for, and was not asked for
// yet: for the same purpose and subject, or else for the same purpose.
func (o *chances) same(command string, n rules.Need) *recordedChance {
	var like *recordedChance
	for _, was := range o.record[command] {
		switch {
		case was.taken || was.side != n.Side || (was.roll == nil) != (n.Roll == nil):
		case n.Draw != nil:
			if was.draw.Deck == n.Draw.Deck && was.draw.Count == n.Draw.Count && was.draw.PoolSize == n.Draw.PoolSize &&
				len(was.cards) == n.Draw.Count {
				return was
			}
		case was.roll.Purpose != n.Roll.Purpose || len(was.dice) != len(was.roll.Throws) && !was.awaits() ||
			!slices.EqualFunc(was.roll.Throws, n.Roll.Throws, sameDice):
		case was.roll.Subject == n.Roll.Subject && slices.EqualFunc(was.roll.Throws, n.Roll.Throws,
			func(a, b events.Throw) bool { return a.Name == b.Name }):
			return was
		case like == nil:
			like = was
		}
	}
	return like
}

// awaits reports whether the roll awaited a round of a beacon.
func (c *recordedChance) awaits() bool {
	return c.roll != nil && (c.roll.Mode == rehear.Beacon || c.roll.Mode == rehear.Contested) && c.roll.First == 0
}

// sameDice reports whether two throws are of the same dice.
func sameDice(a, b events.Throw) bool {
	return a.Dice == b.Dice && a.Sides == b.Sides && a.FromZero == b.FromZero
}

// Drawn gives the positions of a draw that was made here.
func (o *chances) Drawn(e *events.Event, _ *events.DrawDeclared) (rules.Answer, error) {
	positions, ok := o.positions[e.Index]
	if !ok {
		return rules.Answer{}, fmt.Errorf("the cards of #%d were drawn before what is played again", e.Index)
	}
	return rules.Answer{Positions: positions}, nil
}

// settle keeps what was answered for the command just heard, or takes it back if nothing came of it.
func (o *chances) settle(stands bool) {
	if stands {
		for index, positions := range o.drawn {
			o.positions[index] = positions
		}
		o.fresh = append(o.fresh, o.news...)
	} else {
		for _, was := range o.used {
			was.taken = false
		}
	}
	o.used, o.news = nil, nil
	clear(o.drawn)
}

// layout lays out the pool of a draw: it asks what would be drawn from each position.
func layout(j replay.Judgement, n rules.Need, declared uint64) []string {
	pool := make([]string, n.Draw.PoolSize)
	for from := 0; from < len(pool); from += n.Draw.Count {
		positions := make([]int, n.Draw.Count)
		for i := range positions {
			positions[i] = min(from, len(pool)-n.Draw.Count) + i + 1
		}
		answers := append(slices.Clone(j.Given), rules.Answer{Positions: positions})
		o, _ := rehear.Run(j.Before, j.Command, rules.Given(answers...), j.Place) // else the draw itself fails
		for _, d := range o.Drafts {
			if p, ok := d.Payload.(*events.CardsDrawn); ok && p.Declared == declared &&
				len(d.Secrets) == len(positions) {
				for i, s := range d.Secrets {
					pool[positions[i]-1], _ = s.Fact.Get()
				}
			}
		}
	}
	return pool
}

// dealt finds positions at which cards lie, each its own; missing is a card that is not there.
func dealt(layout, cards []string) (positions []int, missing string) {
	left := slices.Clone(layout)
	for _, card := range cards {
		i := slices.Index(left, card)
		if i < 0 || card == "" {
			return nil, card + " card"
		}
		left[i] = ""
		positions = append(positions, i+1)
	}
	return positions, ""
}
