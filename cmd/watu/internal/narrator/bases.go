package narrator

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/rules"
)

// basesText describes where bases stand, what befalls them, and what they do to the other side's cards.
func basesText(e *events.Event, p events.Payload) string {
	switch p := p.(type) {
	case *events.HeadquartersReported:
		return headquartersText(p)
	case *events.TargetsReported:
		return targetsText(p)
	case *events.BasePlaced:
		return placedText(p)
	case *events.BaseDisplaced:
		return fmt.Sprintf("%s leaves hex %s: %s. It may return on Turn %d.", p.Base, p.Hex, p.Cause, p.Returns)
	case *events.BaseAttacked:
		return baseAttackText(p)
	case *events.BaseReplaced:
		where := "off the map"
		if p.Hex != "" {
			where = "in hex " + p.Hex
		}
		text := fmt.Sprintf("%s replaces %s %s", p.By, p.Base, where)
		if p.Joined != "" {
			text += fmt.Sprintf(", and a new %s arrives", p.Joined)
		}
		return text + "."
	case *events.SuccessSpent:
		return successText(p)
	case *events.StrategyCardPlayed:
		return fmt.Sprintf("%s card %d: %s", does(e.Side, "play"), p.Card, stop(p.Event))
	case *events.StrategyCardsDrawn:
		return strategyDrawText(e, p)
	}
	return ""
}

func strategyDrawText(e *events.Event, p *events.StrategyCardsDrawn) string {
	text := fmt.Sprintf("%s %s", does(e.Side, "draw"), projections.CountUnits(p.Draw, "Strategy Card"))
	if p.Draw == p.Base {
		return text + "."
	}
	var cut []string
	if p.Submarines != 0 {
		cut = append(cut, fmt.Sprintf("submarines cut %d", p.Submarines))
	}
	if p.Bombers != 0 {
		cut = append(cut, fmt.Sprintf("bombers cut %d", p.Bombers))
	}
	if text += fmt.Sprintf(" of %d", p.Base); len(cut) > 0 {
		text += ": " + and(cut)
	}
	return text + "."
}

func headquartersText(p *events.HeadquartersReported) string {
	text := fmt.Sprintf("Reported: HQ %s", p.Name)
	if p.Hex != "" {
		text += " in hex " + p.Hex
	}
	text += fmt.Sprintf(", range %d", p.Range)
	if p.Idle {
		text += ", unable to activate"
	}
	far := rules.Each(p.Distances, func(d events.Distance) string { return fmt.Sprintf("%d to %s", d.Hexes, d.Hex) })
	if len(far) > 0 {
		text += "; distances in hexes: " + and(far)
	}
	return text + "."
}

func targetsText(p *events.TargetsReported) string {
	within := 0
	for _, t := range p.Targets {
		if t.Distance <= p.Range {
			within++
		}
	}
	return fmt.Sprintf("Reported: a base in hex %s reaches %s: %d of %s %s within.", p.Hex,
		words.CountOf(p.Range, "hex", "hexes"), within, projections.CountUnits(len(p.Targets), "target"),
		words.Number(within, "lies", "lie"))
}

func placedText(p *events.BasePlaced) string {
	if p.Distance > 0 {
		return fmt.Sprintf("%s goes %s from hex %s to hex %s (%s).", p.Base, words.CountOf(p.Distance, "hex", "hexes"),
			p.From, p.Hex, p.How)
	}
	if p.From != "" {
		return fmt.Sprintf("%s goes from hex %s to hex %s (%s).", p.Base, p.From, p.Hex, p.How)
	}
	return fmt.Sprintf("%s is placed in hex %s (%s).", p.Base, p.Hex, p.How)
}

func baseAttackText(p *events.BaseAttacked) string {
	text := fmt.Sprintf("%s in hex %s takes %s", p.Base, p.Hex, projections.CountUnits(p.Hits, "hit"))
	if p.Critical {
		text += " with a Critical Hit"
	}
	if p.Displaced {
		return text + fmt.Sprintf(" and is displaced. It may return on Turn %d.", p.Returns)
	}
	return text + fmt.Sprintf("; %d would displace it.", p.Needed)
}

func successText(p *events.SuccessSpent) string {
	switch p.On {
	case "asp":
		return fmt.Sprintf("The success of %s costs an ASP as well: %d %s left.", p.Base, p.Shipping,
			words.Number(p.Shipping, "is", "are"))
	case "swm":
		return fmt.Sprintf("The success of %s lowers the SWM as well: it is %+d now.", p.Base, p.Modifier)
	}
	return fmt.Sprintf("The success of %s costs cards alone.", p.Base)
}
