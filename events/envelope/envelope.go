// Package envelope holds the commands that players sign, so that nobody has to believe the host when he says who
// entered what.
//
// An envelope is one of DSSE (the Dead Simple Signing Envelope), with a payload of type [PayloadType]: a [Command] as
// JSON. It is signed with the Ed25519 key of a seat, of package events/tree. It stands in the log, in the first event
// that the command led to ([events.Event.Signed]), and says beside the command which record its player saw, so that
// it fits no other. What a command keeps secret stands in it as commitments alone.
//
// Before he signs, a player asks the host how the record is to show his entry. He signs that too, so that nobody else
// learns what becomes of it: an [Inquiry], of type [InquiryType], which never stands in a log. The type is part of what
// is signed, so neither can be taken for the other.
//
// # Bytes
//
// Envelope and payload have one form each: the members in the order of their structs here, without spaces and without
// escapes that JSON does not need, base64 with padding, one signature. The request in a payload has the form of the
// log: verb and entry, keys of the entry sorted, < > and & escaped. [Parse] refuses any other, so nobody can read a
// payload otherwise than watu does.
//
// # Ids
//
// The id of a command that brings a key is [KeyID] of it. Any other is that of an entry of a turn file: the turn's
// label and a slash, which may be left out, and the entry's own id. No player can name a command as a ledger names its
// own.
package envelope

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
)

// The types of what is signed.
const (
	PayloadType = "application/vnd.watu.command+json"
	InquiryType = "application/vnd.watu.inquiry+json"
)

// Most is how many bytes an envelope may have.
const Most = 1 << 20

// ErrEnvelope is wrapped for a text that is not the envelope of a command.
var ErrEnvelope = errors.New("this is no signed command")

// ErrSignature is wrapped for an envelope that the key did not sign.
var ErrSignature = errors.New("another key signed this command, or it was changed")

// Command is what a player signs.
type Command struct {
	Campaign string `json:"campaign"` // ULID
	Seat     string `json:"seat"`
	ID       string `json:"command"` // of the command, by which it is heard once

	// The record that the player saw: the command may lead to no event before its end, and to none of another record.
	Seen     Seen        `json:"seen"`
	Question events.Hash `json:"question,omitzero"` // of an answer: the hash of the event that asks
	NotAfter time.Time   `json:"not_after"`         // the host hears it until then

	Request     json.RawMessage     `json:"request"` // verb and entry, as the log is to show them
	Commitments []events.Commitment `json:"commitments,omitempty"`
}

// Seen is a checkpoint: how many events the campaign had, and the root of their tree.
type Seen struct {
	Events uint64      `json:"events"`
	Root   events.Hash `json:"root"`
}

// Inquiry asks how the record is to show an entry: it has the whole entry, with its secrets.
type Inquiry struct {
	Campaign string          `json:"campaign"` // ULID
	Seat     string          `json:"seat"`
	ID       string          `json:"command,omitempty"` // that the command is to have; empty for an entry without one
	NotAfter time.Time       `json:"not_after"`
	Request  json.RawMessage `json:"request"`
}

// Signature is what stands under a payload.
type Signature struct {
	payload []byte // with its type, as DSSE signs it
	signature
}

// Envelope is a command as it was signed.
type Envelope struct {
	Command
	Signature
}

// SignedInquiry is an inquiry as it was signed.
type SignedInquiry struct {
	Inquiry
	Signature
}

// form is the JSON of an envelope.
type form struct {
	PayloadType string      `json:"payloadType"`
	Payload     []byte      `json:"payload"`
	Signatures  []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"`
	Sig   []byte `json:"sig"`
}

// Sign gives the text of the command's envelope. The key names itself by its fingerprint.
func (c Command) Sign(k *tree.WitnessKey) (string, error) { return sign(c, PayloadType, k) }

// Sign gives the text of the inquiry's envelope.
func (q Inquiry) Sign(k *tree.WitnessKey) (string, error) { return sign(q, InquiryType, k) }

func sign(v any, kind string, k *tree.WitnessKey) (string, error) {
	payload, err := encode(v)
	if err != nil {
		return "", err
	}
	text, err := encode(form{kind, payload, []signature{{k.Verifier().Fingerprint(), k.Sign(signed(kind, payload))}}})
	return string(text), err
}

// Parse reads the envelope of a command. It is an [ErrEnvelope] if it is none in its one form. Who signed it,
// [Signature.Verify] says.
func Parse(text string) (e Envelope, err error) {
	if e.Signature, err = parse(text, PayloadType, &e.Command); err != nil {
		return Envelope{}, err
	}
	switch {
	case e.ID == "":
		err = fmt.Errorf("%w: it has no id", ErrEnvelope)
	case !ascending(e.Commitments):
		err = fmt.Errorf("%w: its commitments are not in the order of their slots", ErrEnvelope)
	default:
		err = checkRequest(e.ID, e.Request)
	}
	if err == nil && !e.commits() {
		err = fmt.Errorf("%w: it does not commit to what its request seals, and to nothing else", ErrEnvelope)
	}
	return e, err
}

