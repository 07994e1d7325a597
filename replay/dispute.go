package replay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// disputeEntry is one entry of a dispute under judgement.
type disputeEntry struct {
	umpire   *Umpire
	live     *liveCampaign
	command  rules.Command
	findings rules.Findings
	seat     string // whose words they are
	request  *campaign.Request
	warnings []string
}

// maxWords bounds one text, in bytes.
const maxWords = 4096

// mostOpen is how many disputes of a player's seat wait for their rulings at a time. It bounds what comes in alone:
// what is recorded stands, and a what-if hears it again.
const mostOpen = 20

// judgeDispute hears an entry of a dispute:
//
//	{"dispute": {"event": 57, "claim": "…", "rule": "AAR-4-CAP"}}
//	{"dispute": {"refused": "Winter 1941/box", "claim": "…"}}
//	{"statement": {"dispute": 80, "text": "…"}}
//	{"evidence": {"dispute": 80, "events": [57, 60], "note": "…"}}
//	{"ruling": {"dispute": 80, "ruling": "upheld", "reason": "…", "rules": ["AAR-4-CAP"], "scope": "event"}}
//
// by names the seat where the umpire types what another says.
func (u *Umpire) judgeDispute(t *liveCampaign, c rules.Command) ([]campaign.Part, Answer, error) {
	p := &disputeEntry{umpire: u, live: t, command: c, request: &campaign.Request{Verb: c.Verb, Entry: c.Body}}
	var parts []campaign.Part
	var err error
	switch c.Verb {
	case campaign.VerbDispute:
		parts, err = p.open()
	case campaign.VerbStatement:
		parts = p.say()
	case campaign.VerbEvidence:
		parts = p.bring()
	case campaign.VerbRuling:
		parts, err = p.rule()
	}
	if err != nil || p.findings.Refused() {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: p.findings.Violations}, err
	}
	a := Answer{Command: c.ID, Verdict: rules.Allowed, Warnings: p.warnings}
	for _, x := range parts {
		a.Events += len(x.Drafts)
	}
	return parts, a, nil
}

// refuse notes what is wrong with a field of the entry.
func (p *disputeEntry) refuse(field, format string, args ...any) {
	at := p.command.Verb
	if field != "" {
		at += "." + field
	}
	p.findings.ViolateField(at, rules.Input, format, args...)
}

// part is the entry's own part of the step.
func (p *disputeEntry) part(d rules.Draft) campaign.Part {
	return campaign.Part{Command: p.command.ID, Seat: p.seat, Request: p.request, Drafts: []rules.Draft{d}}
}

// words takes a text; it must not be empty unless it may be left out.
func (p *disputeEntry) words(field, text, hint string) string {
	text = strings.TrimSpace(text)
	switch {
	case text == "" && hint != "":
		p.refuse(field, "%s", hint)
	case len(text) > maxWords:
		p.refuse(field, "the %s has %d bytes; %d are enough: point at events with an evidence entry", field, len(text),
			maxWords)
	}
	return text
}

// ruleID takes the id of a rule of the campaign.
func (p *disputeEntry) ruleID(field, typed string) string {
	system := p.live.campaign.System
	id, near := system.Rule(strings.TrimSpace(typed))
	switch {
	case len(near) > 0:
		p.refuse(field, "%q is no rule of this campaign; the nearest is %s. The explanation of an event "+
			"names the rules behind it",
			typed, strings.Join(near, ", then "))
	case id == "":
		p.refuse(field, "%q is no rule of this campaign, whose rules are named %s-…: the explanation of an event "+
			"names those behind it",
			typed, strings.ToUpper(system.Name))
	}
	return id
}

