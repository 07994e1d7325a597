package rules_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/watu-ledger/watu/rules"
)

// TestList holds a list to a slice: whatever is made of it, the list before is what it was.
func TestList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type version struct {
			list rules.List[int]
			want []int
		}
		versions := []version{{}}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			from := versions[rapid.IntRange(0, len(versions)-1).Draw(t, "version")]
			n := rapid.IntRange(0, 9).Draw(t, "n")
			is := func(v int) bool { return v == n }
			at := -1
			for i, v := range from.want {
				if v == n {
					at = i
				}
			}
			if got, found := from.list.Find(is); found != (at >= 0) || found && got != n {
				t.Fatalf("found %d, %v in %v", got, found, from.want)
			}
			if head, tail := from.list.Cut(is); !slices.Equal(head.Slice(), from.want[:at+1]) ||
				!slices.Equal(tail, from.want[at+1:]) {
				t.Fatalf("cut at %d: %v, %v of %v", n, head.Slice(), tail, from.want)
			}
			next, found := from.list.Replace(is, func(v int) int { return v + 10 })
			want := slices.Clone(from.want)
			if at >= 0 {
				want[at] += 10
			}
			if found != (at >= 0) || !slices.Equal(next.Slice(), want) {
				t.Fatalf("replaced %d in %v: %v, %v", n, from.want, next.Slice(), found)
			}
			versions = append(versions, version{next, want},
				version{from.list.Append(n), append(slices.Clone(from.want), n)})
		}
		for _, v := range versions {
			last, before, ok := v.list.Last()
			if !slices.Equal(v.list.Slice(), v.want) || ok != (len(v.want) > 0) || ok && last != v.want[len(v.want)-1] {
				t.Fatalf("%v, want %v", v.list.Slice(), v.want)
			}
			if ok && !slices.Equal(before.Slice(), v.want[:len(v.want)-1]) {
				t.Fatalf("before the last: %v of %v", before.Slice(), v.want)
			}
		}
	})
}
