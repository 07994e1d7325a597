package service

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/dice"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/review"
)

// Status is `watu status --json`: how the directory stands, and its campaigns.
type Status struct {
	maintenance.Standing

	Pages        string   `json:"pages,omitempty"`         // their address for players, where they are served
	OpenDisputes int      `json:"open_disputes,omitempty"` // in all campaigns
	Waits        []Awaits `json:"waits,omitempty"`         // what campaigns wait for
	// with look: what corrections left, in the campaigns where they did
	Pending []timeline.PendingCount `json:"pending,omitempty"`
	// with look: rolls that await a round of a beacon, and contested ones that await a link
	Rolls []dice.Awaited     `json:"rolls,omitempty"`
	Links []dice.AwaitedLink `json:"links,omitempty"`
}

// Awaits is what a campaign waits for: the answer to a question, and rulings on disputes.
type Awaits struct {
	Campaign string                 `json:"campaign"`
	Asked    *timeline.OpenQuestion `json:"asked,omitempty"`
	Disputes []Contested            `json:"disputes,omitempty"` // that are open
}

// Contested is an open dispute in brief: the event that opened it, the event or the refused entry that it is about.
type Contested struct {
	Dispute uint64 `json:"dispute"`
	Event   uint64 `json:"event,omitempty"`
	Refused string `json:"refused,omitempty"`
	Claim   string `json:"claim"`
}

// About names what is contested.
func (c Contested) About() string {
	if c.Refused != "" {
		return fmt.Sprintf("the refusal of %q", c.Refused)
	}
	return fmt.Sprintf("#%d", c.Event)
}

// Opened is a campaign just opened, and what happened with it.
type Opened struct {
	Version  int                      `json:"version"`
	Campaign timeline.Campaign        `json:"campaign"`
	Happened []timeline.NarratedEvent `json:"happened"`
	Lacks    []string                 `json:"lacks,omitempty"` // what the rules want and the board does not say
}

// Submission is a turn file or an entry, as it is typed.
//
// The answer is a [Submitted].
type Submission struct {
	// of the file, for messages
	Name string `json:"name,omitempty" maxLength:"200" default:"submission" example:"turn.yaml"`
	// the file, or the entry with entry
	Text  string `json:"text" minLength:"1" example:"{answer: {Britain: asw}}"`
	Entry bool   `json:"entry,omitempty"` // one entry, not a file
	Check bool   `json:"check,omitempty"` // judge without dice, and append nothing

	// For whoever holds the directory.
	Seat string `json:"seat,omitempty" hidden:"true"` // who asks; empty for the umpire
	// hear so many entries that do not stand yet and leave the rest; 0 for all
	Most int `json:"most,omitempty" hidden:"true"`
	// of entries without one: [Submitted.Turn] of an earlier submission, so that they keep their ids
	Turn string `json:"turn,omitempty" hidden:"true"`
	// the question to which an answer is given: of another that is open by then it is none; 0 for whichever is
	Asked uint64 `json:"-"`
	as    string // the side that says it; empty for the umpire
}

// Submitted is what became of a turn file or an entry, and `watu submit --json`.
type Submitted struct {
	Version  int               `json:"version"`
	Campaign string            `json:"campaign"`
	Check    bool              `json:"check,omitempty"`
	Entries  []EntryResult     `json:"entries"`           // in order, up to the one that stopped the file
	NotHeard []string          `json:"not_heard"`         // ids behind the one that stopped, or behind the most
	Waiting  *timeline.Waiting `json:"waiting,omitempty"` // the question that is open at the end
	Problem  *problem.Problem  `json:"problem,omitempty"` // why it stopped
	Recorded int               `json:"recorded"`          // events appended now
	Turn     string            `json:"turn,omitempty"`    // of the entries that named none
	// behind a ruling: what stays as it is recorded though it comes out otherwise now
	Later []OutdatedFigure `json:"later,omitempty"`
	// with check: the entry behind which only the form was checked
	FormOnly string `json:"form_only,omitempty"`

	Pending []Consequence `json:"pending,omitempty"` // behind a ruling: the same, entry by entry
	// behind a ruling: the entry that waits, and is not among these
	Unfinished *Unfinished `json:"unfinished,omitempty"`
}

// The states of an entry.
const (
	Applied = "applied" // judged now, and its events are appended
	Stands  = "stands"  // applied before
	Void    = "void"    // applied before, and voided since: nothing is done about it
	Waits   = "waits"   // applied now as far as the question it asks
	Fits    = "fits"    // with check: allowed, as far as that needs no dice
	Form    = "form"    // with check: well formed, and not judged
	Stopped = "stopped" // refused, or not understood
	Later   = "later"   // not judged: it has to wait for the round of a roll; submit it again then
)

