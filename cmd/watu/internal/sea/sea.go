// Package sea draws campaigns that have no board: strategic warfare in boxes at sea, as in A World at War, or submarine
// bases in their hexes, as in Empire of the Sun, and beside them the pools of cards, codebreaking and research. A
// [Picture] is made of the views of one moment and of nothing else, so that it is as it was then, and as whoever looks
// may know it. It is numbers and places; templates and the style sheet of the pages make the drawing of it.
//
// Each figure has the path of its event. The two numbers of a result of table 24.62 are shown as printed: the rules do
// not say what they are (AWAW-24.62-G).
package sea

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/strategic"
)

// Input is what a picture is made of.
type Input struct {
	Strategic *strategic.Report
	Pools     *pools.Report // nil where there are none
	Now       uint64        // ordinal of the turn that is on
	Knower    string        // whose knowledge of the pools it is: "the public"

	Event   func(index uint64) string // the path of an event
	Opening string                    // the path of what the pools began with
	Tint    func(side string) string  // the colour of a side in the style sheet
}

// Picture stands in the map's place.
type Picture struct {
	Lanes    []lane    // a box each, the heaviest first
	Research *research // that bore on the last throw in the first lane
	Codes    []codes   // by decks
	Pools    []fan
	Knower   string // whose knowledge of the pools is shown
	Patrol   *patrol
}

// Draw makes the picture; nil where there is nothing to draw.
func Draw(in Input) *Picture {
	p := &Picture{Lanes: in.lanes(), Patrol: in.patrol(), Knower: in.Knower}
	if len(p.Lanes) > 0 {
		p.Research = p.Lanes[0].Fights[0].research
	}
	if in.Pools != nil {
		p.Codes = in.codes(in.Strategic.Contests)
		for i := range in.Pools.Pools {
			p.Pools = append(p.Pools, in.fan(&in.Pools.Pools[i]))
		}
	}
	if !p.Sea() && !p.Beside() {
		return nil
	}
	return p
}

// Sea reports whether there is something in the map's place; beside it stand cards and research.
func (p *Picture) Sea() bool { return len(p.Lanes) > 0 || p.Patrol != nil }

// Pair is the last throw's result in the first lane: the pair that the note explains.
func (p *Picture) Pair() []string {
	f := p.Lanes[0].Fights[0]
	if f.Escorts.More {
		return f.Escorts.Two()
	}
	return f.Boats.Two()
}

// Each is for how many factors a silhouette stands where more than [Picture.Most] fight; 0 where each has its own.
func (p *Picture) Each() int {
	for _, l := range p.Lanes {
		for _, f := range l.Fights {
			if f.Boats.Each > 1 {
				return f.Boats.Each
			}
		}
	}
	return 0
}

// Most is how many factors have a silhouette each.
func (*Picture) Most() int { return mostSilhouettes }

// Marks explains the marks on cards that there are.
func (p *Picture) Marks() (list []string) {
	has := func(is func(fanHeap) bool) bool {
		return slices.ContainsFunc(p.Pools, func(f fan) bool { return slices.ContainsFunc(f.Heaps, is) })
	}
	if has(func(h fanHeap) bool { return h.Kind == cardUnknown }) {
		list = append(list, "hatched: joined the pool sealed")
	}
	if has(func(h fanHeap) bool { return h.Own }) {
		list = append(list, "dashed: sealed to others")
	}
	return list
}

// Beside reports whether there is something to stand under the lanes.
func (p *Picture) Beside() bool { return p.Research != nil || len(p.Codes)+len(p.Pools) > 0 }

// lane is a strategic warfare box: the fights of the turn in which it was fought last.
type lane struct {
	Box    string
	Now    bool // fought in the turn that is on
	Tall   bool // silhouettes stand in many rows
	Grand  bool // the heaviest, and fought in the turn that is on
	Fights []fight
}

// weight is how many factors fought.
func (l lane) weight() (n int) {
	for _, f := range l.Fights {
		n += f.Boats.Factors + f.Escorts.Factors
	}
	return n
}

// fight is one campaign's latest result in a box.
type fight struct {
	Beside   bool // there is another one in the box: it says whose boats attack
	Turn     string
	Boats    force
	Escorts  force
	Why      string
	Attested bool
	research *research
}

// Each is how many factors a silhouette stands for.
func (f fight) Each() int { return f.Boats.Each }

// force is what one side had in a fight, and what it threw.
type force struct {
	Side    string // as people are called: "German"
	Tint    string
	Kind    string // silhouette: "boat", "escort"
	What    string // "submarine factors"
	Factors int
	Result  string
	More    bool // the heavier of the two results
	Dice    []dieFace
	Threw   string // "2 + 1, −1: 2"

	Each          int
	Width, Height int
	Marks         []silhouette
}

// Two are the numbers of the result, one by one, so that nobody reads a fraction.
func (f force) Two() []string { return strings.Split(f.Result, "/") }

// Holds describes the force to those who do not see the silhouettes.
func (f force) Holds() string { return fmt.Sprintf("%d %s %s", f.Factors, f.Side, f.What) }

// silhouette is where one stands. Part is one that stands for fewer factors than the others.
type silhouette struct {
	X, Y int
	Part bool
}

// dieFace is a die in its row.
type dieFace struct{ X, Pips int }

