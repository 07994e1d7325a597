package service

import (
	"context"
	"errors"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/keys"
)

// Exported describes a file written, and `watu export --json`.
type Exported struct {
	Version  int          `json:"version"`
	Campaign string       `json:"campaign"`
	ID       string       `json:"id"`
	Events   uint64       `json:"events"` // from event 0 on
	Head     events.Hash  `json:"head"`   // hash of the last of them
	For      string       `json:"for"`
	Part     *bundle.Part `json:"part,omitempty"`
	Openings int          `json:"openings"` // secrets in the file, for its reader
	Links    int          `json:"links"`    // of draws
	Lacks    []string     `json:"lacks,omitempty"`
	Bytes    int          `json:"bytes"`
	File     string       `json:"file,omitempty"` // as the client wrote it
}

// ExportRequest is which file is made of a campaign.
type ExportRequest struct {
	For     string  // as [Service.Viewer] reads it; not a commentator
	Dispute *uint64 // the part in question is what a dispute is about
	From    *uint64 // or the events from one to another; the whole campaign by default
	To      *uint64
}

// Export makes the file of a campaign, and says what is in it.
func (f *Service) Export(ctx context.Context, campaign string, x ExportRequest) (Exported, []byte, error) {
	out := Exported{Version: maintenance.Version}
	c, err := f.Find(campaign)
	if err != nil {
		return out, nil, err
	}
	reader, err := f.Viewer(c.Name, x.For)
	if err != nil {
		return out, nil, err
	}
	if reader.As == timeline.Commentator {
		return out, nil, problem.New(problem.Input, "a file is made for the public, the umpire or a side: what a "+
			"commentator may know changes with every turn")
	}
	if err := f.NoteReading(c.Name, reader, true); err != nil {
		return out, nil, err
	}
	part, to, err := f.part(ctx, c, x)
	if err != nil {
		return out, nil, err
	}
	if to, err = f.stepEnd(c, to); err != nil {
		return out, nil, err
	}
	file, err := f.bundle(ctx, c, reader.As, to, part)
	if err != nil {
		return out, nil, err
	}
	b, h := file.Encode(), file.Header
	return Exported{
		Version: maintenance.Version, Campaign: c.Name, ID: c.ID.String(), Events: h.Events, Head: h.Head, For: h.For,
		Part:     h.Part,
		Openings: len(file.Openings), Links: len(file.Links), Lacks: lacking(file), Bytes: len(b),
	}, b, nil
}

// part gives which events are in question, and how many are needed for that.
func (f *Service) part(ctx context.Context, c ledger.Campaign, x ExportRequest) (*bundle.Part, uint64, error) {
	if x.Dispute != nil {
		p, err := f.partOf(ctx, c, *x.Dispute)
		if err != nil {
			return nil, 0, err
		}
		return p, p.To + 1, nil
	}
	if x.From == nil && x.To == nil {
		return nil, c.Events, nil
	}
	from, to := uint64(0), c.Events-1
	if x.From != nil {
		from = *x.From
	}
	if x.To != nil {
		to = *x.To
	}
	if from > to || to >= c.Events {
		return nil, 0, problem.New(problem.Input, "campaign %s has no events #%d to #%d; its last is #%d", c.Name, from,
			to, c.Events-1)
	}
	return &bundle.Part{From: from, To: to}, to + 1, nil
}

// stepEnd is where the step ends that the last of the first upTo events belongs to: a file that was cut within a step
// could not be distinguished from one whose dice or results were taken away.
func (f *Service) stepEnd(c ledger.Campaign, upTo uint64) (uint64, error) {
	last, err := f.Event(c.ID, upTo-1)
	for err == nil && upTo < c.Events {
		var next events.Event
		if next, err = f.Event(c.ID, upTo); err != nil || next.Request != "" && next.Command != last.Command {
			break
		}
		last = next
		upTo++
	}
	return upTo, err
}

