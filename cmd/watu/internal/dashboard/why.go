package dashboard

import (
	"net/http"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/explain"
	"github.com/watu-ledger/watu/cmd/watu/internal/forum"
	"github.com/watu-ledger/watu/cmd/watu/internal/mapview"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/waterfall"
	"github.com/watu-ledger/watu/cmd/watu/internal/worded"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
)

// described is what the page of an event or a dispute shows: its document.
type described struct {
	links
	Event    uint64 // the event, or the one that opened the dispute
	Hash     events.Hash
	Document document.Document
	Posts    []forum.Copy
	Open     bool   // a dispute that waits for its ruling
	events   uint64 // of the campaign
	fall     *waterfall.Table
	Stake    stake // of a dispute
}

// why draws why an event is as it is. It is drawn from the log alone, whoever looks.
func (d *Dashboard) why(r *http.Request) (page, error) {
	c, viewer, index, err := d.asked(r)
	if err != nil {
		return page{}, err
	}
	x, err := explain.Event(r.Context(), d.service, c.ID, index)
	if err != nil {
		return page{}, err
	}
	if raid, ok := x.Event.Payload.(*events.ConvoyRaided); ok {
		b, err := d.boards.of(d.service, c.ID)
		if err != nil {
			return page{}, err
		}
		if b != nil && b.Board != nil {
			if by := mapview.ByWay(b.Sea(raid.Zone, raid.Territory), story.Lines{}); by != "" {
				x.Document.Blocks = append(x.Document.Blocks, document.Block{Text: document.Concat(by + ".")})
			}
		}
	}
	posts, err := forum.Copies(r.Context(), d.service, c.Name, d.site(r), [2]uint64{index, index})
	if err != nil {
		return page{}, err
	}
	say := story.LinesOf(languageOf(r))
	p := describedBy("why", c, viewer, described{Event: index, Hash: x.Event.Hash, Document: x.Document,
		Posts: posts, fall: waterfall.Of(x.Event.Payload)})
	p.Share = sharing(c, links{name: c.Name}.To(index), x.Narration, say.Says("event-says", "n", index, "campaign",
		words.Titled(c.Name), "when", when(say, x.Event.Turn, string(x.Event.Phase)))+".")
	p.Title = say.Says("event-title", "n", index, "campaign", words.Titled(c.Name))
	return p, nil
}

// dispute draws a dispute: what is public, and what the viewer holds of a refused command.
func (d *Dashboard) dispute(r *http.Request) (page, error) {
	c, viewer, index, err := d.asked(r)
	if err != nil {
		return page{}, err
	}
	x, err := d.service.Dispute(r.Context(), c.ID, index, viewer)
	if err != nil {
		return page{}, err
	}
	posts, err := forum.Copies(r.Context(), d.service, c.Name, d.site(r), forum.OfDispute(x.Dispute)...)
	if err != nil {
		return page{}, err
	}
	in := languageOf(r)
	at, err := d.stakeOf(r.Context(), c, x.Dispute, c.Events, in)
	if err != nil {
		return page{}, err
	}
	p := describedBy("dispute", c, viewer, described{Event: index, Document: explain.Dispute(x), Posts: posts,
		Stake: at, Open: x.Dispute.Open})
	say := story.LinesOf(in)
	p.Title = say.Says("dispute-title", "n", index, "campaign", words.Titled(c.Name))
	switch ruling, settled := x.Dispute.Ruling, x.Dispute.Settled; {
	case settled != 0:
		p.Title += ": " + say.Within("settled-by", "n", settled)
	case ruling != nil:
		p.Title += ": " + say.Within("ruled-"+ruling.Ruling)
	}
	p.Share = sharing(c, links{name: c.Name}.Dispute(index), "“"+x.Dispute.Claim.Claim+"”", p.Title+".")
	return p, nil
}

func describedBy(name string, c timeline.Campaign, viewer timeline.Viewer, x described) page {
	x.links, x.events = links{name: c.Name}, c.Events
	x.Document.Title = strings.Replace(x.Document.Title, c.Name, words.Titled(c.Name), 1)
	return page{name: name, Title: x.Document.Title, Campaign: c.Name, Viewer: viewer,
		Live: pathTo("campaigns", c.Name, "live"), Body: x}
}

// Main are the sections that say why, and Beside those that say by whom, and how it can be checked.
func (x described) Main() []worded.Part   { return x.parts(false) }
func (x described) Beside() []worded.Part { return x.parts(true) }

// besides are the ids of the sections that stand beside the others.
var besides = []string{"disputed", "nature", "asked", "sealed", "proof"}

func (x described) parts(beside bool) []worded.Part {
	return slices.DeleteFunc(worded.Parts(x.Document), func(p worded.Part) bool {
		return slices.Contains(besides, p.ID) != beside
	})
}

// passage is a section of the page.
type passage struct {
	links
	worded.Part
	Fall *waterfall.Table
}

// Of is the section with the links of the page.
func (x described) Of(p worded.Part) passage {
	if p.ID != "result" || x.fall == nil {
		return passage{x.links, p, nil}
	}
	p.Blocks = waterfall.Without(p.Blocks)
	return passage{x.links, p, x.fall}
}

// Cites are the rules that a section names, and Named those of the sentence.
func (p passage) Cites() ruleFold   { return ruleLinks(p.name, p.Rules) }
func (x described) Named() ruleFold { return ruleLinks(x.name, worded.Cited(x.Document.Text)) }

// Previous is the event before; there is one behind every event but the first.
func (x described) Previous() uint64 { return x.Event - 1 }

// Next is the event after, 0 if there is none yet.
func (x described) Next() uint64 {
	if x.Event+1 >= x.events {
		return 0
	}
	return x.Event + 1
}
