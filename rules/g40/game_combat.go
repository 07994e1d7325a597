package g40

import "github.com/watu-ledger/watu/events"

// combat is what combat adds to the state of a campaign.
type combat struct{}

// apply applies an event.
func (c combat) apply(_ uint64, _ events.Payload) combat { return c }

// amend puts a corrected event in the place of the one at index.
func (c combat) amend(_ uint64, _ events.Payload) combat { return c }
