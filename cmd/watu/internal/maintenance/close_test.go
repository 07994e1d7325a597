package maintenance_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
)

// Parts that never come back are given up once the process was asked to end, in their order, and said; the
// others are closed all the same.
func TestCloseGivesUp(t *testing.T) {
	t.Parallel()
	ctx, ask := context.WithCancel(t.Context())
	var lines []string
	tried := make(chan string, 2) // its senders never come back
	f, err := service.New(maintenance.Open(ctx, filepath.Join(t.TempDir(), "ledger"), maintenance.Options{Begin: true,
		Say: func(line string) {
			lines = append(lines, line)
		}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, hung := range []string{"the first", "the second"} {
		f.AtClose(hung, func(context.Context) error {
			tried <- hung
			select {}
		})
	}
	ask()
	if err := f.Close(); err == nil || problem.Of(err).Kind != problem.Failed || !strings.HasPrefix(err.Error(),
		"the second: what it waits for") {
		t.Errorf("close: %v", err)
	}
	done := []string{<-tried, <-tried}
	if !slices.Equal(done, []string{"the second", "the first"}) || len(lines) != 1 ||
		!strings.HasPrefix(lines[0], "the first: ") {
		t.Errorf("tried %q, said %q", done, lines)
	}
	again, err := service.New(maintenance.Open(t.Context(), f.Dir(), maintenance.Options{}))
	if err != nil {
		t.Fatalf("the record was not closed: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// A service whose ledger is open to be read alone shows what there is, and takes no step: also where the full disk cut
// short the replacement of a file that the record vouches for, or nothing was vouched for yet.
func TestFullDiskIsRead(t *testing.T) {
	t.Parallel()
	for _, left := range []string{"nothing", "tokens half replaced", "a ledger of an older version"} {
		t.Run(left, func(t *testing.T) { fullDiskIsRead(t, left) })
	}
}

func fullDiskIsRead(t *testing.T, left string) {
	dir := filepath.Join(t.TempDir(), "ledger")
	c, err := service.New(maintenance.OpenWhenFree(t.Context(), dir, maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.OpenCampaign(replay.NewCampaign{Name: "atlantic", System: "awaw", Seed: "full"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	switch left {
	case "tokens half replaced":
		leaveTokens(t, dir)
	case "a ledger of an older version":
		dir = knowsNothingBeside(t, dir)
	}
	if c, err = service.New(maintenance.OpenFullDisk(t.Context(), dir)); err != nil {
		t.Fatal(err)
	}
	var view timeline.View
	if view, err = c.View(t.Context(), "atlantic", timeline.Viewer{As: timeline.Public}, "pools", ""); err != nil ||
		view.Events == 0 {
		t.Errorf("%d events: %v", view.Events, err)
	}
	_, err = c.Submit(t.Context(), "atlantic", timeline.Viewer{As: timeline.Umpire}, service.Submission{Name: "x",
		Text: "turn: Spring 1940\n"})
	if p := problem.Of(err); p == nil || p.Kind != problem.Failed || !strings.Contains(p.Message,
		"is full; free space on it and start again") {
		t.Errorf("a step: %v", err)
	}
	if s := c.Standing(); !strings.Contains(s.ReadOnly, "is full") {
		t.Errorf("it stands: %+v", s)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// leaveTokens gives out a token and leaves the record as it is while the file of tokens is being replaced.
func leaveTokens(t *testing.T, dir string) {
	t.Helper()
	f, err := service.New(maintenance.Open(t.Context(), dir, maintenance.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.IssueToken(service.NewToken{As: timeline.Umpire}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "tokens"))
	if err == nil {
		err = f.Ledger().Companion("tokens").Vouch([]byte("what was to take its place"), text)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// knowsNothingBeside gives a copy of a ledger whose record does not know what lies beside it.
func knowsNothingBeside(t *testing.T, dir string) string {
	t.Helper()
	from, err := ledger.Open(dir, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy")
	var dump bytes.Buffer
	_, err = from.Dump(&dump)
	if err := errors.Join(err, from.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Load(copied, &dump, ledger.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "secrets"), filepath.Join(copied, "secrets")); err != nil {
		t.Fatal(err)
	}
	return copied
}
