package strip

import "testing"

// TestNoLabelIsCut: a segment of the strip is named where its whole name has room.
func TestNoLabelIsCut(t *testing.T) {
	s := Segment{Label: "Winter 1941", At: Span{0, 900}}
	if s.Fits(864) || !s.Fits(1200) {
		t.Error("77 letters' pixels fit into 77, or not into 108")
	}
}
