package bundle

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
)

var (
	// ErrNotRecord is wrapped for what is no file of this package.
	ErrNotRecord = errors.New("not a record of a campaign")
	// ErrNewer is wrapped for a file that only a later version of watu understands.
	ErrNewer = errors.New("the record was written by a later version of watu")
	// ErrDamaged is wrapped for a file that is cut short or changed. See [Damage].
	ErrDamaged = errors.New("the record is damaged")
)

// Damage says where a file is damaged. It is an [ErrDamaged].
type Damage struct {
	Section string // kind of the section, empty where that is not known
	Offset  int64  // of the section in the file, in bytes
	Event   *uint64
	What    string
}

func (d *Damage) Error() string {
	where := fmt.Sprintf("at byte %d", d.Offset)
	if d.Section != "" {
		where = fmt.Sprintf("in section %s at byte %d", d.Section, d.Offset)
	}
	if d.Event != nil {
		where += fmt.Sprintf(", at event #%d", *d.Event)
	}
	return fmt.Sprintf("%v %s: %s", ErrDamaged, where, d.What)
}

// Is reports whether target is ErrDamaged.
func (d *Damage) Is(target error) bool { return target == ErrDamaged }

// MaxSize is how long a file may be, in bytes.
const MaxSize = 1 << 30

// What the parts of a file may take, in bytes: what lies beyond was never written, and costs a reader nothing.
const (
	mostHeader  = 1 << 20
	mostSheets  = 8 << 20  // all printed sheets together
	mostEvent   = 16 << 20 // one event
	mostStrays  = 16 << 20 // all events together that do not follow the one before
	mostSecret  = 16 << 20 // the slot and the fact of an opening, the name of a chain
	mostBoards  = 40 << 20 // all files of the board together
	mostFurther = 8 << 20  // all sections together that a reader may pass over

	page = 4 << 10
)

// Read reads a file from its beginning to its end, and refuses every file that [File.Encode] would not have
// written: one changed bit, one byte more, another order. No length is believed: events and openings are read one
// by one, the first that cannot be one ends the reading, and what is kept in one piece is bounded. So what is no
// record costs no memory, and a record costs what its events and boards take.
//
// Whether the events are right is for [File.Check].
func Read(in io.Reader) (*File, error) {
	return newReader(in).read()
}

func (r *reader) read() (*File, error) {
	if err := r.magic(); err != nil {
		return nil, err
	}
	for r.kind != kindSeal {
		if err := r.section(); err != nil {
			return nil, err
		}
	}
	if r.file.Len() == 0 || r.file.Header.For == "" {
		return nil, r.damage("a record has a header and at least one event")
	}
	if dice := r.ways.String(); dice != r.dice {
		return nil, fmt.Errorf("%w: its section %s says %q, and its events %q", ErrDamaged, kindDice, r.dice, dice)
	}
	return r.file, nil
}

// reader walks the sections of a file.
type reader struct {
	in   *bufio.Reader
	file *File
	at   int64     // bytes read
	seal hash.Hash // over all bytes
	sum  hash.Hash // over the section being read

	kind  string // of the section being read
	from  int64  // where it begins
	left  uint64 // bytes of its body that are to come
	place int    // of the section before, among the kinds; -1 at the beginning
	small string // kind of the last section that may be passed over
	dice  string // body of the section that says how dice fall
	ways  ways   // and how they do by the events

	sheets, boards, further uint64      // bytes so far
	last                    events.Hash // SHA-256 of the sheet or board read last
	commitments             int         // of all events: no more can be opened

	next   uint64      // index of the event that is due
	strays int         // bytes of events that were not
	before events.Hash // of the event read last
	broken *uint64     // the first event that does not fit its neighbours
}

func newReader(in io.Reader) *reader {
	return &reader{in: bufio.NewReaderSize(in, 16<<10), file: &File{}, seal: sha256.New(), sum: sha256.New(), place: -1,
		ways: ways{}}
}

func (r *reader) damage(format string, args ...any) error {
	return &Damage{Section: r.kind, Offset: r.from, What: fmt.Sprintf(format, args...)}
}

// fill reads bytes of the file and hashes them.
func (r *reader) fill(b []byte) error {
	n, err := io.ReadFull(r.in, b)
	r.at += int64(n)
	r.seal.Write(b[:n])
	r.sum.Write(b[:n])
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return r.damage("the section is cut short")
	case err != nil:
		return fmt.Errorf("the record cannot be read: %w", err)
	}
	return nil
}

// magic reads the first line. What begins otherwise is named by its first bytes alone.
func (r *reader) magic() error {
	line := make([]byte, len(Magic))
	if err := r.fill(line); errors.Is(err, ErrDamaged) || err == nil && string(line) != Magic {
		rest, _ := r.in.Peek(64)
		return notRecord(append(line, rest...))
	} else if err != nil {
		return err
	}
	return nil
}

func notRecord(b []byte) error {
	line, _, _ := bytes.Cut(b[:min(len(b), 64)], []byte("\n"))
	switch {
	case bytes.HasPrefix(line, []byte("watu record ")):
		return fmt.Errorf("%w: its first line is %q", ErrNewer, line)
	case bytes.HasPrefix(line, []byte("age-encryption.org/")):
		return fmt.Errorf("%w: it is encrypted, as a backup is; see watu restore", ErrNotRecord)
	}
	return fmt.Errorf("%w: its first line is not %q", ErrNotRecord, strings.TrimSpace(Magic))
}

