package income

import (
	"slices"
)

// Treasury is what a treasury has in hand and how it came to it: Opening + Income + Loot - Purchases
// - Repairs - Built - Research - Paid + Given + Adjusted is InHand.
type Treasury struct {
	Power     string     `json:"power"` // the treasury's name, which is mostly a power's
	Opening   int64      `json:"opening"`
	Income    int64      `json:"income"`
	Loot      int64      `json:"loot"` // taken with capitals, less what others took with its own
	Purchases int64      `json:"purchases"`
	Repairs   int64      `json:"repairs"`
	Built     int64      `json:"facilities_built"`
	Research  int64      `json:"research"`
	Paid      int64      `json:"paid"`            // for bombing and rockets: no more than there was
	Given     int64      `json:"given,omitempty"` // in compensation, less what was taken
	Adjusted  int64      `json:"adjusted"`        // by reports of the umpire, and where an event states another figure
	InHand    int64      `json:"in_hand"`
	Movements []Movement `json:"movements"` // in their order; a corrected one where the first stood
}

// Movement is one change of a treasury: InHand is what stood before it, with Change and Adjusted.
type Movement struct {
	Event     uint64   `json:"event"`
	What      string   `json:"what"` // "opening", "reported", "sbr", "rockets", or one of the words below
	Change    int64    `json:"change"`
	Adjusted  int64    `json:"adjusted,omitempty"`
	InHand    int64    `json:"in_hand"`
	Reason    string   `json:"reason,omitempty"`    // of a compensation
	Corrected []Former `json:"corrected,omitempty"` // what stood in its place before, oldest first
}

// Former is a corrected figure: what was reported, earned, spent, or the damage.
type Former struct {
	Event uint64 `json:"event"`
	IPCs  int64  `json:"ipcs"`
}

// What moves a treasury.
const (
	whatIncome   = "income"
	whatPurchase = "purchase"
	whatRepair   = "repair"
	whatFacility = "facility"
	whatResearch = "research"
	whatLoot     = "loot"

	whatCompensation = "compensation"
)

// movement says what the amount of a move is.
type movement int

const (
	reported movement = iota // in hand, as the umpire says
	earned                   // added
	spent                    // taken
	attacked                 // taken, as far as there is anything
)

// books are the treasuries in the making.
type books struct {
	settled  bool // what an event states to be in hand may count on what does not stand
	accounts []*account
	moved    map[uint64][]*move // what an event and its corrections move, by the first of them
}

// account is a treasury in the making.
type account struct {
	power   string
	opening int64 // that the first stated figure implies, where nothing was stated before
	moves   []*move
}

// move is an entry that moves money.
type move struct {
	*entry
	kind   movement
	power  string
	what   string
	amount int64
	stated *int  // in hand afterwards, where the event says so
	other  int64 // what the stated figure has beside before and amount
	paid   int64 // of amount, by an attack
	inHand int64
	reason string
	void   bool // corrected away
	former []Former
}

// accounts adds up the treasuries. The entries are taken in the order of the record; a correction
// changes the figures that it corrects, where those stand, and what has followed from them.
func (v *View) accounts() []Treasury {
	b := books{settled: v.settled, moved: map[uint64][]*move{}}
	for list := v.moves(); len(list) > 0; {
		n := 1 // the moves of one event
		for n < len(list) && list[n].Event == list[0].Event {
			n++
		}
		if list[0].First == list[0].Event || !b.amend(list[:n]) {
			for _, m := range list[:n] {
				b.enter(m)
			}
		}
		list = list[n:]
	}
	list := []Treasury{}
	for _, a := range b.accounts {
		list = append(list, a.report())
	}
	return inOrder(v.powers, list, func(t Treasury) string { return t.Power })
}

// of gives the account of a treasury.
func (b *books) of(power string) *account {
	for _, a := range b.accounts {
		if a.power == power {
			return a
		}
	}
	a := &account{power: power}
	b.accounts = append(b.accounts, a)
	return a
}

