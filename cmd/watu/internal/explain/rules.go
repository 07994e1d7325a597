package explain

import (
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

// titles lists the rules that sections lead to, each once in the order in which they stand there, with their titles.
func titles(sections []document.Section) document.Section {
	l := document.List{Kind: document.PairList}
	listed := map[string]bool{}
	add := func(t document.Text) {
		for _, s := range t {
			r, found := rules.RequirementOf(s.To.Name)
			if s.To.Kind == document.ToRule && found && !listed[r.ID] {
				listed[r.ID] = true
				l.Add(document.Rule(r.ID), r.Title)
			}
		}
	}
	for _, s := range sections {
		for _, b := range s.Blocks {
			add(b.Text)
			if b.List != nil {
				for _, i := range b.List.Items {
					add(i.Lead)
					add(i.Text)
				}
			}
			if b.Table != nil {
				for _, row := range b.Table.Rows {
					for _, cell := range row {
						add(cell)
					}
				}
			}
		}
	}
	out := document.Section{ID: "rules", Title: "The rules named"}
	out.List(l)
	return out
}
