package main

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

func (t *tool) listDisputes(list []service.Disputed, open bool) {
	if len(list) == 0 {
		t.page.Text("%s", map[bool]string{true: "No dispute waits for a ruling.",
			false: "There is no such dispute."}[open])
	}
	campaign := ""
	for _, d := range list {
		if d.Campaign != campaign {
			if campaign != "" {
				t.page.Line("")
			}
			campaign = d.Campaign
			t.page.Flow("", "", terminal.Bold(campaign))
		}
		t.tellDisputed(d)
	}
}

// tellDisputed tells a dispute in a few lines: claim, what is contested, ruling.
func (t *tool) tellDisputed(d service.Disputed) {
	const hang = "      "
	said := fmt.Sprintf("%s: %s", voice(d.By), d.Claim.Claim)
	runs := []terminal.Run{terminal.Plain(said)}
	if d.Claim.Rule != "" {
		runs = append(runs, terminal.Faint("["+d.Claim.Rule+"]"))
	}
	t.page.Flow(fmt.Sprintf("%5s ", fmt.Sprintf("#%d", d.Index)), hang, runs...)
	t.page.Flow(hang+"over ", hang+"  ", terminal.Plain(contested(d)+d.About))
	if d.Ruling == nil {
		t.page.Flow(hang, hang, terminal.Bold("open: it waits for the umpire"))
		return
	}
	t.tellRuled(hang, d)
}

// contested is the index of what is contested, none for a refusal.
func contested(d service.Disputed) string {
	if d.Claim.Refused != "" {
		return ""
	}
	return fmt.Sprintf("#%d ", d.Claim.Event)
}

func (t *tool) tellRuled(margin string, d service.Disputed) {
	r := d.Ruling
	said := r.Ruling
	if r.Scope != "event" {
		said += " for the " + r.Scope
	}
	if r.Dice != "" {
		said += ", the dice " + map[string]string{"stand": "stand", "thrown again": "are thrown again",
			"replaced": "are replaced"}[r.Dice]
	}
	runs := []terminal.Run{terminal.Bold(said), terminal.Plain(fmt.Sprintf("(#%d): %s", r.Event, r.Reason))}
	if len(r.Rules) > 0 {
		runs = append(runs, terminal.Faint("["+rulesText(r.Rules)+"]"))
	}
	t.page.Flow(margin, margin+"  ", runs...)
}

// tellDispute prints a dispute from the claim down to the precedents.
func (t *tool) tellDispute(s service.DisputeShown) {
	d := s.Dispute
	stands := "open"
	if d.Ruling != nil {
		stands = d.Ruling.Ruling
	}
	t.page.Flow("", "", terminal.Bold(fmt.Sprintf("Dispute #%d of %s: %s", d.Index, d.Campaign, stands)))
	if d.Turn != "" {
		t.page.Text("%s", d.Turn)
	}
	t.page.Flow("  ", "  ", terminal.Plain(voice(d.By)+": "+d.Claim.Claim), terminal.Faint(bracketed(d.Claim.Rule)))
	t.tellContested(s)
	if len(d.Statements) > 0 {
		t.page.Heading("Statements")
	}
	for _, x := range d.Statements {
		t.page.Flow(fmt.Sprintf("%5s ", fmt.Sprintf("#%d", x.Event)), "      ", terminal.Plain(voice(x.By)+": "+x.Text))
	}
	t.tellEvidence(s)
	if d.Ruling != nil {
		t.page.Heading("Ruling")
		t.tellRuled("  ", d)
	}
	for _, a := range s.Corrections {
		t.page.Flow("  was  ", "       ", terminal.Plain(fmt.Sprintf("#%d %s", a.Was.Index, a.Was.Text)))
		t.page.Flow("  is   ", "       ", terminal.Plain(fmt.Sprintf("#%d %s", a.Is.Index, a.Is.Text)))
	}
	for _, l := range s.Voided {
		t.page.Flow("  void ", "       ", terminal.Plain(fmt.Sprintf("#%d %s", l.Index, l.Text)))
	}
	for _, l := range s.Instead {
		t.page.Flow("  now  ", "       ", terminal.Plain(fmt.Sprintf("#%d %s", l.Index, l.Text)))
	}
	if len(s.Pending) > 0 {
		t.page.Heading("Pending: stands as recorded, and would be otherwise by the ruling")
		t.tellConsequences(s.Pending)
		t.tellLeft(d.Campaign, s.Pending)
	}
	if len(s.Precedents) > 0 {
		t.page.Heading("Earlier precedents on the same rule")
	}
	for _, x := range s.Precedents {
		t.page.Flow("  ", "    ", terminal.Plain(fmt.Sprintf("#%d of %s", x.Index, x.Campaign)),
			terminal.Plain(x.Claim.Claim))
		t.tellRuled("    ", x)
	}
}

// tellContested prints the event in question, or the refused command as far as it may be shown.
func (t *tool) tellContested(s service.DisputeShown) {
	t.page.Heading("Contested")
	if s.Contested != nil {
		t.page.event(*s.Contested, "")
		return
	}
	k := s.Dispute.Claim
	t.page.Flow("  ", "  ", terminal.Plain(fmt.Sprintf("%s, refused after #%d", k.Refused, k.Event)))
	for _, v := range k.Violations {
		said := v.Step
		if said == "" {
			said = "what was said of it is sealed"
		}
		t.page.Flow("    ", "    ", terminal.Plain(said), terminal.Faint(bracketed(v.Rule)))
	}
	if len(k.Violations) == 0 {
		t.page.Flow("    ", "    ", terminal.Plain("Which rules it broke is sealed, for that may tell a hidden card."))
	}
	if k.Entry == "" {
		t.page.Flow("    ", "    ", terminal.Plain("The entry is sealed, for it may name a hidden card: the umpire "+
			"can reveal it."))
		return
	}
	t.tellFigures("    ", s.Inputs)
}

// tellEvidence prints who points at what.
func (t *tool) tellEvidence(s service.DisputeShown) {
	if len(s.Dispute.Evidence) == 0 {
		return
	}
	t.page.Heading("Evidence")
	for _, x := range s.Dispute.Evidence {
		var list []string
		for _, index := range x.Events {
			list = append(list, fmt.Sprintf("#%d", index))
		}
		said := voice(x.By) + ": " + strings.Join(list, ", ")
		if x.Note != "" {
			said += ": " + x.Note
		}
		t.page.Flow(fmt.Sprintf("%5s ", fmt.Sprintf("#%d", x.Event)), "      ", terminal.Plain(said))
	}
	for _, l := range s.Shown {
		t.page.Flow(fmt.Sprintf("%9s ", fmt.Sprintf("#%d", l.Index)), "          ", terminal.Plain(l.Text))
	}
}

// voice is how a line begins with a seat.
func voice(seat string) string {
	if seat == "umpire" {
		return "The umpire"
	}
	return seat
}

func bracketed(rule string) string {
	if rule == "" {
		return ""
	}
	return "[" + rule + "]"
}

// tellDisputes prints the disputes that an event is part of, under a heading.
func (t *tool) tellDisputes(heading string, list []service.Disputed) {
	if len(list) == 0 {
		return
	}
	t.page.Heading("%s", heading)
	for _, d := range list {
		t.tellDisputed(d)
	}
}
