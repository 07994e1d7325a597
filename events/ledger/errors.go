package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/watu-ledger/watu/events/journal"
)

var (
	// The errors of the contract have the ledger's name too.
	ErrConflict  = journal.ErrConflict
	ErrEdited    = journal.ErrEdited
	ErrNameTaken = journal.ErrNameTaken
	ErrStep      = journal.ErrStep
	// ErrNotLedger: the directory is not empty and holds no ledger.
	ErrNotLedger = errors.New("not a ledger")
	// ErrNewer: the ledger was written by a later version of watu.
	ErrNewer = errors.New("ledger of a newer version")
	// ErrHeld: another process has the ledger open. See [HeldError].
	ErrHeld = errors.New("ledger is held")
	// ErrNotEmpty: the directory is to hold a new ledger, and holds something already.
	ErrNotEmpty = errors.New("directory is not empty")
	// ErrUnfinished: a [Load] into the directory did not finish. It is an [ErrNotLedger].
	ErrUnfinished = fmt.Errorf("%w: a load into it did not finish", ErrNotLedger)
	// ErrOtherLedger: the directory holds another ledger than the one asked for.
	ErrOtherLedger = errors.New("another ledger")
	// ErrNotFollower: the ledger takes steps of its own, or was handed over, and does not follow.
	ErrNotFollower = errors.New("ledger does not follow another")
	// ErrReadOnly: the ledger takes no steps. See [ReadOnlyError].
	ErrReadOnly = errors.New("ledger is read-only")
	// ErrShort: the record lacks events that its checkpoint counts. See [CheckpointError].
	ErrShort = errors.New("record is shorter than its checkpoint")
	// ErrDiffers: the record has another event where its checkpoint has a head. See [CheckpointError].
	ErrDiffers = errors.New("record differs from its checkpoint")
	// ErrCheckpoint: the file CHECKPOINT cannot be read, so nothing vouches for the end of the record.
	ErrCheckpoint = errors.New("checkpoint is damaged")
	// ErrFork: another event, or another word about a command, stands where one was to be adopted.
	ErrFork = errors.New("copies of the ledger have gone different ways")
	// ErrDump: what was to be loaded is not a whole dump.
	ErrDump = errors.New("dump is cut short or damaged")
	// ErrDamaged: the record contradicts itself.
	ErrDamaged = errors.New("record is damaged")
	// ErrFailed: the disk refused, and the ledger takes no more steps. What was acknowledged
	// is kept; a step in flight is kept whole or not at all.
	ErrFailed = errors.New("ledger has failed")
	// ErrStalled: a commit did not come back in time. It is an [ErrFailed].
	ErrStalled = fmt.Errorf("%w: the disk does not answer", ErrFailed)
	// ErrClosed: the ledger was closed.
	ErrClosed = errors.New("ledger is closed")
)

// HeldError says who has the ledger open, as far as that is known. It is an [ErrHeld].
type HeldError struct {
	Dir     string    `json:"-"`
	PID     int       `json:"pid"` // 0 if not known
	Host    string    `json:"host"`
	Holder  string    `json:"holder"` // the holder's Options.Holder
	Started time.Time `json:"started"`
}

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("ledger %s is held by another process", e.Dir)
	}
	who := cmp.Or(e.Holder, "another process")
	return fmt.Sprintf("ledger %s is held by %s (process %d on %s, since %s)",
		e.Dir, who, e.PID, e.Host, e.Started.Format(time.RFC3339))
}

// Is reports whether target is ErrHeld.
func (e *HeldError) Is(target error) bool { return target == ErrHeld }

// unread makes an [ErrDamaged] of what Pebble says of a file that is not as it was written, or is
// missing. It names the file.
func unread(err error) error {
	if err == nil || errors.Is(err, ErrDamaged) || !pebble.IsCorruptionError(err) {
		return err
	}
	if info := pebble.ExtractDataCorruptionInfo(err); info != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, info.Path, info.Details)
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// ErrGone is wrapped in an [ErrFailed] when the directory was removed or moved away while the ledger was open.
var ErrGone = errors.New("the directory is gone")

// refusal is the error of a disk that refuses: it names the directory and what to do.
func refusal(dir string, cause error) error {
	if errors.Is(cause, ErrDamaged) {
		return fmt.Errorf("%w: %s: %w", ErrFailed, dir, cause)
	}
	if errors.Is(cause, ErrGone) {
		return fmt.Errorf("%w: %s: %w, and with it the record: put it back, or make a ledger of a backup; what was "+
			"recorded since it went may be lost", ErrFailed, dir, ErrGone)
	}
	if vfs.IsNoSpaceError(cause) {
		return fmt.Errorf("%w: the disk that holds %s is full; free space on it and start again "+
			"(every acknowledged step is kept, nothing is half-written): %w", ErrFailed, dir, cause)
	}
	return fmt.Errorf("%w: the disk refuses to write in %s; look after it and start again "+
		"(every acknowledged step is kept, nothing is half-written): %w", ErrFailed, dir, cause)
}
