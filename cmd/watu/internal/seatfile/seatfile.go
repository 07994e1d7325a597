// Package seatfile is the part of a player who signs for his seat, on his own machine: the file with his secrets, and
// how he joins, enters something and cosigns without having to believe the host.
//
// # The file
//
// The file of a seat is for its owner alone (mode 0600) and sealed (package replay/kept): the title "watu seat 1",
// JSON, and a sum. It holds
//
//   - the seat's key, with which commands are signed and checkpoints cosigned (Ed25519, a note key of package
//     events/tree);
//   - an age identity, to which others may encrypt what is for this player alone;
//   - a chain secret of 32 random bytes, from which all that a player draws by himself can be derived. Today it names
//     entries that come without an id;
//   - which server, campaign and seat it is for, and the key of the ledger, which came with the invitation;
//   - the largest checkpoint that was seen, cosigned with the seat's key. What is signed names one that extends it;
//   - the cosigned checkpoint that the host last took for a roll: no head is cosigned in which that roll lapsed;
//   - a command that was signed and has no answer yet, and those that were answered last. The same entry is sent again
//     as it was signed, and never signed anew.
//
// A host's record that does not extend what was seen is a fork: both notes are written beside the file, the file says
// so, and nothing is signed or cosigned with it any more.
//
// # What a host may do
//
// Whoever answers at the server's address is not believed. What he says of an entry is held against the entry, a
// question that is answered is read from its event, which the checkpoint has to hold, and his answers are bounded.
package seatfile

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"runtime"
	"time"

	"filippo.io/age"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/beacon/rounds"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/rules"
)

// title is the first line of a player's file.
const title = "watu seat 1"

// most is how long the file may be: a signed command of full size fits in.
const most = 8 << 20

// mostSent is how many bytes of what was heard the file keeps.
const mostSent = 1 << 20

// chainBytes is the length of a chain secret.
const chainBytes = 32

// Seat is a player's seat at a campaign, as his file has it.
type Seat struct {
	Server   string `json:"server"`   // URL
	Campaign string `json:"campaign"` // ULID
	Name     string `json:"seat"`
	Ledger   string `json:"ledger"`         // text of the key that signs the campaign's checkpoints
	Key      string `json:"key"`            // text of the seat's own; a secret
	Identity string `json:"age"`            // an age identity; a secret
	Chain    string `json:"chain"`          // 32 bytes in hex; a secret
	Head     string `json:"head,omitempty"` // note of the largest checkpoint seen, with the seat's own cosignature

	Next    string                 `json:"next,omitempty"`    // the key that is to replace Key; a secret
	Pending *replay.SignedCommand  `json:"pending,omitempty"` // what was signed and has no answer yet
	Sent    []replay.SignedCommand `json:"sent,omitempty"`    // what was heard last
	Fork    string                 `json:"fork,omitempty"`    // where two notes are that do not fit: it signs no more

	Taken string `json:"taken,omitempty"` // the cosigned note that the host last took for a roll

	Given *Given `json:"given,omitempty"` // the link that was given last; nil for none

	Hands   string   `json:"hands,omitempty"`   // who draws cards: "players", or "host"; empty before it is known
	Arbiter string   `json:"arbiter,omitempty"` // the age recipient of who may open them; empty for nobody
	Secrets []Secret `json:"secrets,omitempty"` // all that was sealed with this file; for the player alone

	path     string
	id       ulid.ULID // of the campaign
	key      *tree.WitnessKey
	next     *tree.WitnessKey
	identity *age.X25519Identity
	ledger   tree.Verifier
	chain    []byte
	client   *api.Client

	cosigned uint64 // the event that names the round which was cosigned last
	told     string // the note that the host was given last, and when
	toldAt   time.Time
	record   *record
	rounds   *rounds.Source  // nil where this program draws no cards
	tried    map[uint64]bool // draws whose cards the host refused
}

