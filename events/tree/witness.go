package tree

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"
)

// WitnessKey cosigns checkpoints (Ed25519, C2SP tlog-cosignature). Its text is a secret.
type WitnessKey struct {
	secret   string
	private  ed25519.PrivateKey
	verifier WitnessVerifier
}

// WitnessVerifier checks the cosignatures of one witness. Its text is public: "arbiter+7b1c09e2+BGd3…".
type WitnessVerifier struct {
	text, name string
	hash       uint32
	public     ed25519.PublicKey
}

// ErrWitness is wrapped for a text that is not the key of a witness.
var ErrWitness = errors.New("this is no key of a witness")

// NewWitnessKey makes a witness's key from 32 bytes of a source of randomness. Its name has no space, no + and does
// not begin as a ledger's does.
func NewWitnessKey(random io.Reader, name string) (*WitnessKey, error) {
	text, _, err := note.GenerateKey(random, name)
	if err != nil {
		return nil, err
	}
	return ParseWitnessKey(text)
}

// ParseWitnessKey reads the text of a key. It is an [ErrWitness] if it is none; the error does not repeat it.
func ParseWitnessKey(text string) (*WitnessKey, error) {
	signer, private, err := privateKey(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWitness, err)
	}
	v, err := ParseWitness(witnessText(signer.Name(), private.Public().(ed25519.PublicKey)))
	return &WitnessKey{text, private, v}, err
}

// Secret gives the text that [ParseWitnessKey] reads.
func (k *WitnessKey) Secret() string { return k.secret }

// Verifier gives what checks the key's cosignatures.
func (k *WitnessKey) Verifier() WitnessVerifier { return k.verifier }

// String is the text of the verifier, so that printing a key by mistake gives away nothing.
func (k *WitnessKey) String() string { return k.verifier.text }

// GoString is [WitnessKey.String], for the same reason.
func (k *WitnessKey) GoString() string { return k.String() }

// Cosign gives the line that a witness adds to a signed note of the checkpoint, at a time in Unix seconds. It says that
// this is the largest tree of the campaign that the witness has seen, and that it extends those seen before.
func (c Checkpoint) Cosign(k *WitnessKey, at int64) (string, error) {
	if at <= 0 {
		return "", fmt.Errorf("a cosignature has a time after 1970, not %d", at)
	}
	line := binary.BigEndian.AppendUint32(nil, k.verifier.hash)
	line = binary.BigEndian.AppendUint64(line, uint64(at))
	line = append(line, ed25519.Sign(k.private, cosigned(at, c.Text()))...)
	return signatureLine(note.Signature{Name: k.verifier.name, Base64: base64.StdEncoding.EncodeToString(line)}), nil
}

// Sign signs a message that is no cosignature: it must not begin as one does.
func (k *WitnessKey) Sign(message []byte) []byte { return ed25519.Sign(k.private, message) }

// VerifyMessage reports whether the key signed a message by [WitnessKey.Sign].
func (v WitnessVerifier) VerifyMessage(message, signature []byte) bool {
	return len(v.public) == ed25519.PublicKeySize && ed25519.Verify(v.public, message, signature)
}

// cosigned is what an Ed25519 cosignature signs.
func cosigned(at int64, text string) []byte {
	return fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", at, text)
}

// algCosignature is the type of the keys of cosignatures by Ed25519.
const algCosignature = "\x04"

