package income

import (
	"cmp"
	"slices"
)

// Treasury is what a power has in hand and how it came to it: Opening + Income - Purchases - Paid
// + Adjusted is InHand.
type Treasury struct {
	Power     string     `json:"power"`
	Opening   int64      `json:"opening"`
	Income    int64      `json:"income"`
	Purchases int64      `json:"purchases"`
	Paid      int64      `json:"paid"`     // for bombing and rockets: no more than there was
	Adjusted  int64      `json:"adjusted"` // by reports of the umpire, and where an event states another figure
	InHand    int64      `json:"in_hand"`
	Movements []Movement `json:"movements"` // in their order; a corrected one where the first stood
}

// Movement is one change of a treasury: InHand is what stood before it, with Change and Adjusted.
type Movement struct {
	Event     uint64   `json:"event"`
	What      string   `json:"what"` // "opening", "reported", "income", "purchase", "sbr", "rockets"
	Change    int64    `json:"change"`
	Adjusted  int64    `json:"adjusted,omitempty"`
	InHand    int64    `json:"in_hand"`
	Corrected []Former `json:"corrected,omitempty"` // what stood in its place before, oldest first
}

// Former is a corrected figure: what was reported, earned, spent, or the damage.
type Former struct {
	Event uint64 `json:"event"`
	IPCs  int64  `json:"ipcs"`
}

// movement says what the amount of a move is.
type movement int

const (
	reported  movement = iota // in hand, as the umpire says
	earned                    // added
	purchased                 // taken
	attacked                  // taken, as far as there is anything
)

// account is a treasury in the making.
type account struct {
	power   string
	opening int64 // that the first stated figure implies, where nothing was said before
	moves   []move
}

// move is an entry that moves money.
type move struct {
	*place
	kind   movement
	power  string
	what   string
	amount int64
	stated *int  // in hand afterwards, where the event says so
	other  int64 // what the stated figure has beside before and amount
	paid   int64 // of amount, by an attack
	inHand int64
	former []Former
}

// accounts adds up the treasuries. The entries are taken in the order of the record; a correction
// changes the figure that it corrects, where that stands, and what has followed from it.
func (v *View) accounts() []Treasury {
	var books []account
	for _, m := range v.moves() {
		if m.first != m.event && amend(books, m) {
			continue
		}
		a := find(&books, account{power: m.power}, func(a account) bool { return a.power == m.power })
		a.enter(m)
	}
	list := []Treasury{}
	for i := range books {
		list = append(list, books[i].report())
	}
	return inOrder(v.powers, list, func(t Treasury) string { return t.Power })
}

// moves lists all entries that move money, in the order of the record.
func (v *View) moves() []move {
	var list []move
	for i := range v.treasuries {
		x := &v.treasuries[i]
		list = append(list, move{place: &x.place, power: x.power, kind: reported, what: "reported", amount: int64(x.ipcs)})
	}
	for i := range v.incomes {
		x := &v.incomes[i]
		list = append(list, move{place: &x.place, power: x.Power, kind: earned, what: "income", amount: int64(x.Net), stated: &x.Treasury})
	}
	for i := range v.purchases {
		x := &v.purchases[i]
		list = append(list, move{place: &x.place, power: x.Power, kind: purchased, what: "purchase", amount: int64(x.Cost), stated: &x.Treasury})
	}
	for i := range v.attacks {
		x := &v.attacks[i]
		list = append(list, move{place: &x.place, power: x.Victim, kind: attacked, what: x.Kind, amount: int64(x.Damage)})
	}
	slices.SortStableFunc(list, func(a, b move) int { return cmp.Compare(a.event, b.event) })
	return list
}

// amend puts the corrected figure where the first one stands; false if none stands there. What
// the correction states to be in hand is void by now where anything has moved since, so what the
// first had beside its own amount is kept.
func amend(books []account, m move) bool {
	for i := range books {
		a := &books[i]
		j := slices.IndexFunc(a.moves, func(old move) bool { return old.first == m.first })
		if j < 0 {
			continue
		}
		old := &a.moves[j]
		old.former = append(old.former, Former{old.event, old.amount})
		old.place, old.amount = m.place, m.amount
		for ; j < len(a.moves); j++ {
			a.settle(j)
		}
		return true
	}
	return false
}

// enter appends a move. The figure that it states is the authority, whatever went before.
func (a *account) enter(m move) {
	if m.stated != nil {
		change := m.amount
		if m.kind == purchased {
			change = -change
		}
		if len(a.moves) == 0 {
			a.opening = int64(*m.stated) - change
		}
		m.other = int64(*m.stated) - a.before(len(a.moves)) - change
	}
	a.moves = append(a.moves, m)
	a.settle(len(a.moves) - 1)
}

// before is what was in hand before a move.
func (a *account) before(i int) int64 {
	if i == 0 {
		return a.opening
	}
	return a.moves[i-1].inHand
}

// settle reckons what is in hand after a move: never less than 0, unless an event has said so.
func (a *account) settle(i int) {
	m := &a.moves[i]
	before, least := a.before(i), int64(0)
	if m.stated != nil {
		least = min(0, int64(*m.stated))
	}
	switch m.kind {
	case reported:
		m.inHand = m.amount
		if i == 0 {
			a.opening = m.amount
		}
	case earned:
		m.inHand = max(least, before+m.amount+m.other)
	case purchased:
		m.inHand = max(least, before-m.amount+m.other)
	case attacked:
		m.paid = max(0, min(m.amount, before))
		m.inHand = before - m.paid
	}
}

func (a *account) report() Treasury {
	t := Treasury{Power: a.power, Opening: a.opening, InHand: a.opening, Movements: []Movement{}}
	for i := range a.moves {
		m := &a.moves[i]
		x := Movement{Event: m.event, What: m.what, InHand: m.inHand, Corrected: m.former}
		switch m.kind {
		case reported:
			if i == 0 {
				x.What, x.Change, t.InHand = "opening", m.amount, 0
			}
		case earned:
			x.Change = m.amount
			t.Income += m.amount
		case purchased:
			x.Change = -m.amount
			t.Purchases += m.amount
		case attacked:
			x.Change = -m.paid
			t.Paid += m.paid
		}
		x.Adjusted = x.InHand - t.InHand - x.Change
		t.Adjusted += x.Adjusted
		t.InHand = x.InHand
		t.Movements = append(t.Movements, x)
	}
	return t
}
