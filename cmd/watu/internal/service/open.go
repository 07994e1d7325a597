package service

import (
	"errors"
	"strings"

	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
)

// OpenCampaign opens a campaign.
func (f *Service) OpenCampaign(n NewCampaign) (Opened, error) {
	out := Opened{Version: maintenance.Version}
	if err := f.CheckWritable(); err != nil {
		return out, err
	}
	s := f.System(n.System)
	known := s.Name != ""
	if known && n.Edition != "" {
		var names []string
		known = false
		for _, e := range s.Editions {
			names, known = append(names, e.Name), known || e.Name == n.Edition
		}
		if !known {
			return out, problem.New(problem.Input, "%s has no edition %q; it has %s", s.Name, n.Edition,
				strings.Join(names, ", "))
		}
	}
	c, violations, err := f.Umpire().Open(replay.Opening{
		Name: n.Name, System: n.System, Edition: n.Edition, Options: n.Options, Note: n.Note, Seed: n.Seed,
		Dice: n.Dice, Seats: seats(n), Board: n.board(),
		SideNamed: func(sides []string, name string) (string, bool) { return timeline.SideNamed(s, sides, name) },
	})
	if errors.Is(err, replay.ErrBoardRequired) {
		err = problem.New(problem.Input, "%v; name its file with --board", err)
	}
	if err == nil && len(violations) > 0 {
		err = problem.OfViolations("", violations)
	}
	if err != nil {
		return out, err
	}
	if out.Campaign, err = f.Describe(c); err != nil {
		return out, err
	}
	out.Happened, err = f.Narrate(c, 0, c.Events)
	return out, err
}

// board gives the files of a new campaign's board.
func (n NewCampaign) board() []rules.BoardFile {
	var files []rules.BoardFile
	for _, f := range n.Board {
		files = append(files, rules.BoardFile{Name: f.Name, Data: f.Data})
	}
	return files
}

// seats gives the players' seats of a new campaign, their sides as they were named.
func seats(n NewCampaign) []campaign.Seat {
	var list []campaign.Seat
	for _, s := range n.Seats {
		list = append(list, campaign.Seat{Name: s.Name, Sides: s.Sides})
	}
	return list
}

// seat is who asks.
func (s Submission) seat() string {
	if s.Seat == "" {
		return campaign.UmpireSeat
	}
	return s.Seat
}
