package mapview

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
	"github.com/watu-ledger/watu/cmd/watu/internal/counters"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/projections/situation"
	boards "github.com/watu-ledger/watu/rules/board"
)

// boats are the submarines of a power in a zone: a silhouette and their count.
type boats struct {
	At         boards.Point
	Fill       string // of the power
	Count      int
	Down       bool // submerged
	Title, Why string

	power, zone string
}

// plate is a plate with what it is made of.
type plate struct {
	counters.Plate
	most   int64 // taken of one territory
	titles []string
	event  uint64
}

// The measures of what stands on the map, in pixels.
const (
	boatWide, boatHigh = 50, 17 // with the count
	farPlate           = 110    // from its land
	overLand           = 20     // how far a boat rather lies than over a square of land
	plateOver          = 2      // and a plate
)

// marking puts on the map what lies and happens there.
type marking struct {
	*Panel
	*Board
	unit  float64       // a pixel on the grid
	taken []coast.Frame // by boats and plates
	along []coast.Spot  // the ways, point by point
	drawn []coast.Spot  // likewise, also once plates yield to them no more

	written []coast.Frame   // the names of lands
	numbers []coast.Frame   // of zones
	leaders [][2]coast.Spot // the lines of plates
}

// mark puts the boats on the map, the ways of raids and bombing from them, and the plates beside both.
func (p *Panel) mark(m *Board) {
	w := marking{Panel: p, Board: m, unit: float64(m.Size) / mapLetters}
	w.written, w.numbers = m.shown(m.Lands), m.shown(m.Waters)
	for _, s := range p.Figures.Report.Submarines {
		w.lie(s)
	}
	for _, x := range p.Figures.Raids {
		if x.Ordinal == p.Figures.Ordinal {
			w.raided(x)
		}
	}
	for _, x := range p.Figures.Bombings {
		if x.Ordinal == p.Figures.Ordinal {
			w.bombed(x)
		}
	}
	slices.SortStableFunc(p.Plates, func(a, b *plate) int { return int(b.Total() - a.Total()) })
	for _, x := range p.Plates {
		w.place(x)
	}
	w.stack(p.Figures.Units)
	free := func(f coast.Frame) bool {
		cut := func(x [2]coast.Spot) bool { return f.Cut(x[0], x[1]) }
		return !slices.ContainsFunc(w.taken, f.Meets) && !slices.ContainsFunc(w.drawn, f.Holds) &&
			!slices.ContainsFunc(w.leaders, cut)
	}
	for i := range p.Waters { // a number yields to what lies there
		s := &p.Waters[i]
		if slices.ContainsFunc(s.Names, func(l label) bool { return !free(m.frame(l)) }) {
			s.Names = m.number(s.space, free)
		}
	}
}

// shown are the labels that stand on the whole map.
func (m *Board) shown(spaces []space) (list []coast.Frame) {
	for _, s := range spaces {
		for _, l := range s.Names {
			if !l.Hidden {
				list = append(list, m.frame(l))
			}
		}
	}
	return list
}

// lie puts the submarines of a station on the sea: those that submerged in the turn that is on beside the others.
func (w *marking) lie(s situation.Station) {
	z, ok := w.lands[s.Zone]
	if !ok {
		return // the board does not show it; the tables below do
	}
	down := 0
	for _, b := range s.Submarines {
		if b.Submerged != 0 {
			down++
		}
	}
	for _, b := range []boats{{Count: s.Count - down}, {Count: down, Down: true}} {
		if b.Count <= 0 {
			continue
		}
		wide, high := boatWide*w.unit, boatHigh*w.unit
		at := w.berth(z, wide, high)
		w.taken = append(w.taken, coast.FrameAt(at, wide, high))
		b.At, b.Fill, b.Title, b.Why = at.Point(), w.fill(s.Power), w.listed(s), w.Figures.To(s.Event)
		b.power, b.zone = s.Power, s.Zone
		w.Boats = append(w.Boats, b)
	}
}

