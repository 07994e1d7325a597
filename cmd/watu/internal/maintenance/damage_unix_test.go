//go:build unix

package maintenance_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
)

// TestLookHangs: while the disk does not answer who looks at what lies beside the record, a server still says how it
// is. Whoever looks holds a lock, as long as the disk pleases.
func TestLookHangs(t *testing.T) {
	t.Parallel()
	f, err := service.New(maintenance.Open(t.Context(), filepath.Join(t.TempDir(), "ledger"),
		maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.OpenCampaign(replay.NewCampaign{Name: "atlantic", System: "awaw"}); err != nil {
		t.Fatal(err)
	}
	c, err := f.Umpire().Find("atlantic")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(f.Dir(), "secrets", c.ID.String())
	release := f.HoldLook()
	if err := errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)); err != nil {
		t.Fatal(err)
	}
	f.Looked(time.Time{}) // long ago
	answer := make(chan int, 1)
	go func() { answer <- len(f.Health().Damaged) + len(f.Standing().Damaged) }()
	select {
	case n := <-answer:
		if n > 0 {
			t.Errorf("nobody has seen the damage yet, and it says %d", n)
		}
	case <-time.After(20 * time.Second):
		t.Error("nothing says how the server is")
	}
	release()
	f.Damaged()
	for deadline := time.Now().Add(20 * time.Second); len(f.Damaged()) != 1; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("then it found %+v", f.Damaged())
		}
	}
}

// TestNoFiles: a pipe, a directory, a device or a gigabyte of nothing in the place of a file beside the record is that
// file's damage. Nothing waits for it or reads it whole, the ledger opens, and another campaign goes on.
func TestNoFiles(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ledger")
	f, err := service.New(maintenance.Open(t.Context(), dir, maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"atlantic", "pacific"} {
		if _, err := f.OpenCampaign(replay.NewCampaign{Name: name, System: "awaw"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.IssueToken(service.NewToken{Campaign: "atlantic", As: timeline.Umpire}); err != nil {
		t.Fatal(err)
	}
	c, err := f.Umpire().Find("atlantic")
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"secrets/" + c.ID.String(), "imports/" + c.ID.String(), "refusals/" + c.ID.String(),
		"tokens"} {
		for what, put := range map[string]func(string) error{
			"a pipe":      func(p string) error { return syscall.Mkfifo(p, 0o600) },
			"a directory": func(p string) error { return os.Mkdir(p, 0o700) },
			"a device":    func(p string) error { return os.Symlink("/dev/zero", p) },
			"a gigabyte": func(p string) error {
				return errors.Join(os.WriteFile(p, nil, 0o600), os.Truncate(p, 1<<30))
			},
		} {
			t.Run(name[:6]+" "+what, func(t *testing.T) { noFile(t, dir, name, put) })
		}
	}
}

func noFile(t *testing.T, dir, name string, put func(string) error) {
	path := filepath.Join(dir, name)
	was, _ := os.ReadFile(path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.RemoveAll(path), put(path)); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f, err := service.New(maintenance.Open(t.Context(), dir, maintenance.Options{}))
		if err != nil {
			t.Error(err)
			return
		}
		list := f.CheckFiles()
		if len(list) != 1 || list[0].Name != name || list[0].Problem.Kind != problem.Unverified {
			t.Errorf("it found %+v", list)
		}
		if all, err := f.Campaigns(); err != nil || len(all.Campaigns) != 2 {
			t.Errorf("campaigns: %+v, %v", all, err)
		}
		for _, name := range []string{"atlantic", "pacific"} {
			c, _ := f.Umpire().Find(name)
			if v, err := f.Verification(t.Context(), c.Name, "", nil); err != nil || !v.Verified {
				t.Errorf("%s: %+v, %v", name, v.Findings, err)
			}
		}
		in := service.Submission{Name: "x", Entry: true, Text: "{id: " + ulid.Make().String() + ", draw: Nothing Such}"}
		_, err = f.Submit(t.Context(), "pacific", timeline.Viewer{As: timeline.Umpire}, in)
		if err != nil && problem.Of(err).Kind != problem.Refused && problem.Of(err).Kind != problem.Input {
			t.Errorf("another campaign: %v", err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("somebody waits for what is no file")
	}
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	if was != nil {
		if err := os.WriteFile(path, was, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
