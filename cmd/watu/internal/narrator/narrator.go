// Package narrator describes events in sentences, as an after-action report would: what happened,
// to whom, with which figures. It knows only what stands in the log, so its sentences are fit
// for anyone: it is never given an opening. What a sentence looks like on a page, and which
// events are listed, are others' business.
//
// It knows no system of rules. Sides, cards, boxes and facts come in the rulebook's own names
// from the events.
package narrator

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay/campaign"
)

// Sentence gives what happened, in a sentence or two on one line, without the rules applied.
func Sentence(e *events.Event) string { return Narrate(e, 0).String() }

// Narrate is [Sentence] with a link wherever the sentence names another event or a dispute. Previous is the event of an
// earlier correction in whose place the event stands, 0 if there is none.
func Narrate(e *events.Event, previous uint64) document.Text {
	p, err := events.PayloadOf(e)
	if err != nil {
		return textf("An event that does not read: %s", err.Error())
	}
	text := narrate(e, p)
	switch {
	case e.Corrects != 0 && previous != 0:
		return textf("In place of %s, corrected before by %s: %s", event(e.Corrects), event(previous), text)
	case e.Corrects != 0:
		return textf("In place of %s: %s", event(e.Corrects), text)
	case e.Replaces != 0:
		return textf("At the place of %s: %s", event(e.Replaces), text)
	}
	return text
}

// Rules gives the ids of the rules applied, each once, in the order of the derivation.
func Rules(derivation []events.Citation) []string {
	seen := map[string]bool{}
	var ids []string
	for _, c := range derivation {
		if !seen[c.Rule] {
			seen[c.Rule] = true
			ids = append(ids, c.Rule)
		}
	}
	return ids
}

// narrate goes by what the payload is about: the campaign, research, cards, dice, rulings, money, units,
// territories, battles.
func narrate(e *events.Event, p events.Payload) document.Text {
	for _, about := range []func(*events.Event, events.Payload) document.Text{
		plainly(courseText), researchText, contestText, chanceText, rulingText, plainly(economyText),
		plainly(unitsText),
		plainly(basesText), plainly(facilitiesText), plainly(battlesText), plainly(operationsText), disputeText,
	} {
		if text := about(e, p); len(text) > 0 {
			return text
		}
	}
	return textf("An event of a later version: %s.", strings.ReplaceAll(string(e.Type), "_", " "))
}

// courseText describes the course of the campaign: its opening, its turns, the board.
func courseText(e *events.Event, p events.Payload) string {
	switch p := p.(type) {
	case *events.CampaignOpened:
		return openedText(p)
	case *events.SeatTaken:
		return fmt.Sprintf("%s speaks for %s.", words.Sentence(Seat(p.Seat)), and(sides(p.Sides)))
	case *events.SeatKeyed:
		return fmt.Sprintf("%s signs from here on, with the key %s.", words.Sentence(Seat(p.Seat)), fingerprint(p.Key))
	case *events.SeatRekeyed:
		text := fmt.Sprintf("%s signs from here on with another key, %s", words.Sentence(Seat(p.Seat)),
			fingerprint(p.Key))
		if p.ByUmpire {
			return text + ". The umpire gave it: its signatures prove no more than his word."
		}
		return text + ", which the old one signed."
	case *events.Declassified:
		return fmt.Sprintf("%s discloses all that was secret of its sides, and by which links it drew.",
			words.Sentence(Seat(p.Seat)))
	case *events.SecretsRead:
		where := "is shown to"
		if p.File {
			where = "is written into a file for"
		}
		return fmt.Sprintf("What is sealed %s %s.", where, Seat(p.As))
	case *events.EpochBegun:
		return fmt.Sprintf("The random numbers for dice and draws are sealed in advance, in %s: %s",
			words.Count(len(p.Chains), "hash chain"), stop(p.Reason))
	case *events.TurnAdvanced:
		return fmt.Sprintf("%s begins.", p.Label)
	case *events.PhaseAdvanced:
		if p.Player == "" {
			return fmt.Sprintf("The %s phase begins.", p.Phase)
		}
		return fmt.Sprintf("%s: the %s phase begins.", p.Player, p.Phase)
	case *events.WarDeclared:
		text := fmt.Sprintf("%s declares war on %s", p.By, p.On)
		if p.Level != 0 {
			text += fmt.Sprintf(" at tension level %d", p.Level)
		}
		return text + "."
	case *events.FactReported:
		if p.Fact == "control" && len(e.Derivation) > 0 { // by a rule; what is reported has none
			return fmt.Sprintf("Control of %s passes to %s.", p.Subject, and(p.Names))
		}
		return factText(p)
	}
	return ""
}

// fingerprint is what two people compare of a key.
func fingerprint(text string) string {
	key, err := tree.ParseWitness(text)
	if err != nil {
		return "that does not read"
	}
	return key.Fingerprint()
}

