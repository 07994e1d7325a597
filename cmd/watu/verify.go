package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/replay/bundle"
)

func (t *tool) verifyCommand() *cobra.Command {
	head, asJSON := "", false
	c := &cobra.Command{
		Use: "verify FILE.watu | verify --dir DIR [CAMPAIGN]", Short: "Check a record, offline", Args: cobra.MaximumNArgs(1),
		Long: "Check a campaign's record on nothing but itself: hashes, order, dice against\n" +
			"the links revealed, cards against their commitments. It says what was checked,\n" +
			"which event and field is wrong, the first one first, and what could not be\n" +
			"checked and why. FILE is one of watu export (- is standard input); with --dir\n" +
			"and a campaign's name, or none for all, it is the ledger's own record, and all\n" +
			"that lies beside it: checkpoint, secrets, boards, tokens. Nothing is written.\n" +
			"--head is the hash of the last event, or of an earlier one, as it is known from\n" +
			"elsewhere: without it a file can be whole and yet another than was played.\n" +
			"Exit code 3: it does not verify.",
		Example: "  watu verify atlantic.watu\n  watu verify --dir ledger atlantic-1939 --head HASH",
		RunE: func(c *cobra.Command, args []string) error {
			if t.dir != "" {
				return t.verifyLedger(c.Context(), args, head, asJSON)
			}
			if len(args) == 0 {
				return input("which record? watu verify FILE.watu, or watu verify --dir DIR [CAMPAIGN]")
			}
			return t.verifyFile(args[0], head, asJSON)
		},
	}
	c.Flags().StringVar(&head, "head", "", "`hash` of an event that is known from elsewhere")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// verifyFile needs no ledger, and so no office.
func (t *tool) verifyFile(name, head string, asJSON bool) error {
	file, err := t.readRecord(name)
	if err != nil {
		return err
	}
	bar := t.progress("verifying")
	v, err := office.Verify(file, head, bar.at)
	bar.end()
	if err != nil {
		return err
	}
	return t.verified(name, []office.Verification{v}, asJSON)
}

// readRecord reads a file, or standard input, as it comes.
func (t *tool) readRecord(name string) (*bundle.File, error) {
	what := name
	if name == "-" {
		what = "standard input"
	}
	return waited(t, what, func() (*bundle.File, error) { return t.readRecordNow(name) })
}

func (t *tool) readRecordNow(name string) (*bundle.File, error) {
	in := t.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, input("%v", err)
		}
		defer f.Close()
		in = f
	}
	file, err := office.ReadRecord(in)
	if err != nil {
		return nil, inFile(name, err)
	}
	return file, nil
}

// inFile puts the name of a file before a problem.
func inFile(name string, err error) error {
	p := *office.ProblemOf(err)
	p.Where = name
	return &p
}

// verifyLedger verifies one campaign of a ledger, or all of them, and what lies in the directory beside.
func (t *tool) verifyLedger(ctx context.Context, args []string, head string, asJSON bool) error {
	dir, o, err := t.opening("verify")
	if err != nil {
		return err
	}
	c, err := office.DialInspect(ctx, dir, o)
	if err != nil {
		return err
	}
	var d office.Directory
	err = c.Get(ctx, &d, "directory")
	if err == nil {
		err = t.tellDirectory(d, asJSON)
	}
	if err == nil {
		err = t.verifyCampaigns(ctx, c, args, head, asJSON)
	}
	if err == nil {
		err = office.Damage(d.Things, "%s does not verify: %s", d.Directory, office.DamageText(d.Wrong()))
	}
	return t.closed(err, c.Close)
}

func (t *tool) verifyCampaigns(ctx context.Context, o *office.Client, names []string, head string, asJSON bool) error {
	if len(names) == 0 {
		var all office.Campaigns
		if err := o.Get(ctx, &all, "campaigns"); err != nil {
			return err
		}
		for _, c := range all.Campaigns {
			names = append(names, c.Name)
		}
		if head != "" && len(names) != 1 {
			return input("--head is that of one campaign: name it")
		}
	}
	var list []office.Verification
	for _, name := range names {
		v, err := t.verifyCampaign(ctx, o, name, head)
		if err != nil {
			return err
		}
		list = append(list, v)
	}
	return t.verified("", list, asJSON)
}

// tellDirectory prints what lies in a directory, one thing a line.
func (t *tool) tellDirectory(d office.Directory, asJSON bool) error {
	if asJSON {
		return t.json(d)
	}
	for _, x := range d.Things {
		name, rest, _ := strings.Cut(x.Name, "/")
		if len(rest) == 64 { // a hash
			rest = rest[:12]
		}
		is := x.Is
		if x.Problem != nil {
			is = "WRONG: " + x.Problem.Message
		}
		if x.Campaign != "" {
			is = x.Campaign + ": " + is
		}
		t.page.flow("", "  ", words{strings.TrimSpace(name + " " + rest), inkBold}, words{is, inkPlain})
	}
	t.page.line("")
	return nil
}

func (t *tool) verifyCampaign(ctx context.Context, o *office.Client, name, head string) (v office.Verification, err error) {
	bar := t.progress("verifying " + name)
	defer bar.end()
	err = o.Lines(ctx, http.MethodGet, url.Values{"head": {head}}, func(line json.RawMessage) error {
		var l office.Verifying
		if err := json.Unmarshal(line, &l); err != nil {
			return err
		}
		if l.Problem != nil {
			return l.Problem
		}
		if l.Result != nil {
			v = *l.Result
		}
		bar.at(l.Done, l.Total)
		return nil
	}, "campaigns", name, "verification")
	return v, err
}

