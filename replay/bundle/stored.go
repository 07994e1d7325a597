package bundle

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/watu-ledger/watu/events"
)

// stored are the events of a file that stay where they are, and are read again a page at a time.
type stored struct {
	in    io.ReaderAt
	n     uint64        // events
	pages []int64       // where each page begins in the file
	sums  []events.Hash // SHA-256 of each page, as it was read first
	end   int64         // of the last page
	sum   []byte        // bytes of the page that is being read first
	last  [][]byte      // the page that was read last
	which uint64        // its number
}

// perPage is how many events a page has.
const perPage = 256

// Open is [Read] for a file that can be read again: from then on its events are read from there, a page at a time, so
// that memory does not grow with them. A file that is another by then is damaged.
func Open(in io.Reader, again io.ReaderAt) (*File, error) {
	r := newReader(in)
	r.file.stored = &stored{in: again}
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
			list, err := f.page(at / perPage)
			if err != nil {
				yield(nil, err)
				return
			}
			list = list[at%perPage : min(perPage, end-at+at%perPage)]
			for _, b := range list {
				if !yield(b, nil) {
					return
				}
			}
			at += uint64(len(list))
		}
	}
}

// page gives a page of the events.
func (f *File) page(k uint64) ([][]byte, error) {
	if f.stored != nil {
		return f.stored.page(k)
	}
	return f.Events[k*perPage : min((k+1)*perPage, uint64(len(f.Events)))], nil
}

// add takes an event that begins at an offset of the file, when it is read first.
func (s *stored) add(b []byte, at int64) {
	if s.n%perPage == 0 {
		s.ended(at)
		s.pages = append(s.pages, at)
	}
	s.sum = appendPart(s.sum, b)
	s.n++
}

// ended ends a page.
func (s *stored) ended(at int64) {
	if s.end = at; s.n > 0 {
		s.sums = append(s.sums, sha256.Sum256(s.sum))
	}
	s.sum = s.sum[:0]
}

var errChanged = errors.New("it was changed while it was read")

// page reads a page again.
func (s *stored) page(k uint64) ([][]byte, error) {
	if s.last != nil && s.which == k {
		return s.last, nil
	}
	end := s.end
	if k+1 < uint64(len(s.pages)) {
		end = s.pages[k+1]
	}
	b := make([]byte, end-s.pages[k])
	if n, err := s.in.ReadAt(b, s.pages[k]); n < len(b) {
		return nil, fmt.Errorf("the record cannot be read: %w", err)
	}
	if sha256.Sum256(b) != s.sums[k] {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, errChanged)
	}
	list := make([][]byte, 0, perPage)
	for len(b) > 0 {
		n := 4 + binary.BigEndian.Uint32(b)
		list, b = append(list, b[4:n:n]), b[n:]
	}
	s.last, s.which = list, k
	return list, nil
}
