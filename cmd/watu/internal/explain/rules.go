package explain

import (
	"slices"

	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

// titles lists the rules that sections lead to, each once in the order in which they stand there, with their titles.
func titles(sections []document.Section) document.Section {
	l := document.List{Kind: document.PairList}
	listed := map[string]bool{}
	for _, s := range sections {
		for _, b := range s.Blocks {
			for _, span := range slices.Concat(textsOf(b)...) {
				id := span.To.Name
				if title := rules.TitleOf(id); span.To.Kind == document.ToRule && title != "" && !listed[id] {
					listed[id] = true
					l.Add(document.Rule(id), title)
				}
			}
		}
	}
	out := document.Section{ID: "rules", Title: "The rules named"}
	out.List(l)
	return out
}

// textsOf are the texts of a block: its own, and those of its list and table.
func textsOf(b document.Block) []document.Text {
	texts := []document.Text{b.Text}
	if b.List != nil {
		for _, i := range b.List.Items {
			texts = append(texts, i.Lead, i.Text)
		}
	}
	if b.Table != nil {
		texts = append(texts, slices.Concat(b.Table.Rows...)...)
	}
	return texts
}
