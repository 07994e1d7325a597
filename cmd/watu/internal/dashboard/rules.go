package dashboard

import (
	"net/http"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/explain"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

// ruleLink is a rule's id, its title and sentence, and the page that says what it was applied to.
type ruleLink struct{ ID, Title, Sentence, Path string }

// ruleTo is a rule's id as the templates print it. What a browser would read as a step up in a path is
// not linked.
func ruleTo(campaign, id string) ruleLink {
	if id == "." || id == ".." || id == "" {
		return ruleLink{ID: id}
	}
	r, _ := rules.RequirementOf(id)
	return ruleLink{id, r.Title, r.Sentence, pathTo("campaigns", campaign, "rules", id)}
}

// ruleFold is a list of rules that a page folds behind their number.
type ruleFold []ruleLink

// Count is how many there are.
func (f ruleFold) Count() int { return len(f) }

// ruleLinks are those of several ids.
func ruleLinks(campaign string, ids []string) (list ruleFold) {
	for _, id := range ids {
		list = append(list, ruleTo(campaign, id))
	}
	return list
}

// moment is where the reader of a page of rules stands: at the head, or where he asked to.
type moment struct {
	Campaign timeline.Campaign
	Standing bool
	behind   uint64 // events
	looks    timeline.Viewer
	in       *story.Language // of the page
}

// Event is the last that had happened.
func (m moment) Event() uint64 { return m.behind - 1 }

// Here is a path with the moment.
func (m moment) Here(path string) string {
	if !m.Standing {
		return path
	}
	return path + "?at=" + text(m.Event())
}

// RuleAt is the page of a rule at the moment.
func (m moment) RuleAt(id string) ruleLink {
	l := ruleTo(m.Campaign.Name, id)
	if l.Path != "" {
		l.Path = m.Here(l.Path)
	}
	return l
}

// momentOf reads the campaign and the moment of a request.
func (d *Dashboard) momentOf(r *http.Request) (m moment, err error) {
	if m.Campaign, err = d.service.Campaign(r.PathValue("c")); err != nil {
		return m, err
	}
	if m.looks, err = d.who(r, m.Campaign.ID); err != nil {
		return m, err
	}
	m.behind, m.in = m.Campaign.Events, languageOf(r)
	if at := r.FormValue("at"); at != "" {
		stop, err := d.service.Moment(r.Context(), m.Campaign.ID, m.looks, timeline.MomentQuery{At: at, Back: true,
			Brief: true})
		if err != nil {
			return m, err
		}
		m.behind, m.Standing = stop.Events, true
	}
	return m, nil
}

// page is a page at the moment. One that stands still waits for nothing.
func (m moment) page(name, title string, body any) page {
	p := page{name: name, Title: title, Campaign: m.Campaign.Name, Viewer: m.looks, Body: body}
	if !m.Standing {
		p.Live = pathTo("campaigns", m.Campaign.Name, "live")
	}
	return p
}

// rulebook is what the page of a campaign's rules shows.
type rulebook struct {
	moment
	links
	Rules []timeline.RuleCounts
}

// rules draws the rules that a campaign has applied.
func (d *Dashboard) rules(r *http.Request) (page, error) {
	m, err := d.momentOf(r)
	if err != nil {
		return page{}, err
	}
	all, err := d.service.RulesApplied(r.Context(), m.Campaign.ID, m.behind)
	if err != nil {
		return page{}, err
	}
	b := rulebook{m, links{name: m.Campaign.Name}, all.Rules}
	return m.page("rules", m.Campaign.Name+", "+story.LinesOf(languageOf(r)).Within("rules"), b), nil
}

// applied is what the page of a rule shows: what it says, and what it was applied to.
type applied struct {
	moment
	links
	timeline.RuleApplied
	Says    *timeline.RuleNamed // nil where it is no rule of this build
	Unnamed bool                // no event has named it: there are its words alone
}

// ruleUse is an event that names the rule, and what it says of it.
type ruleUse struct {
	eventLine
	Said []timeline.RuleText
}

// rule draws what a rule says and what it was applied to, a page at a time.
func (d *Dashboard) rule(r *http.Request) (page, error) {
	m, err := d.momentOf(r)
	if err != nil {
		return page{}, err
	}
	ask := timeline.RulePage{At: m.behind, Most: perLeaf}
	if text := r.FormValue("from"); text != "" {
		from, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return page{}, noSuch("from is the index of an event, a whole number, not %q", text)
		}
		ask.From = &from
	}
	a := applied{moment: m, links: links{name: m.Campaign.Name}}
	says, unknown := timeline.FindRule(r.PathValue("id"))
	if unknown == nil {
		a.Says = &says
	}
	a.RuleApplied, err = d.service.RuleApplied(r.Context(), m.Campaign.ID, r.PathValue("id"), ask)
	ours := a.Says != nil && (says.System == "" || says.System == m.Campaign.System)
	if err != nil && ours && problem.Of(err).Kind == problem.Input {
		a.ID, a.Unnamed = says.ID, true
		return m.page("rule", a.ID+" in "+m.Campaign.Name, a), nil
	}
	if err != nil {
		return page{}, err
	}
	if len(a.RuleApplied.Uses) == 0 {
		return page{}, noSuch("rule %s was applied to nothing up to #%d", a.ID, *ask.From)
	}
	return m.page("rule", a.ID+" in "+m.Campaign.Name, a), nil
}

// Uses are the events on the page. The rule itself is not named beside each again.
func (a applied) Uses() []ruleUse {
	list := make([]ruleUse, 0, len(a.RuleApplied.Uses))
	for _, u := range a.RuleApplied.Uses {
		u.Rules = nil
		list = append(list, ruleUse{eventLine{a.Campaign.Name, u.MarkedEvent, a.moment.in}, u.Said})
	}
	return list
}

// Worked is the latest use that says more than the rule's name, an example; nil of none.
func (a applied) Worked() *ruleUse {
	for _, u := range a.Uses() {
		if len(u.Said) > 0 && u.Said[0].Kind == "applied" && !u.Struck() {
			return &u
		}
	}
	return nil
}

// Settled reports whether anybody settled, or asked for, a reading of the rule.
func (a applied) Settled() bool { return len(a.Options)+len(a.Rulings)+len(a.Questions) > 0 }

// Disputed lists the disputes that turn on the rule, and precedents of other campaigns.
func (a applied) Disputed() []document.Section {
	return []document.Section{
		explain.Disputes("Disputes that turn on it", a.RuleApplied.Disputes),
		explain.Precedents("Precedents for the league", a.RuleApplied.Precedents),
	}
}

// Leaf is the page of the uses from an event backwards.
func (a applied) Leaf(from uint64) string {
	path := ruleTo(a.Campaign.Name, a.ID).Path + "?from=" + text(from)
	if a.Standing {
		path += "&at=" + text(a.Event())
	}
	return path
}
