package report

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/watu-ledger/watu/projections/document"
)

// A drawing is an SVG file in the making. It is chartWidth units wide, so that its letters can be read
// on a telephone, and grows downwards. Fills go by letters a to d: each is a colour and a pattern of
// its own, and follows the reader's choice of dark or light.
type drawing struct {
	name, title, desc string
	height            int
	body              strings.Builder
	link              func(event uint64) string // where a bar of a page leads; nil in a file
}

const (
	chartWidth = 360
	letter     = 6 // how wide a letter of the labels is, at most, in units
)

func (d *drawing) add(format string, args ...any) { fmt.Fprintf(&d.body, format+"\n", args...) }

// text writes a label: anchor is "start", "middle" or "end".
func (d *drawing) text(x, y int, anchor, class, text string) {
	d.add(`<text x="%d" y="%d" text-anchor="%s" class="%s">%s</text>`, x, y, anchor, class,
		html.EscapeString(document.Printable(text)))
}

// rect draws a filled rectangle; of none there is nothing to see.
func (d *drawing) rect(x, y, w, h int, fill string) {
	if w > 0 && h > 0 {
		d.add(`<rect x="%d" y="%d" width="%d" height="%d" class="edge" fill="url(#%s-%s)"/>`, x, y, w, h, d.name, fill)
	}
}

// leading draws what leads to the page of an event, where there is one.
func (d *drawing) leading(event uint64, draw func()) {
	if d.link == nil || event == 0 {
		draw()
		return
	}
	before := d.body.String()
	d.body.Reset()
	draw()
	drawn, label := d.body.String(), fmt.Sprintf("#%d", event)
	for _, x := range lettering.FindAllStringSubmatch(drawn, -1) { // whoever says what he sees means the link
		label += " " + x[1]
	}
	d.body.Reset()
	d.body.WriteString(before)
	d.add(`<a href="%s" aria-label="%s">`, html.EscapeString(d.link(event)), label)
	d.body.WriteString(drawn)
	d.add(`</a>`)
}

// lettering is the text of a drawing, escaped.
var lettering = regexp.MustCompile(`>([^<>]+)</text>`)

func (d *drawing) line(x1, y1, x2, y2 int, class string) {
	d.add(`<line x1="%d" y1="%d" x2="%d" y2="%d" class="%s"/>`, x1, y1, x2, y2, class)
}

// fill is a kind of bar, and what it stands for.
type fill struct{ letter, words string }

// legend names the fills from the height reached on, and goes below them.
func (d *drawing) legend(fills ...fill) {
	x := 8
	for _, f := range fills {
		room := 16
		if f.letter == "" { // words alone
			room = 0
		}
		w := room + (letter+1)*utf8.RuneCountInString(f.words) + 10
		if x > 8 && x+w > chartWidth {
			x, d.height = 8, d.height+16
		}
		d.rect(x, d.height+1, min(room, 11), 11, f.letter)
		d.text(x+room, d.height+10, "start", "l", f.words)
		x += w
	}
	d.height += 22
}

// style is the look of every chart. The colours are an old plotting table's: ink, sea, brass, red.
const style = `<style>
.w-chart{font:11px system-ui,sans-serif}
.w-chart .l{fill:#26302c}.w-chart .f{fill:#5a645e;font-size:10px}.w-chart .h{fill:#26302c;font-weight:600}
.w-chart .axis{stroke:#7d877f}.w-chart .grid{stroke:#d3d4c6}.w-chart .edge{stroke:#26302c;stroke-width:.6}
.w-chart .o{paint-order:stroke;stroke:#faf8f0;stroke-width:4px;stroke-linejoin:round}
.w-chart .paper{fill:#faf8f0}.w-chart .ink{stroke:#26302c;fill:none;stroke-width:1.5}.w-chart .dot{fill:#26302c}
.w-chart .ca{fill:#3f7480}.w-chart .cb{fill:#f0d8cf}.w-chart .sb{stroke:#a2402a}
.w-chart .cc{fill:#e9d9a4}.w-chart .sc{fill:#7d6212}.w-chart .cd{fill:#dfe3dc}.w-chart .sd{stroke:#5a645e}
@media (prefers-color-scheme:dark){
.w-chart .l,.w-chart .h{fill:#e4e6dc}.w-chart .f{fill:#a9b1a8}
.w-chart .axis{stroke:#7d877f}.w-chart .grid{stroke:#36403b}.w-chart .edge{stroke:#e4e6dc}
.w-chart .o{stroke:#1a211e}.w-chart .paper{fill:#1a211e}.w-chart .ink{stroke:#e4e6dc}.w-chart .dot{fill:#e4e6dc}
.w-chart .ca{fill:#5b9aa8}.w-chart .cb{fill:#4a2a22}.w-chart .sb{stroke:#e58a70}
.w-chart .cc{fill:#4b4222}.w-chart .sc{fill:#d9b64e}.w-chart .cd{fill:#2b332f}.w-chart .sd{stroke:#a9b1a8}
}
</style>`

// patterns distinguish the fills without colour: plain, hatched, dotted, ruled.
const patterns = `<defs>
<pattern id="%[1]s-a" width="6" height="6" patternUnits="userSpaceOnUse">
<rect width="6" height="6" class="ca"/></pattern>
<pattern id="%[1]s-b" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="5" height="5" class="cb"/><line x1="0" y1="0" x2="0" y2="5" class="sb" stroke-width="3"/></pattern>
<pattern id="%[1]s-c" width="5" height="5" patternUnits="userSpaceOnUse">
<rect width="5" height="5" class="cc"/><circle cx="2.5" cy="2.5" r="1.3" class="sc"/></pattern>
<pattern id="%[1]s-d" width="4" height="4" patternUnits="userSpaceOnUse">
<rect width="4" height="4" class="cd"/><line x1="0" y1="1" x2="4" y2="1" class="sd"/></pattern>
</defs>`

// String is the whole file. Its first words say who wrote it.
func (d *drawing) String() string {
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" `+
			`role="img" aria-labelledby="%s-title %s-desc" class="w-chart">`+"\n",
		chartWidth, d.height, 2*chartWidth, 2*d.height, d.name, d.name)
	fmt.Fprintf(&b, "<title id=\"%s-title\">%s</title>\n<desc id=\"%s-desc\">%s</desc>\n<!-- %s -->\n",
		d.name, html.EscapeString(document.Printable(d.title)), d.name, html.EscapeString(document.Printable(d.desc)),
		Marker)
	fmt.Fprintf(&b, style+"\n"+patterns+"\n", d.name)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" class="paper"/>`+"\n%s</svg>\n", chartWidth, d.height,
		d.body.String())
	return b.String()
}

// inline is the drawing as a part of a page, whose style sheet knows the classes. Every text in it is
// escaped.
func (d *drawing) inline() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="group" aria-labelledby="%s-title %s-desc" class="w-chart">`+"\n",
		chartWidth, d.height, d.name, d.name)
	fmt.Fprintf(&b, "<title id=\"%s-title\">%s</title>\n<desc id=\"%s-desc\">%s</desc>\n",
		d.name, html.EscapeString(document.Printable(d.title)), d.name, html.EscapeString(document.Printable(d.desc)))
	fmt.Fprintf(&b, patterns+"\n", d.name)
	fmt.Fprintf(&b, "%s</svg>\n", d.body.String())
	return b.String()
}

// Marker is in every file that a report writes, so that a later report may write over it.
const Marker = "written by watu report"
