package problem_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/tokens"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/rules"
)

// TestRules: every refusal has its rule in JSON, also where it is no rule that stands in words.
func TestRules(t *testing.T) {
	of := func(rule string) *problem.Problem {
		return problem.OfViolations("turn.yaml:3", []rules.Violation{{Rule: rule, Message: "<no>"}})
	}
	for _, x := range []struct {
		p           *problem.Problem
		rule, words string
	}{
		{problem.New(problem.Input, "what?"), "INPUT", "what?"},
		{problem.Of(ledger.ErrNameTaken), "INPUT", ledger.ErrNameTaken.Error()},
		{problem.Of(ledger.ErrEdited), "LEDGER", ledger.ErrEdited.Error()},
		{of("INPUT"), "INPUT", "turn.yaml:3: <no>"},
		{of("LEDGER"), "LEDGER", "turn.yaml:3: <no>"},
		{of("SIGNED"), "SIGNED", "turn.yaml:3: <no>"},
		{of("AAR-4-CAP"), "AAR-4-CAP", "turn.yaml:3: <no> [" + rules.Titled("AAR-4-CAP") + "]"},
		{problem.New(problem.Failed, "the disk"), "", "the disk"},
	} {
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		var back problem.Problem
		if err := e.Encode(x.p); err != nil || json.Unmarshal([]byte(b.String()), &back) != nil {
			t.Fatalf("%v: %s", err, b.String())
		}
		if back.Rule != x.rule || back.Error() != x.words || strings.Contains(b.String(), `"rule":""`) ||
			strings.Contains(b.String(), "u003c") {
			t.Errorf("%s is %q, want %s, %q", b.String(), back.Error(), x.rule, x.words)
		}
	}
}

func TestUnwritable(t *testing.T) {
	for _, cause := range []error{syscall.EACCES, syscall.EROFS} {
		err := problem.Unwritable("/games", fmt.Errorf("open ledger: %w",
			&fs.PathError{Op: "open", Path: "/games/record/LOCK",
				Err: cause}))
		p := problem.Of(err)
		if p.Kind != problem.Failed || !strings.Contains(p.Message, "the ledger in /games cannot be written: ") ||
			strings.Contains(p.Message, "LOCK") {
			t.Errorf("%v: %s: %s", cause, p.Kind, p.Message)
		}
	}
	for _, other := range []error{errors.New("another"), fmt.Errorf("the disk is full: %w", syscall.ENOSPC)} {
		if problem.Unwritable("/games", other) != other {
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
		p := problem.Of(x.err)
		if p.Kind != problem.Unverified || !strings.Contains(p.Message, x.says) || strings.Contains(p.Message, x.not) {
			t.Errorf("%v: %+v", x.err, p)
		}
	}
}

// What a server elsewhere does not answer in time is no fault of this machine.
func TestSilentServer(t *testing.T) {
	p := problem.Of(fmt.Errorf("delete stream X: %w: %w", stream.ErrSilent, context.DeadlineExceeded))
	if p.Kind != problem.Unreachable || !strings.Contains(p.Message, "try again") {
		t.Errorf("%+v", p)
	}
}