// commits reports whether each slot of a commitment stands in the request once, and no other.
func (c Command) commits() bool {
	var v any
	if json.Unmarshal(c.Request, &v) != nil {
		return false
	}
	slots := sealed(nil, v)
	slices.Sort(slots)
	return slices.EqualFunc(slots, c.Commitments, func(slot string, k events.Commitment) bool { return slot == k.Slot })
}

// sealed lists the slots that stand in the places of secrets.
func sealed(slots []string, v any) []string {
	switch v := v.(type) {
	case []any:
		for _, part := range v {
			slots = sealed(slots, part)
		}
	case map[string]any:
		if slot, is := v["sealed"].(string); is && len(v) == 1 {
			return append(slots, slot)
		}
		for _, part := range v {
			slots = sealed(slots, part)
		}
	}
	return slots
}

// ascending reports whether commitments are in the order of their slots, each of which stands there once.
func ascending(list []events.Commitment) bool {
	for i := 1; i < len(list); i++ {
		if list[i-1].Slot >= list[i].Slot {
			return false
		}
	}
	return true
}

// ParseInquiry reads the envelope of an inquiry, as [Parse] does.
func ParseInquiry(text string) (q SignedInquiry, err error) {
	if q.Signature, err = parse(text, InquiryType, &q.Inquiry); err != nil {
		return SignedInquiry{}, err
	}
	return q, checkRequest(q.ID, q.Request)
}

// parse reads an envelope of a type.
func parse(text, kind string, payload any) (s Signature, err error) {
	var x form
	switch {
	case len(text) > Most:
		return s, fmt.Errorf("%w: it has %d bytes, and may have %d", ErrEnvelope, len(text), Most)
	case decode([]byte(text), &x) != nil || len(x.Signatures) != 1:
		return s, fmt.Errorf("%w: it is not a DSSE envelope with one signature", ErrEnvelope)
	case x.PayloadType != kind:
		return s, fmt.Errorf("%w: its payload is %q, and should be %s", ErrEnvelope, x.PayloadType, kind)
	}
	if err := decode(x.Payload, payload); err != nil {
		return s, fmt.Errorf("%w: its payload does not read: %w", ErrEnvelope, err)
	}
	if again, err := encode(x); err != nil || string(again) != text {
		return s, fmt.Errorf("%w: the envelope is not in its one form", ErrEnvelope)
	}
	if again, err := encode(payload); err != nil || !bytes.Equal(again, x.Payload) {
		return s, fmt.Errorf("%w: its payload is not in its one form", ErrEnvelope)
	}
	return Signature{signed(kind, x.Payload), x.Signatures[0]}, nil
}

// Verify says by an [ErrSignature] that a key did not sign.
func (s Signature) Verify(by tree.WitnessVerifier) error {
	if s.KeyID != by.Fingerprint() || !by.VerifyMessage(s.payload, s.Sig) {
		return fmt.Errorf("%w: the seat's key is %s; watu seat show FILE says which is yours", ErrSignature,
			by.Fingerprint())
	}
	return nil
}

// signed are the bytes that DSSE signs.
func signed(kind string, payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(kind), kind, len(payload), payload)
}

// encode gives the one form of an envelope or payload.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// decode takes no field that is not known: a misspelt one must not pass for one left out.
func decode(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("something follows it")
	}
	return nil
}

// KeyName is what the key of a seat is called: the seat, without what a key's name may not have, and the campaign.
func KeyName(seat, campaign string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(seat)) + "@" + campaign
}

// Seal commits the command to facts, by their slots, in an epoch of its campaign. The openings go beside the envelope.
func (c *Command) Seal(random io.Reader, epoch uint64, facts map[string]string) ([]events.Opening, error) {
	id, err := ulid.ParseStrict(c.Campaign)
	if err != nil {
		return nil, err
	}
	var list []events.Opening
	for _, slot := range slices.Sorted(maps.Keys(facts)) {
		o := events.Opening{Slot: slot, Fact: facts[slot]}
		if _, err := io.ReadFull(random, o.Salt[:]); err != nil {
			return nil, err
		}
		place := events.Place{Campaign: id, Epoch: epoch, Command: c.ID, Slot: slot}
		c.Commitments = append(c.Commitments, events.Commitment{Slot: slot, Hash: events.Commit(place, o.Salt, o.Fact)})
		list = append(list, o)
	}
	return list, nil
}
