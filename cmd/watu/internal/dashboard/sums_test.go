package dashboard

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/projections/document"
)

// At moments of every bundled campaign the parts that stand under a sum add up to it.
func TestPartsOfASumAddUp(t *testing.T) {
	_, all := pages(t)
	checked := 0
	for _, k := range fixtures.Campaigns() {
		c, err := all.service.Campaign(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range moments(c) {
			p, _, _ := seenAt(t, all.service, c, timeline.Public, at)
			for _, x := range p.tables() {
				for _, row := range x.Rows {
					checked += partsAddUp(t, fmt.Sprintf("%s after %d events, %s", k.Name, at, x.Title), &x, row)
				}
			}
		}
	}
	if checked < longrun.Of(40, 100) {
		t.Errorf("%d sums were checked", checked)
	}
}

// totalled names the columns that the parts of a table come to.
var totalled = map[string][]string{
	"Running totals": {"Net"}, "Treasuries": {"In hand"}, "Raiders": {"Damage"}, "Convoys by sea zone": {"Taken"},
	"Totals over all turns": {"First", "Second"},
}

func partsAddUp(t *testing.T, where string, x *document.Table, row []document.Text) int {
	t.Helper()
	at := func(name string) int {
		for i, c := range x.Columns {
			if c.Name == name && i < len(row) {
				return i
			}
		}
		return -1
	}
	heads := totalled[x.Title]
	if at("Successes") >= 0 {
		heads = []string{"Successes"}
	}
	made := at("Made of")
	if len(heads) == 0 || made < 0 {
		return 0
	}
	sums := make([]int64, len(heads))
	for _, p := range row[made] {
		if p.To != (document.Link{}) || p.Text == "" || !strings.ContainsAny(p.Text[len(p.Text)-1:], "0123456789") {
			continue // a label
		}
		for i, n := range strings.Split(p.Text[strings.LastIndex(p.Text, " ")+1:], "/") {
			value, err := strconv.ParseInt(strings.NewReplacer("−", "-", "+", "").Replace(n), 10, 64)
			if err != nil {
				t.Fatalf("%s: %q: %v", where, p.Text, err)
			}
			sums[i] += value
		}
	}
	for i, head := range heads {
		if got := row[at(head)].String(); got != fmt.Sprint(sums[i]) {
			t.Errorf("%s: %s is %s, and its parts come to %d: %s", where, head, got, sums[i], row[made].String())
		}
	}
	return 1
}
