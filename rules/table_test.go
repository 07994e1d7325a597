package rules

import (
	"errors"
	"strings"
	"testing"
)

const harbor = `# Harbor Attack Table
# Modified roll across.
Dice roll | 2 3 10 14+
   Result | 0 0  4   6
`

func TestTableRoundTrip(t *testing.T) {
	table, err := ParseTable(harbor)
	if err != nil {
		t.Fatal(err)
	}
	if got := table.String(); got != harbor {
		t.Errorf("printed\n%s\nwant\n%s", got, harbor)
	}
	if table.Name != "Harbor Attack Table" || table.Corner != "Dice roll" || len(table.Notes) != 1 {
		t.Errorf("read %+v", table)
	}
	if cell, ok := table.Cell("Result", "10"); !ok || cell != "4" {
		t.Errorf("cell %q, %v", cell, ok)
	}
	if _, ok := table.Cell("Result", "11"); ok {
		t.Error("a column that is not there has a cell")
	}
}

func TestTableColumn(t *testing.T) {
	table, err := ParseTable("# Pearl Harbor\nDR | 0-29 30-31 40+\n 2 |    a     b   c\n")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{-5: "0-29", 0: "0-29", 29: "0-29", 30: "30-31", 31: "30-31", 35: "", 40: "40+",
		99: "40+"} {
		if got, ok := table.Column(n); got != want || ok != (want != "") {
			t.Errorf("column of %d is %q, want %q", n, got, want)
		}
	}
}

func TestTableLit(t *testing.T) {
	text := "# T\nFac |   2 3\n"
	for _, row := range []string{"1", "2", "3", "4", "5", "6"} {
		text += "  " + row + " | 0/1 0\n"
	}
	table, err := ParseTable(text)
	if err != nil {
		t.Fatal(err)
	}
	want := "T\nFac |     2 3\n  1 | [0/1] 0\n  2 |   0/1 0\n  3 |   0/1 0\n  …\n"
	if got := table.Lit(Mark{"1", "2"}); got != want {
		t.Errorf("lit\n%s\nwant\n%s", got, want)
	}
	if got := table.Lit(); strings.Count(got, "\n") != 8 {
		t.Errorf("without a mark the table is not whole:\n%s", got)
	}
}

func TestTableRefused(t *testing.T) {
	for name, text := range map[string]string{
		"empty":      "",
		"no row":     "# T\nFac | 2\n",
		"no name":    "Fac | 2\n  1 | 0\n",
		"short row":  "# T\nFac | 2 3\n  1 | 0\n",
		"twice":      "# T\nFac | 2\n  1 | 0\n  1 | 0\n",
		"no bar":     "# T\nFac | 2\n  1   0\n",
		"unaligned":  "# T\nFac | 2\n1 | 0\n",
		"no newline": "# T\nFac | 2\n  1 | 0",
	} {
		if _, err := ParseTable(text); !errors.Is(err, ErrTable) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
