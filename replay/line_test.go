package replay_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
)

// line tells an event in a line that reads like play: index, type, side, what matters, and the
// rules applied.
func line(e *events.Event) string {
	p, err := events.PayloadOf(e)
	if err != nil {
		return err.Error()
	}
	s := fmt.Sprintf("%d %s", e.Index, strings.ReplaceAll(string(e.Type), "_", " "))
	if e.Side != "" {
		s += " (" + e.Side + ")"
	}
	if e.Seat != campaign.UmpireSeat {
		s += " by " + e.Seat
	}
	if text := essentials(p); text != "" {
		s += ": " + text
	}
	for _, c := range e.Commitments {
		s += " {" + c.Slot + "}"
	}
	for _, o := range e.Openings {
		s += fmt.Sprintf(" {%d %s = %s}", o.Index, o.Slot, o.Fact)
	}
	if e.Corrects != 0 {
		s += fmt.Sprintf(" corrects %d", e.Corrects)
	}
	if e.Replaces != 0 {
		s += fmt.Sprintf(" replaces %d", e.Replaces)
	}
	if ids := citations(e); len(ids) > 0 {
		s += " [" + strings.Join(ids, " ") + "]"
	}
	return s
}

// citations are the rules of the derivation, each once, without the system's prefix.
func citations(e *events.Event) []string {
	var ids []string
	for _, c := range e.Derivation {
		if id := ruleNumber(c.Rule); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func essentials(p events.Payload) string {
	switch p := p.(type) {
	case *events.CampaignOpened:
		return p.System + " edition " + p.Edition
	case *events.EpochBegun:
		return p.Reason
	case *events.TurnAdvanced:
		return p.Label
	case *events.PhaseAdvanced:
		return p.Player + " " + p.Phase
	case *events.FactReported:
		return fact(p)
	case *events.ResearchAllocated:
		return p.Project
	case *events.ResultProduced:
		return fmt.Sprintf("%s %d", p.Project, p.Year)
	case *events.WarDeclared:
		return fmt.Sprintf("%s on %s, USJT %d", p.By, p.On, p.Level)
	case *events.CardAdded:
		return fmt.Sprintf("%s, %d cards", p.Deck, p.PoolSize)
	case *events.DrawDeclared:
		return fmt.Sprintf("%d of %d %s cards, %s", p.Count, p.PoolSize, p.Deck, source(p.Source))
	case *events.CardsDrawn, *events.PlayCommitted:
		return ""
	case *events.CardsReturned:
		return fmt.Sprintf("%d %s cards", p.Count, p.Deck)
	case *events.RollDeclared:
		return roll(p)
	case *events.DiceRolled, *events.DiceTyped, *events.DiceDenied:
		return dice(p)
	case *events.ResultAdjudicated:
		return result(p)
	}
	for _, words := range []func(events.Payload) string{contest, money, operation, ground, battle, bases, dispute} {
		if text := words(p); text != "" {
			return text
		}
	}
	return ""
}

func dice(p events.Payload) string {
	switch p := p.(type) {
	case *events.DiceRolled:
		s := fmt.Sprintf("%s %v", p.Throw, p.Dice)
		if p.Typed != "" {
			s += fmt.Sprintf(", typed by %s, confirmed by %s, %d links", p.Typed, p.Confirmed, len(p.Links))
		}
		return s
	case *events.DiceTyped:
		var throws []string
		for _, f := range p.Fell {
			throws = append(throws, fmt.Sprintf("%s %v", f.Throw, f.Dice))
		}
		return fmt.Sprintf("of %d: %s", p.Declared, strings.Join(throws, ", "))
	case *events.DiceDenied:
		return fmt.Sprintf("of %d: %s", p.Declared, p.Reason)
	}
	return ""
}

// contest tells what has to do with cards and questions.
func contest(p events.Payload) string {
	switch p := p.(type) {
	case *events.ContestOpened:
		return strings.TrimSuffix(fmt.Sprintf("%s, %s against %s, %s", p.Kind, p.Acting, p.Opposing,
			subject(p.Subject, p.Scope)), ", ")
	case *events.CardPlayed:
		if p.As != "" {
			return p.Card + " as " + p.As
		}
		return p.Card
	case *events.CardNegated:
		return fmt.Sprintf("%s of %d by %d", p.Card, p.Played, p.By)
	case *events.ContestSettled:
		s := fmt.Sprintf("%s %d to %d, %+d", p.Kind, p.ActingCards, p.OpposingCards, p.Modifier)
		if p.Advantage != "" {
			s += " for " + p.Advantage
		}
		return s + figures(p.Effects)
	case *events.ChoiceAsked:
		return fmt.Sprintf("%s (%s)", p.Question, strings.Join(p.Options, " / "))
	case *events.ChoiceMade:
		return strings.Join(p.Options, " + ")
	case *events.Referred:
		return p.Option + ": " + p.Question
	case *events.OptionRuled:
		return fmt.Sprintf("%s is %s, was %s: %s", p.Option, p.Value, p.Was, p.Reason)
	case *events.Opened:
		return fmt.Sprintf("%d %s is %s: %s", p.Event, p.Slot, p.Fact, p.Reason)
	case *events.Corrected:
		s := fmt.Sprintf("%s, %s: %s", p.Command, p.Code, p.Reason)
		for _, c := range p.Changes {
			s += fmt.Sprintf("; %s was %s, now %s", c.Field, c.Was, c.Now)
		}
		if len(p.Voids) > 0 {
			s += fmt.Sprintf("; voids %v", p.Voids)
		}
		if p.Dice != "" {
			s += "; dice " + p.Dice
		}
		return s
	case *events.Voided:
		return fmt.Sprintf("%s: %v, %s: %s", p.Command, p.Events, p.Code, p.Reason)
	}
	return ""
}

// money tells what has to do with convoys and treasuries.
func money(p events.Payload) string {
	switch p := p.(type) {
	case *events.SubmarinesReported:
		var boats []string
		for _, b := range p.Submarines {
			boats = append(boats, fmt.Sprintf("%s in %s", b.Name, b.Zone))
		}
		return strings.Join(boats, ", ")
	case *events.EconomicAttackMade:
		return fmt.Sprintf("%s on %s of %s: %d of %d, after %d of %d", p.Kind, p.Territory, p.Victim, p.Damage,
			p.Rolled, p.Before, p.Limit)
	case *events.ConvoyRaided:
		s := fmt.Sprintf("%s of %s in %s, at %d from %s: %d of %d", p.Submarine, p.Owner, p.Zone, p.Distance,
			p.Territory, p.Damage, p.Reach)
		if p.Cap != "" {
			s += fmt.Sprintf(", at most %d by %s", p.Limit, strings.TrimPrefix(p.Cap, "AAR-"))
		}
		if p.Declared {
			s += ", declared"
		}
		return s
	case *events.IncomeCollected:
		s := fmt.Sprintf("%d - %d = %d, in hand %d", p.Base, p.Damage, p.Net, p.Treasury)
		if p.Bonus != 0 {
			s = fmt.Sprintf("%d + %d - %d = %d, in hand %d", p.Base, p.Bonus, p.Damage, p.Net, p.Treasury)
		}
		if p.Typed {
			s += fmt.Sprintf("; base typed, %d on the board", p.Board)
		}
		return s
	case *events.UnitsPurchased:
		s := fmt.Sprintf("%d, in hand %d", p.Cost, p.Treasury)
		for _, u := range p.Units {
			s += fmt.Sprintf("; %d %s", u.Count, u.Name)
		}
		return s
	}
	return ""
}

func fact(p *events.FactReported) string {
	s := strings.TrimSuffix(p.Fact+" of "+p.Subject, " of ")
	switch {
	case p.Secret:
		return s
	case p.Names != nil || slices.Contains([]string{"controls", "control", "submerged", "techs", "used", "new"},
		p.Fact):
		return s + ": " + strings.Join(p.Names, ", ")
	}
	return fmt.Sprintf("%s: %d", s, p.Number)
}

func subject(name string, scope []string) string {
	if name != "" {
		return name
	}
	return strings.Join(scope, " + ")
}

func source(s events.Source) string { return fmt.Sprintf("link %d of %s", s.Position, s.Chain) }

func roll(p *events.RollDeclared) string {
	var throws []string
	for _, t := range p.Throws {
		s := fmt.Sprintf("%s %dd%d%+d", t.Name, t.Dice, t.Sides, t.Modifier)
		if len(t.Rows) > 0 {
			s += fmt.Sprintf(" on %v", t.Rows)
		}
		throws = append(throws, s)
	}
	s := fmt.Sprintf("%s, %s: %s", p.Purpose, p.Subject, strings.Join(throws, ", "))
	for _, m := range p.Modifiers {
		s += fmt.Sprintf("; %s %+d %s", m.Name, m.Value, strings.TrimPrefix(m.Rule, "AWAW-"))
	}
	for _, l := range p.Sources {
		s += "; " + source(l)
	}
	return strings.TrimSuffix(s+"; "+p.Mode, "; ")
}

func result(p *events.ResultAdjudicated) string {
	var readings []string
	for _, r := range p.Readings {
		s := fmt.Sprintf("%s %d%+d", r.Name, r.Total, r.Modified-r.Total)
		if r.Column != "" {
			s += ", column " + r.Column
		}
		readings = append(readings, s+": "+r.Result)
	}
	s := fmt.Sprintf("%s, %s at %+d", p.Procedure, p.Subject, p.Net)
	if p.Contest != 0 {
		s += fmt.Sprintf(" with contest %d", p.Contest)
	}
	return s + "; " + strings.Join(readings, "; ") + figures(p.Figures)
}

func figures(list []events.Figure) string {
	s := ""
	for _, f := range list {
		if f.Text != "" {
			s += fmt.Sprintf("; %s %s", f.Name, f.Text)
			continue
		}
		s += fmt.Sprintf("; %s %d", f.Name, f.Value)
	}
	return s
}

// bases tells what has to do with bases on a map of hexes.
func bases(p events.Payload) string {
	switch p := p.(type) {
	case *events.HeadquartersReported:
		s := fmt.Sprintf("%s in %s, range %d, idle %t", p.Name, p.Hex, p.Range, p.Idle)
		for _, d := range p.Distances {
			s += fmt.Sprintf("; %d from %s", d.Hexes, d.Hex)
		}
		return s
	case *events.TargetsReported:
		s := fmt.Sprintf("from %s within %d", p.Hex, p.Range)
		for _, t := range p.Targets {
			s += fmt.Sprintf("; %s %s at %d", t.Kind, t.Name, t.Distance)
		}
		return s
	case *events.BasePlaced:
		return strings.Replace(fmt.Sprintf("%s from %s to %s, %s", p.Base, p.From, p.Hex, p.How), " from  to ", " to ",
			1)
	case *events.BaseDisplaced:
		return fmt.Sprintf("%s from %s, %s, back on turn %d", p.Base, p.Hex, p.Cause, p.Returns)
	case *events.BaseAttacked:
		return fmt.Sprintf("%s in %s, %d of %d hits, critical %t, displaced %t, back on turn %d", p.Base, p.Hex, p.Hits,
			p.Needed, p.Critical, p.Displaced, p.Returns)
	case *events.BaseReplaced:
		return strings.TrimSpace(fmt.Sprintf("%s by %s in %q %s", p.Base, p.By, p.Hex, p.Joined))
	case *events.SuccessSpent:
		return fmt.Sprintf("%s on %s; %d ASPs, SWM %+d", p.Base, p.On, p.Shipping, p.Modifier)
	case *events.StrategyCardPlayed:
		return fmt.Sprintf("%d %s", p.Card, p.Event)
	case *events.Compensated:
		return compensated(p)
	case *events.StrategyCardsDrawn:
		return fmt.Sprintf("%d: %d less %d and %d", p.Draw, p.Base, p.Submarines, p.Bombers)
	}
	return ""
}

// ruleNumber is a rule's id without the system's name.
func ruleNumber(id string) string {
	if _, number, ok := strings.Cut(id, "-"); ok && !strings.HasPrefix(id, "AMB-") && !strings.HasPrefix(id, "GEN-") {
		return number
	}
	return id
}

// compensated tells what is given, and to whom: "card of Britain, asw, played at 12: +1, dispute 14".
func compensated(p *events.Compensated) string {
	s := fmt.Sprintf("%s of %s", p.What, p.Of)
	if p.Subject != "" {
		s += ", " + p.Subject
	}
	if p.Played != 0 {
		s += fmt.Sprintf(", played at %d", p.Played)
	}
	s += fmt.Sprintf(": %+d", p.By)
	if p.Dispute != 0 {
		s += fmt.Sprintf(", dispute %d", p.Dispute)
	}
	return s + ", " + p.Reason
}
