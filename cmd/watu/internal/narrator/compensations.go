package narrator

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

// compensatedText says what the umpire gives or takes for what cannot be corrected, and why.
func compensatedText(p *events.Compensated) document.Text {
	text := textf("%s in compensation", givenText(p))
	if p.Dispute != 0 {
		text = textf("%s (dispute %s)", text, dispute(p.Dispute))
	}
	return textf("%s: %s", text, stop(p.Reason))
}

func givenText(p *events.Compensated) document.Text {
	amount := p.By
	if amount < 0 {
		amount = -amount
	}
	switch {
	case p.What == events.CompensatedTreasury:
		return document.Concat(receives(p, projections.CountUnits(amount, "IPC")))
	case p.What == events.CompensatedCard:
		return textf("%s back the %s card of %s", does(p.Of, "take"), card(p.Subject), event(p.Played))
	case p.What == events.CompensatedFactors:
		change := "restored"
		if p.By < 0 {
			change = "taken"
		}
		return textf("%s in the %s box %s %s", projections.CountUnits(amount, factor(p.Subject)), p.Of,
			words.Number(amount, "is", "are"), change)
	case p.What == events.CompensatedBase:
		return textf("%s goes back to the map", p.Subject)
	case p.Subject == "strategy cards":
		return document.Concat(receives(p, projections.CountUnits(amount, "Strategy Card")))
	case p.What == events.CompensatedFigure:
		return document.Concat(moved(p.Subject, p.By))
	}
	return textf("%s: %+d %s %s", p.Of, p.By, p.What, p.Subject)
}

// moved is a figure that goes up or down.
func moved(figure string, by int) string {
	text := words.Sentence(figure) + " go"
	if figure == "SWM" {
		text = "The SWM goes"
	}
	if by < 0 {
		return fmt.Sprintf("%s down by %d", text, -by)
	}
	return fmt.Sprintf("%s up by %d", text, by)
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
