package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// auditAsked is what an audit is asked for.
type auditAsked struct {
	all     bool
	edition string
	from    string
}

// audits is what `watu audit --all --json` prints.
type audits struct {
	Version int              `json:"version"`
	Audits  []*service.Audit `json:"audits"`
	Left    []auditLeft      `json:"left,omitempty"`
}

// auditLeft is a campaign that was not audited, and why.
type auditLeft struct {
	Campaign string `json:"campaign"`
	Reason   string `json:"reason"`
}

func (t *tool) auditCommand() *cobra.Command {
	var a auditAsked
	c := t.orJSON(&cobra.Command{
		Use: "audit CAMPAIGN | --all", Short: "Run the rules again over the record, with the answers recorded",
		Args: func(_ *cobra.Command, args []string) error {
			if named := len(args) == 1; len(args) > 1 || named == a.all {
				return errors.New("name a campaign, or --all for every one of the ledger")
			}
			return nil
		},
		Long: "Hear every command of a campaign again, each on what stood before it and with\n" +
			"the dice, draws, choices and rulings recorded, and report every event that\n" +
			"comes out otherwise: the rule, what is recorded and what the rules derive, and\n" +
			"the figures at the end of the campaign that follow from it.\n\n" +
			"With --edition the commands are judged by another edition than the campaign's\n" +
			"own: what would be otherwise if it were adopted.\n\n" +
			"Exit code 3: something comes out otherwise by the campaign's own edition.",
		Example: "  watu audit atlantic-1939\n  watu audit --all --edition 2",
		RunE: func(c *cobra.Command, args []string) error {
			if a.all && a.from != "" {
				return input("--from names an event of one campaign, so it is of no use with --all")
			}
			return t.with(c.Context(), "audit", false, func(o *api.Client) error {
				if a.all {
					return t.auditAll(c.Context(), o, a)
				}
				result, err := t.audit(c.Context(), o, args[0], a)
				if result == nil {
					return err
				}
				if t.asJSON {
					return errors.Join(t.json(result), err)
				}
				t.printAudit(result)
				return err
			})
		},
	})
	f := c.Flags()
	f.BoolVar(&a.all, "all", false, "every campaign of the ledger")
	f.StringVar(&a.edition, "edition", "", "judge by this edition of the rules instead of the campaign's own")
	f.StringVar(&a.from, "from", "", "hear only commands from this `event` on")
	return c
}

// audit gives the result; the error may come beside it.
func (t *tool) audit(ctx context.Context, o *api.Client, campaign string,
	a auditAsked) (result *service.Audit, err error) {
	query := url.Values{}
	if a.edition != "" {
		query.Set("edition", a.edition)
	}
	if _, err := eventIn(query, "from", a.from); err != nil {
		return nil, err
	}
	bar := t.progress("auditing "+campaign, longAudit)
	defer bar.end()
	return api.WithProgress(ctx, o, http.MethodGet, query, nil, seen[service.Audit](bar),
		"campaigns", campaign, "audit")
}

// longAudit is the number of events from which an audit shows how far it is.
const longAudit = 2_000

// auditAll audits every campaign; a finding in one does not keep the others from it.
func (t *tool) auditAll(ctx context.Context, o *api.Client, a auditAsked) error {
	var list timeline.Campaigns
	if err := o.Get(ctx, &list, "campaigns"); err != nil {
		return err
	}
	out := audits{Version: maintenance.Version, Audits: []*service.Audit{}}
	var wrong []string
	for i, c := range list.All() {
		if i > 0 && !t.asJSON {
			t.page.Line("")
		}
		result, err := t.audit(ctx, o, c.Name, a)
		var p *problem.Problem
		switch {
		case err == nil:
		case !errors.As(err, &p) || p.Kind != problem.Unverified && p.Kind != problem.Input:
			return err
		case result == nil: // its rules have no such edition
			out.Left = append(out.Left, auditLeft{c.Name, p.Message})
			if !t.asJSON {
				t.page.Text("%s: not audited: %s", c.Name, p.Message)
			}
			continue
		default:
			wrong = append(wrong, c.Name)
		}
		out.Audits = append(out.Audits, result)
		if !t.asJSON {
			t.printAudit(result)
		}
	}
	if t.asJSON {
		if err := t.json(out); err != nil {
			return err
		}
	} else if len(list.Campaigns) == 0 {
		t.page.Text("There is no campaign, so there is nothing to audit.")
	}
	if len(wrong) == 0 {
		return nil
	}
	return &problem.Problem{Kind: problem.Unverified, Message: "the record of " + strings.Join(wrong, ", ") +
		" is not what the rules make of it"}
}

