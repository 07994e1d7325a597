// Package explain describes in a document why an event is as it is, and what a dispute is about.
//
// A document ([document.Document]) has a sentence and sections. The terminal prints it, the page of the event draws it,
// and /api/v1 answers with it, so that all three say the same:
//
//	#8 of straits: income collected          title
//	UK collects 12 IPCs: 16 less 4 …         the sentence
//	12 IPCs for UK                           its figures
//	Derivation                               a section for everything that the event rests on
//	  AAR-4-RANGE  raids take 4 of 16 …
//	Axis & Allies Revised, edition 1         the last section holds the hashes
//
// A section that the event has nothing for is left out. Everything in a document of an event is public. The package
// reads no record: package service gathers what a document says.
package explain

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/document"
)

// Explanation is `watu explain --json`: why an event is as it is, as data and as a document.
type Explanation struct {
	service.Explanation
	Document document.Document `json:"document"`
}

// evidence is an explanation, and what else the document of an event draws on.
type evidence struct {
	service.Explanation
	demo     bool
	earnings *service.Earnings
	balances []timeline.Balance
	begun    []timeline.LogEvent // the events of the command that opened the campaign, if the event is its opening
}

// mostBegun is how many events an opening is searched for seats and chains.
const mostBegun = 48

// Event explains an event of a campaign.
func Event(ctx context.Context, f *service.Service, campaign string, index uint64) (x Explanation, err error) {
	if x.Explanation, err = f.Explain(ctx, campaign, index); err != nil {
		return x, err
	}
	c, err := f.Campaign(campaign)
	if err != nil {
		return x, err
	}
	e := evidence{Explanation: x.Explanation, demo: c.Demo}
	if e.earnings, err = f.Earnings(ctx, campaign, index); err != nil {
		return x, err
	}
	if e.balances, err = f.Balances(ctx, campaign, index); err != nil {
		return x, err
	}
	if index == 0 {
		if e.begun, err = f.Log(ctx, campaign, 0, mostBegun); err != nil {
			return x, err
		}
	}
	x.Document = e.document()
	return x, nil
}

func (e *evidence) document() document.Document {
	d := document.Document{
		Title: fmt.Sprintf("#%d of %s: %s", e.Event.Index, e.Campaign, strings.ReplaceAll(string(e.Event.Type), "_",
			" ")),
		Text: e.Sentence, Blocks: e.place(),
	}
	if e.replaced() {
		d.Mark = document.Was
	}
	d.Sections = filled(
		e.standing(), e.pending(), Disputes("Disputes", e.Disputes), e.derivation(), e.basis(), e.opening(),
		e.territories(), e.raids(),
		e.treasuries(), e.cards(), e.roll(), e.draw(), e.result(), e.consequences(), e.command(), e.sealed(),
	)
	d.Sections = append(d.Sections, filled(titles(d.Sections), e.proof())...)
	return d
}

// filled leaves out sections without a block.
func filled(list ...document.Section) []document.Section {
	return slices.DeleteFunc(list, func(s document.Section) bool { return len(s.Blocks) == 0 })
}

// place says where the event belongs, and which figures it states.
func (e *evidence) place() []document.Block {
	var at []string
	for _, s := range []string{e.Event.Turn, e.Event.Phase, e.Event.Side} {
		if s != "" {
			at = append(at, s)
		}
	}
	var s document.Section
	if len(at) > 0 {
		s.Paragraph(strings.Join(at, ", "))
	}
	s.List(e.figures())
	return s.Blocks
}

// figures are those that somebody would ask about.
func (e *evidence) figures() document.List {
	l := document.List{Kind: document.SumList}
	ipcs := func(n int, of string) {
		unit := "IPCs "
		if n == 1 {
			unit = "IPC "
		}
		l.Add(strconv.Itoa(n), unit+of)
	}
	switch p := e.Event.Payload.(type) {
	case *events.IncomeCollected:
		ipcs(p.Net, "for "+p.Power)
	case *events.ConvoyRaided:
		ipcs(p.Damage, "from "+p.Victim)
	case *events.EconomicAttackMade:
		ipcs(p.Damage, "from "+p.Victim)
	case *events.ConvoyDisrupted:
		ipcs(p.Damage, "from "+p.Victim)
	case *events.FacilityDamaged:
		l.Add(strconv.Itoa(p.Damage), "damage to "+p.Territory)
	case *events.ContestSettled:
		if p.Modifier != 0 {
			l.Add(fmt.Sprintf("%+d", p.Modifier), "for "+p.Acting)
		}
	case *events.DiceRolled:
		l.Add(narrator.Dice(p.Dice), p.Throw)
	case *events.ResultAdjudicated:
		for _, r := range p.Readings {
			l.Add(r.Result, readingName(r))
		}
	}
	return l
}