// ready reads what the file says. An error names the field and repeats no secret.
func (s *Seat) ready() (err error) {
	if err := checkServer(s.Server); err != nil {
		return &fieldError{field: "server", err: err}
	}
	if s.id, err = ulid.ParseStrict(s.Campaign); err != nil {
		return &fieldError{field: "campaign", err: err}
	}
	if s.ledger, err = tree.ParseVerifier(s.Ledger); err != nil {
		return &fieldError{field: "ledger", err: err}
	}
	if s.key, err = s.ownKey(s.Key); err != nil {
		return &fieldError{field: "key", err: err}
	}
	if s.Next != "" {
		if s.next, err = s.ownKey(s.Next); err != nil {
			return &fieldError{field: "next", err: err}
		}
	}
	if s.identity, err = age.ParseX25519Identity(s.Identity); err != nil {
		return &fieldError{field: "age", err: errors.New("this is no age identity")}
	}
	if s.chain, err = hex.DecodeString(s.Chain); err != nil || len(s.chain) != chainBytes {
		return &fieldError{field: "chain", err: fmt.Errorf("these are not %d bytes in hex", chainBytes)}
	}
	if s.Head != "" {
		if _, err := tree.Parse(s.Head, s.ledger); err != nil {
			return &fieldError{field: "head", err: err}
		}
	}
	if s.Pending != nil {
		if _, err := envelope.Parse(s.Pending.Envelope); err != nil {
			return &fieldError{field: "pending", err: err}
		}
	}
	server, err := url.Parse(s.Server)
	if err == nil {
		s.client = api.Guest(server)
	}
	return err
}

// ownKey reads a key of the seat.
func (s *Seat) ownKey(text string) (*tree.WitnessKey, error) {
	k, err := tree.ParseWitnessKey(text)
	if want := envelope.KeyName(s.Name, s.Campaign); err == nil && k.Verifier().Name() != want {
		err = fmt.Errorf("it is named %q, and should be %q", k.Verifier().Name(), want)
	}
	return k, err
}

// Open reads a player's file.
func Open(path string) (*Seat, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, problem.New(problem.Input, "there is no file %s; watu join makes the file of a seat", path)
	case err != nil:
		return nil, problem.New(problem.Input, "%v", err)
	case info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows":
		return nil, problem.New(problem.Unverified, "others may read or write %s: chmod 600 %[1]s", path)
	}
	text, err := kept.Read(path, most)
	if err != nil {
		return nil, err
	}
	s, err := parse(text)
	var wrong *fieldError
	switch {
	case errors.Is(err, errTitle):
		return nil, &problem.Problem{Kind: problem.Input, Where: path + ":1", Message: err.Error()}
	case errors.As(err, &wrong):
		return nil, &problem.Problem{Kind: problem.Input, Where: fmt.Sprintf("%s:%d", path, wrong.line),
			Rule: rules.Input, Message: wrong.Error()}
	case err != nil:
		return nil, problem.New(problem.Unverified, "%s: %v; put back a copy of it, or ask the umpire for another link",
			path, err)
	}
	s.path, s.record, s.tried = path, &record{}, map[uint64]bool{}
	return s, nil
}

// fieldError is what is wrong with a field of the file, whose line it names.
type fieldError struct {
	field string
	err   error
	line  int
}

// Error says it without the line.
func (e *fieldError) Error() string { return e.field + ": " + e.err.Error() }

var errTitle = fmt.Errorf("this is not the file of a seat: its first line is not %q", title)

// parse reads the text of a file.
func parse(text []byte) (*Seat, error) {
	body, sealed, err := kept.Unseal(title, text)
	if err == nil && !sealed {
		err = errTitle
	}
	if err != nil {
		return nil, err
	}
	s := &Seat{}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, err
	}
	err = s.ready()
	if wrong, is := err.(*fieldError); is { // the body begins in line 2
		before, _, _ := bytes.Cut(body, []byte(`"`+wrong.field+`":`))
		wrong.line = 2 + bytes.Count(before, []byte("\n"))
	}
	return s, err
}

