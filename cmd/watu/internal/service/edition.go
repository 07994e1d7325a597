package service

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/rules"
)

// NewEdition moves a campaign to another edition. The answer is a [Moved].
type NewEdition struct {
	To     string `json:"to"`
	Reason string `json:"reason"`
	Seat   string `json:"seat,omitempty"` // who asks; empty for the umpire
}

// Moved is what a move to another edition recorded, and `watu edition move --json`.
type Moved struct {
	Version  int                      `json:"version"`
	Campaign string                   `json:"campaign"`
	Happened []timeline.NarratedEvent `json:"happened"`
}

// MoveEdition plays a campaign on another edition from here on.
func (f *Service) MoveEdition(campaign string, n NewEdition) (Moved, error) {
	c, err := f.stepping(campaign)
	if err != nil {
		return Moved{}, err
	}
	out := Moved{Version: maintenance.Version, Campaign: c.Name, Happened: []timeline.NarratedEvent{}}
	answer, err := f.Umpire().MoveEdition(c.ID, replay.Move{To: n.To, Reason: n.Reason,
		Seat: Submission{Seat: n.Seat}.seat()})
	if err != nil {
		return out, err
	}
	if answer.Verdict == rules.Refused {
		return out, problem.OfViolations("", answer.Violations)
	}
	out.Happened, err = f.Narrate(c, answer.First, answer.First+uint64(answer.Events))
	return out, err
}
