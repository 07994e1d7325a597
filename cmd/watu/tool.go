package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay/turnfile"
)

// tool is one run of watu: where it reads and writes, and which directory it is about.
type tool struct {
	in    io.Reader
	out   io.Writer
	err   io.Writer
	page  *page // over out
	dir   string
	begun bool            // the command line was understood
	asked context.Context // ends when the process is asked to end

	nats     string // server elsewhere
	rounds   string // where rounds of beacons come from
	replicas int    // of the stream there
	newHome  bool   // the stream lives from now on where this command has it
	yes      bool   // what a command asks about may be done
	asJSON   bool   // the result is printed as JSON
	wrote    bool   // some of it was
}

func newTool(in io.Reader, out, errs *os.File) *tool {
	return &tool{in: in, out: out, err: errs, page: newPage(out, terminal.Colours(out)), asked: context.Background()}
}

func (t *tool) root() *cobra.Command {
	c := &cobra.Command{
		Use:   "watu",
		Short: "An adjudication ledger for wargame campaigns",
		Long: "watu records every draw, card play, negation and die roll of a wargame\n" +
			"campaign, rules on them by the book, and shows why. Begin with: watu demo\n" +
			"watu help help lists the verbs of turn files, watu help VERB shows one.",
		Version: terminal.Version, SilenceErrors: true, SilenceUsage: true, Args: cobra.NoArgs,
		RunE:              func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(*cobra.Command, []string) error { t.begun = true; return nil },
	}
	c.PersistentFlags().StringVar(&t.dir, "dir", "", "ledger `directory` (default $WATU_DIR, else watu in the user's "+
		"data directory)")
	c.PersistentFlags().StringVar(&t.nats, "nats", "", "external NATS server instead of the embedded one: `URL` or "+
		"context of the nats CLI (default $WATU_NATS)")
	c.PersistentFlags().StringVar(&t.rounds, "rounds", "", "rounds of beacons that decide dice: `URL` of a drand "+
		"server, file, or directory (default $WATU_ROUNDS, else drand's own servers)")
	c.PersistentFlags().IntVar(&t.replicas, "nats-replicas", 0, "how many servers of a cluster keep the stream, 1 to "+
		"5 (default as it is)")
	c.PersistentFlags().BoolVar(&t.newHome, "new-home", false,
		"the stream lives from now on where this command has it; no other host goes on with the ledger")
	c.PersistentFlags().BoolVar(&t.yes, "yes", false,
		"correct without asking; lose what repair says would be lost; with --new-home leave a home that "+
			"cannot be asked")
	c.SetOut(t.out)
	c.SetErr(t.err)
	c.SetVersionTemplate("watu {{.Version}}\n")
	c.SetUsageTemplate(strings.NewReplacer(".FlagUsages ", ".FlagUsagesWrapped 80 ").Replace(c.UsageTemplate()))
	c.AddCommand(
		t.demoCommand(), t.serveCommand(), t.campaignCommand(), t.templateCommand(), t.submitCommand(),
		t.correctCommand(), t.pendingCommand(), t.undoCommand(),
		t.disputeCommand(), t.logCommand(), t.showCommand(), t.explainCommand(), t.replayCommand(), t.diffCommand(),
		t.whatIfCommand(), t.reportCommand(), t.ruleCommand(), t.rulingsCommand(), t.auditCommand(), t.editionCommand(),
		t.exportCommand(), t.verifyCommand(), t.checkpointCommand(), t.witnessCommand(), t.importCommand(),
		t.seatCommand(), t.joinCommand(), t.playCommand(), t.declassifyCommand(), t.arbitrateCommand(),
		t.adjudicateCommand(), t.rebuildCommand(), t.statusCommand(), t.followCommand(), t.backupCommand(),
		t.restoreCommand(),
		t.handoverCommand(), t.repairCommand(), t.tokenCommand(), t.versionCommand(),
	)
	c.SetHelpCommand(t.helpCommand(c))
	t.completes(c)
	return c
}

