package timeline

import (
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
)

// TestExampleOfSeveral: the answer shown to a question of several choices may be given; "none" stands alone.
func TestExampleOfSeveral(t *testing.T) {
	w := WaitingFor(&campaign.Question{Choice: &events.ChoiceAsked{Of: "Japan", Most: 4,
		Options: []string{"none", "strategic", "strategic", "strategic"}}})
	if w.Example != "{id: …, answer: {Japan: [strategic, strategic]}}" || w.Most != 3 {
		t.Errorf("%s, up to %d", w.Example, w.Most)
	}
}
