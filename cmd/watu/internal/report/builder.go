package report

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

// builder makes a report of a record. It has found what belongs together.
type builder struct {
	Record

	history history.View
	instead map[uint64][]*events.Event // what was put in the place of an event, oldest first
	origin  map[uint64]uint64          // and the other way: in whose place an event is listed
	ruled   map[uint64]*events.Event   // dispute, and the ruling on it
	incomes map[string]uint64          // command and power, and the income collected
	taken   map[string][]*events.Event // command and power, and what was taken off the income
	players map[string]string          // label of a phase, and whose it is
	ahead   map[uint64]string          // event that is reported, and the phase that begins right behind it

	moved map[uint64]uint64          // event that stands alone in the place of voided ones, and the first of them
	after map[uint64][]*events.Event // event, and those that are listed behind it for that

	held map[events.Ref]string // what the reader holds the opening of

	link   func(event uint64) string // of charts on a page; nil in a file
	strips int                       // of a chart, at most; 0 for all
}

// disclosed is a disclosed fact and the event that discloses it.
type disclosed struct {
	fact string
	at   uint64
}

func newBuilder(r Record) *builder {
	t := &builder{
		Record: r, instead: map[uint64][]*events.Event{}, origin: map[uint64]uint64{},
		taken: map[string][]*events.Event{},
		ruled: map[uint64]*events.Event{}, incomes: map[string]uint64{}, players: map[string]string{},
		ahead: map[uint64]string{},
		moved: map[uint64]uint64{}, after: map[uint64][]*events.Event{}, held: map[events.Ref]string{},
	}
	var index history.Index
	for i := range r.Events {
		index.Add(&r.Events[i])
	}
	t.history = index.Head()
	for _, o := range r.Openings {
		t.held[events.Ref{Index: o.Index, Slot: o.Slot}] = o.Fact
	}
	for i := range r.Events {
		t.meet(&r.Events[i])
	}
	t.lookAhead()
	t.places()
	for _, e := range t.course() {
		if victim, raid := raided(e); raid && !t.later(e) {
			key := t.home(e).Command + "\x00" + victim
			t.taken[key] = append(t.taken[key], e)
		}
	}
	return t
}

// meet notes where an event belongs.
func (t *builder) meet(e *events.Event) {
	if e.Corrects != 0 && e.Corrects < e.Index {
		t.put(e, e.Corrects)
	}
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.PhaseAdvanced:
		t.players[e.Phase] = p.Player
	case *events.IncomeCollected:
		if e.Corrects == 0 && e.Replaces == 0 {
			t.incomes[e.Command+"\x00"+p.Power] = e.Index
		}
	case *events.DisputeRuled:
		if t.history.Stands(e.Index) {
			t.ruled[p.Dispute] = e
		}
	}
}

// raided gives the power that an event takes income of.
func raided(e *events.Event) (victim string, raid bool) {
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.ConvoyRaided:
		return p.Victim, true
	case *events.ConvoyDisrupted:
		return p.Victim, true
	}
	return "", false
}

// membership says by which relation the parts of an event name it.
var membership = map[events.Type]history.Relation{
	"contest_opened": history.Contest, "roll_declared": history.Roll, "draw_declared": history.Draw,
	"choice_asked": history.Question, "dispute_opened": history.Dispute,
}

// members lists what belongs to a contest, a declared roll or draw, a question or a dispute, in its order.
func (t *builder) members(of uint64) (list []*events.Event) {
	kind := t.history.Type(of)
	for _, i := range t.history.Sources(membership[kind], of) {
		if e := &t.Events[i]; kind != "contest_opened" || e.Type != "result_adjudicated" { // that uses the contest
			list = append(list, e)
		}
	}
	return list
}

// contesting lists the disputes over an event.
func (t *builder) contesting(over uint64) (list []uint64) {
	for _, i := range t.history.Sources(history.About, over) {
		var p events.DisputeOpened
		if t.Events[i].Read(&p) && p.Refused == "" {
			list = append(list, i)
		}
	}
	return list
}

// shown says what the log discloses of a commitment.
func (t *builder) shown(ref events.Ref) (fact disclosed, ok bool) {
	at, ok := t.history.Disclosed(ref)
	if !ok {
		return disclosed{}, false
	}
	for _, o := range t.Events[at].Openings {
		if o.Index == ref.Index && o.Slot == ref.Slot {
			return disclosed{o.Fact, at}, true
		}
	}
	return disclosed{}, false
}

// member finds what belongs to an event, of one type and as it came first.
func (t *builder) member(of uint64, kind events.Type) *events.Event {
	for _, e := range t.members(of) {
		if e.Type == kind && !t.later(e) {
			return e
		}
	}
	return nil
}

// stands gives the event as it counts: itself, or the last that was put in its place; nil if none is left.
func (t *builder) stands(e *events.Event) *events.Event {
	list := t.instead[e.Index]
	for i := len(list) - 1; i >= 0; i-- {
		if now := t.stands(list[i]); now != nil {
			return now
		}
	}
	if !t.history.Stands(e.Index) {
		return nil
	}
	return e
}

