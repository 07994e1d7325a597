package service

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay"
)

// What is refused, is heard already, or is only looked at, is answered from the table: it costs no more in a campaign
// that is thirty times as long. What is counted is what was allocated, so nothing else runs meanwhile.
func TestAnswersWithoutFolding(t *testing.T) {
	c := began(t)
	if _, err := c.OpenCampaign(replay.NewCampaign{Name: "war", System: "awaw", Seed: "one"}); err != nil {
		t.Fatal(err)
	}
	next := 0
	grow := func(entries int) {
		var b strings.Builder
		b.WriteString("campaign: war\nturn: Spring 1940\nentries:\n")
		for range entries {
			next++
			fmt.Fprintf(&b, "  - {id: f%d, facts: {cves: {Atlantic: %d}}}\n", next, next%20)
		}
		var done Submitted
		if err := into(&done)(c.Submit(t.Context(), "war", umpire, Submission{Name: "turn.yaml",
			Text: b.String()})); err != nil || done.Problem != nil {
			t.Fatal(err, done.Problem)
		}
	}
	submissions := map[string]Submission{
		"a check":             {Text: "{id: new, facts: {cves: {Atlantic: 3}}}", Check: true},
		"a check of answers":  {Text: "{id: new, answer: {Britain: asw}}", Check: true},
		"what is refused":     {Text: "{id: new, answer: {Britain: asw}}"},
		"what stands already": {Text: "{id: f1, facts: {cves: {Atlantic: 1}}}"},
	}
	cost := func() map[string]int {
		costs := map[string]int{}
		for name, s := range submissions {
			s.Name, s.Entry = "entry", true
			listed, err := c.Find("war")
			if err != nil {
				t.Fatal(err)
			}
			costs[name] = math.MaxInt
			for range 3 { // the least, for others allocate meanwhile
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for range 20 {
					if _, err := c.submit(t.Context(), listed, s); err != nil {
						t.Fatal(name, err)
					}
				}
				runtime.ReadMemStats(&after)
				costs[name] = min(costs[name], int(after.Mallocs-before.Mallocs)/20)
			}
		}
		return costs
	}
	grow(100)
	short := cost()
	grow(2900)
	for name, n := range cost() {
		if n > 3*short[name]+1000 {
			t.Errorf("%s takes %d allocations, and took %d", name, n, short[name])
		}
	}
}
