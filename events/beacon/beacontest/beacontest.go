// Package beacontest has a beacon whose key tests hold, so that they make its rounds before they are due. Only tests
// import it.
package beacontest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"

	"github.com/cloudflare/circl/sign/bls"

	"github.com/watu-ledger/watu/events/beacon"
)

// Moon is a beacon with its key.
type Moon struct {
	beacon.Beacon
	key *bls.PrivateKey[bls.KeyG2SigG1]
}

// New gives a beacon with rounds of so many seconds. Its key is always the same.
func New(genesis, period int64) (Moon, error) {
	key, err := bls.KeyGen[bls.KeyG2SigG1](bytes.Repeat([]byte{7}, 32), nil, nil)
	if err != nil {
		return Moon{}, err
	}
	public, err := key.PublicKey().MarshalBinary()
	if err != nil {
		return Moon{}, err
	}
	return Moon{beacon.Beacon{Name: "moon", Chain: strings.Repeat("ab", 32), PublicKey: hex.EncodeToString(public),
		Genesis: genesis, Period: period, Scheme: beacon.Scheme}, key}, nil
}

// Signature is that of a round, in hex.
func (m Moon) Signature(round uint64) string {
	message := sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
	return hex.EncodeToString(bls.Sign(m.key, message[:]))
}
