package events

import (
	"encoding/json"
	"time"
)

// View is the JSON view of an event: what `watu log --json` prints, what the feed carries.
// It is for reading; the stored bytes are what counts.
type View struct {
	Sequence    uint64       `json:"sequence,omitempty"` // place in the ledger, where known
	Campaign    string       `json:"campaign"`
	Index       uint64       `json:"index"`
	ID          string       `json:"id"`
	Type        Type         `json:"type"`
	Turn        string       `json:"turn"`
	TurnOrdinal uint64       `json:"turn_ordinal"`
	Phase       string       `json:"phase"`
	Seat        string       `json:"seat"`
	Side        string       `json:"side"`
	CommandID   string       `json:"command_id"`
	Epoch       uint64       `json:"epoch"`
	Recorded    string       `json:"recorded"` // RFC 3339, UTC, milliseconds
	Schema      uint64       `json:"schema"`
	Edition     Hash         `json:"edition"`
	Payload     any          `json:"payload"` // base64 of the bytes for a type of a later version
	Derivation  []Citation   `json:"derivation"`
	Commitments []Commitment `json:"commitments,omitempty"`
	Openings    []Opening    `json:"openings,omitempty"`
	Request     any          `json:"request,omitempty"`
	Corrects    uint64       `json:"corrects,omitempty"`
	Replaces    uint64       `json:"replaces,omitempty"`
	Signed      any          `json:"signed,omitempty"` // as package events/envelope has it
	Hash        Hash         `json:"hash"`
	Previous    Hash         `json:"previous_hash"`
}

// ViewOf gives the JSON view of an event and its stored bytes' hash.
func ViewOf(e *Event, hash Hash) View {
	v := View{
		Campaign: e.Campaign.String(), Index: e.Index, ID: e.ID.String(), Type: e.Type,
		Turn: e.Turn.Label, TurnOrdinal: e.Turn.Ordinal, Phase: e.Phase, Seat: e.Seat,
		Side: e.Side, CommandID: e.Command, Epoch: e.Epoch,
		Recorded: e.Recorded.UTC().Format("2006-01-02T15:04:05.000Z"),
		Schema:   e.Schema, Edition: e.Edition, Payload: []byte(e.Payload),
		Derivation: e.Derivation, Commitments: e.Commitments, Openings: e.Openings,
		Corrects: e.Corrects, Replaces: e.Replaces, Hash: hash, Previous: e.Previous,
	}
	if v.Derivation == nil {
		v.Derivation = []Citation{}
	}
	if p, err := PayloadOf(e); err == nil && p != nil {
		v.Payload = p
	}
	if json.Valid([]byte(e.Request)) {
		v.Request = json.RawMessage(e.Request)
	}
	if json.Valid([]byte(e.Signed)) {
		v.Signed = json.RawMessage(e.Signed)
	}
	return v
}

// At gives the time at which the event was recorded, as far as the view has it.
func (v View) At() time.Time {
	t, _ := time.Parse(time.RFC3339, v.Recorded)
	return t
}

// MarshalJSON implements json.Marshaler. A secret number is left out: 0 would be a number.
func (p FactReported) MarshalJSON() ([]byte, error) {
	type fields FactReported
	if !p.Secret || p.Number != 0 {
		return json.Marshal(fields(p))
	}
	return json.Marshal(struct {
		fields
		Number *int `json:"number,omitempty"`
	}{fields: fields(p)})
}