// partOf is the part that a dispute is about: from the first event of the command that is contested, that
// is brought as evidence or corrected, to the last event that says something of the dispute or follows from its ruling.
func (f *Service) partOf(ctx context.Context, c ledger.Campaign, dispute uint64) (*bundle.Part, error) {
	part := &bundle.Part{From: dispute, To: dispute, Dispute: dispute}
	var about []uint64
	commands := map[string]uint64{} // where each begins
	ruled := map[string]bool{}      // commands of the ruling and of corrections, with all that follows from them
	found := false
	for r, err := range f.Records(ctx, c.ID, 0, c.Events) {
		if err != nil {
			return nil, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, err
		}
		if _, known := commands[e.Command]; !known {
			commands[e.Command] = e.Index
		}
		p, _ := events.PayloadOf(&e)
		if opened, ok := p.(*events.DisputeOpened); ok && e.Index == dispute {
			found, about = true, append(about, opened.Event)
		}
		if brought, ok := p.(*events.EvidenceBrought); ok && brought.Dispute == dispute {
			about = append(about, brought.Events...)
		}
		if corrected, ok := p.(*events.Corrected); ok && corrected.Dispute == dispute {
			about = append(about, corrected.Event)
		}
		if of, ok := disputeOf(p); ok && of == dispute || ruled[e.Command] {
			ruled[e.Command] = true
			part.To = e.Index
		}
	}
	if !found {
		return nil, problem.New(problem.Input, "campaign %s has no dispute #%d: a dispute is named by the index of "+
			"the event that opened it", c.Name, dispute)
	}
	for _, index := range about {
		e, err := f.Event(c.ID, index)
		if err != nil {
			return nil, err
		}
		part.From = min(part.From, commands[e.Command])
	}
	return part, nil
}

// disputeOf names the dispute that an event belongs to.
func disputeOf(p events.Payload) (uint64, bool) {
	switch p := p.(type) {
	case *events.StatementMade:
		return p.Dispute, true
	case *events.EvidenceBrought:
		return p.Dispute, true
	case *events.DisputeRuled:
		return p.Dispute, true
	case *events.Voided:
		return p.Dispute, true
	case *events.Compensated:
		return p.Dispute, true
	case *events.Corrected:
		return p.Dispute, true
	}
	return 0, false
}

// bundle makes a file of a campaign's first events, with what its reader may see. What it should hold and is not here
// is said in it.
func (f *Service) bundle(ctx context.Context, c ledger.Campaign, reader string, upTo uint64,
	part *bundle.Part) (*bundle.File, error) {
	out, opened, err := bundle.Gather(reader, projections.WithContext(ctx, f.Ledger().Read(c.ID, 0, upTo)))
	if err != nil {
		return nil, err
	}
	out.Header.Part = part
	f.addSheets(out)
	files, err := f.Boards().Get(opened.Board)
	if err != nil && !errors.Is(err, replay.ErrNoBoard) {
		return nil, err
	}
	for _, b := range files {
		out.Boards = append(out.Boards, b.Data)
	}
	if err := f.addSecrets(ctx, out, c, opened.Sides); err != nil && !errors.Is(err, keys.ErrNoSecret) {
		return nil, err
	}
	out.Lacks = out.Missing()
	if k, err := f.Checkpoint(ctx, c, upTo); err == nil && k.Unsigned == "" {
		out.Signed = bundle.Signed{Key: k.Key, Note: k.Note}
	}
	return out, nil
}

// lacking says what a file lacks, in words.
func lacking(file *bundle.File) (list []string) {
	for _, group := range bundle.Grouped(file.Lacks) {
		list = append(list, bundle.LackText(group))
	}
	return list
}

// addSheets adds the printed sheets of the editions that judged, as far as this program has them.
func (f *Service) addSheets(out *bundle.File) {
	for _, e := range f.System(out.Header.System).Editions {
		if slices.Contains(out.Header.Editions, e.Hash) {
			out.Editions = append(out.Editions, e.Text)
		}
	}
}

// addSecrets adds what the reader may open: everything for the umpire, nothing for the public, for a side what
// its own events commit to and its own draws.
func (f *Service) addSecrets(ctx context.Context, out *bundle.File, c ledger.Campaign, sides []string) (err error) {
	h := out.Header
	if h.For == bundle.Public {
		return nil
	}
	if h.For != bundle.Umpire {
		sides = []string{h.For}
	}
	if out.Openings, err = f.Openings(ctx, c, timeline.Viewer{As: h.For}, h.Events); err != nil {
		return err
	}
	if kept, ok, err := f.Imported(c.ID); ok || err != nil {
		out.Links = kept.LinksFor(out)
		return err
	}
	out.Links, err = f.Umpire().DrawLinks(c.ID, h.Events, sides)
	return err
}
