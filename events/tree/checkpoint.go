package tree

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"
	"github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"

	"github.com/watu-ledger/watu/events"
)

// Checkpoint states the tree of a campaign's first events.
type Checkpoint struct {
	Campaign ulid.ULID
	Events   uint64
	Root     events.Hash
}

// emptyRoot is the root of a tree without events.
var emptyRoot = events.Hash(sha256.Sum256(nil))

// prefix begins the first line of a checkpoint, and the name of a ledger's key.
const prefix = "watu/"

// ErrNote is wrapped for a text that is not the signed checkpoint of a campaign.
var ErrNote = errors.New("this is no signed checkpoint")

// ErrSignature is wrapped for a checkpoint that the key in question did not sign.
var ErrSignature = errors.New("the checkpoint is not signed by this key")

// Sign gives the note of a checkpoint, signed by a ledger.
func (c Checkpoint) Sign(k *Key) (string, error) {
	signed, err := note.Sign(&note.Note{Text: c.Text()}, k.signer)
	return string(signed), err
}

// Text is what is signed: the note without its empty line and signatures.
func (c Checkpoint) Text() string {
	return string(log.Checkpoint{Origin: prefix + c.Campaign.String(), Size: c.Events, Hash: c.Root[:]}.Marshal())
}

// Parse reads a note and checks that the key signed it. It passes over signatures of others, and over what people copy
// along with a note: lines before and behind it, carriage returns. A checkpoint that the key did not sign comes with an
// [ErrSignature]; the zero Verifier signed none.
func Parse(text string, by Verifier) (Checkpoint, error) {
	c, _, err := open(text, by)
	return c, err
}

// mostText bounds a note, with what people copy around it, in bytes.
const mostText = 1 << 20

// open reads a note, and holds its signatures against the ledger's key and those of witnesses.
func open(text string, by Verifier, witnesses ...note.Verifier) (Checkpoint, *note.Note, error) {
	known := witnesses
	if by.verifier != nil {
		known = append(known, by.verifier)
	}
	if len(text) > mostText {
		return Checkpoint{}, nil, fmt.Errorf("%w: it has %d bytes", ErrNote, len(text))
	}
	n, err := note.Open([]byte(trimmed(text)), note.VerifierList(known...))
	var unverified *note.UnverifiedNoteError
	var wrong *note.InvalidSignatureError
	switch {
	case errors.As(err, &unverified):
		n = unverified.Note
	case err != nil:
		if at := malformed(text); at != nil {
			err = at
		} else if errors.As(err, &wrong) {
			err = fmt.Errorf("it was changed after it was signed: %w", err)
		}
		return Checkpoint{}, nil, fmt.Errorf("%w: %w", ErrNote, err)
	}
	c, err := parse(n.Text)
	if err != nil {
		if at := malformed(text); at != nil {
			err = fmt.Errorf("%w: %w", ErrNote, at)
		}
		return c, n, err
	}
	if _, signed := signature(n, by.verifier); !signed {
		err = fmt.Errorf("%w: its signatures are by %s", ErrSignature, signers(n))
	}
	return c, n, err
}

// Unsigned reports whether an error is that of a note which reads, and which the key in question did not sign as it is.
func Unsigned(err error) bool {
	var wrong *note.InvalidSignatureError
	return errors.Is(err, ErrSignature) || errors.As(err, &wrong)
}

// malformed says which line of a text keeps it from being a note, by its number in the text; nil for none.
func malformed(text string) error {
	lines := strings.Split(text+strings.Repeat("\n", 5), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	first := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, prefix) })
	if first < 0 {
		return errors.New("no line of it is " + prefix + "CAMPAIGN, which begins one")
	}
	no := func(i int, should string) error { return fmt.Errorf("line %d: it is not %s", first+i+1, should) }
	at := lines[first:]
	_, noCampaign := ulid.ParseStrict(at[0][len(prefix):])
	_, noNumber := strconv.ParseUint(at[1], 10, 64)
	root, noRoot := base64.StdEncoding.DecodeString(at[2])
	switch {
	case noCampaign != nil:
		return no(0, prefix+"CAMPAIGN")
	case noNumber != nil || at[1] != "0" && strings.HasPrefix(at[1], "0"):
		return no(1, "the number of events")
	case noRoot != nil || len(root) != len(events.Hash{}):
		return no(2, "the root of the tree, 32 bytes in base64")
	case at[3] != "":
		return no(3, "empty")
	}
	for len(at) > 5 && !strings.HasPrefix(at[len(at)-1], "— ") { // what people copy along
		at = at[:len(at)-1]
	}
	for i, l := range at[4:] {
		signed := strings.Fields(l)
		reads := len(signed) == 3 && signed[0] == "—"
		if reads {
			signature, no := base64.StdEncoding.DecodeString(signed[2])
			reads = no == nil && len(signature) > 4 // behind 4 bytes of the key's hash
		}
		if !reads {
			return no(4+i, "a signature, — KEY BASE64")
		}
	}
	return nil
}

// signature finds the line of a key among the valid signatures of a note.
func signature(n *note.Note, by note.Verifier) (note.Signature, bool) {
	i := slices.IndexFunc(n.Sigs, func(s note.Signature) bool {
		return by != nil && s.Name == by.Name() && s.Hash == by.KeyHash()
	})
	if i < 0 {
		return note.Signature{}, false
	}
	return n.Sigs[i], true
}

// trimmed gives the lines of a text from the first of a note to its last signature.
func trimmed(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	first := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, prefix) })
	if first < 0 {
		return text
	}
	end := len(lines)
	for end > first+1 && !strings.HasPrefix(lines[end-1], "— ") {
		end--
	}
	return strings.Join(lines[first:end], "\n") + "\n"
}

// signers lists the names of the keys that are said to have signed a note.
func signers(n *note.Note) string {
	var names []string
	for _, s := range slices.Concat(n.Sigs, n.UnverifiedSigs) {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// parse reads the text of a note. There is one text for each checkpoint.
func parse(text string) (c Checkpoint, err error) {
	var l log.Checkpoint
	if _, err := l.Unmarshal([]byte(text)); err != nil {
		return c, fmt.Errorf("%w: %w", ErrNote, err)
	}
	id, ok := strings.CutPrefix(l.Origin, prefix)
	if c.Campaign, err = ulid.ParseStrict(id); err != nil || !ok {
		return c, fmt.Errorf("%w: its first line is %q, which is no campaign of watu", ErrNote, l.Origin)
	}
	c.Events = l.Size
	if copy(c.Root[:], l.Hash) != len(c.Root) || c.Text() != text {
		return c, fmt.Errorf("%w: it is not written as watu writes one", ErrNote)
	}
	return c, nil
}
