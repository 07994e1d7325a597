package campaign

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/rules"
)

// CheckDispute refuses a compensation that is to settle a dispute which nobody opened.
func (c *Campaign) CheckDispute(drafts []rules.Draft) []rules.Violation {
	var f rules.Findings
	for _, d := range drafts {
		p, ok := d.Payload.(*events.Compensated)
		if !ok || p.Dispute == 0 {
			continue
		}
		if _, opened := c.Docket.Dispute(c.History, p.Dispute); !opened {
			f.ViolateField("compensate.dispute", rules.Input,
				"event %d opened no dispute: name the event that opened it, or leave dispute out", p.Dispute)
		}
	}
	return f.Violations
}

// Docket holds the events of a campaign that its disputes follow from. It is filled event by event,
// by an umpire or by whoever has no more than the log.
type Docket struct{ list []events.Event }

// Add takes an event, if disputes are any concern of it.
func (d *Docket) Add(e *events.Event) {
	if IsDisputeEvent(e.Type) || d.discloses(e) {
		d.list = append(d.list, *e)
	}
}

// discloses reports whether an event opens what the opening of a dispute keeps sealed.
func (d *Docket) discloses(e *events.Event) bool {
	var p events.Opened
	return e.Read(&p) && slices.ContainsFunc(d.list, func(x events.Event) bool { return x.Index == p.Event })
}

// IsDisputeEvent reports whether events of a type are part of a dispute.
func IsDisputeEvent(t events.Type) bool {
	switch t {
	case "dispute_opened", "statement_made", "evidence_brought", "dispute_ruled":
		return true
	}
	return false
}

// Dispute is a contested event, or a contested refusal, with its statements, evidence and ruling.
type Dispute struct {
	Index      uint64               `json:"dispute"` // of its dispute_opened, which names it
	By         string               `json:"by"`      // the seat that opened it
	Turn       string               `json:"turn"`
	Claim      events.DisputeOpened `json:"claim"`
	Sealed     []string             `json:"sealed,omitempty"` // slots of the refused command that nobody has disclosed
	Statements []Statement          `json:"statements"`
	Evidence   []Evidence           `json:"evidence"`
	Ruling     *Ruling              `json:"ruling,omitempty"` // nil while it is open

	disclosed uint64 // the event that disclosed which rules the refused command broke; 0 if they were never sealed
}

// Statement is what a seat says on a dispute.
type Statement struct {
	Event uint64 `json:"event"` // its own index
	By    string `json:"by"`
	Text  string `json:"text"`
}

// Evidence is what a seat points at.
type Evidence struct {
	Event  uint64   `json:"event"` // its own index
	By     string   `json:"by"`
	Events []uint64 `json:"events"`
	Note   string   `json:"note,omitempty"`
}

// Ruling is how a dispute ended.
type Ruling struct {
	Event   uint64   `json:"event"` // its own index
	Command string   `json:"command_id"`
	Turn    string   `json:"turn"`
	Ruling  string   `json:"ruling"`
	Reason  string   `json:"reason"`
	Rules   []string `json:"rules"`
	Scope   string   `json:"scope"`
	Dice    string   `json:"dice,omitempty"`
}

// Open reports whether the dispute waits for its ruling.
func (d *Dispute) Open() bool { return d.Ruling == nil }

// Precedent reports whether it was ruled that such cases are ruled alike.
func (d *Dispute) Precedent() bool {
	return d.Ruling != nil && d.Ruling.Ruling == events.RulingPrecedent
}

// Contests reports whether the dispute contests the event at index.
func (d *Dispute) Contests(index uint64) bool { return d.Claim.Refused == "" && d.Claim.Event == index }

// SettledBy is the correction of what is contested that stands and was made before the ruling, where that lets it stand
// so; 0 for none. It may be older than the dispute: then the ruling lets stand what the correction made of it.
func (d *Dispute) SettledBy(now history.View) (correction uint64) {
	if d.Claim.Refused != "" || d.Ruling == nil || !d.Precedent() && d.Ruling.Ruling != events.RulingUpheld {
		return 0
	}
	for _, i := range now.Versions(d.Claim.Event) {
		if i > d.Claim.Event && i < d.Ruling.Event && now.Stands(i) {
			correction = now.Head(i)
		}
	}
	return correction
}

