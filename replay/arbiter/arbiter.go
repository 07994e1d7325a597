// Package arbiter encrypts a hand that a player drew by himself, so that the arbiter of the campaign alone can open it:
// the link by which the player drew, and the openings of his cards. The encryption is age, to an X25519 recipient.
//
// The host keeps the result as the opening of a commitment that the player signed ([events.SlotArbiter]), and cannot
// read it.
package arbiter

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"filippo.io/age"

	"github.com/watu-ledger/watu/events"
)

// Most is how many bytes the text of a sealed hand may have.
const Most = 16 << 10

// Hand is what the arbiter gets of a draw.
type Hand struct {
	Link  events.Link `json:"link"` // by which the cards were drawn
	Cards []Card      `json:"cards"`
}

// Card opens a commitment of the event that draws it.
type Card struct {
	Slot string      `json:"slot"`
	Salt events.Hash `json:"salt"`
	Fact string      `json:"fact"`
}

// Recipient reads whom a hand is encrypted to.
func Recipient(text string) (*age.X25519Recipient, error) {
	r, err := age.ParseX25519Recipient(text)
	if err != nil {
		return nil, fmt.Errorf("an arbiter is named by a recipient, age1…, as watu backup keygen prints it, not %q",
			text)
	}
	return r, nil
}

// Seal encrypts a hand, for the arbiter alone. Its length tells nothing of the cards' names.
func Seal(recipient string, h Hand) (string, error) {
	to, err := Recipient(recipient)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(h)
	if err != nil {
		return "", err
	}
	const step = 1 << 10
	text = append(text, bytes.Repeat([]byte(" "), (step-len(text)%step)%step)...)
	var out bytes.Buffer
	w, err := age.Encrypt(&out, to)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	return base64.StdEncoding.EncodeToString(out.Bytes()), err
}

// Open reads a hand that was sealed for one of these identities.
func Open(sealed string, identities []age.Identity) (h Hand, err error) {
	text, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil || len(sealed) > Most {
		return h, errors.New("it is not encrypted for an arbiter")
	}
	r, err := age.Decrypt(bytes.NewReader(text), identities...)
	if err != nil {
		return h, fmt.Errorf("this key does not open it: %w", err)
	}
	d := json.NewDecoder(io.LimitReader(r, Most))
	d.DisallowUnknownFields()
	if err := d.Decode(&h); err != nil {
		return h, fmt.Errorf("it is no hand: %w", err)
	}
	return h, nil
}
