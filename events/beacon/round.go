package beacon

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cloudflare/circl/sign/bls"
)

// ErrRound is wrapped for a signature that is not the beacon's for the round.
var ErrRound = errors.New("does not verify")

// signatureSize is that of a compressed point of G1. The library reads uncompressed ones too, which would give a round
// a second randomness.
const signatureSize = 48

// Verify checks that a signature is the beacon's for a round. It is an [ErrRound] otherwise.
func (b Beacon) Verify(round uint64, signature []byte) error {
	return b.Verifier().Verify(round, signature)
}

// Verifier checks many rounds of a beacon: its key, which takes as long to read as a round to check, is read once.
type Verifier struct {
	beacon string
	key    *bls.PublicKey[bls.KeyG2SigG1]
	wrong  error // with the key
}

// Verifier gives the verifier of the beacon's rounds. Where the beacon is none, no round verifies.
func (b Beacon) Verifier() *Verifier {
	key, err := b.key()
	return &Verifier{b.Name, key, err}
}

// Verify is [Beacon.Verify].
func (v *Verifier) Verify(round uint64, signature []byte) error {
	if err := v.verify(round, signature); err != nil {
		return fmt.Errorf("round %d of %s %w: %w", round, v.beacon, ErrRound, err)
	}
	return nil
}

func (v *Verifier) verify(round uint64, signature []byte) error {
	if round < 1 {
		return errors.New("the first round is 1")
	}
	if len(signature) != signatureSize {
		return fmt.Errorf("its signature has %d bytes, not %d", len(signature), signatureSize)
	}
	if v.wrong != nil {
		return fmt.Errorf("%w: %w", ErrBeacon, v.wrong)
	}
	message := sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
	if !bls.Verify(v.key, message[:], signature) {
		return errors.New("its signature is not the beacon's for that round")
	}
	return nil
}

// Randomness is what a round gives: the SHA-256 of its signature, which has to be verified before.
func Randomness(signature []byte) [32]byte { return sha256.Sum256(signature) }
