package report

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
)

// ChartFile is the file of a chart beside a report: "war-income.svg" beside "war.md".
func ChartFile(base, name string) string { return base + "-" + name + ".svg" }

// Markdown is the report as GitHub-flavoured Markdown. Charts are files beside it, by [ChartFile]; with
// an empty base there are none, and their tables stand alone.
func (r *Report) Markdown(base string) string {
	m := &markdown{base: base}
	m.block("# %s", document.Markdown(r.heading()))
	m.sentences(r.Headline)
	for _, text := range r.played() {
		m.block("%s", document.Paragraph(text))
	}
	if r.Note != "" {
		m.quote(r.Note)
	}
	if r.Short != "" {
		m.block("%s", document.Paragraph(r.Short))
	}
	m.block("%s", document.Paragraph(r.legend()))
	for i := range r.Turns {
		m.turn(&r.Turns[i])
	}
	if list := r.figures(); len(list) > 0 {
		m.block("## Figures")
		for i := range list {
			m.chart(&list[i])
		}
	}
	m.luck(r)
	m.rulings(r)
	if len(r.Standing) > 0 {
		m.block("## How it stands")
		for i := range r.Standing {
			m.table(r.Standing[i])
		}
	}
	m.block("---")
	m.block("%s", document.Paragraph(r.source()))
	m.block("<!-- %s -->", Marker)
	return m.b.String()
}

type markdown struct {
	b    strings.Builder
	base string
}

// block writes a paragraph, heading or list, with an empty line between it and the one before.
func (m *markdown) block(format string, args ...any) {
	if m.b.Len() > 0 {
		m.b.WriteString("\n")
	}
	m.b.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), "\n") + "\n")
}

// quote writes what somebody wrote.
func (m *markdown) quote(text string) {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(document.Printable(text)), "\n") {
		lines = append(lines, strings.TrimRight("> "+document.Paragraph(line), " "))
	}
	m.block("%s", strings.Join(lines, "\n"))
}

func (m *markdown) turn(t *Turn) {
	m.block("## %s", document.Markdown(t.title()))
	m.sentences(t.Story)
	for i := range t.Parts {
		p := &t.Parts[i]
		if p.Title != "" {
			m.block("### %s", document.Markdown(p.Title))
		}
		m.lines(p.Lines)
	}
}

// sentences writes them, the first of them bold.
func (m *markdown) sentences(list []Line) {
	var text []string
	for i := range list {
		l := &list[i]
		said := l.Text.Markdown()
		if i == 0 {
			said = "**" + said + "**"
		}
		text = append(text, said+reference(l)+".")
	}
	if len(text) > 0 {
		m.block("%s", document.Leading(strings.Join(text, " ")))
	}
}

// lines writes a list; what is folded stands between two lists, for a list cannot hold it.
func (m *markdown) lines(list []Line) {
	var items []string
	flush := func() {
		if len(items) > 0 {
			m.block("%s", strings.Join(items, "\n"))
			items = nil
		}
	}
	for i := range list {
		l := &list[i]
		if !l.Folded {
			items = append(items, item(l, ""))
			continue
		}
		flush()
		m.block("<details><summary>%s (%s)</summary>", document.Markdown(l.Text.String()), l.refs())
		m.lines(l.Under)
		m.block("</details>")
	}
	flush()
}

// item is a line as an item of a list, and below it what is under it.
func item(l *Line, indent string) string {
	text := document.Leading(l.Text.Markdown())
	if l.Lead != "" {
		text = "*" + document.Markdown(l.Lead) + ":* " + text
	}
	text = indent + "- " + text + reference(l)
	for i := range l.Under {
		text += "\n" + item(&l.Under[i], indent+"  ")
	}
	return text
}

// reference is " (#57; RULE) – corrected by #60".
func reference(l *Line) string {
	text := words.Join("; ", l.refs(), document.Markdown(l.shownRules()))
	if text != "" {
		text = " (" + text + ")"
	}
	if l.Remark != "" {
		text += " – *" + document.Markdown(l.Remark) + "*"
	}
	return text
}

