package journal

import (
	"fmt"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Step is what one append adds: the events that follow from one command, up to the point
// where an answer from outside is needed.
type Step struct {
	Campaign ulid.ULID
	Expected uint64           // the campaign's next index, as the caller folded it
	Command  string           // id of the command, once and for all; at most 1,024 bytes
	Digest   events.Hash      // of the command's bytes, to know it again
	Events   []events.Encoded // at Expected and after, chained by Previous
	Openings []events.Opening // of commitments in Events
	Answer   []byte           // what the caller was or will be answered
}

// Limits of a step.
const (
	MaxCommand = 1024     // bytes of a command's id
	MaxStep    = 64 << 20 // bytes of events; far beyond any step
)

// Check fails with [ErrStep] if the step has no events, or a command id that cannot be kept.
func (s *Step) Check() error {
	if s.Command == "" || len(s.Command) > MaxCommand || len(s.Events) == 0 {
		return fmt.Errorf("%w: it needs a command id of 1 to %d bytes and events", ErrStep, MaxCommand)
	}
	if slices.ContainsFunc(s.Events, func(x events.Encoded) bool { return x.Event() == nil }) {
		return fmt.Errorf("%w: an event of it is not encoded", ErrStep)
	}
	return nil
}

// Follow gives the hash of the step's last event, having checked that its events follow the one with the hash
// previous. It fails with [ErrStep].
func (s *Step) Follow(previous events.Hash) (head events.Hash, err error) {
	size := 0
	for i, x := range s.Events {
		e := x.Event()
		if e.Campaign != s.Campaign || e.Index != s.Expected+uint64(i) {
			return head, fmt.Errorf("%w: event %d of campaign %s stands at %d of %s",
				ErrStep, e.Index, e.Campaign, s.Expected+uint64(i), s.Campaign)
		}
		if e.Previous != previous {
			return head, fmt.Errorf("%w: event %d of campaign %s does not carry the hash of the event before",
				ErrStep, e.Index, e.Campaign)
		}
		previous = x.Hash()
		size += len(x.Bytes())
	}
	for _, o := range s.Openings {
		i := o.Index - s.Expected
		if o.Index < s.Expected || i >= uint64(len(s.Events)) || !Commits(s.Events[i].Event(), o.Slot) {
			return head, fmt.Errorf("%w: an opening of slot %q at %d, where the step commits nothing",
				ErrStep, o.Slot, o.Index)
		}
	}
	if size+len(s.Answer) > MaxStep {
		return head, fmt.Errorf("%w: %d bytes are too many", ErrStep, size+len(s.Answer))
	}
	return previous, nil
}

// Commits reports whether e commits a fact in the slot.
func Commits(e *events.Event, slot string) bool {
	return slices.ContainsFunc(e.Commitments, func(c events.Commitment) bool { return c.Slot == slot })
}