// EntryResult is what became of one entry.
type EntryResult struct {
	ID         string                   `json:"id"`
	Verb       string                   `json:"verb"`
	Line       int                      `json:"line"` // in the file
	State      string                   `json:"state"`
	Named      bool                     `json:"named,omitempty"`     // it came without an id, which its contents give
	Happened   []timeline.NarratedEvent `json:"happened"`            // now, or when it was applied
	VoidedBy   uint64                   `json:"voided_by,omitempty"` // of one that is void: by which event
	Violations []timeline.Violation     `json:"violations,omitempty"`
	Warnings   []string                 `json:"warnings,omitempty"` // what may be a slip though no rule forbids it
}

// Before reports whether the entry was applied before: it led to nothing now.
func (h EntryResult) Before() bool { return h.State == Stands || h.State == Void }

// CorrectionRequest is a correction, and what is decided on the later entries that come out otherwise by it.
//
// The answer is a [Corrected].
type CorrectionRequest struct {
	Event uint64 `json:"event"` // any event of the command to correct
	// of the file, for messages
	Name string `json:"name,omitempty" maxLength:"200" default:"correction"`
	Text string `json:"text,omitempty"` // the correction's file; left out, what is pending at the event is applied
	// apply or keep, by any event of a later entry; by 0 on all others, whatever the file says of them
	Decisions Decisions `json:"decisions,omitempty" example:"{\"23\": \"keep\"}"`
	// what becomes of those that neither decisions nor the file name; without it they stay as they are recorded,
	// undecided
	Rest    review.Decision `json:"rest,omitempty" enum:"apply,keep"`
	Cause   uint64          `json:"cause,omitempty"`   // of what is pending: the correction from which it follows
	Preview bool            `json:"preview,omitempty"` // say what would be, and record nothing
	// the number of events of the preview: refused if the campaign has more by now
	After uint64 `json:"after,omitempty"`
}

// Decisions are by event. In JSON a key may be "57" or "#57".
type Decisions map[uint64]review.Decision

// UnmarshalJSON implements json.Unmarshaler.
func (d *Decisions) UnmarshalJSON(b []byte) error {
	var sent map[string]review.Decision
	if err := json.Unmarshal(b, &sent); err != nil {
		return err
	}
	*d = Decisions{}
	for text, is := range sent {
		event, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 10, 64)
		if err != nil {
			return fmt.Errorf("decisions are by events, such as 57, not by %q", text)
		}
		(*d)[event] = is
	}
	return nil
}

// Corrected is what a correction changes, and `watu correct --json`.
type Corrected struct {
	Version  int                      `json:"version"`
	Campaign string                   `json:"campaign"`
	Again    bool                     `json:"again,omitempty"` // it stood already
	Happened []timeline.NarratedEvent `json:"happened"`        // none with preview

	Event   uint64 `json:"event"`             // as it was asked for
	Entry   string `json:"entry"`             // id of the entry that is corrected
	Preview bool   `json:"preview,omitempty"` // nothing is recorded
	Events  uint64 `json:"events"`            // of the campaign, before it
	// the event by which the entry is void: it is entered again in its place
	VoidedBy uint64          `json:"voided_by,omitempty"`
	Thrown   bool            `json:"thrown,omitempty"`   // dice are to fall: what follows is known once they lie
	Changes  []events.Change `json:"changes"`            // of the entry
	Results  []ChangedEvent  `json:"results"`            // of the entry
	Warnings []string        `json:"warnings,omitempty"` // what may be a slip in the entry though no rule forbids it
	Absorbed []Consequence   `json:"absorbed,omitempty"` // what earlier corrections left, and this one takes up
	// the later entries that come out otherwise, in the order of play
	Consequences []Consequence `json:"consequences"`
	Unfinished   *Unfinished   `json:"unfinished,omitempty"` // the entry that waits, and is not among these

	// Later is what stays as it is recorded though it comes out otherwise, figure by figure: the
	// consequences that are not applied.
	Later []OutdatedFigure `json:"later"`
}