// moves lists all entries that move money, in the order of the record.
func (v *View) moves() []move {
	var list []move
	for i := range v.treasuries {
		x := &v.treasuries[i]
		list = append(list, move{entry: &x.entry, power: x.power, kind: reported, what: "reported",
			amount: int64(x.ipcs)})
	}
	for i := range v.incomes {
		x := &v.incomes[i]
		list = append(list, move{entry: &x.entry, power: x.Power, kind: earned, what: whatIncome, amount: int64(x.Net),
			stated: &x.Treasury})
	}
	for i := range v.purchases {
		x := &v.purchases[i]
		list = append(list, move{entry: &x.entry, power: x.Power, kind: spent, what: whatPurchase,
			amount: int64(x.Cost), stated: &x.Treasury})
	}
	for i := range v.attacks {
		x := &v.attacks[i]
		list = append(list, move{entry: &x.entry, power: x.Victim, kind: attacked, what: x.Kind,
			amount: int64(x.Damage)})
	}
	for i := range v.compensations {
		x := &v.compensations[i]
		list = append(list, move{entry: &x.entry, power: x.Of, kind: earned, what: whatCompensation,
			amount: int64(x.By), reason: x.Reason})
	}
	list = append(list, v.outlays()...)
	list = slices.DeleteFunc(list, func(m move) bool { return m.VoidedBy != 0 })
	slices.SortStableFunc(list, func(a, b move) int { return inOrderRecorded(a.entry, b.entry) })
	return list
}

// outlays lists what is paid for other things than units, and what changes hands with a capital.
func (v *View) outlays() []move {
	var list []move
	for i := range v.repairs {
		x := &v.repairs[i]
		list = append(list, move{entry: &x.entry, power: x.Power, kind: spent, what: whatRepair, amount: int64(x.Cost),
			stated: &x.Treasury})
	}
	for i := range v.buildings {
		x := &v.buildings[i]
		list = append(list, move{entry: &x.entry, power: x.Power, kind: spent, what: whatFacility,
			amount: int64(x.Cost), stated: &x.Treasury})
	}
	for i := range v.research {
		x := &v.research[i]
		for j := range x.Payments {
			pay := &x.Payments[j]
			list = append(list, move{entry: &x.entry, power: pay.Treasury, kind: spent, what: whatResearch,
				amount: int64(pay.Paid), stated: &pay.Left})
		}
	}
	for i := range v.captures {
		if x := &v.captures[i]; x.LootFrom != "" {
			list = append(list,
				move{entry: &x.entry, power: x.LootFrom, kind: spent, what: whatLoot, amount: int64(x.Loot)},
				move{entry: &x.entry, power: x.LootTo, kind: earned, what: whatLoot, amount: int64(x.Loot)})
		}
	}
	return list
}

// amend puts the moves of a correction where those of the first entry stand; false if none stands.
// What the correction states to be in hand is void by now where anything has moved since, so what
// the first had beside its own amount is kept. A treasury that the correction leaves out moves by
// nothing there, and one that it brings in has its move in that place.
func (b *books) amend(corrected []move) bool {
	at, left := corrected[0].entry, slices.Clone(corrected)
	stood := b.moved[at.First]
	for _, old := range stood {
		old.former = append(old.former, Former{old.Event, old.amount})
		k := slices.IndexFunc(left, func(m move) bool { return m.power == old.power && m.kind == old.kind })
		if old.void = k < 0; old.void {
			old.entry, old.amount = at, 0
		} else {
			old.entry, old.what, old.amount, old.reason = at, left[k].what, left[k].amount, left[k].reason
			if old.stated != nil {
				old.stated = left[k].stated // a debt that it states is one that stands
			}
			left = slices.Delete(left, k, k+1)
		}
	}
	if len(stood) == 0 {
		return false
	}
	for _, m := range left {
		b.insert(m)
	}
	for _, m := range b.moved[at.First] {
		b.of(m.power).settleFrom(m)
	}
	return true
}

