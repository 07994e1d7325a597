package service

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
)

// DisputeDetails is `watu dispute show --json`.
type DisputeDetails struct {
	Version   int                      `json:"version"`
	Dispute   timeline.Dispute         `json:"dispute"`
	Contested *timeline.NarratedEvent  `json:"contested,omitempty"` // nil where it is a refusal
	Inputs    []InputFigure            `json:"inputs,omitempty"`    // of the refused command, where it is not sealed
	Shown     []timeline.NarratedEvent `json:"shown"`               // the events brought as evidence, each once
	// what was corrected by the ruling, or on account of the dispute
	Corrections []ReplacedEvent          `json:"corrections"`
	Voided      []timeline.NarratedEvent `json:"voided"`            // what does not stand any more by those
	Instead     []timeline.NarratedEvent `json:"instead"`           // what takes the place of those
	Pending     []Consequence            `json:"pending,omitempty"` // what follows from that and is not applied
	Precedents  []timeline.Dispute       `json:"precedents"`        // earlier ones on the same rules
}

// ReplacedEvent is an event and the one that stands in its place.
type ReplacedEvent struct {
	Was timeline.NarratedEvent `json:"was"`
	Is  timeline.NarratedEvent `json:"is"`
}

// DisputeEntry is an entry of a dispute.
//
// The answer is a [Submitted].
type DisputeEntry struct {
	// the verb of the entry; a ruling is the umpire's
	Verb       string         `json:"verb" enum:"dispute,statement,evidence,ruling"`
	Body       map[string]any `json:"body"`                 // what stands under the verb in a turn file
	Correction string         `json:"correction,omitempty"` // of a ruling: what it corrects, as in a correction's file

	// For whoever holds the directory.
	Seat string `json:"seat,omitempty" hidden:"true"` // who asks; empty for the umpire
	Name string `json:"name,omitempty" hidden:"true"` // of the correction's file, for messages
}

// Dispute describes the dispute that an event opened, with everything that bears on it and that the viewer may know.
func (f *Service) Dispute(ctx context.Context, nameOrID string, index uint64, v timeline.Viewer) (
	DisputeDetails, error,
) {
	c, err := f.Find(nameOrID)
	if err != nil {
		return DisputeDetails{}, err
	}
	out := DisputeDetails{Version: maintenance.Version, Shown: []timeline.NarratedEvent{},
		Corrections: []ReplacedEvent{},
		Voided:      []timeline.NarratedEvent{},
		Instead:     []timeline.NarratedEvent{}, Precedents: []timeline.Dispute{}}
	list, err := f.DisputesOf(c)
	if err != nil {
		return out, err
	}
	i := slices.IndexFunc(list, func(d campaign.Dispute) bool { return d.Index == index })
	if i < 0 {
		return out, timeline.NoDisputeError(c, index, list)
	}
	d := list[i]
	if len(d.Sealed) > 0 {
		held, err := f.Openings(ctx, c, v, c.Events)
		if err != nil {
			return out, err
		}
		d.Unseal(held)
	}
	x, err := f.reader(ctx, c)
	if err != nil {
		return out, err
	}
	if out.Dispute, err = f.DescribeDispute(c, x.opened().System, d); err != nil {
		return out, err
	}
	if d.Claim.Refused == "" {
		line := x.line(d.Claim.Event)
		out.Contested = &line
	}
	var entry any
	if json.Unmarshal([]byte(d.Claim.Entry), &entry) == nil {
		out.Inputs = flatten(nil, "", entry)
	}
	shown := map[uint64]bool{}
	for _, brought := range d.Evidence {
		for _, index := range brought.Events {
			shown[index] = true
		}
	}
	for _, index := range slices.Sorted(maps.Keys(shown)) {
		out.Shown = append(out.Shown, x.line(index))
	}
	behind := x.behind(d)
	x.ordered(behind, &out)
	if x.err != nil {
		return out, x.err
	}
	if out.Pending, err = f.pendingBecause(ctx, c, v, x.history, behind); err != nil {
		return out, err
	}
	out.Precedents, err = f.precedents(c, d)
	return out, err
}

// opened is the campaign's first event.
func (x *reader) opened() (p events.CampaignOpened) {
	x.at(0).Read(&p)
	return p
}

