package main

import (
	"context"
	"io"
	"net/url"
	"os"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events/words"
)

// exportFlags say what is exported, for whom and where to.
type exportFlags struct {
	reader, from, to, dispute, file string
	replace                         bool
}

func (t *tool) exportCommand() *cobra.Command {
	x := exportFlags{}
	c := t.orJSON(&cobra.Command{
		Use: "export CAMPAIGN -o FILE.watu", Short: "Write a campaign into one file that anybody can verify",
		Args: takes("CAMPAIGN"),
		Long: "Write the stored events of a campaign into one file, with the printed sheets and\n" +
			"the board that it is played by, and what the reader may see of the secrets: the\n" +
			"public nothing, a side its own cards and draws, the umpire everything. Whoever\n" +
			"has the file can check it with watu verify, and read it with watu import.\n" +
			"A part (--from, --to) or a dispute is marked in the file; it carries all events\n" +
			"before it too, since what a ruling rests on may stand anywhere before it.",
		Example: "  watu export atlantic-1939 -o atlantic.watu\n" +
			"  watu export atlantic-1939 --dispute 212 -o dispute.watu\n" +
			"  watu export atlantic-1939 --for Britain -o britain.watu",
		RunE: func(c *cobra.Command, args []string) error { return t.export(c.Context(), args[0], x) },
	})
	f := c.Flags()
	f.StringVar(&x.reader, "for", "", "who reads it: a side, or umpire (default public)")
	f.StringVar(&x.from, "from", "", "first event in question")
	f.StringVar(&x.to, "to", "", "last event in question, and in the file")
	f.StringVar(&x.dispute, "dispute", "", "the dispute in question, by the event that opened it")
	f.StringVarP(&x.file, "output", "o", "", "the `file` to write; - is standard output")
	f.BoolVar(&x.replace, "replace", false, "replace a file that is there")
	return c
}

// query is what the flags ask for.
func (x exportFlags) query() (url.Values, error) {
	q, err := between(x.from, x.to)
	if err != nil {
		return nil, err
	}
	if x.dispute != "" {
		if len(q) > 0 {
			return nil, input("--dispute says which events are in question: leave out --from and --to")
		}
		_, err = eventIn(q, "dispute", x.dispute)
	}
	q.Set("for", x.reader)
	return q, err
}

func (t *tool) export(ctx context.Context, campaign string, x exportFlags) error {
	switch _, err := os.Stat(x.file); {
	case x.file == "":
		return input("where to? -o FILE.watu, or -o - for standard output")
	case x.file == "-" && t.asJSON:
		return input("--json and -o - both want standard output: name a file with -o")
	case x.file != "-" && !x.replace && err == nil:
		return input("%s is there already: name another file, or say --replace", x.file)
	}
	q, err := x.query()
	if err != nil {
		return err
	}
	return t.with(ctx, "export", false, func(o *api.Client) error {
		var done service.Exported
		b, err := o.Fetch(ctx, &done, q, "campaigns", campaign, "export")
		if err != nil {
			return err
		}
		if len(b) != done.Bytes {
			return &problem.Problem{Kind: problem.Unreachable, Message: "the server has gone away before the " +
				"file was whole"}
		}
		for _, lack := range done.Lacks {
			t.say("the file lacks what is not here: " + lack)
		}
		if x.file == "-" {
			_, err := t.out.Write(b)
			return err
		}
		if done.File, err = written(x.file, func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
			return err
		}
		if t.asJSON {
			return t.json(done)
		}
		done.File = x.file // as the reader typed it
		t.printExported(done, x.file)
		return nil
	})
}

func (t *tool) printExported(done service.Exported, file string) {
	t.page.Text("Campaign %s is in %s: %s, for %s.", done.Campaign, done.File, words.Count(done.Events, "event"),
		terminal.Reader(done.For))
	if p := done.Part; p != nil && p.Dispute != 0 {
		t.page.Text("In question is dispute #%d, with events #%d to #%d; those before are in the file too.", p.Dispute,
			p.From, p.To)
	} else if p != nil {
		t.page.Text("In question are events #%d to #%d; those before are in the file too.", p.From, p.To)
	}
	if done.Openings+done.Links > 0 {
		t.page.Text("It holds secrets of %s: %s and %s. Give it to nobody else.", terminal.Reader(done.For),
			words.Count(done.Openings, "opening"), words.Count(done.Links, "link")+" of draws")
	}
	t.page.Text("Its head is")
	t.page.Line("  " + done.Head.String())
	t.page.Text("Send the head by another way than the file. Whoever has both checks them: watu verify %s --head HASH",
		quoted(file))
}
