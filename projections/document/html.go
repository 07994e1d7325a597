package document

import (
	"fmt"
	"strings"
)

// HTML draws the text, with links to where link says; a link without a path is none. Without link there are none.
func (t Text) HTML(link func(Link) string) string {
	var b strings.Builder
	for _, s := range t {
		s.html(&b, link)
	}
	return b.String()
}

// tags are those of marks.
var tags = map[Mark][2]string{Was: {"<del>", "</del>"}, Now: {"<ins>", "</ins>"}, Sealed: {`<em class="sealed">`,
	"</em>"}}

func (s Span) html(b *strings.Builder, link func(Link) string) {
	if s.ID != "" {
		b.WriteString(`<span id="` + html(s.ID) + `"></span>`)
	}
	open, end := tags[s.Mark][0], tags[s.Mark][1]
	if s.To != (Link{}) && link != nil {
		if path := link(s.To); path != "" {
			class := ""
			if s.To.Kind == ToRule {
				class = ` class="rule"`
			}
			open, end = open+`<a href="`+html(path)+`"`+class+">", "</a>"+end
		}
	}
	b.WriteString(open + html(s.Text) + end)
}

// html makes text mean itself on a page, in an attribute too.
func html(text string) string { return htmlEscaper.Replace(Printable(text)) }

var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "+", "&#43;")

// HTML draws the table as a table element. What stands around it, and the note, is the page's.
func (t Table) HTML(link func(Link) string) string {
	var b strings.Builder
	b.WriteString("<table>")
	if t.Title != "" {
		b.WriteString("<caption>" + html(t.Title) + "</caption>")
	}
	class, right := make([]string, len(t.Columns)), t.Right()
	b.WriteString("\n<thead><tr>")
	for i, c := range t.Columns {
		if right[i] {
			class[i] = ` class="n"`
		}
		if c.Kind != Below {
			b.WriteString(`<th scope="col"` + class[i] + ">" + html(c.Name) + "</th>")
		}
	}
	b.WriteString("</tr></thead>\n<tbody>")
	for _, row := range t.Rows {
		below := ""
		b.WriteString("\n<tr>")
		for i, cell := range row {
			switch text := cell.HTML(link); {
			case t.Columns[i].Kind != Below:
				b.WriteString("<td" + class[i] + ">" + text + "</td>")
			case len(cell) > 0:
				below += fmt.Sprintf("\n"+`<tr class="made"><td colspan="%d">%s %s</td></tr>`, len(t.Columns),
					html(t.Columns[i].Name), text)
			}
		}
		b.WriteString("</tr>" + below)
	}
	b.WriteString("\n</tbody></table>")
	return b.String()
}
