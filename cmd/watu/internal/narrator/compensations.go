package narrator

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
)

// tellCompensated tells what the umpire gives or takes for what cannot be corrected, and why.
func tellCompensated(p *events.Compensated) string {
	said := givenText(p) + " in compensation"
	if p.Dispute != 0 {
		said += fmt.Sprintf(" (dispute #%d)", p.Dispute)
	}
	return said + ": " + stop(p.Reason)
}

func givenText(p *events.Compensated) string {
	amount := p.By
	if amount < 0 {
		amount = -amount
	}
	switch {
	case p.What == events.CompensatedTreasury:
		return receives(p, projections.Counted(amount, "IPC"))
	case p.What == events.CompensatedCard:
		return fmt.Sprintf("%s back the %s card of #%d", does(p.Of, "take"), card(p.Subject), p.Played)
	case p.What == events.CompensatedFactors:
		change := "restored"
		if p.By < 0 {
			change = "taken"
		}
		return fmt.Sprintf("%s in the %s box %s %s", projections.Counted(amount, factor(p.Subject)), p.Of,
			words.Number(amount, "is", "are"), change)
	case p.What == events.CompensatedBase:
		return fmt.Sprintf("%s goes back to the map", p.Subject)
	case p.Subject == "strategy cards":
		return receives(p, projections.Counted(amount, "Strategy Card"))
	case p.What == events.CompensatedFigure:
		return moved(p.Subject, p.By)
	}
	return fmt.Sprintf("%s: %+d %s %s", p.Of, p.By, p.What, p.Subject)
}

// moved is a figure that goes up or down.
func moved(figure string, by int) string {
	said := words.Sentence(figure) + " go"
	if figure == "SWM" {
		said = "The SWM goes"
	}
	if by < 0 {
		return fmt.Sprintf("%s down by %d", said, -by)
	}
	return fmt.Sprintf("%s up by %d", said, by)
}

// receives is who is given something, or gives it.
func receives(p *events.Compensated, what string) string {
	switch {
	case p.By < 0:
		return does(p.Of, "give") + " " + what
	case several(p.Of):
		return "The " + p.Of + " are given " + what
	}
	return p.Of + " is given " + what
}

// factor is one of a kind of factors.
func factor(kind string) string {
	if kind == "asw" {
		return "ASW factor"
	}
	return "submarine factor"
}
