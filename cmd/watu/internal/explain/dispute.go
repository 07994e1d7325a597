package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay/review"
)

// Dispute describes a dispute, from the claim down to earlier precedents.
func Dispute(x service.DisputeDetails) document.Document {
	d := x.Dispute
	out := document.Document{
		Title: fmt.Sprintf("Dispute #%d of %s, opened by %s: %s", d.Index, d.Campaign, narrator.Seat(d.By),
			cmp.Or(d.Ended(), "open")),
		Text: document.Concat(voice(d.By)+": "+d.Claim.Claim, citing(named(d.Claim.Rule)...)),
	}
	if d.Turn != "" {
		out.Blocks = []document.Block{{Text: document.Plainly(d.Turn)}}
	}
	out.Sections = filled(contested(x), heard(x), ruling(x), Pending(x.Pending, 0),
		Precedents("Earlier precedents on the same rule", x.Precedents))
	out.Sections = append(out.Sections, filled(titles(out.Sections))...)
	return out
}

// contested is the event in question, or the refused command as far as it may be shown.
func contested(x service.DisputeDetails) document.Section {
	s := document.Section{ID: "contested", Title: "Contested"}
	if x.Contested != nil {
		s.List(lines(*x.Contested))
		return s
	}
	k := x.Dispute.Claim
	s.Paragraph(k.Refused+", refused after ", document.Event(k.Event))
	for _, v := range k.Violations {
		s.Paragraph(cmp.Or(v.Step, "The reason is sealed."), citing(named(v.Rule)...))
	}
	if len(k.Violations) == 0 {
		s.Paragraph("Which rules it broke is sealed, for that may tell a hidden card.")
	}
	if k.Entry == "" {
		s.Paragraph("The entry is sealed, for it may name a hidden card: the umpire can reveal it.")
		return s
	}
	s.List(inputs(x.Inputs))
	return s
}

// heard lists statements and evidence in the order in which they came, and the events that the evidence points at.
func heard(x service.DisputeDetails) document.Section {
	s := document.Section{ID: "pleas", Title: "Statements and evidence"}
	answer := map[uint64][]document.Item{}
	for _, p := range x.Dispute.Statements {
		var l document.List
		l.Add(document.Event(p.Event), voice(p.By)+": "+p.Text)
		answer[p.Event] = l.Items
	}
	for _, p := range x.Dispute.Evidence {
		var l document.List
		note := ""
		if p.Note != "" {
			note = ": " + p.Note
		}
		l.Add(document.Event(p.Event), voice(p.By)+" points at "+words.And(words.Events(p.Events, " to "))+note)
		for _, line := range x.Shown {
			if slices.Contains(p.Events, line.Index) {
				l.Add("", document.Event(line.Index), " ", sentence(line))
			}
		}
		answer[p.Event] = l.Items
	}
	l := document.List{Kind: document.EventList}
	for _, index := range slices.Sorted(maps.Keys(answer)) {
		l.Items = append(l.Items, answer[index]...)
	}
	s.List(l)
	return s
}

// ruling says how the dispute was ruled, and what that changed.
func ruling(x service.DisputeDetails) document.Section {
	s := document.Section{ID: "ruling", Title: "Ruling", Mark: document.Was}
	if x.Dispute.Ruling != nil {
		s.Mark = document.Now
	}
	s.Paragraph(ruled(x.Dispute))
	for _, c := range x.Corrections {
		s.List(document.List{Kind: document.PairList, Items: change(c.Was.Index, c.Was.Text, c.Is.Index, c.Is.Text)})
	}
	section(&s, "No longer stands", x.Voided)
	section(&s, "Stands in its place", x.Instead)
	return s
}

// Precedents lists rulings, which may be of other campaigns.
func Precedents(title string, list []timeline.Dispute) document.Section {
	s := document.Section{ID: "precedents", Title: title}
	l := document.List{Kind: document.PairList}
	for _, d := range list {
		l.Add(dispute(d, d.Campaign), d.Claim.Claim)
		if r := d.Ruling; r != nil {
			l.Add("", strong(d.Ended()), ": "+words.Join(" ", r.Reason,
				bracketed(r.Rules)))
		}
	}
	s.List(l)
	return s
}

// bracketed names rules without links, for those of another campaign.
func bracketed(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return "[" + strings.Join(ids, ", ") + "]"
}

// mostPending is how many entries a section names.
const mostPending = 6

// Pending lists the entries of a campaign that stand as recorded, and would be others by what was corrected or voided
// since. Unchecked is how many later entries could not be heard again.
func Pending(list []service.Consequence, unchecked int) document.Section {
	s := document.Section{ID: "pending", Title: "Pending"}
	if n := len(list); n > 0 {
		s.Paragraph(words.Count(n, "entry"), " ", words.Number(n, "stands", "stand"),
			" as recorded, and would be otherwise by what was corrected or voided since.")
	}
	l := document.List{Kind: document.EventList}
	for _, x := range list[:min(len(list), mostPending)] {
		decided := narrator.Decision(string(x.Decision))
		if x.Decision == review.Keep && x.KeptBy != 0 && x.KeptBy != x.Cause {
			decided += fmt.Sprintf(", by #%d", x.KeptBy)
		}
		text := x.Entry
		if len(x.Results) > 0 {
			text = x.Results[0].Text
		}
		l.Add(document.Event(x.Event), text, " ", strong("["+decided+"]"), " because of ", document.Event(x.Cause))
		for _, r := range x.Results[min(1, len(x.Results)):] {
			l.Add("", r.Text)
		}
		if why := words.Join("; ", x.Gone, x.Waits); why != "" {
			l.Add("", why)
		}
	}
	s.List(l)
	if n := len(list) - mostPending; n > 0 {
		s.Paragraph(fmt.Sprintf("And %d more.", n))
	}
	if len(list) > 0 {
		s.Paragraph("The umpire decides on each at the desk.")
	}
	if unchecked > 0 {
		s.Paragraph(narrator.Unchecked(unchecked))
	}
	return s
}
