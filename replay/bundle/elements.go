package bundle

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// The elements of the sections' bodies, read one by one.

// events reads the events. One that does not read ends the reading: nothing behind it can be what it says.
func (r *reader) events() error {
	for index := uint64(0); r.left > 0; index++ {
		at := r.at
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
		r.ways.take(&e)
		if s := r.file.stored; s != nil {
			s.add(b, at)
		} else {
			r.file.Events = append(r.file.Events, b)
		}
	}
	if s := r.file.stored; s != nil {
		s.ended(r.at)
	}
	return nil
}

// fits notes an event that does not follow the one before. A few of them are reported one by one, by Check; where there
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
	return &Damage{r.kind, r.from, r.broken, "many events are out of their place, or of another campaign"}
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

// form is what the elements of a list are written as: their values one after the other, in an order of their own.
type form[T comparable] struct {
	values  func(*T) []any // each a *uint64, a *string or an *events.Hash
	compare func(x, y T) int
}

var (
	openingForm = form[events.Opening]{
		func(o *events.Opening) []any { return []any{&o.Index, &o.Slot, &o.Salt, &o.Fact} }, compareOpenings,
	}
	linkForm = form[Link]{
		func(l *Link) []any { return []any{&l.Epoch, &l.Chain, &l.Position, &l.Link.Link} }, compareLinks,
	}
	lackForm = form[Lack]{func(l *Lack) []any { return []any{&l.What, &l.At, &l.Name, &l.Position} }, compareLacks}
)

// body gives the elements of a list as they are written: in their order, each once.
func (f form[T]) body(list []T) (b []byte) {
	for _, x := range slices.Compact(slices.SortedFunc(slices.Values(list), f.compare)) {
		for _, v := range f.values(&x) {
			switch v := v.(type) {
			case *uint64:
				b = binary.BigEndian.AppendUint64(b, *v)
			case *string:
				b = appendPart(b, *v)
			case *events.Hash:
				b = append(b, v[:]...)
			}
		}
	}
	return b
}

// read reads the next element of a list, which has no more than most of them.
func (f form[T]) read(r *reader, list *[]T, most int, tooMany string) error {
	var x T
	err := r.values(f.values(&x)...)
	switch n := len(*list); {
	case err != nil:
		return err
	case n > 0 && f.compare((*list)[n-1], x) >= 0:
		return r.oneForm()
	case n >= most:
		return r.damage("%s", tooMany)
	}
	*list = append(*list, x)
	return nil
}

// opening reads an opening. Check reports single ones too many.
func (r *reader) opening() error {
	return openingForm.read(r, &r.file.Openings, 2*r.commitments+16, "it opens more than the events commit to")
}

// link reads a link. Each epoch with its chains was begun by an event.
func (r *reader) link() error {
	return linkForm.read(r, &r.file.Links, 16+int(r.file.Len()), "it reveals more links than the events have drawn by")
}

// lack reads what the file's host says that he does not hold.
func (r *reader) lack() error {
	most := 2*r.commitments + int(r.file.Len()) + 64
	return lackForm.read(r, &r.file.Lacks, most, "it lacks more than the events call for")
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

// take reads the next bytes of the body. What is long is read in pieces, so that nothing is kept free for what
// never comes.
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