// find gives the dispute of an entry, which must be open.
func (p *disputeEntry) find(index *uint64) campaign.Dispute {
	c := p.live.campaign
	if index == nil {
		p.refuse("dispute", "which dispute? name the event that opened it: dispute: %s", p.openOnes("80"))
		return campaign.Dispute{}
	}
	d, ok := c.Docket.Dispute(c.History, *index)
	switch {
	case !ok:
		p.refuse("dispute", "event %d opened no dispute; open are %s", *index, p.openOnes("none"))
	case !d.Open():
		p.refuse("dispute", "dispute %d is closed: it was ruled on in event %d; who contests that ruling opens a "+
			"dispute over event %d", d.Index, d.Ruling.Event, d.Ruling.Event)
	}
	return d
}

// openOnes lists the open disputes.
func (p *disputeEntry) openOnes(otherwise string) string {
	var list []string
	for _, d := range p.live.campaign.Docket.Disputes(p.live.campaign.History) {
		if d.Open() {
			list = append(list, fmt.Sprint(d.Index))
		}
	}
	if len(list) == 0 {
		return otherwise
	}
	return strings.Join(list, ", ")
}

// happened refuses an index that no event has yet.
func (p *disputeEntry) happened(field string, index uint64) bool {
	if c := p.live.campaign; index >= c.Next {
		p.refuse(field, "campaign %s has no event %d; its last is %d", c.Name, index, c.Next-1)
		return false
	}
	return true
}

// open contests an event, or a command that was refused.
func (p *disputeEntry) open() ([]campaign.Part, error) {
	var body struct {
		Dispute struct {
			Event   *uint64 `json:"event"`
			Refused string  `json:"refused"`
			Claim   string  `json:"claim"`
			Rule    string  `json:"rule"`
			By      string  `json:"by"`
		} `json:"dispute"`
	}
	if !campaign.DecodeExactly(p.command.Body, &body) {
		p.refuse("", "a dispute takes event, the index of what is contested, or refused, the id of a command; "+
			"claim; rule; and by, the seat whose claim it is")
		return nil, nil
	}
	b := body.Dispute
	p.seat = p.live.campaign.Speaker(p.command, b.By, &p.findings)
	p.fewOpen()
	opened := &events.DisputeOpened{Claim: p.words("claim", b.Claim, "say what is wrong, in a sentence: claim: …")}
	if b.Rule != "" {
		opened.Rule = p.ruleID("rule", b.Rule)
	}
	d := rules.Draft{Payload: opened}
	switch {
	case (b.Event == nil) == (b.Refused == ""):
		p.refuse("", "what is contested? name one of the two: event: 57, or refused: the id of a command that was "+
			"refused")
	case b.Refused != "":
		if err := p.contestRefusal(b.Refused, opened, &d); err != nil {
			return nil, err
		}
	default:
		if err := p.contest(*b.Event, opened); err != nil {
			return nil, err
		}
	}
	return []campaign.Part{p.part(d)}, nil
}

// fewOpen refuses a player's seat that has many open disputes another one. The umpire, who rules on them, may type
// more.
func (p *disputeEntry) fewOpen() {
	if p.command.Seat == campaign.UmpireSeat || p.umpire.simulated != nil {
		return
	}
	c := p.live.campaign
	n := rules.Count(c.Docket.Disputes(c.History), func(d campaign.Dispute) bool { return d.Open() && d.By == p.seat })
	if n >= mostOpen {
		p.refuse("", "%d disputes of %s wait for their rulings: another may be opened when the umpire has ruled on "+
			"some", n, p.seat)
	}
}

// contest checks that there is such an event to contest.
func (p *disputeEntry) contest(index uint64, opened *events.DisputeOpened) error {
	opened.Event = index
	if !p.happened("event", index) {
		return nil
	}
	e, err := p.live.timeline.Event(index)
	if err != nil {
		return err
	}
	of := uint64(0)
	switch x, _ := events.PayloadOf(e); x := x.(type) {
	case *events.DisputeOpened:
		of = index
	case *events.StatementMade:
		of = x.Dispute
	case *events.EvidenceBrought:
		of = x.Dispute
	}
	if of != 0 {
		p.refuse("event", "event %d is said in dispute %d: answer it there, with statement: {dispute: %d, text: …}",
			index, of, of)
	}
	return nil
}

