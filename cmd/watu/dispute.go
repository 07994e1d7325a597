package main

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/explain"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

func (t *tool) disputeCommand() *cobra.Command {
	return group(&cobra.Command{
		Use: "dispute", Short: "Contest an event or a refusal, argue, and rule",
		Long: "A dispute is events of the campaign: it is opened over an event or over a\n" +
			"command that was refused, seats say and show what speaks for them, and the\n" +
			"umpire rules: upheld, corrected, void, or a precedent. All of it is public.",
	}, t.disputeOpenCommand(), t.disputeSayCommand(), t.disputeBringCommand(), t.disputeRuleCommand(),
		t.disputeListCommand(), t.disputeShowCommand())
}

// bySeat gives an entry the flag --seat.
func bySeat(c *cobra.Command, e *service.DisputeEntry) {
	c.Flags().StringVar(&e.Seat, "seat", "", "whose words they are (default the umpire's)")
}

func (t *tool) disputeOpenCommand() *cobra.Command {
	p := service.DisputeEntry{Verb: "dispute"}
	event, refused, claim, rule := "", "", "", ""
	c := t.orJSON(&cobra.Command{
		Use: "open CAMPAIGN --event N | --refused ID --claim TEXT", Short: "Contest an event, or a command that " +
			"was refused", Args: takes("CAMPAIGN"),
		Example: "  watu dispute open convoys --event 57 --claim 'over the cap' --rule AAR-4-CAP\n" +
			"  watu dispute open convoys --refused 'Round 1/uk' --claim 'it is in range'",
		RunE: func(c *cobra.Command, args []string) error {
			if strings.TrimSpace(claim) == "" {
				return input("say what is wrong, in a sentence, with --claim")
			}
			body := map[string]any{"claim": claim}
			if err := numbered(body, "event", event); err != nil {
				return err
			}
			inWords(body, map[string]string{"refused": refused, "rule": rule})
			return t.send(c.Context(), args[0], p, body)
		},
	})
	f := c.Flags()
	f.StringVar(&event, "event", "", "what is contested: an event, by its `index`")
	f.StringVar(&refused, "refused", "", "what is contested: a refused command, by its `id`")
	f.StringVar(&claim, "claim", "", "what is wrong, in a sentence")
	f.StringVar(&rule, "rule", "", "`id` of the rule that the claim rests on")
	_ = c.RegisterFlagCompletionFunc("rule", completeRule) // the flag is there
	bySeat(c, &p)
	return c
}

func (t *tool) disputeSayCommand() *cobra.Command {
	p := service.DisputeEntry{Verb: "statement"}
	text := ""
	c := t.orJSON(&cobra.Command{
		Use: "say CAMPAIGN DISPUTE --text TEXT", Short: "Say something on a dispute",
		Args: takes("CAMPAIGN", "DISPUTE"),
		RunE: func(c *cobra.Command, args []string) error {
			if strings.TrimSpace(text) == "" {
				return input("say it with --text")
			}
			body := map[string]any{"text": text}
			if err := numbered(body, "dispute", args[1]); err != nil {
				return err
			}
			return t.send(c.Context(), args[0], p, body)
		},
	})
	c.Flags().StringVar(&text, "text", "", "what is to be said")
	bySeat(c, &p)
	return c
}

func (t *tool) disputeBringCommand() *cobra.Command {
	p := service.DisputeEntry{Verb: "evidence"}
	note := ""
	var list []string
	c := t.orJSON(&cobra.Command{
		Use: "bring CAMPAIGN DISPUTE --event N,N", Short: "Point at events that bear on a dispute",
		Args: takes("CAMPAIGN", "DISPUTE"),
		RunE: func(c *cobra.Command, args []string) error {
			body, indexes := map[string]any{}, []uint64{}
			if err := numbered(body, "dispute", args[1]); err != nil {
				return err
			}
			for _, text := range list {
				n, err := eventNumber(strings.TrimSpace(text))
				if err != nil {
					return err
				}
				indexes = append(indexes, n)
			}
			body["events"] = indexes
			inWords(body, map[string]string{"note": note})
			return t.send(c.Context(), args[0], p, body)
		},
	})
	c.Flags().StringSliceVar(&list, "event", nil, "events, by their `indexes`, with commas between")
	c.Flags().StringVar(&note, "note", "", "what they show")
	bySeat(c, &p)
	return c
}

