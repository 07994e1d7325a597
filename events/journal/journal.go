// Package journal is the contract between whoever decides what happens in a campaign and the store
// that keeps its events.
//
// A [Journal] holds campaigns. A campaign is a sequence of events, numbered from 0 without holes and
// chained by hashes. It grows by steps: [Step.Expected] must be the number of events that the caller
// has folded, so of two callers who decided on the same state one gets [ErrConflict]. A command has an
// id and is applied once:
//
//	a, found, err := j.Command(campaign, "e-1")     // found: it was applied before, a.Answer says what came of it
//	_, err = j.Append(Step{Expected: 12, Command: "e-1", …}) // events 12, 13, …
//	_, err = j.Append(Step{Expected: 12, Command: "e-1", …}) // the same answer again, and nothing is written
//
// Package ledger keeps a journal on a disk. A [Branch] goes on from a place in another journal, in
// memory. What an event means and who may see an opening is for others to know.
package journal

import (
	"errors"
	"iter"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Journal keeps campaigns.
type Journal interface {
	// Campaign gives the campaign with this id.
	Campaign(id ulid.ULID) (Campaign, bool)
	// Find gives the campaign with this name, or else with this id.
	Find(nameOrID string) (Campaign, bool)
	// Command gives what became of a command; false if no step came of it.
	Command(campaign ulid.ULID, id string) (Answered, bool, error)
	// Confirm waits until the answer to a command that Command found may be given to anybody.
	Confirm(campaign ulid.ULID, command string, a Answered) error

	// Read gives the records of a campaign from index from to before index to (math.MaxUint64 for the
	// end), in order. Bytes are the receiver's to keep and not to change. Steps may be appended meanwhile.
	Read(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error]
	// Walk is Read for who keeps no bytes: Bytes are good until the next record.
	Walk(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error]
	// Openings gives the openings of commitments in the events from index from to before index to, by
	// index and slot.
	Openings(campaign ulid.ULID, from, to uint64) ([]events.Opening, error)

	// Append writes a step as a whole and returns when it is kept. A command that was applied before is
	// answered as it was then, whatever else the step says; with another digest it is [ErrEdited].
	// Otherwise it fails with [ErrConflict], [ErrNameTaken] or [ErrStep], and nothing was written, or with
	// an error of the store, which says what became of the step.
	Append(Step) (Appended, error)
	// Adopt appends events that another copy of the journal has recorded, with what is known of the
	// commands that they came from.
	Adopt(records []events.Record, known []Adopted) error
}

// Errors of a Journal that callers tell apart.
var (
	// ErrConflict: Step.Expected is not the campaign's next index. Another step came first;
	// fold it and decide again.
	ErrConflict = errors.New("another step came first")
	// ErrEdited: the command id was used before, for a command with another digest.
	ErrEdited = errors.New("command was applied with other contents")
	// ErrNameTaken: the name of the new campaign belongs to another.
	ErrNameTaken = errors.New("campaign name is taken")
	// ErrStep: the step breaks the rules of the record (indices, chain of hashes, openings).
	// The caller is broken; nothing was written.
	ErrStep = errors.New("step does not fit the record")
)

// Campaign is a campaign as far as it is kept.
type Campaign struct {
	ID     ulid.ULID
	Name   string
	Events uint64      // number of events, which is the next index
	Head   events.Hash // hash of the last event
}

// Appended is what became of a step.
type Appended struct {
	First    uint64 // index of the step's first event
	Count    int
	Sequence uint64 // of the first event
	Head     events.Hash
	Answer   []byte
	Replayed bool // the command was applied before: this is what became of it then
}

// Answered is what is known of a command that was applied.
type Answered struct {
	Digest events.Hash // zero if only its events were adopted, and its contents are not known
	First  uint64
	Count  int
	Answer []byte
}

// Adopted is a command that another copy recorded: what is known of it beside its events.
type Adopted struct {
	Campaign ulid.ULID
	Command  string // empty if there are openings alone
	Answered        // with a zero Digest if the command's contents are not known
	Openings []events.Opening
}
