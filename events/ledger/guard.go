package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Guard decides from outside whether this process may take steps: another one may have the same
// ledger, in a copy of its directory. Its methods may be called by several goroutines.
type Guard interface {
	// May fails with the reason while no step may be taken. It is asked before a step is gathered, with
	// locks held, and has to be quick.
	May() error
	// Confirm is asked when a step is durable, before anybody is answered, with no lock held. It
	// returns nil once every event up to the sequence is known to belong to the ledger's one line, and
	// fails when that cannot be known for now, or when ctx ends.
	Confirm(ctx context.Context, sequence uint64) error
}

// free guards a ledger that nobody else can have.
type free struct{}

func (free) May() error                            { return nil }
func (free) Confirm(context.Context, uint64) error { return nil }

// ErrUnconfirmed: the step is durable here, and the guard did not confirm it. See [UnconfirmedError].
var ErrUnconfirmed = errors.New("step is recorded and not confirmed")

// UnconfirmedError says of a step that it is durable, and may turn out not to belong to the ledger's
// line. Nobody may be answered by it. It is an [ErrUnconfirmed].
type UnconfirmedError struct {
	Campaign ulid.ULID
	Command  string // empty for events that were adopted
	First    uint64 // sequence of its first event
	Last     uint64 // and of its last
	Err      error  // the guard's
}

func (e *UnconfirmedError) Error() string {
	what := "what was adopted"
	if e.Command != "" {
		what = fmt.Sprintf("command %q", e.Command)
	}
	at := fmt.Sprintf("at sequence %d", e.First)
	if e.Last > e.First {
		at = fmt.Sprintf("at sequences %d to %d", e.First, e.Last)
	}
	return fmt.Sprintf("%s is recorded here %s, and not confirmed: %v; do not act on it: "+
		"the same command, given again, is answered as soon as it stands", what, at, e.Err)
}

// Unwrap gives ErrUnconfirmed and the guard's error.
func (e *UnconfirmedError) Unwrap() []error { return []error{ErrUnconfirmed, e.Err} }

// Confirm waits until a command that [Ledger.Command] found may be answered. It fails with an
// [ErrUnconfirmed], as [Ledger.Append] does.
func (l *Ledger) Confirm(campaign ulid.ULID, command string, a Answered) error {
	for r, err := range l.Read(campaign, a.First+uint64(a.Count)-1, a.First+uint64(a.Count)) {
		if err != nil {
			return err
		}
		return l.confirm(campaign, command, r.Sequence+1-uint64(a.Count), r.Sequence)
	}
	return nil
}

// confirm asks the guard for the events from one sequence to another, both included.
func (l *Ledger) confirm(campaign ulid.ULID, command string, first, last uint64) error {
	err := l.opts.Guard.Confirm(l.life, last)
	if err == nil {
		return nil
	}
	unconfirmed := &UnconfirmedError{Campaign: campaign, Command: command, First: first, Last: last, Err: err}
	l.opts.Logf("%v", unconfirmed)
	return unconfirmed
}

// confirmAdopted asks the guard for records that were adopted.
func (l *Ledger) confirmAdopted(records []events.Record) error {
	if len(records) == 0 {
		return nil
	}
	first, last := records[0], records[len(records)-1]
	return l.confirm(first.Campaign, "", first.Sequence, last.Sequence)
}
