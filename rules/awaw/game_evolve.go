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
	p, err := events.PayloadOf(e)
	if err != nil {
		return g
	}
	g.options = rules.OptionsAfter(g.options, p)
	switch p := p.(type) {
	case *events.CampaignOpened:
		return g.open(p)
	case *events.TurnAdvanced:
		g.turn = events.Turn{Ordinal: p.Ordinal, Label: p.Label}
		g.year, g.season = p.Year, p.Season
		g.player, g.stage, g.over, g.battles, g.fought = "", "research", nil, rules.List[battle]{}, nil
		g.magic, g.located = nil, nil
		for _, f := range Factions() {
			g = g.with(f, func(s *side) { s.drew, s.draws, s.put = false, 0, rules.Fact(0) })
		}
	case *events.PhaseAdvanced:
		return g.enter(p)
	case *events.FactReported:
		return g.report(p, e, known)
	case *events.WarDeclared:
		g.wars = append(slices.Clone(g.wars), warOf(p, g.turn.Ordinal, e.Index))
	case *events.ResultAdjudicated:
		g = g.place(p, e.Index)
		switch p.Procedure {
		case procedureHarborAttack:
			g.harbor = g.harbor.enter(p)
			return g.spend(p, e.Index)
		case procedureSurprise:
			g.located = []LocatedCarrier{} // none is not the same as no attack
			for _, r := range p.Readings {
				g.located = append(g.located, LocatedCarrier{Name: r.Name, Location: Location(r.Result)})
			}
		case procedureSecondStrike:
			g.located = nil
		case procedureSubmarineWarfare:
			return g.noteWar(p).takeLosses(p, e.Side).resolve(combat{p.Subject, e.Side}, e.Index)
		}
	case *events.Compensated:
		return g.giveBack(p, e.Index)
	case *events.ContestSettled:
		return g.settle(p)
	case *events.ChoiceAsked:
		if p.Rule == ruleMissions {
			g.naming = e.Index
		}
		if p.Rule == "AWAW-HA-TARGETS" { // what he is asked of is shown
			g.shown = p.Options
		}
	case *events.ChoiceMade:
		if p.Asked == g.naming && g.naming > 0 {
			return g.intercept(p.Options)
		}
	default:
		return g.evolveCards(e, p, known)
	}
	return g
}

// resolve notes submarine warfare. More of the same side in the same box adds nothing.
func (g game) resolve(c combat, index uint64) game {
	if _, again := g.fought[c]; again {
		return g
	}
	fought := maps.Clone(g.fought)
	if fought == nil {
		fought = map[combat]uint64{}
	}
	fought[c] = index
	g.fought = fought
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
		n := number(known, e)
		return g.with(f, func(s *side) {
			s.points, s.put, s.seeks = rules.Plus(s.points, n), rules.Plus(s.put, n), true
		})
	case *events.ResultProduced:
		cost := number(known, e)
		return g.with(f, func(s *side) {
			s.points = rules.With(s.points, cost, func(had, cost int) int { return had - cost })
			s.year, s.turn, s.priced, s.seeks = p.Year, g.turn.Ordinal, s.insight, true
		})
	case *events.CardAdded:
		return g.with(f, func(s *side) {
			if s.size++; !rules.Carries(g.options) { // a card before it may be void since: it is in no pool then
				s.size = p.PoolSize
			}
			s.pool = rules.With(s.pool, card(known, e, 0), func(pool Pool, c Card) Pool { return pool.With(c, 1) })
		})
	case *events.DrawDeclared:
		g = g.with(f, func(s *side) { s.from = p.PoolSize })
		if p.Round != 0 {
			return g.with(f, func(s *side) { s.drew, s.draws, s.hand = true, e.Index, nil })
		}
	case *events.CardsDrawn:
		return g.with(f, func(s *side) {
			s.drew, s.draws, s.hand = true, 0, nil
			for i, c := range events.Cards(e) {
				s.hand = append(s.hand, held{drawn: events.Ref{Index: e.Index, Slot: c.Slot}, card: card(known, e, i)})
			}
		})
	case *events.CardPlayed:
		c, _ := cardNamed(p.Card)
		g.plays = g.plays.Append(play{index: e.Index, turn: g.turn, side: f, card: c, drawn: p.Drawn,
			contest: p.Contest})
		return g.with(f, func(s *side) {
			for i := range s.hand {
				if s.hand[i].drawn == p.Drawn {
					s.hand[i].used, s.hand[i].in = true, p.Contest
				}
			}
		})
	case *events.PlayCommitted:
		g.plays = g.plays.Append(play{index: e.Index, turn: g.turn, side: f})
	case *events.CardsReturned:
		return g.with(f, func(s *side) { s.hand, s.drew = nil, false })
	}
	return g
}

