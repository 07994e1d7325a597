package events

import "strconv"

// Correctable is a payload that a correction may take the place of: figures and results may change,
// not what fell, what was drawn, played, paid or chosen, nor what the event concerns.
type Correctable interface {
	Payload
	// Concerns says whom or what the event is about; its correction concerns the same.
	Concerns() []string
}

func (*WarDeclared) Concerns() []string       { return nil }
func (*ContestOpened) Concerns() []string     { return nil }
func (*ContestSettled) Concerns() []string    { return nil }
func (*ChoiceAsked) Concerns() []string       { return nil }
func (*RollDeclared) Concerns() []string      { return nil }
func (*ResultAdjudicated) Concerns() []string { return nil }

func (p *SubmarinesReported) Concerns() []string { return []string{p.Power} }
func (p *EconomicAttackMade) Concerns() []string { return []string{p.Victim, p.Attacker} }
func (p *ConvoyRaided) Concerns() []string       { return []string{p.Victim} } // which submarine raids where may change
func (p *IncomeCollected) Concerns() []string    { return []string{p.Power} }
func (p *UnitsPurchased) Concerns() []string     { return []string{p.Power} }
func (p *UnitsReported) Concerns() []string      { return []string{p.Power, p.Space} }
func (p *UnitsLost) Concerns() []string          { return []string{p.Power} }

func (p *HeadquartersReported) Concerns() []string { return []string{p.Name} }
func (p *TargetsReported) Concerns() []string      { return []string{p.Hex} }
func (p *BasePlaced) Concerns() []string           { return []string{p.Base} }
func (p *BaseDisplaced) Concerns() []string        { return []string{p.Base} }
func (p *BaseAttacked) Concerns() []string         { return []string{p.Base} }
func (p *SuccessSpent) Concerns() []string         { return []string{p.Base} }
func (*StrategyCardsDrawn) Concerns() []string     { return nil }

func (*FacilitiesReported) Concerns() []string   { return nil }
func (p *FacilityDamaged) Concerns() []string    { return []string{p.Attacker} }
func (p *FacilitiesRepaired) Concerns() []string { return []string{p.Power} }
func (p *FacilityBuilt) Concerns() []string      { return []string{p.Power} }
func (p *UnitsMobilized) Concerns() []string     { return []string{p.Bought} }
func (p *ResearchPaid) Concerns() []string       { return []string{p.Power} }
func (p *ConvoyDisrupted) Concerns() []string    { return []string{p.Victim} }
func (p *TerritoryCaptured) Concerns() []string {
	return []string{p.Territory, p.LootFrom, p.LootTo}
}

func (p *AttackDeclared) Concerns() []string      { return []string{p.Attacker} }
func (p *AircraftScrambled) Concerns() []string   { return []string{p.Power} }
func (p *AircraftLanded) Concerns() []string      { return []string{p.Power, p.From} }
func (p *RaidDeclared) Concerns() []string        { return []string{p.Attacker, p.Territory} }
func (p *FightersIntercepted) Concerns() []string { return []string{p.Power} }
func (p *TransportsUnloaded) Concerns() []string  { return []string{p.Power} }
func (p *StrikesDeclared) Concerns() []string {
	return []string{p.Power, strconv.Itoa(len(p.Strikes))} // tokens that are spent stay spent
}

func (p *Compensated) Concerns() []string {
	return []string{p.What, p.Of, p.Subject, strconv.FormatUint(p.Played, 10)} // how much, and why, may change
}

func (*OperationCarriedOut) Concerns() []string   { return nil }
func (p *SubmarinesHunted) Concerns() []string    { return []string{p.Zone, p.Attacker} }
func (p *SubmarinesSubmerged) Concerns() []string { return []string{p.Power, p.Zone, p.Turn} }
func (p *ShotsCalled) Concerns() []string         { return []string{p.Power, p.Zone} }
func (p *UnitsFired) Concerns() []string          { return []string{p.Power} }
func (p *UnitsMoved) Concerns() []string          { return []string{p.Power} }

// Concerns of a fact: a secret one is not corrected.
func (p *FactReported) Concerns() []string { return []string{p.Fact, p.Subject} }

// Declares gives who declares war by an event of this payload, which names no side of its own; empty for another.
func Declares(p Payload) string {
	if war, is := p.(*WarDeclared); is {
		return war.By
	}
	return ""
}

// Voids lists the events that e takes out of the campaign, ascending; none for nearly every event.
func Voids(e *Event) []uint64 {
	switch e.Type {
	case "voided":
		var p Voided
		if e.Read(&p) {
			return p.Events
		}
	case "corrected":
		var p Corrected
		if e.Read(&p) {
			return p.Voids
		}
	}
	return nil
}
