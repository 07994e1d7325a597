package maintenance

import (
	"errors"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events/ledger"
)

// A handover that fails says whether steps are still taken here.
func TestMarked(t *testing.T) {
	t.Parallel()
	l, err := ledger.Open(t.TempDir(), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	f, failed := &Host{ledger: l}, errors.New("the disk failed")
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
