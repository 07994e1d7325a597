package service

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
)

// Over the network nobody is told what lies on this machine; whoever keeps it is.
func TestAbroad(t *testing.T) {
	t.Parallel()
	heard := ""
	f, err := New(maintenance.Open(t.Context(), t.TempDir(), maintenance.Options{Begin: true, Say: func(line string) {
		heard += line
	}}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	for _, kind := range []problem.Kind{problem.Failed, problem.Unverified, problem.Diverged} {
		heard = ""
		p := f.PublicProblem(problem.New(kind, "open /games/record: broken"))
		if p.Kind != kind || strings.Contains(p.Error(), "/games") || !strings.Contains(heard, "/games/record") {
			t.Errorf("%s: %q, and the keeper hears %q", kind, p.Error(), heard)
		}
	}
	heard = ""
	for _, err := range []error{problem.New(problem.Input, "no such campaign"), problem.New(problem.Refused,
		"against a rule"), nil} {
		if p := f.PublicProblem(err); p != problem.Of(err) || heard != "" {
			t.Errorf("%v: %v, and the keeper hears %q", err, p, heard)
		}
	}
}
