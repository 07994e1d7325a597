package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
)

// Luck is dice against expectation, side by side and by kind of die. Dice that do not stand are left out.
type Luck struct {
	Dice []Dice `json:"dice"`
	Hits []Hits `json:"hits"`
	Left int    `json:"left_out"` // dice that do not stand
}

// Dice are all dice of one kind that a side threw. The sum of fair dice lies from From to To in 19 of
// 20 campaigns: Expected ± 1.96 standard deviations.
type Dice struct {
	Side     string  `json:"side"`
	Low      int     `json:"low"` // figures of one die
	High     int     `json:"high"`
	Dice     int64   `json:"dice"`
	Sum      int64   `json:"sum"`
	Twice    int64   `json:"twice_expected"` // twice the expected sum, which is a whole number
	Deviates float64 `json:"standard_deviation"`
	From     int64   `json:"from"`
	To       int64   `json:"to"`
}

// Hits are the dice that hit, where a result says how many did; whether that is many is left open, for
// it depends on what each needed.
type Hits struct {
	Side string `json:"side"`
	What string `json:"what"`
	Dice int    `json:"dice"`
	Hits int    `json:"hits"`
}

// few is the number of dice below which luck is not judged.
const few = 5

func (t *builder) luck() Luck {
	out := Luck{Dice: []Dice{}, Hits: []Hits{}}
	for i := range t.Events {
		e := &t.Events[i]
		if !t.covers(e.Turn.Ordinal) {
			continue
		}
		switch p, _ := events.PayloadOf(e); p := p.(type) {
		case *events.DiceRolled:
			if !t.history.Stands(e.Index) {
				out.Left += len(p.Dice)
				continue
			}
			out.count(e.Side, t.throw(e, p), p.Dice)
		case *events.ResultAdjudicated:
			if now := t.stands(e); now != nil && !t.later(e) {
				var is events.ResultAdjudicated
				now.Read(&is)
				out.hits(now, &is)
			}
		}
	}
	sides := t.sides()
	slices.SortStableFunc(out.Dice, func(a, b Dice) int {
		return cmp.Or(cmp.Compare(rank(sides, a.Side), rank(sides, b.Side)), cmp.Compare(a.High-a.Low, b.High-b.Low),
			cmp.Compare(a.Low, b.Low))
	})
	for i := range out.Dice {
		out.Dice[i].expect()
	}
	return out
}

// sides are the campaign's sides in the rulebook's order.
func (t *builder) sides() []string {
	var p events.CampaignOpened
	if len(t.Events) > 0 {
		t.Events[0].Read(&p)
	}
	return p.Sides
}

// rank is a side's place among the sides; others come behind.
func rank(sides []string, side string) int {
	if i := slices.Index(sides, side); i >= 0 {
		return i
	}
	return len(sides)
}

// throw finds what was declared of dice: they follow the declaration throw by throw.
func (t *builder) throw(e *events.Event, p *events.DiceRolled) events.Throw {
	n := 0
	for _, d := range t.members(p.Declared) {
		if d.Type == "dice_rolled" && d.Index < e.Index {
			n++
		}
	}
	var declared events.RollDeclared
	if p.Declared < uint64(len(t.Events)) && t.Events[p.Declared].Read(&declared) && n < len(declared.Throws) {
		return declared.Throws[n]
	}
	return events.Throw{}
}

func (l *Luck) count(side string, t events.Throw, dice []int) {
	if t.Sides < 2 {
		return
	}
	low, high := t.Shows()
	if side == "" {
		side = t.Side
	}
	i := slices.IndexFunc(l.Dice, func(d Dice) bool { return d.Side == side && d.Low == low && d.High == high })
	if i < 0 {
		i = len(l.Dice)
		l.Dice = append(l.Dice, Dice{Side: side, Low: low, High: high})
	}
	d := &l.Dice[i]
	for _, n := range dice {
		d.Dice++
		d.Sum += int64(n)
	}
}

// DiceOf holds dice that fell against what fair dice come to.
func DiceOf(side string, low, high int, dice, sum int64) Dice {
	d := Dice{Side: side, Low: low, High: high, Dice: dice, Sum: sum}
	d.expect()
	return d
}

// Expected is the sum to be expected, in halves where it is no whole number.
func (d *Dice) Expected() string { return halves(d.Twice) }

// expect fills in what fair dice come to. A die of s sides has the mean (low+high)/2 and the variance
// (s²−1)/12, and n dice n times both.
func (d *Dice) expect() {
	s := float64(d.High - d.Low + 1)
	d.Twice = d.Dice * int64(d.Low+d.High)
	variance := float64(d.Dice) * (s*s - 1) / 12
	d.Deviates = math.Round(100*math.Sqrt(variance)) / 100
	half := 1.96 * math.Sqrt(variance)
	d.From = max(int64(math.Ceil(float64(d.Twice)/2-half)), d.Dice*int64(d.Low))
	d.To = min(int64(math.Floor(float64(d.Twice)/2+half)), d.Dice*int64(d.High))
}

