package timeline

import (
	"context"
	"fmt"

	"github.com/watu-ledger/watu/events/ledger"
)

// Incomplete says in a sentence for readers that a campaign has what this program does not know, so that views leave
// something out; "" if it has not.
func (r *Reader) Incomplete(nameOrID string) string {
	c, err := r.Find(nameOrID)
	if err != nil {
		return "" // whoever asks learns of it
	}
	text, err := r.incomplete(c)
	if err != nil {
		return fmt.Sprintf("What is shown here may be incomplete: %v.", err)
	}
	return text
}

func (r *Reader) incomplete(c ledger.Campaign) (string, error) {
	it := r.growing(c.ID)
	it.mu.Lock()
	defer it.mu.Unlock()
	if err := r.extend(context.Background(), it, c); err != nil {
		return "", err
	}
	unknown := it.unknown
	if s, err := r.Rules(c.ID); err == nil {
		if last, err := r.Event(c.ID, c.Events-1); err == nil {
			if _, ok := s.Edition(last.Edition); !ok {
				unknown.Edition = last.Edition
			}
		}
	}
	if !unknown.Any() {
		return "", nil
	}
	return fmt.Sprintf("This watu does not know all of this campaign: it has %s. What is shown here may be "+
		"incomplete, and nothing can be recorded; use the watu that recorded it, or a later one.", &unknown), nil
}