// ParseWitness reads the text of a verifier. It is an [ErrWitness] if it is none of a witness.
func ParseWitness(text string) (v WitnessVerifier, err error) {
	v.text = strings.TrimSpace(text)
	parts := strings.SplitN(v.text, "+", 3) // the last may hold more of them
	if len(parts) < 3 {
		return v, fmt.Errorf("%w: %q is not NAME+HASH+KEY", ErrWitness, v.text)
	}
	key, err := base64.StdEncoding.DecodeString(parts[2])
	public, cosigns := strings.CutPrefix(string(key), algCosignature)
	if err != nil || !cosigns || len(public) != ed25519.PublicKeySize {
		return v, fmt.Errorf("%w: %q has no Ed25519 key for cosignatures", ErrWitness, v.text)
	}
	v.name, v.public = parts[0], ed25519.PublicKey(public)
	strange := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	switch {
	case v.name == "" || !utf8.ValidString(v.name) || strings.ContainsFunc(v.name, strange):
		return v, fmt.Errorf("%w: its name is %q", ErrWitness, v.name)
	case strings.HasPrefix(v.name, prefix):
		return v, fmt.Errorf("%w: it is named %q, as a ledger's", ErrWitness, v.name)
	case witnessText(v.name, v.public) != v.text:
		return v, fmt.Errorf("%w: the hash in %q is not that of name and key", ErrWitness, v.text)
	}
	v.hash = witnessHash(v.name, v.public)
	return v, nil
}

func witnessHash(name string, public ed25519.PublicKey) uint32 {
	sum := sha256.Sum256([]byte(name + "\n" + algCosignature + string(public)))
	return binary.BigEndian.Uint32(sum[:])
}

func witnessText(name string, public ed25519.PublicKey) string {
	key := base64.StdEncoding.EncodeToString([]byte(algCosignature + string(public)))
	return fmt.Sprintf("%s+%08x+%s", name, witnessHash(name, public), key)
}

// Name stands before the witness's cosignatures.
func (v WitnessVerifier) Name() string { return v.name }

// String gives the text that [ParseWitness] reads.
func (v WitnessVerifier) String() string { return v.text }

// Fingerprint is what two people compare, as [Verifier.Fingerprint].
func (v WitnessVerifier) Fingerprint() string { return fingerprint(v.text) }

// KeyHash implements [note.Verifier].
func (v WitnessVerifier) KeyHash() uint32 { return v.hash }

// Verify implements [note.Verifier].
func (v WitnessVerifier) Verify(text, cosignature []byte) bool {
	if len(cosignature) != 8+ed25519.SignatureSize {
		return false
	}
	at := int64(binary.BigEndian.Uint64(cosignature))
	return at > 0 && ed25519.Verify(v.public, cosigned(at, string(text)), cosignature[8:])
}

// Cosignature is that a witness cosigned a checkpoint.
type Cosignature struct {
	Witness string `json:"witness"` // by its name in the policy
	Time    int64  `json:"time"`    // by the witness's clock, in Unix seconds
}

// Cosigned is a checkpoint with the cosignatures of witnesses.
type Cosigned struct {
	Checkpoint
	Note         string // with the signature of its ledger and these cosignatures alone
	Cosignatures []Cosignature
	Others       []string // who signed it by their own word: their keys are not known here
}

// ParseCosigned reads a note as [Parse] does, and the cosignatures of a policy's witnesses, in its order, one each. It
// passes over those of others. One that its key did not make is an [ErrNote]. A zero verifier asks for no signature
// of a ledger: the witnesses' alone are read.
func ParseCosigned(text string, by Verifier, p Policy) (out Cosigned, err error) {
	var known []note.Verifier
	for _, w := range p.witnesses {
		known = append(known, w.Verifier)
	}
	c, n, err := open(text, by, known...)
	if err != nil && (by.verifier != nil || !errors.Is(err, ErrSignature)) {
		return Cosigned{Checkpoint: c}, err
	}
	out = Cosigned{Checkpoint: c, Note: c.Text() + "\n"}
	if own, signed := signature(n, by.verifier); signed {
		out.Note += signatureLine(own)
	}
	for _, w := range p.witnesses {
		if s, is := signature(n, w.Verifier); is {
			raw, err := base64.StdEncoding.DecodeString(s.Base64)
			if err != nil {
				return Cosigned{}, err
			}
			out.Cosignatures = append(out.Cosignatures, Cosignature{w.Name, int64(binary.BigEndian.Uint64(raw[4:]))})
			out.Note += signatureLine(s)
		}
	}
	for _, s := range n.UnverifiedSigs {
		out.Others = append(out.Others, s.Name)
	}
	return out, nil
}

func signatureLine(s note.Signature) string { return fmt.Sprintf("— %s %s\n", s.Name, s.Base64) }