// off is how many standard deviations the sum is above what was to be expected.
func (d *Dice) off() float64 {
	if d.Deviates == 0 {
		return 0
	}
	return (float64(d.Sum) - float64(d.Twice)/2) / d.Deviates
}

// Verdict says what the sum means.
func (d *Dice) Verdict() string {
	way := "high"
	if d.off() < 0 {
		way = "low"
	}
	switch {
	case d.Dice < few:
		return "too few dice to judge"
	case d.Sum < d.From || d.Sum > d.To:
		return "outside the band: unusually " + way
	case math.Abs(d.off()) > 1:
		return "a little " + way + ", within the band"
	}
	return "as expected"
}

// hits counts what a result says of dice that hit.
func (l *Luck) hits(e *events.Event, p *events.ResultAdjudicated) {
	for _, r := range p.Readings {
		if r.Result == "success" || r.Result == "no success" {
			hit := 0
			if r.Result == "success" {
				hit = 1
			}
			l.hit(otherwise(r.Side, e.Side), "successes of bases", 1, hit)
		}
	}
	dice, hit, found := 0, 0, 0
	for _, f := range p.Figures {
		switch f.Name {
		case "dice":
			dice, found = f.Value, found+1
		case "hits":
			hit, found = f.Value, found+1
		}
	}
	if found == 2 {
		l.hit(e.Side, narrator.Procedure(p.Procedure), dice, hit)
	}
}

func (l *Luck) hit(side, what string, dice, hits int) {
	i := slices.IndexFunc(l.Hits, func(h Hits) bool { return h.Side == side && h.What == what })
	if i < 0 {
		i = len(l.Hits)
		l.Hits = append(l.Hits, Hits{Side: side, What: what})
	}
	l.Hits[i].Dice += dice
	l.Hits[i].Hits += hits
}

// halves is "31.5" for 63.
func halves(twice int64) string {
	if twice%2 == 0 {
		return fmt.Sprint(twice / 2)
	}
	return fmt.Sprintf("%d.5", twice/2)
}

// Kind is "d6", or "d10, 0–9".
func (d *Dice) Kind() string {
	text := fmt.Sprintf("d%d", d.High-d.Low+1)
	if d.Low != 1 {
		text += fmt.Sprintf(", %d–%d", d.Low, d.High)
	}
	return text
}

// table is the dice as a table.
func (l *Luck) table() document.Table {
	t := document.Table{Title: "Dice against expectation", Columns: document.Columns("Side", "Die", "Luck", "Dice",
		"Sum", "Expected", "Band", "Standard deviation")}
	for i := range l.Dice {
		d := &l.Dice[i]
		t.Add(
			d.Side, d.Kind(), d.Verdict(), d.Dice, d.Sum, halves(d.Twice), fmt.Sprintf("%d–%d", d.From, d.To),
			fmt.Sprintf("%.2f", d.Deviates),
		)
	}
	return t
}

func (l *Luck) hitTable() document.Table {
	t := document.Table{Title: "Dice that hit", Columns: document.Columns("Side", "What", "Dice", "Hits")}
	for _, h := range l.Hits {
		t.Add(h.Side, h.What, h.Dice, h.Hits)
	}
	return t
}

// explained says in words what the table of dice shows.
func (l *Luck) explained() []string {
	var mean []string
	seen := map[string]bool{}
	for i := range l.Dice {
		d := &l.Dice[i]
		if kind := d.Kind(); !seen[kind] {
			seen[kind] = true
			mean = append(mean, fmt.Sprintf("a %s shows %s on average", kind, halves(int64(d.Low+d.High))))
		}
	}
	text := []string{
		fmt.Sprintf("How it is reckoned: %s, so a number of dice should come to that many times as much. Real dice "+
			"stray from it. The standard deviation is by how much they do as a rule: two sums of three lie within "+
			"one of it, and 19 of 20 within the band. A sum in the band is what fair dice give; of twenty rows one "+
			"lies outside by chance alone. The band grows more slowly than the number of dice: luck evens out, but a "+
			"few dice prove nothing.", words.And(mean)),
		"These are pips, not fortune: whether a side wants high or low dice stands in the rules of its rolls.",
	}
	if l.Left > 0 {
		text = append(text, fmt.Sprintf("%s not counted, for what was made of them does not stand.",
			words.CountOf(l.Left, "die is", "dice are")))
	}
	return text
}
