// Package worded turns a document that terminal and interface show as it is into what people read on a page.
//
// A terminal names what somebody types next: a rule by its id, a time to the millisecond. A page
// says it in words:
//
//	AAR-4-RANGE                  raids reach two sea zones, with a link to the rule
//	… raids it: 2 IPCs. [AAR-4]  the sentence alone; the rules stand below, folded behind "1 rule"
//	double_ipc_value             double ipc value
//	2026-11-26T22:39:58.523Z     26 November 2026, 22:39 UTC, in a time element
//
// What is left out is a fold away: the ids beside the words of the rules, hashes, what was entered.
package worded

import (
	"regexp"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

// Part is a section as a page shows it.
type Part struct {
	document.Section
	Fold   string           // what is folded, in a few words
	Folded []document.Block // of the section, not among its Blocks
	Rules  []string         // those that the section names, each once, in their order
}

// Parts are the sections of a document. The list of rules at its end is left out: each part has its own.
func Parts(d document.Document) (list []Part) {
	for _, s := range d.Sections {
		if s.ID == "rules" {
			continue
		}
		list = append(list, partOf(s))
	}
	return list
}

// partOf words a section, and says what of it is folded.
func partOf(s document.Section) Part {
	p := Part{Section: s, Rules: named(s.Blocks)}
	p.Blocks = nil
	switch s.ID {
	case "asked":
		p.Title, _, _ = strings.Cut(s.Title, ":")
		p.Fold = "what was entered"
	case "proof":
		p.Fold = "hashes"
	default:
		p.Fold = "its hash"
	}
	hashed := func(i int) bool { return i >= 0 && i < len(s.Blocks) && coded(s.Blocks[i].Text) }
	for i, b := range s.Blocks {
		list := b.List != nil && (s.ID == "asked" || s.ID == "proof")
		if list || hashed(i) || b.Text != nil && (hashed(i-1) || hashed(i+1)) {
			p.Folded = append(p.Folded, block(b, s.ID))
			continue
		}
		if b.List != nil {
			var hashes *document.List
			if b.List, hashes = parted(*b.List); hashes != nil {
				p.Folded = append(p.Folded, block(document.Block{List: hashes}, s.ID))
				if len(hashes.Items) > 1 {
					p.Fold = "hashes"
				}
			}
		}
		p.Blocks = append(p.Blocks, block(b, s.ID))
	}
	return p
}

// coded reports whether a text is a hash and nothing else.
func coded(t document.Text) bool { return len(t) == 1 && t[0].Mark == document.Code }

// parted takes the hashes out of a list. One that stands below another item goes by that item's name.
func parted(l document.List) (shown, hashes *document.List) {
	shown, hashes = &document.List{Kind: l.Kind}, &document.List{Kind: l.Kind}
	for i, x := range l.Items {
		if !coded(x.Text) {
			shown.Items = append(shown.Items, x)
			continue
		}
		if x.Lead.String() == "" && i > 0 {
			x.Lead = l.Items[i-1].Lead
		}
		hashes.Items = append(hashes.Items, x)
	}
	if len(hashes.Items) == 0 {
		return shown, nil
	}
	return shown, hashes
}

// named are the rules that blocks name.
func named(blocks []document.Block) (ids []string) {
	add := func(t document.Text) {
		for _, s := range t {
			if s.To.Kind == document.ToRule && !slices.Contains(ids, s.To.Name) {
				ids = append(ids, s.To.Name)
			}
		}
	}
	for _, b := range blocks {
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
	return ids
}

// Cited are the rules that a text names.
func Cited(t document.Text) []string { return named([]document.Block{{Text: t}}) }

func block(b document.Block, section string) document.Block {
	b.Text = Text(b.Text)
	if b.List != nil {
		l := *b.List
		l.Items = slices.Clone(l.Items)
		for i, x := range l.Items {
			l.Items[i] = document.Item{Lead: Text(x.Lead), Text: Text(x.Text)}
			if lead := x.Lead; len(lead) == 1 && lead[0].To == (document.Link{}) && section != "proof" {
				l.Items[i].Lead = document.Plainly(narrator.Field(lead[0].Text))
			}
		}
		b.List = &l
	}
	if b.Table != nil {
		t := Table(*b.Table)
		b.Table = &t
	}
	return b
}

// Table words the cells of a table. Those of options and fields are names out of files.
func Table(t document.Table) document.Table {
	t.Note = document.Note(Text(document.Text(t.Note)))
	t.Rows = slices.Clone(t.Rows)
	for i, row := range t.Rows {
		t.Rows[i] = slices.Clone(row)
		for j, cell := range row {
			cell = Text(cell)
			if j < len(t.Columns) && len(cell) == 1 && cell[0].To == (document.Link{}) {
				switch t.Columns[j].Name {
				case "Option", "Value":
					cell = document.Plainly(Name(cell[0].Text))
				case "Figure":
					cell = document.Plainly(narrator.Field(cell[0].Text))
				}
			}
			t.Rows[i][j] = cell
		}
	}
	return t
}

// Text words a text: a rule goes by its title, and rules in brackets behind a sentence are left out.
func Text(t document.Text) (out document.Text) {
	for i := 0; i < len(t); i++ {
		if end := bracket(t[i:]); end > 0 {
			i += end - 1
			continue
		}
		s := t[i]
		switch {
		case s.To.Kind == document.ToRule && s.Text == s.To.Name:
			if title := rules.TitleOf(s.Text); title != "" {
				s.Text = title
			}
		case s.To == (document.Link{}) && stamp.MatchString(s.Text):
			s.Mark = document.Time
		case s.Mark == "" || s.Mark == document.Was || s.Mark == document.Now:
			s.Text = Sentence(s.Text)
		}
		out = append(out, s)
	}
	return out
}

// bracket is how many spans rules in brackets take, 0 where there are none: " [", a rule, ", ", a rule, "]".
func bracket(t document.Text) int {
	if t[0].Text != " [" || t[0].To != (document.Link{}) {
		return 0
	}
	for i := 1; i+1 < len(t) && t[i].To.Kind == document.ToRule; i += 2 {
		if t[i+1].Text == "]" {
			return i + 2
		}
	}
	return 0
}

var (
	stamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`)
	id    = regexp.MustCompile(`\b(?:AMB-)?(?:GEN|AWAW|AAR|EOTS|G40)-[A-Z0-9][A-Z0-9.-]*[A-Z0-9]|\bAMB-[A-Z0-9-]+\b`)
	// of a ruling, "awaw.harbor-attack", "awaw.sw.submarine"
	procedure = regexp.MustCompile(`\b(?:awaw|aar|eots|g40)\.[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)*`)
)

// Name is a name out of a file in words.
func Name(name string) string { return strings.ReplaceAll(name, "_", " ") }

// Sentence words what a sentence says of procedures and rules by their ids.
func Sentence(text string) string {
	text = procedure.ReplaceAllStringFunc(text, func(found string) string {
		_, name, _ := strings.Cut(found, ".")
		return strings.NewReplacer("sw.", "", ".", " ", "-", " ").Replace(name)
	})
	text = id.ReplaceAllStringFunc(text, func(found string) string {
		if title := rules.TitleOf(found); title != "" {
			return "“" + title + "”"
		}
		return found
	})
	return strings.ReplaceAll(text, ": docs/fair-dice.md.", ". Fair dice, in the documentation, says more.")
}
