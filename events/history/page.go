package history

import (
	"encoding/binary"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// perPage is how many events a page has.
var perPage uint64 = 256

// page is what is known of perPage events, one after the other. The nodes of the two newest pages are kept as they are;
// of an older one they are packed, which takes a tenth of the memory. What changes later of a packed node is kept
// apart.
type page struct {
	nodes    []node     // nil once they are packed
	packed   []byte     // one after the other, in numbers that mostly take a byte
	starts   []uint32   // where in packed each begins
	commands []*command // to which packed nodes belong
}

// relations are all relations: a packed node names them by their places here.
var relations = append(Relations(), Corrects, Replaces, Opens)

// pack packs the nodes of the page that begins with event first. Those that were corrected or voided go apart.
func (x *Index) pack(p *page, first uint64) {
	p.starts = make([]uint32, 0, perPage)
	var b []byte
	for k := range p.nodes {
		n, i := &p.nodes[k], first+uint64(k)
		if n.turns != nil {
			own := *n
			x.keepApart(i, &own)
		}
		p.starts = append(p.starts, uint32(len(b)))
		for _, v := range []uint64{
			x.kindNumber(n.kind), numberOf(&p.commands, n.command), numberOf(&p.commands, n.behind),
			i - n.home, i - n.original, uint64(len(n.names)),
		} {
			b = binary.AppendUvarint(b, v)
		}
		for _, l := range n.names {
			b = binary.AppendUvarint(b, numberOf(&relations, l.relation))
			b = binary.AppendUvarint(b, i-l.event)
		}
		b = binary.AppendUvarint(b, uint64(len(n.named)))
		for _, l := range n.named {
			b = binary.AppendUvarint(b, numberOf(&relations, l.relation))
			b = binary.AppendUvarint(b, l.event-i)
		}
	}
	p.packed, p.commands, p.nodes = slices.Clone(b), slices.Clip(p.commands), nil
}

// kindNumber gives the place of a type among those of packed nodes. A hostile record may have as many as events.
func (x *Index) kindNumber(kind events.Type) uint64 {
	at, known := x.kindAt[kind]
	if !known {
		if x.kindAt == nil {
			x.kindAt = map[events.Type]uint64{}
		}
		at = uint64(len(x.kinds))
		x.kinds, x.kindAt[kind] = append(x.kinds, kind), at
	}
	return at
}

// numberOf gives the place of something in a list, to which it is added if it is not there.
func numberOf[T comparable](list *[]T, of T) uint64 {
	at := slices.Index(*list, of)
	if at < 0 {
		at = len(*list)
		*list = append(*list, of)
	}
	return uint64(at)
}

// node gives the k-th node of the page, which is that of event i, to read.
func (p *page) node(k, i uint64, kinds []events.Type) *node {
	if p.nodes != nil {
		return &p.nodes[k]
	}
	b := p.packed[p.starts[k]:]
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return v
	}
	links := func(to func(distance uint64) uint64) []link {
		n := next()
		if n == 0 {
			return nil
		}
		list := make([]link, n)
		for k := range list {
			list[k].relation = relations[next()]
			list[k].event = to(next())
		}
		return list
	}
	n := &node{kind: kinds[next()], command: p.commands[next()], behind: p.commands[next()]}
	n.home, n.original = i-next(), i-next()
	n.names = links(func(distance uint64) uint64 { return i - distance })
	n.named = links(func(distance uint64) uint64 { return i + distance })
	return n
}
