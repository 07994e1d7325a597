package verify_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/watu-ledger/watu/replay/verify"
	"github.com/watu-ledger/watu/rules/all"
)

// TestOpen: a file whose events are read from where they lie verifies as one that is held whole, rules included.
func TestOpen(t *testing.T) {
	b := played(t, "atlantic-and-pacific", 3).Encode()
	whole, err := verify.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	there, err := verify.Open(bytes.NewReader(b), bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	v, w := verified(t, there, all.Systems(), ""), verified(t, whole, all.Systems(), "")
	if !v.Verified || !reflect.DeepEqual(v, w) {
		t.Errorf("where they lie: %+v\nheld whole: %+v", v, w)
	}
}