// roundsFrom is where rounds of beacons come from.
func (t *tool) roundsFrom() string { return cmp.Or(t.rounds, os.Getenv("WATU_ROUNDS")) }

func (t *tool) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version of watu", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			t.page.Line("watu " + terminal.Version)
			return nil
		},
	}
}

// takes asks for exactly the arguments named.
func takes(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		return fmt.Errorf("%s expected, %d given: %s", words.Count(len(names), "argument"), len(args),
			strings.Join(names, " "))
	}
}

// takesOr asks for the arguments named, the last of which may be left out.
func takesOr(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == len(names) || len(args) == len(names)-1 {
			return nil
		}
		return fmt.Errorf("%s expected, %d given: %s [%s]", words.Count(len(names)-1, "argument")+" or "+
			fmt.Sprint(len(names)), len(args), strings.Join(names[:len(names)-1], " "), names[len(names)-1])
	}
}

// path is the command that args name, for a hint.
func (t *tool) path(root *cobra.Command, args []string) string {
	c, _, err := root.Find(args)
	if err != nil || c == nil {
		return root.Name()
	}
	return c.CommandPath()
}

// directory is the ledger's directory: --dir, $WATU_DIR, or the user's data directory.
func (t *tool) directory() (string, error) {
	dir := cmp.Or(t.dir, os.Getenv("WATU_DIR"))
	if dir == "" {
		data := os.Getenv("XDG_DATA_HOME")
		if data == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return "", input("there is no home directory (%v): name the ledger's with --dir", err)
			}
			data = filepath.Join(home, ".local", "share")
		}
		dir = filepath.Join(data, "watu")
	}
	return filepath.Abs(dir)
}

// leaseTerm is for how long a lease holds: the usual time when 0. Tests cannot wait for that so often.
var leaseTerm time.Duration

