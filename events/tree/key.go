package tree

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/oklog/ulid/v2"
	"golang.org/x/mod/sumdb/note"
)

// Key signs a ledger's checkpoints (Ed25519). Its text is a secret.
type Key struct {
	secret   string
	signer   note.Signer
	verifier Verifier
}

// Verifier checks the signatures of one key. Its text is public: "watu/01BX5…+03c1a2b4+AT9x…".
type Verifier struct {
	text     string
	verifier note.Verifier
}

// ErrKey is wrapped for a text that is not the key of a ledger.
var ErrKey = errors.New("this is no key of a ledger")

// NewKey makes a ledger's key from 32 bytes of a source of randomness.
func NewKey(random io.Reader, ledger ulid.ULID) (*Key, error) {
	text, _, err := note.GenerateKey(random, prefix+ledger.String())
	if err != nil {
		return nil, err
	}
	return ParseKey(text)
}

// ParseKey reads the text of a key. It is an [ErrKey] if it is none; the error does not repeat it.
func ParseKey(text string) (*Key, error) {
	signer, private, err := privateKey(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	}
	verifier, err := note.NewEd25519VerifierKey(signer.Name(), private.Public().(ed25519.PublicKey))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	}
	k := &Key{secret: text, signer: signer}
	k.verifier, err = ParseVerifier(verifier)
	return k, err
}

// privateKey reads the text of a key as note.GenerateKey writes one.
func privateKey(text string) (note.Signer, ed25519.PrivateKey, error) {
	signer, err := note.NewSigner(text)
	if err != nil {
		return nil, nil, err
	}
	parts := strings.SplitN(text, "+", 5) // PRIVATE+KEY+name+hash+base64, which may hold more of them
	seed, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(seed) != 1+ed25519.SeedSize {
		return nil, nil, errors.New("it is not Ed25519")
	}
	return signer, ed25519.NewKeyFromSeed(seed[1:]), nil
}

// Secret gives the text that [ParseKey] reads.
func (k *Key) Secret() string { return k.secret }

// Verifier gives what checks the key's signatures.
func (k *Key) Verifier() Verifier { return k.verifier }

// String is the text of the verifier, so that printing a key by mistake gives away nothing.
func (k *Key) String() string { return k.verifier.text }

// GoString is [Key.String], for the same reason.
func (k *Key) GoString() string { return k.String() }

// ParseVerifier reads the text of a verifier. It is an [ErrKey] if it is none of a ledger.
func ParseVerifier(text string) (Verifier, error) {
	text = strings.TrimSpace(text)
	v, err := note.NewVerifier(text)
	if err != nil {
		return Verifier{}, fmt.Errorf("%w: %q: %w", ErrKey, text, err)
	}
	id, ok := strings.CutPrefix(v.Name(), prefix)
	if _, err := ulid.ParseStrict(id); err != nil || !ok {
		return Verifier{}, fmt.Errorf("%w: it is named %q", ErrKey, v.Name())
	}
	return Verifier{text, v}, nil
}

// Name is "watu/" and the ledger's ULID.
func (v Verifier) Name() string { return v.verifier.Name() }

// String gives the text that [ParseVerifier] reads.
func (v Verifier) String() string { return v.text }

// Fingerprint is what two people compare, "4753-30ab-77f8-a7ce": the first 16 digits of the SHA-256 of its text.
func (v Verifier) Fingerprint() string { return fingerprint(v.text) }

func fingerprint(text string) string {
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
	return strings.Join([]string{sum[:4], sum[4:8], sum[8:12], sum[12:16]}, "-")
}
