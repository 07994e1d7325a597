// Package timeline reads campaigns: as they are now, as they were after any number of events, and as they would have
// been.
//
// A position in a campaign of n events is a number from 1 to n: how many events have happened. People name positions by
// an event, a game turn, a phase or a dispute. [Reader.Moment] finds one by its name, or the next one in a direction,
// and shows the campaign there: its views, the events since the position before, and marks of what became of them
// later. [Reader.Difference] compares two positions and names the events that changed each figure, [Reader.WhatIf]
// compares the record with a hypothesis.
//
// Every answer is for a [Viewer], who knows the log and the openings that he holds. An [Index] of each campaign grows
// with its record, so that only the first question reads all of it.
//
//	public := timeline.Viewer{As: timeline.Public}
//	m, err := r.Moment(ctx, "atlantic", public, timeline.MomentQuery{At: "turn:Winter 1941"})
//
// The package changes nothing. What changes a campaign is package service's.
package timeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/rules"
)

// View gives a projection of a campaign as the viewer may know it: after the event at, a whole number,
// or at whatever moment at names as it does for a [MomentQuery]; at the head for "".
func (r *Reader) View(ctx context.Context, campaign string, viewer Viewer, projection, at string) (View, error) {
	c, err := r.Find(campaign)
	if err != nil {
		return View{}, err
	}
	upTo := c.Events
	if at != "" {
		if upTo, err = r.instant(ctx, c, at); err != nil {
			return View{}, err
		}
	}
	return r.viewAfter(ctx, c, viewer, projection, upTo)
}

// Disputes lists the disputes of a campaign, or of all for "", that are asked for.
func (r *Reader) Disputes(campaign string, a DisputeFilter) (Disputes, error) {
	out := Disputes{Version: maintenance.Version, Disputes: []Dispute{}}
	only := ""
	if campaign != "" {
		c, err := r.Find(campaign)
		if err != nil {
			return out, err
		}
		only = c.Name
	}
	list, err := r.ListDisputes(r.Ledger().Campaigns(), only, a)
	out.Disputes = append(out.Disputes, list...)
	return out, err
}

// Turn finds the events of a game turn by its label: the first, and the one behind the last.
func (r *Reader) Turn(campaign, label string) (from, to uint64, err error) {
	c, err := r.Find(campaign)
	if err != nil {
		return 0, 0, err
	}
	s, err := r.turn(c, label)
	return s.from, s.to, err
}

// walk gives a campaign's events from a sequence on as they become durable, until ctx ends.
func (r *Reader) walk(ctx context.Context, campaign ulid.ULID, from uint64, fn func(events.Record) error) error {
	for at := from - 1; ; {
		for r, err := range r.Ledger().After(at) {
			if err != nil {
				return err
			}
			if at = r.Sequence; r.Campaign != campaign {
				continue
			}
			if err := fn(r); err != nil {
				return err
			}
		}
		if _, err := r.Ledger().Wait(ctx, at); err != nil {
			return err
		}
	}
}

// Seats gives the seats that were taken when the campaign was opened.
func (r *Reader) Seats(c ledger.Campaign) ([]campaign.Seat, error) {
	list := []campaign.Seat{}
	for r, err := range r.Ledger().Read(c.ID, 1, c.Events) {
		if err != nil {
			return nil, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, err
		}
		var p events.SeatTaken
		if !e.Read(&p) {
			break
		}
		list = append(list, campaign.Seat{Name: p.Seat, Role: p.Role, Sides: p.Sides})
	}
	return list, nil
}

// SeatKeys lists the keys that seats had in the first events of a campaign, in the order in which they were given.
func (r *Reader) SeatKeys(ctx context.Context, c string, events uint64) ([]bundle.SeatKey, error) {
	found, err := r.Find(c)
	if err != nil {
		return nil, err
	}
	it, err := r.Index(ctx, found)
	return slices.DeleteFunc(slices.Clone(it.Keys), func(k bundle.SeatKey) bool { return k.Event >= events }), err
}

// Narrate describes the events from <= index < to.
func (r *Reader) Narrate(c ledger.Campaign, from, to uint64) ([]NarratedEvent, error) {
	return r.NarrateWanted(c, from, to, func(uint64) bool { return true })
}

