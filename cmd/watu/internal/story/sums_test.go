package story_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
)

var inAll = regexp.MustCompile(`−?\d+(/\d+)?`)

// sumsAgree reads back the figures that are of no single event, from what the strip says at the end: who stands better,
// each total, and how a treasury comes of an income.
func sumsAgree(t *testing.T, name string, r story.Record, s story.Story) {
	t.Helper()
	for _, g := range s.Score.Groups {
		sum := int64(0)
		for _, x := range g.Sides {
			if x.Figure.Of == "base" && x.Figure.N != onMap(r) {
				t.Errorf("%s: %d bases, and %d are on the map", name, x.Figure.N, onMap(r))
			}
			sum += x.Figure.N
			if x.Made != nil {
				treasuryAgrees(t, name, r, x)
			}
		}
		if g.Name != "" && g.Total.N != sum {
			t.Errorf("%s: %s have %d, and their sides %d", name, g.Name, g.Total.N, sum)
		}
	}
	if s.Score.Stands == nil {
		return
	}
	text := story.English.Text(*s.Score.Stands)
	var want []string
	switch s.Score.Of {
	case "score-income":
		want = incomesOf(s.Score)
	case "score-factors":
		want = scoredOf(r)
	default:
		want = tollOf(r)
	}
	if strings.Contains(text, "stand alike") && len(want) > 1 && size(want[0]) == size(want[1]) {
		want = want[1:] // the figure of both is said once
	}
	var got []string
	for _, x := range story.English.Say(*s.Score.Stands) {
		if x.Figure { // the names of turns have numbers too
			got = append(got, inAll.FindAllString(printed(x.Text), -1)...)
		}
	}
	if strings.Contains(text, "once") {
		got = append(got, "1")
	}
	for i, figure := range got {
		// Of two that are as large either may stand first.
		if i >= len(want) || size(figure) != size(want[i]) || !slices.Contains(want, figure) {
			t.Errorf("%s: %q, and the views say %v", name, text, want)
		}
	}
}

// size is what a figure, or the two numbers of one, come to.
func size(figure string) (sum int) {
	for n := range strings.SplitSeq(figure, "/") {
		x, _ := strconv.Atoi(strings.ReplaceAll(n, "−", "-"))
		sum += x
	}
	return sum
}

// treasuryAgrees: what stands between two figures of one treasury adds up, and its end is what the view has in hand.
func treasuryAgrees(t *testing.T, name string, r story.Record, x story.Side) {
	t.Helper()
	sum, text := int64(0), story.English.Text(*x.Made)
	for _, term := range regexp.MustCompile(`([=+−])[ \x{a0}](−?\d+)`).FindAllStringSubmatch(text, -1) {
		n, _ := strconv.ParseInt(strings.ReplaceAll(term[2], "−", "-"), 10, 64)
		if term[1] == "−" {
			n = -n
		}
		sum += n
	}
	for _, held := range r.Income.Treasuries {
		if held.Power == x.Name && held.InHand != sum {
			t.Errorf("%s: %s has %d in hand, and the strip says %q", name, x.Name, held.InHand, text)
		}
	}
	if stated := read(story.English.Text(*x.Extra)); stated != fmt.Sprint(sum) {
		t.Errorf("%s: %s %s %s", name, x.Name, stated, text)
	}
}

// onMap counts the bases that have a hex.
func onMap(r story.Record) (n int64) {
	for _, b := range r.Strategic.Bases {
		if b.Hex != "" {
			n++
		}
	}
	return n
}

// incomesOf are the totals of a score, the larger first.
func incomesOf(s story.Score) (list []string) {
	var sums []int64
	for _, g := range s.Groups {
		if g.Name != "" && len(s.Groups) > 1 {
			sums = append(sums, g.Total.N)
			continue
		}
		for _, x := range g.Sides {
			sums = append(sums, x.Figure.N)
		}
	}
	slices.Sort(sums)
	for _, n := range slices.Backward(sums) {
		list = append(list, strings.ReplaceAll(fmt.Sprint(n), "-", "−"))
	}
	return list
}

// scoredOf is what the totals of the view come to for each side, the most first.
func scoredOf(r story.Record) (list []string) {
	type sum struct{ first, second int64 }
	sums := map[string]sum{}
	for _, x := range r.Strategic.Totals {
		s := sums[x.Side]
		sums[x.Side] = sum{s.first + x.First, s.second + x.Second}
	}
	var all []sum
	for _, s := range sums {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b sum) int { return int(b.first + b.second - a.first - a.second) })
	for _, s := range all {
		list = append(list, fmt.Sprintf("%d/%d", s.first, s.second))
	}
	return list
}

// tollOf counts cards cut, shipping points taken and bases driven away.
func tollOf(r story.Record) []string {
	cards, asps, driven := 0, 0, 0
	for _, x := range r.Strategic.CardsDrawn {
		if x.Counts() {
			cards += max(0, min(x.Submarines, x.Base-x.Draw))
		}
	}
	for _, x := range r.Strategic.Spent {
		if x.Counts() && x.On == "asp" {
			asps++
		}
	}
	for _, x := range r.Strategic.Postings {
		if x.Counts() && x.What == "displaced" {
			driven++
		}
	}
	return []string{fmt.Sprint(cards), fmt.Sprint(asps), fmt.Sprint(driven)}
}
