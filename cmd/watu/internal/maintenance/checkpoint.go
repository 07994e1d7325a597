package maintenance

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay/kept"
)

// Checkpoint states which events a campaign has, in one hash, and is signed by the ledger's key where that is here
// (package events/tree).
type Checkpoint struct {
	Version     int         `json:"version"`
	Campaign    string      `json:"campaign"`
	ID          string      `json:"id"`
	Events      uint64      `json:"events"` // the first so many
	Root        events.Hash `json:"root"`   // of their Merkle tree (RFC 6962)
	Note        string      `json:"note"`   // signed, unless Unsigned says why not
	Key         string      `json:"key,omitempty"`
	Fingerprint string      `json:"fingerprint,omitempty"` // of the key, for people to compare
	Unsigned    string      `json:"unsigned,omitempty"`

	Seats    []SeatCosignature `json:"seats,omitempty"`    // whose cosignatures the note has
	Cosigned uint64            `json:"cosigned,omitempty"` // events of the largest checkpoint that seats cosigned
}

// Extension proves that a campaign's first To events begin with its first From.
type Extension struct {
	Version int           `json:"version"`
	From    uint64        `json:"from"`
	To      uint64        `json:"to"`
	Proof   []events.Hash `json:"proof"` // RFC 6962, section 2.1.2
}

// Inclusion proves that the tree of a campaign's first Events holds the event at Index.
type Inclusion struct {
	Version int           `json:"version"`
	Index   uint64        `json:"index"`
	Events  uint64        `json:"events"`
	Proof   []events.Hash `json:"proof"` // RFC 6962, section 2.1.1
}

// trees are the trees of the campaigns for which somebody asked, as far as they have grown, and the key that signs.
type trees struct {
	mu   sync.Mutex
	list map[ulid.ULID]*tree.Tree

	key  *tree.Key   // as it was read last; nil for none
	file os.FileInfo // that it was read from
}

// signer gives the key that signs, and reads it anew when its file is another. It is nil where there never was one.
func (h *Host) signer() (*tree.Key, error) {
	now, err := os.Stat(filepath.Join(h.dir, filepath.FromSlash(nameKey)))
	if err != nil {
		return h.readKey() // which says what is wrong
	}
	h.trees.mu.Lock()
	defer h.trees.mu.Unlock()
	if was := h.trees.file; h.trees.key != nil && os.SameFile(was, now) && was.ModTime().Equal(now.ModTime()) &&
		was.Size() == now.Size() && was.Mode() == now.Mode() {
		return h.trees.key, nil
	}
	h.trees.key, err = h.readKey()
	h.trees.file = now
	return h.trees.key, err
}

// grown calls f with the tree of a campaign, which has at least n events.
func (h *Host) grown(c ledger.Campaign, n uint64, f func(*tree.Tree) error) error {
	if n > c.Events {
		return problem.New(problem.Input, "campaign %s has %d events, not %d", c.Name, c.Events, n)
	}
	h.trees.mu.Lock()
	defer h.trees.mu.Unlock()
	if h.trees.list == nil {
		h.trees.list = map[ulid.ULID]*tree.Tree{}
	}
	t := h.trees.list[c.ID]
	if t == nil {
		t = &tree.Tree{}
		h.trees.list[c.ID] = t
	}
	for r, err := range h.ledger.Walk(c.ID, t.Events(), max(n, t.Events())) {
		if err != nil {
			return err
		}
		t.Add(r.Hash())
	}
	return f(t)
}

// root is the root of the tree of the campaign's first n events.
func (h *Host) root(c ledger.Campaign, n uint64) (root events.Hash, err error) {
	err = h.grown(c, n, func(t *tree.Tree) (err error) {
		root, err = t.Root(n)
		return err
	})
	return root, err
}

// Checkpoint states the tree of the campaign's first n events. It signs them once the stream has confirmed them: until
// then another host may go on without them, and the signature would look like a fork.
func (h *Host) Checkpoint(ctx context.Context, c ledger.Campaign, n uint64) (Checkpoint, error) {
	root, err := h.root(c, n)
	stated := tree.Checkpoint{Campaign: c.ID, Events: n, Root: root}
	out := Checkpoint{Version: Version, Campaign: c.Name, ID: c.ID.String(), Events: n, Root: stated.Root}
	if err != nil {
		return out, err
	}
	if o, imported, err := h.Imported(c.ID); imported || err != nil {
		err = o.signs(&out, stated)
		return out, err
	}
	key, err := h.signer()
	if err == nil && key == nil {
		err = fmt.Errorf("%w: it is not here", errKey)
	}
	if err == nil {
		err = h.confirmed(ctx, c, n)
	}
	if err != nil {
		out.Note, out.Unsigned = stated.Text(), err.Error()
		return out, nil
	}
	out.Note, err = stated.Sign(key)
	out.Key, out.Fingerprint = key.Verifier().String(), key.Verifier().Fingerprint()
	h.cosignedBySeats(c, &out)
	return out, err
}