// NarrateWanted narrates the wanted events alone.
func (r *Reader) NarrateWanted(c ledger.Campaign, from, to uint64, wanted func(index uint64) bool) (
	[]NarratedEvent, error,
) {
	list := []NarratedEvent{}
	for record, err := range r.Ledger().Walk(c.ID, from, to) {
		if err != nil {
			return nil, err
		}
		if !wanted(record.Index) {
			continue
		}
		e, err := events.Decode(record.Bytes)
		if err != nil {
			return nil, fmt.Errorf("event #%d: %w", record.Index, err)
		}
		previous, err := r.PreviousCorrection(c, &e)
		if err != nil {
			return nil, err
		}
		list = append(list, NarrateEvent(&e, previous))
	}
	return list, nil
}

// NarrateEvent describes an event; previous is that of [narrator.Narrate].
func NarrateEvent(e *events.Event, previous uint64) NarratedEvent {
	text := narrator.Narrate(e, previous)
	ids := narrator.Rules(e.Derivation)
	if ids == nil {
		ids = []string{}
	}
	return NarratedEvent{
		Index: e.Index, Type: e.Type, Turn: e.Turn.Label, Phase: e.Phase, Side: e.Side,
		Text: text.String(), Sentence: text, Event: e, Rules: ids,
	}
}

// Reader reads the campaigns of an open ledger directory. Its methods may be called by several goroutines.
type Reader struct {
	*maintenance.Host
	systems map[string]rules.System

	indexes sync.Map // of the campaigns that somebody read: a *growing by the ULID
}

// NewReader gives the reader of a directory.
func NewReader(h *maintenance.Host) *Reader { return &Reader{Host: h, systems: systems()} }

// Find gives the campaign of that name or ULID; an unknown one is answered with those there are.
func (r *Reader) Find(name string) (ledger.Campaign, error) {
	c, err := r.Umpire().Find(name)
	if err == nil {
		return c, nil
	}
	names := rules.Each(r.Ledger().Campaigns(), func(c ledger.Campaign) string { return c.Name })
	if len(names) == 0 {
		return c, problem.New(problem.Input, "no such campaign: %q; there is none yet: open one with watu campaign "+
			"new NAME --system SYSTEM", name)
	}
	return c, problem.New(problem.Input, "no such campaign: %q; %s", name, words.There(names))
}

// Describe describes a campaign from its first event and its last.
func (r *Reader) Describe(c ledger.Campaign) (Campaign, error) {
	out := Campaign{Name: c.Name, ID: c.ID.String(), Events: c.Events, Head: c.Head}
	first, err := r.Event(c.ID, 0)
	if err != nil {
		return out, err
	}
	last, err := r.Event(c.ID, c.Events-1)
	if err != nil {
		return out, err
	}
	var p events.CampaignOpened
	first.Read(&p)
	out.System, out.Sides, out.Demo, out.Dice = p.System, p.Sides, p.Demo, p.Dice
	if out.Edition, out.EditionHash, err = r.editionAfter(c, &first, &last); err != nil {
		return out, err
	}
	from, _, err := r.Imported(c.ID)
	if err != nil && !errors.Is(err, kept.ErrDamaged) { // of damage, who asks about that hears
		return out, err
	}
	out.Imported, out.Archived = from.For, r.Archive().Has(c.ID)
	if out.Seats, err = r.Seats(c); err != nil {
		return out, err
	}
	if out.OpenDisputes, err = r.OpenDisputes(c); err != nil {
		return out, err
	}
	s := r.systems[p.System]
	out.Title, out.Views, out.Board = s.Title, s.Views, boardOf(p.Board)
	out.Turn, out.TurnOrdinal, out.Phase, out.Opened = last.Turn.Label, last.Turn.Ordinal, last.Phase,
		first.Recorded.UTC()
	return out, nil
}

// System gives the rules of a name, zero for one that this program lacks.
func (r *Reader) System(name string) rules.System { return r.systems[name] }

// Rules gives the system that a campaign is played by.
func (r *Reader) Rules(id ulid.ULID) (rules.System, error) {
	first, err := r.Event(id, 0)
	if err != nil {
		return rules.System{}, err
	}
	var p events.CampaignOpened
	first.Read(&p)
	s, ok := r.systems[p.System]
	if !ok {
		return s, fmt.Errorf("%w: campaign %s is played by %q", campaign.ErrUnknownSystem, p.Name, p.System)
	}
	return s, nil
}