// insert puts a move where its first entry belongs. What it states is void where others stand behind it.
func (b *books) insert(m move) {
	a := b.of(m.power)
	i := slices.IndexFunc(a.moves, func(x *move) bool { return x.At > m.At })
	if i < 0 {
		b.enter(m)
		return
	}
	m.stated = nil
	a.moves = slices.Insert(a.moves, i, &m)
	b.moved[m.First] = append(b.moved[m.First], &m)
}

// enter appends a move. The figure that it states is the authority, whatever went before, unless what
// went before is otherwise by now.
func (b *books) enter(m move) {
	a := b.of(m.power)
	if m.stated != nil {
		change := m.amount
		if m.kind == spent {
			change = -change
		}
		if len(a.moves) == 0 {
			a.opening = int64(*m.stated) - change
		}
		if !b.settled {
			m.other = int64(*m.stated) - a.before(len(a.moves)) - change
		}
	}
	a.moves = append(a.moves, &m)
	b.moved[m.First] = append(b.moved[m.First], &m)
	a.settle(len(a.moves) - 1)
}

// before is what was in hand before a move.
func (a *account) before(i int) int64 {
	if i == 0 {
		return a.opening
	}
	return a.moves[i-1].inHand
}

// settleFrom reckons what is in hand after a move, and after those behind it.
func (a *account) settleFrom(m *move) {
	i := len(a.moves) - 1 // what is corrected happened not long ago
	for i > 0 && a.moves[i] != m {
		i--
	}
	for ; i < len(a.moves); i++ {
		a.settle(i)
	}
}

// settle computes the balance after a move: never less than 0, unless an event stated less.
func (a *account) settle(i int) {
	m := a.moves[i]
	before, least := a.before(i), int64(0)
	if m.stated != nil {
		least = min(0, int64(*m.stated))
	}
	least = min(least, before) // nothing that is paid or earned settles a debt but its own figure
	switch {
	case m.void:
		m.inHand, m.paid = before, 0
	case m.kind == reported:
		m.inHand = m.amount
		if i == 0 {
			a.opening = m.amount
		}
	case m.kind == earned:
		m.inHand = max(least, before+m.amount+m.other)
	case m.kind == spent:
		m.inHand = max(least, before-m.amount+m.other)
	case m.kind == attacked:
		m.paid = max(0, min(m.amount, before))
		m.inHand = before - m.paid
	}
}

func (a *account) report() Treasury {
	t := Treasury{Power: a.power, Opening: a.opening, InHand: a.opening, Movements: []Movement{}}
	for i := range a.moves {
		m := a.moves[i]
		x := Movement{Event: m.Event, What: m.what, InHand: m.inHand, Reason: m.reason, Corrected: m.former}
		switch m.kind {
		case reported:
			if i == 0 && !m.void {
				x.What, x.Change, t.InHand = "opening", m.amount, 0
			}
		case earned:
			x.Change = m.amount
		case spent:
			x.Change = -m.amount
		case attacked:
			x.Change = -m.paid
		}
		t.add(x.What, x.Change)
		x.Adjusted = x.InHand - t.InHand - x.Change
		t.Adjusted += x.Adjusted
		t.InHand = x.InHand
		t.Movements = append(t.Movements, x)
	}
	return t
}

// add counts a change where it belongs.
func (t *Treasury) add(what string, change int64) {
	switch what {
	case "opening", "reported":
	case whatIncome:
		t.Income += change
	case whatLoot:
		t.Loot += change
	case whatCompensation:
		t.Given += change
	case whatPurchase:
		t.Purchases -= change
	case whatRepair:
		t.Repairs -= change
	case whatFacility:
		t.Built -= change
	case whatResearch:
		t.Research -= change
	default: // an attack, by its kind
		t.Paid -= change
	}
}
