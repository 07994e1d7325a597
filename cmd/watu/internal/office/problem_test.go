package office

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

func TestUnwritable(t *testing.T) {
	for _, cause := range []error{syscall.EACCES, syscall.EROFS, syscall.ENOSPC} {
		err := unwritable("/games", fmt.Errorf("open ledger: %w", &fs.PathError{Op: "open", Path: "/games/record/LOCK", Err: cause}))
		p := ProblemOf(err)
		if p.Kind != Failed || !strings.Contains(p.Message, "the ledger in /games cannot be written: ") || strings.Contains(p.Message, "LOCK") {
			t.Errorf("%v: %s: %s", cause, p.Kind, p.Message)
		}
	}
	if other := errors.New("another"); unwritable("/games", other) != other {
		t.Error("another error does not stay")
	}
}
