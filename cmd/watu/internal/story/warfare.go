package story

import (
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/strategic"
)

// warfare tells campaigns of strategic warfare: A World at War.
type warfare struct {
	Record
	rolls []roll // that count, in the order of play
}

// roll is a side's reading of a table.
type roll struct {
	*strategic.Result
	events.Reading
}

func (x roll) scored() int { return x.First + x.Second }

func newWarfare(r Record) *warfare {
	w := &warfare{Record: r}
	for i := range r.Strategic.Warfare {
		x := &r.Strategic.Warfare[i]
		for _, read := range x.Readings {
			if x.Counts() {
				w.rolls = append(w.rolls, roll{x, read})
			}
		}
	}
	return w
}

// turn gives what may be said of a turn, in the order of its weight.
func (w *warfare) turn(t events.Turn) (list []candidate) {
	for _, more := range [][]candidate{w.heaviest(t), w.won(t), w.harbors(t), w.rare(t), w.fought(t),
		w.drawn(t)} {
		list = append(list, more...)
	}
	return list
}

// heaviest says which roll scored more than any before.
func (w *warfare) heaviest(t events.Turn) []candidate {
	var most *roll
	before := 0
	for i := range w.rolls {
		switch x := &w.rolls[i]; {
		case x.Ordinal < t.Ordinal:
			before = max(before, x.scored())
		case x.Ordinal == t.Ordinal && (most == nil || x.scored() > most.scored()):
			most = x
		}
	}
	if most == nil || before == 0 || most.scored() <= before {
		return nil
	}
	return []candidate{say(w.heavy(most), w.with(most))}
}

// heavy is the key of a sentence on the heaviest roll.
func (w *warfare) heavy(x *roll) string {
	if _, double := w.throw(x).(Sentence); double {
		return "heaviest-double"
	}
	return "heaviest"
}

// cost says what the title's event took: of a roll what its two numbers are and against whom, of a contest the cards.
func (w *warfare) cost(t events.Turn, title Sentence) *Sentence {
	var most *roll
	for i := range w.rolls {
		if x := &w.rolls[i]; x.Ordinal == t.Ordinal && (most == nil || x.scored() > most.scored()) {
			most = x
		}
	}
	switch {
	case title.Key == "harbor":
		return nil
	case most == nil || len(most.Dice) == 0:
		return &Sentence{Key: "no-roll"}
	}
	with := Parts{"first": plain(most.First, most.Event), "second": plain(most.Second, most.Event),
		"side": Name(most.Reading.Side), "box": Name(most.Subject)}
	key := "numbers"
	switch {
	case w.Numbers == Eliminated:
		key = "numbers-lost"
	case w.Numbers == Unlabelled:
		key = "numbers-unnamed"
	}
	if title.Key != w.heavy(most) {
		key = "roll-" + key
	} else if against := w.against(most); against != nil {
		with["against"], key = against, key+"-against"
	}
	return &Sentence{key, with}
}

// against is the force that a roll was thrown against; nil where the result has no other.
func (w *warfare) against(x *roll) Part {
	for _, r := range x.Readings {
		if r.Side != x.Reading.Side && r.Factors > 0 {
			return Count{"factor " + r.Name, int64(r.Factors), x.Event}
		}
	}
	return nil
}

// How a campaign may read the two numbers of table 24.62: see [Record.Numbers].
const (
	Unlabelled = "unlabelled"
	Eliminated = "eliminated_inverted"
)

// with gives the parts of a sentence on a roll.
func (w *warfare) with(x *roll) Parts {
	return Parts{"side": Name(x.Reading.Side), "who": w.who(x), "r": twoOf(x.Reading.Result, x.Event),
		"box": Name(x.Subject), "factors": Count{"factor " + x.Name, int64(x.Factors), x.Event}, "throw": w.throw(x),
		"modified": Count{"plain", int64(x.Modified), x.Event}}
}

// who says whose roll it is, by what threw it: "escorts of Britain".
func (w *warfare) who(x *roll) Part {
	switch x.Name {
	case "submarines", "asw", "bombers":
		return Sentence{"force-" + x.Name, Parts{"side": Name(x.Reading.Side)}}
	}
	return Sentence{"force-other", Parts{"side": Name(x.Reading.Side)}}
}

// throw says what dice came to: "double six", or "9".
func (w *warfare) throw(x *roll) Part {
	if d := x.Dice; len(d) == 2 && d[0] == d[1] && (d[0] == 1 || d[0] == 6) {
		return Sentence{Key: "double-" + strconv.Itoa(d[0])}
	}
	return Count{"plain", int64(x.Total), x.Event}
}

// won says who won a contest of cards.
func (w *warfare) won(t events.Turn) (list []candidate) {
	for _, c := range w.Strategic.Contests {
		if c.Ordinal != t.Ordinal || !c.Counts() || c.Advantage == "" {
			continue
		}
		a, b, loser := c.ActingCards, c.OpposingCards, c.Opposing
		if c.Advantage != c.Acting {
			a, b, loser = b, a, c.Acting
		}
		key, about := "won", named(c.Kind)
		if c.Subject != "" {
			key, about = "won-over", Part(Name(c.Subject))
		}
		with := Parts{"side": Name(c.Advantage), "loser": Name(loser), "about": about,
			"a": plain(a, c.Settled), "b": plain(b, c.Settled)}
		list = append(list, candidate{Sentence{key, with}, c.Subject != ""})
	}
	return list
}

