package bundle

import (
	"encoding/binary"
	"errors"

	"github.com/watu-ledger/watu/events"
)

// The elements of the sections' bodies, read one by one.

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
