package main

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/verify"
)

func (t *tool) verifyCommand() *cobra.Command {
	head, rolls, proof, keys := "", false, "", []string(nil)
	c := t.orJSON(&cobra.Command{
		Use: "verify FILE.watu | verify --dir DIR [CAMPAIGN]", Short: "Check a record, offline",
		Args: cobra.MaximumNArgs(1),
		Long: "Check a campaign's record on nothing but itself: hashes, order, dice against\n" +
			"the links revealed, cards against their commitments. It says what was checked,\n" +
			"which event and field is wrong, the first one first, what could not be checked\n" +
			"and why, and who could have chosen the dice. FILE is one of watu export (- is\n" +
			"standard input); with --dir and a campaign's name, or none for all, it is the\n" +
			"ledger's own record, and all that lies beside it: checkpoint, secrets, boards,\n" +
			"tokens. Nothing is written.\n" +
			"--head is what is known from elsewhere: the hash of the last event, or of an\n" +
			"earlier one, or a file with a checkpoint. Without it nothing\n" +
			"shows that the campaign was played as the file has it: whoever holds the ledger\n" +
			"could have written another.\n" +
			"--proof checks the proof of one event, by watu checkpoint --prove, with the key\n" +
			"of its ledger and those of cosigners whose word counts.\n" +
			"Exit code 3: it does not verify.",
		Example: "  watu verify atlantic.watu\n  watu verify --dir ledger atlantic-1939 --head HASH\n" +
			"  watu verify --proof one.proof --key KEY",
		RunE: func(c *cobra.Command, args []string) error {
			if proof != "" && len(args) > 0 {
				return input("--proof checks one event, and %s is not read: leave one out", args[0])
			} else if proof != "" {
				return t.verifyProof(proof, keys)
			}
			given, err := head, error(nil)
			if head, err = terminal.Head(given); err != nil {
				return input("--head: %v", err)
			}
			if t.dir != "" {
				return t.verifyLedger(c.Context(), args, head, rolls)
			}
			if len(args) == 0 {
				return input("which record? watu verify FILE.watu, or watu verify --dir DIR [CAMPAIGN]")
			}
			return t.verifyFile(args[0], given, head, rolls)
		},
	})
	c.Flags().StringVar(&head, "head", "", "`hash` of an event, or a file with a checkpoint, known from elsewhere")
	c.Flags().BoolVar(&rolls, "rolls", false, "say of each roll who could have chosen its dice")
	c.Flags().StringVar(&proof, "proof", "", "a `file` with the proof of one event")
	c.Flags().StringArrayVar(&keys, "key", nil, "with --proof, the `key` of the ledger or a cosigner, or a file with "+
		"it or a policy; may be repeated")
	return c
}

// verifyFile needs no ledger, and so no service, and prints what watu-verify prints: with --json nothing but a report.
// The head is a hash as it was given, or the text of the file given.
func (t *tool) verifyFile(name, given, head string, rolls bool) error {
	t.wrote = true
	file, err := t.readRecord(name)
	if err != nil {
		return err
	}
	bar := t.progress("verifying", long)
	v, err := service.Verify(file, head, bar.at)
	bar.end()
	if err != nil && head != given {
		return inFile(given, err)
	} else if err != nil {
		return err
	}
	return t.verified(name, []verify.Verification{v}, rolls)
}

// verifyProof checks the proof of one event, with nothing else of the campaign.
func (t *tool) verifyProof(file string, keys []string) error {
	t.wrote = true
	_, text, err := t.readText(file)
	if err != nil {
		return err
	}
	v, err := terminal.Proof(text, keys)
	switch {
	case errors.Is(err, verify.ErrKeys):
		return input("%v", err)
	case err != nil:
		return inFile(file, problem.New(problem.Input, "%v", err))
	}
	if err := t.answer(nil, v, func() { t.page.Proved(v) }); err != nil || v.Verified {
		return err
	}
	return inFile(file, problem.New(problem.Unverified, "event #%d: %s", v.Event.Index, v.Wrong))
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
		_, missing := os.Stat(name)
		if errors.Is(missing, fs.ErrNotExist) && !strings.ContainsAny(name, "./") {
			return nil, input("there is no file %s; of a campaign by that name, watu export %s -o %s.watu writes one, "+
				"and watu verify --dir DIR %s checks it in its ledger", name, quoted(name), quoted(name), quoted(name))
		}
		f, err := opened(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	file, err := service.ReadRecord(in)
	if err != nil {
		return nil, inFile(name, err)
	}
	return file, nil
}

// inFile puts the name of a file before a problem.
func inFile(name string, err error) error {
	p := *problem.Of(err)
	p.Where = name
	return &p
}

// verifyLedger verifies one campaign of a ledger, or all of them, and what lies in the directory beside.
func (t *tool) verifyLedger(ctx context.Context, args []string, head string, rolls bool) error {
	dir, o, err := t.opening("verify")
	if err != nil {
		return err
	}
	c, err := api.DialInspect(ctx, dir, o)
	if err != nil {
		return err
	}
	var d maintenance.Directory
	err = c.Get(ctx, &d, "directory")
	if err == nil {
		err = t.printDirectory(d)
	}
	if err == nil {
		err = t.verifyCampaigns(ctx, c, args, head, rolls)
	}
	if err == nil {
		err = maintenance.DamageProblem(d.Things, "%s does not verify: %s", d.Directory,
			maintenance.DamageText(d.Wrong()))
	}
	return t.closed(err, c.Close)
}

func (t *tool) verifyCampaigns(
	ctx context.Context, o *api.Client, names []string, head string, rolls bool,
) error {
	if len(names) == 0 {
		var all timeline.Campaigns
		if err := o.Get(ctx, &all, "campaigns"); err != nil {
			return err
		}
		for _, c := range all.All() {
			names = append(names, c.Name)
		}
		if head != "" && len(names) != 1 {
			return input("--head is that of one campaign: name it")
		}
	}
	var list []verify.Verification
	for _, name := range names {
		v, err := t.verifyCampaign(ctx, o, name, head)
		if err != nil {
			return err
		}
		list = append(list, v)
	}
	return t.verified("", list, rolls)
}

// printDirectory prints what lies in a directory, one thing a line.
func (t *tool) printDirectory(d maintenance.Directory) error {
	if t.asJSON {
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
		t.page.Flow("", "  ", terminal.Bold(strings.TrimSpace(name+" "+rest)), terminal.Plain(is))
	}
	t.page.Line("")
	return nil
}

func (t *tool) verifyCampaign(ctx context.Context, o *api.Client,
	name, head string) (v verify.Verification, err error) {
	bar := t.progress("verifying "+name, long)
	defer bar.end()
	q := url.Values{"head": {head}}
	result, err := api.WithProgress(ctx, o, http.MethodGet, q, nil, seen[verify.Verification](bar), "campaigns", name,
		"verification")
	if err != nil {
		return v, err
	}
	return *result, nil
}

// verified prints what came of it, and fails if something is wrong.
func (t *tool) verified(file string, list []verify.Verification, rolls bool) error {
	var wrong error
	for i, v := range list {
		if t.asJSON {
			if err := t.json(v); err != nil {
				return err
			}
		} else {
			if i > 0 {
				t.page.Line("")
			}
			t.page.Verification(v, rolls)
		}
		if !v.Verified && wrong == nil {
			wrong = &problem.Problem{Kind: problem.Unverified, Where: file, Message: v.Wrong()}
		}
	}
	if len(list) == 0 && !t.asJSON {
		t.page.Text("There is no campaign, so there is nothing to verify.")
	}
	return wrong
}