// verified prints what came of it, and fails if something is wrong.
func (t *tool) verified(file string, list []office.Verification, asJSON bool) error {
	var wrong error
	for i, v := range list {
		if asJSON {
			if err := t.json(v); err != nil {
				return err
			}
		} else {
			if i > 0 {
				t.page.line("")
			}
			t.tellVerification(v)
		}
		if !v.Verified && wrong == nil {
			wrong = &office.Problem{Kind: office.Unverified, Where: file, Message: fmt.Sprintf(
				"campaign %s does not verify: %s", v.Campaign, office.FindingText(v.Findings[0]))}
		}
	}
	if len(list) == 0 && !asJSON {
		t.page.text("There is no campaign, so there is nothing to verify.")
	}
	return wrong
}

// mostFindings is how many findings a page tells.
const mostFindings = 20

func (t *tool) tellVerification(v office.Verification) {
	t.page.flow("", "", words{v.Campaign, inkBold}, words{fmt.Sprintf("(%s), %s edition %s, %s, for %s", v.ID, v.System, v.Edition, plural(int(v.Events), "event"), readerName(v.For)), inkPlain})
	if p := v.Part; p != nil && p.Dispute != 0 {
		t.page.text("in question: dispute #%d, events #%d to #%d", p.Dispute, p.From, p.To)
	} else if p != nil {
		t.page.text("in question: events #%d to #%d", p.From, p.To)
	}
	t.page.flow("", "", words{"head " + v.Head.String(), inkFaint})
	t.page.line("")
	table := projections.Table{Columns: []string{"Checked", "Number", "Wrong"}}
	for _, c := range v.Checks {
		wrong := ""
		if c.Wrong > 0 {
			wrong = fmt.Sprint(c.Wrong)
		}
		table.Rows = append(table.Rows, []string{c.What, fmt.Sprint(c.Count), wrong})
	}
	t.page.block("", table.String())
	t.tellFindings(v.Findings)
	if len(v.Unchecked) > 0 {
		t.page.heading("Not checked")
	}
	stated := []string{}
	for _, u := range v.Unchecked {
		if u.Stated {
			stated = append(stated, u.What)
			continue
		}
		why := u.Why
		if u.Lack {
			why += ": " + eventNames(u.Events)
		}
		t.page.flow("  ", "    ", words{fmt.Sprintf("%s (%d):", u.What, u.Count), inkPlain}, words{why, inkPlain})
	}
	if len(stated) > 0 {
		t.page.flow("  ", "    ", words{"what is stated, and nothing in a record proves:", inkPlain}, words{strings.Join(stated, "; ") + " (--json says why)", inkPlain})
	}
	t.page.line("")
	t.page.flow("", "", words{verdictOf(v), inkBold})
}

// verdictOf is the last line of a verification.
func verdictOf(v office.Verification) string {
	lacking := len(v.Lacking())
	switch {
	case !v.Verified:
		return "It does not verify."
	case lacking > 0:
		return fmt.Sprintf("%s could not be checked because of what the file lacks; nothing wrong was found in the rest.",
			plural(lacking, "event"))
	case len(v.Missing) > 0:
		return "Nothing is wrong with what is there; what is missing is named above."
	}
	return "Nothing is wrong."
}

// mostEventNames is how many runs of events a page names.
const mostEventNames = 60

// eventNames names events by their numbers, those that follow one another as one: "#22, #34 to #37".
func eventNames(list []uint64) string {
	list = slices.Compact(slices.Sorted(slices.Values(list)))
	var names []string
	for i := 0; i < len(list); {
		n := 1
		for i+n < len(list) && list[i+n] == list[i]+uint64(n) {
			n++
		}
		if len(names) == mostEventNames {
			names = append(names, fmt.Sprintf("and %d more (--json names all)", len(list)-i))
			break
		}
		name := fmt.Sprintf("#%d", list[i])
		switch {
		case n == 2:
			name += fmt.Sprintf(", #%d", list[i+1])
		case n > 2:
			name += fmt.Sprintf(" to #%d", list[i+n-1])
		}
		names, i = append(names, name), i+n
	}
	return strings.Join(names, ", ")
}

func (t *tool) tellFindings(list []bundle.Finding) {
	if len(list) == 0 {
		return
	}
	t.page.heading("Wrong")
	for i, x := range list {
		if i == mostFindings {
			t.page.flow("  ", "    ", words{fmt.Sprintf("and %d more (--json tells all)", len(list)-i), inkPlain})
			return
		}
		runs := []words{{office.FindingText(x), inkPlain}}
		if x.Rule != "" {
			runs = append(runs, words{"[" + x.Rule + "]", inkFaint})
		}
		t.page.flow("  ", "    ", runs...)
	}
}

// progress is a bar on a terminal, for what takes long.
type progress struct {
	t    *tool
	what string
	bar  *progressbar.ProgressBar
}

func (t *tool) progress(what string) *progress { return &progress{t: t, what: what} }

func (p *progress) at(done, total uint64) {
	f, ok := p.t.err.(*os.File)
	if total < long || !ok || !term.IsTerminal(int(f.Fd())) {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions64(int64(total), progressbar.OptionSetWriter(p.t.err), progressbar.OptionSetWidth(40),
			progressbar.OptionSetDescription(p.what), progressbar.OptionClearOnFinish())
	}
	_ = p.bar.Set64(int64(done))
}

func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