// harbors says which ships were hit in a harbor.
func (w *warfare) harbors(t events.Turn) (list []candidate) {
	for i := range w.Strategic.Further {
		x := &w.Strategic.Further[i]
		if x.Ordinal != t.Ordinal || !x.Counts() || x.Procedure != "awaw.harbor-attack" {
			continue
		}
		for _, r := range x.Readings {
			if r.First > 0 {
				list = append(list, say("harbor", Parts{"ship": Name(r.Name), "port": Name(x.Subject),
					"side": Name(r.Side), "r": twoOf(r.Result, x.Event)}))
			}
		}
	}
	return list
}

// fought says of each roll what it came to, the largest force first.
func (w *warfare) fought(t events.Turn) (list []candidate) {
	var rolls []*roll
	for i := range w.rolls {
		if x := &w.rolls[i]; x.Ordinal == t.Ordinal && len(x.Dice) > 0 {
			rolls = append(rolls, x)
		}
	}
	slices.SortStableFunc(rolls, func(a, b *roll) int { return b.Factors - a.Factors })
	for _, x := range rolls {
		key := "threw"
		if x.Modified == x.Total {
			key = "threw-plain"
		}
		list = append(list, tell(key, w.with(x)))
	}
	return list
}

// drawn says how many contests nobody won.
func (w *warfare) drawn(t events.Turn) []candidate {
	all, none := int64(0), int64(0)
	for _, c := range w.Strategic.Contests {
		if c.Ordinal == t.Ordinal && c.Counts() {
			all++
			if c.Advantage == "" {
				none++
			}
		}
	}
	if none == 0 {
		return nil // each has its winner, who is named
	}
	return []candidate{tell("drawn", Parts{"k": Count{"plain", none, 0}, "n": Count{"contest", all, 0}})}
}

// mostScored is how many sides the sentence on what rolls have scored names.
const mostScored = 4

// deck says what each side's rolls have scored up to the end of the turn, the side that scored most first.
func (w *warfare) deck(t events.Turn) *Sentence {
	sums := w.sums(t.Ordinal)
	if len(sums) < 2 {
		return nil
	}
	a, b := sums[0], sums[1]
	said := Sentence{"scored", Parts{"a": Name(a.side), "b": Name(b.side), "m": a.two(), "n": b.two()}}
	if a.first == b.first && a.second == b.second {
		said.Key = "scored-level"
	}
	for _, x := range sums[2:min(len(sums), mostScored)] {
		said = Sentence{"scored-further", Parts{"said": said, "a": Name(x.side), "n": x.two()}}
	}
	return &said
}

// caveat says what the numbers of the table are.
func (w *warfare) caveat() Sentence {
	switch w.Numbers {
	case Eliminated:
		return Sentence{Key: "caveat-eliminated"}
	case Unlabelled:
		return Sentence{Key: "caveat-unnamed"}
	}
	return Sentence{Key: "caveat-numbers"}
}

// sum is what a side's rolls have scored.
type sum struct {
	side          string
	first, second int64
}

func (s sum) two() Two { return Two{s.first, s.second, 0} }

// sums adds what each side has scored up to a turn, the most first.
func (w *warfare) sums(to uint64) (list []sum) {
	for i := range w.rolls {
		x := &w.rolls[i]
		if x.Ordinal > to {
			continue
		}
		at := slices.IndexFunc(list, func(s sum) bool { return s.side == x.Reading.Side })
		if at < 0 {
			at, list = len(list), append(list, sum{side: x.Reading.Side})
		}
		list[at].first, list[at].second = list[at].first+int64(x.First), list[at].second+int64(x.Second)
	}
	slices.SortStableFunc(list, func(a, b sum) int { return int((b.first + b.second) - (a.first + a.second)) })
	return list
}

// score is the force that each side had at sea last, in factors, and what all of its rolls have scored.
func (w *warfare) score() Score {
	var sides []Side
	for i := range w.rolls {
		x := &w.rolls[i]
		if x.Name != "submarines" && x.Name != "asw" {
			continue
		}
		s, f := sideOf(&sides, x.Reading.Side), Count{"factor " + x.Name, int64(x.Factors), x.Event}
		if n := len(s.Series); n > 0 && s.Series[n-1].Ordinal == x.Ordinal && s.Figure.N > f.N {
			continue // of two forces in one turn the larger one is the side's
		}
		s.put(x.Ordinal, f)
		s.Of = &Sentence{Key: "against-" + x.Name}
	}
	for _, x := range w.sums(^uint64(0)) {
		if i := slices.IndexFunc(sides, func(s Side) bool { return s.Name == x.side }); i >= 0 {
			sides[i].Extra = &Sentence{"scored-in-all", Parts{"r": x.two()}}
		}
	}
	return Score{Of: "score-factors", Groups: []Group{{Sides: sides}}}
}
