package envelope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/events"
)

// Request is what a player asks for, as the log shows it.
type Request struct {
	Verb  string          `json:"verb"`
	Entry json.RawMessage `json:"entry"`
}

// VerbKey is the verb of a command that brings a key.
const VerbKey = "key"

// VerbLink is the verb of a command by which a player gives the link of his chain that a roll awaits.
const VerbLink = "link"

// VerbDeclassify is the verb of a command by which a player discloses all that was secret of his sides.
const VerbDeclassify = "declassify"

// KeyID is the id of the command that brings a key with that fingerprint.
func KeyID(fingerprint string) string { return VerbKey + "/" + fingerprint }

// ChainName is the name of the chain of the player who has the key with that fingerprint.
func ChainName(fingerprint string) string { return "seat/" + fingerprint }

// KeyEntry is the entry of the command that brings a key.
type KeyEntry struct {
	Key   string        `json:"key"`            // its text
	Chain events.Anchor `json:"chain,omitzero"` // of the player's own chain
}

// KeyRequest is the request of the command that brings a key.
func KeyRequest(k KeyEntry) (json.RawMessage, error) {
	entry, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	return NewRequest(VerbKey, entry)
}

// NewRequest gives a request in its one form.
func NewRequest(verb string, entry json.RawMessage) (json.RawMessage, error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(entry))
	d.UseNumber()
	if err := d.Decode(&v); err != nil || d.More() {
		return nil, fmt.Errorf("%w: its entry is no JSON value", ErrEnvelope)
	}
	text, err := json.Marshal(v)
	if err == nil {
		text, err = json.Marshal(Request{verb, text})
	}
	return text, err
}

// checkRequest says what is wrong with the id or the request of a command.
func checkRequest(id string, text json.RawMessage) error {
	var r Request
	if err := decode(text, &r); err != nil {
		return fmt.Errorf("%w: its request has a verb and an entry", ErrEnvelope)
	}
	if again, err := NewRequest(r.Verb, r.Entry); err != nil || !bytes.Equal(again, text) {
		return fmt.Errorf("%w: its request is not in its one form", ErrEnvelope)
	}
	if id == "" || r.Verb == VerbKey && strings.HasPrefix(id, KeyID("")) {
		return nil
	}
	return CheckID(id)
}

// reserved begin the ids of commands that a ledger enters itself, and of those that bring keys.
var reserved = []string{"open", "epoch", "rules", "edition", "correct", "keep", "undo", "complete", "round", "lapse",
	"order", VerbKey}

// CheckID says what is wrong with the id of an entry that a player signs.
func CheckID(id string) error {
	turn, own := "", id
	if at := strings.LastIndexByte(id, '/'); at >= 0 {
		turn, own = id[:at], id[at+1:]
		if err := checkLabel(turn); err != nil {
			return err
		}
	}
	if first, _, _ := strings.Cut(id, "/"); slices.Contains(reserved, first) {
		return fmt.Errorf("%w: the id %q is reserved: a ledger names its own commands so", ErrEnvelope, id)
	}
	return checkLabel(own)
}

// checkLabel holds parts of an id to what a turn file may name.
func checkLabel(s string) error {
	const most = 64
	if strings.TrimSpace(s) == "" || len(s) > most ||
		strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("%w: an id, and the turn before its slash, are of 1 to %d bytes that can be printed",
			ErrEnvelope, most)
	}
	return nil
}
