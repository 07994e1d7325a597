package reliability

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stale puts parts of yesterday's directory in the place of today's, or takes them away, in every combination but
// the exception that docs/reliability.md names: where record, CHECKPOINT and stream are all of yesterday, or gone,
// nothing knows of what is lost.
func (s *trials) stale(t *testing.T) {
	s.combined(t, s.yesterday, []string{yesterdays, gone}, func(is map[string]string) bool {
		return is["record"] == yesterdays && is["CHECKPOINT"] != todays && is["stream"] != todays
	})
	t.Run("files", func(t *testing.T) { s.sameNames(t, s.yesterday) })
}

// swaps puts parts of another ledger in the place of this one's, in every combination: all of them but LEDGER, which
// says whose they are. Then files of it in the place of those of the same kind, and files of one campaign in the place
// of another's.
func (s *trials) swaps(t *testing.T) {
	s.combined(t, s.other.dir, []string{yesterdays}, func(is map[string]string) bool {
		return is["LEDGER"] != todays
	})
	t.Run("files", func(t *testing.T) { s.sameNames(t, s.other.dir) })
	t.Run("campaigns", s.betweenCampaigns)
}

// What stands in the place of a part: it itself, that of another directory, or nothing.
const todays, yesterdays, gone = "", "another", "gone"

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

// combined tries the combinations of what may stand in the place of each part; without -reliability.every those of
// one part alone, and those of all parts but one.
func (s *trials) combined(t *testing.T, from string, others []string, but func(is map[string]string) bool) {
	t.Run("parts", func(t *testing.T) {
		parts := partsOf(t, s.closed.dir, from)
		var list [][]damage
		n := 0
		for is := range combinations(parts, others) {
			changed := len(parts) - count(is, todays)
			if changed == 0 || but(is) || *every == 0 && changed != 1 && count(is, yesterdays) != len(parts)-1 {
				continue
			}
			if n++; *every > 1 && n%*every != 0 {
				continue
			}
			var d []damage
			for _, name := range parts {
				d = append(d, instead(is[name], from, name)...)
			}
			list = append(list, d)
		}
		var w row
		s.together(t, &w, s.closed.dir, list)
		w.tell(t)
	})
}

// combinations gives what stands in the place of each part, in every way.
func combinations(parts, others []string) iter.Seq[map[string]string] {
	choices := append([]string{todays}, others...)
	return func(yield func(map[string]string) bool) {
		for n := 0; ; n++ {
			is, rest := map[string]string{}, n
			for _, name := range parts {
				is[name], rest = choices[rest%len(choices)], rest/len(choices)
			}
			if rest > 0 || !yield(is) {
				return
			}
		}
	}
}

func count(is map[string]string, what string) (n int) {
	for _, x := range is {
		if x == what {
			n++
		}
	}
	return n
}

// instead puts in the place of a part what is to stand there.
func instead(what, dir, name string) []damage {
	from := filepath.Join(dir, name)
	_, err := os.Stat(from)
	switch {
	case what == todays:
		return nil
	case what == gone || err != nil:
		return []damage{{Kind: missing, Path: name}}
	}
	return []damage{{Kind: swap, Path: name, From: from}}
}

// sameNames puts each file of a directory in the place of the one of the same name or kind.
func (s *trials) sameNames(t *testing.T, from string) {
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
	w.tell(t)
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
					list = append(list, damage{Kind: swap, Path: folder + "/" + a.Name(),
						From: filepath.Join(s.closed.dir, folder, b.Name())})
				}
			}
		}
	}
	var w row
	s.all(t, &w, s.closed.dir, list)
	w.tell(t)
}
