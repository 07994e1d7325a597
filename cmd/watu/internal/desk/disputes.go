package desk

import (
	"cmp"
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/rules"
)

// withdrawn is the statement by which whoever opened a dispute gives it up. The umpire closes it then.
const withdrawn = "Withdrawn."

// Contested is an event that somebody is about to dispute, or that is disputed.
type Contested struct {
	Event uint64
	Text  string
	Rules []timeline.Rule          // that it cites, and those of the paragraph that was typed
	Open  []uint64                 // disputes over it that wait
	Bears []timeline.NarratedEvent // that it rests on
}

// contested says what bears on a dispute over an event; nil where there is no such event. Paragraph is what was typed
// as another rule.
func (d *Desk) contested(ctx context.Context, c timeline.Campaign, event, paragraph string) (*Contested, error) {
	n, err := index(event)
	if event == "" || err != nil || n >= c.Events {
		return nil, nil
	}
	x, err := d.service.Explain(ctx, c.ID, n)
	if err != nil {
		return nil, err
	}
	out := &Contested{Event: n, Text: x.Narration}
	for _, cited := range x.Derivation {
		out.addRule(cited.Rule)
	}
	for _, id := range paragraphRules(c.System, paragraph) {
		out.addRule(id)
	}
	for _, dispute := range x.Disputes {
		if dispute.Open && dispute.Contests(n) {
			out.Open = append(out.Open, dispute.Index)
		}
	}
	found, err := d.service.Find(c.ID)
	if err != nil {
		return nil, err
	}
	now, err := d.service.History(ctx, found)
	if err != nil {
		return nil, err
	}
	bears := now.Command(n).Events
	if e, err := d.service.Event(found.ID, n); err == nil {
		p, _ := events.PayloadOf(&e)
		for _, of := range events.Refs(p) {
			bears = append(bears, *of)
		}
	}
	bears = slices.DeleteFunc(slices.Clone(bears), func(i uint64) bool { return i == 0 || i == n || i >= c.Events })
	slices.Sort(bears)
	if out.Bears, err = d.narrated(found, slices.Compact(bears)); err != nil {
		return nil, err
	}
	facts, err := d.factsBehind(found, now, x, out.Bears)
	if err != nil {
		return nil, err
	}
	bears = append(bears, facts...)
	slices.Sort(bears)
	out.Bears, err = d.narrated(found, slices.Compact(bears))
	return out, err
}

// mostFacts is how many reported facts are offered as evidence, mostReports in how many reports they are looked for.
const mostFacts, mostReports = 8, 400

// factsBehind are the last reports before an event of what its explanation and the events about it name: a power, a
// place, a fact. The record does not say which facts a judgment read.
func (d *Desk) factsBehind(found ledger.Campaign, now history.View, x service.Explanation,
	beside []timeline.NarratedEvent) (list []uint64, err error) {
	text := x.Narration
	for _, e := range beside {
		text += "\n" + e.Text
	}
	for _, cited := range x.Derivation {
		text += "\n" + cited.Step
	}
	for _, f := range x.Command.Inputs {
		text += "\n" + f.Field + " " + f.Value
	}
	seen, read := map[string]bool{}, 0
	for i := x.Event.Index; i > 0 && len(list) < mostFacts && read < mostReports; i-- {
		if !strings.HasSuffix(string(now.Type(i-1)), "_reported") || !now.Stands(i-1) {
			continue
		}
		read++
		e, err := d.service.Event(found.ID, i-1)
		if err != nil {
			return nil, err
		}
		kind, name := about(&e)
		whole := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
		if of := kind + " " + name; name != "" && !seen[of] && whole.MatchString(text) {
			list = append(list, i-1)
			seen[of] = true
		}
	}
	return list, nil
}

// about says what a report is about: its kind, and what an explanation that rests on it names.
func about(e *events.Event) (kind, name string) {
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.FactReported:
		return p.Fact, cmp.Or(p.Subject, p.Fact)
	case *events.SubmarinesReported:
		return "submarines", p.Power
	case *events.UnitsReported:
		return p.Power, p.Space
	case *events.FacilitiesReported:
		return "facilities", p.Territory
	case *events.HeadquartersReported:
		return "headquarters", p.Name
	case *events.TargetsReported:
		return "targets", p.Hex
	}
	return "", ""
}

// addRule adds a rule that can be named, once.
func (x *Contested) addRule(id string) {
	r, err := timeline.FindRule(id)
	if err == nil && !slices.ContainsFunc(x.Rules, func(has timeline.Rule) bool { return has.ID == r.ID }) {
		x.Rules = append(x.Rules, r.Rule)
	}
}