// confirmed fails where the campaign's first n events are not known to stand.
func (h *Host) confirmed(ctx context.Context, c ledger.Campaign, n uint64) error {
	for r, err := range h.ledger.Walk(c.ID, n-min(n, 1), n) {
		if err != nil {
			return err
		}
		if r.Sequence > h.Confirmed(ctx, r.Sequence) {
			return fmt.Errorf("event #%d is not confirmed by the stream", r.Index)
		}
	}
	return nil
}

// signs gives the host's own note of a campaign that was imported, where it is of as many events.
func (o Origin) signs(out *Checkpoint, stated tree.Checkpoint) error {
	if o.Signed == nil || stated.Events != o.Events {
		out.Note, out.Unsigned = stated.Text(), "another host plays the campaign, and signs for it"
		return nil
	}
	by, err := tree.ParseVerifier(o.Signed.Key)
	out.Note, out.Key, out.Fingerprint = o.Signed.Note, o.Signed.Key, by.Fingerprint()
	return err
}

// Extends proves that the campaign's first n events begin with its first m.
func (h *Host) Extends(c ledger.Campaign, m, n uint64) (Extension, error) {
	proof, err := h.proven(c, n, func(t *tree.Tree) ([]events.Hash, error) { return t.Extension(m, n) })
	return Extension{Version, m, n, proof}, err
}

// Includes proves that the campaign's first n events hold the one at index.
func (h *Host) Includes(c ledger.Campaign, index, n uint64) (Inclusion, error) {
	proof, err := h.proven(c, n, func(t *tree.Tree) ([]events.Hash, error) { return t.Inclusion(n, index) })
	return Inclusion{Version, index, n, proof}, err
}

// proven gives a proof about the tree of a campaign's first n events. What cannot be proven was asked for wrongly.
func (h *Host) proven(c ledger.Campaign, n uint64, prove func(*tree.Tree) ([]events.Hash, error)) (
	proof []events.Hash, err error,
) {
	err = h.grown(c, n, func(t *tree.Tree) (err error) {
		if proof, err = prove(t); err != nil {
			err = problem.New(problem.Input, "%v", err)
		}
		return err
	})
	return proof, err
}

const (
	nameKey  = "keys/ledger"
	titleKey = "watu key 1 "
	mostKey  = 4 << 10
)

// errKey is wrapped where the ledger's key cannot be used, or does not read.
var errKey = errors.New("the ledger's key cannot be used")

// makeKey makes the key of a ledger that has none.
func (h *Host) makeKey() error {
	key, err := h.readKey()
	if key != nil || err != nil || h.ledger.ReadOnly() != nil {
		return nil // what is wrong with it, besideRecord says
	}
	if key, err = tree.NewKey(rand.Reader, h.ledger.ID()); err != nil {
		return err
	}
	path := filepath.Join(h.dir, filepath.FromSlash(nameKey))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text := kept.Seal(titleKey+h.ledger.ID().String(), []byte(key.Secret()))
	err = kept.ReplaceWitnessed(h.ledger.Companion(nameKey), path, text, mostKey)
	return errors.Join(err, kept.Sync(h.dir))
}

// readKey reads the key, nil where there never was one.
func (h *Host) readKey() (*tree.Key, error) {
	path := filepath.Join(h.dir, filepath.FromSlash(nameKey))
	text, err := kept.ReadWitnessed(h.ledger.Companion(nameKey), path, mostKey)
	if text == nil && err == nil {
		return nil, nil
	}
	if info, failed := os.Stat(path); failed == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("%w: others may read or write %s: chmod 600 %[2]s", errKey, path)
	}
	var body []byte
	sealed := false
	if err == nil {
		body, sealed, err = kept.Unseal(titleKey+h.ledger.ID().String(), text)
	}
	if err == nil && !sealed {
		err = fmt.Errorf("%w: it is no key of this ledger", kept.ErrDamaged)
	}
	var key *tree.Key
	if err == nil {
		key, err = tree.ParseKey(string(body[:max(len(body)-1, 0)]))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w; an older backup may hold it", errKey, path, err)
	}
	return key, nil
}
