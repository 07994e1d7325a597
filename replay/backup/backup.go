// Package backup writes a ledger into one encrypted file and makes a ledger of it again,
// elsewhere.
//
// A backup holds all that cannot be made again: the record with its openings and commands
// ([ledger.Ledger.Dump]), the campaigns' secrets and the files of their boards. Views and stream
// are left out. It is written while the ledger is in use, and stands for one moment of it.
//
// # File
//
// An age file (age-encryption.org/v1) for the recipients named, within it a tar archive:
//
//	watu-backup        "watu backup 1\n"
//	record/00000001…   the dump, in pieces
//	secrets/<ULID>     one file for each campaign (package replay)
//	boards/<SHA-256>   one file for each file of a board
//	imports/<ULID>     one file for each campaign that was imported
//	keys/ledger        the key that signs the ledger's checkpoints, if it has one
//	end                empty: nothing is missing before it
//
// age seals every piece and the end, so a file that was cut or changed does not open.
package backup

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"filippo.io/age"

	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/replay/keys"
)

const (
	nameVersion = "watu-backup"
	version     = "watu backup 1\n"
	nameRecord  = "record/"
	nameEnd     = "end"
	pieceSize   = 4 << 20
	mostFile    = 64 << 20 // bytes of a file beside the record
)

// folders are what a backup takes beside the record, by the name in the ledger's directory.
var folders = []string{"secrets", "boards", "imports", "keys"}

// ErrDamaged is wrapped for a file that is cut short, changed, or no backup.
var ErrDamaged = errors.New("the backup is damaged")

// ErrKey is wrapped when none of the keys given opens the backup.
var ErrKey = errors.New("the backup does not open with this key")

// Write writes a backup of the ledger, which lies in dir, for whoever holds a key of the
// recipients. The checkpoint says what is in it.
func Write(w io.Writer, l *ledger.Ledger, dir string, recipients ...age.Recipient) (ledger.Checkpoint, error) {
	sealed, err := age.Encrypt(w, recipients...)
	if err != nil {
		return ledger.Checkpoint{}, fmt.Errorf("encrypt the backup: %w", err)
	}
	archive := tar.NewWriter(sealed)
	if err := add(archive, nameVersion, []byte(version)); err != nil {
		return ledger.Checkpoint{}, err
	}
	pieces := &pieces{archive: archive}
	checkpoint, err := l.Dump(pieces)
	if err == nil {
		err = pieces.flush()
	}
	if err != nil {
		return checkpoint, err
	}
	// After the record: a campaign's secret is kept before its first event.
	for _, folder := range folders {
		if err := addFolder(archive, dir, folder); err != nil {
			return checkpoint, err
		}
	}
	if err := add(archive, nameEnd, nil); err != nil {
		return checkpoint, err
	}
	return checkpoint, errors.Join(archive.Close(), sealed.Close())
}

func add(archive *tar.Writer, name string, data []byte) error {
	err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(data)), Typeflag: tar.TypeReg})
	if err == nil {
		_, err = archive.Write(data)
	}
	return err
}