// line describes the event at index.
func (x *reader) line(index uint64) timeline.NarratedEvent {
	if index >= x.c.Events {
		return timeline.NarratedEvent{Index: index, Rules: []string{}}
	}
	e := x.at(index)
	return timeline.NarrateEvent(e, timeline.PreviousCorrection(x.history, e))
}

// lines describes events by their indexes.
func (x *reader) lines(indexes []uint64) (list []timeline.NarratedEvent) {
	for _, i := range indexes {
		list = append(list, x.line(i))
	}
	return list
}

// ordered says what follows from the dispute: the step of its ruling, and what was corrected on its account.
func (x *reader) ordered(behind []uint64, out *DisputeDetails) {
	for _, i := range behind {
		e := x.at(i)
		if e.Corrects != 0 {
			was := cmp.Or(timeline.PreviousCorrection(x.history, e), e.Corrects)
			out.Corrections = append(out.Corrections, ReplacedEvent{Was: x.line(was), Is: x.line(i)})
		}
		if e.Replaces != 0 {
			out.Instead = append(out.Instead, x.line(i))
		}
		for _, index := range x.history.Targets(history.Voids, i) {
			out.Voided = append(out.Voided, x.line(index))
		}
	}
}

// behind gives the events of those steps, from the ruling or the first such correction in each on.
func (x *reader) behind(d campaign.Dispute) (list []uint64) {
	var from []uint64
	if d.Ruling != nil {
		from = append(from, d.Ruling.Event)
	}
	for _, i := range x.history.Sources(history.Dispute, d.Index) {
		if x.history.Type(i) == "corrected" {
			from = append(from, i)
		}
	}
	for _, first := range from {
		for _, i := range x.history.CommandNamed(x.at(first).Command).Events {
			if i >= first {
				list = append(list, i)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// precedents gives the earlier precedents on the rules of a dispute: of its campaign, and those for
// the league.
func (f *Service) precedents(c ledger.Campaign, d campaign.Dispute) ([]timeline.Dispute, error) {
	list, err := f.ListDisputes(f.Ledger().Campaigns(), c.Name, timeline.DisputeFilter{Precedents: true})
	earlier := []timeline.Dispute{}
	for _, x := range list {
		own := x.Campaign == c.Name
		if !x.TurnsOn(d.Rules()...) ||
			own && (x.Index == d.Index || d.Ruling != nil && x.Ruling.Event > d.Ruling.Event) {
			continue
		}
		earlier = append(earlier, x)
	}
	return earlier, err
}

// concerning gives the disputes that an event is part of: over it, over what it corrects, or the one
// that it opens, argues or rules on.
func (f *Service) concerning(c ledger.Campaign, system string, e *events.Event) ([]timeline.Dispute, error) {
	list, err := f.DisputesOf(c)
	if err != nil {
		return nil, err
	}
	of := e.Index
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.StatementMade:
		of = p.Dispute
	case *events.EvidenceBrought:
		of = p.Dispute
	case *events.DisputeRuled:
		of = p.Dispute
	}
	var disputes []timeline.Dispute
	for _, d := range list {
		if d.Index != of && !d.Contests(e.Index) && !(e.Corrects != 0 && d.Contests(e.Corrects)) {
			continue
		}
		x, err := f.DescribeDispute(c, system, d)
		if err != nil {
			return nil, err
		}
		disputes = append(disputes, x)
	}
	return disputes, nil
}

// plead puts an entry of a dispute to the umpire, named by its words as any entry without an id.
func (f *Service) plead(ctx context.Context, c ledger.Campaign, p DisputeEntry) (Submitted, error) {
	body := map[string]any{}
	if p.Correction != "" || p.Name != "" {
		keys, err := turnfile.Mapping(cmp.Or(p.Name, "correction"), []byte(p.Correction))
		if err != nil {
			return Submitted{}, err
		}
		for key, value := range keys {
			body[key] = value
		}
	}
	maps.Copy(body, p.Body) // what stands beside the file counts
	text, err := json.Marshal(map[string]any{p.Verb: body})
	if err != nil {
		return Submitted{}, problem.New(problem.Input, "the entry does not read: %v", err)
	}
	out, err := f.submit(ctx, c, Submission{Name: p.Verb, Text: string(text), Entry: true, Seat: p.Seat})
	if out.Problem != nil {
		out.Problem.Where = "" // there is no file whose line could be named
	}
	return out, err
}
