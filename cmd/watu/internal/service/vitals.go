package service

import (
	"time"
)

// Vitals are what whoever runs a server watches. To ask for them costs next to nothing.
type Vitals struct {
	Durable   uint64 // sequence of the last event in the record
	Views     uint64 // sequence up to which every view has been brought
	Publishes bool   // a ledger that takes no steps publishes nothing
	Published uint64 // sequence of the last event that the stream has, if it publishes
	Trouble   string // why nothing is published, or copied by a follower, at the moment
	Stopped   error  // why no step is taken, in a ledger whose stream is elsewhere

	CheckpointAge time.Duration // for how long the checkpoint has lacked something that is durable
	Failure       error         // why the ledger goes on no more
	Damaged       []Thing       // beside the record; the campaigns concerned take no steps
}

// Vitals says how the ledger is.
func (f *Service) Vitals() Vitals {
	v := Vitals{
		Views: f.runner.Through(), Durable: f.ledger.Durable(), CheckpointAge: f.ledger.CheckpointAge(),
		Failure: f.ledger.Err(),
		Damaged: f.damaged(),
	}
	if f.following != nil {
		v.Trouble = f.following.stand().Trouble
	}
	if f.outbox == nil {
		return v
	}
	s := f.outbox.Status()
	v.Publishes, v.Published, v.Trouble, v.Stopped = true, s.Published, s.Trouble, f.tenure.May()
	if v.Trouble == "" && f.place.server == nil && !f.place.connected() {
		v.Trouble = "not connected to the server"
	}
	return v
}

// OnAppend has a function told of each step that is appended from now on: how many events it has, and
// how long its caller waited until they were durable. It is called by several at a time, and is quick.
func (f *Service) OnAppend(told func(events int, took time.Duration)) { f.appended.Store(&told) }

func (f *Service) tellAppended(events int, took time.Duration) {
	if told := f.appended.Load(); told != nil {
		(*told)(events, took)
	}
}
