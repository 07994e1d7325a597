package events

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// The messages within the envelope are read and written by hand, as the envelope is: every
// event has some, and a rebuild reads them all.

func (w *wire) citation(c *Citation) {
	w.begin(fieldDerivation, sizeText(c.Rule)+sizeText(c.Step))
	w.text(1, c.Rule)
	w.text(2, c.Step)
}

func (c *Citation) set(f *field) error {
	switch f.num {
	case 1:
		return f.text(&c.Rule)
	case 2:
		return f.text(&c.Step)
	}
	return errUnknown
}

func (w *wire) commitment(c *Commitment) {
	w.begin(fieldCommitment, sizeText(c.Slot)+sizeHash(c.Hash))
	w.text(1, c.Slot)
	w.fixed(2, c.Hash[:])
}

func (c *Commitment) set(f *field) error {
	switch f.num {
	case 1:
		return f.text(&c.Slot)
	case 2:
		return f.fixed(c.Hash[:])
	}
	return errUnknown
}

func (w *wire) opening(o *Opening) {
	w.begin(fieldOpening, sizeUint(o.Index)+sizeText(o.Slot)+sizeHash(o.Salt)+sizeText(o.Fact))
	w.uint(1, o.Index)
	w.text(2, o.Slot)
	w.fixed(3, o.Salt[:])
	w.text(4, o.Fact)
}

func (o *Opening) set(f *field) error {
	switch f.num {
	case 1:
		return f.uint(&o.Index)
	case 2:
		return f.text(&o.Slot)
	case 3:
		return f.fixed(o.Salt[:])
	case 4:
		return f.text(&o.Fact)
	}
	return errUnknown
}

// begin writes the head of a message of n bytes.
func (w *wire) begin(num protowire.Number, n int) {
	*w = protowire.AppendVarint(protowire.AppendTag(*w, num, protowire.BytesType), uint64(n))
}

// The sizes of fields with numbers below 16; a zero value has none.

func sizeUint(v uint64) int {
	if v == 0 {
		return 0
	}
	return 1 + protowire.SizeVarint(v)
}

func sizeText(s string) int {
	if s == "" {
		return 0
	}
	return 1 + protowire.SizeBytes(len(s))
}

func sizeHash(h Hash) int {
	if h.IsZero() {
		return 0
	}
	return 1 + protowire.SizeBytes(len(h))
}

// appendMessage reads a message field by field and appends it to a list, which begins with
// room for as many as there usually are.
func appendMessage[T any](list *[]T, f *field, most int) error {
	if f.isUint {
		return errForm
	}
	if *list == nil {
		*list = make([]T, 0, most)
	}
	*list = append(*list, *new(T))
	last := &(*list)[len(*list)-1]
	r := reader{rest: f.bytes}
	for len(r.rest) > 0 {
		if err := r.next(f); err != nil { // f has been read: it may serve again
			return err
		}
		if err := setPart(last, f); err != nil {
			return fmt.Errorf("field %d: %w", f.num, err)
		}
	}
	return nil
}

// setPart calls the part's set method: by name and not through an interface, so that the
// field need not be allocated.
func setPart(part any, f *field) error {
	switch part := part.(type) {
	case *Citation:
		return part.set(f)
	case *Commitment:
		return part.set(f)
	case *Opening:
		return part.set(f)
	}
	return errUnknown
}
