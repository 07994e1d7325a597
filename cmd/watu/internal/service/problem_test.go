package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/tokens"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/replay/kept"
)

func TestUnwritable(t *testing.T) {
	for _, cause := range []error{syscall.EACCES, syscall.EROFS} {
		err := unwritable("/games", fmt.Errorf("open ledger: %w", &fs.PathError{Op: "open", Path: "/games/record/LOCK",
			Err: cause}))
		p := ProblemOf(err)
		if p.Kind != Failed || !strings.Contains(p.Message, "the ledger in /games cannot be written: ") ||
			strings.Contains(p.Message, "LOCK") {
			t.Errorf("%v: %s: %s", cause, p.Kind, p.Message)
		}
	}
	for _, other := range []error{errors.New("another"), fmt.Errorf("the disk is full: %w", syscall.ENOSPC)} {
		if unwritable("/games", other) != other {
			t.Errorf("%v does not stay", other)
		}
	}
}

// What can be done is said where it helps: a backup holds no tokens, and a record that does not open is not read
// meanwhile.
func TestRemedies(t *testing.T) {
	for _, x := range []struct {
		err       error
		says, not string
	}{
		{fmt.Errorf("%w: %w", tokens.ErrDamaged, kept.ErrDamaged), "damaged", "copy this file"},
		{kept.ErrDamaged, "copy this file", "token"},
		{ledger.ErrDamaged, "watu restore", "goes on"},
	} {
		p := ProblemOf(x.err)
		if p.Kind != Unverified || !strings.Contains(p.Message, x.says) || strings.Contains(p.Message, x.not) {
			t.Errorf("%v: %+v", x.err, p)
		}
	}
}

// What a server elsewhere does not answer in time is no fault of this machine.
func TestSilentServer(t *testing.T) {
	p := ProblemOf(fmt.Errorf("delete stream X: %w: %w", stream.ErrSilent, context.DeadlineExceeded))
	if p.Kind != Unreachable || !strings.Contains(p.Message, "try again") {
		t.Errorf("%+v", p)
	}
}

// A handover that fails says whether steps are still taken here.
func TestMarked(t *testing.T) {
	l, err := ledger.Open(t.TempDir(), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	f, failed := &Service{ledger: l}, errors.New("the disk failed")
	if err := f.marked("a.watu", failed); !errors.Is(err, failed) || !strings.Contains(err.Error(), "it goes on here") {
		t.Errorf("not marked: %v", err)
	}
	if err := l.MarkReadOnly(ledger.HandedOver, ""); err != nil {
		t.Fatal(err)
	}
	err = f.marked("a.watu", failed)
	if !errors.Is(err, failed) || !strings.Contains(err.Error(), "takes no more steps") {
		t.Errorf("marked: %v", err)
	}
}

// Over the network nobody is told what lies on this machine; whoever keeps it is.
func TestAbroad(t *testing.T) {
	heard := ""
	f := &Service{say: func(line string) { heard += line }}
	for _, kind := range []Kind{Failed, Unverified, Diverged} {
		heard = ""
		p := f.Abroad(problem(kind, "open /games/record: broken"))
		if p.Kind != kind || strings.Contains(p.Error(), "/games") || !strings.Contains(heard, "/games/record") {
			t.Errorf("%s: %q, and the keeper hears %q", kind, p.Error(), heard)
		}
	}
	heard = ""
	for _, err := range []error{problem(Input, "no such campaign"), problem(Refused, "against a rule"), nil} {
		if p := f.Abroad(err); p != ProblemOf(err) || heard != "" {
			t.Errorf("%v: %v, and the keeper hears %q", err, p, heard)
		}
	}
}