// section reads the next section: its contents while they come, and then its hash.
func (r *reader) section() error {
	sealed := events.Hash(r.seal.Sum(nil))
	r.sum.Reset()
	r.from, r.kind = r.at, ""
	var head [4 + 8]byte
	if err := r.fill(head[:]); err != nil {
		return err
	}
	if kind := string(head[:4]); letters(kind) {
		r.kind = kind
	} else {
		return r.damage("%q is no kind of section", kind)
	}
	r.left = binary.BigEndian.Uint64(head[4:])
	if r.at > MaxSize || r.left > uint64(MaxSize-r.at) {
		return r.damage("it says that it has %d bytes: a whole record has at most %d", r.left, MaxSize)
	}
	if err := r.inPlace(); err != nil {
		return err
	}
	if err := r.contents(sealed); err != nil {
		return err
	}
	want := events.Hash(r.sum.Sum(nil))
	var stated events.Hash
	if err := r.fill(stated[:]); err != nil {
		return err
	}
	if stated != want {
		return &Damage{r.kind, r.from, r.broken, "its contents are not those that its hash is of"}
	}
	r.broken = nil // they are whole as they were written, and whether they fit is for Check
	return r.ended()
}

// ended checks that nothing follows the seal.
func (r *reader) ended() error {
	if r.kind != kindSeal {
		return nil
	}
	if _, err := r.in.ReadByte(); err == nil {
		return r.damage("bytes follow its end")
	} else if !errors.Is(err, io.EOF) {
		return fmt.Errorf("the record cannot be read: %w", err)
	}
	return nil
}

func letters(kind string) bool {
	for _, c := range []byte(kind) {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// inPlace checks that the section may stand behind the last one, by the places of their kinds.
func (r *reader) inPlace() error {
	if r.kind == kindSeal {
		return nil
	}
	at := slices.Index(kinds, r.kind)
	if at < 0 {
		if r.kind[0] <= 'Z' {
			return fmt.Errorf("%w: its section %s has to be understood, and is not known here", ErrNewer, r.kind)
		}
		at = len(kinds)
	}
	many := r.kind == kindEdition || r.kind == kindBoard
	if at == len(kinds) {
		many = r.kind > r.small // one of each, in the order of their letters
		r.small = r.kind
	}
	if at < r.place || at == r.place && !many || r.place < 0 && at != 0 {
		return r.damage("the section is not in its place")
	}
	r.place = at
	return nil
}

// contents reads the body of the section.
func (r *reader) contents(sealed events.Hash) error {
	f := r.file
	switch r.kind {
	case kindHeader:
		return r.header()
	case kindEdition:
		b, err := r.summed(&r.sheets, mostSheets, len(f.Editions) > 0)
		if err == nil {
			f.Editions = append(f.Editions, string(b))
		}
		return err
	case kindEvents:
		return r.events()
	case kindOpenings:
		return r.each(r.opening)
	case kindLinks:
		return r.each(r.link)
	case kindBoard:
		b, err := r.summed(&r.boards, mostBoards, len(f.Boards) > 0)
		if err == nil {
			f.Boards = append(f.Boards, b)
		}
		return err
	case kindDice:
		b, err := r.whole(&r.further, mostFurther)
		r.dice = string(b)
		for way := range strings.Lines(r.dice) {
			if err == nil && !slices.Contains(knownDice, way) {
				err = fmt.Errorf("%w: its dice are %q", ErrNewer, strings.TrimSpace(way))
			}
		}
		return err
	case kindLacks:
		return r.each(r.lack)
	case kindSigned:
		b, err := r.whole(&r.further, mostFurther)
		key, note, ok := strings.Cut(string(b), "\n")
		if err == nil && !ok {
			err = r.damage("it has no key and note")
		}
		f.Signed = Signed{key, note}
		return err
	case kindSeal:
		return r.sealing(sealed)
	}
	b, err := r.whole(&r.further, mostFurther)
	if err == nil {
		f.Further = append(f.Further, Section{r.kind, b})
	}
	return err
}

// whole reads the body in one piece, as long as no more than most bytes came together. A section counts for a page
// at least.
func (r *reader) whole(so *uint64, most uint64) ([]byte, error) {
	if *so += max(r.left, page); r.left > most || *so > most {
		return nil, r.damage("it says that it has %d bytes: with those all of its kind take more than %d", r.left, most)
	}
	return r.take(r.left)
}

// summed reads a body that stands among others of its kind in the order of their SHA-256.
func (r *reader) summed(so *uint64, most uint64, others bool) ([]byte, error) {
	b, err := r.whole(so, most)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	if others && bytes.Compare(r.last[:], sum[:]) >= 0 {
		return nil, r.oneForm()
	}
	r.last = sum
	return b, nil
}

func (r *reader) oneForm() error { return r.damage("it is not in the one form that such a record has") }

// header reads the header.
func (r *reader) header() error {
	b, err := r.whole(new(uint64), mostHeader)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&r.file.Header); err != nil {
		return r.damage("the header does not read: %v", err)
	}
	if !bytes.Equal(headerText(r.file.Header), b) {
		return r.oneForm()
	}
	return nil
}

// sealing holds the seal against the bytes before it.
func (r *reader) sealing(sealed events.Hash) error {
	if r.left != sha256.Size {
		return r.damage("a seal has %d bytes", sha256.Size)
	}
	b, err := r.take(r.left)
	if err == nil && events.Hash(b) != sealed {
		err = r.damage("the sections are not those that were sealed")
	}
	return err
}