// DiceWide is how wide the row of dice is.
func (f force) DiceWide() int { return dieStep*len(f.Dice) - (dieStep - dieWide) }

// What a picture is made of, in its own units.
const (
	dieWide, dieStep         = 28, 31
	markWide, markHigh       = 26, 16       // a silhouette and the space after it
	tallHigh                 = 2 * markHigh // two rows
	mostSilhouettes, eachFew = 60, 5        // above so many factors a silhouette stands for five
)

// people are the sides as adjectives.
var people = map[string]string{"Germany": "German", "Italy": "Italian", "Japan": "Japanese", "Britain": "British",
	"United States": "American", "Russia": "Russian", "France": "French", "European Axis": "European Axis",
	"Western Allies": "Allied"}

// lanes gives each box with the fights of the turn in which it was fought last, the heaviest first.
func (in Input) lanes() (lanes []lane) {
	list := in.Strategic.Warfare
	last := map[string]uint64{}
	seen := map[[2]string]bool{}
	for i := range slices.Backward(list) {
		x := &list[i]
		if !x.Counts() || !strings.HasSuffix(x.Procedure, ".sw.submarine") {
			continue
		}
		key := [2]string{x.Subject, x.Attacker}
		if turn, fought := last[x.Subject]; seen[key] || fought && turn != x.Ordinal {
			continue
		}
		f, ok := in.fight(x)
		if !ok {
			continue
		}
		seen[key], last[x.Subject] = true, x.Ordinal
		at := slices.IndexFunc(lanes, func(l lane) bool { return l.Box == x.Subject })
		if at < 0 {
			at, lanes = len(lanes), append(lanes, lane{Box: x.Subject, Now: x.Ordinal == in.Now})
		}
		lanes[at].Fights = append(lanes[at].Fights, f)
	}
	slices.SortStableFunc(lanes, func(a, b lane) int {
		return cmp.Or(cmp.Compare(b.weight(), a.weight()), cmp.Compare(a.Box, b.Box))
	})
	for i := range lanes {
		l := &lanes[i]
		l.Grand = i == 0 && l.Now
		for k := range l.Fights {
			l.Tall = l.Tall || max(l.Fights[k].Boats.Height, l.Fights[k].Escorts.Height) > tallHigh
			l.Fights[k].Beside = len(l.Fights) > 1
		}
	}
	return lanes
}

// fight reads a result in a box; false where it has not both rolls.
func (in Input) fight(x *strategic.Result) (f fight, ok bool) {
	f = fight{Turn: x.Turn, Why: in.Event(x.Event), Attested: x.Attested, research: in.research(x)}
	scored := map[string]int{}
	for _, r := range x.Readings {
		switch r.Name {
		case "submarines":
			f.Boats = in.forceOf(x.Attacker, "boat", "submarine", r)
		case "asw":
			f.Escorts = in.forceOf(x.Defender, "escort", "escort", r)
		}
		scored[r.Name] = r.First + r.Second
	}
	f.Boats.More = scored["submarines"] > scored["asw"]
	f.Escorts.More = scored["asw"] > scored["submarines"]
	most := max(f.Boats.Factors, f.Escorts.Factors)
	f.Boats.arrange(most, false)
	f.Escorts.arrange(most, true)
	return f, f.Boats.Kind != "" && f.Escorts.Kind != ""
}

func (in Input) forceOf(power, kind, what string, r events.Reading) force {
	f := force{Side: cmp.Or(people[power], power), Tint: in.Tint(power), Kind: kind, What: what + " factors",
		Factors: r.Factors, Result: r.Result}
	if f.Tint == in.Tint("") { // a power without a colour has that of its side
		f.Tint = in.Tint(r.Side)
	}
	if f.Factors == 1 {
		f.What = what + " factor"
	}
	var faces []string
	for i, d := range r.Dice {
		f.Dice = append(f.Dice, dieFace{dieStep * i, d})
		faces = append(faces, fmt.Sprint(d))
	}
	f.Threw = words.Join(" + ", faces...)
	if by := r.Modified - r.Total; by != 0 {
		f.Threw += fmt.Sprintf(", %s: %d", words.Modifier(by), r.Modified)
	}
	return f
}

// arrange puts the silhouettes into rows that differ by one at most: the more factors fight, the more rows.
func (f *force) arrange(most int, right bool) {
	f.Each = 1
	if most > mostSilhouettes {
		f.Each = eachFew
	}
	for most/f.Each > mostSilhouettes {
		f.Each *= 2
	}
	n, rows := (f.Factors+f.Each-1)/f.Each, 1
	for _, above := range []int{3, 12, 24} { // 1, 2, 4, 6 rows
		if most/f.Each > above {
			rows = min(6, rows*2)
		}
	}
	rows = max(1, min(rows, n))
	wide := (n + rows - 1) / rows
	f.Width, f.Height = max(0, markWide*wide-(markWide-22)), markHigh*rows-(markHigh-11)
	for row := range rows {
		in := n / rows
		if row < n%rows {
			in++
		}
		for k := range in {
			m := silhouette{X: markWide * k, Y: markHigh * row}
			if right {
				m.X = f.Width - 22 - m.X
			}
			f.Marks = append(f.Marks, m)
		}
	}
	if n > 0 {
		f.Marks[n-1].Part = f.Factors%f.Each != 0
	}
}