// paragraphRules are the ids of a system's rules that a paragraph of its text holds, as in "7.C" or "48.81".
func paragraphRules(system, paragraph string) (ids []string) {
	paragraph = strings.ToLower(strings.Trim(strings.TrimSpace(paragraph), "§. "))
	for _, r := range rules.Requirements() {
		prefix, _, _ := strings.Cut(strings.TrimPrefix(r.ID, "AMB-"), "-")
		rest, within := strings.CutPrefix(strings.ToLower(r.Paragraph), paragraph)
		if paragraph != "" && within && strings.EqualFold(prefix, system) && (rest == "" || strings.Trim(rest[:1],
			"0123456789abcdefghijklmnopqrstuvwxyz") != "") {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// Rules are those of a system that a dispute may name, by id and title.
func (p Page) Rules() (list []string) {
	for _, r := range rules.Requirements() {
		if prefix, _, _ := strings.Cut(r.ID, "-"); strings.EqualFold(prefix, p.Campaign.System) {
			list = append(list, rules.Titled(r.ID))
		}
	}
	return list
}

// ruleNamed is the id of the rule that a form of a dispute names: one that was chosen, or another by its id, or by a
// paragraph that holds no other.
func (d *Desk) ruleNamed(c timeline.Campaign, form url.Values) (string, error) {
	other := strings.TrimSpace(form.Get("other"))
	id, _, _ := strings.Cut(other, ", ") // chosen by its title
	if other == "" || form.Get("rule") != "" {
		return strings.TrimSpace(form.Get("rule")), nil
	}
	if id, _ = d.service.System(c.System).Rule(id); id != "" {
		return id, nil
	}
	switch ids := paragraphRules(c.System, other); len(ids) {
	case 0:
		return "", problem.New(problem.Input, "no rule and no paragraph of these rules is called %q. Leave it empty "+
			"if you do not know it: what is wrong is enough", other)
	case 1:
		return ids[0], nil
	default:
		return "", problem.New(problem.Input, "paragraph %s has several rules: choose the one that you mean from "+
			"the list", other)
	}
}

// disputedAlready keeps somebody from opening a second dispute over an event unawares.
func (d *Desk) disputedAlready(c timeline.Campaign, form url.Values) error {
	n, err := index(form.Get("event"))
	if err != nil || form.Get("again") != "" {
		return nil
	}
	all, err := d.service.Disputes(c.ID, timeline.DisputeFilter{Open: true})
	same := func(x timeline.Dispute) bool {
		return x.Contests(n) && x.Claim.Claim == strings.TrimSpace(form.Get("claim"))
	}
	if err != nil || slices.ContainsFunc(all.Disputes, same) { // sent twice
		return err
	}
	for _, x := range all.Disputes {
		if x.Contests(n) {
			return problem.New(problem.Input, "#%d is disputed already, in dispute #%d by %s: say there what you have "+
				"to say. Send this once more if it is another dispute", n, x.Index, narrator.Seat(x.By))
		}
	}
	return nil
}

// ruledLately are the disputes that a viewer opened and that were ruled on in this turn or the one before, the last
// first.
func (d *Desk) ruledLately(c timeline.Campaign, v timeline.Viewer) (list []timeline.Dispute, err error) {
	seat := seatOf(c.Seats, v)
	if seat == "" {
		return nil, nil
	}
	turns, err := d.service.Turns(c.ID)
	if err != nil {
		return nil, err
	}
	lately := []string{c.Turn}
	if n := len(turns); n > 1 {
		lately = append(lately, turns[n-2].Label)
	}
	all, err := d.service.Disputes(c.ID, timeline.DisputeFilter{})
	for _, x := range slices.Backward(all.Disputes) {
		if x.By == seat && x.Ruling != nil && slices.Contains(lately, x.Ruling.Turn) {
			list = append(list, x)
		}
	}
	return list, err
}

// Own reports whether the viewer opened a dispute, and may withdraw it.
func (v View) Own(x timeline.Dispute) bool {
	return !v.Umpire && x.By == seatOf(v.Campaign.Seats, v.Viewer)
}

// Withdrawn reports whether whoever opened a dispute has given it up.
func (v View) Withdrawn(x timeline.Dispute) bool {
	for _, s := range x.Statements {
		if s.By == x.By && s.Text == withdrawn {
			return true
		}
	}
	return false
}

// Pleaded is the dispute that the forms are about, if it is open, or the only one; nil if that is not clear.
func (p Page) Pleaded() *timeline.Dispute {
	for i, x := range p.Disputes {
		if number(x.Index) == p.About || p.About == "" && len(p.Disputes) == 1 {
			return &p.Disputes[i]
		}
	}
	return nil
}

// Disputing adds to a page what the forms of disputes offer.
func (d *Desk) Disputing(ctx context.Context, p Page) (_ Page, err error) {
	if p.Over, err = d.contested(ctx, p.Campaign, p.Event, p.Typed.Get("other")); err != nil {
		return p, err
	}
	if x := p.Pleaded(); x != nil && x.Claim.Refused == "" {
		p.Bears, err = d.contested(ctx, p.Campaign, number(x.Claim.Event), "")
	}
	if err == nil {
		err = d.righting(&p)
	}
	return p, err
}