func (g game) open(p *events.CampaignOpened) game {
	g.byHand, g.arbiter = p.Hands != "", p.Arbiter != ""
	for _, pool := range p.Pools {
		f, ok := factionNamed(pool.Side)
		if !ok {
			continue
		}
		g = g.with(f, func(s *side) {
			var began Pool
			for _, c := range pool.Cards {
				if card, ok := cardNamed(c.Card); ok {
					began = began.With(card, c.Count)
				}
			}
			s.pool, s.size = rules.Fact(began), began.Size()
		})
	}
	return g
}

// enter begins a phase; leaving a player turn ends it.
func (g game) enter(p *events.PhaseAdvanced) game {
	if g.player != "" && g.player != p.Player && !slices.Contains(g.over, g.player) {
		g.over = append(slices.Clone(g.over), g.player)
	}
	if g.player != p.Player {
		g.magic = nil
	}
	g.player, g.stage = p.Player, p.Phase
	return g
}

// settle notes a contest, and that the first round after a Magic interception has been searched with it.
func (g game) settle(p *events.ContestSettled) game {
	b := battleOf(p)
	b.player, b.stage = g.player, g.stage
	g.battles = g.battles.Append(b)
	if b.kind != SearchContest.titleOf() || figure(p.Effects, figureFirstRound) == 0 {
		return g
	}
	open := slices.DeleteFunc(slices.Clone(g.magic), func(x interception) bool { return x.searched })
	against, found := g.searches(open, p.Subject)
	g.magic = rules.Each(g.magic, func(x interception) interception {
		x.searched = x.searched || found && g.same(x.mission, against.mission)
		return x
	})
	return g
}

// intercept notes the missions that the U.S. named, each once however many task forces meet it (48.63-E).
func (g game) intercept(missions []string) game {
	g.magic = nil
	for _, m := range missions {
		named := func(x interception) bool { return x.mission == m }
		if m != none && !slices.ContainsFunc(g.magic, named) {
			g.magic = append(g.magic, interception{mission: m})
		}
	}
	return g
}

func (g game) report(p *events.FactReported, e *events.Event, known []events.Opening) game {
	switch {
	case p.Fact == factControls:
		g.holds = rules.Put(g.holds, p.Subject, p.Names)
		return g
	case p.Fact == factHarborResults:
		g.stock, g.stocked = rules.Put(g.stock, p.Subject, p.Names), rules.Put(g.stocked, p.Subject, g.turn.Ordinal)
		return g
	case p.Fact == factCombatGroups:
		return g
	case p.Secret:
		f, ok := factionNamed(p.Subject)
		if !ok {
			return g
		}
		return g.with(f, func(s *side) { s.insight = number(known, e) })
	}
	return g.withFact(p.Fact, p.Subject, p.Number)
}

func warOf(p *events.WarDeclared, turn, index uint64) war {
	by, _ := powerNamed(p.By)
	on, _ := powerNamed(p.On)
	return war{by: by, on: on, turn: turn, index: index, level: p.Level}
}

func battleOf(p *events.ContestSettled) battle {
	acting, _ := factionNamed(p.Acting)
	return battle{index: p.Contest, kind: p.Kind, acting: acting, scope: p.Scope, modifier: p.Modifier,
		automatic: figure(p.Effects, figureAutomatic), settled: *p}
}

// figure is a figure of a list by its name, 0 where there is none.
func figure(list []events.Figure, name string) int {
	f, _ := figureNamed(list, name)
	return f.Value
}

func figureNamed(list []events.Figure, name string) (events.Figure, bool) {
	return rules.Find(list, func(f events.Figure) bool { return f.Name == name })
}

// disclosed reads the fact behind the i-th commitment of an event. One that does not read is as unknown as one that is
// sealed.
func disclosed[T any](known []events.Opening, e *events.Event, i int, read func(fact string) (T, bool)) rules.Known[T] {
	if i >= len(e.Commitments) { // the event says of nothing what it says
		return rules.Unknown[T](events.Ref{Index: e.Index})
	}
	slot := e.Commitments[i].Slot
	for _, o := range known {
		if o.Slot != slot {
			continue
		}
		if v, ok := read(o.Fact); ok {
			return rules.Fact(v)
		}
	}
	return rules.Unknown[T](events.Ref{Index: e.Index, Slot: slot})
}

// card is the card behind the i-th commitment of an event.
func card(known []events.Opening, e *events.Event, i int) rules.Known[Card] {
	return disclosed(known, e, i, cardNamed)
}

// number is the number behind an event's only commitment.
func number(known []events.Opening, e *events.Event) rules.Known[int] {
	return disclosed(known, e, 0, func(fact string) (int, bool) {
		n, err := strconv.Atoi(fact)
		return n, err == nil && n >= -rules.Limit && n <= rules.Limit
	})
}
