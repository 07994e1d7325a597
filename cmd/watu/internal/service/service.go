// Package service has the use cases of one ledger directory. Each method of a [Service] does one thing for whoever
// asks, with typed arguments and a typed answer. Package api serves them over HTTP: to the command line over the
// directory's unix socket, or in its own process where nobody holds the directory, and to others over the network.
// Package maintenance opens the directory and keeps it whole.
//
// A campaign is called by its name or ULID. A [timeline.Viewer] says who looks or speaks, and the service decides
// what he may know and say. A method that takes steps fails where the ledger takes none: in a copy, on another host's
// turn, in a campaign that was imported. [problem.Of] reads every error. The shapes of answers are also those of the
// --json flags: they have a [maintenance.Version], and grow only by fields.
//
//	f, err := service.New(maintenance.Open(ctx, dir, maintenance.Options{Begin: true}))
//	opened, err := f.OpenCampaign(replay.NewCampaign{Name: "atlantic", System: "awaw"})
//	umpire := timeline.Viewer{As: timeline.Umpire}
//	done, err := f.Submit(ctx, "atlantic", umpire, service.Submission{Name: "turn.yaml", Text: text})
//	shown, err := f.View(ctx, "atlantic", timeline.Viewer{As: timeline.Public}, "pools", "turn:Winter 1941")
//
// Package narrator puts events into sentences, and package dashboard makes pages.
package service

import (
	"context"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/dice"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/ledger"
)

// Service is the use cases of an open ledger directory. Its methods may be called by several goroutines.
type Service struct {
	*timeline.Reader
	Site string // address by which players reach the pages, without a path; empty where none are served

	dice     *dice.Table
	pendings pendings // what corrections left
}

// New gives the use cases of a directory. It takes what [maintenance.Open], [maintenance.OpenWhenFree],
// [maintenance.Inspect] or [maintenance.Follow] return, and passes an error on.
func New(h *maintenance.Host, err error) (*Service, error) {
	if err != nil {
		return nil, err
	}
	f := &Service{Reader: timeline.NewReader(h), dice: dice.New(h)}
	h.AtClose("what is pending is still being found out", func(context.Context) error {
		f.pendings.close()
		return nil
	})
	return f, nil
}

// RollDice looks after rolls that await a round of a beacon, until the service closes: those of a campaign, or all for
// the zero id.
func (f *Service) RollDice(id ulid.ULID) { f.dice.Roll(id) }

// CosignedHead is what became of a cosigned checkpoint.
type CosignedHead struct {
	Version int                           `json:"version"`
	Events  uint64                        `json:"events"`
	Seats   []maintenance.SeatCosignature `json:"seats"` // that cosigned this checkpoint; empty if a larger one is kept
	// the open roll, whose declaration the cosignature vouches for; left out if it does for none
	Roll *dice.Awaited `json:"roll,omitempty"`
}

// Cosign takes a checkpoint that a seat cosigned, or a witness that may cosign the open roll of a campaign. Where it
// holds what declares that, and counts for it, it is taken for that, too, or the error says why not.
func (f *Service) Cosign(ctx context.Context, campaign, note string) (out CosignedHead, err error) {
	c, err := f.Stepping(campaign)
	if err != nil {
		return out, err
	}
	head, err := f.TakeCosigned(ctx, c, note)
	if err != nil && problem.Of(err).Kind != problem.Refused {
		return out, err
	}
	out = CosignedHead{Version: maintenance.Version, Events: head.Events, Seats: head.Seats}
	roll, refused := f.dice.Cosign(ctx, c, note)
	if err == nil && dice.Unasked(refused) {
		return out, nil
	}
	out.Roll = roll
	return out, refused
}

// AskedRoll gives what is asked of those who cosign the open roll of a campaign, nil if none awaits a round.
func (f *Service) AskedRoll(c ledger.Campaign) (*dice.Asked, error) { return f.dice.Asked(c) }
