package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/report"
	"github.com/watu-ledger/watu/events/words"
)

// reportFlags say what a report holds, and where it goes.
type reportFlags struct {
	file, reader, turn, from, to string
	force                        bool
}

func (t *tool) reportCommand() *cobra.Command {
	k := reportFlags{}
	c := t.orJSON(&cobra.Command{
		Use: "report CAMPAIGN", Short: "Write the after-action report of a campaign", Args: takes("CAMPAIGN"),
		Long: "Write the after-action report of a campaign, as Markdown to standard output, or\n" +
			"to a file that ends in .md or .html. HTML is one file with its charts in it;\n" +
			"beside FILE.md the charts are written as FILE-income.svg and so on, and linked.\n" +
			"It tells what anyone may know; --for SIDE adds what that side keeps sealed, and\n" +
			"--for umpire everything. A file is written over if a report wrote it before.",
		Example: "  watu report atlantic-1939 -o atlantic.html\n  watu report atlantic-1939 --turn 'Winter 1941' " +
			"--for Britain -o winter.md",
		RunE: func(c *cobra.Command, args []string) error {
			if err := k.check(t.asJSON); err != nil {
				return err
			}
			q := url.Values{"as": {k.reader}, "turn": {k.turn}, "from": {k.from}, "to": {k.to}}
			return t.with(c.Context(), "report", false, func(o *api.Client) error {
				var r report.Report
				if err := o.Query(c.Context(), &r, q, "campaigns", args[0], "report"); err != nil {
					return err
				}
				return t.printReport(&r, k)
			})
		},
	})
	f := c.Flags()
	f.StringVarP(&k.file, "output", "o", "", "write to this file, .md or .html")
	f.StringVar(&k.reader, "for", "", "who reads it: a side, umpire, or public (default public)")
	f.StringVar(&k.turn, "turn", "", "tell this game turn alone")
	f.StringVar(&k.from, "from", "", "tell from this game turn on")
	f.StringVar(&k.to, "to", "", "tell up to this game turn")
	f.BoolVar(&k.force, "force", false, "write over a file that no report wrote")
	return c
}

// check refuses what does not go together, before anything is asked.
func (k *reportFlags) check(asJSON bool) error {
	kind := strings.ToLower(filepath.Ext(k.file))
	switch {
	case k.file != "" && asJSON:
		return input("--json prints to standard output: leave -o out")
	case k.file != "" && kind != ".md" && kind != ".html":
		return input("a report is written as .md or .html, not to %s", k.file)
	}
	return nil
}

func (t *tool) printReport(r *report.Report, k reportFlags) error {
	switch {
	case t.asJSON:
		return t.json(r)
	case k.file == "":
		err := t.showMarkdown(r.Markdown(""))
		if len(r.Charts) > 0 {
			t.say("charts are left out: -o FILE.md writes them beside the report, -o FILE.html has them in it")
		}
		return err
	}
	files, err := reportFiles(r, k.file)
	if err != nil {
		return err
	}
	for _, f := range files { // all or none
		if err := mayWrite(f.name, k.force); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := f.write(r.As == "public"); err != nil {
			return err
		}
	}
	text := "Written: " + k.file
	if n := len(files) - 1; n > 0 {
		text += fmt.Sprintf(" and %s beside it, which it links: post them together", words.Count(n, "chart"))
	}
	if r.As != "public" {
		text += fmt.Sprintf(". It tells what is sealed: for the eyes of %s alone", r.As)
	}
	t.page.Text("%s.", text)
	return nil
}

// showMarkdown prints Markdown: folded for a person at a terminal, as it is for a pipe or a file.
func (t *tool) showMarkdown(text string) error {
	if f, ok := t.out.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		_, err := io.WriteString(t.out, text)
		return err
	}
	for line := range strings.Lines(text) {
		t.page.folded(strings.TrimRight(line, "\n"))
	}
	return nil
}

// outFile is a file to be written.
type outFile struct{ name, text string }

// reportFiles are the report and, beside Markdown, its charts; the report itself comes last.
func reportFiles(r *report.Report, file string) ([]outFile, error) {
	if strings.ToLower(filepath.Ext(file)) == ".html" {
		text, err := r.HTML()
		return []outFile{{file, text}}, err
	}
	var list []outFile
	base := strings.TrimSuffix(file, filepath.Ext(file))
	for _, c := range r.Charts {
		if c.SVG != "" {
			list = append(list, outFile{report.ChartFile(base, c.Name), c.SVG})
		}
	}
	return append(list, outFile{file, r.Markdown(filepath.Base(base))}), nil
}

// mayWrite refuses to write over a file that no report wrote.
func mayWrite(name string, force bool) error {
	before, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return input("%v", err)
	case force || bytes.Contains(before, []byte(report.Marker)):
		return nil
	}
	return input("%s is there, and no report wrote it: name another file, or write over it with --force", name)
}

// write puts the file in place. What holds secrets is nobody else's to read.
func (f outFile) write(public bool) error {
	path, err := written(f.name, func(w io.Writer) error {
		_, err := io.WriteString(w, f.text)
		return err
	})
	if err != nil {
		return input("%v", err)
	}
	if public {
		return os.Chmod(path, 0o644)
	}
	return nil
}
