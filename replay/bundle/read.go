package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
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
	Offset  int    // of the section in the file, in bytes
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

// Read reads a file, whose bytes it keeps. It refuses every file that [File.Encode] would not have written:
// one changed bit, one byte more, another order. The events are not looked into; that is for [File.Check].
func Read(b []byte) (*File, error) {
	if !bytes.HasPrefix(b, []byte(Magic)) {
		return nil, notRecord(b)
	}
	r := reader{all: b, at: len(Magic)}
	f := &File{}
	for last := -1; ; {
		s, err := r.section()
		if err != nil {
			return nil, err
		}
		if s.Kind == kindSeal {
			break
		}
		if last, err = r.place(f, s, last); err != nil {
			return nil, err
		}
		if err := f.take(s); err != nil {
			return nil, r.damage(s.Kind, "%v", err)
		}
	}
	if len(f.Events) == 0 || f.Header.For == "" {
		return nil, r.damage(kindHeader, "a record has a header and at least one event")
	}
	// There is one form: whatever differs from it was not written by Encode.
	if again := f.Encode(); !bytes.Equal(again, b) {
		return nil, r.damage("", "it is not in the one form that such a record has")
	}
	return f, nil
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

// reader walks the sections of a file.
type reader struct {
	all  []byte
	from int // of the section read last
	at   int
}

func (r *reader) damage(kind, format string, args ...any) error {
	return &Damage{Section: kind, Offset: r.from, What: fmt.Sprintf(format, args...)}
}

// headSize is the size of a section's kind and length.
const headSize = 4 + 8

// section reads the next section and checks its hash, of the last one the seal and that nothing follows.
func (r *reader) section() (Section, error) {
	r.from = r.at
	rest := r.all[r.at:]
	if len(rest) < headSize {
		return Section{}, r.damage("", "it ends where a section is due")
	}
	s := Section{Kind: string(rest[:4])}
	if !letters(s.Kind) {
		return s, r.damage("", "%q is no kind of section", s.Kind)
	}
	n := binary.BigEndian.Uint64(rest[4:])
	if n > uint64(len(rest)-headSize) || uint64(len(rest)-headSize)-n < sha256.Size {
		return s, r.damage(s.Kind, "the section is cut short")
	}
	end := headSize + int(n)
	s.Body = rest[headSize:end]
	if sum := sha256.Sum256(rest[:end]); !bytes.Equal(sum[:], rest[end:end+sha256.Size]) {
		d := &Damage{Section: s.Kind, Offset: r.from, What: "its contents are not those that its hash is of"}
		if s.Kind == kindEvents {
			d.Event = firstBroken(s.Body)
		}
		return s, d
	}
	r.at += end + sha256.Size
	if s.Kind != kindSeal {
		return s, nil
	}
	if sum := sha256.Sum256(r.all[:r.from]); !bytes.Equal(sum[:], s.Body) {
		return s, r.damage(s.Kind, "the sections are not those that were sealed")
	}
	if r.at != len(r.all) {
		return s, r.damage(s.Kind, "%d bytes follow its end", len(r.all)-r.at)
	}
	return s, nil
}

func letters(kind string) bool {
	for _, c := range []byte(kind) {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// place checks that a section may stand behind the last one, by the places of their kinds.
func (r *reader) place(f *File, s Section, last int) (int, error) {
	at := slices.Index(kinds, s.Kind)
	if at < 0 {
		if s.Kind[0] <= 'Z' {
			return last, fmt.Errorf("%w: what its section %s says has to be understood, and this version does not", ErrNewer, s.Kind)
		}
		at = len(kinds)
	}
	many := s.Kind == kindEdition || s.Kind == kindBoard
	if n := len(f.Further); at == len(kinds) && n > 0 {
		many = f.Further[n-1].Kind < s.Kind
	}
	if at < last || at == last && !many || last < 0 && at != 0 {
		return last, r.damage(s.Kind, "the section is not in its place")
	}
	return at, nil
}

// take takes the contents of a section.
func (f *File) take(s Section) error {
	p := parts{rest: s.Body}
	switch s.Kind {
	case kindHeader:
		d := json.NewDecoder(bytes.NewReader(s.Body))
		d.DisallowUnknownFields()
		if err := d.Decode(&f.Header); err != nil {
			return fmt.Errorf("the header does not read: %w", err)
		}
	case kindEdition:
		f.Editions = append(f.Editions, string(s.Body))
	case kindEvents:
		for len(p.rest) > 0 {
			f.Events = append(f.Events, p.part())
		}
	case kindOpenings:
		for len(p.rest) > 0 {
			f.Openings = append(f.Openings, events.Opening{Index: p.number(), Slot: string(p.part()), Salt: p.hash(), Fact: string(p.part())})
		}
	case kindLinks:
		for len(p.rest) > 0 {
			f.Links = append(f.Links, Link{p.number(), events.Link{Chain: string(p.part()), Position: p.number(), Link: p.hash()}})
		}
	case kindBoard:
		f.Boards = append(f.Boards, s.Body)
	default:
		f.Further = append(f.Further, s)
	}
	if p.cut {
		return errors.New("its contents are cut short")
	}
	return nil
}

// parts reads the values of a section's body. Once it is cut, all that it gives is empty.
type parts struct {
	rest []byte
	cut  bool
}

func (p *parts) take(n int) []byte {
	if n > len(p.rest) {
		p.rest, p.cut = nil, true
		return make([]byte, min(n, 64))
	}
	b := p.rest[:n:n]
	p.rest = p.rest[n:]
	return b
}

func (p *parts) part() []byte {
	n := binary.BigEndian.Uint32(p.take(4))
	if uint64(n) > uint64(len(p.rest)) {
		p.rest, p.cut = nil, true
		return nil
	}
	return p.take(int(n))
}

func (p *parts) number() uint64 { return binary.BigEndian.Uint64(p.take(8)) }

func (p *parts) hash() (h events.Hash) {
	copy(h[:], p.take(len(h)))
	return h
}

// firstBroken finds the first event in a damaged section that does not read, or whose hash the next one does
// not carry; nil if there is none.
func firstBroken(body []byte) *uint64 {
	p := parts{rest: body}
	var before events.Hash
	for index := uint64(0); len(p.rest) > 0; index++ {
		b := p.part()
		e, err := events.Decode(b)
		if p.cut || err != nil || e.Index != index {
			return &index
		}
		if e.Previous != before {
			index = max(index, 1) - 1
			return &index
		}
		before = events.LeafHash(b)
	}
	return nil
}
