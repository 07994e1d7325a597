package projections

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/projections/document"
)

// Place is where in a campaign an entry of a report stands, and what became of it. Events are named by their index.
type Place struct {
	Event   uint64 `json:"event"`
	Ordinal uint64 `json:"turn_ordinal"`
	Turn    string `json:"turn"`
	Fate
}

// Fate is what became of an entry: it counts as long as nothing has taken its place.
type Fate struct {
	Corrects    uint64 `json:"corrects,omitempty"`
	CorrectedBy uint64 `json:"corrected_by,omitempty"`
	VoidedBy    uint64 `json:"voided_by,omitempty"`
}

// Counts reports whether an entry counts in sums.
func (f *Fate) Counts() bool { return f.By() == 0 }

// By is the event that took an entry's place, 0 as long as it counts.
func (f *Fate) By() uint64 { return max(f.CorrectedBy, f.VoidedBy) }

// Mark says by what an entry does not count: "corrected by #12", "voided by #12"; empty for one that counts.
func (f *Fate) Mark() string {
	switch {
	case f.VoidedBy != 0:
		return fmt.Sprintf("voided by #%d", f.VoidedBy)
	case f.CorrectedBy != 0:
		return fmt.Sprintf("corrected by #%d", f.CorrectedBy)
	}
	return ""
}

// Entry is what a view keeps of the place of a row, beside what its event says.
type Entry struct {
	Place `json:"-"`
	First uint64 // the event that it states anew, itself for none
	At    uint64 // the event in whose place it counts
}

// EntryOf gives the entry of a row.
func EntryOf(r history.Row) Entry {
	x := Entry{First: r.Original, At: r.Place}
	x.Event, x.Ordinal, x.Turn, x.Corrects = r.Index, r.Turn.Ordinal, r.Turn.Label, r.Corrects
	if r.Void {
		x.VoidedBy = r.By
	} else {
		x.CorrectedBy = r.By
	}
	return x
}

// Own gives the entry itself; an entry of a view embeds it.
func (x *Entry) Own() *Entry { return x }

// listed is where a report lists the entry: a correction where it was recorded, anything else in its place.
func (x *Entry) listed() uint64 {
	if x.First != x.Event {
		return x.Event
	}
	return x.At
}

// CompareEntries compares entries by where reports list them: corrections where they were recorded, anything else in
// its place.
func CompareEntries(a, b *Entry) int {
	return cmp.Or(cmp.Compare(a.listed(), b.listed()), cmp.Compare(min(a.First^a.Event, 1), min(b.First^b.Event, 1)))
}

// HasEntry is an entry of a view.
type HasEntry[T any] interface {
	*T
	Own() *Entry
}

// InReportOrder gives entries in the order in which reports list them.
func InReportOrder[T any, E HasEntry[T]](list []T) []T {
	if slices.IsSortedFunc(list, func(a, b T) int { return CompareEntries(E(&a).Own(), E(&b).Own()) }) {
		return list
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b T) int { return CompareEntries(E(&a).Own(), E(&b).Own()) })
	return list
}

// Effective gives the entries that count, in the order in which they count.
func Effective[T any, E HasEntry[T]](list []T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return !E(&x).Own().Counts() })
}

// Pack packs the entry.
func (x *Entry) Pack(p *Pack) {
	for _, n := range []*uint64{&x.Event, &x.First, &x.At, &x.Ordinal, &x.Corrects, &x.CorrectedBy, &x.VoidedBy} {
		p.Uint(n)
	}
	p.Text(&x.Turn)
}

// Cell names an event, as `watu explain` takes it, and what took its place if it does not count.
func (f *Fate) Cell(index uint64) document.Text {
	if f.Counts() {
		return document.Text{document.Event(index)}
	}
	return document.Text{document.Event(index), {Text: f.Mark(), Mark: document.Gone, To: document.About(f.By())}}
}

// During gives the entries of a list in the turns that are covered.
func During[T any, P interface {
	*T
	In() uint64
}](list []T, covers func(ordinal uint64) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return !covers(P(&x).In()) })
}

// In is the ordinal of the entry's turn.
func (p *Place) In() uint64 { return p.Ordinal }

// FindOrAdd gives the entry of a list that is sought; a list without it gets the fresh one.
func FindOrAdd[T any](list *[]T, fresh T, sought func(T) bool) *T {
	i := slices.IndexFunc(*list, sought)
	if i < 0 {
		i = len(*list)
		*list = append(*list, fresh)
	}
	return &(*list)[i]
}

// AppendIf appends an entry if its payload could be read.
func AppendIf[T any](list *[]T, x *T, read bool) {
	if read {
		*list = append(*list, *x)
	}
}
