package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/strategic"
	"github.com/watu-ledger/watu/rules"
)

// most is how many turns a chart has room for.
const most = 120

// charts draws what the campaign's views have figures of.
func (t *builder) charts() []Chart {
	list := []Chart{}
	all := t.period()
	turns := all[max(0, len(all)-most):]
	add := func(t document.Table, d *drawing) {
		if len(t.Rows) == 0 {
			return
		}
		c := Chart{Table: t.Figures()}
		if d != nil {
			if len(turns) < len(all) && d.name != "luck" {
				d.desc += fmt.Sprintf(" Of %d turns the last %d are drawn.", len(all), len(turns))
				d.text(8, d.height+8, "start", "f", fmt.Sprintf("the last %d of %d turns", len(turns), len(all)))
				d.height += 14
			}
			c.Name, c.SVG = d.name, d.String()
		}
		list = append(list, c)
	}
	if t.Income != nil {
		r := t.Income.During(t.covers)
		add(r.IncomeTable(), t.incomeChart(turns))
	}
	if t.Strategic != nil {
		r := t.Strategic.During(t.covers)
		add(r.WarfareTable(), t.warfareChart(turns))
		add(baseTable(&r), t.baseChart(turns))
		add(r.CardsDrawnTable(), t.cardChart(turns))
		add(r.LossTable(), nil)
	}
	if l := t.luck(); len(l.Dice) > 0 {
		add(l.Table(), l.chart())
	}
	return list
}

// at is the place of a turn on the axis, -1 for one outside the report.
func at(turns []events.Turn, ordinal uint64) int {
	return slices.IndexFunc(turns, func(t events.Turn) bool { return t.Ordinal == ordinal })
}

// incomeChart draws each power's income by turn: what came in, and on it what raids took.
func (t *builder) incomeChart(turns []events.Turn) *drawing {
	d := &drawing{
		name: "income", link: t.link, height: 4, title: "Income by power and turn",
		desc: "For each power and turn a bar: below, plain, what it collected; on it, hatched, what convoy raids " +
			"took. The figures are in the table of the same name.",
	}
	d.legend(fill{"a", "collected"}, fill{"b", "lost to raids (C: a cap held them)"})
	var list []panel
	for _, x := range t.Income.Turns {
		n := at(turns, x.Ordinal)
		if x.Income == nil || n < 0 {
			continue
		}
		p := panelOf(&list, x.Power, len(turns))
		due := int64(x.Income.Base) + int64(x.Income.Bonus)
		lost := due - int64(x.Income.Net)
		c := column{parts: []stacked{{int64(x.Income.Net), "a"}, {lost, "b"}}, above: fmt.Sprint(due),
			event: x.Income.Event}
		if lost > 0 {
			c.above += fmt.Sprintf("−%d", lost)
		}
		for _, r := range x.Raids {
			if r.Cap != nil && r.Counts() {
				c.below = "C"
			}
		}
		for _, r := range x.Disruptions {
			if r.Counts() && r.Damage == r.Worth && r.Potential > r.Worth {
				c.below = "C"
			}
		}
		p.columns[n] = append(p.columns[n], c)
	}
	sides := t.treasuries()
	slices.SortStableFunc(list, func(a, b panel) int { return rank(sides, a.title) - rank(sides, b.title) })
	d.panels(labels(turns), list)
	return d
}

// panelOf gives the panel with that title, which it adds where there is none.
func panelOf(list *[]panel, title string, turns int) *panel {
	fresh := panel{title: title, columns: make([][]column, turns)}
	return projections.FindOrAdd(list, fresh, func(p panel) bool { return p.title == title })
}

// treasuries are the campaign's treasuries, in the order of play.
func (t *builder) treasuries() []string {
	return rules.Each(t.Income.Treasuries, func(x income.Treasury) string { return x.Power })
}

