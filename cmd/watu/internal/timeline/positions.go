package timeline

import (
	"context"
	"slices"
)

// Position is an event at which a replay may stop.
type Position struct {
	Index uint64 `json:"index"`
	Kind  string `json:"kind"` // [MarkDisputed], [MarkCorrected] or [MarkResult]
}

// MarkResult is the [Position] of a result: what a roll came to.
const MarkResult = "result"

// Positions lists the disputes that were opened, the corrections and the results of a campaign, by
// index.
func (r *Reader) Positions(ctx context.Context, campaign string) ([]Position, error) {
	_, it, err := r.indexed(ctx, campaign)
	if err != nil {
		return nil, err
	}
	corrections := it.History().Corrections(0)
	list := make([]Position, 0, len(it.disputes)+len(corrections)+len(it.results))
	for _, index := range it.disputes {
		list = append(list, Position{index, MarkDisputed})
	}
	for _, index := range corrections {
		list = append(list, Position{index, MarkCorrected})
	}
	for _, index := range it.results {
		list = append(list, Position{index, MarkResult})
	}
	slices.SortStableFunc(list, func(a, b Position) int { return compareIndex(a.Index, b.Index) })
	return list, nil
}

// MarkedEvents describes the events with from <= index < to, with their marks as they are after at events, and
// those that came later.
func (r *Reader) MarkedEvents(ctx context.Context, campaign string, from, to, at uint64) ([]MarkedEvent, error) {
	c, err := r.Find(campaign)
	if err != nil {
		return nil, err
	}
	way := walk{ctx: ctx, f: r, c: c}
	if way.it, err = r.Index(ctx, c); err != nil {
		return nil, err
	}
	if way.far, err = farOf(""); err != nil {
		return nil, err
	}
	return way.narrated(from, min(to, c.Events), min(at, c.Events))
}

// EditionAt is the edition on which a campaign is played after so many events, and the event since
// which it is.
func (r *Reader) EditionAt(ctx context.Context, campaign string, events uint64) (at EditionPlayed, err error) {
	c, err := r.Find(campaign)
	if err != nil {
		return at, err
	}
	it, err := r.Index(ctx, c)
	for _, p := range it.Editions {
		if p.Event < max(events, 1) {
			at = p
		}
	}
	return at, err
}
