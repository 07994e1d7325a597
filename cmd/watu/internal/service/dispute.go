package service

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
)

// Disputes is `watu dispute list --json`:
// the disputes of the whole ledger, or of a campaign.
type Disputes struct {
	Version  int        `json:"version"`
	Disputes []Disputed `json:"disputes"` // by campaign, in the order in which they were opened
}

// Disputed is a dispute. All of it is public, but what [Service.Dispute] adds for who holds its openings.
type Disputed struct {
	Campaign string `json:"campaign"`
	System   string `json:"system"`
	campaign.Dispute
	Open  bool   `json:"open"`
	About string `json:"about"` // what is contested, in a sentence
}

// DisputeShown is `watu dispute show --json`.
type DisputeShown struct {
	Version   int           `json:"version"`
	Dispute   Disputed      `json:"dispute"`
	Contested *Line         `json:"contested,omitempty"` // nil where it is a refusal
	Inputs    []InputFigure `json:"inputs,omitempty"`    // of the refused command, where it is not sealed
	Shown     []Line        `json:"shown"`               // the events brought as evidence, each once
	// what was corrected by the ruling, or on account of the dispute
	Corrections []Amended     `json:"corrections"`
	Voided      []Line        `json:"voided"`            // what does not stand any more by those
	Instead     []Line        `json:"instead"`           // what takes the place of those
	Pending     []Consequence `json:"pending,omitempty"` // what follows from that, and stands as it is recorded
	Precedents  []Disputed    `json:"precedents"`        // earlier ones on the same rules
}

// Amended is an event and the one that stands in its place.
type Amended struct {
	Was Line `json:"was"`
	Is  Line `json:"is"`
}

// Plea is an entry of a dispute.
//
// The answer is a [Submitted].
type Plea struct {
	// what is said; a ruling is the umpire's
	Verb       string         `json:"verb" enum:"dispute,statement,evidence,ruling"`
	Body       map[string]any `json:"body"`                 // what stands under the verb in a turn file
	Correction string         `json:"correction,omitempty"` // of a ruling: what it corrects, as in a correction's file

	// For whoever holds the directory.
	Seat string `json:"seat,omitempty" hidden:"true"` // who asks; empty for the umpire
	Name string `json:"name,omitempty" hidden:"true"` // of the correction's file, for messages
}

// dockets are the disputes of the campaigns, as far as the record was read.
type dockets struct {
	mu sync.Mutex
	of map[ulid.ULID]*docket
}

type docket struct {
	campaign.Docket
	history history.Index // of the events read
}

// disputes gives the disputes of a campaign, from the log alone.
func (f *Service) disputes(c ledger.Campaign) ([]campaign.Dispute, error) {
	f.dockets.mu.Lock()
	defer f.dockets.mu.Unlock()
	if f.dockets.of == nil {
		f.dockets.of = map[ulid.ULID]*docket{}
	}
	d := f.dockets.of[c.ID]
	if d == nil {
		d = &docket{}
		f.dockets.of[c.ID] = d
	}
	for r, err := range f.Ledger().Read(c.ID, d.history.Head().Len(), c.Events) {
		if err != nil {
			return nil, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, err
		}
		d.Add(&e)
		d.history.Add(&e)
	}
	return d.Disputes(d.history.Head()), nil
}

// openDisputes counts those that wait for a ruling.
func (f *Service) openDisputes(c ledger.Campaign) (n int, err error) {
	list, err := f.disputes(c)
	for i := range list {
		if list[i].Open() {
			n++
		}
	}
	return n, err
}

// contested gives the open disputes over each event.
func (f *Service) contested(c ledger.Campaign) (map[uint64][]uint64, error) {
	list, err := f.disputes(c)
	open := map[uint64][]uint64{}
	for i := range list {
		if d := &list[i]; d.Open() && d.Claim.Refused == "" {
			open[d.Claim.Event] = append(open[d.Claim.Event], d.Index)
		}
	}
	return open, err
}

// tellDispute says what is contested.
func (f *Service) tellDispute(c ledger.Campaign, system string, d campaign.Dispute) (Disputed, error) {
	out := Disputed{Campaign: c.Name, System: system, Dispute: d, Open: d.Open()}
	if d.Claim.Refused != "" {
		out.About = "the refusal of " + strconv.Quote(d.Claim.Refused)
		return out, nil
	}
	e, err := f.Event(c.ID, d.Claim.Event)
	out.About = narrator.Tell(&e)
	return out, err
}

// Asked is which disputes are asked for; the zero value is all.
type Asked struct {
	Open       bool   `query:"open" doc:"only those that wait for a ruling"`
	Precedents bool   `query:"precedents" doc:"those that bind later rulings; of a campaign, with the league's"`
	Rule       string `query:"rule" maxLength:"200" doc:"only those that turn on this rule" example:"AWAW-48.81"`
}

func (a Asked) asks(d *campaign.Dispute) bool {
	return (!a.Open || d.Open()) && (!a.Precedents || d.Precedent()) && (a.Rule == "" || d.Turns(a.Rule))
}