// opening gives the ledger's directory and how a command opens it.
func (t *tool) opening(command string) (dir string, o maintenance.Options, err error) {
	if dir, err = t.directory(); err != nil {
		return dir, o, err
	}
	o = maintenance.Options{
		Holder: "watu " + command, NATS: t.nats, Replicas: t.replicas, NewHome: t.newHome, Yes: t.yes, Say: t.say,
		Term: leaseTerm, Rounds: t.roundsFrom(),
	}
	if o.Environment = os.Getenv("WATU_NATS"); o.NATS == "" {
		o.NATS = o.Environment
	}
	switch {
	case t.replicas != 0 && o.NATS == "":
		return dir, o, input("--nats-replicas is for a cluster elsewhere: name it with --nats")
	case t.replicas < 0 || t.replicas > 5:
		return dir, o, input("--nats-replicas takes a number from 1 to 5, not %d", t.replicas)
	}
	if t.dir != "" {
		o.Dir = " --dir " + quoted(t.dir)
		o.Flags = o.Dir
	}
	if t.rounds != "" {
		o.Flags += " --rounds " + quoted(t.rounds)
	}
	switch {
	case strings.Contains(t.nats, "@"): // a password is not repeated
		o.Flags += " --nats URL"
	case t.nats != "":
		o.Flags += " --nats " + quoted(t.nats)
	}
	if t.newHome {
		o.Flags += " --new-home"
	}
	return dir, o, nil
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || strings.ContainsRune("/.,:_-+=@",
			r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// with runs do at the service of the directory. Begin says that a directory without a ledger
// gets one.
func (t *tool) with(ctx context.Context, command string, begin bool, do func(*api.Client) error) error {
	dir, o, err := t.opening(command)
	if err != nil {
		return err
	}
	o.Begin = begin
	c, err := api.Dial(ctx, dir, o)
	if err != nil {
		return err
	}
	return t.closed(do(c), c.Close)
}

// closed closes what a command worked with. An exit code has room for one error: if the command
// failed already, what goes wrong now is reported as well.
func (t *tool) closed(err error, end func() error) error {
	late := end()
	if err == nil || late == nil {
		return errors.Join(err, late)
	}
	t.say(problem.Of(late).Error())
	return err
}

// say prints on standard error what belongs beside the result: in one line, as wide as a page on a terminal.
func (t *tool) say(line string) {
	if f, ok := t.err.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		(&terminal.Page{Out: f}).Flow("watu: ", "  ", terminal.Plain(line))
		return
	}
	fmt.Fprintf(t.err, "watu: %s\n", document.Printable(line))
}

// json prints a value as it is documented.
func (t *tool) json(v any) error {
	t.wrote = true
	e := json.NewEncoder(t.out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// answer prints the answer v to a request: as JSON, or by print. The error is the request's.
func (t *tool) answer(err error, v any, print func()) error {
	if err == nil && t.asJSON {
		return t.json(v)
	}
	if err == nil {
		print()
	}
	return err
}

// request asks a service for a value.
type request func(ctx context.Context, o *api.Client, into any) error

// get asks for what stands at a path.
func get(path ...string) request { return query(nil, path...) }

func query(q url.Values, path ...string) request {
	return func(ctx context.Context, o *api.Client, into any) error { return o.Query(ctx, into, q, path...) }
}

// post sends a value there.
func post(body any, path ...string) request {
	return func(ctx context.Context, o *api.Client, into any) error { return o.Post(ctx, body, into, path...) }
}

// ask makes one request at the service of the directory, and prints the answer: as JSON, or by print.
func ask[T any](t *tool, c *cobra.Command, what request, print func(T)) error {
	return t.with(c.Context(), strings.TrimPrefix(c.CommandPath(), "watu "), false, func(o *api.Client) error {
		var v T
		err := what(c.Context(), o, &v)
		return t.answer(err, &v, func() { print(v) })
	})
}

// group is a command that only has others, and lists them.
func group(c *cobra.Command, of ...*cobra.Command) *cobra.Command {
	c.Args, c.RunE = cobra.NoArgs, func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(of...)
	return c
}

// orJSON gives a command the flag --json.
func (t *tool) orJSON(c *cobra.Command) *cobra.Command {
	c.Flags().BoolVar(&t.asJSON, "json", false, "print JSON")
	return c
}

// readFile reads a file of the user's, "-" being standard input, and gives the name by which
// messages call it.
func (t *tool) readFile(name string) (string, []byte, error) {
	if name == "-" {
		text, err := waited(t, "standard input", func() ([]byte, error) {
			return io.ReadAll(io.LimitReader(t.in, mostRead))
		})
		return "stdin", text, err
	}
	text, err := waited(t, name, func() ([]byte, error) { return readAll(name) })
	return name, text, err
}

// readText is readFile for a text that is sent on.
func (t *tool) readText(file string) (name, text string, err error) {
	name, b, err := t.readFile(file)
	if err == nil {
		err = readable(name, string(b))
	}
	return name, string(b), err
}

// readable refuses a text that JSON cannot carry as it is, in the words of the parser.
func readable(name, text string) error {
	if utf8.ValidString(text) {
		return nil
	}
	_, err := turnfile.Mapping(name, []byte(text))
	return err
}

const mostRead = 16 << 20 // the parser's own limit is far below, and says so better

// opened opens a file of the user's.
func opened(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, input("cannot read %s: %v", name, cause(err))
	}
	return f, nil
}

func readAll(name string) ([]byte, error) {
	f, err := opened(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostRead))
	if err != nil {
		return nil, input("cannot read %s: %v", name, cause(err))
	}
	return text, nil
}

// cause is an error of a file without the call that met it, and without the file's name.
func cause(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

func input(format string, args ...any) error {
	return &problem.Problem{Kind: problem.Input, Message: fmt.Sprintf(format, args...)}
}

// oneOf checks an argument against the words it may be.
func oneOf(what, word string, known ...string) error {
	if slices.Contains(known, word) {
		return nil
	}
	return input("there is no %s %q; %s", what, word, words.There(known))
}
