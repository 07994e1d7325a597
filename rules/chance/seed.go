package chance

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// The labels of a seed: what it is for, and what its number counts. The same link never serves both.
const (
	DiceLabel = "watu/dice/v1" // the number is the index of the declaring event
	DrawLabel = "watu/draw/v1"

	ChainDiceLabel = "watu/chain-dice/v2" // the number is the position of the link
	ChainDrawLabel = "watu/chain-draw/v2"
)

// A Declaration is what the log holds of a roll or draw before its entropy is known. Purpose,
// dice and modifiers stand in the declared event itself; its place is enough to name it.
type Declaration struct {
	Label    string    // one of the labels above
	Campaign ulid.ULID // the campaign
	Epoch    uint64    // the life of the chains that are revealed
	Number   uint64    // what the label says
}

// Seeds says what number enters the seeds of an epoch's rolls and draws. epoch_begun states it.
type Seeds string

const (
	// ByIndex is the index of the declaring event: who enters another event before it gets other dice. It is that of
	// records from before there was another, and of campaigns with a published seed.
	ByIndex Seeds = ""
	// ByPosition is the position of the link: nothing that is entered moves it.
	ByPosition Seeds = "position"
)

// Dice is the declaration of a roll, in the event at index, that the link at a position of the dice chain decides.
func (s Seeds) Dice(campaign ulid.ULID, epoch, index, position uint64) Declaration {
	if s == ByPosition {
		return Declaration{Label: ChainDiceLabel, Campaign: campaign, Epoch: epoch, Number: position}
	}
	return Declaration{Label: DiceLabel, Campaign: campaign, Epoch: epoch, Number: index}
}

// Draw is the declaration of a draw, in the event at index, that the link at a position of its side's chain decides.
func (s Seeds) Draw(campaign ulid.ULID, epoch, index, position uint64) Declaration {
	if s == ByPosition {
		return Declaration{Label: ChainDrawLabel, Campaign: campaign, Epoch: epoch, Number: position}
	}
	return Declaration{Label: DrawLabel, Campaign: campaign, Epoch: epoch, Number: index}
}

// A Contribution is the entropy that answers a declaration.
type Contribution struct {
	// Link is the next link of the host's chain.
	Link events.Hash
	// Others holds one link of each opposing seat's chain, in seat order. It is empty
	// where the host rolls alone.
	Others []events.Hash
	// Round is the signature of the public randomness round that the declaration's time
	// determines. It is empty where no beacon is used.
	Round []byte
}

// Seed is the seed of the sampler that answers declaration d: HMAC-SHA256 keyed by the host's
// link over length-prefixed parts (label, campaign, epoch, number, each other seat's link, the
// round's signature if there is one).
func Seed(d Declaration, c Contribution) events.Hash {
	m := newMAC(c.Link)
	m.text(d.Label)
	m.part(d.Campaign[:])
	m.number(d.Epoch)
	m.number(d.Number)
	for _, link := range c.Others {
		m.part(link[:])
	}
	if len(c.Round) > 0 {
		m.part(c.Round)
	}
	return m.sum()
}

// BeaconLabel is that of dice which follow from a round of public randomness.
const BeaconLabel = "watu/dice/v2"

// BeaconSeed is the seed of a roll that a beacon's round decides: HMAC-SHA256 keyed by the round's randomness over
// length-prefixed parts (label, campaign, hash of the declaring event, ordinal). The declaration is that of the
// command's first roll, which was fixed before the round; the ordinal counts the rolls of the round from 0.
func BeaconSeed(randomness events.Hash, campaign ulid.ULID, declaration events.Hash, ordinal uint64) events.Hash {
	m := newMAC(randomness)
	m.text(BeaconLabel)
	m.part(campaign[:])
	m.part(declaration[:])
	m.number(ordinal)
	return m.sum()
}

// ContestedLabel is that of what two links decide together.
const ContestedLabel = "watu/contested/v1"

// Contested is the randomness of a roll that two links decide, one of the host and one of a seat, in the place of a
// round's: HMAC-SHA256 keyed by the host's link over length-prefixed parts (label, the seat's link). [BeaconSeed] turns
// it into the seeds of the roll and of those behind it.
func Contested(host, seat events.Hash) events.Hash {
	m := newMAC(host)
	m.text(ContestedLabel)
	m.part(seat[:])
	return m.sum()
}

// A mac is HMAC-SHA256 over parts, each behind its length in bytes (4 bytes big-endian) so
// that no two lists of parts read alike; the commitments of package events do the same.
type mac struct{ h hash.Hash }

func newMAC(key events.Hash) mac { return mac{hmac.New(sha256.New, key[:])} }

func (m mac) part(p []byte) {
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(len(p)))
	m.h.Write(n[:])
	m.h.Write(p)
}

func (m mac) text(s string) { m.part([]byte(s)) }

// number writes v as a part of 8 bytes big-endian.
func (m mac) number(v uint64) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], v)
	m.part(b[:])
}

func (m mac) sum() (h events.Hash) {
	m.h.Sum(h[:0])
	return h
}