// warfareChart draws, for each box and side, the two numbers of the results and the factors.
func (t *builder) warfareChart(turns []events.Turn) *drawing {
	d := &drawing{
		name: "warfare", link: t.link, height: 4, title: "Strategic warfare by box and turn",
		desc: "For each box and side's rolls, by turn, two bars: plain the first number of the result, dotted the " +
			"second; below them the factors. The figures are in the table of the same name.",
	}
	d.legend(fill{"a", "first number"}, fill{"c", "second number"}, fill{"", "(n): factors"})
	var list []panel
	for _, x := range t.Strategic.Warfare {
		n := at(turns, x.Ordinal)
		if !x.Counts() || n < 0 || strategic.IsBase(x.Procedure) {
			continue
		}
		for _, r := range x.Readings {
			title := fmt.Sprintf("%s: %s, %s", x.Subject, r.Name, r.Side)
			p := panelOf(&list, title, len(turns))
			p.columns[n] = append(p.columns[n],
				column{parts: []stacked{{int64(r.First), "a"}}, above: fmt.Sprint(r.First),
					below: fmt.Sprintf("(%d)", r.Factors), event: x.Event},
				column{parts: []stacked{{int64(r.Second), "c"}}, above: fmt.Sprint(r.Second), event: x.Event})
		}
	}
	slices.SortStableFunc(list, func(a, b panel) int { return full(b) - full(a) })
	if n := len(list) - t.strips; t.strips > 0 && n > 0 {
		list = list[:t.strips]
		d.desc += fmt.Sprintf(" Of %d strips %d are drawn.", n+t.strips, t.strips)
	}
	d.panels(labels(turns), list)
	return d
}

// full is 1 for a panel of several turns, which comes before those of one.
func full(p panel) int {
	n := 0
	for _, c := range p.columns {
		n += min(1, len(c))
	}
	return min(n, 2) - 1
}

// cardChart draws how many strategy cards a side draws by turn, and what cuts it.
func (t *builder) cardChart(turns []events.Turn) *drawing {
	d := &drawing{
		name: "cards", link: t.link, height: 4, title: "Strategy Cards drawn by turn",
		desc: "For each turn a bar: plain what was drawn, on it, hatched, what submarines cut, and, dotted, what " +
			"bombers cut. The figures are in the table of the same name.",
	}
	d.legend(fill{"a", "drawn"}, fill{"b", "cut by submarines"}, fill{"c", "cut by bombers"})
	var list []panel
	for _, c := range t.Strategic.CardsDrawn {
		n := at(turns, c.Ordinal)
		if !c.Counts() || n < 0 {
			continue
		}
		p := panelOf(&list, c.Side, len(turns))
		p.columns[n] = append(p.columns[n], column{
			parts: []stacked{{int64(c.Draw), "a"}, {int64(c.Submarines), "b"}, {int64(c.Bombers), "c"}},
			above: fmt.Sprint(c.Draw), event: c.Event,
		})
	}
	d.panels(labels(turns), list)
	return d
}

// berth is where a base is in a turn, and how its die fell.
type berth struct {
	hex  string
	die  bool
	won  bool
	left bool // it left the map in the turn

	posted, thrown uint64 // events: how it came there or left, and its die
}

// baseChart draws where each base was by turn, and whether its die was a success.
func (t *builder) baseChart(turns []events.Turn) *drawing {
	d := &drawing{
		name: "bases", link: t.link, height: 4, title: "Submarine bases by turn",
		desc: "A row for each base and a column for each turn: a box with the hex where the base is on the map, " +
			"hatched where it left it; a full dot for a success of its die, a ring for none. The events are in the " +
			"table of the same name.",
	}
	d.legend(fill{"d", "on the map"}, fill{"b", "left it"})
	names, at := t.berths(turns)
	const high, left = 34, 70
	step := (rightEdge - left) / max(1, len(turns))
	for _, name := range names {
		d.text(8, d.height+20, "start", "h", short(name, (left-10)/letter))
		for i, b := range at[name] {
			x := left + i*step
			if b.hex != "" {
				fill := "d"
				if b.left {
					fill = "b"
				}
				d.leading(b.posted, func() { d.rect(x+1, d.height+2, min(step-2, 60), high-6, fill) })
				if !b.left && step >= letter*utf8.RuneCountInString(b.hex) {
					d.text(x+min(step, 62)/2, d.height+13, "middle", "f o", b.hex)
				}
			}
			if b.die {
				class := "ink"
				if b.won {
					class = "dot"
				}
				d.leading(b.thrown, func() {
					d.add(`<circle cx="%d" cy="%d" r="4" class="%s"/>`, x+min(step, 62)/2, d.height+21, class)
				})
			}
		}
		d.height += high
	}
	for i, turn := range turns {
		if step >= 24 {
			d.text(left+i*step+min(step, 62)/2, d.height+10, "middle", "f", tick(turn.Label, max(2, step/letter)))
		}
	}
	d.text(8, d.height+26, "start", "f", "● success   ○ no success")
	d.height += 34
	return d
}

