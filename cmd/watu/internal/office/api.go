package office

import (
	"encoding/json"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/rules"
)

// Version is the version of every shape in this file. A reader should refuse a greater one.
const Version = 1

// Ledger is GET /v1/ledger: which ledger this is, who holds it, and how far it is published.
type Ledger struct {
	Version   int    `json:"version"`
	Ledger    string `json:"ledger"` // ULID
	Directory string `json:"directory"`
	PID       int    `json:"pid"`
	NATS      string `json:"nats,omitempty"` // where guests connect; empty: nowhere
	Stream    string `json:"stream"`         // what start-up found when it compared stream and record
	Durable   uint64 `json:"durable"`        // events in the record
	Published uint64 `json:"published"`      // of them on the stream
	Trouble   string `json:"trouble,omitempty"`
}

// Campaigns is GET /v1/campaigns, and `watu campaign list --json`.
type Campaigns struct {
	Version   int        `json:"version"`
	Campaigns []Campaign `json:"campaigns"` // in the order in which they were opened
}

// Campaign is a campaign at its head.
type Campaign struct {
	Name        string      `json:"name"`
	ID          string      `json:"id"` // ULID
	System      string      `json:"system"`
	Title       string      `json:"title"` // of the system
	Edition     string      `json:"edition"`
	EditionHash events.Hash `json:"edition_hash"`
	Sides       []string    `json:"sides"`
	Demo        bool        `json:"demo"` // its dice prove nothing
	Events      uint64      `json:"events"`
	Head        events.Hash `json:"head"` // hash of the last event
	Turn        string      `json:"turn"`
	TurnOrdinal uint64      `json:"turn_ordinal"`
	Phase       string      `json:"phase"`
	Opened      time.Time   `json:"opened"`
}

// NewCampaign is POST /v1/campaigns; the answer is an [Opened].
type NewCampaign struct {
	Name    string            `json:"name"`
	System  string            `json:"system"`
	Edition string            `json:"edition,omitempty"`
	Options map[string]string `json:"options,omitempty"`
	Note    string            `json:"note,omitempty"`
	Seed    string            `json:"seed,omitempty"`
}

// Opened is a campaign just opened, and what happened with it.
type Opened struct {
	Version  int      `json:"version"`
	Campaign Campaign `json:"campaign"`
	Happened []Line   `json:"happened"`
}

// Line is one event as it is told: its place, and a sentence.
type Line struct {
	Index uint64      `json:"index"`
	Type  events.Type `json:"type"`
	Turn  string      `json:"turn"`
	Phase string      `json:"phase"`
	Side  string      `json:"side,omitempty"`
	Text  string      `json:"text"`
	Rules []string    `json:"rules"`
}

// Logged is one line of GET /v1/campaigns/{c}/log, and of `watu log --json`: the event's view
// and its narration.
type Logged struct {
	Version int `json:"version"`
	events.View
	Narration   string `json:"narration"`
	CorrectedBy uint64 `json:"corrected_by,omitempty"` // the event that stands in its place now
}

// Submission is POST /v1/campaigns/{c}/submissions; the answer is a [Submitted].
type Submission struct {
	Name  string `json:"name"`  // of the file, for messages
	Text  []byte `json:"text"`  // as it came; base64 in JSON
	Entry bool   `json:"entry"` // one entry, not a file
	Check bool   `json:"check"` // judge without dice, append nothing
}

// Submitted is what became of a turn file or an entry, and `watu submit --json`.
type Submitted struct {
	Version  int      `json:"version"`
	Campaign string   `json:"campaign"`
	Check    bool     `json:"check,omitempty"`
	Entries  []Heard  `json:"entries"`             // in order, up to the one that stopped the file
	NotHeard []string `json:"not_heard"`           // ids behind the one that stopped
	Waiting  *Waiting `json:"waiting,omitempty"`   // the question that is open at the end
	Problem  *Problem `json:"problem,omitempty"`   // why it stopped
	Recorded int      `json:"recorded"`            // events appended now
	FormOnly string   `json:"form_only,omitempty"` // with check: the entry behind which only the form was checked
}

// The states of an entry.
const (
	Applied = "applied" // judged now, and its events are appended
	Stands  = "stands"  // applied before
	Waits   = "waits"   // applied now as far as the question it asks
	Fits    = "fits"    // with check: allowed, as far as that needs no dice
	Form    = "form"    // with check: well formed, and not judged
	Stopped = "stopped" // refused, or not understood
)

// Heard is what became of one entry.
type Heard struct {
	ID         string            `json:"id"`
	Verb       string            `json:"verb"`
	Line       int               `json:"line"` // in the file
	State      string            `json:"state"`
	Named      bool              `json:"named,omitempty"` // it came without an id, which its contents give
	Happened   []Line            `json:"happened"`        // now, or when it was applied
	Violations []rules.Violation `json:"violations,omitempty"`
}

// Waiting is an open question and how to answer it.
type Waiting struct {
	Index    uint64   `json:"index"` // of its event
	Of       string   `json:"of"`    // who must answer
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Rule     string   `json:"rule"`
	Most     int      `json:"most,omitempty"` // how many options may be chosen together, if more than one
	Example  string   `json:"example"`        // an entry that would answer it
}

// Amendment is POST /v1/campaigns/{c}/corrections; the answer is a [Corrected].
type Amendment struct {
	Event uint64 `json:"event"` // any event of the command to correct
	Name  string `json:"name"`
	Text  []byte `json:"text"`
}

// Corrected is what a correction changed, and `watu correct --json`.
type Corrected struct {
	Version  int    `json:"version"`
	Campaign string `json:"campaign"`
	Again    bool   `json:"again,omitempty"` // it stood already
	Happened []Line `json:"happened"`
}

// View is GET /v1/campaigns/{c}/views/{projection}, and `watu show --json`, which leaves out
// the tables. Digest is that of the public view alone.
type View struct {
	Version    int                 `json:"version"`
	Campaign   string              `json:"campaign"`
	Projection string              `json:"projection"`
	As         string              `json:"as"`     // "public", "umpire" or a side
	Events     uint64              `json:"events"` // how many are in the view
	Turn       string              `json:"turn"`
	Digest     string              `json:"digest,omitempty"`
	Report     json.RawMessage     `json:"report"`
	Tables     []projections.Table `json:"tables,omitempty"`
}

// Rebuilt is the result of POST /v1/rebuild, and `watu rebuild --json`.
type Rebuilt struct {
	Version int        `json:"version"`
	Digests []Digested `json:"digests"` // by name of campaign, then by projection
}

// Digested is the digest of one public view.
type Digested struct {
	Campaign   string `json:"campaign"`
	ID         string `json:"id"`
	Events     uint64 `json:"events"`
	Projection string `json:"projection"`
	Digest     string `json:"digest"`
}

// Broken is the last line of an answer of many lines that could not go on.
type Broken struct {
	Problem *Problem `json:"problem"`
}

// Rebuilding is one line of the answer to POST /v1/rebuild: progress, or at last the result
// or what is wrong.
type Rebuilding struct {
	Done    uint64   `json:"done,omitempty"`
	Total   uint64   `json:"total,omitempty"`
	Result  *Rebuilt `json:"result,omitempty"`
	Problem *Problem `json:"problem,omitempty"`
}
