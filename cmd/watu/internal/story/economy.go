package story

import (
	"cmp"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/income"
)

// economy tells the campaigns that are about incomes: Axis & Allies Revised and Global 1940.
type economy struct {
	Record
	collected []collected // in the order of play
	losses    []loss
}

// collected is an income as it counts.
type collected struct {
	ordinal uint64
	turn    string
	power   string
	first   uint64 // the event that stated it before it was corrected
	*income.Income
}

// loss is what a power lost in one turn to raiders at sea and to bombers that take money.
type loss struct {
	ordinal      uint64
	victim       string
	boats, bombs int64
	raiders      []string // whose boats they are
	bombers      []string // and whose bombers
	event        uint64   // the latest of it
}

func (l loss) all() int64 { return l.boats + l.bombs }

func newEconomy(r Record) *economy {
	e := &economy{Record: r}
	for i := range r.Income.Turns {
		t := &r.Income.Turns[i]
		if t.Income != nil && t.Income.Counts() {
			first := append(slices.Clone(t.Corrected), *t.Income)[0].Event
			e.collected = append(e.collected, collected{t.Ordinal, t.Turn, t.Power, first, t.Income})
		}
		e.raided(t)
	}
	for _, t := range r.Income.Attacks {
		for _, a := range t.Attacks {
			if a.Counts() {
				l := e.loss(t.Ordinal, t.Victim, a.Event)
				l.bombs += int64(a.Damage)
				l.bombers = added(l.bombers, t.Attacker)
			}
		}
	}
	return e
}

// raided adds what raids took in the turn of a power.
func (e *economy) raided(t *income.Turn) {
	for _, x := range t.Raids {
		if x.Counts() && x.Damage > 0 {
			e.loss(t.Ordinal, t.Power, x.Event).sunk(int64(x.Damage), x.Owner)
		}
	}
	for _, x := range t.Disruptions {
		if x.Counts() && x.Damage > 0 {
			l := e.loss(t.Ordinal, t.Power, x.Event)
			l.sunk(int64(x.Damage))
			for _, by := range x.Raiders {
				l.sunk(0, by.Power)
			}
		}
	}
}

func (l *loss) sunk(damage int64, by ...string) {
	l.boats += damage
	l.raiders = added(l.raiders, by...)
}

