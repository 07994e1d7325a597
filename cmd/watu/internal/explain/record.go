package explain

import (
	"cmp"
	"fmt"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/document"
)

// replaced reports whether another event stands in this one's place, or voided it.
func (e *evidence) replaced() bool {
	k := e.Correction
	return k != nil && k.By != 0 && k.By != e.Event.Index
}

// standing says what the event corrects, or what corrected or voided it.
func (e *evidence) standing() document.Section {
	k := e.Correction
	if k == nil {
		return document.Section{}
	}
	s := document.Section{ID: "standing", Title: "Correction", Mark: document.Now}
	if e.replaced() {
		s.Title, s.Mark = "Another event stands in its place", document.Was
	}
	pairs := document.List{Kind: document.PairList}
	switch {
	case k.Voided:
		s.Title = "No longer stands"
		pairs.Add("by", document.Event(k.By), " ", k.Is)
	case k.Was != "":
		pairs.Items = change(k.Event, k.Was, k.By, k.Is)
	case k.Event != 0:
		pairs.Add("of", document.Event(k.Event))
	}
	if k.Reason != "" {
		pairs.Add("why", strong(k.Code), ": ", k.Reason)
	}
	if k.Cause != 0 {
		pairs.Add("from", document.Event(k.Cause))
	}
	s.List(pairs)
	section(&s, "No longer stands", k.Gone)
	section(&s, "Corrected because of it", k.Led)
	t := document.Table{Class: "modifiers", Columns: document.Columns("Figure", "Was", "Is")}
	for _, c := range k.Changes {
		t.Add(narrator.Field(c.Field), given(narrator.Value(c.Was)), given(narrator.Value(c.Now)))
	}
	s.Table(t)
	return s
}

// section appends events under a heading.
func section(s *document.Section, heading string, list []timeline.NarratedEvent) {
	if len(list) > 0 {
		s.Heading(heading)
		s.List(lines(list...))
	}
}

// change is an event and the one that stands in its place.
func change(index uint64, was string, by uint64, is string) []document.Item {
	var l document.List
	l.Add("was", document.Event(index), " ", document.Span{Text: was, Mark: document.Was})
	l.Add("is", document.Event(by), " ", document.Span{Text: is, Mark: document.Now})
	return l.Items
}

func given(value string) string { return cmp.Or(value, "not given") }

// pending lists what stands as it is recorded, though a correction would change it.
func (e *evidence) pending() document.Section {
	s := document.Section{ID: "left", Title: "Pending: stands as recorded, and a correction would change it",
		Mark: document.Was}
	l := document.List{Kind: document.PairList}
	for _, x := range e.Left {
		lead := document.Concat("by ", document.Event(x.By))
		if x.By == e.Event.Index {
			s.Title = "Pending: later events that this would change"
			lead = document.Concat(document.Event(x.Event))
		}
		why := ""
		if x.Why != "" {
			why = ": " + x.Why
		}
		l.Add(lead, strong(undecided[x.Choice]), why)
		for _, c := range x.Figures {
			l.Add("", narrator.Figure(c))
		}
	}
	s.List(l)
	if e.PendingUnknown != "" {
		if len(e.Left) == 0 {
			s.Title = "Pending"
		}
		s.Paragraph("What is pending here could not be found out: " + e.PendingUnknown)
	}
	return s
}

// undecided says what became of an event that a correction would change.
var undecided = map[string]string{
	events.LeftKept: "kept as recorded", events.LeftUndecided: "not decided on",
	events.LeftWaits: "waits for dice, an answer or a ruling",
}

// Disputes lists disputes of a campaign, each with its ruling.
func Disputes(title string, list []timeline.Dispute) document.Section {
	s := document.Section{ID: "disputed", Title: title}
	l := document.List{Kind: document.EventList}
	for _, d := range list {
		l.Add(dispute(d, ""), voice(d.By)+": "+d.Claim.Claim, citing(named(d.Claim.Rule)...))
		l.Add("", ruled(d))
	}
	s.List(l)
	return s
}

// dispute is "#24", with the way to the dispute; of another campaign, with its name.
func dispute(d timeline.Dispute, campaign string) document.Span {
	to := document.Link{Kind: document.ToCase, Event: d.Index, Name: campaign}
	text := fmt.Sprintf("#%d", d.Index)
	if campaign != "" {
		text += " of " + campaign
	}
	return document.Span{Text: text, To: to}
}

// named is a rule, if there is one.
func named(id string) []string {
	if id == "" {
		return nil
	}
	return []string{id}
}

// ruled says how a dispute was ruled.
func ruled(d timeline.Dispute) document.Text {
	r := d.Ruling
	if r == nil {
		return document.Concat(strong("open: it waits for the umpire"))
	}
	return document.Concat(strong(d.Ended()), " (", document.Event(r.Event), "): ", r.Reason, citing(r.Rules...))
}

// sealed lists the facts that the event commits to, and those that it opens.
func (e *evidence) sealed() document.Section {
	s := document.Section{ID: "sealed", Title: "Sealed and opened"}
	l := document.List{Kind: document.PairList}
	for _, x := range e.Secrets {
		if x.Opened == 0 {
			l.Add(x.Slot+":", "sealed")
		} else {
			l.Add(x.Slot+":", narrator.Fact(x.Fact), ", opened in ", document.Event(x.Opened))
		}
		l.Add("", code(x.Hash))
	}
	s.List(l)
	for _, d := range e.Disclosures {
		opens := ". It opens what was committed."
		if !d.Fits {
			opens = ". It does NOT open what was committed."
		}
		s.Paragraph(d.Slot, " of ", document.Event(d.Index), ": ", strong(narrator.Fact(d.Fact)), opens)
	}
	return s
}

// proof names the edition, the event and its predecessor by their hashes.
func (e *evidence) proof() document.Section {
	x := e.Edition
	s := document.Section{ID: "proof", Title: fmt.Sprintf("%s, edition %s", x.Title, x.Name)}
	if e.demo && (len(e.rolls()) > 0 || e.Draw != nil || e.Event.Index == 0) {
		s.Paragraph(
			"This campaign is a demonstration: it was opened with a published seed, and its dice prove nothing.")
	}
	l := document.List{Kind: document.PairList}
	l.Add("edition", code(x.Hash))
	l.Add("event", code(e.Event.Hash))
	l.Add("previous", code(e.Event.Previous))
	if e.Event.Sequence > 0 {
		l.Add("sequence", fmt.Sprintf("%d in this ledger", e.Event.Sequence))
	}
	l.Add("recorded", e.Event.Recorded)
	s.List(l)
	if !x.Here {
		s.Paragraph("This build has other tables than that edition: the cells in brackets above may differ.")
	}
	return s
}