// derivation lists the rules that the event follows from.
func (e *evidence) derivation() document.Section {
	s := document.Section{ID: "because", Title: "Derivation"}
	s.List(steps(e.Derivation))
	return s
}

// raids lists what was taken off an income, each with its own derivation.
func (e *evidence) raids() document.Section {
	s := document.Section{ID: "raids", Title: "Raids"}
	for _, r := range e.Raids {
		line := r.NarratedEvent
		line.Rules = nil // the steps below name them
		s.List(lines(line))
		s.List(steps(r.Derivation))
	}
	return s
}

// cards tells a contest play by play.
func (e *evidence) cards() document.Section {
	s := document.Section{ID: "cards", Title: "Cards, play by play"}
	if e.Contest != nil {
		s.List(lines(e.Contest.Plays...))
		s.List(caps(e.Contest.Caps))
	}
	return s
}

// consequences lists what followed from the event.
func (e *evidence) consequences() document.Section {
	s := document.Section{ID: "led", Title: "What came of it"}
	s.List(lines(e.Led...))
	return s
}

// command says what was asked for, and by whom.
func (e *evidence) command() document.Section {
	c := e.Command
	s := document.Section{ID: "asked", Title: fmt.Sprintf("Asked by %s: %s", seat(c.Seat), c.ID)}
	switch {
	case c.Verb != "" && c.First != e.Event.Index:
		s.Paragraph(c.Verb+", in ", document.Event(c.First))
	case c.Verb != "":
		s.Paragraph(c.Verb)
	}
	if s.List(inputs(c.Inputs)); len(c.Inputs) == 0 {
		s.Paragraph("Nothing but itself.")
	}
	return s
}

// lines lists events, each with its rules.
func lines(list ...timeline.NarratedEvent) document.List {
	l := document.List{Kind: document.EventList}
	for _, x := range list {
		l.Add(document.Event(x.Index), sentence(x), citing(x.Rules...))
	}
	return l
}

// sentence is that of an event, with links unless the line came over the interface.
func sentence(x timeline.NarratedEvent) document.Text {
	if x.Sentence == nil {
		return document.Plainly(x.Text)
	}
	return x.Sentence
}

// citing names rules in brackets behind a sentence.
func citing(ids ...string) (t document.Text) {
	for i, id := range ids {
		between := ", "
		if i == 0 {
			between = " ["
		}
		t = append(t, document.Span{Text: between}, document.Rule(id))
	}
	if len(t) > 0 {
		t = append(t, document.Span{Text: "]"})
	}
	return t
}

func steps(derivation []events.Citation) document.List {
	l := document.List{Kind: document.StepList}
	for _, c := range derivation {
		l.Add(document.Rule(c.Rule), stepText(c.Step))
	}
	return l
}

var raiders = regexp.MustCompile(`^(\d+) (submarine|destroyer|cruiser|battleship|carrier|transport) of `)

// stepText is a step in words: of raiders the record has "2 submarine of Germany", whatever their number.
func stepText(step string) string {
	m := raiders.FindStringSubmatch(step)
	if m == nil || m[1] == "1" {
		return step
	}
	return strings.Replace(step, m[2], m[2]+"s", 1)
}

// caps say where a figure went beyond a table, or cards beyond a contest.
func caps(list []string) document.List {
	l := document.List{Kind: document.PairList}
	for _, c := range list {
		l.Add("cap:", c)
	}
	return l
}

func inputs(list []service.InputFigure) document.List {
	l := document.List{Kind: document.PairList}
	for _, i := range list {
		value := i.Value
		if said, ok := map[string]string{"true": "yes", "false": "no"}[value]; ok {
			value = said
		}
		l.Add(narrator.Field(i.Field), value)
	}
	return l
}

// seat is how a sentence calls a seat, and voice how it begins with one.
func seat(name string) string {
	if name == timeline.Umpire {
		return "the umpire"
	}
	return name
}

func voice(name string) string {
	if name == timeline.Umpire {
		return "The umpire"
	}
	return name
}

func strong(text string) document.Span { return document.Span{Text: text, Mark: document.Strong} }

func code(x fmt.Stringer) document.Span { return document.Span{Text: x.String(), Mark: document.Code} }
