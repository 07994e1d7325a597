package document

import "testing"

// TestSection: leads, sums, lit cells and dice on a page; what is folded stands in details.
func TestSection(t *testing.T) {
	s := Section{ID: "result", Title: "A <b>", Mark: Was}
	events, pairs := List{Kind: EventList}, List{Kind: PairList}
	events.Add(Event(7), "Japan rolls", Rule("R-1"))
	pairs.Add("dice:", Span{Text: "2", Mark: Pips}, Span{Text: "9", Mark: Die}, "2+9")
	pairs.Add("", Span{Text: "ab", Mark: Code})
	s.List(events)
	s.List(pairs)
	s.List(List{Kind: EventList})
	table := Table{Class: "sheet", Columns: []Column{{Kind: Figures}, {Kind: Heads}, {}}}
	table.Add("+1", "x", Span{Text: "3", Mark: Lit})
	table.Add(Span{Text: "+1", Mark: Sum}, "net")
	s.Table(table)
	s.Blocks = append(s.Blocks, Block{Table: &table, Fold: "All"})
	link := func(to Link) (path, title string) {
		if to.Kind == ToRule {
			title = "a \"rule\""
		}
		return "/" + string(to.Kind), title
	}
	drawn := `<div class="scroll" tabindex="0"><table class="sheet">
<tbody>
<tr><td class="n">&#43;1</td><th scope="row">x</th><td class="lit"><mark>3</mark></td></tr>
<tr class="sum"><td class="n">&#43;1</td><th scope="row">net</th><td></td></tr>
</tbody></table></div>
`
	want := `<section id="result" class="gone"><h2>A &lt;b&gt;</h2>
<ul class="events">
<li><span class="lead"><a href="/event">#7</a></span> ` +
		`<span>Japan rolls<a href="/rule" class="rule" title="a &#34;rule&#34;">R-1</a></span></li></ul>
<dl class="pairs">
<dt>dice:</dt><dd><svg class="die" viewBox="0 0 40 40" role="img" aria-label="a die shows 2">` +
		`<rect x="1" y="1" width="38" height="38" rx="6"/>` +
		`<circle cx="10" cy="10" r="4"/><circle cx="30" cy="30" r="4"/></svg>` +
		`<svg class="die" viewBox="0 0 40 40" role="img" aria-label="a die shows 9">` +
		`<rect x="1" y="1" width="38" height="38" rx="6"/>` +
		`<text x="20" y="27" text-anchor="middle">9</text></svg>2&#43;9</dd>
<dd><code class="hash">ab</code></dd></dl>
` + drawn + "<details><summary>All</summary>" + drawn + "</details>\n</section>\n"
	if got := s.HTML(link); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	if got := pairs.Items[0].Text.String(); got != "2+9" {
		t.Errorf("as text the dice are %q", got)
	}
	if got := table.Plain().Text(78); got != "+1  x    [3]\n+1  net\n" {
		t.Errorf("%q", got)
	}
}
