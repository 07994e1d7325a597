package service

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/verify"
)

// again writes a file and reads it, as whoever gets it does.
func again(t *testing.T, f *bundle.File) *bundle.File {
	t.Helper()
	f, err := ReadRecord(bytes.NewReader(f.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func verified(t *testing.T, f *bundle.File) verify.Verification {
	t.Helper()
	v, err := Verify(again(t, f), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestStripped takes out of files for the umpire and for sides what they should hold: all openings or one, all links or
// one, a link for an earlier one, sheets, maps. Each is found. A file that says so itself is not accused, and all that
// it lacks is listed. A short run takes them out of the files for two readers.
func TestStripped(t *testing.T) {
	t.Parallel()
	c := played(t)
	stripped := 0
	for _, k := range fixtures.Campaigns() {
		for i, reader := range readersOf(t, c, k.Name) {
			if i > 1 && !longrun.On() {
				break
			}
			whole := fileOf(t, c, k.Name, reader)
			for what, strip := range strippings(whole) {
				stripped++
				f := *whole
				strip(&f)
				v := verified(t, &f)
				if v.Verified || v.Wrong() == "" {
					t.Errorf("%s for %s without %s verifies", k.Name, reader, what)
					continue
				}
				lacks := f.Missing()
				if len(lacks) == 0 || len(v.Missing) != len(lacks) || v.Missing[0].Stated {
					t.Errorf("%s for %s without %s: missing are %v, not %v", k.Name, reader, what, v.Missing, lacks)
				}
				f.Lacks = lacks
				v = verified(t, &f)
				listed := slices.ContainsFunc(v.Unchecked, func(u bundle.Unchecked) bool {
					return strings.Contains(u.Why, "its host does not hold")
				})
				if !v.Verified || len(v.Missing) != len(lacks) || !v.Missing[0].Stated || !listed {
					t.Errorf("%s for %s, which says that it is without %s: %v, missing %v, %v", k.Name, reader, what,
						v.Findings, v.Missing, v.Unchecked)
				}
				f = *whole
				f.Lacks = lacks
				if v = verified(t, &f); v.Verified {
					t.Errorf("%s for %s says that it is without %s, and holds it: that verifies", k.Name, reader, what)
				}
			}
		}
	}
	if stripped < longrun.Of(25, 90) {
		t.Errorf("only %d files were stripped", stripped)
	}
}

// strippings take something out of a file.
func strippings(f *bundle.File) map[string]func(f *bundle.File) {
	out := map[string]func(f *bundle.File){
		"sheets": func(f *bundle.File) { f.Editions = nil },
	}
	disclosed := map[events.Ref]bool{}
	for _, b := range f.Events {
		if e, err := events.Decode(b); err == nil {
			for _, o := range e.Openings {
				disclosed[events.Ref{Index: o.Index, Slot: o.Slot}] = true
			}
		}
	}
	sealed := slices.IndexFunc(f.Openings, func(o events.Opening) bool {
		return !disclosed[events.Ref{Index: o.Index, Slot: o.Slot}]
	})
	if sealed >= 0 {
		out["openings"] = func(f *bundle.File) { f.Openings = nil }
		out["an opening"] = func(f *bundle.File) {
			f.Openings = slices.Delete(slices.Clone(f.Openings), sealed, sealed+1)
		}
		out["openings and links"] = func(f *bundle.File) { f.Openings, f.Links = nil, nil }
	}
	if len(f.Links) > 0 {
		out["links"] = func(f *bundle.File) { f.Links = nil }
		out["a link"] = func(f *bundle.File) { f.Links = f.Links[1:] }
	}
	if len(f.Boards) > 0 {
		out["the board"] = func(f *bundle.File) { f.Boards = nil }
	}
	if at := slices.IndexFunc(f.Links, func(l bundle.Link) bool { return l.Position > 1 }); at >= 0 {
		out["a newest link"] = func(f *bundle.File) {
			f.Links = slices.Clone(f.Links)
			l := &f.Links[at]
			l.Position--
			l.Link.Link = sha256.Sum256(l.Link.Link[:])
		}
	}
	return out
}

// TestStrippedAndChanged changes commitments of an umpire's file from which everything sealed was taken: that is found.
func TestStrippedAndChanged(t *testing.T) {
	t.Parallel()
	c := played(t)
	changed := 0
	for _, k := range fixtures.Campaigns() {
		f := *fileOf(t, c, k.Name, "umpire")
		f.Openings, f.Links = nil, nil
		for i, b := range f.Events {
			e, err := events.Decode(b)
			if err != nil {
				t.Fatal(err)
			}
			if len(e.Commitments) == 0 || changed > 40 {
				continue
			}
			e.Commitments[0].Hash[3] ^= 1
			changed++
			if v := verified(t, rehashed(t, &f, i, e)); v.Verified {
				t.Errorf("%s: another commitment in #%d verifies", k.Name, i)
			}
		}
	}
	if changed == 0 {
		t.Error("nothing was committed to")
	}
}

// TestHostLacks exports campaigns whose secrets, or whose board, their host has lost: the files say so, nobody is
// accused, and what is lacking is listed. An import carries it on.
func TestHostLacks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f, err := New(maintenance.Open(t.Context(), dir, maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	c := f
	for _, k := range fixtures.Campaigns() {
		play(t, c, k)
	}
	for _, name := range []string{"secrets", "boards"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	other := began(t)
	for _, k := range fixtures.Campaigns() {
		done, b, err := c.Export(t.Context(), k.Name, ExportRequest{For: timeline.Umpire})
		if err != nil {
			t.Fatal(err)
		}
		file, err := ReadRecord(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		v, err := Verify(file, "", nil)
		links, board := k.System == "awaw", len(k.Board) > 0
		if err != nil || !v.Verified || (len(v.Missing) > 0) != (links || board) || (len(done.Lacks) > 0) != (links ||
			board) {
			t.Errorf("%s: %v, %v, missing %v, said %v", k.Name, err, v.Findings, v.Missing, done.Lacks)
		}
		if !links {
			continue
		}
		var taken Imported
		if err := into(&taken)(other.Import(bytes.NewReader(b), "")); err != nil {
			t.Fatal(err)
		}
		if file := fileOf(t, other, k.Name, "umpire"); !bytes.Equal(file.Encode(), b) {
			t.Errorf("%s: what was imported is exported otherwise: it lacks %v", k.Name, file.Lacks)
		}
	}
}