func openedText(p *events.CampaignOpened) string {
	dice := "dice by " + p.Dice
	switch p.Dice {
	case "chain":
		dice = "dice by hash chains"
	case byLinks:
		dice = "contested dice"
	case attested:
		dice = "dice attested: thrown at a table, typed by one seat and confirmed by another"
	case byBeacon:
		by := map[bool]string{true: "seats as witnesses", false: "witnesses"}[p.Witnesses == ""]
		dice = fmt.Sprintf("dice by the beacon %s, with %s", p.Beacon.Name, by)
	}
	text := fmt.Sprintf("Campaign %s opens: rules %s, edition %s, %s.", p.Name, p.System, p.Edition, dice)
	if p.Signed {
		text += " Each seat signs what it enters, from the first entry on."
	}
	if title := strings.TrimSpace(p.Board.Title + " " + p.Board.Version); title != "" {
		text += fmt.Sprintf(" It is played on the board %s.", title)
	}
	if p.Demo {
		text += " Demo: its seed is published, so its dice prove nothing."
	}
	return strings.TrimSpace(text + " " + stop(p.Note))
}

// Seat is how a sentence calls a seat.
func Seat(name string) string {
	if name == "umpire" {
		return "the umpire"
	}
	return name
}

// listFacts are the facts that are lists of names: of an empty one nothing is in the bytes.
var listFacts = []string{"controls", "control", "at war", "technologies", "techs", "submerged", "used", "new",
	"resources lost"}

// factsOf are the words before the subject of a fact whose name alone would not say what it is.
var factsOf = map[string]string{"prices": "price of ", "complexes": "industrial complexes in ",
	"techs": "technologies of ", "technologies": "technologies of ", "control": "control of ", "hex": "hex ",
	"controls": "held by ", "at war": "at war with ", "submerged": "submerged in the turn of ",
	"used": "used in the turn of ",
	"new":  "new in the turn of "}

// plainFacts are the words for facts that entries abbreviate.
var plainFacts = map[string]string{"cves": "escort carriers", "ireland": "diplomatic result for Ireland",
	"usjt": "U.S.-Japanese tensions", "asps": "ASPs", "china divisions": "divisions in China"}

func factText(p *events.FactReported) string {
	about := cmp.Or(plainFacts[p.Fact], p.Fact)
	if of, ok := factsOf[p.Fact]; ok && p.Subject != "" {
		about = of + p.Subject
	} else if p.Subject != "" {
		about += ", " + p.Subject
	}
	switch {
	case p.Secret:
		return fmt.Sprintf("Reported under seal: %s.", about)
	case p.Fact == "aliases":
		return fmt.Sprintf("The board has more names: %s.", strings.Join(p.Names, "; "))
	case p.Names != nil || slices.Contains(listFacts, p.Fact):
		return fmt.Sprintf("Reported: %s: %s.", about, and(p.Names))
	}
	return fmt.Sprintf("Reported: %s: %d.", about, p.Number)
}

// researchText says what concerns pools and hands outside of contests.
func researchText(e *events.Event, p events.Payload) document.Text {
	switch p := p.(type) {
	case *events.ResearchAllocated:
		return textf("%s moves research points in %s; how many is sealed.", e.Side, p.Project)
	case *events.ResultProduced:
		return textf("%s produces a codebreaking result in %s in %d; its cost is sealed.", e.Side, p.Project, p.Year)
	case *events.CardAdded:
		return textf("A card joins the %s pool of %s, its type sealed: %d cards now.", p.Deck, e.Side, p.PoolSize)
	case *events.DrawDeclared:
		return textf("Declared: %s draws %d of %d %s cards.", e.Side, p.Count, p.PoolSize, p.Deck)
	case *events.CardsDrawn:
		return textf("%s draws %d %s cards, sealed.", e.Side, p.Count, p.Deck)
	case *events.CardsReturned:
		return textf("%s puts %d %s cards back into its pool.", e.Side, p.Count, p.Deck)
	case *events.Opened:
		return textf("Disclosed: %s of %s: %s. Reason: %s", p.Slot, event(p.Event), Fact(p.Fact), stop(p.Reason))
	}
	return nil
}

// rulingText describes questions, answers, rulings and corrections.
func rulingText(e *events.Event, p events.Payload) document.Text {
	switch p := p.(type) {
	case *events.ChoiceAsked:
		return textf("Question to %s: %s (%s).", side(p.Of), p.Question, p.Offered())
	case *events.ChoiceMade:
		who := does(e.Side, "answer")
		if reason := campaign.AbsentIn(campaign.RequestIn(e).Entry); reason != "" {
			who = fmt.Sprintf("The umpire, in the place of %s (%s), answers", e.Side, reason)
		}
		if len(p.Options) == 0 {
			return textf("%s %s under seal.", who, event(p.Asked))
		}
		return textf("%s: %s.", who, and(p.Options))
	case *events.Referred:
		return textf("Referred to the umpire (%s): %s", p.Option, stop(p.Question))
	case *events.OptionRuled:
		return textf("The umpire rules %s: %s (was %s). Reason: %s", p.Option, p.Value, p.Was, stop(p.Reason))
	case *events.Corrected:
		return correctedText(e, p)
	}
	return nil
}
