// Command watu keeps an event-sourced adjudication ledger for wargame campaigns.
//
// Every command that concerns a ledger is a client of package service: of the server that
// holds the directory, or of a service that it opens itself for as long as it takes. This
// package reads flags and prints; it decides nothing.
//
// What goes to standard output is at most 80 columns wide, or JSON where --json asks for it;
// docs/cli.md lists the shapes. What goes wrong is one line on standard error, broken on a terminal, with a
// report below it where copies of a ledger differ, and an exit code:
//
//	0  ok
//	1  failed: the disk, the machine, a fault of watu
//	2  usage, or input that is not understood
//	3  does not verify
//	4  copies differ: record, checkpoint, stream
//	5  unreachable
//	6  refused by a rule, or because the ledger takes no steps
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

func main() {
	keepToOwner()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	context.AfterFunc(ctx, func() { time.AfterFunc(maintenance.ExitDeadline, gone) })
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// gone ends a process that was asked to end, and cannot: a disk may never answer, nor whoever should
// read the message.
func gone() {
	go fmt.Fprintln(os.Stderr, "watu: asked to end, and the disk or a server has not answered for 10 seconds: ended "+
		"without closing")
	time.Sleep(100 * time.Millisecond)
	os.Exit(codes[problem.Failed])
}

// run runs one command and gives its exit code.
func run(ctx context.Context, args []string) int {
	t := newTool(os.Stdin, os.Stdout, os.Stderr)
	t.asked = ctx
	root := t.root()
	root.SetArgs(args)
	err := legible(args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	} else {
		t.begun = true
	}
	if err == nil {
		return 0
	}
	if !t.begun { // cobra's own: an unknown command or flag, a wrong number of arguments
		err = input("%s (see %s --help)", misused(root, args, err), t.path(root, args))
	}
	if errors.Is(err, context.Canceled) {
		t.say(unfinished(t.path(root, args)))
		return codes[problem.Failed]
	}
	var reported *reportedError
	if !errors.As(err, &reported) {
		p := problem.Of(err)
		if t.asJSON && !t.wrote {
			_ = t.json(failure{maintenance.Version, p})
		}
		t.say(p.Error())
		for _, line := range p.Report {
			fmt.Fprintf(t.err, "  %s\n", document.Printable(line))
		}
	}
	return codes[problem.Of(err).Kind]
}

// legible refuses arguments that are not UTF-8, as a terminal set to another encoding gives them: what they name
// would be recorded with its letters lost. The name of a file may be any.
func legible(args []string) error {
	for _, a := range args {
		if utf8.ValidString(a) {
			continue
		}
		value := a
		if _, v, ok := strings.Cut(a, "="); ok && strings.HasPrefix(a, "-") {
			value = v
		}
		if _, err := os.Lstat(value); err != nil {
			return input("the argument %q is not UTF-8, and its letters would be lost: set the terminal to UTF-8", a)
		}
	}
	return nil
}

// failure is what is printed with --json where there is no result.
type failure struct {
	Version int              `json:"version"`
	Problem *problem.Problem `json:"problem"`
}

// misused says what is wrong with a command line, for which cobra has an error.
func misused(root *cobra.Command, args []string, err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	var flag *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch c, rest, _ := root.Find(args); {
	case errors.As(err, &flag) && flag.GetFlag().Value.Type() == "duration":
		return fmt.Sprintf("--%s takes a duration such as 500ms or 2s, not %q", flag.GetFlag().Name, flag.GetValue())
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "" &&
		strings.Trim(unknown.GetSpecifiedShortnames(), "0123456789") == "":
		return fmt.Sprintf("an event is named by its index, such as 57, not -%s", unknown.GetSpecifiedShortnames())
	case c != nil && c.HasSubCommands():
		word, ok := firstWord(c, rest)
		names := rules.Each(c.Commands(), func(sub *cobra.Command) string { return sub.Name() })
		if !ok || slices.Contains(names, word) {
			break
		}
		text = fmt.Sprintf("unknown command %q for %q", word, c.CommandPath()) // whatever flags stand behind it
		if near := words.Nearest(word, names); len(near) > 0 {
			return text + "; did you mean " + words.Or(near) + "?"
		}
	case c != nil && c.Name() == "verify": // which says what watu-verify says
	case errors.As(err, &unknown) && c != nil && unknown.GetSpecifiedShortnames() == "":
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := words.Nearest(unknown.GetSpecifiedName(), names); len(near) > 0 {
			text += "; did you mean --" + near[0] + "?"
		}
	}
	return text
}

// firstWord gives the first argument that is neither a flag of the command nor a flag's value.
func firstWord(c *cobra.Command, args []string) (string, bool) {
	for i := 0; i < len(args); i++ {
		name, _, valued := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if !strings.HasPrefix(args[i], "-") {
			return args[i], true
		}
		if f := c.Flags().Lookup(name); f != nil && !valued && f.NoOptDefVal == "" {
			i++
		}
	}
	return "", false
}

// codes gives the exit code of each kind of problem.
var codes = map[problem.Kind]int{
	problem.Failed: 1, problem.Input: 2, problem.Unverified: 3, problem.Diverged: 4, problem.Unreachable: 5,
	problem.Refused: 6,
}

// reportedError is a problem that was printed already; only its exit code is left to give.
type reportedError struct{ problem *problem.Problem }

func (e *reportedError) Error() string { return e.problem.Error() }
func (e *reportedError) Unwrap() error { return e.problem }
