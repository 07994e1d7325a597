package rules

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// Known is a figure as far as the reader of a record knows it: a fact, or unknown, because it rests on commitments
// whose openings he does not hold. Who judges with every opening, as the umpire does in play, meets facts alone.
//
// An unknown figure has no value that could be computed with. What is made of it by [Map], [With] and [Plus] is
// unknown in turn, and rests on the same commitments. A ruling reads a figure in one of two ways:
//
//   - [Value] where it cannot go on without the figure: the judgement of an unknown one ends there.
//   - [Hearing.Weigh] where the figure is only checked: a check of an unknown one finds nothing, and the judgement
//     goes on, as the record says that it did.
//
// Either way the commitments are noted in the hearing, and so in every draft behind ([Draft.Sealed]). Drafts and
// violations are hence made of facts alone: where they contradict the record it is wrong, whatever is sealed.
//
// The zero value is the fact of T's zero value.
type Known[T any] struct {
	value  T
	sealed List[events.Ref] // empty for a fact; a project may rest on thousands of allocations
}

// Fact is a figure that is known.
func Fact[T any](v T) Known[T] { return Known[T]{value: v} }

// Unknown is a figure that rests on commitments that are not open to the reader.
func Unknown[T any](at events.Ref, more ...events.Ref) Known[T] {
	k := Known[T]{sealed: List[events.Ref]{}.Append(at)}
	for _, ref := range more {
		k.sealed = k.sealed.Append(ref)
	}
	return k
}

// Get gives the value, and false if it is unknown. A ruling reads with [Value] or [Hearing.Weigh] instead.
func (k Known[T]) Get() (v T, known bool) { return k.value, k.sealed.empty() }

// Sealed lists the commitments that an unknown figure rests on, by event and slot, each once; none for a fact.
func (k Known[T]) Sealed() []events.Ref { return sortedRefs(k.sealed.Slice()) }

// Map applies f to a figure.
func Map[A, B any](a Known[A], f func(A) B) Known[B] {
	if a.sealed.empty() {
		return Fact(f(a.value))
	}
	return Known[B]{sealed: a.sealed}
}

// With makes a figure of two others. It is known if both are. Its cost is that of what b rests on: a figure that grows
// with the campaign is a.
func With[A, B, C any](a Known[A], b Known[B], f func(A, B) C) Known[C] {
	sealed := a.sealed
	for at := range b.sealed.Backward() {
		sealed = sealed.Append(at)
	}
	if sealed.empty() {
		return Fact(f(a.value, b.value))
	}
	return Known[C]{sealed: sealed}
}

// Plus adds two figures.
func Plus(a, b Known[int]) Known[int] { return With(a, b, func(a, b int) int { return a + b }) }

// Value reads a figure that the ruling cannot go on without. If it is unknown, the judgement ends with the drafts made
// so far: the caller returns.
func Value[T any](h *Hearing, k Known[T]) (v T, ok bool) {
	if k.sealed.empty() {
		return k.value, true
	}
	h.note(k.Sealed())
	h.cut = true
	return v, false
}

// Weigh takes over what a check found. A check that could not be made, because what it reads is unknown, is taken to
// have found nothing: a record has only what was not refused. It reports whether nothing is refused so far.
func (h *Hearing) Weigh(k Known[Findings]) bool {
	if k.sealed.empty() {
		return h.Add(k.value)
	}
	h.note(k.Sealed())
	return !h.Refused()
}

// UnmarshalJSON reads a figure of an entry. In the entry of a record, as [Command.WithSealed] gives it, it may be
// unknown.
func (k *Known[T]) UnmarshalJSON(b []byte) error {
	if at, ok := sealedAt(b); ok {
		*k = Unknown[T](at)
		return nil
	}
	*k = Known[T]{}
	return json.Unmarshal(b, &k.value)
}

// mayBeSealed marks the figures of an entry that a record may show sealed.
func (*Known[T]) mayBeSealed() any { return new(T) }

// sealedAt reads what [Command.WithSealed] puts where something is sealed.
func sealedAt(b []byte) (at events.Ref, ok bool) {
	if !bytes.Contains(b, []byte(`"sealed"`)) {
		return at, false
	}
	var p struct {
		Slot  *string `json:"sealed"`
		Event *uint64 `json:"event"`
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if d.Decode(&p) != nil || p.Slot == nil || p.Event == nil {
		return at, false
	}
	return events.Ref{Index: *p.Event, Slot: *p.Slot}, true
}

// sortedRefs sorts commitments by event and slot, and keeps each once.
func sortedRefs(list []events.Ref) []events.Ref {
	slices.SortFunc(list, func(a, b events.Ref) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Slot, b.Slot))
	})
	return slices.Compact(list)
}
