package reliability

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/fixtures/longrun"
)

// TestDamage makes the trials of docs/reliability.md: one row is one of its parts.
func TestDamage(t *testing.T) {
	longrun.Only(t)
	s := setUp(t)
	t.Run("flips", s.flips)
	t.Run("cuts", s.cuts)
	t.Run("missing", s.missing)
	t.Run("stale", s.stale)
	t.Run("swaps", s.swaps)
}

// place is an undamaged directory and the files of it that are damaged.
type place struct {
	name, dir string
	files     []string
}

// byPart lists what is damaged: all of a ledger that was closed; of one that crashed and of one that was handed
// over what is there otherwise.
func (s *trials) byPart(t *testing.T) (list []place) {
	t.Helper()
	for _, b := range []struct {
		name, dir string
		parts     []string // all of them if none is named
	}{
		{"", s.closed.dir, nil},
		{".crashed", s.crashed, []string{"HOLDER", "SOCKET", "CHECKPOINT", "record", "views", "stream"}},
		{".handed-over", s.handedOver, []string{"LEDGER", "CHECKPOINT", "READONLY"}},
	} {
		files, err := filesIn(b.dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if b.parts != nil && !slices.Contains(b.parts, part(file)) {
				continue
			}
			name := part(file) + b.name
			if n := len(list); n == 0 || list[n-1].name != name {
				list = append(list, place{name: name, dir: b.dir})
			}
			list[len(list)-1].files = append(list[len(list)-1].files, file)
		}
	}
	return list
}

// each makes the trials of every part; make gives those of a file of so many bytes.
func (s *trials) each(t *testing.T, make func(file string, size int) []damage) {
	for _, p := range s.byPart(t) {
		t.Run(p.name, func(t *testing.T) {
			var w row
			var list []damage
			for _, file := range p.files {
				info, err := os.Stat(filepath.Join(p.dir, file))
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, make(file, int(info.Size()))...)
			}
			s.all(t, &w, p.dir, list)
			w.tell(t)
		})
	}
}

// flips flips one bit.
func (s *trials) flips(t *testing.T) {
	s.each(t, func(file string, size int) (list []damage) {
		for _, at := range places(file, 8*size) {
			list = append(list, damage{Kind: flip, Path: file, At: at / 8, Bit: at % 8})
		}
		return list
	})
}

// cuts leaves the beginning of a file.
func (s *trials) cuts(t *testing.T) {
	s.each(t, func(file string, size int) (list []damage) {
		for _, at := range places(file, size) {
			list = append(list, damage{Kind: cut, Path: file, At: at})
		}
		return list
	})
}

// missing takes a file away, or all of it, and the folder of a part.
func (s *trials) missing(t *testing.T) {
	folders := map[string]bool{}
	s.each(t, func(file string, size int) (list []damage) {
		list = append(list, damage{Kind: missing, Path: file})
		if size > 0 {
			list = append(list, damage{Kind: cut, Path: file})
		}
		if folder := part(file); folder != file && !folders[folder] {
			folders[folder] = true
			list = append(list, damage{Kind: missing, Path: folder})
		}
		return list
	})
}