// Rules are the ids that the dispute turns on: those of the ruling, and that of the claim.
func (d *Dispute) Rules() []string {
	var ids []string
	if d.Claim.Rule != "" {
		ids = append(ids, d.Claim.Rule)
	}
	if d.Ruling != nil {
		for _, id := range d.Ruling.Rules {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// Unseal fills in what somebody holds of the refused command: the facts of its slots.
func (d *Dispute) Unseal(list []events.Opening) {
	for _, o := range list {
		if o.Index != d.Index || !slices.Contains(d.Sealed, o.Slot) {
			continue
		}
		d.Claim.Unseal(o.Slot, o.Fact)
		d.Sealed = slices.DeleteFunc(slices.Clone(d.Sealed), func(slot string) bool { return slot == o.Slot })
	}
}

// Broke reports whether it was known before event at that the refused command broke a rule.
func (d *Dispute) Broke(rule string, at uint64) bool {
	return d.disclosed < at && slices.ContainsFunc(d.Claim.Violations, func(v events.Citation) bool {
		return strings.EqualFold(v.Rule, rule)
	})
}

// TurnsOn reports whether the dispute turns on one of these rules.
func (d *Dispute) TurnsOn(on ...string) bool {
	return slices.ContainsFunc(d.Rules(), func(id string) bool {
		return slices.ContainsFunc(on, func(other string) bool { return strings.EqualFold(id, other) })
	})
}

// Disputes gives the disputes in the order in which they were opened. What is voided in a view is no part
// of them: a dispute whose ruling does not stand is open again.
func (d *Docket) Disputes(v history.View) []Dispute {
	var list []Dispute
	at := func(index uint64) *Dispute {
		i := slices.IndexFunc(list, func(x Dispute) bool { return x.Index == index })
		if i < 0 {
			return &Dispute{} // nothing is known of it: what is about it is dropped
		}
		return &list[i]
	}
	for i := range d.list {
		e := &d.list[i]
		if !v.Stands(e.Index) {
			continue
		}
		switch p, _ := events.PayloadOf(e); p := p.(type) {
		case *events.DisputeOpened:
			x := Dispute{Index: e.Index, By: e.Seat, Turn: e.Turn.Label, Claim: *p, Statements: []Statement{},
				Evidence: []Evidence{}}
			for _, c := range e.Commitments {
				x.Sealed = append(x.Sealed, c.Slot)
			}
			list = append(list, x)
		case *events.Opened:
			x := at(p.Event)
			if p.Slot == events.SlotViolations {
				x.disclosed = e.Index
			}
			x.Unseal([]events.Opening{{Index: p.Event, Slot: p.Slot, Fact: p.Fact}})
		case *events.StatementMade:
			x := at(p.Dispute)
			x.Statements = append(x.Statements, Statement{Event: e.Index, By: e.Seat, Text: p.Text})
		case *events.EvidenceBrought:
			x := at(p.Dispute)
			x.Evidence = append(x.Evidence, Evidence{Event: e.Index, By: e.Seat, Events: p.Events, Note: p.Note})
		case *events.DisputeRuled:
			at(p.Dispute).Ruling = &Ruling{
				Event: e.Index, Command: e.Command, Turn: e.Turn.Label,
				Ruling: p.Ruling, Reason: p.Reason, Rules: append([]string{}, p.Rules...), Scope: p.Scope, Dice: p.Dice,
			}
		}
	}
	return list
}

// Dispute gives the dispute of that index, and false if there is none.
func (d *Docket) Dispute(v history.View, index uint64) (Dispute, bool) {
	return rules.Find(d.Disputes(v), func(x Dispute) bool { return x.Index == index })
}

// OrdersChange reports whether e is a ruling that something should follow in the same step.
func (c *Campaign) OrdersChange(e *events.Event) bool {
	var p events.DisputeRuled
	if !e.Read(&p) {
		return false
	}
	d, _ := c.Docket.Dispute(c.History, p.Dispute)
	return p.Ruling == events.RulingCorrected || p.Ruling == events.RulingVoid && d.Claim.Refused == ""
}
