package projections

import (
	"encoding/binary"
	"errors"

	"github.com/watu-ledger/watu/events"
)

// ErrSaved is wrapped by errors of [Load]: the bytes are not what a view has saved.
var ErrSaved = errors.New("not a saved view")

// A Pack is the saved form of a view, written or read by one and the same description, so
// that the two cannot disagree: each method writes the value it points at, or sets it.
// Numbers are varints, texts and lists stand behind their length; there are no names.
type Pack struct {
	written []byte
	rest    string
	reading bool
	failed  bool
}

// Save writes what describe describes.
func Save(describe func(*Pack)) []byte {
	var p Pack
	describe(&p)
	return p.written
}

// Load sets what describe describes from bytes that [Save] wrote.
func Load(saved []byte, describe func(*Pack)) error {
	p := Pack{rest: string(saved), reading: true}
	describe(&p)
	if p.failed || p.rest != "" {
		return ErrSaved
	}
	return nil
}

// Uint packs a number that is never negative.
func (p *Pack) Uint(v *uint64) {
	if !p.reading {
		p.written = binary.AppendUvarint(p.written, *v)
		return
	}
	*v = p.uvarint()
}

// Int packs a number.
func (p *Pack) Int(v *int64) {
	if !p.reading {
		p.written = binary.AppendVarint(p.written, *v)
		return
	}
	u := p.uvarint()
	*v = int64(u>>1) ^ -int64(u&1)
}

// Small packs a number of 32 bits.
func (p *Pack) Small(v *int) {
	wide := int64(*v)
	p.Int(&wide)
	if wide != int64(int32(wide)) {
		p.failed = true
		return
	}
	*v = int(wide)
}

// Bool packs yes or no.
func (p *Pack) Bool(v *bool) {
	var u uint64
	if *v {
		u = 1
	}
	p.Uint(&u)
	*v = u == 1
}

// Text packs a text.
func (p *Pack) Text(v *string) {
	if !p.reading {
		p.written = binary.AppendUvarint(p.written, uint64(len(*v)))
		p.written = append(p.written, *v...)
		return
	}
	n := p.uvarint()
	if n > uint64(len(p.rest)) {
		p.fail()
		return
	}
	*v, p.rest = p.rest[:n], p.rest[n:]
}

// Payload packs what an event says, in its own encoding.
func (p *Pack) Payload(v events.Payload) {
	var text string
	if !p.reading {
		text = events.EncodePayload(v)
	}
	p.Text(&text)
	if p.reading && !(&events.Event{Type: v.Type(), Payload: text}).Read(v) {
		p.fail()
	}
}

// List packs a list, each item as described.
func List[T any](p *Pack, list *[]T, item func(*Pack, *T)) {
	n := uint64(len(*list))
	p.Uint(&n)
	if !p.reading {
		for i := range *list {
			item(p, &(*list)[i])
		}
		return
	}
	*list = nil
	for ; n > 0 && !p.failed; n-- { // grows as bytes are there to fill it, whatever n claims
		if p.rest == "" {
			p.fail()
			return
		}
		var v T
		item(p, &v)
		*list = append(*list, v)
	}
}

func (p *Pack) uvarint() uint64 {
	var v uint64
	for i := 0; i < len(p.rest) && i < binary.MaxVarintLen64; i++ {
		b := p.rest[i]
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			p.rest = p.rest[i+1:]
			return v
		}
	}
	p.fail()
	return 0
}

func (p *Pack) fail() { p.failed, p.rest = true, "" }