// text is the file.
func (s *Seat) text() ([]byte, error) {
	body, err := json.MarshalIndent(s, "", "  ")
	return kept.Seal(title, body), err
}

// save writes the file in the place of the old one.
func (s *Seat) save() error {
	text, err := s.text()
	if err == nil {
		err = kept.Replace(s.path, text)
	}
	return err
}

// create writes a new file, with new secrets.
func (s *Seat) create(path string) error {
	key, err := tree.NewWitnessKey(rand.Reader, envelope.KeyName(s.Name, s.Campaign))
	if err != nil {
		return noLink(err.Error())
	}
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		return err
	}
	var chain [chainBytes]byte
	_, _ = rand.Read(chain[:]) // never fails
	s.Key, s.Identity, s.Chain, s.path = key.Secret(), identity.String(), hex.EncodeToString(chain[:]), path
	s.record, s.tried = &record{}, map[uint64]bool{}
	if err := s.ready(); err != nil {
		return noLink(err.Error())
	}
	text, err := s.text()
	if err == nil {
		err = kept.Create(path, text)
	}
	return err
}

// Fingerprint is that of the seat's key, for people to compare.
func (s *Seat) Fingerprint() string { return s.key.Verifier().Fingerprint() }

// LedgerFingerprint is that of the ledger's key.
func (s *Seat) LedgerFingerprint() string { return s.ledger.Fingerprint() }

// Description is what a file says that is no secret.
type Description struct {
	Version     int    `json:"version"`
	Server      string `json:"server"`
	Campaign    string `json:"campaign"`
	Seat        string `json:"seat"`
	Key         string `json:"key"` // to check signatures with
	Fingerprint string `json:"fingerprint"`
	Ledger      string `json:"ledger"` // fingerprint of the ledger's key
	Recipient   string `json:"age"`    // to encrypt to
	Events      uint64 `json:"events"` // of the largest checkpoint seen
	Note        string `json:"note,omitempty"`
	Pending     string `json:"pending,omitempty"`
	Fork        string `json:"fork,omitempty"`
	Arbiter     string `json:"arbiter,omitempty"` // the age recipient of who may open the hands
}

// Describe gives what the file says that is no secret.
func (s *Seat) Describe() Description {
	d := Description{Version: maintenance.Version, Server: s.Server, Campaign: s.Campaign, Seat: s.Name,
		Key: s.key.String(), Fingerprint: s.Fingerprint(), Ledger: s.LedgerFingerprint(),
		Recipient: s.identity.Recipient().String(), Events: s.Seen().Events, Note: s.Head, Fork: s.Fork,
		Arbiter: s.Arbiter}
	if s.Pending != nil {
		x, _ := envelope.Parse(s.Pending.Envelope) // ready has read it
		d.Pending = x.ID
	}
	return d
}

// Seen is the largest checkpoint that was seen; of no event before the first.
func (s *Seat) Seen() (c tree.Checkpoint) {
	if s.Head != "" {
		c, _ = tree.Parse(s.Head, s.ledger) // ready has read it
	}
	return c
}

// locked does something with the file as it is now, while no other process of this player does.
func (s *Seat) locked(do func() error) error {
	l, err := kept.Lock(s.path+".lock", true)
	if err != nil {
		return err
	}
	defer l.Close()
	now, err := Open(s.path)
	if err != nil {
		return err
	}
	now.cosigned, now.record, now.rounds, now.tried = s.cosigned, s.record, s.rounds, s.tried
	now.told, now.toldAt = s.told, s.toldAt
	*s = *now
	if s.Fork != "" {
		return problem.New(problem.Diverged, "this host showed two records: both notes, which it signed, are in %s. "+
			"%s signs nothing any more", s.Fork, s.path)
	}
	return do()
}
