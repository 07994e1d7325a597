package main

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

func (t *tool) pendingCommand() *cobra.Command {
	as, keep, reason := "", "", ""
	c := t.orJSON(&cobra.Command{
		Use: "pending CAMPAIGN", Short: "List what corrections left as it is recorded", Args: takes("CAMPAIGN"),
		Long: "List the entries that come out otherwise on what was corrected or voided since\n" +
			"and still stand as they are recorded: kept by choice, waiting for dice or an\n" +
			"answer, or not decided on. They are listed by the correction they follow from,\n" +
			"until they are corrected too or that is taken back. With --keep it is decided\n" +
			"that one stays.",
		Example: "  watu pending convoys\n  watu correct convoys 23                # apply what is pending at #23\n" +
			"  watu pending convoys --keep 23 --reason 'agreed at the table'",
		RunE: func(c *cobra.Command, args []string) error {
			if keep != "" {
				return t.keepPending(c, args[0], keep, reason)
			}
			return ask(t, c, query(url.Values{"as": {as}}, "campaigns", args[0], "pending"), t.printPending)
		},
	})
	f := c.Flags()
	f.StringVar(&as, "as", "", "as far as this viewer can know: public, a side, or umpire (default the umpire, or "+
		"whom an imported file was for)")
	f.StringVar(&keep, "keep", "", "decide that what is pending at this `event` stays as it is recorded")
	f.StringVar(&reason, "reason", "", "with --keep: why, in a sentence")
	return c
}

func (t *tool) keepPending(c *cobra.Command, campaign, event, reason string) error {
	n, err := eventNumber(event)
	if err == nil {
		err = explained(reason)
	}
	if err != nil {
		return err
	}
	what := post(service.KeepRequest{Event: n, Reason: reason}, "campaigns", campaign, "pending")
	return ask(t, c, what, func(done service.Kept) { t.page.happened(done.Happened) })
}

// printPending lists what is pending by the correction that it follows from.
func (t *tool) printPending(p service.Pending) {
	defer t.printUnfinished(p.Unfinished)
	defer t.printUnchecked(p)
	switch {
	case len(p.Pending) > 0:
	case len(p.Unchecked) > 0:
		t.page.Text("%s: nothing is known to be pending.", p.Campaign)
		return
	case p.Unfinished != nil:
		t.page.Text("%s: nothing is pending yet. Every entry that has ended is as what counts before it has it.",
			p.Campaign)
		return
	default:
		t.page.Text("%s: nothing is pending. Every entry is as what counts before it has it.", p.Campaign)
		return
	}
	t.page.Flow("", "", terminal.Bold(p.Campaign+": entries that rest on what was corrected or voided since"))
	t.printByCause(p.Causes, p.Pending)
	if p.ReadOnly {
		t.page.Line("")
		t.page.Text("It is applied or kept where the campaign is played: here it is read-only.")
		return
	}
	var lines []string
	if event, ok := appliable(p.Pending); ok {
		lines = append(lines, fmt.Sprintf("To apply one: watu correct %s %d", p.Campaign, event))
	}
	if i := slices.IndexFunc(p.Pending, func(x service.Consequence) bool { return x.Decision != review.Keep }); i >= 0 {
		lines = append(lines, fmt.Sprintf("To keep one: watu pending %s --keep %d --reason TEXT", p.Campaign,
			p.Pending[i].Event))
	}
	if len(lines) == 0 {
		return
	}
	t.page.Line("")
	for _, text := range lines {
		t.page.Text("%s", text)
	}
}

// printUnchecked names the later entries of which it is not known whether something is pending, by the reason.
func (t *tool) printUnchecked(p service.Pending) {
	if len(p.Unchecked) == 0 {
		return
	}
	t.page.Line("")
	t.page.Text("Not checked: %s", narrator.Unchecked(len(p.Unchecked)))
	var reasons []string
	by := map[string][]uint64{}
	for _, x := range p.Unchecked {
		if by[x.Reason] == nil {
			reasons = append(reasons, x.Reason)
		}
		by[x.Reason] = append(by[x.Reason], x.Event)
	}
	for _, why := range reasons {
		t.page.Flow("  ", "    ", terminal.Plain(eventsNamed(by[why])+":"), terminal.Faint(why))
	}
}

// appliable gives the first event of the list that can be applied without dice, cards or an answer.
func appliable(list []service.Consequence) (event uint64, ok bool) {
	x, ok := rules.Find(list, func(x service.Consequence) bool { return x.Waits == "" })
	return x.Event, ok
}

func (t *tool) printByCause(causes []service.Cause, list []service.Consequence) {
	for _, cause := range causes {
		t.page.Line("")
		t.page.event(cause.NarratedEvent, "")
		var own []service.Consequence
		for _, x := range list {
			if x.Cause == cause.Index {
				own = append(own, x)
			}
		}
		t.printConsequences(own)
	}
}

// printPendingBehind lists what a ruling leaves as it is recorded.
func (t *tool) printPendingBehind(done service.Submitted) {
	if len(done.Pending) > 0 {
		t.page.Heading("Entries recorded since that rest on what was corrected or voided")
		t.printConsequences(done.Pending)
		t.printLeft(done.Campaign, done.Pending)
	}
	t.printUnfinished(done.Unfinished)
}

// mostNamed is how many events a line names.
const mostNamed = 6

// pendingIn says how much is pending in a campaign, because of what, and what lists it.
func pendingIn(x timeline.PendingCount) []terminal.Run {
	list := terminal.Typed("watu pending " + x.Campaign)
	if x.Unknown {
		return []terminal.Run{terminal.Plain(fmt.Sprintf("in %s: not known yet:", x.Campaign)), list}
	}
	var lines []string
	if x.Entries > 0 {
		lines = append(lines, fmt.Sprintf("%s, %s, because of %s",
			words.Count(x.Entries, "entry"), eventsNamed(x.Events), eventsNamed(x.Causes)))
	}
	if x.Unchecked > 0 {
		lines = append(lines, fmt.Sprintf("%s not checked, for what is sealed",
			words.Count(x.Unchecked, "later entry")))
	}
	return []terminal.Run{terminal.Plain(fmt.Sprintf("in %s: %s:", x.Campaign, strings.Join(lines, "; "))), list}
}

// eventsNamed names events: "#15, #20 and 3 more".
func eventsNamed(list []uint64) string {
	lines := rules.Each(list[:min(len(list), mostNamed)], func(i uint64) string { return fmt.Sprintf("#%d", i) })
	text := strings.Join(lines, ", ")
	if more := len(list) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