// berth is where boats lie: as near to the middle of their zone as there is room, beside its number. In a narrow one
// they lie over its borders, or over the coast; never on each other.
func (w *marking) berth(z *space, wide, high float64) coast.Spot {
	clear := func(b coast.Frame) bool { return !slices.ContainsFunc(w.numbers, b.Meets) }
	apart := func(b coast.Frame) bool { return !slices.ContainsFunc(w.written, b.Meets) }
	middle := func(b coast.Frame) bool {
		return z.rings[0].Inside(coast.Spot{X: (b.Left + b.Right) / 2, Y: (b.Top + b.Bottom) / 2})
	}
	whole := func(b coast.Frame) bool {
		for _, p := range [4]coast.Spot{{X: b.Left, Y: b.Top}, {X: b.Right, Y: b.Top}, {X: b.Left, Y: b.Bottom},
			{X: b.Right, Y: b.Bottom}} {
			if !z.rings[0].Inside(p) {
				return false
			}
		}
		return true
	}
	x := search{near: coast.SpotOf(z.At), wide: wide, high: high, far: 150, over: overLand}
	for _, try := range []struct {
		ashore bool
		fits   func(coast.Frame) bool
	}{
		{false, func(b coast.Frame) bool { return clear(b) && whole(b) }},
		{false, whole},
		{false, func(b coast.Frame) bool { return clear(b) && middle(b) }},
		{true, func(b coast.Frame) bool { return clear(b) && apart(b) && middle(b) }},
		{true, func(b coast.Frame) bool { return apart(b) && middle(b) }},
		{true, nil},
	} {
		x.ashore, x.fits = try.ashore, try.fits
		if at, ok := w.find(x); ok {
			return at
		}
	}
	return x.near
}

// listed lists the submarines of a station.
func (w *marking) listed(s situation.Station) string {
	text := s.Zone + ": " + w.Figures.Within("map-lie", "n",
		story.Count{Of: "submarine", N: int64(s.Count)}, "power", w.Figures.Lines.Name(s.Power))
	var names []string
	for _, b := range w.Figures.Named(s.Submarines) {
		name := b.Name
		if b.Detected != 0 {
			name += fmt.Sprintf(" (%s, #%d)", w.Figures.Within("map-detected"), b.Detected)
		}
		if b.Submerged != 0 {
			name += fmt.Sprintf(" (%s, #%d)", w.Figures.Within("map-submerged"), b.Submerged)
		}
		names = append(names, name)
	}
	if len(names) > 0 {
		text += ": " + strings.Join(names, ", ")
	}
	return text + "; " + w.Figures.Within("map-seen-in", "turn", s.Turn, "n", s.Event)
}

// of gives the plate of a victim.
func (w *marking) of(victim, territory string, damage int64) *plate {
	i := slices.IndexFunc(w.Plates, func(p *plate) bool { return p.Victim == victim })
	if i < 0 {
		i = len(w.Plates)
		w.Plates = append(w.Plates, &plate{Plate: counters.Plate{Victim: victim}})
	}
	p := w.Plates[i]
	if p.Territory == "" || damage > p.most {
		p.Territory, p.most = territory, damage
	}
	return p
}

