// Package events says what happened in a campaign, and why.
//
// An [Event] is an immutable fact: a draw, a card play, a negation, a die roll, a ruling.
// It names the campaign and its place in it, what led to it (the command), what follows
// from it (the payload), which rules were applied in which order (the derivation), and the
// event before it (the previous hash). Its bytes are what is stored, what is published and
// what is hashed; nothing is encoded a second time.
//
// # Bytes
//
// An event is one protobuf message of events.proto, written in one way only: fields in
// ascending order, varints of minimal length, fields of zero value left out. [Decode]
// refuses anything else, so an event has exactly one encoding. A field that a later version
// adds is kept as it came and written back in its place (at the end: later fields have
// higher numbers).
//
// # Hashes
//
// The hash of an event is SHA-256(0x00 || bytes), the leaf hash of RFC 6962 section 2.1, and
// each event carries the hash of its predecessor, so that the last hash vouches for the
// whole campaign.
//
// # Secrets
//
// The log holds no secret, only commitments ([Commit]); what opens one ([Opening]) lives
// beside the log until the rules disclose it, and then it enters the log in an event.
//
// The package imports nothing of watu: storing, publishing, judging and folding are others'
// business.
package events

import (
	"encoding/hex"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"
)

// SchemaVersion is the version of the payload shapes that this package writes. Since version 2 a
// campaign says what a program must know to go on with it: [CampaignOpened] and [RulesChanged].
const SchemaVersion = 2

// Hash is a SHA-256 value: a leaf hash, a commitment, an edition, an anchor of a chain.
type Hash [32]byte

// String gives 64 hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// IsZero reports whether h is all zeros, which stands for "none".
func (h Hash) IsZero() bool { return h == Hash{} }

// MarshalText gives 64 hexadecimal digits, or nothing for the zero hash.
func (h Hash) MarshalText() ([]byte, error) {
	if h.IsZero() {
		return []byte{}, nil
	}
	return []byte(h.String()), nil
}

// UnmarshalText reads what MarshalText wrote.
func (h *Hash) UnmarshalText(text []byte) error {
	*h = Hash{}
	if len(text) == 0 {
		return nil
	}
	if len(text) != 64 {
		return fmt.Errorf("hash %q: want 64 hexadecimal digits", text)
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// Turn is a game turn: its number in the campaign, from 1, and the game's own name for it.
// Ordinal 0 is the time before the first turn.
type Turn struct {
	Ordinal uint64
	Label   string
}

// Citation is one step of a derivation: the rule applied, and what it did with which figures.
type Citation struct {
	Rule string `pb:"1" json:"rule"`
	Step string `pb:"2" json:"step"`
}

// Commitment binds a secret fact without telling it. Slot names the fact within its event.
type Commitment struct {
	Slot string `pb:"1" json:"slot"`
	Hash Hash   `pb:"2" json:"hash"`
}

// Opening discloses the fact behind the commitment in the given slot of the event at Index.
type Opening struct {
	Index uint64 `pb:"1" json:"index"`
	Slot  string `pb:"2" json:"slot"`
	Salt  Hash   `pb:"3" json:"salt"`
	Fact  string `pb:"4" json:"fact"`
}

// Event is one immutable fact of a campaign.
type Event struct {
	Campaign    ulid.ULID // the campaign, with Index the event's identity
	Index       uint64    // place in the campaign, from 0, without holes
	ID          ulid.ULID // a name to quote; it orders and seeds nothing
	Type        Type
	Turn        Turn
	Phase       string // the game's own name of the phase, empty before the first
	Seat        string // who asked
	Side        string // the faction or power concerned, empty for none
	Command     string // id of the command that led here
	Epoch       uint64 // life of the dice and draw chains, from 1
	Recorded    time.Time
	Schema      uint64 // version of the payload's shape
	Edition     Hash   // the edition of the rules that judged
	Payload     string // protobuf message of Type, as stored
	Derivation  []Citation
	Commitments []Commitment
	Openings    []Opening
	Request     string // the command as JSON without its secrets; on the first event of a command only
	Corrects    uint64 // index of the event that this one corrects, 0 for none
	Previous    Hash   // hash of the event at Index-1, zero at index 0
	Replaces    uint64 // index of the event in whose place, or before which, this one stands; 0 for its own place
	Signed      string // the envelope by which a player's seat signed the command; beside Request, empty for none

	unknown string // fields of a later version, as they came
}
