package main

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay"
)

func (t *tool) statusCommand() *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: "status", Short: "Say how the ledger stands: how much is recorded, and published", Args: cobra.NoArgs,
		Long: "Say which ledger this is, how many events are recorded and how many of them\n" +
			"published, where the stream is and what keeps it, and whether what lies beside\n" +
			"the record is whole: secrets, boards, tokens. Exit code 3: it is not.",
		RunE: func(c *cobra.Command, _ []string) error {
			return t.with(c.Context(), "status", false, func(o *api.Client) error {
				var s service.Status
				if err := o.Query(c.Context(), &s, url.Values{"look": {""}}, "status"); err != nil {
					return err
				}
				if !t.asJSON {
					t.printStanding(s, o.Served())
				} else if err := t.json(s); err != nil {
					return err
				}
				return maintenance.DamageProblem(s.Damaged, "%s", maintenance.DamageText(s.Damaged))
			})
		},
	})
}

func (t *tool) printStanding(s service.Status, served bool) {
	t.page.Line("ledger  " + s.Ledger)
	if s.Key != "" {
		t.page.Line("key     " + s.Key)
	}
	t.page.Line("in      " + document.Printable(s.Directory))
	events := words.Count(s.Durable, "event") + " recorded"
	switch {
	case s.ReadOnly != "", s.NATS == "" && s.Stopped != "": // nothing is known of a stream
	case s.Lease != nil && s.Lease.Lost: // what the stream holds now is another's to say
		events += fmt.Sprintf(", %d confirmed while the lease was held", s.Published)
	case s.Published == s.Durable:
		events += ", all published"
	default:
		events += fmt.Sprintf(", %d published", s.Published)
	}
	t.page.Line("events  " + events)
	t.page.labelled("home", s.Home)
	for _, w := range s.Waits {
		t.printWaits(w, w.Campaign+": ")
	}
	if s.OpenDisputes > 0 {
		t.page.Line("waits   " + words.Count(s.OpenDisputes, "open dispute") + ": watu dispute list --open")
	}
	for _, r := range s.Rolls {
		t.page.labelled("roll", r.Campaign+" "+r.String())
	}
	for _, r := range s.Links {
		t.page.Flow("roll    ", "        ", terminal.Plain(r.Campaign+" "+r.String()))
	}
	for _, x := range s.Pending {
		t.page.Flow("pending ", "        ", pendingIn(x)...)
	}
	t.printStrays(s.Strays)
	t.printPublication(s, "", "")
	if s.Following != nil {
		t.page.labelled("trouble", s.Following.Trouble)
	}
	t.page.labelled("pages", s.Pages)
	if !served {
		t.page.Line("server  none: commands open the directory themselves")
	}
}

// printWaits prints what a campaign waits for, a line each.
func (t *tool) printWaits(w service.Awaits, of string) {
	if q := w.Asked; q != nil {
		t.page.labelled("asked", fmt.Sprintf("%s%s must answer #%d: %s", of, q.Of, q.Index, q.Question))
	}
	for _, d := range w.Disputes {
		t.page.labelled("dispute", fmt.Sprintf("%s#%d is open, on %s: %s", of, d.Dispute, d.About(), d.Claim))
	}
}

// mostStrays is how many stray files a page names.
const mostStrays = 8

func (t *tool) printStrays(list []string) {
	if len(list) == 0 {
		return
	}
	names := strings.Join(list[:min(len(list), mostStrays)], ", ")
	if more := len(list) - mostStrays; more > 0 {
		names += fmt.Sprintf(" and %d more (--json tells all)", more)
	}
	t.page.labelled("strays", "nothing in the record asks for: "+names)
}

// printHeads prints the campaigns and how far each reaches: people compare the heads.
func (t *tool) printHeads(list []maintenance.CampaignHead) {
	for _, c := range list {
		t.page.Text("%s, %s (%s)", c.Name, words.Count(c.Events, "event"), c.ID)
		if c.Events > 0 {
			t.page.Flow("  head ", "  ", terminal.Plain(c.Head.String()))
		}
	}
}

// printRecovered prints what came back, and from where.
func (t *tool) printRecovered(r *replay.Recovered, from string) {
	if r == nil {
		return
	}
	t.page.Text("%s came back from the %s.", words.Count(r.Events, "event"), from)
	if r.Completed > 0 {
		t.page.Text("%s followed from a step that was cut short, and %s made again.", words.Count(r.Completed, "event"),
			words.Number(r.Completed, "is", "are"))
	}
	if len(r.Sealed) > 0 {
		t.page.Flow("Sealed for good, since what they say is lost: ", "  ",
			terminal.Plain(strings.Join(r.Sealed, "; ")))
	}
	for _, line := range r.Cut {
		t.page.Flow("Look after this: ", "  ", terminal.Plain(line))
	}
}
