package document

import (
	"fmt"
	"strconv"
	"strings"
)

// Linker gives the path of a link, and its title: what a page says of it to whoever points at it. A link without a path
// is none.
type Linker func(Link) (path, title string)

// HTML draws the text, with links to where link says. Without link there are none.
func (t Text) HTML(link Linker) string {
	var b strings.Builder
	for _, s := range t {
		s.html(&b, link)
	}
	return b.String()
}

// tags are those of marks.
var tags = map[Mark][2]string{
	Was: {"<del>", "</del>"}, Now: {"<ins>", "</ins>"}, Sealed: {`<em class="sealed">`, "</em>"},
	Lit:    {"<mark>", "</mark>"},
	Strong: {"<b>", "</b>"}, Code: {`<code class="hash">`, "</code>"},
}

func (s Span) html(b *strings.Builder, link Linker) {
	if s.ID != "" {
		b.WriteString(`<span id="` + html(s.ID) + `"></span>`)
	}
	if s.Mark == Pips || s.Mark == Die {
		b.WriteString(s.die())
		return
	}
	open, end := tags[s.Mark][0], tags[s.Mark][1]
	if s.To != (Link{}) && link != nil {
		if path, title := link(s.To); path != "" {
			class := ""
			if s.To.Kind == ToRule {
				class = ` class="rule"`
			}
			if title != "" {
				class += ` title="` + html(title) + `"`
			}
			open, end = open+`<a href="`+html(path)+`"`+class+">", "</a>"+end
		}
	}
	text := s.Text
	if s.Mark == Time {
		open, end, text = `<time datetime="`+html(text)+`">`, "</time>", moment(text)
	}
	if figure, less := strings.CutPrefix(text, "-"); less && isFigure(text) {
		text = "−" + figure
	}
	b.WriteString(open + html(text) + end)
}

// moment says a time of RFC 3339 in UTC in words, and anything else as it is.
func moment(stamp string) string {
	var year, month, day, hour, minute int
	n, _ := fmt.Sscanf(stamp, "%4d-%2d-%2dT%2d:%2d", &year, &month, &day, &hour, &minute)
	if n < 5 || month < 1 || month > 12 {
		return stamp
	}
	name := strings.Fields("January February March April May June July August September October November December")
	return fmt.Sprintf("%d %s %d, %02d:%02d UTC", day, name[month-1], year, hour, minute)
}

// die draws a die that is 40 wide.
func (s Span) die() string {
	const low, middle, high = 10, 20, 30
	face := fmt.Sprintf(`<text x="%d" y="27" text-anchor="middle">%s</text>`, middle, html(s.Text))
	if n, err := strconv.Atoi(s.Text); err == nil && s.Mark == Pips {
		face = ""
		pip := func(x, y int) { face += fmt.Sprintf(`<circle cx="%d" cy="%d" r="4"/>`, x, y) }
		if n%2 == 1 {
			pip(middle, middle)
		}
		for i, y := range []int{low, high, middle} { // the pairs of 2, 4 and 6
			if n >= 2*i+2 {
				pip(low, y)
				pip(high, 2*middle-y)
			}
		}
	}
	return `<svg class="die" viewBox="0 0 40 40" role="img" aria-label="a die shows ` + html(s.Text) + `">` +
		`<rect x="1" y="1" width="38" height="38" rx="6"/>` + face + "</svg>"
}

// html makes text mean itself on a page, in an attribute too.
func html(text string) string { return htmlEscaper.Replace(Printable(text)) }

var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "+", "&#43;")

// rowClass marks a row that is a sum.
func rowClass(row []Text) string {
	if len(row) > 0 && len(row[0]) > 0 && row[0][0].Mark == Sum {
		return ` class="sum"`
	}
	return ""
}

// HTML draws the table as a table element. What stands around it, and the note, is the page's.
func (t Table) HTML(link Linker) string {
	var b strings.Builder
	b.WriteString("<table")
	if t.Class != "" {
		b.WriteString(` class="` + html(t.Class) + `"`)
	}
	b.WriteString(">")
	if t.Title != "" {
		b.WriteString("<caption>" + html(t.Title) + "</caption>")
	}
	right := t.Right()
	class := func(i int) string {
		if right[i] {
			return ` class="n"`
		}
		return ""
	}
	if !t.headless() {
		b.WriteString("\n<thead><tr>")
		for i, c := range t.Columns {
			switch {
			case c.Kind == Below:
			case c.Name == "": // it heads nothing
				b.WriteString("<td></td>")
			default:
				b.WriteString(`<th scope="col"` + class(i) + ">" + html(c.Name) + "</th>")
			}
		}
		b.WriteString("</tr></thead>")
	}
	b.WriteString("\n<tbody>")
	for _, row := range t.Rows {
		below := ""
		b.WriteString("\n<tr" + rowClass(row) + ">")
		for i, cell := range row {
			switch text := cell.HTML(link); {
			case t.Columns[i].Kind == Heads:
				b.WriteString(`<th scope="row">` + text + "</th>")
			case len(cell) > 0 && cell[0].Mark == Lit:
				b.WriteString(`<td class="lit">` + text + "</td>")
			case t.Columns[i].Kind != Below:
				b.WriteString("<td" + class(i) + ">" + text + "</td>")
			case len(cell) > 0:
				below += fmt.Sprintf("\n"+`<tr class="made"><td colspan="%d">%s %s</td></tr>`, len(t.Columns),
					html(t.Columns[i].Name), text)
			}
		}
		for i := len(row); i < len(t.Columns) && t.Columns[i].Kind != Below; i++ {
			b.WriteString("<td></td>")
		}
		b.WriteString("</tr>" + below)
	}
	b.WriteString("\n</tbody></table>")
	return b.String()
}