// printAudit prints what was checked, then what was found.
func (t *tool) printAudit(a *service.Audit) {
	t.page.Flow("", "", terminal.Bold(fmt.Sprintf("%s: %s, %s", a.Campaign, a.Title, playedOn(a.Played))))
	for _, p := range a.Played {
		if !p.Here {
			t.page.Text("This watu no longer has edition %s as the campaign has it (%s): it judges by what it "+
				"has instead.", p.Name, p.Hash.String()[:12])
		}
	}
	text := fmt.Sprintf("Heard again: %s, which led to %s of %d", words.Count(a.Commands, "command"),
		words.Count(a.Checked, "event"), a.Events)
	if a.From > 0 {
		text += fmt.Sprintf(", from #%d on", a.From)
	}
	if a.Edition != "" {
		text += fmt.Sprintf("; by edition %s", a.Edition)
	}
	t.page.Text("%s.", text)
	aside := []string{}
	for _, x := range a.Aside {
		aside = append(aside, counted(int(x.Events), string(x.Type)))
	}
	if len(aside) > 0 {
		t.page.Flow("", "", terminal.Plain("No rule derives the others: "+strings.Join(aside, ", ")+"."))
	}
	for _, u := range a.Unchecked {
		t.page.Flow(indexed(u.Event), "      ",
			terminal.Plain(fmt.Sprintf("not heard again: %s, %s: %s", u.Command, words.Count(u.Events, "event"),
				strings.TrimPrefix(u.Reason, fmt.Sprintf("#%d: ", u.Event)))))
	}
	defer t.printPendingIn(a)
	if len(a.Findings) == 0 {
		t.page.Text("Every one of them comes out as it is recorded.")
		return
	}
	t.page.Heading("What comes out otherwise")
	t.printOtherwise(a.Findings)
	if len(a.Affected) == 0 {
		t.page.Text("No figure at the end of the campaign is otherwise for it.")
		return
	}
	t.page.Heading("Figures at the end of the campaign that follow from it")
	for _, x := range a.Affected {
		t.page.Flow("  ", "    ", terminal.Plain(fmt.Sprintf("%s / %s:", x.View, x.Path)),
			terminal.Plain(fmt.Sprintf("recorded %s, derived %s", orNone(x.Recorded), orNone(x.Derived))))
	}
}

// printPendingIn lists what is pending in a campaign that is audited.
func (t *tool) printPendingIn(a *service.Audit) {
	if len(a.Pending) == 0 {
		return
	}
	t.page.Heading("Pending: otherwise on what was corrected or voided since")
	t.printByCause(a.Causes, a.Pending)
}

// counted prints how many events there are of a type: "2 disputes opened".
func counted(n int, kind string) string {
	what, came, _ := strings.Cut(strings.ReplaceAll(kind, "_", " "), " ")
	switch what {
	case "dice", "evidence", "cards":
		return fmt.Sprintf("%d %s %s", n, what, came)
	}
	return strings.TrimSuffix(words.Count(n, what)+" "+came, " ")
}

// printOtherwise prints the findings under the event that each is about.
func (t *tool) printOtherwise(list []service.AuditFinding) {
	for i, f := range list {
		if i == 0 || list[i-1].Event != f.Event {
			at := indexed(f.Event)
			turn := f.Turn
			if turn != "" {
				turn += ": "
			}
			t.page.Flow(at, "      ", terminal.Plain(turn+f.Text))
		}
		run := []terminal.Run{terminal.Plain(fmt.Sprintf("%s: recorded %s, derived %s", narrator.Field(f.Field),
			orNone(f.Recorded), orNone(f.Derived)))}
		if f.Rule != "" && f.Rule != rules.Input {
			run = append(run, terminal.Faint("["+f.Rule+"]"))
		}
		t.page.Flow("        ", "          ", run...)
	}
}

// orNone is a figure, or a word for none.
func orNone(s string) string { return cmp.Or(s, "none") }

// playedOn names a campaign's editions.
func playedOn(list []timeline.EditionPlayed) string {
	text := ""
	for i, p := range list {
		switch {
		case i == 0:
			text = "edition " + p.Name
		default:
			text += fmt.Sprintf(", from #%d on edition %s", p.Event+1, p.Name)
		}
	}
	return text
}
