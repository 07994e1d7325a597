package report

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
)

// ChartFile is the file of a chart beside a report: "war-income.svg" beside "war.md".
func ChartFile(base, name string) string { return base + "-" + name + ".svg" }

// Markdown is the report as GitHub-flavoured Markdown. Charts are files beside it, by [ChartFile]; with
// an empty base there are none, and their tables stand alone.
func (r *Report) Markdown(base string) string {
	m := &markdown{base: base}
	m.block("# %s", escape(r.heading()))
	for _, said := range r.played() {
		m.block("%s", paragraph(said))
	}
	if r.Note != "" {
		m.quote(r.Note)
	}
	if r.Short != "" {
		m.block("%s", paragraph(r.Short))
	}
	m.block("%s", paragraph(r.legend()))
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
			m.table(&r.Standing[i])
		}
	}
	m.block("---")
	m.block("%s", paragraph(r.source()))
	m.block("<!-- %s -->", Mine)
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
	for line := range strings.SplitSeq(strings.TrimSpace(clean(text)), "\n") {
		lines = append(lines, strings.TrimRight("> "+paragraph(line), " "))
	}
	m.block("%s", strings.Join(lines, "\n"))
}

func (m *markdown) turn(t *Turn) {
	m.block("## %s", escape(t.title()))
	for i := range t.Parts {
		p := &t.Parts[i]
		if p.Title != "" {
			m.block("### %s", escape(p.Title))
		}
		m.lines(p.Lines)
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
		m.block("<details><summary>%s (%s)</summary>", escape(l.Text.String()), l.refs())
		m.lines(l.Under)
		m.block("</details>")
	}
	flush()
}

// item is a line as an item of a list, and below it what is under it.
func item(l *Line, indent string) string {
	said := leading.ReplaceAllString(marked(l.Text), `$1\$2`)
	if l.Lead != "" {
		said = "*" + escape(l.Lead) + ":* " + said
	}
	said = indent + "- " + said + reference(l)
	for i := range l.Under {
		said += "\n" + item(&l.Under[i], indent+"  ")
	}
	return said
}

// reference is " (#57; RULE) – corrected by #60".
func reference(l *Line) string {
	said := joined("; ", l.refs(), escape(l.shownRules()))
	if said != "" {
		said = " (" + said + ")"
	}
	if l.Remark != "" {
		said += " – *" + escape(l.Remark) + "*"
	}
	return said
}

// marked writes a text with its marks.
func marked(t Text) string {
	var b strings.Builder
	for _, s := range t {
		text := escape(s.Text)
		open, end := "", ""
		switch s.Mark {
		case Was:
			open, end = "~~", "~~"
		case Now:
			open, end = "**", "**"
		case Sealed:
			open, end = "*", "*"
		}
		before, _ := utf8.DecodeLastRuneInString(b.String())
		first, _ := utf8.DecodeRuneInString(text)
		if tags, ok := tagged[s.Mark]; ok && (unicode.IsLetter(before) || unicode.IsNumber(before)) && !unicode.IsLetter(first) && !unicode.IsNumber(first) {
			open, end = tags[0], tags[1] // signs would not open there
		}
		b.WriteString(open + text + end)
	}
	return b.String()
}

// tagged are the tags of marks where Markdown's own signs do not work.
var tagged = map[Mark][2]string{Was: {"<del>", "</del>"}, Now: {"<strong>", "</strong>"}}

// chart links a chart, and writes its table.
func (m *markdown) chart(c *Chart) {
	m.block("### %s", escape(c.Table.Title))
	if c.SVG != "" && m.base != "" {
		m.block("![%s](<%s>)", escape(c.Table.Title), strings.NewReplacer("<", "%3C", ">", "%3E", "\n", " ").Replace(ChartFile(m.base, c.Name)))
	}
	if len(c.Table.Rows) <= long || c.SVG == "" || m.base == "" {
		m.rows(&c.Table)
		return
	}
	m.block("<details><summary>The figures: %d rows</summary>", len(c.Table.Rows))
	m.rows(&c.Table)
	m.block("</details>")
}

// long is the number of rows from which a table is folded away below its chart.
const long = 12

func (m *markdown) table(t *Table) {
	m.block("**%s**", escape(t.Title))
	m.rows(t)
}

func (m *markdown) rows(t *Table) {
	var b strings.Builder
	head, rule := "|", "|"
	for i, c := range t.Columns {
		head += " " + escape(c) + " |"
		rule += " --- |"
		if t.figures(i) {
			rule = strings.TrimSuffix(rule, " --- |") + " ---: |"
		}
	}
	b.WriteString(head + "\n" + rule + "\n")
	for _, r := range t.Rows {
		line := "|"
		for i := range t.Columns {
			cell := ""
			if i < len(r) {
				cell = marked(r[i])
			}
			line += " " + cell + " |"
		}
		b.WriteString(line + "\n")
	}
	m.block("%s", b.String())
	if t.Note != "" {
		m.block("%s", paragraph(t.Note))
	}
}

// figures reports whether a column holds figures alone.
func (t *Table) figures(column int) bool {
	found := false
	for _, r := range t.Rows {
		if column >= len(r) {
			continue
		}
		s := r[column].String()
		if s != "" && strings.Trim(s, "0123456789.-–/+") != "" {
			return false
		}
		found = found || s != ""
	}
	return found
}

func (m *markdown) luck(r *Report) {
	c := r.luckChart()
	if c == nil {
		return
	}
	m.block("## Luck")
	if m.base != "" {
		m.block("![%s](<%s>)", escape(c.Table.Title), ChartFile(m.base, c.Name))
	}
	m.rows(&c.Table)
	for _, said := range r.Luck.explained() {
		m.block("%s", paragraph(said))
	}
	if len(r.Luck.Hits) > 0 {
		t := r.Luck.hitTable()
		m.table(&t)
		m.block("%s", paragraph(hitsExplained))
	}
}

const hitsExplained = "Hits are counted as the results say them. Whether they are many depends on what each die needed, which is told at its roll."

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
			m.block("%s", paragraph(narrator.Unchecked(r.Unchecked)))
		}
	}
}

func (m *markdown) dispute(d *Dispute) {
	m.block("### %s", escape(d.title()))
	rule := ""
	if d.Rule != "" {
		rule = ", by " + d.Rule
	}
	m.block("%s claims%s (#%d):", paragraph(person(d.By)), escape(rule), d.Event)
	m.quote(d.Claim)
	m.lines(d.About)
	for _, s := range d.Said {
		verb := "says"
		if len(s.Shown) > 0 {
			verb = "brings evidence"
		}
		m.block("%s %s (#%d):", paragraph(person(s.By)), verb, s.Event)
		if s.Text != "" {
			m.quote(s.Text)
		}
		m.lines(s.Shown)
	}
	if r := d.Ruling; r != nil {
		line := Line{Events: []uint64{r.Event}, Rules: r.Rules}
		m.block("**%s**%s", escape(r.text()), reference(&line))
		m.quote(r.Reason)
	}
	m.lines(d.Led)
}

// escape makes text mean itself in Markdown, and in the HTML that Markdown may hold.
func escape(text string) string { return escaper.Replace(strings.ReplaceAll(clean(text), "\n", " ")) }

// paragraph is escape for text that begins a line.
func paragraph(text string) string { return leading.ReplaceAllString(escape(text), `$1\$2`) }

var escaper = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"://", ":&#47;&#47;", "@", "&#64;",
)

// leading finds what would begin a list, a heading or a rule at the beginning of a line.
var leading = regexp.MustCompile(`^(\s*|\s*\d+)([-+#=.)])`)
