package terminal

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/watu-ledger/watu/projections/document"
)

// TestDocument: texts stand in a column behind their leads, a derivation under its event, and no line is too wide.
func TestDocument(t *testing.T) {
	long := strings.Repeat("raided ", 15)
	raids := document.Section{ID: "raids", Title: "Raids"}
	events, steps := document.List{Kind: document.EventList}, document.List{Kind: document.StepList}
	events.Add(document.Event(123), long)
	steps.Add(document.Rule("R-1"), "it takes 2")
	steps.Add("", "a note")
	raids.List(events)
	raids.List(steps)
	raids.List(document.List{Items: []document.Item{
		{Lead: document.Plainly(strings.Repeat("a", 50)), Text: document.Plainly(long)},
		{Lead: document.Plainly("b"), Text: document.Plainly("1")},
		{Text: document.Plainly(long)},
	}})
	raids.Heading("Table")
	table := document.Table{Columns: document.Columns("A", "B")}
	table.Add("x", document.Span{Text: "3", Mark: document.Lit})
	raids.Table(table)
	raids.Blocks = append(raids.Blocks, document.Block{Table: &table, Fold: "All of it"})
	var out bytes.Buffer
	(&Page{Out: &out}).Document(document.Document{Title: "#9", Text: document.Plainly("It rained."),
		Sections: []document.Section{raids}})
	want := `#9
  It rained.

Raids
  #123  raided raided raided raided raided raided raided raided raided raided
        raided raided raided raided raided
        R-1  it takes 2
          a note
  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
     raided raided raided raided raided raided raided raided raided raided
     raided raided raided raided raided
  b  1
    raided raided raided raided raided raided raided raided raided raided raided
      raided raided raided raided
  Table
  A    B
  -  ---
  x  [3]
`
	if out.String() != want {
		t.Errorf("\n%s", &out)
	}
	for line := range strings.Lines(out.String()) {
		if utf8.RuneCountInString(line) > Width+1 {
			t.Errorf("too wide: %s", line)
		}
	}
}
