package office

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/watu-ledger/watu/events/ledger"
)

// Parts that never come back are given up once the process was asked to end, in their order, and said; the
// others are closed all the same.
func TestCloseGivesUp(t *testing.T) {
	ctx, ask := context.WithCancel(t.Context())
	var said []string
	tried := make(chan string, 2) // its senders never come back
	f, err := Open(ctx, filepath.Join(t.TempDir(), "ledger"), Options{Begin: true, Say: func(line string) { said = append(said, line) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, hung := range []string{"the first", "the second"} {
		f.closing(viewsBy, hung, func(context.Context) error {
			tried <- hung
			select {}
		})
	}
	ask()
	if err := f.Close(); err == nil || ProblemOf(err).Kind != Failed || !strings.HasPrefix(err.Error(), "the second: what it waits for") {
		t.Errorf("close: %v", err)
	}
	done := []string{<-tried, <-tried}
	if !slices.Equal(done, []string{"the second", "the first"}) || len(said) != 1 || !strings.HasPrefix(said[0], "the first: ") {
		t.Errorf("tried %q, said %q", done, said)
	}
	again, err := Open(t.Context(), f.dir, Options{})
	if err != nil {
		t.Fatalf("the record was not closed: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// An office whose ledger is open to be read alone shows what there is, and takes no step.
func TestFullDiskIsRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	c, err := Dial(t.Context(), dir, Options{Begin: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Post(t.Context(), NewCampaign{Name: "atlantic", System: "awaw", Seed: "full"}, &Opened{}, "campaigns"); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	f := newOffice(t.Context(), dir, Options{})
	if f.ledger, err = ledger.OpenToRead(dir, f.ledgerOptions(Options{}), syscall.ENOSPC); err != nil {
		t.Fatal(err)
	}
	f.reads = true
	f.closesLedger()
	if err := f.furnish(); err != nil {
		t.Fatal(err)
	}
	f.followRecord()
	c = Inside(f)
	var view View
	if err := c.Get(t.Context(), &view, "campaigns", "atlantic", "views", "pools"); err != nil || view.Events == 0 {
		t.Errorf("%d events: %v", view.Events, err)
	}
	err = c.Post(t.Context(), Submission{Name: "x", Text: []byte("turn: Spring 1940\n")}, &Submitted{}, "campaigns", "atlantic", "submissions")
	if p := ProblemOf(err); p == nil || p.Kind != Failed || !strings.Contains(p.Message, "is full; free space on it and start again") {
		t.Errorf("a step: %v", err)
	}
	if s := f.Standing(); !strings.Contains(s.ReadOnly, "is full") {
		t.Errorf("it stands: %+v", s)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
