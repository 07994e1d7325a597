package report

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
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

	Faces map[int]int64 `json:"-"` // how often each fell
	First uint64        `json:"-"` // index of the first throw
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
	var rolls Rolls
	for i := range t.Events {
		e := &t.Events[i]
		p, _ := events.PayloadOf(e)
		throw, fell := rolls.Fall(e, p)
		if !t.covers(e.Turn.Ordinal) {
			continue
		}
		switch p := p.(type) {
		case *events.DiceRolled:
			if !t.history.Stands(e.Index) {
				out.Left += len(p.Dice)
			} else if fell {
				out.Count(e.Index, e.Side, throw, p.Dice)
			}
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
		return cmp.Or(cmp.Compare(rank(sides, a.Side), rank(sides, b.Side)), cmp.Compare(a.Sides(), b.Sides()),
			cmp.Compare(a.Low, b.Low))
	})
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

// Rolls follows declared rolls, whose throws fall in the order of the declaration.
type Rolls struct {
	Purpose string // of the roll whose throw fell last

	left     map[uint64][]events.Throw // by declaration, throws that have not fallen
	purposes map[uint64]string
}

// Fall takes the next event of a record, and gives the throw in which its dice fell; false if it has none, or states
// them anew.
func (r *Rolls) Fall(e *events.Event, p events.Payload) (t events.Throw, fell bool) {
	if e.Corrects != 0 {
		return t, false
	}
	switch p := p.(type) {
	case *events.RollDeclared:
		if r.left == nil {
			r.left, r.purposes = map[uint64][]events.Throw{}, map[uint64]string{}
		}
		r.left[e.Index], r.purposes[e.Index] = p.Throws, p.Purpose
	case *events.DiceRolled:
		list := r.left[p.Declared]
		if len(list) == 0 {
			return t, false
		}
		r.Purpose = r.purposes[p.Declared]
		if t = list[0]; len(list) == 1 {
			delete(r.left, p.Declared)
			delete(r.purposes, p.Declared)
		} else {
			r.left[p.Declared] = list[1:]
		}
		return t, true
	}
	return t, false
}

// What a declaration says of the figure at which dice hit.
var (
	orLess   = regexp.MustCompile(`\(([0-9]+) or less\)$`)               // of a group of dice
	hitsAt   = regexp.MustCompile(`, which hits at ([0-9]+)$`)           // of a roll
	detectAt = regexp.MustCompile(`, ([^,]+) detects [^,]+ at ([0-9]+)`) // of each side's hunt
)

// HitsAt is the figure at which, or below, a die of the throw hits, as its declaration said; 0 where it said none, or
// more than one.
func HitsAt(purpose string, t events.Throw) int {
	said := 0
	if m := orLess.FindStringSubmatch(t.Name); m != nil {
		said, _ = strconv.Atoi(m[1])
	} else if m := hitsAt.FindStringSubmatch(purpose); m != nil {
		said, _ = strconv.Atoi(m[1])
	}
	for _, m := range detectAt.FindAllStringSubmatch(purpose, -1) {
		if n, _ := strconv.Atoi(m[2]); m[1] == t.Side && said == 0 {
			said = n
		} else if m[1] == t.Side && said != n {
			return 0
		}
	}
	return said
}

// Count adds the dice of a throw. Who threw them is the side, or that of the throw.
func (l *Luck) Count(event uint64, side string, t events.Throw, dice []int) {
	if t.Sides < 2 {
		return
	}
	low, high := t.Shows()
	side = cmp.Or(side, t.Side)
	d := projections.FindOrAdd(&l.Dice, Dice{Side: side, Low: low, High: high, First: event, Faces: map[int]int64{}},
		func(d Dice) bool { return d.Side == side && d.Low == low && d.High == high })
	for _, n := range dice {
		d.Dice++
		d.Sum += int64(n)
		d.Faces[n]++
	}
	d.expect()
}

// expect fills in what fair dice come to. A die of s sides has the mean (low+high)/2 and the variance
// (s²−1)/12, and n dice n times both.
func (d *Dice) expect() {
	s := float64(d.Sides())
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
			l.hit(cmp.Or(r.Side, e.Side), "successes of bases", 1, hit)
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
	h := projections.FindOrAdd(&l.Hits, Hits{Side: side, What: what},
		func(h Hits) bool { return h.Side == side && h.What == what })
	h.Dice += dice
	h.Hits += hits
}

// halves is "31.5" for 63.
func halves(twice int64) string {
	if twice%2 == 0 {
		return fmt.Sprint(twice / 2)
	}
	return fmt.Sprintf("%d.5", twice/2)
}

// Sides is how many faces a die has.
func (d *Dice) Sides() int { return d.High - d.Low + 1 }

// Kind is "d6", or "d10, 0–9".
func (d *Dice) Kind() string {
	text := fmt.Sprintf("d%d", d.Sides())
	if d.Low != 1 {
		text += fmt.Sprintf(", %d–%d", d.Low, d.High)
	}
	return text
}

// Table is the dice as a table. What it counts leads to the events from the first throw on.
func (l *Luck) Table() document.Table {
	t := document.Table{Title: "Dice against expectation", Columns: document.Columns("Side", "Die", "Luck", "Dice",
		"Sum", "Expected", "Band", "Standard deviation")}
	for i := range l.Dice {
		d := &l.Dice[i]
		row := []any{d.Side, d.Kind(), d.Verdict()}
		for _, figure := range []any{d.Dice, d.Sum, halves(d.Twice), fmt.Sprintf("%d–%d", d.From, d.To),
			fmt.Sprintf("%.2f", d.Deviates)} {
			row = append(row, document.Span{Text: fmt.Sprint(figure), To: document.Link{Kind: document.ToEvents,
				Event: d.First}})
		}
		t.Add(row...)
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