// contestRefusal brings a refused command into the dispute. Where the campaign has cards that are
// hidden, an entry may name one, and so may the reasons of the refusal, the ids of the rules among them: then
// both are committed.
func (p *disputeEntry) contestRefusal(command string, opened *events.DisputeOpened, d *rules.Draft) error {
	c := p.live.campaign
	x, ok, err := p.umpire.refused(c.ID, command, p.seat)
	if err != nil {
		return err
	}
	if !ok {
		p.refuse("refused", "no refusal of %q is kept: the last %d refused commands of a campaign are, for the "+
			"umpire and for the seat that gave them; submit it again, and dispute what it is answered", command,
			mostRefusals)
		return nil
	}
	hides, err := p.live.hides()
	if err != nil {
		return err
	}
	opened.Event, opened.Refused, opened.Verb = x.Events-1, x.Command, x.Verb
	if !hides {
		for _, v := range x.Violations {
			opened.Violations = append(opened.Violations, events.Citation{Rule: v.Rule, Step: v.Message})
		}
		opened.Entry = string(x.Entry)
		return nil
	}
	violations, err := json.Marshal(x.Violations)
	d.Secrets = []rules.Secret{
		{Slot: events.SlotEntry, Fact: rules.Fact(string(x.Entry))},
		{Slot: events.SlotViolations, Fact: rules.Fact(string(violations))},
	}
	d.Derivation = []events.Citation{{Rule: "GEN-SECRET", Step: review.WhySealed[0]}}
	return err
}

// hides reports whether something in the campaign is hidden from a side.
func (t *liveCampaign) hides() (bool, error) {
	e, err := t.timeline.Event(0)
	if err != nil {
		return true, err
	}
	var p events.CampaignOpened
	return !e.Read(&p) || len(p.Pools) > 0, nil
}

// say takes down a statement.
func (p *disputeEntry) say() []campaign.Part {
	var body struct {
		Statement struct {
			Dispute *uint64 `json:"dispute"`
			Text    string  `json:"text"`
			By      string  `json:"by"`
		} `json:"statement"`
	}
	if !campaign.DecodeExactly(p.command.Body, &body) {
		p.refuse("", "a statement takes dispute, the event that opened it; text; and by, the seat that says so")
		return nil
	}
	b := body.Statement
	p.seat = p.live.campaign.Speaker(p.command, b.By, &p.findings)
	d := p.find(b.Dispute)
	text := p.words("text", b.Text, "say it in a sentence: text: …")
	return []campaign.Part{p.part(rules.Draft{Payload: &events.StatementMade{Dispute: d.Index, Text: text}})}
}

// bring takes down which events bear on a dispute.
func (p *disputeEntry) bring() []campaign.Part {
	var body struct {
		Evidence struct {
			Dispute *uint64  `json:"dispute"`
			Events  []uint64 `json:"events"`
			Note    string   `json:"note"`
			By      string   `json:"by"`
		} `json:"evidence"`
	}
	if !campaign.DecodeExactly(p.command.Body, &body) {
		p.refuse("", "evidence takes dispute, the event that opened it; events, a list of indexes; note; and by, "+
			"the seat that brings it")
		return nil
	}
	b := body.Evidence
	p.seat = p.live.campaign.Speaker(p.command, b.By, &p.findings)
	d := p.find(b.Dispute)
	if len(b.Events) == 0 {
		p.refuse("events", "evidence is events: events: [57, 60]")
	}
	for _, index := range b.Events {
		p.happened("events", index)
	}
	slices.Sort(b.Events)
	brought := &events.EvidenceBrought{Dispute: d.Index, Events: slices.Compact(b.Events),
		Note: p.words("note", b.Note, "")}
	return []campaign.Part{p.part(rules.Draft{Payload: brought})}
}
