package main

import (
	"fmt"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

func (t *tool) listDisputes(list []timeline.Dispute, open bool) {
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
		t.printDisputed(d)
	}
}

// printDisputed prints a dispute in a few lines: claim, what is contested, ruling.
func (t *tool) printDisputed(d timeline.Dispute) {
	const hang = "      "
	text := fmt.Sprintf("%s: %s", voice(d.By), d.Claim.Claim)
	runs := []terminal.Run{terminal.Plain(text)}
	if d.Claim.Rule != "" {
		runs = append(runs, terminal.Faint("["+d.Claim.Rule+"]"))
	}
	t.page.Flow(indexed(d.Index), hang, runs...)
	t.page.Flow(hang+"over ", hang+"  ", terminal.Plain(contested(d)+d.About))
	if d.Ruling == nil {
		t.page.Flow(hang, hang, terminal.Bold("open: it waits for the umpire"))
		return
	}
	t.printRuled(hang, d)
}

// contested is the index of what is contested, none for a refusal.
func contested(d timeline.Dispute) string {
	if d.Claim.Refused != "" {
		return ""
	}
	return fmt.Sprintf("#%d ", d.Claim.Event)
}

func (t *tool) printRuled(margin string, d timeline.Dispute) {
	r := d.Ruling
	runs := []terminal.Run{terminal.Bold(d.Ended()), terminal.Plain(fmt.Sprintf("(#%d): %s", r.Event, r.Reason))}
	if len(r.Rules) > 0 {
		runs = append(runs, terminal.Faint("["+rulesText(r.Rules)+"]"))
	}
	t.page.Flow(margin, margin+"  ", runs...)
}

// voice is how a line begins with a seat.
func voice(seat string) string {
	if seat == "umpire" {
		return "The umpire"
	}
	return seat
}

// printDisputes prints the disputes that an event is part of, under a heading.
func (t *tool) printDisputes(heading string, list []timeline.Dispute) {
	if len(list) == 0 {
		return
	}
	t.page.Heading("%s", heading)
	for _, d := range list {
		t.printDisputed(d)
	}
}
