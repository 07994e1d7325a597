package replay

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Vault keeps the campaigns' secrets: one file each, readable by its owner alone, in the form
// of [Secrets.String]. Whoever has a campaign's secrets knows its dice and draws to come.
type Vault struct{ dir string }

// NewVault keeps secrets in dir, which need not exist yet.
func NewVault(dir string) *Vault { return &Vault{dir: dir} }

// ErrNoSecret is wrapped when a campaign's secret is not there: it can be read and verified,
// but not played on.
var ErrNoSecret = errors.New("the campaign's secret is not here")

// Secrets reads a campaign's secrets.
func (v *Vault) Secrets(campaign ulid.ULID) (Secrets, error) {
	text, err := os.ReadFile(v.path(campaign))
	if errors.Is(err, fs.ErrNotExist) {
		return Secrets{}, fmt.Errorf("%w: %s is missing", ErrNoSecret, v.path(campaign))
	}
	if err != nil {
		return Secrets{}, err
	}
	s, err := ParseSecrets(string(text))
	if err != nil {
		return s, fmt.Errorf("%s: %w", v.path(campaign), err)
	}
	return s, nil
}

// Keep writes the secret of a new campaign durably, as a whole or not at all. It never replaces
// one.
func (v *Vault) Keep(campaign ulid.ULID, s Secrets) error {
	name, err := v.written(s)
	if err != nil {
		return err
	}
	defer os.Remove(name)
	err = os.Link(name, v.path(campaign)) // fails if there is one already
	if errors.Is(err, fs.ErrExist) {
		if old, readErr := v.Secrets(campaign); readErr == nil && old.String() == s.String() {
			return nil // an opening that was cut short comes again
		}
	}
	if err != nil {
		return err
	}
	// Its name must last too: without its secret the campaign cannot be played on.
	return errors.Join(syncDirectory(v.dir), syncDirectory(filepath.Dir(v.dir)))
}

// Renew makes a fresh secret for the epoch to come, so that a copy of the vault made before
// does not know its dice. The epoch begins with the next command.
func (v *Vault) Renew(campaign ulid.ULID) error {
	s, err := v.Secrets(campaign)
	if err != nil {
		return err
	}
	if s.next, err = freshSecret(); err != nil {
		return err
	}
	return v.replace(campaign, s)
}

// replace writes a campaign's secrets anew, atomically.
func (v *Vault) replace(campaign ulid.ULID, s Secrets) error {
	name, err := v.written(s)
	if err != nil {
		return err
	}
	return errors.Join(os.Rename(name, v.path(campaign)), syncDirectory(v.dir))
}

// written gives the name of a new file that holds s durably.
func (v *Vault) written(s Secrets) (string, error) {
	if err := os.MkdirAll(v.dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(v.dir, "new-") // of mode 0600
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(s.String())
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

func syncDirectory(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func (v *Vault) path(campaign ulid.ULID) string {
	return filepath.Join(v.dir, campaign.String())
}

// Secrets are what a campaign's chains, salts and command digests grow from: one of 32 bytes
// from its opening on, and a fresh one from each epoch on that began because an older copy
// could be about.
type Secrets struct {
	list []span
	next events.Hash // of the epoch to come; zero for none
}

// span is a secret and the epoch from which it serves.
type span struct {
	from   uint64
	secret events.Hash
}

// NewSecrets gives the secrets of a campaign that opens.
func NewSecrets(first events.Hash) Secrets { return Secrets{list: []span{{1, first}}} }

// ParseSecrets reads what [Secrets.String] wrote.
func ParseSecrets(text string) (Secrets, error) {
	var s Secrets
	malformed := fmt.Errorf("%w: the file holds lines of an epoch, or next, and 64 hexadecimal digits", ErrNoSecret)
	for line := range strings.Lines(text) {
		from, digits, ok := strings.Cut(strings.TrimSpace(line), " ")
		var h events.Hash
		if !ok || h.UnmarshalText([]byte(digits)) != nil || h.IsZero() || !s.next.IsZero() {
			return Secrets{}, malformed
		}
		if from == "next" {
			s.next = h
			continue
		}
		var epoch uint64
		if _, err := fmt.Sscanf(from, "%d", &epoch); err != nil || len(s.list) == 0 && epoch != 1 ||
			len(s.list) > 0 && epoch <= s.list[len(s.list)-1].from {
			return Secrets{}, malformed
		}
		s.list = append(s.list, span{epoch, h})
	}
	if len(s.list) == 0 {
		return Secrets{}, malformed
	}
	return s, nil
}

// String gives a line for each secret, rising: the epoch from which it serves, or "next" for
// the one to come, a space and 64 hexadecimal digits.
func (s Secrets) String() string {
	var b strings.Builder
	for _, x := range s.list {
		fmt.Fprintf(&b, "%d %s\n", x.from, x.secret)
	}
	if !s.next.IsZero() {
		fmt.Fprintf(&b, "next %s\n", s.next)
	}
	return b.String()
}

// first is the secret by which commands are known again: it lasts for the campaign's life.
func (s Secrets) first() events.Hash { return s.list[0].secret }

// Of is the secret of an epoch's chains and salts.
func (s Secrets) Of(epoch uint64) events.Hash {
	secret := s.first()
	for _, x := range s.list {
		if x.from <= epoch {
			secret = x.secret
		}
	}
	return secret
}

// due reports whether a fresh secret waits for the epoch after this one.
func (s Secrets) due(epoch uint64) bool {
	return !s.next.IsZero() || s.list[len(s.list)-1].from > epoch
}

// begun gives the secrets with the one to come serving from an epoch on.
func (s Secrets) begun(epoch uint64) Secrets {
	if s.next.IsZero() {
		return s
	}
	var list []span
	for _, x := range s.list {
		if x.from < epoch { // one that was to serve this epoch never did: the record is older than the file
			list = append(list, x)
		}
	}
	return Secrets{list: append(list, span{epoch, s.next})}
}

// freshSecret is 32 bytes from the machine's source of randomness.
func freshSecret() (events.Hash, error) {
	var h events.Hash
	_, err := rand.Read(h[:])
	return h, err
}

// seeded derives a value from a published seed: the secret and the ULID of a demonstration
// campaign, so that every run of it gives the same dice.
func seeded(seed, label, name string) events.Hash {
	d := hmac.New(sha256.New, []byte(seed))
	fmt.Fprintf(d, "watu/seed/v1/%s/%s", label, name)
	var h events.Hash
	d.Sum(h[:0])
	return h
}
