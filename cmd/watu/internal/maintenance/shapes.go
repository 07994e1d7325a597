package maintenance

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
)

// Version is the version of every shape in this file. A reader should refuse a greater one.
const Version = 1

// Following is how a follower stands.
type Following struct {
	From    string `json:"from"`              // which server
	Adopted uint64 `json:"adopted"`           // events that came since it was opened
	Trouble string `json:"trouble,omitempty"` // why nothing comes at the moment
}

// Rebuilt is `watu rebuild --json`.
type Rebuilt struct {
	Version int          `json:"version"`
	Digests []ViewDigest `json:"digests"` // by name of campaign, then by projection
}

// ViewDigest is the digest of one public view.
type ViewDigest struct {
	Campaign   string `json:"campaign"`
	ID         string `json:"id"`
	Events     uint64 `json:"events"`
	Projection string `json:"projection"`
	Digest     string `json:"digest"`
}

// Keys are for whom a backup is written.
type Keys struct {
	Recipients []string `json:"recipients,omitempty"` // age recipients
	Passphrase string   `json:"passphrase,omitempty"` // in their place
	Damaged    bool     `json:"damaged,omitempty"`    // write it even if secrets or boards are damaged or missing
}

// BackedUp says what a backup holds, and `watu backup --json`, `watu handover --json`.
type BackedUp struct {
	Version   int            `json:"version"`
	File      string         `json:"file,omitempty"`
	Ledger    string         `json:"ledger"`
	Events    uint64         `json:"events"`
	Campaigns []CampaignHead `json:"campaigns"`
}

// CampaignHead is a campaign and how far it reaches: an equal head says that every event is the same.
type CampaignHead struct {
	Name   string      `json:"name"`
	ID     string      `json:"id"`
	Events uint64      `json:"events"`
	Head   events.Hash `json:"head"`
}

// Restored says what a ledger made of a backup holds, and `watu restore --json`.
type Restored struct {
	Version    int               `json:"version"`
	Directory  string            `json:"directory"`
	Ledger     string            `json:"ledger"`
	Backup     uint64            `json:"backup"` // events that the backup held
	Events     uint64            `json:"events"` // events that there are now
	Home       string            `json:"home"`   // where its stream is, for people
	Embedded   bool              `json:"embedded,omitempty"`
	FromStream *replay.Recovered `json:"from_stream,omitempty"`
	Campaigns  []CampaignHead    `json:"campaigns"`
	Damaged    []CheckedFile     `json:"damaged,omitempty"` // or missing, beside the record
}

// Repaired says what a repair did, and `watu repair --json`.
type Repaired struct {
	Version    int               `json:"version"`
	Directory  string            `json:"directory"`
	Ledger     string            `json:"ledger"`
	Repair     string            `json:"repair"` // the way: [FromStream], for example
	Stream     string            `json:"stream"` // where it is
	Found      string            `json:"found"`  // how stream and record stood before
	Stands     string            `json:"stands"` // and how they stand now
	Events     uint64            `json:"events"` // in the record, now
	FromStream *replay.Recovered `json:"from_stream,omitempty"`
	Lost       []LostEvents      `json:"lost"` // given up for good
	Note       string            `json:"note,omitempty"`
	Campaigns  []CampaignHead    `json:"campaigns"`
}

// LostEvents are events of a campaign that one copy has and another has not.
type LostEvents struct {
	Name  string      `json:"name,omitempty"` // empty if no event is left that says it
	ID    string      `json:"id"`
	Here  uint64      `json:"here"`  // events in the record
	There uint64      `json:"there"` // events at the checkpoint, or in the stream
	Lost  uint64      `json:"lost"`  // events there that are not in the record; it may have others in their place
	Head  events.Hash `json:"head"`  // hash of the last one there
}
