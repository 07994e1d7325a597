// Package witness cosigns the checkpoints of other people's ledgers, over HTTP (C2SP tlog-witness). Of each campaign it
// keeps the largest checkpoint that it cosigned, and cosigns only what extends it. So a host cannot show two records of
// a campaign to two readers who ask for this witness's cosignature.
//
//	POST /add-checkpoint               the line of a cosignature
//	GET /SHA-256 OF ORIGIN/checkpoint  the largest checkpoint, signed and cosigned
//
// The request is the number of events that the witness has seen ("old 61"), the proof of extension, a hash a line in
// base64, an empty line, and the signed checkpoint (package events/tree). A status says how it went: 200; 400 not
// understood; 403 not signed by a ledger that the witness knows; 404 not the checkpoint of a campaign; 409 another
// number of events was seen, which is the answer; 422 it does not extend what was seen; 503 too many campaigns.
//
// A witness consists of a directory D:
//
//	D/key                          its key, sealed (package replay/kept)
//	D/heads/CAMPAIGN               the largest checkpoint, sealed; written before the answer is given
//	D/notes/CAMPAIGN               the first note of each number of events that it cosigned, each quoted on a line
//	D/fork-CAMPAIGN-EVENTS.txt     two notes that a ledger signed for the same number of events: it showed two records
//	D/unproven-CAMPAIGN-EVENTS.txt two notes of which the later was not shown to extend the earlier
//	D/lock                         locked while a witness is open
//
// Anybody can send a genuine checkpoint with a wrong proof: so what is unproven accuses nobody. An older copy of the
// directory, put back, cosigns what the witness has refused since.
package witness

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay/kept"
)

// Limits of a witness.
const (
	mostCampaigns = 10_000
	mostEvidence  = 16 // files of one kind and campaign
	mostFile      = 64 << 10
)

const (
	titleKey  = "watu witness key 1"
	titleHead = "watu witness head 1 "
)

// ErrUnsound is wrapped where the directory cannot be relied on: it is damaged, incomplete, or others may write it.
var ErrUnsound = errors.New("the witness's directory cannot be relied on")

// ErrName is wrapped for a name that no key can have.
var ErrName = errors.New("no key can have this name")

// ErrHeld is wrapped where another process holds the directory.
var ErrHeld = errors.New("another witness holds the directory")

// Options of [Open].
type Options struct {
	Name    string // of the key that is made where there is none
	Ledgers []tree.Verifier
	Now     func() time.Time // nil for time.Now
	Say     func(string)     // receives in a line what is worth reporting
}

// Witness is the directory of a witness, open. Its methods may be called by several goroutines.
type Witness struct {
	dir     string
	options Options
	key     *tree.WitnessKey
	lock    io.Closer

	mu    sync.Mutex // held from the comparison with a head until the new one is durable
	heads map[ulid.ULID]head
}

// head is the largest checkpoint of a campaign.
type head struct {
	tree.Checkpoint
	by     tree.Verifier // the zero one for a ledger that is not known now
	note   string        // signed and cosigned
	origin string        // the SHA-256 of the note's first line
}

// Open opens the directory of a witness, and makes it where there is none.
func Open(dir string, o Options) (w *Witness, err error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := os.MkdirAll(filepath.Join(dir, "heads"), 0o700); err != nil {
		return nil, err
	}
	for _, at := range []string{dir, filepath.Join(dir, "heads")} {
		if err := private(at, 0o022, "go-w"); err != nil {
			return nil, err
		}
	}
	w = &Witness{dir: dir, options: o, heads: map[ulid.ULID]head{}}
	w.lock, err = kept.Lock(filepath.Join(dir, "lock"), false)
	if errors.Is(err, kept.ErrHeld) {
		err = fmt.Errorf("%w: %s", ErrHeld, dir)
	}
	if err != nil {
		return nil, err
	}
	if err = w.readHeads(); err == nil {
		err = w.readKey()
	}
	if err != nil {
		return nil, errors.Join(err, w.lock.Close())
	}
	return w, kept.Sync(dir)
}

// private refuses what others may use in a way that they should not.
func private(path string, not fs.FileMode, mend string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().Perm()&not != 0 && runtime.GOOS != "windows" {
		err = fmt.Errorf("%w: others may read or write %s: chmod %s %[2]s", ErrUnsound, path, mend)
	}
	return err
}

// Verifier checks the witness's cosignatures.
func (w *Witness) Verifier() tree.WitnessVerifier { return w.key.Verifier() }

// Close lets another process have the directory. Nothing is under way any more.
func (w *Witness) Close() error { return w.lock.Close() }

