package delta

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// apply does what a patch orders.
func apply(t *testing.T, old, patch string) string {
	t.Helper()
	had, lines := strings.Split(old, "\n"), strings.Split(patch, "\n")
	orders, fresh := strings.Fields(lines[0]), lines[1:]
	var out []string
	for _, order := range orders {
		from, count, copies := strings.Cut(order, "+")
		a, err := strconv.Atoi(from)
		if err != nil {
			t.Fatal(err)
		}
		if !copies {
			out, fresh = append(out, fresh[:a]...), fresh[a:]
			continue
		}
		n, err := strconv.Atoi(count)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, had[a:a+n]...)
	}
	if len(fresh) > 0 {
		t.Errorf("nobody takes %q", fresh)
	}
	return strings.Join(out, "\n")
}

func TestPatch(t *testing.T) {
	for _, c := range []struct{ old, now, want string }{
		{"Score\nGermany 27\nJapan 10", "Score\nGermany 21\nJapan 10", "0+1 1 2+1\nGermany 21"},
		{"a\nb\nc\n", "a\nb\nc\n", "0+4"},
		{"a\nb\n", "new\na\nb\n", "1 0+3\nnew"},
		{"a\n\nb\n\nc", "a\n\nc", "0+2 4+1"},
		{"", "a\nb", "2\na\nb"},
		{"a\nb", "", "1\n"},
		{"a", "a\na\na", "0+1 0+1 0+1"},
	} {
		var m Memory
		m.Remember("", "old", []byte(c.old))
		got, ok := m.Patch("", "old", []byte(c.now))
		if !ok || string(got) != c.want {
			t.Errorf("from %q to %q: %q, %v", c.old, c.now, got, ok)
		}
		if made := apply(t, c.old, string(got)); made != c.now {
			t.Errorf("%q makes %q of %q, not %q", got, made, c.old, c.now)
		}
	}
}

// Whatever changes, a patch makes the new text.
func TestPatchesAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var m Memory
	random := func() string {
		lines := make([]string, r.IntN(30))
		for i := range lines {
			lines[i] = strings.Repeat("x", r.IntN(6))
		}
		return strings.Join(lines, "\n")
	}
	for i := range 2000 {
		old, now := random(), random()
		tag := fmt.Sprint(i)
		m.Remember("", tag, []byte(old))
		p, ok := m.Patch("", tag, []byte(now))
		if made := apply(t, old, string(p)); !ok || made != now {
			t.Fatalf("%d: %q makes %q of %q, not %q", i, p, made, old, now)
		}
	}
}

// A memory is bounded: what is longest unused is forgotten, and whoever has that gets the whole page.
func TestMemoryIsBounded(t *testing.T) {
	var m Memory
	if _, ok := m.Patch("", "never", nil); ok {
		t.Error("a text that was never sent is known")
	}
	long := []byte(strings.Repeat("line\n", mostLines/8))
	for i := range 20 {
		m.Remember("", fmt.Sprint(i), long)
		m.Remember("", "0", long)
	}
	var known []int
	for i := range 20 {
		if _, ok := m.Patch("", fmt.Sprint(i), long); ok {
			known = append(known, i)
		}
	}
	if m.lines > mostLines || !slices.Equal(known, []int{0, 14, 15, 16, 17, 18, 19}) {
		t.Errorf("%d lines of %v are known", m.lines, known)
	}
}

// Who guesses what another alone was sent does not hear that he guessed right.
func TestTextsOfOneReaderAlone(t *testing.T) {
	var m Memory
	m.Remember("reader of a", "tag", []byte("a\nb"))
	for whose, known := range map[string]bool{"reader of a": true, "another": false, "": false} {
		if _, ok := m.Patch(whose, "tag", []byte("a")); ok != known {
			t.Errorf("%q has a patch of it: %v", whose, ok)
		}
	}
}
