package maintenance

import (
	"time"
)

// Health is what whoever runs a server watches. It costs next to nothing to ask for.
type Health struct {
	Durable   uint64 // sequence of the last event in the record
	Views     uint64 // sequence up to which every view has been brought
	Publishes bool   // a ledger that takes no steps publishes nothing
	Published uint64 // sequence of the last event that the stream has, if it publishes
	Trouble   string // why nothing is published, or copied by a follower, at the moment
	Stopped   error  // why no step is taken, in a ledger whose stream is elsewhere

	CheckpointAge time.Duration // for how long the checkpoint has lacked something that is durable
	Failure       error         // why the ledger goes on no more
	Damaged       []CheckedFile // beside the record; the campaigns concerned take no steps
}

// Health says how the ledger is.
func (h *Host) Health() Health {
	v := Health{
		Views: h.runner.Through(), Durable: h.ledger.Durable(), CheckpointAge: h.ledger.CheckpointAge(),
		Failure: h.ledger.Err(),
		Damaged: h.damaged(),
	}
	if h.following != nil {
		v.Trouble = h.following.standing().Trouble
	}
	if h.outbox == nil {
		return v
	}
	s := h.outbox.Status()
	v.Publishes, v.Published, v.Trouble, v.Stopped = true, s.Published, s.Trouble, h.lease.May()
	if v.Trouble == "" && h.server.server == nil && !h.server.connected() {
		v.Trouble = "not connected to the server"
	}
	return v
}

// OnAppend has a function called for each step that is appended from now on: how many events it has, and
// how long its caller waited until they were durable. It is called by several at a time, and is quick.
func (h *Host) OnAppend(call func(events int, took time.Duration)) { h.appended.Store(&call) }

func (h *Host) reportAppended(events int, took time.Duration) {
	if call := h.appended.Load(); call != nil {
		(*call)(events, took)
	}
}
