package ledger

import (
	"encoding/binary"
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// The first byte of each kind of key; see the package comment.
const (
	keyLedger   byte = 'l'
	keyCampaign byte = 'g'
	keyRecord   byte = 'r'
	keyStep     byte = 's'
	keyCommand  byte = 'c'
	keyTurn     byte = 't'
	keyOpening  byte = 'o'
	keyBeside   byte = 'b'
	keyMark     byte = 'm'
)

// lenCampaignKey is the length of a kind and a campaign, with which most keys begin.
const lenCampaignKey = 1 + 16

func campaignKey(kind byte, campaign ulid.ULID) []byte {
	k := make([]byte, 0, lenCampaignKey+8)
	return append(append(k, kind), campaign[:]...)
}

func numberKey(kind byte, campaign ulid.ULID, n uint64) []byte {
	return appendNumberKey(make([]byte, 0, lenCampaignKey+8), kind, campaign, n)
}

func appendNumberKey(b []byte, kind byte, campaign ulid.ULID, n uint64) []byte {
	return binary.BigEndian.AppendUint64(append(append(b, kind), campaign[:]...), n)
}

func commandKey(campaign ulid.ULID, id string) []byte { return appendCommandKey(nil, campaign, id) }

func appendCommandKey(b []byte, campaign ulid.ULID, id string) []byte {
	return append(append(append(b, keyCommand), campaign[:]...), id...)
}

func openingKey(campaign ulid.ULID, o *events.Opening) []byte {
	return append(numberKey(keyOpening, campaign, o.Index), o.Slot...)
}

func stepKey(sequence uint64) []byte { return appendStepKey(nil, sequence) }

func appendStepKey(b []byte, sequence uint64) []byte {
	return binary.BigEndian.AppendUint64(append(b, keyStep), sequence)
}

// after is the first key behind all that begin with prefix.
func after(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; i >= 0; i-- {
		end[i]++
		if end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}

// numberIn reads the number behind kind and campaign.
func numberIn(key []byte) (uint64, error) {
	if len(key) < lenCampaignKey+8 {
		return 0, damaged(key)
	}
	return binary.BigEndian.Uint64(key[lenCampaignKey:]), nil
}

// step is the value of a step's key.
type step struct {
	campaign ulid.ULID
	first    uint64
	count    uint32
}

const lenStep = 16 + 8 + 4

func (s step) append(b []byte) []byte {
	b = append(b, s.campaign[:]...)
	b = binary.BigEndian.AppendUint64(b, s.first)
	return binary.BigEndian.AppendUint32(b, s.count)
}

// readStep reads a step's entry and its sequence.
func readStep(key, value []byte) (s step, sequence uint64, err error) {
	if len(key) != 1+8 || len(value) != lenStep {
		return s, 0, damaged(key)
	}
	copy(s.campaign[:], value)
	s.first = binary.BigEndian.Uint64(value[16:])
	s.count = binary.BigEndian.Uint32(value[24:])
	return s, binary.BigEndian.Uint64(key[1:]), nil
}

const lenAnswered = 32 + 8 + 4 // without the answer

func appendAnswered(b []byte, a *Answered) []byte {
	b = append(b, a.Digest[:]...)
	b = binary.BigEndian.AppendUint64(b, a.First)
	b = binary.BigEndian.AppendUint32(b, uint32(a.Count))
	return append(b, a.Answer...)
}

func readAnswered(key, value []byte) (a Answered, err error) {
	if len(value) < lenAnswered {
		return a, damaged(key)
	}
	copy(a.Digest[:], value)
	a.First = binary.BigEndian.Uint64(value[32:])
	a.Count = int(binary.BigEndian.Uint32(value[40:]))
	a.Answer = append([]byte(nil), value[lenAnswered:]...)
	return a, nil
}

func readTurn(key, value []byte) (t Turn, err error) {
	if len(value) < 8 {
		return t, damaged(key)
	}
	t.Ordinal, err = numberIn(key)
	t.First, t.Label = binary.BigEndian.Uint64(value), string(value[8:])
	return t, err
}

func readOpening(key, value []byte) (o events.Opening, err error) {
	if len(value) < len(o.Salt) {
		return o, damaged(key)
	}
	if o.Index, err = numberIn(key); err != nil {
		return o, err
	}
	o.Slot = string(key[lenCampaignKey+8:])
	copy(o.Salt[:], value)
	o.Fact = string(value[len(o.Salt):])
	return o, nil
}

func damaged(key []byte) error { return fmt.Errorf("%w: entry %q", ErrDamaged, key) }
