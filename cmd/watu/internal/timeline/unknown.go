package timeline

import (
	"fmt"
	"sync"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/campaign"
)

// unknowns remember, of each campaign, what it has that this program does not know. A record only grows, so each
// event is looked at once.
type unknowns struct {
	mu   sync.Mutex
	list map[ulid.ULID]*looked
}

// looked is a campaign as far as it was looked at.
type looked struct {
	mu      sync.Mutex
	events  uint64
	unknown campaign.Unknown
}

// of gives the entry of a campaign.
func (u *unknowns) of(campaign ulid.ULID) *looked {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.list == nil {
		u.list = map[ulid.ULID]*looked{}
	}
	if u.list[campaign] == nil {
		u.list[campaign] = &looked{}
	}
	return u.list[campaign]
}

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
	l := r.unknowns.of(c.ID)
	l.mu.Lock()
	defer l.mu.Unlock()
	for r, err := range r.Ledger().Read(c.ID, l.events, c.Events) {
		if err != nil {
			return "", err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return "", fmt.Errorf("event %d: %w", r.Index, err)
		}
		l.unknown.Add(&e)
		l.events = r.Index + 1
	}
	unknown := l.unknown
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