// line describes an event as it stands, its original struck where that is another.
func (t *builder) line(e *events.Event) Line { return t.lineWith(e, narrated) }

// lineWith is line by other words than the narrator's.
func (t *builder) lineWith(e *events.Event, say func(*events.Event) string) Line {
	out := Line{Events: []uint64{e.Index}, Rules: narrator.Rules(e.Derivation), Remark: t.remark(e)}
	switch now := t.stands(e); {
	case now == nil:
		out.Text = document.Text{{Text: say(e), Mark: document.Was}}
	case now == e:
		out.Text = plain("%s", say(e))
	default:
		out.Text = changed(say(e), say(now))
		out.Rules = narrator.Rules(now.Derivation)
		out.Events = append(out.Events, now.Index)
	}
	out.Text = append(out.Text, t.secrets(e)...)
	return out
}

// narrated describes an event without saying that it stands in another's place.
func narrated(e *events.Event) string {
	own := *e
	own.Corrects, own.Replaces = 0, 0
	return strings.Join(strings.Fields(narrator.Sentence(&own)), " ")
}

// remark says what became of an event.
func (t *builder) remark(e *events.Event) string {
	var parts []string
	now := t.stands(e)
	if by, void := t.history.VoidedBy(e.Index); void {
		parts = append(parts, fmt.Sprintf("voided by #%d", by))
		if now != nil {
			parts = append(parts, fmt.Sprintf("#%d stands in its place", now.Index))
		}
	} else if now != e {
		by := rules.Each(t.instead[e.Index], func(x *events.Event) uint64 { return x.Index })
		parts = append(parts, "corrected by "+indexes(by))
	}
	if of, alone := t.moved[e.Index]; alone {
		parts = append(parts, fmt.Sprintf("in place of #%d and what came with it", of))
	}
	about := []uint64{e.Index}
	if now != nil && now != e {
		about = append(about, now.Index)
	}
	return words.Join("; ", append(parts, t.quarrels(about)...)...)
}

// quarrels says what is disputed of events, each dispute once.
func (t *builder) quarrels(about []uint64) []string {
	var list []uint64
	for _, index := range about {
		list = append(list, t.contesting(index)...)
	}
	var parts []string
	for _, d := range sorted(list) {
		switch ruling := t.ruling(d); {
		case ruling != nil:
			parts = append(parts, fmt.Sprintf("disputed in #%d: %s", d, ruling.says("")))
		case t.history.Stands(d):
			parts = append(parts, fmt.Sprintf("disputed in #%d, which is open", d))
		}
	}
	return parts
}

// secrets says what the reader may know of what an event commits to: what the log disclosed since,
// and what his own openings say.
func (t *builder) secrets(e *events.Event) document.Text {
	var drawn events.CardsDrawn
	if e.Read(&drawn) {
		return t.cards(e)
	}
	var out document.Text
	for _, c := range e.Commitments {
		if c.Slot == events.SlotViolations {
			continue // the dispute's own section has them
		}
		ref := events.Ref{Index: e.Index, Slot: c.Slot}
		if fact, ok := t.shown(ref); ok {
			out = append(out, document.Span{Text: fmt.Sprintf(" Disclosed in #%d: %s %s.", fact.at, c.Slot,
				narrator.Fact(fact.fact))})
		} else if fact, ok := t.held[ref]; ok {
			out = append(out, document.Span{Text: " "}, document.Span{Text: fmt.Sprintf("Sealed: %s %s.", c.Slot,
				narrator.Fact(fact)), Mark: document.Sealed})
		}
	}
	return out
}

// cards describes a hand, as far as the reader knows it.
func (t *builder) cards(e *events.Event) document.Text {
	var own, seen []string
	sealed := 0
	for _, c := range events.Cards(e) {
		ref := events.Ref{Index: e.Index, Slot: c.Slot}
		fact, shown := t.shown(ref)
		hers, held := t.held[ref]
		switch {
		case shown:
			seen = append(seen, fmt.Sprintf("%s (#%d)", cardText(fact.fact), fact.at))
		case held:
			own = append(own, cardText(hers))
		default:
			sealed++
		}
	}
	var out document.Text
	if len(seen) > 0 {
		out = append(out, document.Span{Text: " Shown since: " + words.And(seen) + "."})
	}
	if len(own) > 0 {
		out = append(out, document.Span{Text: " "}, document.Span{Text: "Not shown: " + words.And(own) + ".",
			Mark: document.Sealed})
	}
	if sealed > 0 && len(seen)+len(own) > 0 {
		out = append(out, document.Span{Text: fmt.Sprintf(" %s sealed.", words.CountOf(sealed, "stays", "stay"))})
	}
	return out
}

// cardText gives a card's type as people write it: an abbreviation in capitals.
func cardText(name string) string {
	if len(name) <= 3 {
		return strings.ToUpper(name)
	}
	return name
}
