package events

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Type names what happened. A type is one token, so that it can end a NATS subject.
type Type string

// Words is what the type says as a sentence has it: "income collected".
func (t Type) Words() string { return strings.ReplaceAll(string(t), "_", " ") }

// Payload is what an event says: a pointer to one of the structs of this package.
type Payload interface {
	// Type is the type of the events that carry the payload.
	Type() Type
}

func (*CampaignOpened) Type() Type    { return "campaign_opened" }
func (*SeatTaken) Type() Type         { return "seat_taken" }
func (*SeatKeyed) Type() Type         { return "seat_keyed" }
func (*SeatRekeyed) Type() Type       { return "seat_rekeyed" }
func (*Declassified) Type() Type      { return "declassified" }
func (*SecretsRead) Type() Type       { return "secrets_read" }
func (*EpochBegun) Type() Type        { return "epoch_begun" }
func (*TurnAdvanced) Type() Type      { return "turn_advanced" }
func (*PhaseAdvanced) Type() Type     { return "phase_advanced" }
func (*FactReported) Type() Type      { return "fact_reported" }
func (*ResearchAllocated) Type() Type { return "research_allocated" }
func (*ResultProduced) Type() Type    { return "result_produced" }
func (*WarDeclared) Type() Type       { return "war_declared" }
func (*CardAdded) Type() Type         { return "card_added" }
func (*DrawDeclared) Type() Type      { return "draw_declared" }
func (*CardsDrawn) Type() Type        { return "cards_drawn" }
func (*ContestOpened) Type() Type     { return "contest_opened" }
func (*CardPlayed) Type() Type        { return "card_played" }
func (*PlayCommitted) Type() Type     { return "play_committed" }
func (*CardNegated) Type() Type       { return "card_negated" }
func (*Passed) Type() Type            { return "passed" }
func (*ContestSettled) Type() Type    { return "contest_settled" }
func (*CardsReturned) Type() Type     { return "cards_returned" }
func (*RollDeclared) Type() Type      { return "roll_declared" }
func (*DiceRolled) Type() Type        { return "dice_rolled" }
func (*DiceTyped) Type() Type         { return "dice_typed" }
func (*DiceDenied) Type() Type        { return "dice_denied" }
func (*RollLapsed) Type() Type        { return "roll_lapsed" }
func (*ResultAdjudicated) Type() Type { return "result_adjudicated" }
func (*ChoiceAsked) Type() Type       { return "choice_asked" }
func (*ChoiceMade) Type() Type        { return "choice_made" }
func (*Referred) Type() Type          { return "referred" }
func (*OptionRuled) Type() Type       { return "option_ruled" }
func (*Opened) Type() Type            { return "opened" }
func (*Corrected) Type() Type         { return "corrected" }
func (*ConsequenceKept) Type() Type   { return "consequence_kept" }

// Payloads lists an empty payload of every type, theme by theme.
func Payloads() []Payload {
	return slices.Concat([]Payload{
		&CampaignOpened{}, &SeatTaken{}, &SeatKeyed{}, &SeatRekeyed{}, &Declassified{}, &SecretsRead{},
		&EpochBegun{},
		&TurnAdvanced{}, &PhaseAdvanced{},
		&FactReported{}, &ResearchAllocated{}, &ResultProduced{}, &WarDeclared{}, &CardAdded{},
		&DrawDeclared{}, &CardsDrawn{}, &ContestOpened{}, &CardPlayed{}, &PlayCommitted{},
		&CardNegated{}, &Passed{}, &ContestSettled{}, &CardsReturned{}, &RollDeclared{},
		&DiceTyped{}, &DiceDenied{}, &RollLapsed{},
		&DiceRolled{}, &ResultAdjudicated{}, &ChoiceAsked{}, &ChoiceMade{}, &Referred{},
		&OptionRuled{}, &Opened{}, &Corrected{}, &ConsequenceKept{},
	}, economyPayloads(), unitPayloads(), basePayloads(), facilityPayloads(), battlePayloads(), operationPayloads(),
		disputePayloads())
}

