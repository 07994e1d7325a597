// Command watu-verify checks the file of a campaign, as `watu verify FILE` does, to the byte and the exit code:
//
//	watu-verify atlantic.watu --head HASH
//
// It is for whoever gets such a file and has nothing else of watu. It opens no ledger, asks no server and writes
// nothing but its report, so it links neither Pebble nor NATS nor HTTP, and is a sixth of watu's size; ledgers
// themselves are for `watu verify --dir`. What goes wrong is one line on standard error, and an exit code:
//
//	0  nothing is wrong
//	1  failed: nobody takes the report
//	2  usage, or no file of a campaign
//	3  does not verify
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/verify"
	"github.com/watu-ledger/watu/rules/all"
)

const name = "watu-verify"

// Exit codes, as those of watu.
const (
	failed     = 1
	input      = 2
	unverified = 3
)

// mostProof is more than the proof of an event has, in bytes.
const mostProof = 16 << 20

// problem is an error with its exit code.
type problem struct {
	code int
	text string
}

func (p *problem) Error() string { return p.text }

func main() {
	budget(0)
	c := command()
	err := c.Execute()
	if err == nil {
		return
	}
	p := &problem{input, strings.Join(strings.Fields(err.Error()), " ") + " (see " + name + " --help)"} // cobra's own
	errors.As(err, &p)
	fmt.Fprintf(os.Stderr, "%s: %s\n", name, document.Printable(strings.ReplaceAll(p.text, "\n", "; ")))
	os.Exit(p.code)
}

// budget gives the garbage collector room for the check of so many events: 20 MB do for a hundred thousand. The check
// allocates much, and keeps some 90 bytes an event; within its budget the collector rarely runs. Who sets GOMEMLIMIT
// gives it another.
func budget(events uint64) {
	if _, own := os.LookupEnv("GOMEMLIMIT"); own {
		return
	}
	const least, anEvent = 20 << 20, 120
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(max(least, least/2+anEvent*int64(events)))
}

func command() *cobra.Command {
	head, asJSON, rolls, proof, keys := "", false, false, "", []string(nil)
	c := &cobra.Command{
		Use: name + " FILE.watu", Short: "Check a record, offline", Args: cobra.MaximumNArgs(1),
		Long: "Check a campaign's record on nothing but itself: hashes, order, dice against\n" +
			"the links revealed, cards against their commitments. It says what was checked,\n" +
			"which event and field is wrong, the first one first, what could not be checked\n" +
			"and why, and who could have chosen the dice. FILE is one of watu export (- is\n" +
			"standard input). Nothing is written. --head is what is known from elsewhere: the\n" +
			"hash of the last event, or of an earlier one, or a file with a checkpoint.\n" +
			"Without it nothing shows that the campaign was played as the file has it: whoever\n" +
			"holds the ledger could have written another.\n" +
			"--proof checks the proof of one event, by watu checkpoint --prove, with the key\n" +
			"of its ledger and those of cosigners whose word counts.\n" +
			"Exit code 3: it does not verify.",
		Example: "  " + name + " atlantic.watu --head HASH\n  " + name + " --proof one.proof --key KEY",
		Version: terminal.Version, SilenceErrors: true, SilenceUsage: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if proof != "" && len(args) > 0 {
				return &problem{input, "--proof checks one event, and " + args[0] + " is not read: leave one out"}
			} else if proof != "" {
				return checkProof(proof, keys, asJSON)
			}
			if len(args) == 0 {
				return &problem{input, "which record? " + name + " FILE.watu"}
			}
			return report(args[0], head, asJSON, rolls)
		},
	}
	c.Flags().StringVar(&head, "head", "", "`hash` of an event, or a file with a checkpoint, known from elsewhere")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&rolls, "rolls", false, "say of each roll who could have chosen its dice")
	c.Flags().StringVar(&proof, "proof", "", "a `file` with the proof of one event")
	c.Flags().StringArrayVar(&keys, "key", nil, "with --proof, the `key` of the ledger or a cosigner, or a file with "+
		"it or a policy; may be repeated")
	return c
}

// report verifies a file and prints what came of it, with each roll where they are asked for.
func report(file, head string, asJSON, rolls bool) error {
	in, again, err := open(file)
	if err != nil {
		return &problem{input, "cannot read " + file + ": " + err.Error()}
	}
	defer again.Close()
	record, err := read(file, in, again)
	if err != nil {
		return err
	}
	note, err := terminal.Head(head)
	if err != nil {
		return &problem{input, "--head: " + err.Error()}
	}
	v, err := verify.File(record, all.Systems(), note, nil)
	if err != nil {
		return wrongHead(head, err, note != head)
	}
	if err := shown(v, asJSON, func(p *terminal.Page) { p.Verification(v, rolls) }); err != nil {
		return err
	}
	if !v.Verified {
		return &problem{unverified, file + ": " + v.Wrong()}
	}
	return nil
}

// wrongHead says what is wrong with a head, which may be a file.
func wrongHead(head string, err error, file bool) error {
	p := &problem{input, err.Error()}
	if file {
		p.text = head + ": " + p.text
	}
	if errors.Is(err, verify.ErrUnsigned) {
		p.code = unverified
	}
	return p
}

// checkProof checks the proof of one event, and prints what came of it.
func checkProof(file string, keys []string, asJSON bool) error {
	in := os.Stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return &problem{input, "cannot read " + file + ": " + errors.Unwrap(err).Error()}
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, mostProof))
	if err != nil {
		return &problem{input, "cannot read " + file + ": " + err.Error()}
	}
	v, err := terminal.Proof(string(text), keys)
	switch {
	case errors.Is(err, verify.ErrKeys):
		return &problem{input, err.Error()}
	case err != nil:
		return &problem{input, file + ": " + err.Error()}
	}
	if err := shown(v, asJSON, func(p *terminal.Page) { p.Proved(v) }); err != nil {
		return err
	}
	if !v.Verified {
		return &problem{unverified, fmt.Sprintf("%s: event #%d: %s", file, v.Event.Index, v.Wrong)}
	}
	return nil
}

// shown prints what came of a check: as JSON, or on a page.
func shown(v any, asJSON bool, print func(*terminal.Page)) error {
	if !asJSON {
		print(&terminal.Page{Out: os.Stdout, Colour: terminal.Colours(os.Stdout)})
		return nil
	}
	e := json.NewEncoder(os.Stdout)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return &problem{failed, err.Error()}
	}
	return nil
}

// open opens a file, "-" being standard input. What cannot be read twice is copied, as it is read, to a file without a
// name.
func open(file string) (in io.Reader, again *os.File, err error) {
	again = os.Stdin
	if file != "-" {
		if again, err = os.Open(file); err != nil {
			return nil, nil, errors.Unwrap(err)
		}
	}
	if info, err := again.Stat(); err != nil || info.Mode().IsRegular() {
		return again, again, err
	}
	spool, err := os.CreateTemp("", name+"-")
	if err != nil {
		return nil, nil, err
	}
	_ = os.Remove(spool.Name()) // where an open file cannot be removed, it stays
	return io.TeeReader(again, spool), spool, nil
}

// read reads a record, and leaves its events where they are.
func read(file string, in io.Reader, again io.ReaderAt) (*bundle.File, error) {
	record, err := verify.Open(in, again)
	switch {
	case errors.Is(err, bundle.ErrDamaged):
		return nil, &problem{unverified, file + ": " + err.Error()}
	case err != nil:
		return nil, &problem{input, file + ": " + err.Error()}
	}
	budget(record.Len())
	return record, nil
}
