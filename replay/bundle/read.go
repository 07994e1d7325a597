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
	Section string // kind of the section, empty where that cannot be told
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

// Most is how long a file may be, in bytes.
const Most = 1 << 30

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

// Read reads a file from its beginning to its end, and refuses every file that [File.Encode] would not have written: one
// changed bit, one byte more, another order. No length is believed: events and openings are read one by one, the
// first that cannot be one ends the reading, and what is kept in one piece is bounded. So what is no record costs no
// memory, and a record costs what its events and boards take.
//
// Whether the events are right is for [File.Check].
func Read(in io.Reader) (*File, error) {
	r := newReader(in)
	if err := r.magic(); err != nil {
		return nil, err
	}
	for r.kind != kindSeal {
		if err := r.section(); err != nil {
			return nil, err
		}
	}
	if len(r.file.Events) == 0 || r.file.Header.For == "" {
		return nil, r.damage("a record has a header and at least one event")
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

	sheets, boards, further uint64      // bytes so far
	last                    events.Hash // SHA-256 of the sheet or board read last
	commitments             int         // of all events: no more can be opened

	next   uint64      // index of the event that is due
	strays int         // bytes of events that were not
	before events.Hash // of the event read last
	broken *uint64     // the first event that does not fit its neighbours
}

func newReader(in io.Reader) *reader {
	return &reader{in: bufio.NewReaderSize(in, 16<<10), file: &File{}, seal: sha256.New(), sum: sha256.New(), place: -1}
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

// magic reads the first line. What begins otherwise is told by its first bytes alone.
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
	if r.at > Most || r.left > uint64(Most-r.at) {
		return r.damage("it says that it has %d bytes: a whole record has at most %d", r.left, Most)
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
		return &Damage{Section: r.kind, Offset: r.from, Event: r.broken, What: "its contents are not those that its hash is of"}
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
			return fmt.Errorf("%w: what its section %s says has to be understood, and this version does not", ErrNewer, r.kind)
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
	case kindLacks:
		return r.each(r.lack)
	case kindSeal:
		return r.sealing(sealed)
	}
	b, err := r.whole(&r.further, mostFurther)
	if err == nil {
		f.Further = append(f.Further, Section{r.kind, b})
	}
	return err
}

// whole reads the body in one piece, as long as no more than most bytes came together. A section counts for a page at least.
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

// take reads the next bytes of the body. What is long is read in pieces, so that nothing is kept free for what never comes.
func (r *reader) take(n uint64) ([]byte, error) {
	const piece = 64 << 10
	if n > r.left {
		return nil, r.damage("its contents are cut short")
	}
	r.left -= n
	b := make([]byte, min(n, piece))
	for at := uint64(0); ; {
		if err := r.fill(b[at:]); err != nil {
			return nil, err
		}
		if at = uint64(len(b)); at == n {
			return b, nil
		}
		longer := make([]byte, min(n, 4*at))
		copy(longer, b)
		b = longer
	}
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

// events reads the events. One that does not read ends the reading: nothing behind it can be what it says.
func (r *reader) events() error {
	for index := uint64(0); r.left > 0; index++ {
		b, err := r.part(mostEvent)
		var e events.Event
		if err == nil {
			if e, err = events.Decode(b); err != nil {
				err = r.damage("its contents are no event: %v", err)
			}
		}
		if err != nil {
			var d *Damage
			if errors.As(err, &d) {
				d.Event = r.first(index)
			}
			return err
		}
		if err := r.fits(index, &e, len(b)); err != nil {
			return err
		}
		r.before, r.next = events.LeafHash(b), e.Index+1
		r.commitments += len(e.Commitments)
		r.file.Events = append(r.file.Events, b)
	}
	return nil
}

// fits notes an event that does not follow the one before. A few of them are told one by one, by Check; where there
// are many it is no record.
func (r *reader) fits(place uint64, e *events.Event, size int) error {
	if e.Index != place {
		r.first(place)
	} else if e.Previous != r.before {
		r.first(max(place, 1) - 1)
	}
	if e.Index == r.next && e.Campaign == r.file.Header.Campaign {
		return nil
	}
	if r.strays += max(size, page); r.strays <= mostStrays {
		return nil
	}
	return &Damage{Section: r.kind, Offset: r.from, Event: r.broken, What: "many events are out of their place, or of another campaign"}
}

// first notes the first event that does not fit its neighbours, and gives it.
func (r *reader) first(index uint64) *uint64 {
	if r.broken == nil {
		r.broken = &index
	}
	return r.broken
}

// each reads the elements of a list, of which there is one at least.
func (r *reader) each(take func() error) error {
	if r.left == 0 {
		return r.oneForm()
	}
	for r.left > 0 {
		if err := take(); err != nil {
			return err
		}
	}
	return nil
}

// opening reads an opening. There are no more than commitments, in the order of event and slot.
func (r *reader) opening() error {
	f := r.file
	var o events.Opening
	err := r.values(&o.Index, &o.Slot, &o.Salt, &o.Fact)
	switch n := len(f.Openings); {
	case err != nil:
		return err
	case n > 0 && compareOpenings(f.Openings[n-1], o) >= 0:
		return r.oneForm()
	case n >= 2*r.commitments+16: // what is said of one too many is for Check
		return r.damage("it opens more than the events commit to")
	}
	f.Openings = append(f.Openings, o)
	return nil
}

// link reads a link, in the order of epoch and chain.
func (r *reader) link() error {
	f := r.file
	var l Link
	err := r.values(&l.Epoch, &l.Chain, &l.Position, &l.Link.Link)
	switch n := len(f.Links); {
	case err != nil:
		return err
	case n > 0 && compareLinks(f.Links[n-1], l) >= 0:
		return r.oneForm()
	case n >= 16+len(f.Events): // each epoch with its chains was begun by an event
		return r.damage("it reveals more links than the events have drawn by")
	}
	f.Links = append(f.Links, l)
	return nil
}

// lack reads what the file's host says that he does not hold.
func (r *reader) lack() error {
	f := r.file
	var l Lack
	err := r.values(&l.What, &l.At, &l.Name, &l.Position)
	switch n := len(f.Lacks); {
	case err != nil:
		return err
	case n > 0 && compareLacks(f.Lacks[n-1], l) >= 0:
		return r.oneForm()
	case n >= 2*r.commitments+len(f.Events)+64:
		return r.damage("it lacks more than the events call for")
	}
	f.Lacks = append(f.Lacks, l)
	return nil
}

// values reads the values of an element, one after the other.
func (r *reader) values(list ...any) (err error) {
	for _, v := range list {
		var b []byte
		switch v := v.(type) {
		case *uint64:
			if b, err = r.take(8); err == nil {
				*v = binary.BigEndian.Uint64(b)
			}
		case *string:
			b, err = r.part(mostSecret)
			*v = string(b)
		case *events.Hash:
			b, err = r.take(uint64(len(v)))
			copy(v[:], b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// part reads bytes behind their length.
func (r *reader) part(most uint32) ([]byte, error) {
	b, err := r.take(4)
	if err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(b)
	if n > most {
		return nil, r.damage("it says that a part of it has %d bytes: there are at most %d", n, most)
	}
	return r.take(uint64(n))
}
