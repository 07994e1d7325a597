package rules

import (
	"iter"
	"maps"
	"slices"
)

// List is a list that grows at its end and never changes: [List.Append] leaves the receiver as it was, shares all of it
// with the result, and costs the same however long the list is. It is read from its end. The zero List is empty.
//
// A [Game] keeps in Lists what grows with the campaign. A slice would be copied for each event, because the states
// before the event go on: a question is answered on one, a hypothesis is played on another.
type List[T any] struct{ last *link[T] }

type link[T any] struct {
	value  T
	before *link[T]
}

func (l List[T]) empty() bool { return l.last == nil }

// Append gives the list with one value more.
func (l List[T]) Append(v T) List[T] { return List[T]{&link[T]{v, l.last}} }

// Last gives the value that was appended last and the list before it; false for the empty list.
func (l List[T]) Last() (v T, before List[T], ok bool) {
	if l.last == nil {
		return v, l, false
	}
	return l.last.value, List[T]{l.last.before}, true
}

// Backward gives the values, the last one first.
func (l List[T]) Backward() iter.Seq[T] {
	return func(yield func(T) bool) {
		for at := l.last; at != nil && yield(at.value); at = at.before {
		}
	}
}

// Slice gives the values in the order in which they were appended.
func (l List[T]) Slice() []T {
	list := slices.Collect(l.Backward())
	slices.Reverse(list)
	return list
}

// Cut divides the list behind the last value for which whole holds: head is that value and what was appended before
// it, tail what was appended since, in order. Its cost is that of tail.
func (l List[T]) Cut(whole func(T) bool) (head List[T], tail []T) {
	for v, before, ok := l.Last(); ok && !whole(v); v, before, ok = l.Last() {
		l, tail = before, append(tail, v)
	}
	slices.Reverse(tail)
	return l, tail
}

// Find gives the last value that is sought.
func (l List[T]) Find(sought func(T) bool) (v T, found bool) {
	for v = range l.Backward() {
		if sought(v) {
			return v, true
		}
	}
	return v, false
}

// Replace gives the list with the last value that is sought changed; false if there is none. Its cost is that of what
// was appended since.
func (l List[T]) Replace(sought func(T) bool, change func(T) T) (List[T], bool) {
	head, tail := l.Cut(sought)
	v, head, found := head.Last()
	if !found {
		return l, false
	}
	head = head.Append(change(v))
	for _, later := range tail {
		head = head.Append(later)
	}
	return head, true
}

// Put gives a map with one entry replaced.
func Put[K comparable, V any](m map[K]V, k K, v V) map[K]V {
	c := maps.Clone(m)
	if c == nil {
		c = map[K]V{}
	}
	c[k] = v
	return c
}

// Find gives the first of a list that is sought, and false if there is none.
func Find[T any](list []T, sought func(T) bool) (v T, found bool) {
	if i := slices.IndexFunc(list, sought); i >= 0 {
		return list[i], true
	}
	return v, false
}

// Each gives what f makes of each of a list.
func Each[T, R any](list []T, f func(T) R) []R {
	var each []R
	for _, v := range list {
		each = append(each, f(v))
	}
	return each
}

// Count is how many of a list are counted.
func Count[T any](list []T, counted func(T) bool) int {
	n := 0
	for _, v := range list {
		if counted(v) {
			n++
		}
	}
	return n
}

// Sum adds up a figure of each item of a list.
func Sum[T any](list []T, of func(T) int) int {
	n := 0
	for _, v := range list {
		n += of(v)
	}
	return n
}
