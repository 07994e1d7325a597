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
				// the derivation of the event above stands under its sentence
				margin = strings.Repeat(" ", len(margin)+2+leads(list[i-1].List.Items, widestLead))
			}
			p.list(margin, b.List.Items)
		case b.Table != nil:
			p.Block("  ", b.Table.Plain().Text(Width-2))
		default:
			p.Flow("  ", "  ", Plain(b.Text.String()))
		}
	}
}

// widestLead bounds the column in which the leads of a list stand, where a text would not fit beside a wider one.
const widestLead = 40

// leads is how wide the widest lead is of those that are no wider than most.
func leads(items []document.Item, most int) (widest int) {
	for _, i := range items {
		if n := utf8.RuneCountInString(i.Lead.String()); n <= most {
			widest = max(widest, n)
		}
	}
	return widest
}

// list prints items: their texts stand in a column behind the leads, and those without a lead below.
func (p *Page) list(margin string, items []document.Item) {
	column := leads(items, Width)
	for _, i := range items {
		if column > widestLead && len(margin)+column+2+utf8.RuneCountInString(i.Text.String()) > Width {
			column = leads(items, widestLead)
		}
	}
	below := margin + strings.Repeat(" ", column+2)
	for _, i := range items {
		lead := document.Printable(i.Lead.String())
		switch wide := utf8.RuneCountInString(lead); {
		case lead == "":
			p.Flow(margin+"  ", margin+"    ", Plain(i.Text.String()))
		case wide > column:
			p.Flow(margin, margin+"  ", Plain(lead))
			p.Flow(below, below, Plain(i.Text.String()))
		default:
			p.Flow(margin+lead+strings.Repeat(" ", column+2-wide), below, Plain(i.Text.String()))
		}
	}
}
