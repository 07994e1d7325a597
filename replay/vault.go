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

// Vault keeps the campaigns' secrets: one file each, readable by its owner alone, 64
// hexadecimal digits. Whoever has a campaign's secret knows its dice and draws to come.
type Vault struct{ dir string }

// NewVault keeps secrets in dir, which need not exist yet.
func NewVault(dir string) *Vault { return &Vault{dir: dir} }

// ErrNoSecret is wrapped when a campaign's secret is not there: it can be read and verified,
// but not played on.
var ErrNoSecret = errors.New("the campaign's secret is not here")

// Secret reads a campaign's secret.
func (v *Vault) Secret(campaign ulid.ULID) (events.Hash, error) {
	var h events.Hash
	text, err := os.ReadFile(v.path(campaign))
	if errors.Is(err, fs.ErrNotExist) {
		return h, fmt.Errorf("%w: %s is missing", ErrNoSecret, v.path(campaign))
	}
	if err != nil {
		return h, err
	}
	if err := h.UnmarshalText([]byte(strings.TrimSpace(string(text)))); err != nil || h.IsZero() {
		return h, fmt.Errorf("%w: %s does not hold 64 hexadecimal digits", ErrNoSecret, v.path(campaign))
	}
	return h, nil
}

// Keep writes a campaign's secret durably, as a whole or not at all. It never replaces one.
func (v *Vault) Keep(campaign ulid.ULID, secret events.Hash) error {
	if err := os.MkdirAll(v.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(v.dir, "new-") // of mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(secret.String() + "\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	err = os.Link(f.Name(), v.path(campaign)) // fails if there is one already
	if errors.Is(err, fs.ErrExist) {
		if old, readErr := v.Secret(campaign); readErr == nil && old == secret {
			return nil // an opening that was cut short comes again
		}
	}
	if err != nil {
		return err
	}
	// Its name must last too: without its secret the campaign cannot be played on.
	return errors.Join(syncDirectory(v.dir), syncDirectory(filepath.Dir(v.dir)))
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
