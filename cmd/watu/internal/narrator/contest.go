package narrator

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

// contestText describes a contest of cards, play by play.
func contestText(e *events.Event, p events.Payload) document.Text {
	switch p := p.(type) {
	case *events.ContestOpened:
		subject := p.Subject
		if strings.EqualFold(subject, p.Kind) {
			subject = ""
		}
		return textf("%s: %s and %s may play %s cards%s.", title(p.Kind, p.Subject), p.Acting, p.Opposing, p.Deck,
			about(subject, p.Scope))
	case *events.CardPlayed:
		if p.As != "" {
			return textf("%s plays %s %s card as %s.", e.Side, article(p.Card), card(p.Card), card(p.As))
		}
		return textf("%s plays %s %s card.", e.Side, article(p.Card), card(p.Card))
	case *events.PlayCommitted:
		return textf("%s plays %s cards or none, under seal.", e.Side, p.Deck)
	case *events.CardNegated:
		return textf("%s negates the %s card that %s played (%s).", event(p.By), card(p.Card), e.Side, event(p.Played))
	case *events.Passed:
		return textf("%s plays no card.", e.Side)
	case *events.ContestSettled:
		return document.Concat(settledText(p))
	}
	return nil
}

func settledText(p *events.ContestSettled) string {
	text := fmt.Sprintf("%s: %s %s, %s %s", title(p.Kind, p.Subject), p.Acting,
		projections.CountUnits(p.ActingCards, "card"), p.Opposing, projections.CountUnits(p.OpposingCards, "card"))
	switch {
	case p.Advantage != "":
		text += fmt.Sprintf("; the advantage is with %s", p.Advantage)
	case len(p.Effects) == 0 && p.Modifier == 0:
		text += "; no advantage"
	}
	if p.Modifier != 0 {
		text += fmt.Sprintf(", %+d for %s", p.Modifier, p.Acting)
	}
	if len(p.Effects) > 0 {
		text += ": " + Figures(p.Effects)
	}
	return text + about("", p.Scope) + "."
}

// title is what a contest is called: its kind, unless its subject is the same name in full.
func title(kind, subject string) string {
	if strings.EqualFold(kind, subject) {
		return subject
	}
	return words.Sentence(kind)
}

// about names what a contest or roll is about, in brackets.
func about(subject string, scope []string) string {
	var parts []string
	if subject != "" {
		parts = append(parts, subject)
	}
	if len(scope) > 0 {
		parts = append(parts, strings.Join(scope, ", "))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ": ") + ")"
}

// card gives a card's type as people write it.
func card(name string) string {
	if len(name) <= 3 { // an abbreviation: ASW
		return strings.ToUpper(name)
	}
	return name
}

func article(name string) string {
	if name != "" && strings.Contains("aeio", name[:1]) {
		return "an"
	}
	return "a"
}
