package dashboard

import (
	"cmp"
	"fmt"
	"html/template"

	"github.com/watu-ledger/watu/cmd/watu/internal/spoken"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/worded"
	"github.com/watu-ledger/watu/projections/document"
)

// links draws texts and tables of a campaign in the language of a page, with links to its pages.
type links struct {
	name string
	in   *story.Language // nil for English
}

// path is where a link leads. To what a browser would read as a step up there is none.
func (c links) path(to document.Link) string {
	switch to.Kind {
	case document.ToEvents:
		return pathTo("campaigns", c.name, "events") + "?from=" + text(to.Event)
	case document.ToRule:
		return ruleTo(c.name, to.Name).Path
	case document.ToCase:
		return pathTo("campaigns", cmp.Or(to.Name, c.name), "disputes", to.Event)
	case document.ToPart:
		return "#" + to.Name
	}
	path := pathTo("campaigns", c.name, "events", to.Event)
	if to.Name != "" {
		path += "#" + to.Name
	}
	return path
}

// linked is where a link leads, and of a rule, which goes by its title, its id.
func (c links) linked(to document.Link) (path, title string) {
	if to.Kind == document.ToRule {
		title = to.Name
	}
	return c.path(to), title
}

// drawn is a drawing in the language of the page, each text in it escaped.
func (c links) drawn(svg string) template.HTML { return template.HTML(spoken.Drawn(c.in, svg)) }

// To is the page that says why an event is as it is.
func (c links) To(index uint64) string { return c.path(document.About(index)) }

// Dispute is the page of a dispute.
func (c links) Dispute(index uint64) string {
	return c.path(document.Link{Kind: document.ToCase, Event: index})
}

// At is the page of the campaign right behind an event.
func (c links) At(index uint64) string { return pathTo("campaigns", c.name) + "?at=" + text(index) }

// Rule is a rule's id and the way to its page.
func (c links) Rule(id string) ruleLink { return ruleTo(c.name, id) }

// Draw draws a span, a text, or a table with its note. All of it is escaped.
func (c links) Draw(what any) template.HTML {
	switch x := what.(type) {
	case document.Span:
		return c.Draw(document.Text{x})
	case document.Text:
		return template.HTML(spoken.Text(c.in, worded.Text(x)).HTML(c.linked))
	case *document.Section:
		return c.Draw(*x)
	case document.Section:
		return template.HTML(spoken.Section(c.in, x).HTML(c.linked))
	case document.Block:
		return template.HTML(x.HTML(c.linked))
	case document.Table:
		if len(x.Rows) == 0 {
			return ""
		}
		x = worded.Table(x)
		t := spoken.Table(c.in, x)
		if note := spoken.Foreign(c.in, x.Note); note != nil {
			t.Note = nil
			return template.HTML(document.Block{Table: &t}.HTML(c.linked) + `<p class="faint" lang="en">` +
				document.Text(note).HTML(c.linked) + "</p>\n")
		}
		return template.HTML(document.Block{Table: &t}.HTML(c.linked))
	}
	panic(fmt.Sprintf("%T is not drawn", what))
}

func text(x any) string { return fmt.Sprint(x) }

func plain(text string) document.Span { return document.Span{Text: text} }

// figure is a number, or what there is to say, with the way to its event; 0 is none.
func figure(event uint64, what any) document.Span {
	if event == 0 {
		return plain(text(what))
	}
	return document.Figure(event, what)
}

// struck is a figure that another one has taken the place of.
func struck(event uint64, what any) document.Span { return figure(event, what).Struck() }

// rule is a rule's id, with the way to what it was applied to.
func rule(id string) document.Span {
	return document.Span{Text: id, To: document.Link{Kind: document.ToRule, Name: id}}
}

// ruleSpans are rule ids.
func ruleSpans(ids []string) (list document.Text) {
	for i, id := range ids {
		if i > 0 {
			list = append(list, plain("; "))
		}
		list = append(list, rule(id))
	}
	return list
}

// table is a table of a view for a page: figures lead to their events, and of a long one the last rows stand there.
func (f figures) table(t document.Table) document.Table {
	t = t.Figures()
	t.Last(mostRows)
	if t.Columns[0].Name == "Turn" {
		t.Note = append(t.Note, f.earlier()...)
	}
	return t
}

// tables are those of a view that have rows.
func (f figures) tables(list ...document.Table) (drawn []document.Table) {
	for _, t := range document.Filled(list...) {
		drawn = append(drawn, f.table(t))
	}
	return drawn
}
