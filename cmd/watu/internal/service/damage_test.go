package service

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay/kept"
)

// No changed bit of what is known of an import makes it another's, or none's.
func TestImportDamaged(t *testing.T) {
	l, err := ledger.Open(t.TempDir(), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	f, id := &Service{dir: t.TempDir(), ledger: l}, ulid.Make()
	want := origin{For: "UK", Events: 12, Head: events.Hash{1}, Board: true}
	if err := f.keepOrigin(id, want); err != nil {
		t.Fatal(err)
	}
	path := originOf(f.dir, id)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if o, ok, err := f.imported(id); err != nil || !ok || o.For != want.For || o.Events != want.Events || !o.Board {
		t.Errorf("%+v, %v, %v", o, ok, err)
	}
	for i := range whole {
		for bit := range 8 {
			text := bytes.Clone(whole)
			text[i] ^= 1 << bit
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if o, _, err := f.imported(id); !errors.Is(err, kept.ErrDamaged) {
				t.Fatalf("%s is read as %+v, %v", text, o, err)
			}
		}
	}
	if err := l.VouchFrom(); err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{kept.Seal(titleImport+id.String(), []byte(`{"for":"UK","events":12}`)), nil} {
		if err := errors.Join(os.Remove(path), l.Beside(nameImport(id)).Vouch(whole)); err != nil {
			t.Fatal(err)
		}
		if text != nil {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if o, _, err := f.imported(id); !errors.Is(err, kept.ErrDamaged) {
			t.Errorf("%q instead is read as %+v, %v", text, o, err)
		}
	}
	earlier := `{"version":1,"for":"UK","events":12,"head":"` + want.Head.String() + `"}` + "\n"
	if err := os.WriteFile(path, []byte(earlier), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.Beside(nameImport(id)).Vouch([]byte(earlier)); err != nil {
		t.Fatal(err)
	}
	if o, ok, err := f.imported(id); err != nil || !ok || o.For != "UK" {
		t.Errorf("of version 1: %+v, %v, %v", o, ok, err)
	}
}

// What is wrong beside the record is found when the ledger is opened, and no more once it is mended.
func TestDamaged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	var said []string
	begin := func() *Service {
		t.Helper()
		f, err := Open(t.Context(), dir, Options{Begin: true, Say: func(line string) { said = append(said, line) }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	f := begin()
	if _, err := f.OpenCampaign(NewCampaign{Name: "atlantic", System: "awaw"}); err != nil {
		t.Fatal(err)
	}
	c, err := f.find("atlantic")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "secrets", c.ID.String())
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	said = nil
	f = begin()
	if len(said) != 1 || !strings.Contains(said[0], "secrets of campaign atlantic") {
		t.Errorf("it says %q", said)
	}
	for _, list := range [][]Thing{f.Vitals().Damaged, f.Standing().Damaged, wrong(f.Directory().Things)} {
		if len(list) != 1 || list[0].Name != "secrets/"+c.ID.String() || list[0].Problem.Kind != problem.Unverified {
			t.Errorf("damaged: %+v", list)
		}
	}
	if err := f.unspoilt(Keys{}); problem.Of(err) == nil || problem.Of(err).Kind != problem.Unverified {
		t.Errorf("a backup: %v", err)
	}
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	f.look()
	if list := f.Vitals().Damaged; len(list) > 0 {
		t.Errorf("mended, and yet %+v", list)
	}
	onlyWhoAsksLooks(t, f, path)
}

// onlyWhoAsksLooks damages a secret: the ledger's standing rests on the last look, unless somebody asks for another.
func onlyWhoAsksLooks(t *testing.T, f *Service, secret string) {
	t.Helper()
	if err := os.Remove(secret); err != nil {
		t.Fatal(err)
	}
	f.lastLook.Store(&lookedAt{when: time.Now()})
	if s := f.Standing(); len(s.Damaged) != 0 {
		t.Errorf("the standing finds %+v", s.Damaged)
	}
	if s := f.Status(t.Context()); len(s.Damaged) != 1 {
		t.Errorf("the status finds %+v", s.Damaged)
	}
}

// The openings of an import are in no event, so a record that has lost them has all that CHECKPOINT and stream know of.
func TestOpeningsLost(t *testing.T) {
	c := began(t)
	i := slices.IndexFunc(fixtures.Campaigns(), func(k fixtures.Campaign) bool { return k.System == "awaw" })
	k := fixtures.Campaigns()[i]
	opened(t, c, k)
	submitted(t, c, k, k.Files[0])
	file := fileOf(t, c, k.Name, Umpire)
	if len(file.Openings) == 0 {
		t.Fatal("there are no openings to lose")
	}
	dir := t.TempDir()
	open := func() *Service {
		t.Helper()
		f, err := Open(t.Context(), dir, Options{Begin: true})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	damaged := func(o *Service) (list []Thing) {
		t.Helper()
		list = o.look()
		if err := o.Close(); err != nil {
			t.Fatal(err)
		}
		return list
	}
	other := open()
	if err := into(&Imported{})(other.Import(bytes.NewReader(file.Encode()), "")); err != nil {
		t.Fatal(err)
	}
	if list := damaged(other); len(list) > 0 {
		t.Fatalf("whole, and yet %+v", list)
	}
	logs, err := filepath.Glob(filepath.Join(dir, "record", "*.log"))
	if err != nil || len(logs) == 0 {
		t.Fatal(logs, err)
	}
	last := slices.Max(logs)
	info, err := os.Stat(last)
	if err == nil {
		err = os.Truncate(last, info.Size()-64) // with the trailer that Pebble writes when it closes
	}
	if err != nil {
		t.Fatal(err)
	}
	other = open()
	if list := damaged(other); len(list) != 1 || !strings.HasPrefix(list[0].Name, "imports/") ||
		list[0].Problem.Kind != problem.Unverified {
		t.Errorf("the openings are lost, and found is %+v", list)
	}
	other = open()
	if err := into(&Imported{})(other.Import(bytes.NewReader(file.Encode()), "")); err != nil {
		t.Fatal(err)
	}
	importUnderWay(t, other)
	if list := damaged(other); len(list) > 0 {
		t.Errorf("imported again, and yet %+v", list)
	}
}

// importUnderWay looks at a service while its import has said what is to come, and not brought all of it: that is no
// damage until the import has ended without it.
func importUnderWay(t *testing.T, f *Service) {
	t.Helper()
	c := f.ledger.Campaigns()[0]
	o, _, err := f.imported(c.ID)
	if err != nil {
		t.Fatal(err)
	}
	more := o
	more.Events++
	f.importing.Lock()
	if err := f.keepOrigin(c.ID, more); err != nil {
		t.Fatal(err)
	}
	if list := f.look(); len(list) > 0 {
		t.Errorf("an import is under way, and found is %+v", list)
	}
	f.importing.Unlock()
	if list := f.look(); len(list) != 1 {
		t.Errorf("an import was cut short, and found is %+v", list)
	}
	if err := f.keepOrigin(c.ID, o); err != nil {
		t.Fatal(err)
	}
}
