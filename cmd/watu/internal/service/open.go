package service

import (
	"errors"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay/campaign"

	"github.com/watu-ledger/watu/cmd/watu/internal/dice"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/rules"
)

// OpenCampaign opens a campaign.
func (f *Service) OpenCampaign(n replay.NewCampaign) (Opened, error) {
	out := Opened{Version: maintenance.Version}
	if err := f.CheckWritable(); err != nil {
		return out, err
	}
	n.System = strings.ToLower(strings.TrimSpace(n.System))
	if err := dice.CheckAskable(n); err != nil {
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
	n.SideNamed = s.Side
	c, violations, err := f.Umpire().Open(n)
	if errors.Is(err, replay.ErrBoardRequired) {
		err = problem.New(problem.Input, "%v; name its file with --board, or a board that comes with watu: %s", err,
			words.Or(boardsFor(s)))
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
	if s.Survey != nil {
		out.Lacks = s.Survey(n.Board).Lacks
	}
	out.Happened, err = f.Narrate(c, 0, c.Events)
	return out, err
}

// seat is who asks.
func (s Submission) seat() string {
	if s.Seat == "" {
		return campaign.UmpireSeat
	}
	return s.Seat
}

// boardsFor names the boards that come with watu on which a system is played.
func boardsFor(s rules.System) []string {
	return slices.DeleteFunc(fixtures.Boards(), func(name string) bool {
		files, _ := fixtures.Board(name)
		of := rules.Each(files, func(f fixtures.BoardFile) rules.BoardFile { return rules.BoardFile(f) })
		return s.Survey != nil && s.Survey(of).Misfit != ""
	})
}
