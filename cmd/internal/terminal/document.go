package terminal

import (
	"strings"
	"unicode/utf8"

	"github.com/watu-ledger/watu/projections/document"
)

// Document prints a document: its title and sentence, and its sections under their headings. Links are not printed.
func (p *Page) Document(d document.Document) {
	p.Flow("", "", Bold(d.Title))
	p.Flow("  ", "  ", Plain(d.Text.String()))
	p.Blocks(d.Blocks)
	for _, s := range d.Sections {
		p.Heading("%s", s.Title)
		p.Blocks(s.Blocks)
	}
}

// Blocks prints blocks, indented. What a page folds is left out.
func (p *Page) Blocks(list []document.Block) {
	for i, b := range list {
		switch {
		case b.Fold != "":
		case b.Heading != "":
			p.Flow("  ", "  ", Bold(b.Heading))
		case b.List != nil:
			margin := "  "
			if i > 0 && b.List.Kind == document.StepList && list[i-1].List != nil {
				margin = "       " // the derivation of the event above
			}
			p.list(margin, b.List.Items)
		case b.Table != nil:
			p.Block("  ", b.Table.Plain().Text(Width-2))
		default:
			p.Flow("  ", "  ", Plain(b.Text.String()))
		}
	}
}

// widestLead bounds the column in which the leads of a list stand.
const widestLead = 40

// list prints items: their texts stand in a column behind the leads, and those without a lead below.
func (p *Page) list(margin string, items []document.Item) {
	widest := 0
	for _, i := range items {
		widest = min(max(widest, utf8.RuneCountInString(i.Lead.String())), widestLead)
	}
	for _, i := range items {
		lead := i.Lead.String()
		if lead == "" {
			p.Flow(margin+"  ", margin+"  ", Plain(i.Text.String()))
			continue
		}
		lead = document.Printable(lead) + strings.Repeat(" ", max(0, widest-utf8.RuneCountInString(lead)))
		p.Flow(margin+lead+"  ", margin+strings.Repeat(" ", widest+2), Plain(i.Text.String()))
	}
}