// verdict is how a dispute is ruled, as the command line gives it.
type verdict struct {
	service.DisputeEntry
	upheld, corrected, void, precedent bool
	file, reason, scope, event         string
	ids                                []string
}

func (t *tool) disputeRuleCommand() *cobra.Command {
	v := verdict{DisputeEntry: service.DisputeEntry{Verb: "ruling"}}
	c := t.orJSON(&cobra.Command{
		Use: "rule CAMPAIGN DISPUTE --VERDICT --reason TEXT", Short: "Rule on a dispute, as the umpire",
		Args: takes("CAMPAIGN", "DISPUTE"),
		Long: "Rule on a dispute. VERDICT is upheld, corrected, void or precedent.\n" +
			"Upheld lets stand what is contested; a precedent does too,\n" +
			"and is how such cases are ruled from here on, in this campaign or in every one\n" +
			"of the ledger (--scope league). Corrected takes a file as watu correct does, and\n" +
			"corrects the entry behind the event; void takes what the entry led to out of\n" +
			"the campaign. --event names another event for that, where the fault lies there.",
		Example: "  watu dispute rule convoys 60 --upheld --reason 'as written' --rule AAR-4-CAP\n" +
			"  watu dispute rule convoys 60 --corrected -f correction.yaml --reason 'a typo'",
		RunE: func(c *cobra.Command, args []string) error {
			body, err := v.body(args[1])
			if err != nil {
				return err
			}
			if v.file != "" {
				if v.Name, v.Correction, err = t.readText(v.file); err != nil {
					return err
				}
			}
			return t.send(c.Context(), args[0], v.DisputeEntry, body)
		},
	})
	f := c.Flags()
	f.BoolVar(&v.upheld, "upheld", false, "it stands as it is")
	f.BoolVar(&v.corrected, "corrected", false, "it stands corrected, as the file says")
	f.BoolVar(&v.void, "void", false, "it does not stand")
	f.BoolVar(&v.precedent, "precedent", false, "it stands, and such cases are ruled alike")
	f.StringVarP(&v.file, "file", "f", "", "correction; - for standard input")
	f.StringVar(&v.reason, "reason", "", "why, in a sentence (default that of the file)")
	f.StringSliceVar(&v.ids, "rule", nil, "`id` of a rule that the ruling rests on; may be repeated")
	_ = c.RegisterFlagCompletionFunc("rule", completeRule) // the flag is there
	f.StringVar(&v.scope, "scope", "", "event, campaign or league (default event; of a precedent campaign)")
	f.StringVar(&v.event, "event", "", "`index` of what is corrected or void, if it is not what is contested")
	return c
}

// body is the ruling as an entry has it.
func (v *verdict) body(dispute string) (map[string]any, error) {
	body := map[string]any{}
	for _, way := range []struct {
		word   string
		chosen bool
	}{{"upheld", v.upheld}, {"corrected", v.corrected}, {"void", v.void}, {"precedent", v.precedent}} {
		switch {
		case way.chosen && body["ruling"] != nil:
			return nil, input("a dispute is ruled in one way: leave out one of --%s and --%s", body["ruling"], way.word)
		case way.chosen:
			body["ruling"] = way.word
		}
	}
	switch {
	case body["ruling"] == nil:
		return nil, input("how is it ruled? say --upheld, --corrected, --void or --precedent")
	case v.corrected && v.file == "":
		return nil, input("say in a file what should have been: --corrected -f correction.yaml")
	case v.file != "" && !v.corrected:
		return nil, input("-f is a correction, and --%s corrects nothing: leave it out, or rule --corrected",
			body["ruling"])
	}
	err := errors.Join(numbered(body, "dispute", dispute), numbered(body, "event", v.event))
	if v.file == "" {
		err = errors.Join(err, explained(v.reason))
	}
	if err != nil {
		return nil, err
	}
	if len(v.ids) > 0 {
		body["rules"] = v.ids
	}
	inWords(body, map[string]string{"reason": v.reason, "scope": v.scope})
	return body, nil
}