// raided enters the raids on a territory: an arrow from each zone, and what they took.
func (w *marking) raided(x situation.Raided) {
	p := w.of(x.Victim, x.Territory, x.Damage)
	var labels []string
	ways := map[string]*way{}
	var order []string
	for _, r := range x.Raids {
		labels = append(labels, w.Figures.Within("map-raider-takes", "powers", w.Figures.Powers(r.Powers), "zone",
			r.Zone, "n", r.Damage, "event", r.Event))
		if r.Submarine != "" {
			p.Boats += int64(r.Damage)
		} else {
			p.Raided += int64(r.Damage)
		}
		p.event = max(p.event, r.Event)
		from := r.Zone + "\x00" + r.Powers[0]
		if ways[from] == nil {
			ways[from] = &way{Why: w.Figures.To(r.Event), space: r.Zone}
			order = append(order, from)
		}
		ways[from].damage, ways[from].count = ways[from].damage+r.Damage, ways[from].count+1
		ways[from].Title = w.Figures.Says("map-raid-takes", "zone", r.Zone, "land",
			x.Territory, "n", ways[from].damage, "event", r.Event)
		if by := ByWay(w.Sea(r.Zone, x.Territory), w.Figures.Lines); by != "" {
			ways[from].Title += "; " + by
		}
	}
	p.titles = append(p.titles, w.Figures.Within("map-raids-take", "land", x.Territory, "turn",
		x.Turn, "n", x.Damage, "victim", w.Figures.Lines.Name(x.Victim), "list", strings.Join(labels, "; ")))
	for _, from := range order {
		zone, power, _ := strings.Cut(from, "\x00")
		if start, ok := w.whence(zone, power); ok {
			w.lead(*ways[from], start, x.Territory)
		}
	}
}

// bombed enters bombing and rockets.
func (w *marking) bombed(x situation.Bombed) {
	p := w.of(x.Victim, x.Territory, x.Damage)
	var labels, drawn []string
	for _, a := range x.Attacks {
		key := "map-attack"
		if p.Bombs += int64(a.Damage); a.Facility != "" {
			p.Bombs, p.Damage = p.Bombs-int64(a.Damage), p.Damage+int64(a.Damage)
			key = "map-attack-to"
		}
		labels = append(labels, w.Figures.Within(key, "kind", w.Figures.Kind(a.Kind), "power",
			w.Figures.Lines.Name(a.Power), "n", a.Damage, "what", w.Figures.Kind(a.Facility), "event", a.Event))
		p.event = max(p.event, a.Event)
		if start, ok := w.whence(a.From, a.Power); ok && !slices.Contains(drawn, a.From) {
			drawn = append(drawn, a.From)
			title := w.Figures.Within("map-attack-from", "kind", w.Figures.Kind(a.Kind), "from", a.From, "land",
				x.Territory, "event", a.Event)
			w.lead(way{Bombs: true, space: a.From, Why: w.Figures.To(a.Event), Title: title}, start, x.Territory)
		}
	}
	p.titles = append(p.titles, w.Figures.Within("map-bombs-take", "land", x.Territory, "turn",
		x.Turn, "n", x.Damage, "victim", w.Figures.Lines.Name(x.Victim), "list", strings.Join(labels, "; ")))
}

