package service

import (
	"errors"
	"fmt"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
)

// OpenCampaign opens a campaign.
func (f *Service) OpenCampaign(n NewCampaign) (Opened, error) {
	out := Opened{Version: maintenance.Version}
	if err := f.MayStep(); err != nil {
		return out, err
	}
	s, known := f.systems[n.System]
	if known && n.Edition != "" {
		var names []string
		known = false
		for _, e := range s.Editions {
			names, known = append(names, e.Name), known || e.Name == n.Edition
		}
		if !known {
			return out, problem.New(problem.Input, "%s has no edition %q; it has %s", s.Name, n.Edition, listed(names))
		}
	}
	c, violations, err := f.Umpire().Open(replay.Opening{
		Name: n.Name, System: n.System, Edition: n.Edition, Options: n.Options, Note: n.Note, Seed: n.Seed,
		Dice: n.Dice, Seats: seats(n), Board: n.board(),
		SideNamed: func(sides []string, name string) (string, bool) { return sideOf(s, sides, name) },
	})
	if errors.Is(err, replay.ErrBoardless) {
		err = problem.New(problem.Input, "%v; name its file with --board", err)
	}
	if err == nil && len(violations) > 0 {
		err = problem.OfViolations("", violations)
	}
	if err != nil {
		return out, err
	}
	if out.Campaign, err = f.describe(c); err != nil {
		return out, err
	}
	out.Happened, err = f.lines(c, 0, c.Events)
	return out, err
}

// lines tells the events from <= index < to.
func (f *Service) lines(c ledger.Campaign, from, to uint64) ([]Line, error) {
	return f.linesOf(c, from, to, func(uint64) bool { return true })
}

// linesOf is lines of the wanted events alone.
func (f *Service) linesOf(c ledger.Campaign, from, to uint64, wanted func(index uint64) bool) ([]Line, error) {
	list := []Line{}
	for r, err := range f.Ledger().Walk(c.ID, from, to) {
		if err != nil {
			return nil, err
		}
		if !wanted(r.Index) {
			continue
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, fmt.Errorf("event #%d: %w", r.Index, err)
		}
		previous, err := f.correctedBefore(c, &e)
		if err != nil {
			return nil, err
		}
		list = append(list, lineOf(&e, previous))
	}
	return list, nil
}

// lineOf describes an event; previous is that of [narrator.Narrate].
func lineOf(e *events.Event, previous uint64) Line {
	ids := narrator.Rules(e.Derivation)
	if ids == nil {
		ids = []string{}
	}
	text := narrator.Narrate(e, previous)
	return Line{
		Index: e.Index, Type: e.Type, Turn: e.Turn.Label, Phase: e.Phase, Side: e.Side,
		Text: text.String(), Sentence: text, Rules: ids,
	}
}