// readKey reads the key, or makes one for a witness that has cosigned nothing.
func (w *Witness) readKey() error {
	path := filepath.Join(w.dir, "key")
	body, err := sealed(path, titleKey)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(w.heads) > 0:
		return fmt.Errorf("%w: %s is missing, and it has cosigned already: put the key back", ErrUnsound, path)
	case errors.Is(err, fs.ErrNotExist):
		if w.key, err = tree.NewWitnessKey(rand.Reader, w.options.Name); err != nil {
			return fmt.Errorf("%w: %q", ErrName, w.options.Name)
		}
		return kept.Create(path, kept.Seal(titleKey, []byte(w.key.Secret())))
	case err != nil:
		return err
	}
	if err := private(path, 0o077, "600"); err != nil {
		return err
	}
	if w.key, err = tree.ParseWitnessKey(body); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrUnsound, path, err)
	}
	return nil
}

// readHeads reads what was cosigned.
func (w *Witness) readHeads() error {
	dir := filepath.Join(w.dir, "heads")
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		id, err := ulid.ParseStrict(e.Name())
		if err != nil {
			continue // what a crash left
		}
		path := filepath.Join(dir, e.Name())
		text, err := sealed(path, titleHead+e.Name())
		if err != nil {
			return err
		}
		h := head{note: text}
		err = tree.ErrSignature
		for _, by := range append([]tree.Verifier{{}}, w.options.Ledgers...) {
			if errors.Is(err, tree.ErrSignature) {
				h.by = by
				h.Checkpoint, err = tree.Parse(text, by)
			}
		}
		if errors.Is(err, tree.ErrSignature) {
			h.by, err = tree.Verifier{}, nil
		}
		if err != nil || h.Campaign != id {
			return fmt.Errorf("%w: %s is no checkpoint of that campaign", ErrUnsound, path)
		}
		w.keep(h)
	}
	return nil
}

func (w *Witness) keep(h head) {
	origin, _, _ := strings.Cut(h.Text(), "\n")
	h.origin = fmt.Sprintf("%x", sha256.Sum256([]byte(origin)))
	w.heads[h.Campaign] = h
}

// sealed reads a sealed file. Only that it does not exist is not an [ErrUnsound].
func sealed(path, title string) (string, error) {
	text, err := kept.Read(path, mostFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	is := false
	if err == nil {
		text, is, err = kept.Unseal(title, text)
	}
	if err == nil && !is {
		err = fmt.Errorf("it does not begin with %q", title)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w", ErrUnsound, path, err)
	}
	if title == titleKey {
		text = text[:max(len(text)-1, 0)] // its line feed
	}
	return string(text), nil
}

// put keeps what was cosigned.
func (w *Witness) put(h head) error {
	id := h.Campaign.String()
	if h.Events != w.heads[h.Campaign].Events || w.heads[h.Campaign].note == "" {
		if err := w.noteDown(h); err != nil {
			return err
		}
	}
	err := kept.Replace(filepath.Join(w.dir, "heads", id), kept.Seal(titleHead+id, []byte(h.note)))
	if err == nil {
		w.keep(h)
	}
	return err
}

// evidence keeps two notes that do not fit, once, and says so.
func (w *Witness) evidence(kind string, h head, later tree.Cosigned) {
	what := fmt.Sprintf("campaign %s: a checkpoint of %d events is refused", h.Campaign, later.Events)
	files, err := filepath.Glob(filepath.Join(w.dir, kind+"-"+h.Campaign.String()+"-*.txt"))
	if err != nil || len(files) >= mostEvidence {
		w.say(what)
		return
	}
	name, err := WriteNotes(w.dir, kind, h.Campaign.String(), later.Events, h.note, later.Note)
	switch {
	case errors.Is(err, fs.ErrExist):
	case err != nil:
		w.say(what + fmt.Sprintf("; the notes could not be written: %v", err))
	case kind == Fork:
		w.say(what + ": its ledger signed two records, which both notes prove, in " + name)
	default:
		w.say(what + ": it was not shown to extend what was seen; both notes are in " + name)
	}
}

func (w *Witness) say(line string) {
	if w.options.Say != nil {
		w.options.Say(line)
	}
}

// What two notes that do not fit are called.
const (
	Fork     = "fork"
	Lapse    = "lapse"
	unproven = "unproven"
)

// WriteNotes writes two notes of a campaign that do not fit into a new file of the directory, and gives its name.
func WriteNotes(dir, kind, campaign string, n uint64, one, other string) (name string, err error) {
	name = filepath.Join(dir, fmt.Sprintf("%s-%s-%d.txt", kind, campaign, n))
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return name, err
	}
	_, err = file.WriteString(one + "\n\n" + other)
	return name, errors.Join(err, file.Sync(), file.Close())
}