// chart links a chart, and writes its table.
func (m *markdown) chart(c *Chart) {
	m.block("### %s", document.Markdown(c.Table.Title))
	if c.SVG != "" && m.base != "" {
		m.block("![%s](<%s>)", document.Markdown(c.Table.Title), strings.NewReplacer("<", "%3C", ">", "%3E", "\n",
			" ").Replace(ChartFile(m.base, c.Name)))
	}
	if len(c.Table.Rows) <= long || c.SVG == "" || m.base == "" {
		m.rows(c.Table)
		return
	}
	m.block("<details><summary>The figures: %d rows</summary>", len(c.Table.Rows))
	m.rows(c.Table)
	m.block("</details>")
}

// long is the number of rows from which a table is folded away below its chart.
const long = 12

func (m *markdown) table(t document.Table) {
	m.block("**%s**", document.Markdown(t.Title))
	m.rows(t)
}

func (m *markdown) rows(t document.Table) {
	m.block("%s", t.Markdown())
	if note := t.Note.String(); note != "" {
		m.block("%s", document.Paragraph(note))
	}
}

func (m *markdown) luck(r *Report) {
	c := r.luckChart()
	if c == nil {
		return
	}
	m.block("## Luck")
	if m.base != "" {
		m.block("![%s](<%s>)", document.Markdown(c.Table.Title), ChartFile(m.base, c.Name))
	}
	m.rows(c.Table)
	for _, text := range r.Luck.explained() {
		m.block("%s", document.Paragraph(text))
	}
	if len(r.Luck.Hits) > 0 {
		m.table(r.Luck.hitTable())
		m.block("%s", document.Paragraph(hitsExplained))
	}
}

const hitsExplained = "Hits are counted as the results say them. Whether they are many depends on what each die " +
	"needed, which stands at its roll."

func (m *markdown) rulings(r *Report) {
	if len(r.Disputes)+len(r.Rulings)+len(r.Corrections)+len(r.Pending) == 0 {
		return
	}
	m.block("## Disputes, rulings and corrections")
	for i := range r.Disputes {
		m.dispute(&r.Disputes[i])
	}
	if len(r.Rulings) > 0 {
		m.block("### What the umpire was asked, and ruled")
		m.lines(r.Rulings)
	}
	if len(r.Corrections)+len(r.Pending) > 0 {
		m.block("### Corrections")
		m.lines(r.Corrections)
	}
	if len(r.Pending) > 0 {
		m.block("### Pending")
		m.block("What corrections left as it is recorded: struck as it stands, bold as it would be.")
		m.lines(r.Pending)
		if r.Unchecked > 0 {
			m.block("%s", document.Paragraph(narrator.Unchecked(r.Unchecked)))
		}
	}
}

func (m *markdown) dispute(d *Dispute) {
	m.block("### %s", document.Markdown(d.title()))
	rule := ""
	if d.Rule != "" {
		rule = ", by " + d.Rule
	}
	m.block("%s claims%s (#%d):", document.Paragraph(person(d.By)), document.Markdown(rule), d.Event)
	m.quote(d.Claim)
	m.lines(d.About)
	for _, s := range d.Statements {
		verb := "says"
		if len(s.Shown) > 0 {
			verb = "brings evidence"
		}
		m.block("%s %s (#%d):", document.Paragraph(person(s.By)), verb, s.Event)
		if s.Text != "" {
			m.quote(s.Text)
		}
		m.lines(s.Shown)
	}
	if r := d.Ruling; r != nil {
		line := Line{Events: []uint64{r.Event}, Rules: r.Rules}
		m.block("**%s**%s", document.Markdown(r.text()), reference(&line))
		m.quote(r.Reason)
	}
	m.lines(d.Led)
}
