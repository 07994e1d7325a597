package timeline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/dice"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
)

// Campaigns is `watu campaign list --json`.
type Campaigns struct {
	Version   int        `json:"version"`
	Campaigns []Campaign `json:"campaigns"`          // in the order in which they were opened
	Archived  []Campaign `json:"archived,omitempty"` // that stand apart, in the same order
}

// All are all campaigns: those that are archived come last.
func (l Campaigns) All() []Campaign { return slices.Concat(l.Campaigns, l.Archived) }

// Campaign is a campaign at its head.
type Campaign struct {
	Name        string          `json:"name"`
	ID          string          `json:"id"` // ULID
	System      string          `json:"system"`
	Title       string          `json:"title"` // of the system
	Edition     string          `json:"edition"`
	EditionHash events.Hash     `json:"edition_hash"`
	Sides       []string        `json:"sides"`
	Views       []string        `json:"views"` // what there is to show
	Board       *Board          `json:"board,omitempty"`
	Demo        bool            `json:"demo"` // its dice prove nothing
	Dice        string          `json:"dice"` // "chain" or "attested"
	Seats       []campaign.Seat `json:"seats"`
	// of players who sign, also those that a seat has no more; left out of lists
	Keys        []bundle.SeatKey `json:"keys,omitempty"`
	Events      uint64           `json:"events"`
	Head        events.Hash      `json:"head"` // hash of the last event
	Turn        string           `json:"turn"`
	TurnOrdinal uint64           `json:"turn_ordinal"`
	Phase       string           `json:"phase"`
	Opened      time.Time        `json:"opened"`
	// for whom the file was that it was imported from: it is read-only
	Imported     string `json:"imported,omitempty"`
	Archived     bool   `json:"archived,omitempty"` // it stands apart in lists
	OpenDisputes int    `json:"open_disputes,omitempty"`
}

// Board is the map that a campaign is played on.
type Board struct {
	Title   string      `json:"title"`
	Version string      `json:"version,omitempty"`
	Hash    events.Hash `json:"hash"`  // over names and contents of its files
	Files   []string    `json:"files"` // their names
	Lacks   []string    `json:"lacks"` // what they do not tell, in sentences
}

// NarratedEvent is one event in words: its place, and a sentence.
type NarratedEvent struct {
	Index uint64      `json:"index"`
	Type  events.Type `json:"type"`
	Turn  string      `json:"turn"`
	Phase string      `json:"phase"`
	Side  string      `json:"side,omitempty"`
	Text  string      `json:"text"`
	Rules []string    `json:"rules"`
	// Sentence is Text with its links; it is not sent.
	Sentence document.Text `json:"-"`
	// Event is what is narrated, for who says it in another language; it is not sent.
	Event *events.Event `json:"-"`
}

// LogEvent is an event as `watu log --json` shows it: its view and its narration.
type LogEvent struct {
	Version int `json:"version"`
	events.View
	Narration   string `json:"narration"`
	CorrectedBy uint64 `json:"corrected_by,omitempty"` // the event that stands in its place now

	VoidedBy   uint64   `json:"voided_by,omitempty"`   // the event by which it does not stand any more
	DisputedBy []uint64 `json:"disputed_by,omitempty"` // open disputes over the event

	// for whoever holds the directory: it is recorded here, and not known to stand in the one line of the ledger.
	// Nobody was answered by it; see [stream.Outbox.Confirm].
	Unconfirmed bool `json:"unconfirmed,omitempty" hidden:"true"`
}

// Became says what became of the event: "(corrected by #60)", or nothing.
func (l *LogEvent) Became() string {
	var list []string
	if l.CorrectedBy != 0 {
		list = append(list, fmt.Sprintf("(corrected by #%d)", l.CorrectedBy))
	}
	if l.VoidedBy != 0 {
		list = append(list, fmt.Sprintf("(no longer stands: #%d)", l.VoidedBy))
	}
	for _, n := range l.DisputedBy {
		list = append(list, fmt.Sprintf("(disputed: #%d)", n))
	}
	if l.Unconfirmed {
		list = append(list, "(not confirmed)")
	}
	return strings.Join(list, " ")
}

// Waiting is an open question and how to answer it.
type Waiting struct {
	Index    uint64   `json:"index"` // of its event
	Of       string   `json:"of"`    // who must answer
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Rule     string   `json:"rule"`
	Most     int      `json:"most,omitempty"`   // how many options may be chosen together, if more than one
	Option   string   `json:"option,omitempty"` // of a referral: what a ruling settles
	Example  string   `json:"example"`          // an entry that would answer it; empty where the answer comes by itself
	Table    bool     `json:"table,omitempty"`  // dice thrown at a table: any seat that Of names may answer
	// dice that come with a round of a beacon: nobody has to answer
	Roll *dice.Awaited `json:"roll,omitempty"`
}

// View is `watu show --json`, which leaves out the tables: a projection at a moment. Digest is that of the public
// view alone.
type View struct {
	Version    int              `json:"version"`
	Campaign   string           `json:"campaign"`
	Projection string           `json:"projection"`
	As         string           `json:"as"`     // "public", "umpire" or a side
	Events     uint64           `json:"events"` // how many are in the view
	Turn       string           `json:"turn"`
	Digest     string           `json:"digest,omitempty"`
	Report     json.RawMessage  `json:"report"`
	Title      string           `json:"title"`   // of the system
	Edition    string           `json:"edition"` // on which the campaign is played
	Tables     []document.Plain `json:"tables,omitempty"`
	// what this program does not know of the campaign, in a sentence
	Incomplete string `json:"incomplete,omitempty"`

	// at the head, for whoever holds the directory: what corrections left, as far as the viewer can know
	Pending *PendingCount `json:"pending,omitempty" hidden:"true"`
}

// PendingCount counts what is pending in a campaign.
type PendingCount struct {
	Campaign  string   `json:"campaign"`
	Entries   int      `json:"entries"`
	Events    []uint64 `json:"events"`              // of each entry the first event that would be another
	Causes    []uint64 `json:"causes"`              // the events from which that follows
	Unchecked int      `json:"unchecked,omitempty"` // later entries of which it is not known
	Unknown   bool     `json:"unknown,omitempty"`   // it is not found out yet, or that failed
}

// WaitingFor describes an open question.
func WaitingFor(q *campaign.Question) *Waiting {
	w := &Waiting{
		Index: q.Index, Of: q.Of(), Question: q.Text(), Options: q.Options(), Rule: q.Rule(), Example: q.Example(),
		Table: q.Roll != nil && !q.Roll.Awaits(),
	}
	if q.Refer != nil {
		w.Option = q.Refer.Option
	}
	if q.Choice != nil && q.Choice.Most > 1 {
		several := slices.Clone(w.Options)
		several = slices.DeleteFunc(several, func(o string) bool { return o == "none" }) // it stands alone
		w.Most = min(q.Choice.Most, len(several))
		w.Example = fmt.Sprintf("{id: …, answer: {%s: [%s]}}", w.Of, strings.Join(several[:min(2, w.Most)], ", "))
	}
	return w
}
