package stream

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
)

// State says how a stream stood to the record.
type State string

// The states of a stream.
const (
	InStep  State = "in step" // it held all that was durable
	Resumed State = "resumed" // it was a clean prefix of the record
	New     State = "new"     // there was none
	Damaged State = "damaged" // it was spoilt, and knew nothing that the record does not; given by Compare alone
	Rebuilt State = "rebuilt" // it was damaged, and is deleted and made again

	// Diverged streams, which only [Rebuild] touches.
	Longer State = "longer" // it agrees with the record and goes on after its end
	Other  State = "other"  // it holds another event than the record
)

// Report says what a comparison of stream and record found.
type Report struct {
	State     State
	Was       string // what was wrong, in a sentence; empty while all is well
	Published uint64 // sequence up to which the stream agrees with the record
	Last      uint64 // last sequence that was found in the stream
	Durable   uint64 // last durable sequence of the record

	// Of a diverged stream: the first sequence at which it holds an event that the record does
	// not, the hash of that event, and of the record's there (zero if it is Longer).
	At     uint64
	Stream events.Hash
	Record events.Hash
}

// Diverged reports whether the stream knows more than the record, or something else.
func (r Report) Diverged() bool { return r.State == Longer || r.State == Other }

// String says it in a line.
func (r Report) String() string {
	line := fmt.Sprintf("%s, %d of %d events published", r.State, r.Published, r.Durable)
	if r.Was != "" {
		line += ": " + r.Was
	}
	return line
}

// DivergedError says that the stream knows what the record does not. Nothing was changed. It is
// [ErrDiverged], and [ErrForeign] as well when not even the first event is the record's.
type DivergedError struct {
	Name   string // of the stream
	Report Report
}

func (e *DivergedError) Error() string {
	return fmt.Sprintf("%v: %s: %s; nothing was changed", ErrDiverged, e.Name, e.Report.Was)
}

// Is makes errors.Is find what it is.
func (e *DivergedError) Is(target error) bool {
	return target == ErrDiverged || target == ErrForeign && e.Report.State == Other && e.Report.At == 1
}