func addFolder(archive *tar.Writer, dir, folder string) error {
	list, err := os.ReadDir(filepath.Join(dir, folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range list {
		if f.IsDir() || strings.HasPrefix(f.Name(), kept.Unfinished) { // being written
			continue
		}
		data, err := kept.Read(filepath.Join(dir, folder, f.Name()), mostFile)
		if errors.Is(err, kept.ErrDamaged) { // whoever asked for the backup knows what of the ledger is damaged
			continue
		}
		if err != nil {
			return err
		}
		if err := add(archive, path.Join(folder, f.Name()), data); err != nil {
			return err
		}
	}
	return nil
}

// pieces writes a stream of unknown length into an archive, whose entries state theirs.
type pieces struct {
	archive *tar.Writer
	buffer  []byte
	number  int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.buffer = append(p.buffer, b...)
	for len(p.buffer) >= pieceSize {
		if err := p.piece(p.buffer[:pieceSize]); err != nil {
			return 0, err
		}
		p.buffer = append(p.buffer[:0], p.buffer[pieceSize:]...)
	}
	return len(b), nil
}

func (p *pieces) flush() error {
	if len(p.buffer) == 0 {
		return nil
	}
	return p.piece(p.buffer)
}

func (p *pieces) piece(b []byte) error {
	p.number++
	return add(p.archive, fmt.Sprintf("%s%08d", nameRecord, p.number), b)
}

// Restore makes a ledger of a backup in dir, which must be missing or empty. What it gives is
// proven: every event was decoded and chained up to the heads that the backup states. Each
// campaign goes on in a new epoch, since whoever kept the backup knows the dice of the old one.
// If it fails, dir is as it was.
func Restore(dir string, r io.Reader, keys ...age.Identity) (ledger.Checkpoint, error) {
	if list, err := os.ReadDir(dir); len(list) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ledger.Checkpoint{}, fmt.Errorf("%s is not empty: restore into a new directory", dir)
	}
	opened, err := age.Decrypt(r, keys...)
	if err != nil {
		return ledger.Checkpoint{}, opening(err)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return ledger.Checkpoint{}, err
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".restoring-")
	if err != nil {
		return ledger.Checkpoint{}, err
	}
	defer os.RemoveAll(work)
	checkpoint, err := unpack(work, opened)
	if err != nil {
		return ledger.Checkpoint{}, err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ledger.Checkpoint{}, err
	}
	if err := os.Rename(filepath.Join(work, nameLedger), dir); err != nil {
		return ledger.Checkpoint{}, err
	}
	return checkpoint, kept.Sync(filepath.Dir(dir))
}

// opening says what it means that a file does not begin to open.
func opening(err error) error {
	var none *age.NoIdentityMatchError
	if errors.As(err, &none) || errors.Is(err, age.ErrIncorrectIdentity) {
		return fmt.Errorf("%w: %w", ErrKey, err)
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

const nameLedger = "ledger"

// unpack makes the ledger in work/ledger.
func unpack(work string, sealed io.Reader) (checkpoint ledger.Checkpoint, err error) {
	a := &archive{tar: tar.NewReader(sealed), sealed: sealed}
	if err := a.next(); err != nil {
		return checkpoint, err
	}
	if text, err := io.ReadAll(io.LimitReader(a.tar, 1<<10)); err != nil || a.name != nameVersion ||
		string(text) != version {
		return checkpoint, errors.Join(fmt.Errorf("%w: it is no backup that this watu reads", ErrDamaged), err)
	}
	if err := a.next(); err != nil {
		return checkpoint, err
	}
	dir := filepath.Join(work, nameLedger)
	if checkpoint, err = ledger.Load(dir, &recordReader{archive: a}, ledger.Options{}); err != nil {
		return checkpoint, errors.Join(fmt.Errorf("%w: %w", ErrDamaged, err), a.err)
	}
	for ; err == nil && a.name != nameEnd; err = a.next() {
		if err := a.file(dir); err != nil {
			return checkpoint, err
		}
	}
	if err == nil {
		err = a.end()
	}
	if err != nil {
		return checkpoint, err
	}
	return checkpoint, errors.Join(renew(dir), syncFolders(dir), kept.Sync(dir))
}

// renew has each campaign go on in a new epoch. A secret that the backup lacks, or holds damaged, stays
// as it is.
func renew(dir string) error {
	l, err := ledger.Open(dir, ledger.Options{Holder: "watu restore"})
	if err != nil {
		return err
	}
	u := replay.NewUmpire(l, keys.NewKeys(filepath.Join(dir, "secrets")),
		replay.NewBoards(filepath.Join(dir, "boards")))
	for _, c := range l.Campaigns() {
		err = errors.Join(err, u.RotateSecret(c.ID))
	}
	return errors.Join(err, l.Close())
}

// archive is a backup being read: the entry that is on, and what went wrong.
type archive struct {
	tar    *tar.Reader
	sealed io.Reader
	name   string
	err    error
}

func (a *archive) next() error {
	h, err := a.tar.Next()
	if err != nil {
		a.err = fmt.Errorf("%w: it ends before its end: %w", ErrDamaged, err)
		return a.err
	}
	a.name = h.Name
	return nil
}

// end holds the file to its seal: nothing may come behind the end.
func (a *archive) end() error {
	if _, err := a.tar.Next(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: something stands behind its end: %w", ErrDamaged, err)
	}
	if _, err := io.Copy(io.Discard, a.sealed); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}

// file writes an entry into the folder that it belongs to.
func (a *archive) file(dir string) error {
	folder, name := path.Split(a.name)
	folder = strings.TrimSuffix(folder, "/")
	if name == "" || !filepath.IsLocal(name) || !slices.Contains(folders, folder) {
		return fmt.Errorf("%w: it holds %q, which no ledger has", ErrDamaged, a.name)
	}
	if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, folder, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, a.tar); err != nil {
		return errors.Join(fmt.Errorf("%w: %w", ErrDamaged, err), f.Close())
	}
	return errors.Join(f.Sync(), f.Close())
}

// recordReader reads the pieces of the record as one stream.
type recordReader struct{ archive *archive }

func (r *recordReader) Read(b []byte) (int, error) {
	for strings.HasPrefix(r.archive.name, nameRecord) {
		n, err := r.archive.tar.Read(b)
		if n > 0 || err != nil && !errors.Is(err, io.EOF) {
			return n, err
		}
		if err := r.archive.next(); err != nil {
			return 0, err
		}
	}
	return 0, io.EOF
}

func syncFolders(dir string) error {
	var errs []error
	for _, folder := range folders {
		if err := kept.Sync(filepath.Join(dir, folder)); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
