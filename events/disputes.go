package events

import "encoding/json"

// The payloads of disputed rulings: what is contested, statements and evidence, what the umpire
// rules, and what a ruling does to the record. Nothing is deleted: what no longer stands stays
// where it is, and an event says so.

// The rulings on a dispute.
const (
	RulingUpheld    = "upheld"    // the event stands as it is
	RulingCorrected = "corrected" // it stands corrected: the correction is in the same step
	RulingVoid      = "void"      // it does not stand: the events voided are in the same step
	RulingPrecedent = "precedent" // it stands, and is how such cases are ruled from here on
)

// The scopes of a ruling.
const (
	ScopeEvent    = "event"
	ScopeCampaign = "campaign"
	ScopeLeague   = "league" // every campaign of the ledger
)

// DisputeOpened contests an event, or a command that was refused. Its index names the dispute.
type DisputeOpened struct {
	// what is contested; with Refused, the last event before the refusal
	Event uint64 `pb:"1" json:"event,omitempty" ref:"about"`
	Claim string `pb:"2" json:"claim"`
	Rule  string `pb:"3" json:"rule,omitempty"` // id of the rule that the claim rests on

	// Of a refused command: its id and verb, why it was refused, and the entry as it came. Where
	// a campaign has secrets the entry is committed in slot "entry" instead, and why it was refused
	// in slot "violations": the id of a rule may tell a card. Earlier versions left the ids here.
	Refused    string     `pb:"4" json:"refused,omitempty"`
	Verb       string     `pb:"5" json:"verb,omitempty"`
	Violations []Citation `pb:"6" json:"violations,omitempty"` // rule, and its text
	Entry      string     `pb:"7" json:"entry,omitempty"`      // JSON
}

// The slots in which the text of a refused command is committed, and why it was refused.
const (
	SlotEntry      = "entry"
	SlotViolations = "violations"
)

// Unseal fills in what the opening of a slot discloses of the refused command. Other slots disclose nothing of it.
func (p *DisputeOpened) Unseal(slot, fact string) {
	switch slot {
	case SlotEntry:
		p.Entry = fact
	case SlotViolations:
		var answer []struct{ Rule, Message string }
		if json.Unmarshal([]byte(fact), &answer) != nil {
			return
		}
		p.Violations = nil
		for _, v := range answer {
			p.Violations = append(p.Violations, Citation{Rule: v.Rule, Step: v.Message})
		}
	}
}

// StatementMade is what the envelope's seat says on a dispute.
type StatementMade struct {
	Dispute uint64 `pb:"1" json:"dispute" ref:"dispute"`
	Text    string `pb:"2" json:"text"`
}

// EvidenceBrought points at events that bear on a dispute.
type EvidenceBrought struct {
	Dispute uint64   `pb:"1" json:"dispute" ref:"dispute"`
	Events  []uint64 `pb:"2" json:"events" ref:"about"`
	Note    string   `pb:"3" json:"note,omitempty"`
}

// DisputeRuled ends a dispute.
type DisputeRuled struct {
	Dispute uint64   `pb:"1" json:"dispute" ref:"dispute"`
	Ruling  string   `pb:"2" json:"ruling"` // "upheld", "corrected", "void" or "precedent"
	Reason  string   `pb:"3" json:"reason"`
	Rules   []string `pb:"4" json:"rules,omitempty"` // ids that the ruling rests on
	Scope   string   `pb:"5" json:"scope"`           // "event", "campaign" or "league"
	// what becomes of the dice, if some were thrown: "stand", "thrown again" or "replaced"
	Dice string `pb:"6" json:"dice,omitempty"`
}

// The scopes of a void: what the events listed are, as one.
const (
	VoidCommand    = ""           // a command, with what corrected it
	VoidCorrection = "correction" // a correction; what stood before it stands again
	VoidRuling     = "ruling"     // a ruling, with what it ordered; its dispute is open again
	VoidUndo       = "undo"       // an undo; what it took back stands again
)

// Voided takes an act out of the campaign: the events listed do not stand any more. They stay
// where they are; views and states are folds of what stands.
type Voided struct {
	Command string   `pb:"1" json:"command"`            // whose events
	Events  []uint64 `pb:"2" json:"events" ref:"voids"` // ascending
	Code    string   `pb:"3" json:"code"`               // "slip", "dispute"
	Reason  string   `pb:"4" json:"reason"`
	Dispute uint64   `pb:"5" json:"dispute,omitempty" ref:"dispute"`
	Scope   string   `pb:"6" json:"scope,omitempty"` // "correction", "ruling", "undo", or empty for a command
}

// What is compensated.
const (
	CompensatedTreasury = "treasury" // money, in IPCs
	CompensatedCard     = "card"     // a card played goes back into the hand
	CompensatedFactors  = "factors"  // lost in strategic warfare, in a box
	CompensatedFigure   = "figure"   // of the game, such as the SWM; or cards drawn
	CompensatedBase     = "base"     // back on the map
)

// Compensated makes good what cannot be corrected: an amount given or taken, a card put back into
// a hand, factors restored, a figure moved, a base put back.
type Compensated struct {
	What string `pb:"1" json:"what"`
	Of   string `pb:"2" json:"of"` // whose: a side, power or treasury; of factors their box
	// of a card its type, of factors their kind, the name of a figure or base
	Subject string `pb:"3" json:"subject,omitempty"`
	By      int    `pb:"4" json:"by"`                          // more, or less if negative
	Played  uint64 `pb:"5" json:"played,omitempty" ref:"play"` // of a card: index of its play
	Reason  string `pb:"6" json:"reason"`
	Dispute uint64 `pb:"7" json:"dispute,omitempty" ref:"dispute"`
}

// EditionMoved plays the campaign on another edition of its rules from here on, and settles the
// options that this settles otherwise.
type EditionMoved struct {
	Was     string   `pb:"1" json:"was"`
	Now     string   `pb:"2" json:"now"`
	Hash    Hash     `pb:"3" json:"hash"` // of the edition moved to
	Options []Option `pb:"4" json:"options,omitempty"`
	Reason  string   `pb:"5" json:"reason"`
	// fingerprint of the rules that judge from here on; zero in schema 1
	Rules Hash `pb:"6" json:"rules,omitzero"`
}

// RulesChanged says that a program whose rules have another fingerprint goes on with the campaign, or that one of
// schema 2 goes on with a campaign that was opened in schema 1. It changes nothing that was judged.
type RulesChanged struct {
	// fingerprint of the rules that judged until now; zero if nobody recorded it
	Was      Hash     `pb:"1" json:"was,omitzero"`
	Rules    Hash     `pb:"2" json:"rules"`              // fingerprint of the rules that judge from here on
	Requires []string `pb:"3" json:"requires,omitempty"` // types of event that a program must know from here on
}

func (*DisputeOpened) Type() Type   { return "dispute_opened" }
func (*StatementMade) Type() Type   { return "statement_made" }
func (*EvidenceBrought) Type() Type { return "evidence_brought" }
func (*DisputeRuled) Type() Type    { return "dispute_ruled" }
func (*Voided) Type() Type          { return "voided" }
func (*RulesChanged) Type() Type    { return "rules_changed" }
func (*Compensated) Type() Type     { return "compensated" }
func (*EditionMoved) Type() Type    { return "edition_moved" }

func disputePayloads() []Payload {
	return []Payload{
		&DisputeOpened{}, &StatementMade{}, &EvidenceBrought{}, &DisputeRuled{}, &Voided{}, &Compensated{},
		&EditionMoved{}, &RulesChanged{},
	}
}
