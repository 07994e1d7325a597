package awaw

import (
	"maps"
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Evolve implements rules.Game. What it does not understand leaves the state as it was.
func (g game) Evolve(e *events.Event, known []events.Opening) rules.Game {
	g.next = e.Index + 1
	p, err := events.PayloadOf(e)
	if err != nil {
		return g
	}
	switch p := p.(type) {
	case *events.CampaignOpened:
		return g.open(p)
	case *events.OptionRuled:
		g.options = maps.Clone(g.options)
		if g.options == nil {
			g.options = map[string]string{}
		}
		g.options[p.Option] = p.Value
	case *events.TurnAdvanced:
		g.turn = events.Turn{Ordinal: p.Ordinal, Label: p.Label}
		g.year, g.season = p.Year, p.Season
		g.player, g.stage, g.over, g.battles = "", "research", nil, nil
		for _, f := range Factions() {
			g = g.with(f, func(s *side) { s.drew = false })
		}
	case *events.PhaseAdvanced:
		return g.enter(p)
	case *events.FactReported:
		return g.report(p, e, known)
	case *events.WarDeclared:
		return g.declare(p, e)
	case *events.ResultAdjudicated:
		if p.Procedure == "awaw.harbor-attack" && e.Corrects == 0 {
			g.harbor = g.harbor.after(p)
		}
	case *events.ContestSettled:
		return g.settle(p, e)
	default:
		return g.evolveCards(e, p, known)
	}
	return g
}

// evolveCards applies what concerns one side's project, pool and hand.
func (g game) evolveCards(e *events.Event, p events.Payload, known []events.Opening) game {
	f, ok := factionNamed(e.Side)
	if !ok {
		return g
	}
	switch p := p.(type) {
	case *events.ResearchAllocated:
		n, _ := number(known, e.Commitments)
		return g.with(f, func(s *side) { s.points += n })
	case *events.ResultProduced:
		cost, _ := number(known, e.Commitments)
		return g.with(f, func(s *side) { s.points -= cost; s.year = p.Year; s.turn = g.turn.Ordinal })
	case *events.CardAdded:
		return g.with(f, func(s *side) {
			s.size = p.PoolSize
			if c, ok := cardNamed(told(known, e.Commitments, 0)); ok {
				s.pool = s.pool.With(c, 1)
			}
		})
	case *events.CardsDrawn:
		return g.with(f, func(s *side) {
			s.drew, s.hand = true, nil
			for i, c := range e.Commitments {
				card, _ := cardNamed(told(known, e.Commitments, i))
				s.hand = append(s.hand, held{drawn: events.Ref{Index: e.Index, Slot: c.Slot}, card: card})
			}
		})
	case *events.CardPlayed:
		return g.with(f, func(s *side) {
			for i := range s.hand {
				if s.hand[i].drawn == p.Drawn {
					s.hand[i].used = true
				}
			}
		})
	case *events.CardsReturned:
		return g.with(f, func(s *side) { s.hand, s.drew = nil, false })
	}
	return g
}

func (g game) open(p *events.CampaignOpened) game {
	g.options = map[string]string{}
	for _, o := range p.Options {
		g.options[o.Name] = o.Value
	}
	for _, pool := range p.Pools {
		f, ok := factionNamed(pool.Side)
		if !ok {
			continue
		}
		g = g.with(f, func(s *side) {
			s.pool = Pool{}
			for _, c := range pool.Cards {
				if card, ok := cardNamed(c.Card); ok {
					s.pool = s.pool.With(card, c.Count)
				}
			}
			s.size = s.pool.Size()
		})
	}
	return g
}

// enter begins a phase; leaving a player turn ends it.
func (g game) enter(p *events.PhaseAdvanced) game {
	if g.player != "" && g.player != p.Player && !slices.Contains(g.over, g.player) {
		g.over = append(slices.Clone(g.over), g.player)
	}
	g.player, g.stage = p.Player, p.Phase
	return g
}

func (g game) report(p *events.FactReported, e *events.Event, known []events.Opening) game {
	switch {
	case p.Fact == factControls:
		g.holds = maps.Clone(g.holds)
		if g.holds == nil {
			g.holds = map[string][]string{}
		}
		g.holds[p.Subject] = p.Names
		return g
	case p.Secret:
		n, ok := number(known, e.Commitments)
		f, named := factionNamed(p.Subject)
		if !ok || !named {
			return g
		}
		return g.with(f, func(s *side) { s.insight = n })
	}
	return g.withFact(p.Fact, p.Subject, p.Number)
}

func (g game) declare(p *events.WarDeclared, e *events.Event) game {
	by, _ := powerNamed(p.By)
	on, _ := powerNamed(p.On)
	w := war{by: by, on: on, turn: g.turn.Ordinal, level: p.Level}
	if old, at := g.war(by, on); at && e.Corrects != 0 {
		w.turn = old.turn // a corrected level does not move the declaration
	}
	g.wars = append(slices.DeleteFunc(slices.Clone(g.wars), func(old war) bool { return old.by == w.by && old.on == w.on }), w)
	return g
}

func (g game) settle(p *events.ContestSettled, e *events.Event) game {
	acting, _ := factionNamed(p.Acting)
	b := battle{index: p.Contest, kind: p.Kind, acting: acting, scope: p.Scope, modifier: p.Modifier}
	g.battles = slices.DeleteFunc(slices.Clone(g.battles), func(old battle) bool { return old.index == b.index })
	g.battles = append(g.battles, b)
	return g
}

// after counts a harbor attack: the initial German one does not modify later ones
// (AWAW-HA-INITIAL-2), but it too spends Germany's free attack.
func (r harborRecord) after(p *events.ResultAdjudicated) harborRecord {
	for _, f := range p.Figures {
		if f.Name == figureCounts && f.Value == 0 {
			r.initial = true
			return r
		}
	}
	r.made++
	return r
}

// told gives the fact behind the i-th commitment of an event, empty where the viewer does
// not know it.
func told(known []events.Opening, made []events.Commitment, i int) string {
	if i >= len(made) {
		return ""
	}
	for _, o := range known {
		if o.Slot == made[i].Slot {
			return o.Fact
		}
	}
	return ""
}

// number gives the number behind an event's only commitment.
func number(known []events.Opening, made []events.Commitment) (int, bool) {
	n, err := strconv.Atoi(told(known, made, 0))
	return n, err == nil && n >= -limit && n <= limit
}
