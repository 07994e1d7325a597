package service

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
)

// Exported is what is said of a file written: the head of an answer to GET
// /v1/campaigns/{c}/export, behind whose line the file follows.
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

func (f *Service) getExport(w http.ResponseWriter, r *http.Request) {
	c, err := f.find(r.PathValue("c"))
	if err != nil {
		fail(w, err)
		return
	}
	file, err := f.export(c, r)
	if err != nil {
		fail(w, err)
		return
	}
	b, h := file.Encode(), file.Header
	w.Header().Set("Content-Type", "application/octet-stream")
	w.WriteHeader(http.StatusOK)
	_ = json.NewEncoder(w).Encode(Exported{
		Version: Version, Campaign: c.Name, ID: c.ID.String(), Events: h.Events, Head: h.Head, For: h.For, Part: h.Part,
		Openings: len(file.Openings), Links: len(file.Links), Lacks: lacking(file), Bytes: len(b),
	})
	_, _ = w.Write(b) // the client is gone, or has it
}

// export makes the file that a request asks for.
func (f *Service) export(c ledger.Campaign, r *http.Request) (*bundle.File, error) {
	reader, err := f.viewer(c, r.URL.Query().Get("for"))
	if err != nil {
		return nil, err
	}
	if reader.As == Commentator {
		return nil, problem(Input, "a file is made for the public, the umpire or a side: what a commentator may know changes with every turn")
	}
	part, to, err := f.part(c, r)
	if err != nil {
		return nil, err
	}
	if to, err = f.stepEnd(c, to); err != nil {
		return nil, err
	}
	return f.bundle(r.Context(), c, reader.As, to, part)
}

// stepEnd is where the step ends that the last of the first upTo events belongs to: a file that was cut within a step
// could not be told from one whose dice or results were taken away.
func (f *Service) stepEnd(c ledger.Campaign, upTo uint64) (uint64, error) {
	last, err := f.event(c.ID, upTo-1)
	for err == nil && upTo < c.Events {
		var next events.Event
		if next, err = f.event(c.ID, upTo); err != nil || next.Request != "" && next.Command != last.Command {
			break
		}
		last = next
		upTo++
	}
	return upTo, err
}

// part reads which events are in question, and how many are needed for that.
func (f *Service) part(c ledger.Campaign, r *http.Request) (*bundle.Part, uint64, error) {
	q := r.URL.Query()
	if q.Get("dispute") != "" {
		index, err := strconv.ParseUint(q.Get("dispute"), 10, 64)
		if err != nil {
			return nil, 0, problem(Input, "a dispute is named by the index of the event that opened it, not %q", q.Get("dispute"))
		}
		p, err := f.partOf(r.Context(), c, index)
		if err != nil {
			return nil, 0, err
		}
		return p, p.To + 1, nil
	}
	if q.Get("from") == "" && q.Get("to") == "" {
		return nil, c.Events, nil
	}
	from, err := number(r, "from", 0)
	if err != nil {
		return nil, 0, err
	}
	to, err := number(r, "to", c.Events-1)
	if err != nil {
		return nil, 0, err
	}
	if from > to || to >= c.Events {
		return nil, 0, problem(Input, "campaign %s has no events #%d to #%d; its last is #%d", c.Name, from, to, c.Events-1)
	}
	return &bundle.Part{From: from, To: to}, to + 1, nil
}

// partOf is the part that a dispute is about: from the first event of the command that is contested, that
// is brought as evidence or corrected, to the last event that says something of the dispute or follows from its ruling.
func (f *Service) partOf(ctx context.Context, c ledger.Campaign, dispute uint64) (*bundle.Part, error) {
	part := &bundle.Part{From: dispute, To: dispute, Dispute: dispute}
	var about []uint64
	commands := map[string]uint64{} // where each begins
	ruled := map[string]bool{}      // commands of the ruling and of corrections, with all that follows from them
	found := false
	for r, err := range f.records(ctx, c.ID, 0, c.Events) {
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
		return nil, problem(Input, "campaign %s has no dispute #%d: a dispute is named by the index of the event that opened it", c.Name, dispute)
	}
	for _, index := range about {
		e, err := f.event(c.ID, index)
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
func (f *Service) bundle(ctx context.Context, c ledger.Campaign, reader string, upTo uint64, part *bundle.Part) (*bundle.File, error) {
	out := &bundle.File{Header: bundle.Header{Campaign: c.ID, Events: upTo, For: reader, Part: part}}
	h := &out.Header
	var opened events.CampaignOpened
	for r, err := range projections.Until(ctx, f.ledger.Read(c.ID, 0, upTo)) {
		if err != nil {
			return nil, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, err
		}
		var moved events.EditionMoved
		e.Read(&opened)
		e.Read(&moved)
		for _, edition := range []events.Hash{e.Edition, moved.Hash} {
			if !edition.IsZero() && !slices.Contains(h.Editions, edition) {
				h.Editions = append(h.Editions, edition)
			}
		}
		h.Head = r.Hash()
		out.Events = append(out.Events, r.Bytes)
	}
	h.Name, h.System, h.Edition = opened.Name, opened.System, opened.Edition
	f.addSheets(out)
	files, err := boardsOf(f.dir).Get(opened.Board)
	if err != nil && !errors.Is(err, replay.ErrNoBoard) {
		return nil, err
	}
	for _, b := range files {
		out.Boards = append(out.Boards, b.Data)
	}
	if err := f.addSecrets(ctx, out, c, opened.Sides); err != nil && !errors.Is(err, replay.ErrNoSecret) {
		return nil, err
	}
	out.Lacks = out.Missing()
	return out, nil
}

// lacking tells what a file lacks, in words.
func lacking(file *bundle.File) (list []string) {
	for _, group := range bundle.Grouped(file.Lacks) {
		list = append(list, bundle.LackText(group))
	}
	return list
}

// addSheets adds the printed sheets of the editions that judged, as far as this program has them.
func (f *Service) addSheets(out *bundle.File) {
	for _, e := range f.systems[out.Header.System].Editions {
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
	if out.Openings, err = f.openings(ctx, c, Viewer{As: h.For}, h.Events); err != nil {
		return err
	}
	if kept, ok, err := f.imported(c.ID); ok || err != nil {
		out.Links = kept.links(out)
		return err
	}
	out.Links, err = f.umpire.DrawLinks(c.ID, h.Events, sides)
	return err
}
