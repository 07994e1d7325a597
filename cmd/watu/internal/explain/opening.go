package explain

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay/campaign"
)

// opening says what the campaign began with, and which seats and chains came with it.
func (e *evidence) opening() document.Section {
	s := document.Section{ID: "opening", Title: "What it began with"}
	p, ok := e.Event.Payload.(*events.CampaignOpened)
	if !ok {
		return s
	}
	l := document.List{Kind: document.PairList}
	l.Add("Sides", strings.Join(p.Sides, ", "))
	dice := "of hash chains"
	switch p.Dice {
	case campaign.Attested:
		dice = "thrown at a table, and attested"
	case campaign.Contested:
		dice = "contested: a link of the host and one of a seat that does not roll decide them"
	case campaign.Beacon:
		dice = "by rounds of the beacon " + p.Beacon.Name + ", which " +
			map[bool]string{true: "other seats", false: "witnesses"}[p.Witnesses == ""] + " saw declared before"
	}
	l.Add("Dice", dice)
	if p.Board.Title != "" {
		version := ""
		if p.Board.Version != "" {
			version = ", version " + p.Board.Version
		}
		l.Add("Board", p.Board.Title+version)
		l.Add("", code(p.Board.Hash))
	}
	if p.Note != "" {
		l.Add("Note", p.Note)
	}
	s.List(l)
	openingTables(&s, p)
	e.seats(&s)
	return s
}

// openingTables lists pools, treasuries and options.
func openingTables(s *document.Section, p *events.CampaignOpened) {
	pools := document.Table{
		Title: "Card pools", Class: "modifiers", Columns: document.Columns("Side", "Deck", "#Cards", "Of these"),
	}
	for _, pool := range p.Pools {
		size, cards := 0, []string{}
		for _, c := range pool.Cards {
			size += c.Count
			cards = append(cards, fmt.Sprintf("%d %s", c.Count, c.Card))
		}
		pools.Add(pool.Side, pool.Deck, size, strings.Join(cards, ", "))
	}
	s.Table(pools)
	treasuries := sums("Treasuries, in IPCs")
	for _, t := range p.Treasuries {
		treasuries.Add(t.IPCs, t.Power)
	}
	s.Table(treasuries)
	options := document.Table{
		Class:   "modifiers",
		Title:   "Options: what the text leaves open, and how this campaign reads it",
		Columns: document.Columns("Option", "Value", "Settles"),
	}
	for _, o := range p.Options {
		options.Add(o.Name, o.Value, document.Rule(o.Rule))
	}
	s.Table(options)
}

// seats lists the seats and the chains that the command of the opening brought.
func (e *evidence) seats(s *document.Section) {
	var taken []timeline.NarratedEvent
	var stated []timeline.LogEvent
	for _, l := range e.begun {
		if l.CommandID != e.Event.CommandID {
			break
		}
		switch l.Payload.(type) {
		case *events.SeatTaken:
			taken = append(taken, timeline.NarratedEvent{Index: l.Index, Text: l.Narration})
		case *events.EpochBegun:
			stated = append(stated, l)
		}
	}
	section(s, "Seats", taken)
	for _, l := range stated {
		s.Heading("Chains")
		s.Paragraph("Stated in ", document.Event(l.Index), ", before any die or card was seen:")
		chains := document.List{Kind: document.PairList}
		for _, c := range l.Payload.(*events.EpochBegun).Chains {
			chains.Add(c.Chain+":", words.Count(c.Length, "link"))
			chains.Add("", code(c.Anchor))
		}
		s.List(chains)
	}
}
