// Package tokens keeps what an umpire gives out so that others may see more than the public does: who
// holds a token looks at one campaign as the umpire, as a commentator or as a side, until it expires or
// is revoked.
//
// A token is watu_ID_SECRET: five random bytes that name it, and thirty-two that nobody can guess, both
// in small base32 letters. It is shown once. The file keeps its SHA-256 alone, which serves nobody who
// reads it; a slow hash is for passwords that people think of, and nobody thought of these.
//
// The file is for its owner alone, sealed (package replay/kept) and replaced as a whole:
//
//	watu tokens 2
//	{"tokens":[{"id":"k3m7qx2a","hash":"…64 hex digits…","campaign":"01J…","as":"Britain",
//	  "note":"for Anna","issued":"2026-11-22T10:00:00Z","expires":"2026-12-22T10:00:00Z"}]}
//	sha256 …
//
// Version 1 was the JSON alone, with "version":1 in it. It is read, and written anew as version 2.
//
// The file has a witness (the record), who knows what was written last: an older copy of it, in which a token
// may not be revoked yet, does not count, nor does that of another ledger.
//
// Who holds the ledger's lock is the only one who writes it, and holds it in memory: a token that is
// revoked opens nothing from then on. Who a viewer is, is package service's business.
package tokens

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/watu-ledger/watu/replay/kept"
)

// title is the first line of the file.
const title = "watu tokens 2"

// most is how long the file may be: some fifty thousand tokens.
const most = 16 << 20

// Token is what is known of a token that was given out.
type Token struct {
	ID       string     `json:"id"`
	Hash     string     `json:"hash"`     // SHA-256 of the whole token, in hex
	Campaign string     `json:"campaign"` // ULID
	As       string     `json:"as"`       // a viewer, as package service names it
	Late     uint64     `json:"late,omitempty"`
	Note     string     `json:"note,omitempty"`
	Issued   time.Time  `json:"issued"`
	Expires  time.Time  `json:"expires"`
	Revoked  *time.Time `json:"revoked,omitempty"`
}

// Valid reports whether the token opens anything at that time.
func (t Token) Valid(now time.Time) bool { return t.Revoked == nil && now.Before(t.Expires) }

// ErrDamaged is wrapped for a file that does not read: then no token opens anything.
var ErrDamaged = errors.New("the file of tokens is damaged, so that no token opens anything")

// ErrUnknown is wrapped where no token has the id.
var ErrUnknown = errors.New("no such token")

// ErrRevoked is wrapped where a token was revoked before: of two who revoke it one alone ended it.
var ErrRevoked = errors.New("the token was revoked before")

// Book is the tokens of one ledger. It is safe for concurrent use.
type Book struct {
	path    string
	witness kept.Witness

	mu      sync.Mutex
	list    []Token
	older   bool          // the file is of version 1
	err     error         // why the file does not read
	changed chan struct{} // closed when the list is another
}

// Open reads the file. One that is missing holds no token. One that does not read keeps nobody from his
// ledger: nothing that it says counts, and whoever asks learns of it.
func Open(path string, w kept.Witness) *Book {
	b := &Book{path: path, witness: w, changed: make(chan struct{})}
	b.list, b.older, b.err = read(path, w)
	if errors.Is(b.err, errMissing) {
		b.err = nil // new ones may be given out
	}
	return b
}

// Check says what is wrong with the file as it is now, an [ErrDamaged]; nil where there never was one.
func Check(path string, w kept.Witness) error {
	_, _, err := read(path, w)
	return err
}

var errMissing = fmt.Errorf("%w: it is missing", ErrDamaged)

// read gives the tokens in the file, none where one of them does not read, and whether it is of version 1.
func read(path string, w kept.Witness) (list []Token, older bool, err error) {
	text, err := kept.ReadWitnessed(w, path, most)
	if errors.Is(err, kept.ErrMissing) {
		return nil, false, fmt.Errorf("%w: %s; give out new ones with watu token new", errMissing, path)
	}
	if text == nil && err == nil {
		return nil, false, nil
	}
	var body []byte
	var sealed bool
	if err == nil {
		body, sealed, err = kept.Unseal(title, text)
	}
	if err == nil {
		list, err = parse(body, sealed)
	}
	if err != nil {
		err = fmt.Errorf("%w: %w; move %s away, and give out new ones with watu token new", ErrDamaged, err, path)
		return nil, false, err
	}
	return list, !sealed, nil
}

