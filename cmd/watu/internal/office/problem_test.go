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

// Over the network nobody is told what lies on this machine; whoever keeps it is.
func TestAbroad(t *testing.T) {
	heard := ""
	f := &Office{say: func(line string) { heard += line }}
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
