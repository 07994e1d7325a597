package problem_test

import (
	"context"
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
)

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
