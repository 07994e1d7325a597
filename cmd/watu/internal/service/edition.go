package service

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/rules"
)

// Moved is what a move to another edition recorded, and `watu edition move --json`.
type Moved struct {
	Version  int                      `json:"version"`
	Campaign string                   `json:"campaign"`
	Happened []timeline.NarratedEvent `json:"happened"`
}

// MoveEdition plays a campaign on another edition from here on.
func (f *Service) MoveEdition(campaign string, n replay.NewEdition) (Moved, error) {
	c, err := f.Stepping(campaign)
	if err != nil {
		return Moved{}, err
	}
	out := Moved{Version: maintenance.Version, Campaign: c.Name, Happened: []timeline.NarratedEvent{}}
	n.Seat = Submission{Seat: n.Seat}.seat()
	answer, err := f.Umpire().MoveEdition(c.ID, n)
	if err != nil {
		return out, err
	}
	if answer.Verdict == rules.Refused {
		return out, problem.OfViolations("", answer.Violations)
	}
	out.Happened, err = f.Narrate(c, answer.First, answer.First+uint64(answer.Events))
	return out, err
}
