package bundle

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// stored are the events of a file that stay where they are, and are read again a page at a time.
type stored struct {
	in    io.ReaderAt
	n     uint64      // events
	pages []pageStart // in their order
	end   int64       // of the last page
	sum   hash.Hash   // of the page that is being read first
	last  [][]byte    // the page that was read last
	which int         // its number
}

// pageStart is where a page begins, and what it was when it was read first.
type pageStart struct {
	event uint64
	at    int64
	sum   events.Hash // SHA-256
}

// A page has so many events at most, and ends with the one by which it has so many bytes: no file makes a reader hold
// more than mostPage and mostEvent.
const (
	perPage  = 256
	mostPage = 1 << 20
)

// Open is [Read] for a file that can be read again: from then on its events are read from there, a page at a time, so
// that memory does not grow with them. A file that is another by then is damaged.
func Open(in io.Reader, again io.ReaderAt) (*File, error) {
	r := newReader(in)
	r.file.stored = &stored{in: again, sum: sha256.New()}
	return r.read()
}

// Len is the number of events in the file.
func (f *File) Len() uint64 {
	if f.stored != nil {
		return f.stored.n
	}
	return uint64(len(f.Events))
}

// Stored reads the events at the places from <= place < to, as they are stored.
func (f *File) Stored(from, to uint64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for at, end := from, min(to, f.Len()); at < end; {
			list, first, err := f.page(at)
			if err != nil {
				yield(nil, err)
				return
			}
			list = list[at-first : min(uint64(len(list)), end-first)]
			for _, b := range list {
				if !yield(b, nil) {
					return
				}
			}
			at += uint64(len(list))
		}
	}
}

// page gives the page of the events in which one is, and the number of its first.
func (f *File) page(event uint64) (list [][]byte, first uint64, err error) {
	if f.stored != nil {
		return f.stored.page(event)
	}
	return f.Events, 0, nil
}

// add takes an event that begins at an offset of the file, when it is read first.
func (s *stored) add(b []byte, at int64) {
	if k := len(s.pages); k == 0 || s.n-s.pages[k-1].event == perPage || at-s.pages[k-1].at >= mostPage {
		s.ended(at)
		s.pages = append(s.pages, pageStart{event: s.n, at: at})
	}
	var length [4]byte
	binary.BigEndian.PutUint32(length[:], uint32(len(b)))
	s.sum.Write(length[:])
	s.sum.Write(b)
	s.n++
}

// ended ends a page.
func (s *stored) ended(at int64) {
	if s.end = at; s.n > 0 {
		s.pages[len(s.pages)-1].sum = events.Hash(s.sum.Sum(nil))
	}
	s.sum.Reset()
}

var errChanged = errors.New("it was changed while it was read")

// page reads the page again in which an event is.
func (s *stored) page(event uint64) (list [][]byte, first uint64, err error) {
	k, starts := slices.BinarySearchFunc(s.pages, event, func(p pageStart, event uint64) int {
		return cmp.Compare(p.event, event)
	})
	if !starts {
		k--
	}
	from, end := s.pages[k], s.end
	if k+1 < len(s.pages) {
		end = s.pages[k+1].at
	}
	if s.last != nil && s.which == k {
		return s.last, from.event, nil
	}
	b := make([]byte, end-from.at)
	if n, err := s.in.ReadAt(b, from.at); n < len(b) {
		return nil, 0, fmt.Errorf("the record cannot be read: %w", err)
	}
	if sha256.Sum256(b) != from.sum {
		return nil, 0, fmt.Errorf("%w: %w", ErrDamaged, errChanged)
	}
	list = make([][]byte, 0, perPage)
	for len(b) > 0 {
		n := 4 + binary.BigEndian.Uint32(b)
		list, b = append(list, b[4:n:n]), b[n:]
	}
	s.last, s.which = list, k
	return list, from.event, nil
}
