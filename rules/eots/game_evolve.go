package eots

import (
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Evolve implements rules.Game. What it does not understand leaves the state as it was.
func (g game) Evolve(e *events.Event, _ []events.Opening) rules.Game {
	p, err := events.PayloadOf(e)
	if err != nil || p == nil {
		return g
	}
	g.options = rules.OptionsAfter(g.options, p)
	g.position = g.after(p)
	return g
}

// after is the position after an event.
func (g game) after(p events.Payload) position {
	if x, is := p.(*events.FactReported); is && x.Fact == factMarker && g.strict() && !g.begins() {
		// It shows what the record comes to, and goes on as a sum where it was one (AMB-EOTS-3).
		g.stopped = g.swm.sum(&rules.Findings{}) < lowestSWM
		return g.position
	}
	g.position = g.apply(p)
	if x, is := p.(*events.ResultAdjudicated); is && x.Procedure == procedureSubWarfare {
		b, _ := g.base(x.Subject)
		g.leaned = append(slices.Clip(g.leaned), InHalfRange(g.near(b.hex)))
	}
	return g.position
}

func (p position) apply(payload events.Payload) position {
	switch x := payload.(type) {
	case *events.TurnAdvanced:
		return p.begin(x)
	case *events.PhaseAdvanced:
		return p.enter(x.Phase, x.Player)
	case *events.FactReported:
		return p.report(x)
	case *events.HeadquartersReported:
		p.hqs = slices.Clone(p.hqs)
		if i := slices.IndexFunc(p.hqs, func(q events.HeadquartersReported) bool { return q.Name == x.Name }); i >= 0 {
			p.hqs[i] = *x
		} else {
			p.hqs = append(p.hqs, *x)
		}
		for _, far := range x.Distances {
			if p.gauged = rules.Put(p.gauged, far.Hex, true); x.Hex != "" {
				p.apart = rules.Put(p.apart, pairOf(x.Hex, far.Hex), far.Hexes)
			}
		}
	case *events.TargetsReported:
		p.targets = rules.Put(p.targets, x.Hex, *x)
		p.ranged = rules.Put(p.ranged, x.Hex, p.turn.Ordinal)
	case *events.BasePlaced:
		return p.place(x)
	case *events.BaseReplaced:
		return p.replace(x)
	case *events.BaseDisplaced:
		p.fought = p.fought || x.Cause == causeOccupied // ground combat needs a battle hex
		if x.Cause != causeOccupied {
			p.over, p.fled = true, append(slices.Clip(p.fled), x.Hex)
		}
		return p.leave(x.Base).withBase(x.Base, func(b *base) {
			b.hex, b.returns, b.occupied = "", uint64(max(0, x.Returns)), x.Cause == causeOccupied
			b.atStart = b.atStart && b.returns != p.turn.Ordinal // it comes in this turn's Reinforcement Phase
		})
	case *events.BaseAttacked:
		p.fought = true
		if x.Displaced {
			p = p.leave(x.Base)
		}
		return p.withBase(x.Base, func(b *base) {
			if b.attacked, b.hits = true, x.Hits; x.Displaced {
				b.hex, b.returns, b.occupied = "", uint64(max(0, x.Returns)), false
			}
		})
	default:
		return p.count(payload)
	}
	return p
}

// begin begins a turn: what counts by the turn starts anew.
func (p position) begin(x *events.TurnAdvanced) position {
	if p.first == 0 {
		p.first = x.Ordinal
	} else {
		p = p.moveMarker(yearSWM(x.Year) - yearSWM(p.year))
	}
	p.turn, p.year = events.Turn{Ordinal: x.Ordinal, Label: x.Label}, x.Year
	p.swm.Year = min(1945, max(1941, x.Year)) // the years of the table
	p = p.enter("", "")
	p.rolled, p.leaned, p.successes, p.tookASP, p.tookSWM, p.drew = nil, nil, 0, 0, 0, false
	for i := range p.bases { // entering the phase has made them new
		p.bases[i].atStart, p.bases[i].reached = p.bases[i].hex != "", ""
	}
	return p
}

// enter begins a phase, or an offensive: what counts by it starts anew.
func (p position) enter(phase, player string) position {
	p.phase, p.player, p.fought, p.over, p.atEnd, p.taken = phase, player, false, false, false, nil
	p.raids += once(phase == phaseOffensive && player == japan)
	p.bases = slices.Clone(p.bases)
	for i := range p.bases {
		p.bases[i].fled, p.bases[i].attacked, p.bases[i].moved = false, false, false
	}
	return p
}

func (p position) place(x *events.BasePlaced) position {
	if x.How == howEmergency {
		p.over, p.fled = true, append(slices.Clip(p.fled), x.From)
	}
	if x.How != howScenario && x.How != howCompensation {
		p.ground = rules.Put(p.ground, x.Hex, p.lets(x.Hex))
	}
	if x.Distance > 0 {
		p.apart = rules.Put(p.apart, pairOf(x.From, x.Hex), x.Distance)
	}
	return p.leave(x.Base).withBase(x.Base, func(b *base) {
		b.hex, b.from, b.occupied = x.Hex, x.From, false
		switch x.How {
		case howScenario:
			b.atStart = true
		case howRelocation:
			b.relocated, b.moved = p.turn.Ordinal, true
		case howEmergency:
			b.fled, b.escaped, b.flew = true, true, p.turn.Ordinal
		}
	})
}

// leave notes the range that was reported of a base in the hex that it leaves. One from before it came in the place of
// another is its own once it has counted.
func (p position) leave(name string) position {
	b, _ := p.base(name)
	t, known := p.targets[b.hex]
	if !known || p.ranged[b.hex] < p.changed && b.counted != b.hex {
		return p
	}
	return p.withBase(name, func(b *base) { b.last, b.reach = b.hex, t.Range })
}

// replace: the base that comes stands where the other stood, and may do what that one might
// (EOTS-11.21.B-4, B-5); one that joins waits to be placed.
func (p position) replace(x *events.BaseReplaced) position {
	p = p.withBase(x.Base, func(b *base) { b.name, b.from, b.counted, b.last = x.By, "", "", "" })
	if x.Joined != "" {
		p = p.withBase(x.Joined, func(b *base) { b.returns = p.turn.Ordinal })
	}
	p.changed = p.turn.Ordinal
	return p
}

// count applies what moves figures: facts, successes, cards.
func (p position) count(payload events.Payload) position {
	switch x := payload.(type) {
	case *events.ResultAdjudicated:
		return p.result(x)
	case *events.SuccessSpent:
		switch x.On {
		case takeASP:
			p.tookASP++
			return p.move(factASPs, -1)
		case takeSWM:
			p.tookSWM++
			p.swm.Reductions++
			return p.moveMarker(-1)
		}
	case *events.StrategyCardPlayed:
		return p.play(x)
	case *events.StrategyCardsDrawn:
		p.drew = true
	case *events.Compensated:
		return p.compensated(x)
	}
	return p
}

// move moves a reported number by what an entry does to it. Where its report was ruled void since there is none, and 0
// counts until there is one again.
func (p position) move(fact string, by int) position {
	if _, known := p.figures[fact]; !known {
		p.untold = rules.Put(p.untold, fact, true)
	}
	if by < 0 {
		p.moved = rules.Put(p.moved, fact, p.turn.Ordinal)
	}
	p.figures = rules.Put(p.figures, fact, max(0, p.figures[fact]+by))
	return p
}

func (p position) result(x *events.ResultAdjudicated) position {
	if _, there := p.base(x.Subject); there {
		p = p.withBase(x.Subject, func(b *base) { b.reached, b.counted = b.hex, b.hex })
	}
	switch x.Procedure {
	case procedureSubWarfare:
		if len(p.rolled) == 0 {
			p.segment = p.swm
		}
		p.rolled = append(slices.Clone(p.rolled), x.Subject)
		for _, r := range x.Readings {
			p.successes += once(r.Result == wordSuccess)
			if asps, known := p.figures[factASPs]; known && asps <= 1 && r.Result == wordSuccess && p.tookASP == 0 {
				p.capped = rules.Put(p.capped, factASPs, p.turn.Ordinal)
			}
		}
	case procedureTroopTransports:
		for _, f := range x.Figures {
			if f.Name == figureRemoved {
				p = p.move(factChina, -f.Value)
				if len(x.Readings) > 0 && x.Readings[0].Result != strconv.Itoa(f.Value) {
					p.capped = rules.Put(p.capped, factChina, p.turn.Ordinal)
				}
			}
		}
	}
	return p
}

func (p position) play(x *events.StrategyCardPlayed) position {
	p.played = rules.Put(p.played, x.Card, p.turn.Ordinal)
	row := ""
	switch x.Card {
	case interceptsCard:
		p.card5, p.atEnd = x.Event, x.AtEnd
	case cardFirstConvoyEscort:
		if !p.swm.FirstConvoyEscort { // whether it was played counts, not how often
			row = rowFirstConvoyEscort
		}
		p.swm.FirstConvoyEscort = true
	case cardGrandEscortCommand:
		if !p.swm.GrandEscortCommand {
			row = rowGrandEscortCommand
		}
		p.swm.GrandEscortCommand = true
	case cardSubmarineDoctrine:
		row = rowSubmarineDoctrine
		p.swm.NewSubmarineDoctrines++
	}
	if row == "" {
		return p
	}
	return p.moveMarker(swmTable.MustFigure(row, "SWM"))
}

func (p position) report(x *events.FactReported) position {
	switch x.Fact {
	case factHex:
		if slices.Contains(x.Names, wordLost) && !p.is(x.Subject, wordLost) {
			p.taken = append(slices.Clone(p.taken), x.Subject)
		}
		if slices.Contains(x.Names, wordFriendly) || slices.Contains(x.Names, wordLost) {
			p.fled = slices.DeleteFunc(slices.Clone(p.fled), func(hex string) bool { return hex == x.Subject })
		}
		p.hexes = rules.Put(p.hexes, x.Subject, x.Names)
		p.allied = rules.Put(p.allied, x.Subject, slices.Contains(x.Names, wordFriendly))
	case factLost:
		for _, hex := range p.lost {
			p.allied = rules.Put(p.allied, hex, false)
		}
		for _, hex := range x.Names {
			p.allied = rules.Put(p.allied, hex, true)
		}
		p.lost = x.Names
	case factMarker:
		marker := max(lowestSWM, x.Number)
		p.swm.Marker = &marker
	case factASPs, factChina:
		p.figures, p.untold = rules.Put(p.figures, x.Fact, x.Number), rules.Put(p.untold, x.Fact, false)
	}
	return p
}
