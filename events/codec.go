package events

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// ErrMalformed is wrapped by every error of [Decode] and [PayloadOf].
var ErrMalformed = errors.New("malformed event")

// Field numbers of the Event message in events.proto.
const (
	fieldCampaign protowire.Number = iota + 1
	fieldIndex
	fieldID
	fieldType
	fieldTurn
	fieldTurnLabel
	fieldPhase
	fieldSeat
	fieldSide
	fieldCommand
	fieldEpoch
	fieldRecorded
	fieldSchema
	fieldEdition
	fieldPayload
	fieldDerivation
	fieldCommitment
	fieldOpening
	fieldRequest
	fieldCorrects
	fieldPrevious
	fieldReplaces
	fieldSigned
	fieldLast = fieldSigned
)

// LeafHash is the hash of an event's stored bytes: SHA-256(0x00 || b), RFC 6962 section 2.1.
func LeafHash(b []byte) Hash {
	d := sha256.New()
	d.Write([]byte{0})
	d.Write(b)
	var h Hash
	d.Sum(h[:0])
	return h
}

// Encode gives the event's only encoding.
func (e *Event) Encode() []byte {
	w := wire(make([]byte, 0, e.size()))
	w.fixed(fieldCampaign, e.Campaign[:])
	w.uint(fieldIndex, e.Index)
	w.fixed(fieldID, e.ID[:])
	w.text(fieldType, string(e.Type))
	w.uint(fieldTurn, e.Turn.Ordinal)
	w.text(fieldTurnLabel, e.Turn.Label)
	w.text(fieldPhase, e.Phase)
	w.text(fieldSeat, e.Seat)
	w.text(fieldSide, e.Side)
	w.text(fieldCommand, e.Command)
	w.uint(fieldEpoch, e.Epoch)
	w.uint(fieldRecorded, uint64(max(0, e.Recorded.UnixMilli())))
	w.uint(fieldSchema, e.Schema)
	w.fixed(fieldEdition, e.Edition[:])
	w.text(fieldPayload, e.Payload)
	for i := range e.Derivation {
		w.citation(&e.Derivation[i])
	}
	for i := range e.Commitments {
		w.commitment(&e.Commitments[i])
	}
	for i := range e.Openings {
		w.opening(&e.Openings[i])
	}
	w.text(fieldRequest, e.Request)
	w.uint(fieldCorrects, e.Corrects)
	w.fixed(fieldPrevious, e.Previous[:])
	w.uint(fieldReplaces, e.Replaces)
	w.text(fieldSigned, e.Signed)
	return append(w, e.unknown...)
}

// size is an upper bound of the length of the encoding, near enough to allocate once.
func (e *Event) size() int {
	n := 256 + len(e.Payload) + len(e.Request) + len(e.Signed) + len(e.Turn.Label) + len(e.Phase) + len(e.Side) +
		len(e.Command) + len(e.unknown)
	for i := range e.Derivation {
		n += 16 + len(e.Derivation[i].Rule) + len(e.Derivation[i].Step)
	}
	for i := range e.Commitments {
		n += 56 + len(e.Commitments[i].Slot)
	}
	for i := range e.Openings {
		n += 72 + len(e.Openings[i].Slot) + len(e.Openings[i].Fact)
	}
	return n
}

// Decode reads an event. It copies b once; the event's texts are parts of that copy.
// It refuses bytes that [Event.Encode] would not have written.
func Decode(b []byte) (Event, error) {
	var e Event
	if err := DecodeInto(b, &e); err != nil {
		return Event{}, err
	}
	return e, nil
}

// DecodeInto is [Decode] for who reads many events and keeps none of their lists: those that
// e has are used again. What e held before is gone, also after an error.
func DecodeInto(b []byte, e *Event) error {
	*e = Event{Derivation: e.Derivation[:0], Commitments: e.Commitments[:0], Openings: e.Openings[:0]}
	if err := e.decode(string(b)); err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return nil
}

func (e *Event) decode(s string) error {
	e.Recorded = time.UnixMilli(0).UTC()
	r := reader{rest: s}
	var f field
	for len(r.rest) > 0 {
		before := r.rest
		if err := r.next(&f); err != nil {
			return err
		}
		if f.num > fieldLast {
			e.unknown = before // later fields come last, in their own order
			return checkUnknown(before)
		}
		num := f.num
		if err := e.set(&f); err != nil {
			return fmt.Errorf("field %d: %w", num, err)
		}
	}
	return nil
}

func checkUnknown(s string) error {
	r := reader{rest: s}
	var f field
	for len(r.rest) > 0 {
		if err := r.next(&f); err != nil {
			return err
		}
	}
	return nil
}

func (e *Event) set(f *field) error {
	switch f.num {
	case fieldCampaign:
		return f.fixed(e.Campaign[:])
	case fieldIndex:
		return f.uint(&e.Index)
	case fieldID:
		return f.fixed(e.ID[:])
	case fieldType:
		return f.text((*string)(&e.Type))
	case fieldTurn:
		return f.uint(&e.Turn.Ordinal)
	case fieldTurnLabel:
		return f.text(&e.Turn.Label)
	case fieldPhase:
		return f.text(&e.Phase)
	case fieldSeat:
		return f.text(&e.Seat)
	case fieldSide:
		return f.text(&e.Side)
	case fieldCommand:
		return f.text(&e.Command)
	case fieldEpoch:
		return f.uint(&e.Epoch)
	case fieldRecorded:
		return f.millis(&e.Recorded)
	case fieldSchema:
		return f.uint(&e.Schema)
	case fieldEdition:
		return f.fixed(e.Edition[:])
	case fieldPayload:
		return f.text(&e.Payload)
	case fieldDerivation:
		return appendMessage(&e.Derivation, f, 4)
	case fieldCommitment:
		return appendMessage(&e.Commitments, f, 4)
	case fieldOpening:
		return appendMessage(&e.Openings, f, 1)
	case fieldRequest:
		return f.text(&e.Request)
	case fieldCorrects:
		return f.uint(&e.Corrects)
	case fieldReplaces:
		return f.uint(&e.Replaces)
	case fieldSigned:
		return f.text(&e.Signed)
	}
	return f.fixed(e.Previous[:])
}

func (f *field) millis(into *time.Time) error {
	var v uint64
	if err := f.uint(&v); err != nil {
		return err
	}
	if v > 1<<52 || into.UnixMilli() != 0 {
		return errForm
	}
	*into = time.UnixMilli(int64(v)).UTC()
	return nil
}