// listDisputes gives the disputes of all campaigns or of one alone. Precedents for the league are of
// every campaign that is played by the same rules.
func (f *Service) listDisputes(all []ledger.Campaign, only string, q Asked) (told []Disputed, err error) {
	if err := knownRule(q.Rule); err != nil {
		return nil, err
	}
	systems := map[string]string{}
	for _, c := range all {
		first, err := f.Event(c.ID, 0)
		if err != nil {
			return nil, err
		}
		var p events.CampaignOpened
		first.Read(&p)
		systems[c.Name] = p.System
	}
	for _, c := range all {
		if only != "" && only != c.Name && !(q.Precedents && systems[c.Name] == systems[only]) {
			continue
		}
		list, err := f.disputes(c)
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			other := only != "" && only != c.Name
			if !q.asks(&d) || other && d.Ruling.Scope != events.ScopeLeague {
				continue
			}
			x, err := f.tellDispute(c, systems[c.Name], d)
			if err != nil {
				return nil, err
			}
			told = append(told, x)
		}
	}
	return told, nil
}

// Dispute tells the dispute that an event opened, with everything that bears on it and that the viewer may know.
func (f *Service) Dispute(ctx context.Context, nameOrID string, index uint64, v Viewer) (DisputeShown, error) {
	c, err := f.find(nameOrID)
	if err != nil {
		return DisputeShown{}, err
	}
	out := DisputeShown{Version: maintenance.Version, Shown: []Line{}, Corrections: []Amended{}, Voided: []Line{},
		Instead: []Line{}, Precedents: []Disputed{}}
	list, err := f.disputes(c)
	if err != nil {
		return out, err
	}
	i := slices.IndexFunc(list, func(d campaign.Dispute) bool { return d.Index == index })
	if i < 0 {
		return out, noDispute(c, index, list)
	}
	d := list[i]
	if len(d.Sealed) > 0 {
		held, err := f.openings(ctx, c, v, c.Events)
		if err != nil {
			return out, err
		}
		d.Unseal(held)
	}
	x, err := f.reader(ctx, c)
	if err != nil {
		return out, err
	}
	if out.Dispute, err = f.tellDispute(c, x.opened().System, d); err != nil {
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

// disputed says with an error that an event opened no dispute.
func (f *Service) disputed(c ledger.Campaign, index uint64) error {
	list, err := f.disputes(c)
	if err != nil || slices.ContainsFunc(list, func(d campaign.Dispute) bool { return d.Index == index }) {
		return err
	}
	return noDispute(c, index, list)
}

func noDispute(c ledger.Campaign, index uint64, list []campaign.Dispute) error {
	var known []string
	for _, d := range list {
		known = append(known, "#"+strconv.FormatUint(d.Index, 10))
	}
	if len(known) == 0 {
		return problem.New(problem.Input, "nothing is disputed in campaign %s", c.Name)
	}
	return problem.New(problem.Input, "event #%d of campaign %s opened no dispute; its disputes are %s", index, c.Name,
		listed(known))
}

// opened is the campaign's first event.
func (x *reader) opened() (p events.CampaignOpened) {
	x.at(0).Read(&p)
	return p
}

// line tells the event at index.
func (x *reader) line(index uint64) Line {
	if index >= x.c.Events {
		return Line{Index: index, Rules: []string{}}
	}
	e := x.at(index)
	return lineOf(e, correctedBefore(x.history, e))
}

// lines tells events by their indexes.
func (x *reader) lines(indexes []uint64) (list []Line) {
	for _, i := range indexes {
		list = append(list, x.line(i))
	}
	return list
}

// ordered tells what follows from the dispute: the step of its ruling, and what was corrected on its account.
func (x *reader) ordered(behind []uint64, out *DisputeShown) {
	for _, i := range behind {
		e := x.at(i)
		if e.Corrects != 0 {
			was := cmp.Or(correctedBefore(x.history, e), e.Corrects)
			out.Corrections = append(out.Corrections, Amended{Was: x.line(was), Is: x.line(i)})
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
		for _, i := range x.history.Named(x.at(first).Command).Events {
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
func (f *Service) precedents(c ledger.Campaign, d campaign.Dispute) ([]Disputed, error) {
	list, err := f.listDisputes(f.Ledger().Campaigns(), c.Name, Asked{Precedents: true})
	earlier := []Disputed{}
	for _, x := range list {
		own := x.Campaign == c.Name
		if !x.Turns(d.Rules()...) || own && (x.Index == d.Index || d.Ruling != nil && x.Ruling.Event > d.Ruling.Event) {
			continue
		}
		earlier = append(earlier, x)
	}
	return earlier, err
}

// concerning gives the disputes that an event is part of: over it, over what it corrects, or the one
// that it opens, argues or rules on.
func (f *Service) concerning(c ledger.Campaign, system string, e *events.Event) ([]Disputed, error) {
	list, err := f.disputes(c)
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
	var told []Disputed
	for _, d := range list {
		if d.Index != of && !d.Of(e.Index) && !(e.Corrects != 0 && d.Of(e.Corrects)) {
			continue
		}
		x, err := f.tellDispute(c, system, d)
		if err != nil {
			return nil, err
		}
		told = append(told, x)
	}
	return told, nil
}

// plead puts an entry of a dispute to the umpire, named by its words as any entry without an id.
func (f *Service) plead(ctx context.Context, c ledger.Campaign, p Plea) (Submitted, error) {
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
	maps.Copy(body, p.Body) // what is said beside the file counts
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
