package review

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
)

// envelope holds what an event says outside of its payload to what the campaign says at that place: edition, turn and
// phase, and that its command reads.
func (b *trialRun) envelope(c *campaign.Campaign, e *events.Event) []Finding {
	list := b.turn(c, e)
	first, _ := c.History.FirstNamed(e.Command)
	switch verb, only := campaign.BeginsWith(e); {
	case e.Request == "" && first == e.Index:
		list = append(list, envelopeFinding(e, "request", "nothing", "the command that led here"))
	case e.Request == "":
	case !campaign.ReadsRequest(e.Request):
		list = append(list, envelopeFinding(e, "request", e.Request, "a verb and an entry"))
	case only && campaign.RequestIn(e).Verb != verb:
		list = append(list, envelopeFinding(e, "request.verb", campaign.RequestIn(e).Verb, verb))
	}
	if e.Type == "seat_taken" || e.Type == "epoch_begun" || e.Type.OfSeat() {
		list = slices.Concat(list, rehear.Aside(e), underived(e))
	}
	return list
}

// envelopeFinding is a finding outside of the payload.
func envelopeFinding(e *events.Event, field, recorded, derived string) Finding {
	return Finding{Event: e.Index, Type: e.Type, Command: e.Command, Field: field, Recorded: recorded, Derived: derived}
}

// turn holds the turn, phase and edition of an event to those of the campaign.
func (b *trialRun) turn(c *campaign.Campaign, e *events.Event) []Finding {
	var list []Finding
	moves := e.Type == "edition_moved" // the last event by the old edition
	if e.Edition != c.Edition && !moves {
		list = append(list, envelopeFinding(e, "edition", e.Edition.String(), c.Edition.String()))
	}
	turn, phase := c.Game.TurnNow()
	// it was made before what that voids was left out
	if k := b.settled; k != nil && k.Command == e.Command && e.Replaces == 0 {
		turn, phase = k.Turn, k.Phase
	}
	if e.Turn == turn && e.Phase == phase || b.inOwnPhase(c, e) {
		return list
	}
	recorded, derived := strings.TrimSpace(e.Turn.Label+" "+e.Phase), strings.TrimSpace(turn.Label+" "+phase)
	return append(list, envelopeFinding(e, "turn", recorded, derived))
}

// inOwnPhase reports whether an event that takes the place of others is recorded in the phase that its command begins
// there: an entry whose phase was voided begins it itself when its dice are thrown again.
func (b *trialRun) inOwnPhase(c *campaign.Campaign, e *events.Event) bool {
	if e.Replaces == 0 {
		return false
	}
	if e.Type == "phase_advanced" {
		turn, phase := c.Game.Evolve(e, nil).TurnNow()
		b.began = &events.Event{Command: e.Command, Turn: turn, Phase: phase}
	}
	k := b.began
	return k != nil && k.Command == e.Command && k.Turn == e.Turn && k.Phase == e.Phase
}

// ofNobody holds events that concern no side, and take no other's place, to that.
func (b *trialRun) ofNobody() (list []Finding) {
	for i := range b.heard {
		list = slices.Concat(list, rehear.Aside(&b.heard[i]), underived(&b.heard[i]))
	}
	return list
}

// seatsAlone holds what follows in the step that opens the campaign to that: seats are taken, and nothing is played.
func (b *trialRun) seatsAlone() (list []Finding) {
	for _, e := range b.heard[1:] {
		if e.Type != "seat_taken" && events.Known(e.Type) {
			list = append(list, envelopeFinding(&e, "event", e.Type.Words(), "a seat that is taken"))
		}
	}
	return list
}