// berths follows the bases turn by turn, by what stands.
func (t *builder) berths(turns []events.Turn) (names []string, list map[string][]berth) {
	list = map[string][]berth{}
	hex, posted := map[string]string{}, map[string]uint64{}
	postings := slices.DeleteFunc(slices.Clone(t.Strategic.Postings), func(p strategic.Posting) bool {
		return !p.Counts()
	})
	know := func(name string) {
		if list[name] == nil {
			names, list[name] = append(names, name), make([]berth, len(turns))
		}
	}
	for i, turn := range turns {
		left := map[string]string{}
		for _, p := range postings {
			if p.Ordinal > turn.Ordinal || p.Ordinal < turn.Ordinal && i > 0 && p.Ordinal <= turns[i-1].Ordinal {
				continue
			}
			know(p.Base)
			posted[p.Base] = p.Event
			switch {
			case p.What == "placed":
				hex[p.Base] = p.Hex
			case p.What == "replaced":
				know(p.By)
				hex[p.By], hex[p.Base], posted[p.By] = hex[p.Base], "", p.Event
				if p.Joined != "" {
					know(p.Joined)
				}
			case p.Left:
				hex[p.Base], left[p.Base] = "", p.Hex
			}
		}
		for _, name := range names {
			list[name][i].hex, list[name][i].posted = hex[name], posted[name]
			if hex[name] == "" && left[name] != "" {
				list[name][i] = berth{hex: left[name], left: true, posted: posted[name]}
			}
		}
	}
	for _, x := range t.Strategic.Warfare {
		n := at(turns, x.Ordinal)
		if n < 0 || !x.Counts() || !strategic.IsBase(x.Procedure) || list[x.Subject] == nil {
			continue
		}
		b := &list[x.Subject][n]
		b.die, b.thrown = true, x.Event
		for _, r := range x.Readings {
			b.won = b.won || r.Result == "success"
		}
	}
	return names, list
}

// chart draws each side's dice on the band of what fair dice give.
func (l *Luck) chart() *drawing {
	d := &drawing{
		name: "luck", height: 4, title: "Dice against expectation",
		desc: "For each side and kind of die a dot: how far the sum of its dice is from what was to be expected, in " +
			"standard deviations, to the left for less and to the right for more. The ruled band is where 19 of 20 " +
			"campaigns with fair dice lie.",
	}
	d.legend(fill{"d", "19 of 20 campaigns"}, fill{"", "dot: this one"})
	const left, reach = 132, 3.5
	mid, unit := (left+rightEdge)/2, float64(rightEdge-left)/2/reach
	for i := range l.Dice {
		x := &l.Dice[i]
		d.text(8, d.height+14, "start", "l",
			short(fmt.Sprintf("%s, %d%s", x.Side, x.Dice, "×"+fmt.Sprintf("d%d", x.Sides())), (left-10)/letter))
		band := int(math.Round(1.96 * unit))
		d.rect(mid-band, d.height+3, 2*band, 15, "d")
		d.line(mid, d.height+1, mid, d.height+20, "axis")
		off := math.Max(-reach, math.Min(reach, x.off()))
		d.add(`<circle cx="%d" cy="%d" r="4.5" class="dot"/>`, mid+int(math.Round(off*unit)), d.height+10)
		d.height += 23
	}
	for n := -3; n <= 3; n++ {
		d.text(mid+int(math.Round(float64(n)*unit)), d.height+10, "middle", "f", strings.Replace(fmt.Sprintf("%+d", n),
			"+0", "0", 1))
	}
	d.text(rightEdge, d.height+24, "end", "f", "standard deviations: fewer pips ← → more pips")
	d.height += 32
	return d
}