// place puts a plate on the sea beside its land.
func (w *marking) place(p *plate) {
	land, ok := w.lands[p.Territory]
	if !ok {
		return // the board does not show it; the tables below do
	}
	p.Write(w.Figures.Called(p.Victim), w.Figures.Within)
	p.Title, p.Why = strings.Join(p.titles, ". "), w.Figures.To(p.event)
	x := search{near: coast.SpotOf(land.At), wide: float64(p.W) * w.unit, high: float64(p.H) * w.unit, far: 300,
		over: plateOver}
	tip := func(at coast.Spot) coast.Spot {
		near := land.rings[0].Nearest(at)
		long := max(math.Hypot(near.X-at.X, near.Y-at.Y), 1)
		for _, deep := range []float64{14, 10, 6, 2} {
			in := coast.Spot{X: near.X + (near.X-at.X)/long*deep, Y: near.Y + (near.Y-at.Y)/long*deep}
			holds := func(f coast.Frame) bool { return f.Holds(in) }
			if land.rings[0].Inside(in) && !slices.ContainsFunc(w.written, holds) {
				return in
			}
		}
		return near
	}
	far := func(at coast.Spot) float64 { return math.Hypot(at.X-tip(at).X, at.Y-tip(at).Y) }
	x.cost = func(at coast.Spot) (sum float64) { // of a line that is long, or leads over boats, names and other land
		to, own := tip(at), coast.FrameAt(at, x.wide, x.high)
		for t := .0; t < 1; t += .05 {
			q := coast.Spot{X: at.X + t*(to.X-at.X), Y: at.Y + t*(to.Y-at.Y)}
			if own.Holds(q) {
				continue
			}
			sum += float64(min(w.chart.Land(coast.FrameAt(q, 1, 1)), 1)) * 6
			if slices.ContainsFunc(w.along, coast.FrameAt(q, 12, 12).Holds) {
				sum += 25
			}
			for _, list := range [][]coast.Frame{w.taken, w.written} {
				if slices.ContainsFunc(list, func(f coast.Frame) bool { return f.Holds(q) }) {
					sum += 200
				}
			}
		}
		for _, l := range w.leaders {
			if coast.Cross(at, to, l[0], l[1]) || own.Cut(l[0], l[1]) {
				sum += 1000
			}
		}
		return sum + 8*max(far(at)-farPlate*w.unit, 0)
	}
	at, ok := w.find(x)
	named := func(b coast.Frame) bool { return slices.ContainsFunc(w.written, b.Meets) }
	along := w.along
	for _, ashore := range []bool{false, true} { // rather over a way than far away, or over land than twice as far
		if ok && far(at) <= farPlate*w.unit {
			break
		}
		w.along, x.far, x.ashore = nil, 600, ashore
		x.fits = func(b coast.Frame) bool { return !ashore || !named(b) }
		if nearer, found := w.find(x); found && (!ok || far(nearer) < far(at) && (!ashore || 2*far(nearer) < far(at))) {
			at, ok = nearer, true
		}
	}
	w.along = along
	if !ok {
		p.W = 0 // the tables below have it
		return
	}
	w.taken = append(w.taken, coast.FrameAt(at, x.wide, x.high))
	p.At, p.To = at.Point(), tip(at).Point()
	w.leaders = append(w.leaders, [2]coast.Spot{at, tip(at)})
	w.drawn = append(w.drawn, coast.Curve(coast.SpotOf(p.At), coast.SpotOf(p.At), coast.SpotOf(p.To))...)
}

// search asks for the place nearest to another where a box lies on sea, or ashore too, and on nothing that is taken.
type search struct {
	near            coast.Spot
	wide, high, far float64
	ashore          bool                     // the less land, the better
	over            float64                  // how far the box rather goes than over a square of land
	fits            func(coast.Frame) bool   // nil for any box
	cost            func(coast.Spot) float64 // nil for none
}

func (w *marking) find(x search) (coast.Spot, bool) {
	const step = 6
	var best coast.Spot
	least := math.Inf(1)
	for dx := -x.far; dx <= x.far; dx += step {
		for dy := -x.far; dy <= x.far; dy += step {
			p := coast.Spot{X: x.near.X + dx, Y: x.near.Y + dy}
			b := coast.FrameAt(p, x.wide, x.high)
			land := float64(w.chart.Land(b))
			off := math.Hypot(max(math.Abs(dx)-x.wide/2, 0), max(math.Abs(dy)-x.high/2, 0)) +
				math.Hypot(dx, dy)/100 + land*x.over
			if off >= least || b.Left < 3 || b.Top < 3 || b.Right > float64(w.Board.Width-3) ||
				b.Bottom > float64(w.Board.Height-3) || land > 0 && !x.ashore ||
				slices.ContainsFunc(w.taken, b.Meets) || slices.ContainsFunc(w.along, b.Holds) ||
				x.fits != nil && !x.fits(b) {
				continue
			}
			if x.cost != nil {
				off += x.cost(p)
			}
			if off < least {
				best, least = p, off
			}
		}
	}
	return best, !math.IsInf(least, 1)
}
