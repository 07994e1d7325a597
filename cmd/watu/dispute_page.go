package main

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
)

func (t *tool) listDisputes(list []office.Disputed, open bool) {
	if len(list) == 0 {
		t.page.text("%s", map[bool]string{true: "No dispute waits for a ruling.", false: "There is no such dispute."}[open])
	}
	campaign := ""
	for _, d := range list {
		if d.Campaign != campaign {
			if campaign != "" {
				t.page.line("")
			}
			campaign = d.Campaign
			t.page.flow("", "", words{campaign, inkBold})
		}
		t.tellDisputed(d)
	}
}

// tellDisputed tells a dispute in a few lines: claim, what is contested, ruling.
func (t *tool) tellDisputed(d office.Disputed) {
	const hang = "      "
	said := fmt.Sprintf("%s: %s", voice(d.By), d.Claim.Claim)
	runs := []words{{said, inkPlain}}
	if d.Claim.Rule != "" {
		runs = append(runs, words{"[" + d.Claim.Rule + "]", inkFaint})
	}
	t.page.flow(fmt.Sprintf("%5s ", fmt.Sprintf("#%d", d.Index)), hang, runs...)
	t.page.flow(hang+"over ", hang+"  ", words{contested(d) + d.About, inkPlain})
	if d.Ruling == nil {
		t.page.flow(hang, hang, words{"open: it waits for the umpire", inkBold})
		return
	}
	t.tellRuled(hang, d)
}

// contested is the index of what is contested, none for a refusal.
func contested(d office.Disputed) string {
	if d.Claim.Refused != "" {
		return ""
	}
	return fmt.Sprintf("#%d ", d.Claim.Event)
}

func (t *tool) tellRuled(margin string, d office.Disputed) {
	r := d.Ruling
	said := r.Ruling
	if r.Scope != "event" {
		said += " for the " + r.Scope
	}
	if r.Dice != "" {
		said += ", the dice " + map[string]string{"stand": "stand", "thrown again": "are thrown again", "replaced": "are replaced"}[r.Dice]
	}
	runs := []words{{said, inkBold}, {fmt.Sprintf("(#%d): %s", r.Event, r.Reason), inkPlain}}
	if len(r.Rules) > 0 {
		runs = append(runs, words{"[" + rulesText(r.Rules) + "]", inkFaint})
	}
	t.page.flow(margin, margin+"  ", runs...)
}

// tellDispute prints a dispute from the claim down to the precedents.
func (t *tool) tellDispute(s office.DisputeShown) {
	d := s.Dispute
	stands := "open"
	if d.Ruling != nil {
		stands = d.Ruling.Ruling
	}
	t.page.flow("", "", words{fmt.Sprintf("Dispute #%d of %s: %s", d.Index, d.Campaign, stands), inkBold})
	if d.Turn != "" {
		t.page.text("%s", d.Turn)
	}
	t.page.flow("  ", "  ", words{voice(d.By) + ": " + d.Claim.Claim, inkPlain}, words{bracketed(d.Claim.Rule), inkFaint})
	t.tellContested(s)
	if len(d.Statements) > 0 {
		t.page.heading("Statements")
	}
	for _, x := range d.Statements {
		t.page.flow(fmt.Sprintf("%5s ", fmt.Sprintf("#%d", x.Event)), "      ", words{voice(x.By) + ": " + x.Text, inkPlain})
	}
	t.tellEvidence(s)
	if d.Ruling != nil {
		t.page.heading("Ruling")
		t.tellRuled("  ", d)
	}
	for _, a := range s.Corrections {
		t.page.flow("  was  ", "       ", words{fmt.Sprintf("#%d %s", a.Was.Index, a.Was.Text), inkPlain})
		t.page.flow("  is   ", "       ", words{fmt.Sprintf("#%d %s", a.Is.Index, a.Is.Text), inkPlain})
	}
	for _, l := range s.Voided {
		t.page.flow("  void ", "       ", words{fmt.Sprintf("#%d %s", l.Index, l.Text), inkPlain})
	}
	for _, l := range s.Instead {
		t.page.flow("  now  ", "       ", words{fmt.Sprintf("#%d %s", l.Index, l.Text), inkPlain})
	}
	if len(s.Precedents) > 0 {
		t.page.heading("Earlier precedents on the same rule")
	}
	for _, x := range s.Precedents {
		t.page.flow("  ", "    ", words{fmt.Sprintf("#%d of %s", x.Index, x.Campaign), inkPlain}, words{x.Claim.Claim, inkPlain})
		t.tellRuled("    ", x)
	}
}

// tellContested prints the event in question, or the refused command as far as it may be shown.
func (t *tool) tellContested(s office.DisputeShown) {
	t.page.heading("Contested")
	if s.Contested != nil {
		t.page.event(*s.Contested, "")
		return
	}
	k := s.Dispute.Claim
	t.page.flow("  ", "  ", words{fmt.Sprintf("%s, refused after #%d", k.Refused, k.Event), inkPlain})
	for _, v := range k.Violations {
		said := v.Step
		if said == "" {
			said = "what was said of it is sealed"
		}
		t.page.flow("    ", "    ", words{said, inkPlain}, words{bracketed(v.Rule), inkFaint})
	}
	if len(k.Violations) == 0 {
		t.page.flow("    ", "    ", words{"Which rules it broke is sealed, for that may tell a hidden card.", inkPlain})
	}
	if k.Entry == "" {
		t.page.flow("    ", "    ", words{"The entry is sealed, for it may name a hidden card: the umpire can reveal it.", inkPlain})
		return
	}
	t.tellFigures("    ", s.Inputs)
}

// tellEvidence prints who points at what.
func (t *tool) tellEvidence(s office.DisputeShown) {
	if len(s.Dispute.Evidence) == 0 {
		return
	}
	t.page.heading("Evidence")
	for _, x := range s.Dispute.Evidence {
		var list []string
		for _, index := range x.Events {
			list = append(list, fmt.Sprintf("#%d", index))
		}
		said := voice(x.By) + ": " + strings.Join(list, ", ")
		if x.Note != "" {
			said += ": " + x.Note
		}
		t.page.flow(fmt.Sprintf("%5s ", fmt.Sprintf("#%d", x.Event)), "      ", words{said, inkPlain})
	}
	for _, l := range s.Shown {
		t.page.flow(fmt.Sprintf("%9s ", fmt.Sprintf("#%d", l.Index)), "          ", words{l.Text, inkPlain})
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
func (t *tool) tellDisputes(heading string, list []office.Disputed) {
	if len(list) == 0 {
		return
	}
	t.page.heading("%s", heading)
	for _, d := range list {
		t.tellDisputed(d)
	}
}
