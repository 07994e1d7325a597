package dice

import (
	"cmp"
	"encoding/hex"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/rules/chance"
)

// Round is the round that decides the dice of a roll, as the record has it, and who saw the roll declared before.
type Round struct {
	Beacon   string             `json:"beacon"`
	Number   uint64             `json:"number"`
	Due      time.Time          `json:"due"`   // when it comes, or came
	First    uint64             `json:"first"` // the roll that awaited it: this one, or one before it
	Lapses   []uint64           `json:"lapses,omitempty"`
	Came     uint64             `json:"came,omitempty"`      // event of the dice that has what follows; 0: to come
	Genuine  bool               `json:"genuine,omitempty"`   // the beacon's key made the signature
	Signed   string             `json:"signature,omitempty"` // of the round, in hex
	Note     string             `json:"note,omitempty"`      // the checkpoint that witnesses cosigned
	Cosigned []tree.Cosignature `json:"cosigned"`
	Met      bool               `json:"met,omitempty"` // they are enough, and from before the round

	campaign   ulid.ULID
	declared   events.Hash // of the roll that awaited it
	randomness events.Hash
}

// RoundOf finds the round of the roll that awaited it: declared, with its hash, and the events that answered it, in
// order. Opened is the first event of the campaign, and cosigners may cosign what named the round.
func RoundOf(opened, declared *events.Event, hash events.Hash, cosigners tree.Policy,
	answers []*events.Event) *Round {
	var o events.CampaignOpened
	var p events.RollDeclared
	if !opened.Read(&o) || !declared.Read(&p) {
		return nil
	}
	b := beacon.Beacon(o.Beacon)
	r := &Round{Beacon: b.Name, Number: p.Round, First: declared.Index, Cosigned: []tree.Cosignature{},
		campaign: declared.Campaign, declared: hash}
	for _, e := range answers {
		var lapsed events.RollLapsed
		var rolled events.DiceRolled
		switch {
		case e.Read(&lapsed):
			r.Number, r.Lapses = cmp.Or(lapsed.Next, lapsed.Round), append(r.Lapses, e.Index)
		case e.Corrects == 0 && r.Came == 0 && e.Read(&rolled) && rolled.Round != 0:
			r.Number, r.Came, r.Signed, r.Note = rolled.Round, e.Index, rolled.Signature, rolled.Note
		}
	}
	r.Due = time.Unix(b.Time(r.Number), 0).UTC()
	if r.Came == 0 {
		return r
	}
	if signature, err := hex.DecodeString(r.Signed); err == nil && b.Verify(r.Number, signature) == nil {
		r.Genuine, r.randomness = true, beacon.Randomness(signature)
	}
	if x, err := tree.ParseCosigned(r.Note, tree.Verifier{}, cosigners); err == nil && x.Campaign == r.campaign {
		r.Cosigned, r.Met = x.Cosignatures, cosigners.MetBefore(x.Cosignatures, b.Time(r.Number))
	}
	return r
}

// Linked throws the dice again of a contested roll, from the two links among the events that answered it; nil where
// there are none. Declared is the declaration that names them, and ordinal the place of the roll among those that they
// decide.
func Linked(declared *events.Event, ordinal int, answers []*events.Event) *chance.Sampler {
	for _, e := range answers {
		var d events.DiceRolled
		if e.Read(&d) && len(d.Links) == 2 {
			both := chance.Contested(d.Links[0].Link, d.Links[1].Link)
			hash := events.Encode(*declared).Hash()
			return chance.NewSampler(chance.BeaconSeed(both, declared.Campaign, hash, uint64(ordinal)))
		}
	}
	return nil
}

// Sampler throws the dice again of the roll that has this place among those that the round decides; nil where it does
// not decide them.
func (r *Round) Sampler(ordinal int) *chance.Sampler {
	if !r.Genuine {
		return nil
	}
	return chance.NewSampler(chance.BeaconSeed(r.randomness, r.campaign, r.declared, uint64(ordinal)))
}