var payloadTypes = func() map[Type]reflect.Type {
	types := map[Type]reflect.Type{}
	for _, p := range Payloads() {
		types[p.Type()] = reflect.TypeOf(p).Elem()
	}
	return types
}()

// Known reports whether this package knows events of a type.
func Known(t Type) bool { return payloadTypes[t] != nil }

// EncodePayload gives the payload's only encoding, as stored in [Event.Payload].
func EncodePayload(p Payload) string {
	var w wire
	w.fields(reflect.ValueOf(p).Elem())
	return string(w)
}

// Read decodes the payload of e into p, a pointer to the struct of its type, and reports
// whether it did: false for another type, and for a payload that does not decode. Fields of
// a later version are passed over.
func (e *Event) Read(p Payload) bool {
	return e.Type == p.Type() && readFields(e.Payload, reflect.ValueOf(p).Elem()) == nil
}

// PayloadOf decodes the payload of e. It is nil, without an error, for a type of a later
// version.
func PayloadOf(e *Event) (Payload, error) {
	t, known := payloadTypes[e.Type]
	if !known {
		return nil, nil
	}
	v := reflect.New(t)
	if err := readFields(e.Payload, v.Elem()); err != nil {
		return nil, fmt.Errorf("%w: payload of %s: %w", ErrMalformed, e.Type, err)
	}
	return v.Interface().(Payload), nil
}

// KeysSeat reports whether an event gives a seat a key. It is part of no hearing, and never taken back.
func (t Type) KeysSeat() bool { return t == "seat_keyed" || t == "seat_rekeyed" }

// OfPlayer reports whether an event is a player's alone, who signs it: it brings a key, or discloses all that was
// secret.
func (t Type) OfPlayer() bool { return t.KeysSeat() || t == "declassified" }

// OfSeat reports whether an event is of a seat or its secrets, and part of no hearing: it is its player's alone, or
// says that somebody looked at what is sealed.
func (t Type) OfSeat() bool { return t.OfPlayer() || t == "secrets_read" }

// AnswersRoll reports whether events of this type say what became of a declared roll.
func (t Type) AnswersRoll() bool { return t == "dice_rolled" || t.OfAwaitedDice() }

// OfAwaitedDice reports whether an event says something of dice that are awaited, and are not known by it: what a seat
// typed, that another denied it, that another round is to decide.
func (t Type) OfAwaitedDice() bool {
	return t == "dice_typed" || t == "dice_denied" || t == "roll_lapsed"
}

// HeardMeanwhile reports whether an event of that type may come while a roll awaits its round of a beacon: it plays
// nothing. It says something of the dice, corrects, rules, discloses, or tells of the program. A type of a later
// version may be such a one.
func (t Type) HeardMeanwhile() bool {
	switch t {
	case "dice_rolled", "opened", "corrected", "consequence_kept", "voided", "rules_changed", "epoch_begun",
		"seat_taken", "dispute_opened", "statement_made", "evidence_brought", "dispute_ruled":
		return true
	}
	return t.OfAwaitedDice() || t.OfSeat() || !Known(t)
}

// Awaits reports whether the dice come with a round of a beacon, or with the link of a seat.
func (p *RollDeclared) Awaits() bool { return p.Round != 0 || p.Mode == "contested" }

// AnchorsIn lists the anchors of chains that an event states: the host's where an epoch begins, a player's with a key.
func AnchorsIn(e *Event) []Anchor {
	switch p, _ := PayloadOf(e); p := p.(type) {
	case *EpochBegun:
		return p.Chains
	case *SeatKeyed:
		return []Anchor{p.Chain}
	case *SeatRekeyed:
		return []Anchor{p.Chain}
	}
	return nil
}
