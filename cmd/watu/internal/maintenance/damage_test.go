package maintenance_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
)

// What is wrong beside the record is found when the ledger is opened, and no more once it is mended.
func TestDamaged(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ledger")
	var lines []string
	begin := func() *service.Service {
		t.Helper()
		f, err := service.New(maintenance.Open(t.Context(), dir, maintenance.Options{Begin: true,
			Say: func(line string) { lines = append(lines, line) }}))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	f := begin()
	if _, err := f.OpenCampaign(replay.NewCampaign{Name: "atlantic", System: "awaw"}); err != nil {
		t.Fatal(err)
	}
	c, err := f.Umpire().Find("atlantic")
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
	lines = nil
	f = begin()
	if len(lines) != 1 || !strings.Contains(lines[0], "secrets of campaign atlantic") {
		t.Errorf("it says %q", lines)
	}
	for _, list := range [][]maintenance.CheckedFile{f.Health().Damaged, f.Standing().Damaged, f.Directory().Wrong()} {
		if len(list) != 1 || list[0].Name != "secrets/"+c.ID.String() || list[0].Problem.Kind != problem.Unverified {
			t.Errorf("damaged: %+v", list)
		}
	}
	if _, err := f.Backup(io.Discard, maintenance.Keys{Passphrase: "x"}); problem.Of(err) == nil ||
		problem.Of(err).Kind != problem.Unverified {
		t.Errorf("a backup: %v", err)
	}
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	f.CheckFiles()
	if list := f.Health().Damaged; len(list) > 0 {
		t.Errorf("mended, and yet %+v", list)
	}
	onlyWhoAsksLooks(t, f, path)
}

// onlyWhoAsksLooks damages a secret: the ledger's standing rests on the last look, unless somebody asks for another.
func onlyWhoAsksLooks(t *testing.T, f *service.Service, secret string) {
	t.Helper()
	if err := os.Remove(secret); err != nil {
		t.Fatal(err)
	}
	f.Looked(time.Now())
	if s := f.Standing(); len(s.Damaged) != 0 {
		t.Errorf("the standing finds %+v", s.Damaged)
	}
	if s := f.Status(t.Context()); len(s.Damaged) != 1 {
		t.Errorf("the status finds %+v", s.Damaged)
	}
}

// The openings of an import are in no event, so a record that has lost them has all that CHECKPOINT and stream know of.
func TestOpeningsLost(t *testing.T) {
	t.Parallel()
	file := sealedFile(t)
	dir := t.TempDir()
	open := func() *service.Service {
		t.Helper()
		f, err := service.New(maintenance.Open(t.Context(), dir, maintenance.Options{Begin: true}))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	damaged := func(o *service.Service) (list []maintenance.CheckedFile) {
		t.Helper()
		list = o.CheckFiles()
		if err := o.Close(); err != nil {
			t.Fatal(err)
		}
		return list
	}
	other := open()
	if _, err := other.Import(bytes.NewReader(file), ""); err != nil {
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
	if _, err := other.Import(bytes.NewReader(file), ""); err != nil {
		t.Fatal(err)
	}
	importUnderWay(t, other)
	if list := damaged(other); len(list) > 0 {
		t.Errorf("imported again, and yet %+v", list)
	}
}

// sealedFile gives the umpire's file of a campaign with secrets.
func sealedFile(t *testing.T) []byte {
	t.Helper()
	f, err := service.New(maintenance.Open(t.Context(), t.TempDir(), maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	i := slices.IndexFunc(fixtures.Campaigns(), func(k fixtures.Campaign) bool { return k.System == "awaw" })
	k := fixtures.Campaigns()[i]
	_, err = f.OpenCampaign(replay.NewCampaign{Name: k.Name, System: k.System, Options: k.Options, Note: k.Note,
		Seed: k.Seed})
	if err != nil {
		t.Fatal(err)
	}
	umpire, turn := timeline.Viewer{As: timeline.Umpire}, k.Files[0]
	_, err = f.Submit(t.Context(), k.Name, umpire, service.Submission{Name: turn.Name, Text: string(turn.Data)})
	if err != nil {
		t.Fatal(err)
	}
	done, file, err := f.Export(t.Context(), k.Name, service.ExportRequest{For: timeline.Umpire})
	if err != nil || done.Openings == 0 {
		t.Fatalf("%d openings to lose: %v", done.Openings, err)
	}
	return file
}

// importUnderWay looks at a service while its import has said what is to come, and not brought all of it: that is no
// damage until the import has ended without it.
func importUnderWay(t *testing.T, f *service.Service) {
	t.Helper()
	c := f.Ledger().Campaigns()[0]
	o, _, err := f.Imported(c.ID)
	if err != nil {
		t.Fatal(err)
	}
	err = f.Importing(c.ID, func() {
		if list := f.CheckFiles(); len(list) > 0 {
			t.Errorf("an import is under way, and found is %+v", list)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if list := f.CheckFiles(); len(list) != 1 {
		t.Errorf("an import was cut short, and found is %+v", list)
	}
	if err := f.KeepOrigin(c.ID, o); err != nil {
		t.Fatal(err)
	}
}
