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

// Keep writes a campaign's secret durably. It never replaces one.
func (v *Vault) Keep(campaign ulid.ULID, secret events.Hash) error {
	if err := os.MkdirAll(v.dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(v.path(campaign), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		old, readErr := v.Secret(campaign)
		if readErr == nil && old == secret {
			return nil // an opening that was cut short comes again
		}
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(secret.String() + "\n")
	return errors.Join(err, f.Sync(), f.Close())
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