// numbered puts an index under a key, if it is given.
func numbered(body map[string]any, key, text string) error {
	if text == "" {
		return nil
	}
	n, err := eventNumber(text)
	if err == nil {
		body[key] = n
	}
	return err
}

// inWords puts words under their keys, those that are given.
func inWords(body map[string]any, words map[string]string) {
	for key, text := range words {
		if text != "" {
			body[key] = text
		}
	}
}

// send sends an entry of a dispute and says what came of it.
func (t *tool) send(ctx context.Context, campaign string, p service.DisputeEntry, body map[string]any) error {
	p.Body = body
	return t.with(ctx, "dispute", false, func(o *api.Client) error {
		var done service.Submitted
		err := o.Post(ctx, p, &done, "campaigns", campaign, "disputes")
		if err = t.answer(err, done, func() { t.printSaid(done) }); err != nil {
			return err
		}
		return t.stopped(done)
	})
}

func (t *tool) printSaid(done service.Submitted) {
	for _, h := range done.Entries {
		t.page.happened(h.Happened)
		t.printWarnings(h.Warnings)
		if h.State == service.Stands {
			t.page.Text("This was said before%s; nothing is recorded.", places(h.Happened))
		}
		if h.State == service.Void {
			t.printVoid(done.Campaign, h)
		}
	}
	t.printPendingBehind(done)
}

func (t *tool) disputeListCommand() *cobra.Command {
	open, precedents, rule := false, false, ""
	c := t.orJSON(&cobra.Command{
		Use: "list [CAMPAIGN]", Short: "List disputes, of a campaign or of the whole ledger",
		Args: cobra.MaximumNArgs(1),
		Long: "List the disputes of a campaign, or of every campaign of the ledger. With\n" +
			"--open those that wait for a ruling; with --precedents what is to be ruled\n" +
			"alike, for a campaign also what was so ruled for the league.",
		RunE: func(c *cobra.Command, args []string) error {
			q := url.Values{}
			for name, set := range map[string]bool{"open": open, "precedents": precedents} {
				if set {
					q.Set(name, "1")
				}
			}
			if rule != "" {
				q.Set("rule", rule)
			}
			path := []string{"disputes"}
			if len(args) == 1 {
				path = []string{"campaigns", args[0], "disputes"}
			}
			return ask(t, c, query(q, path...), func(list timeline.Disputes) {
				t.listDisputes(list.Disputes, open)
			})
		},
	})
	f := c.Flags()
	f.BoolVar(&open, "open", false, "those that wait for a ruling")
	f.BoolVar(&precedents, "precedents", false, "those ruled to be precedents")
	f.StringVar(&rule, "rule", "", "those that turn on this rule, by its `id`")
	_ = c.RegisterFlagCompletionFunc("rule", completeRule) // the flag is there
	return c
}

func (t *tool) disputeShowCommand() *cobra.Command {
	as := ""
	c := t.orJSON(&cobra.Command{
		Use: "show CAMPAIGN DISPUTE", Short: "Tell a dispute with everything that bears on it",
		Args: takes("CAMPAIGN", "DISPUTE"),
		RunE: func(c *cobra.Command, args []string) error {
			n, err := eventNumber(args[1])
			if err != nil {
				return err
			}
			what := query(url.Values{"as": {as}}, "campaigns", args[0], "disputes", strconv.FormatUint(n, 10))
			return ask(t, c, what, func(d service.DisputeDetails) { t.page.Document(explain.Dispute(d)) })
		},
	})
	c.Flags().StringVar(&as, "as", "", "who looks: umpire, for what is sealed of a refused command (default public)")
	return c
}