// added is a list with what it lacks.
func added(list []string, more ...string) []string {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// loss is that of a power in a turn.
func (e *economy) loss(ordinal uint64, victim string, event uint64) *loss {
	i := slices.IndexFunc(e.losses, func(l loss) bool { return l.ordinal == ordinal && l.victim == victim })
	if i < 0 {
		i, e.losses = len(e.losses), append(e.losses, loss{ordinal: ordinal, victim: victim})
	}
	e.losses[i].event = max(e.losses[i].event, event)
	return &e.losses[i]
}

// turn gives what may be said of a turn, in the order of its weight.
func (e *economy) turn(t events.Turn) (list []candidate) {
	for _, more := range [][]candidate{
		e.looted(t), e.costly(t), e.taken(t), e.landed(t), e.third(t), e.swing(t), e.spent(t), e.rare(t), e.boats(t),
		e.bombed(t), e.best(t),
	} {
		list = append(list, more...)
	}
	return list
}

// looted says whose capital fell, with its money.
func (e *economy) looted(t events.Turn) (list []candidate) {
	for _, x := range e.Income.Captures {
		if x.Ordinal == t.Ordinal && x.Counts() && x.Loot > 0 {
			list = append(list, say("looted", Parts{"side": Name(x.By), "land": Name(e.Board.land(x.Territory).name),
				"n": ipcs(int64(x.Loot), x.Event)}))
		}
	}
	return list
}

// weighty is what a land is worth that is news.
const weighty = 6

// taking is what one power took in a turn, or took back of its own.
type taking struct {
	by    string
	from  string // whose they were, where all of them were one power's
	back  bool
	lands List
	worth int64
	event uint64
}

// taken says which lands changed hands: a heavy one for a title, all others in one sentence a captor.
func (e *economy) taken(t events.Turn) (list []candidate) {
	var all []taking
	for _, x := range e.Income.Captures {
		if x.Ordinal == t.Ordinal && x.Counts() && x.Loot == 0 {
			all = e.take(all, x.By, x.From, x.Territory, x.Event)
		}
	}
	if e.Situation != nil && len(e.Income.Captures) == 0 { // where captures are not entered, but who holds what
		for _, x := range e.Situation.Territories {
			if x.Ordinal == t.Ordinal && x.Holder != "" && slices.Contains(e.Sides, x.Holder) {
				all = e.take(all, x.Holder, x.Captured, x.Territory, x.Event)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b taking) int { return cmp.Compare(b.worth, a.worth) })
	for _, x := range all {
		list = append(list, candidate{x.sentence(), x.worth >= weighty})
	}
	return list
}

// take adds a land to what a power took.
func (e *economy) take(all []taking, by, from, territory string, event uint64) []taking {
	l := e.Board.land(territory)
	i := slices.IndexFunc(all, func(x taking) bool { return x.by == by && x.back == (l.owner == by) })
	if i < 0 {
		i, all = len(all), append(all, taking{by: by, from: from, back: l.owner == by})
	}
	x := &all[i]
	if x.from != from {
		x.from = ""
	}
	x.lands, x.worth, x.event = append(x.lands, Name(l.name)), x.worth+int64(l.worth), event
	return all
}

// sentence says what was taken. Of many lands it names the first.
func (x taking) sentence() Sentence {
	key := "takes"
	with := Parts{"side": Name(x.by), "lands": x.lands, "worth": ipcs(x.worth, x.event)}
	switch {
	case x.back:
		key = "retakes"
	case x.from != "" && x.worth > 0:
		key, with["from"] = "takes-from", Name(x.from)
	}
	if n := len(x.lands); n > 3 {
		with["lands"] = List{x.lands[0], Count{"further", int64(n - 1), x.event}}
	}
	if x.worth == 0 {
		key += "-for-nothing"
	}
	return Sentence{key, with}
}

// landed says that D-Day came.
func (e *economy) landed(t events.Turn) (list []candidate) {
	if e.Situation == nil {
		return nil
	}
	for _, x := range e.Situation.Operations {
		if x.Ordinal == t.Ordinal && x.Counts() && x.Carried != 0 {
			list = append(list, say("landed", Parts{"side": Name(x.By), "land": Name(e.Board.land(x.Target).name)}))
		}
	}
	return list
}

// worst is what the power lost that lost most in a turn; nil where none did.
func (e *economy) worst(t events.Turn) (worst *loss) {
	for i := range e.losses {
		if l := &e.losses[i]; l.ordinal == t.Ordinal && (worst == nil || l.all() > worst.all()) {
			worst = l
		}
	}
	return worst
}

// costly says what raiders cost a power, if no power lost more in one turn before: of raids alone, of how much.
func (e *economy) costly(t events.Turn) []candidate {
	before := int64(0)
	for i := range e.losses {
		if l := &e.losses[i]; l.ordinal < t.Ordinal {
			before = max(before, l.all())
		}
	}
	worst := e.worst(t)
	if worst == nil || worst.all() < 2 || worst.all() <= before {
		return nil
	}
	key, with := "cost", Parts{"raiders": worst.by(), "victim": Name(worst.victim), "n": ipcs(worst.all(), worst.event)}
	if c := e.incomeOf(worst); c != nil && worst.bombs == 0 {
		key, with["n"], with["base"] = "cost-of", plain(int(worst.boats), worst.event), ipcs(int64(c.due()), c.Event)
	}
	if before > 0 {
		key += "-most"
	}
	return []candidate{say(key, with)}
}

// by says who it was: "U-boats and bombers". Whose the bombers are is said where the boats are not theirs alone.
func (l *loss) by() Part {
	var list List
	switch {
	case l.boats == 0:
	case len(l.raiders) == 1 && l.raiders[0] == "Germany":
		list = append(list, Sentence{Key: "u-boats"})
	case len(l.raiders) == 0:
		list = append(list, Sentence{Key: "raiders"})
	default:
		list = append(list, Sentence{"raiders-of", Parts{"side": names(l.raiders)}})
	}
	switch {
	case l.bombs == 0:
	case len(l.bombers) == 0, l.boats > 0 && slices.Equal(l.raiders, l.bombers):
		list = append(list, Sentence{Key: "bombers"})
	default:
		list = append(list, Sentence{"bombers-of", Parts{"side": names(l.bombers)}})
	}
	return list
}

// names are those of some sides.
func names(sides []string) (list List) {
	for _, s := range sides {
		list = append(list, Name(s))
	}
	return list
}

// third says who lost a third of his income, or more.
func (e *economy) third(t events.Turn) (list []candidate) {
	for _, c := range e.collected {
		if c.ordinal == t.Ordinal && c.Base > 0 && 3*c.Damage >= c.Base {
			list = append(list, say("collects-of", Parts{"side": Name(c.power), "net": plain(c.Net, c.Event),
				"base": ipcs(int64(c.Base), c.Event)}))
		}
	}
	return list
}

// swing says whose income changed most since it collected before.
func (e *economy) swing(t events.Turn) []candidate {
	var was, is *collected
	last := map[string]*collected{}
	for i := range e.collected {
		c := &e.collected[i]
		if c.ordinal > t.Ordinal {
			break
		}
		if before := last[c.power]; before != nil && c.ordinal == t.Ordinal &&
			(is == nil || apart(c, before) > apart(is, was)) {
			was, is = before, c
		}
		last[c.power] = c
	}
	if is == nil || apart(is, was) < 3 {
		return nil
	}
	return []candidate{{e.changed(was, is), false}}
}

func apart(a, b *collected) int { return max(a.Net-b.Net, b.Net-a.Net) }

// spent says what the largest purchase was.
func (e *economy) spent(t events.Turn) []candidate {
	var most *income.Purchase
	for i := range e.Income.Purchases {
		p := &e.Income.Purchases[i]
		if p.Ordinal == t.Ordinal && p.Counts() && (most == nil || p.Cost > most.Cost) {
			most = p
		}
	}
	if most == nil || most.Cost == 0 {
		return nil
	}
	with := Parts{"side": Name(most.Power), "n": ipcs(int64(most.Cost), most.Event)}
	if len(most.Units) == 0 {
		return []candidate{tell("spent", with)}
	}
	var units List
	for _, u := range most.Units {
		units = append(units, Count{u.Name, int64(u.Count), most.Event})
	}
	with["units"] = units
	return []candidate{tell("spent-on", with)}
}

// boats says what raids and bombs took together of each who lost to both, or to one of them.
func (e *economy) boats(t events.Turn) (list []candidate) {
	for i := range e.losses {
		l := &e.losses[i]
		if l.ordinal != t.Ordinal || l.all() == 0 {
			continue
		}
		at, bombs := loss{boats: l.boats, raiders: l.raiders}, loss{bombs: l.bombs, bombers: l.bombers}
		with := Parts{"victim": Name(l.victim), "raiders": at.by(), "boats": ipcs(l.boats, l.event),
			"bombers": bombs.by(), "bombs": plain(int(l.bombs), l.event)}
		key := "took"
		if l.bombs > 0 {
			key = "took-both"
		}
		if l.boats == 0 {
			key, with["bombs"] = "took-bombs", ipcs(l.bombs, l.event)
		}
		if c := e.incomeOf(l); c != nil && l.boats > 0 {
			key += "-of"
			with["boats"], with["base"] = plain(int(l.boats), l.event), ipcs(int64(c.due()), c.Event)
		}
		list = append(list, tell(key, with))
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(weight(b), weight(a)) })
	return list
}

// weight is the money in a sentence of raids.
func weight(c candidate) int64 { return c.With["boats"].(Count).N + c.With["bombs"].(Count).N }

// bombed says which facilities bombs fell on, where that takes no money at once.
func (e *economy) bombed(t events.Turn) (list []candidate) {
	for _, x := range e.Income.Damage {
		if x.Ordinal == t.Ordinal && x.Counts() && x.Damage > 0 {
			list = append(list, tell("bombs", Parts{"what": Name(x.Facility),
				"land": Name(e.Board.land(x.Territory).name), "n": Count{"damage", int64(x.Damage), x.Event},
				"total": plain(x.Before+x.Damage, x.Event), "limit": plain(x.Limit, x.Event)}))
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Compare(b.With["n"].(Count).N, a.With["n"].(Count).N)
	})
	return list
}

// best says who collected most in a turn of which else nothing is to be said.
func (e *economy) best(t events.Turn) []candidate {
	var most *collected
	for i := range e.collected {
		if c := &e.collected[i]; c.ordinal == t.Ordinal && (most == nil || c.Net > most.Net) {
			most = c
		}
	}
	if most == nil {
		return nil
	}
	return []candidate{tell("collects", Parts{"side": Name(most.power), "net": ipcs(int64(most.Net), most.Event)})}
}
