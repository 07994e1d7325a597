package service

import (
	"errors"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/ledger"
)

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
	for _, kind := range []problem.Kind{problem.Failed, problem.Unverified, problem.Diverged} {
		heard = ""
		p := f.Abroad(problem.New(kind, "open /games/record: broken"))
		if p.Kind != kind || strings.Contains(p.Error(), "/games") || !strings.Contains(heard, "/games/record") {
			t.Errorf("%s: %q, and the keeper hears %q", kind, p.Error(), heard)
		}
	}
	heard = ""
	for _, err := range []error{problem.New(problem.Input, "no such campaign"), problem.New(problem.Refused,
		"against a rule"), nil} {
		if p := f.Abroad(err); p != problem.Of(err) || heard != "" {
			t.Errorf("%v: %v, and the keeper hears %q", err, p, heard)
		}
	}
}