// parse reads the JSON of the file. What it does not know it refuses: a damaged name of a field would
// else be the lack of that field, and a token that was revoked one that was not.
func parse(text []byte, sealed bool) ([]Token, error) {
	var file struct {
		Version int     `json:"version"`
		Tokens  []Token `json:"tokens"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something stands behind its end")
	}
	if want := map[bool]int{false: 1, true: 0}[sealed]; file.Version != want {
		return nil, fmt.Errorf("it is of version %d, which this watu does not read", file.Version)
	}
	return file.Tokens, nil
}

// Upgrade writes a file of version 1 anew.
func (b *Book) Upgrade() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.older || b.err != nil {
		return nil
	}
	return b.replace(b.list)
}

// letters are those of ids and secrets.
var letters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// prefix begins every token, so that one that went astray is known for what it is.
const prefix = "watu_"

// Issue keeps a new token that looks as t says, and gives it with what it is called. The text is
// nowhere else.
func (b *Book) Issue(t Token) (Token, string, error) {
	var random [5 + 32]byte
	_, _ = rand.Read(random[:]) // never fails
	t.ID = letters.EncodeToString(random[:5])
	text := prefix + t.ID + "_" + letters.EncodeToString(random[5:])
	t.Hash, t.Revoked = hashOf(text), nil
	b.mu.Lock()
	defer b.mu.Unlock()
	if slices.ContainsFunc(b.list, func(o Token) bool { return o.ID == t.ID }) {
		return t, "", fmt.Errorf("there is a token %s already; try again", t.ID)
	}
	return t, text, b.replace(append(slices.Clone(b.list), t))
}

// Revoke ends a token at that time. One that was revoked stays as it is, with an [ErrRevoked].
func (b *Book) Revoke(id string, now time.Time) (Token, error) { return b.End(id, now, "") }

// End is [Book.Revoke] with a note of why, which takes the place of the token's own.
func (b *Book) End(id string, now time.Time, note string) (Token, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := slices.Clone(b.list)
	i := slices.IndexFunc(list, func(t Token) bool { return t.ID == id })
	switch {
	case b.err != nil:
		return Token{}, b.err
	case i < 0:
		return Token{}, fmt.Errorf("%w: %q", ErrUnknown, id)
	case list[i].Revoked != nil:
		return list[i], fmt.Errorf("%w, on %s", ErrRevoked, list[i].Revoked.Format(time.DateOnly))
	}
	list[i].Revoked, list[i].Note = &now, cmp.Or(note, list[i].Note)
	return list[i], b.replace(list)
}

// Changed gives a channel that closes when a token is given out or revoked.
func (b *Book) Changed() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.changed
}

// All lists the tokens in the order in which they were given out.
func (b *Book) All() ([]Token, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.list), b.err
}

// Find gives the token whose text this is, whether or not it still holds.
func (b *Book) Find(text string) (Token, bool) {
	id, _, ok := strings.Cut(strings.TrimPrefix(text, prefix), "_")
	if !ok || !strings.HasPrefix(text, prefix) {
		return Token{}, false
	}
	hash := []byte(hashOf(text))
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return Token{}, false
	}
	for _, t := range b.list {
		if t.ID == id && subtle.ConstantTimeCompare([]byte(t.Hash), hash) == 1 {
			return t, true
		}
	}
	return Token{}, false
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// replace writes the file anew, durably, and holds what it says. What could not be written is not held.
func (b *Book) replace(list []Token) error {
	if b.err != nil {
		return b.err
	}
	text, err := json.MarshalIndent(map[string]any{"tokens": list}, "", "  ")
	if err != nil {
		return err
	}
	if err := kept.ReplaceWitnessed(b.witness, b.path, kept.Seal(title, text), most); err != nil {
		if errors.Is(err, kept.ErrDamaged) {
			err = fmt.Errorf("%w: %s: %w; the old tokens still hold as they did", ErrDamaged, b.path, err)
		}
		return err
	}
	b.list, b.older = list, false
	close(b.changed)
	b.changed = make(chan struct{})
	return nil
}
