package keys

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/rules/chance"
)

// Keys stores the campaigns' secrets: one file each, readable by its owner alone, sealed (package kept) under
// [titleSecrets] and the campaign's ULID, its body in the form of [Secrets.String]. Earlier versions wrote the body
// alone. Whoever has a campaign's secrets knows its dice and draws to come.
type Keys struct {
	dir  string
	grew sync.Map // digests of the epochs that were found to grow from their secret: see grows
}

// titleSecrets begins the first line of a file of secrets.
const titleSecrets = "watu secrets 2 "

// mostSecrets is how long a file of secrets may be: a line for each epoch, of many thousands.
const mostSecrets = 1 << 20

// NewKeys keeps secrets in dir, which need not exist yet.
func NewKeys(dir string) *Keys { return &Keys{dir: dir} }

// ErrNoSecret is wrapped when a campaign's secret is not there, or is damaged, or is not the one that
// the record was begun with: the campaign can be read and verified, but not played on.
var ErrNoSecret = errors.New("the campaign's secret is not here")

// Secrets reads a campaign's secrets. Whether the record grew from them, [Keys.Verify] says.
func (v *Keys) Secrets(campaign ulid.ULID) (Secrets, error) {
	text, err := kept.Read(v.path(campaign), mostSecrets)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Secrets{}, fmt.Errorf("%w: %s is missing", ErrNoSecret, v.path(campaign))
	case errors.Is(err, kept.ErrDamaged):
		return Secrets{}, fmt.Errorf("%w: %s: %w", ErrNoSecret, v.path(campaign), err)
	case err != nil:
		return Secrets{}, err
	}
	body, sealed, err := kept.Unseal(titleSecrets+campaign.String(), text)
	var s Secrets
	if err == nil {
		s, err = parseSecrets(string(body))
	}
	if err != nil {
		return Secrets{}, fmt.Errorf("%w: %s: %w", ErrNoSecret, v.path(campaign), err)
	}
	s.unsealed = !sealed
	return s, nil
}

// Keep writes the secret of a new campaign durably, as a whole or not at all. It never replaces
// one.
func (v *Keys) Keep(campaign ulid.ULID, s Secrets) error {
	if err := os.MkdirAll(v.dir, 0o700); err != nil {
		return err
	}
	err := kept.Create(v.path(campaign), sealed(campaign, s)) // fails if there is one already
	if errors.Is(err, fs.ErrExist) {
		if old, readErr := v.Secrets(campaign); readErr == nil && old.String() == s.String() {
			return nil // an opening that was cut short comes again
		}
	}
	if err != nil {
		return err
	}
	// Its name must last too: without its secret the campaign cannot be played on.
	return kept.Sync(filepath.Dir(v.dir))
}

// Replace writes a campaign's secrets anew, atomically.
func (v *Keys) Replace(campaign ulid.ULID, s Secrets) error {
	return kept.Replace(v.path(campaign), sealed(campaign, s))
}

// Rotate adds a fresh secret for the epoch to come.
func (v *Keys) Rotate(campaign ulid.ULID, s Secrets) (err error) {
	if s.next, err = Fresh(); err != nil {
		return err
	}
	return v.Replace(campaign, s)
}

// ReplaceLost gives up what is damaged or lost of a campaign's secrets: what it gives has a fresh one for the epoch to
// come, and a fresh first one if that was lost.
func (v *Keys) ReplaceLost(campaign ulid.ULID) (Secrets, error) {
	s, err := v.Secrets(campaign)
	if errors.Is(err, ErrNoSecret) {
		var first events.Hash
		first, err = Fresh()
		s = NewSecrets(first)
	}
	if err == nil {
		err = os.MkdirAll(v.dir, 0o700)
	}
	if err == nil {
		s.next, err = Fresh()
	}
	if err == nil {
		err = v.Replace(campaign, s)
	}
	return s, err
}

// sealed is the text of a campaign's file.
func sealed(campaign ulid.ULID, s Secrets) []byte {
	return kept.Seal(titleSecrets+campaign.String(), []byte(s.String()))
}

func (v *Keys) path(campaign ulid.ULID) string {
	return filepath.Join(v.dir, campaign.String())
}

// Secrets are what a campaign's chains, salts and command digests grow from: one of 32 bytes
// from its opening on, and a fresh one from each epoch on that began because an older copy
// could be about.
type Secrets struct {
	list []span
	next events.Hash // of the epoch to come; zero for none

	elsewhere []uint64 // epochs that another host began with a secret of its own, or whose secret was given up
	unsealed  bool     // as earlier versions wrote them: without a sum, and without those epochs
}

