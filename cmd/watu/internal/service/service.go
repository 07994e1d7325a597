// Package service has the use cases of one ledger directory. Each method of a [Service] does one thing for whoever
// asks, with typed arguments and a typed answer. Package api serves them over HTTP: to the command line over the
// directory's unix socket, or in its own process where nobody holds the directory, and to others over the network.
// Package maintenance opens the directory and keeps it whole.
//
// A campaign is called by its name or ULID. A [Viewer] says who looks or speaks, and the service decides what he may
// know and say. A method that takes steps fails where the ledger takes none: in a copy, on another host's turn, in a
// campaign that was imported. [problem.Of] reads every error. The shapes of answers are also those of the --json
// flags: they have a [maintenance.Version], and grow only by fields.
//
//	f, err := service.New(maintenance.Open(ctx, dir, maintenance.Options{Begin: true}))
//	opened, err := f.OpenCampaign(service.NewCampaign{Name: "atlantic", System: "awaw"})
//	umpire := service.Viewer{As: service.Umpire}
//	done, err := f.Submit(ctx, "atlantic", umpire, service.Submission{Name: "turn.yaml", Text: text})
//	shown, err := f.View(ctx, "atlantic", service.Viewer{As: service.Public}, "pools", "turn:Winter 1941")
//
// Package narrator puts events into sentences, and package dashboard makes pages.
package service

import (
	"context"
	"errors"
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/rules"
)

// Service is the use cases of an open ledger directory. Its methods may be called by several goroutines.
type Service struct {
	*maintenance.Host
	systems map[string]rules.System

	dockets     dockets
	itineraries itineraries // of the campaigns that somebody went through
	pendings    pendings    // what corrections left
	unknowns    unknowns    // what campaigns have that this program does not know
}

// New gives the use cases of a directory. It takes what [maintenance.Open], [maintenance.Hold], [maintenance.Inspect]
// or [maintenance.Follow] return, and passes an
// error on.
func New(h *maintenance.Host, err error) (*Service, error) {
	if err != nil {
		return nil, err
	}
	f := &Service{Host: h, systems: systems()}
	h.AtClose("what is pending is still being found out", func(context.Context) error {
		f.pendings.close()
		return nil
	})
	return f, nil
}

// find gives the campaign of that name or ULID; an unknown one is answered with those there are.
func (f *Service) find(name string) (ledger.Campaign, error) {
	c, err := f.Umpire().Find(name)
	if err == nil {
		return c, nil
	}
	var names []string
	for _, c := range f.Ledger().Campaigns() {
		names = append(names, c.Name)
	}
	if len(names) == 0 {
		return c, problem.New(problem.Input, "no such campaign: %q; there is none yet: open one with watu "+
			"campaign new NAME "+
			"--system SYSTEM", name)
	}
	return c, problem.New(problem.Input, "no such campaign: %q; there is %s", name, listed(names))
}

// describe tells a campaign from its first event and its last.
func (f *Service) describe(c ledger.Campaign) (Campaign, error) {
	out := Campaign{Name: c.Name, ID: c.ID.String(), Events: c.Events, Head: c.Head}
	first, err := f.Event(c.ID, 0)
	if err != nil {
		return out, err
	}
	last, err := f.Event(c.ID, c.Events-1)
	if err != nil {
		return out, err
	}
	var p events.CampaignOpened
	first.Read(&p)
	out.System, out.Sides, out.Demo, out.Dice = p.System, p.Sides, p.Demo, p.Dice
	if out.Edition, out.EditionHash, err = f.editionAfter(c, &first, &last); err != nil {
		return out, err
	}
	from, _, err := f.Imported(c.ID)
	if err != nil && !errors.Is(err, kept.ErrDamaged) { // of damage, who asks about that hears
		return out, err
	}
	out.Imported = from.For
	if out.Seats, err = f.seated(c); err != nil {
		return out, err
	}
	if out.OpenDisputes, err = f.openDisputes(c); err != nil {
		return out, err
	}
	s := f.systems[p.System]
	out.Title, out.Views, out.Board = s.Title, s.Views, boardOf(p.Board)
	out.Turn, out.TurnOrdinal, out.Phase, out.Opened = last.Turn.Label, last.Turn.Ordinal, last.Phase,
		first.Recorded.UTC()
	return out, nil
}

// System gives the rules of a name, zero for one that this program lacks.
func (f *Service) System(name string) rules.System { return f.systems[name] }

// system is the body of rules of a campaign.
func (f *Service) system(id ulid.ULID) (rules.System, error) {
	first, err := f.Event(id, 0)
	if err != nil {
		return rules.System{}, err
	}
	var p events.CampaignOpened
	first.Read(&p)
	s, ok := f.systems[p.System]
	if !ok {
		return s, fmt.Errorf("%w: campaign %s is played by %q", campaign.ErrUnknownSystem, p.Name, p.System)
	}
	return s, nil
}
