package reliability

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stale puts parts of yesterday's directory in the place of today's, in every combination: but for all of them
// together, which is the exception that docs/reliability.md names.
func (s *trials) stale(t *testing.T) {
	s.combined(t, "parts of yesterday", s.yesterday)
	t.Run("files", func(t *testing.T) { s.sameNames(t, "files of yesterday", s.yesterday) })
}

// swaps puts parts of another ledger in the place of this one's, in every combination but all of them, and files of
// it in the place of those of the same kind; and files of one campaign in the place of another's.
func (s *trials) swaps(t *testing.T) {
	s.combined(t, "parts of another ledger", s.other.dir)
	t.Run("files", func(t *testing.T) { s.sameNames(t, "files of another ledger", s.other.dir) })
	t.Run("campaigns", s.betweenCampaigns)
}

// partsOf gives the parts of which two directories have different contents.
func partsOf(t *testing.T, a, b string) (list []string) {
	t.Helper()
	for _, dir := range []string{a, b} {
		files, err := filesIn(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !slices.Contains(list, part(f)) && !same(a, b, f) {
				list = append(list, part(f))
			}
		}
	}
	slices.Sort(list)
	return list
}

func same(a, b, file string) bool {
	x, errX := os.ReadFile(filepath.Join(a, file))
	y, errY := os.ReadFile(filepath.Join(b, file))
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// instead puts a part of a directory in the place of the same, or takes it away where there is none.
func instead(dir, what, name string) damage {
	from := filepath.Join(dir, name)
	if _, err := os.Stat(from); err != nil {
		return damage{Kind: missing, Path: what}
	}
	return damage{Kind: swap, Path: what, From: from}
}

// combined tries the combinations of parts.
func (s *trials) combined(t *testing.T, what, from string) {
	t.Run("parts", func(t *testing.T) {
		parts := partsOf(t, s.closed.dir, from)
		whole := 1<<len(parts) - 1
		var list [][]damage
		for mask := 1; mask < whole; mask++ {
			single := mask&(mask-1) == 0 || (whole&^mask)&(whole&^mask-1) == 0
			if *every == 0 && !single || *every > 0 && mask%*every != 0 {
				continue
			}
			var d []damage
			for i, name := range parts {
				if mask&(1<<i) != 0 {
					d = append(d, instead(from, name, name))
				}
			}
			list = append(list, d)
		}
		var w row
		s.together(t, &w, s.closed.dir, list)
		w.tell(t, what+" ("+strings.Join(parts, ", ")+")")
	})
}

// sameNames puts each file of a directory in the place of the one of the same name or kind.
func (s *trials) sameNames(t *testing.T, what, from string) {
	ours, err := filesIn(s.closed.dir)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := filesIn(from)
	if err != nil {
		t.Fatal(err)
	}
	var list []damage
	for _, file := range ours {
		like := likeness(file, ours)
		i := slices.IndexFunc(theirs, func(f string) bool { return likeness(f, theirs) == like })
		if i >= 0 && !(file == theirs[i] && same(s.closed.dir, from, file)) {
			list = append(list, damage{Kind: swap, Path: file, From: filepath.Join(from, theirs[i])})
		}
	}
	var w row
	s.all(t, &w, s.closed.dir, list)
	w.tell(t, what)
}

// likeness is a file's folder and what its name ends with, and its place among those that are alike: the names of
// campaigns, streams and tables differ from ledger to ledger.
func likeness(file string, among []string) string {
	kind := func(f string) string {
		name := path.Base(f)
		if strings.HasPrefix(name, "0") {
			name = path.Ext(name)
		}
		name, _, _ = strings.Cut(name, "-0")
		if len(name) >= 26 {
			name = "…"
		}
		return part(f) + "/" + name
	}
	n := 0
	for _, f := range among[:slices.Index(among, file)] {
		if kind(f) == kind(file) {
			n++
		}
	}
	return fmt.Sprint(kind(file), " ", n)
}

// betweenCampaigns puts a file that belongs to one campaign in the place of another's.
func (s *trials) betweenCampaigns(t *testing.T) {
	var list []damage
	for _, folder := range []string{"secrets", "refusals", "boards"} {
		files, err := os.ReadDir(filepath.Join(s.closed.dir, folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range files {
			for _, b := range files {
				if a != b {
					list = append(list, damage{Kind: swap, Path: folder + "/" + a.Name(), From: filepath.Join(s.closed.dir, folder, b.Name())})
				}
			}
		}
	}
	var w row
	s.all(t, &w, s.closed.dir, list)
	w.tell(t, "files of one campaign for another")
}