// span is a secret and the epoch from which it serves.
type span struct {
	from   uint64
	secret events.Hash
}

// NewSecrets gives the secrets of a campaign that opens.
func NewSecrets(first events.Hash) Secrets { return Secrets{list: []span{{1, first}}} }

// parseSecrets reads what [Secrets.String] wrote.
func parseSecrets(text string) (Secrets, error) {
	var s Secrets
	malformed := fmt.Errorf("%w: the file holds lines of an epoch, or next, and 64 hexadecimal digits", ErrNoSecret)
	for line := range strings.Lines(text) {
		from, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || !s.read(from, rest) {
			return Secrets{}, malformed
		}
	}
	if len(s.list) == 0 {
		return Secrets{}, malformed
	}
	return s, nil
}

// read takes one line, and reports whether it may stand there.
func (s *Secrets) read(from, rest string) bool {
	if from == "elsewhere" {
		epoch, err := strconv.ParseUint(rest, 10, 64)
		s.elsewhere = append(s.elsewhere, epoch)
		return err == nil && len(s.list) > 0
	}
	var h events.Hash
	if h.UnmarshalText([]byte(rest)) != nil || h.IsZero() || !s.next.IsZero() || len(s.elsewhere) > 0 {
		return false
	}
	if from == "next" {
		s.next = h
		return true
	}
	epoch, err := strconv.ParseUint(from, 10, 64)
	if err != nil || len(s.list) == 0 && epoch != 1 || len(s.list) > 0 && epoch <= s.list[len(s.list)-1].from {
		return false
	}
	s.list = append(s.list, span{epoch, h})
	return true
}

// String gives a line for each secret, rising: the epoch from which it serves, or "next" for
// the one to come, a space and 64 hexadecimal digits. Then a line "elsewhere 3" for each epoch whose
// secret is not here, since another host began it or it was given up.
func (s Secrets) String() string {
	var b strings.Builder
	for _, x := range s.list {
		fmt.Fprintf(&b, "%d %s\n", x.from, x.secret)
	}
	if !s.next.IsZero() {
		fmt.Fprintf(&b, "next %s\n", s.next)
	}
	for _, epoch := range s.elsewhere {
		fmt.Fprintf(&b, "elsewhere %d\n", epoch)
	}
	return b.String()
}

// IsZero reports whether there are none.
func (s Secrets) IsZero() bool { return len(s.list) == 0 }

// First is the secret by which commands are known again: it lasts for the campaign's life.
func (s Secrets) First() events.Hash { return s.list[0].secret }

// ForEpoch is the secret of an epoch's chains and salts.
func (s Secrets) ForEpoch(epoch uint64) events.Hash {
	secret := s.First()
	for _, x := range s.list {
		if x.from <= epoch {
			secret = x.secret
		}
	}
	return secret
}

// Chain grows a chain of an epoch.
func (s Secrets) Chain(campaign ulid.ULID, epoch uint64, name string, length uint64) *chance.Chain {
	return chance.NewChain(chance.ChainSeed(s.ForEpoch(epoch), campaign, epoch, name), length)
}

// RotationDue reports whether a fresh secret waits for the epoch after this one.
func (s Secrets) RotationDue(epoch uint64) bool {
	return !s.next.IsZero() || s.list[len(s.list)-1].from > epoch
}

// Begun gives the secrets with the one to come serving from an epoch on.
func (s Secrets) Begun(epoch uint64) Secrets {
	if s.next.IsZero() {
		return s
	}
	var list []span
	for _, x := range s.list {
		if x.from < epoch { // one that was to serve this epoch never did: the record is older than the file
			list = append(list, x)
		}
	}
	return Secrets{list: append(list, span{epoch, s.next}), elsewhere: s.elsewhere}
}

// CheckHeld says that the secret of an epoch is another host's, or was given up, by an [ErrNoSecret].
func (s Secrets) CheckHeld(epoch uint64) error {
	if slices.Contains(s.elsewhere, epoch) {
		return fmt.Errorf("%w: epoch %d was begun on another host, or its secret was given up", ErrNoSecret, epoch)
	}
	return nil
}

// Fresh is 32 bytes from the machine's source of randomness.
func Fresh() (events.Hash, error) {
	var h events.Hash
	_, err := rand.Read(h[:])
	return h, err
}

// Seeded derives a value from a published seed: the secret and the ULID of a demonstration
// campaign, so that every run of it gives the same dice.
func Seeded(seed, label, name string) events.Hash {
	d := hmac.New(sha256.New, []byte(seed))
	fmt.Fprintf(d, "watu/seed/v1/%s/%s", label, name)
	var h events.Hash
	d.Sum(h[:0])
	return h
}