// Consequence is a later entry that comes out otherwise than recorded, because of a correction.
type Consequence struct {
	Event uint64 `json:"event"` // of its events the first that would be another
	Entry string `json:"entry"` // its id
	Turn  string `json:"turn"`
	// the correction from which it follows, unless that is the one asked for
	Cause    uint64          `json:"cause,omitempty"`
	Decision review.Decision `json:"decision"`          // "apply", "keep", "undecided" or "waits"
	KeptBy   uint64          `json:"kept_by,omitempty"` // the event by which somebody decided earlier that it is kept
	Results  []ChangedEvent  `json:"results"`
	// the same field by field; "#16.net" is of another event than the first
	Figures []events.Change `json:"figures"`
	Gone    string          `json:"gone,omitempty"`  // why it would not happen
	Waits   string          `json:"waits,omitempty"` // what is missing, so that it cannot be applied by itself
}

// ChangedEvent is an event before and after a correction.
type ChangedEvent struct {
	Event uint64 `json:"event,omitempty"` // 0 for one that would be new
	Was   string `json:"was,omitempty"`   // the event in words; empty for one that would be new
	Is    string `json:"is,omitempty"`    // empty for one that would not happen
	Text  string `json:"text"`            // both in a sentence
}

// Pending is `watu pending --json`: the entries that come out
// otherwise on what was corrected or voided since, until they are corrected too or it is taken back.
type Pending struct {
	Version  int           `json:"version"`
	Campaign string        `json:"campaign"`
	Events   uint64        `json:"events"` // of the campaign
	Causes   []Cause       `json:"causes"`
	Pending  []Consequence `json:"pending"` // by cause, then in the order of play

	// later entries of which it is not known, for what is sealed
	Unchecked []review.Unchecked `json:"unchecked,omitempty"`
	// the entry that waits, if something was changed since it began
	Unfinished *Unfinished `json:"unfinished,omitempty"`

	As string `json:"as,omitempty"` // who looks; of `watu pending` alone, as is
	// whether it cannot be decided here: it was imported, or follows another ledger
	ReadOnly bool `json:"read_only,omitempty"`
}

// Cause is a correction, or what else took something out of the campaign, from which something follows.
type Cause struct {
	timeline.NarratedEvent
	Reason string `json:"reason"`
}

// KeepRequest decides that something pending stays as it is recorded.
//
// The answer is a [Kept].
type KeepRequest struct {
	Event uint64 `json:"event"` // any event of the entry that is pending
	// why: the others will read it
	Reason string `json:"reason" minLength:"1" maxLength:"10000"`
}

// Kept is what is recorded when something pending is kept.
type Kept struct {
	Version  int                      `json:"version"`
	Campaign string                   `json:"campaign"`
	Happened []timeline.NarratedEvent `json:"happened"`
}

// OutdatedFigure is a figure that would come out otherwise, and the event that has it.
type OutdatedFigure struct {
	review.Finding
	Text string `json:"text"` // the event as it is recorded
}

// UndoableActs is `watu undo --list --json`: the entries that can still be
// undone, the last one first.
type UndoableActs struct {
	Version      int           `json:"version"`
	Campaign     string        `json:"campaign"`
	UndoableActs []UndoableAct `json:"slips"`
}

// UndoableAct is an entry after which no die fell, no card was drawn and no secret was opened.
type UndoableAct struct {
	Command string `json:"command"`
	Verb    string `json:"verb"`
	First   uint64 `json:"first"` // index of its first event
	// the one that says what it is: of a correction or a ruling the head, of an entry the result
	Event uint64 `json:"event"`
	Turn  string `json:"turn"`
	Text  string `json:"text"` // that event in words
	Undo  bool   `json:"-"`    // it is an undo itself, and stands when what came before it is taken back
}

// Undo is what is taken back.
//
// The answer is an [Undone].
type Undo struct {
	Event *uint64 `json:"event,omitempty"` // any event of the entry; the last entry by default
	// why: the others will read it
	Reason string `json:"reason" minLength:"1" maxLength:"10000"`
	// the number of events of the campaign when the entry was shown: refused if it has more by now. It needs the event
	After uint64 `json:"after,omitempty"`
}

// Undone is what an undo took back, and `watu undo --json`.
type Undone struct {
	Version  int                      `json:"version"`
	Campaign string                   `json:"campaign"`
	Happened []timeline.NarratedEvent `json:"happened"`
	Restored []timeline.NarratedEvent `json:"restored,omitempty"` // what stands again

	Entries    []string    `json:"entries,omitempty"`    // ids of the entries that were taken back
	Disputes   []uint64    `json:"disputes,omitempty"`   // that wait for a ruling again, since theirs was taken back
	Unfinished *Unfinished `json:"unfinished,omitempty"` // the entry that waits, if it began before and goes on
}
