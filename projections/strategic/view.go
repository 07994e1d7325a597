// Package strategic shows what strategic warfare has brought: for each box, campaign and game
// turn the factors, the modifiers with their rules, the dice, columns and rows, the result as
// printed, and the contest of cards that bore on it; or, where submarines sail from bases, each
// base's die with its modifiers and what a success was spent on, where the bases are, and the
// strategy cards that are drawn and played. Beside it stand all further results, from harbor attacks
// to antiaircraft fire, hunts for submarines, what was lost, and what the umpire made good of it.
//
// The two numbers of a cell of table 24.62 are summed apart and never merged: the rules do
// not say what they are (AWAW-24.62-G). A corrected result stays visible beside the one in
// its place, and only the latter is counted.
//
// Results of dice that were thrown at a table, and attested by two seats instead of decided by a
// chain, are marked.
//
// Everything shown was derived when the event was recorded and is taken from it; the package
// knows no table and no rule. All of it is public: who sees more of the log than others sees
// the same here.
package strategic

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

// Version is the version of the report; fold that of the fold and of what is saved.
const (
	Version = 2
	fold    = 4
)

// Projection is the strategic projection.
func Projection() projections.Projection {
	return projections.Projection{
		Name: "strategic", Version: fold,
		New: func() projections.View { return &View{} },
		Types: []events.Type{
			"contest_settled", "dice_typed", "result_adjudicated", "fact_reported", "base_placed", "base_displaced",
			"base_attacked", "base_replaced", "success_spent", "strategy_card_played", "strategy_cards_drawn",
			"submarines_hunted", "units_lost", "compensated",
		},
	}
}

// View is the strategic warfare of one campaign. The zero value is the view before the first
// event.
type View struct {
	results  []result
	contests []contest
	attested []uint64 // declarations of rolls whose dice were thrown at a table, ascending

	postings []posting
	spent    []spent
	played   []played
	drawn    []drawn
	facts    []fact // that this view shows
	hunts    []hunt
	losses   []loss

	compensations []compensation
}

// place is where in the campaign an entry stands, and whether another stands in its place.
type place struct {
	event     uint64
	ordinal   uint64
	turn      string
	corrects  uint64
	corrected uint64 // index of the entry in its place, 0 for none
	first     uint64 // index of the entry in whose place it stands; set by standing
}

type result struct {
	place
	phase string
	events.ResultAdjudicated
}

type contest struct {
	place
	events.ContestSettled
}

// Apply takes the campaign's next event.
func (v *View) Apply(e *events.Event, _ []events.Opening) {
	at := place{event: e.Index, ordinal: e.Turn.Ordinal, turn: e.Turn.Label, corrects: e.Corrects}
	switch e.Type {
	case "result_adjudicated":
		x := result{place: at, phase: e.Phase}
		if e.Read(&x.ResultAdjudicated) {
			v.results = appendInPlace(v.results, x)
		}
	case "dice_typed":
		var p events.DiceTyped
		if e.Read(&p) {
			v.attest(p.Declared)
		}
	case "contest_settled":
		x := contest{place: at}
		if e.Read(&x.ContestSettled) {
			v.contests = appendInPlace(v.contests, x)
		}
	case "submarines_hunted":
		x := hunt{place: at}
		if e.Read(&x.SubmarinesHunted) {
			v.hunts = appendInPlace(v.hunts, x)
		}
	case "units_lost":
		x := loss{place: at}
		if e.Read(&x.UnitsLost) {
			v.losses = appendInPlace(v.losses, x)
		}
	case "compensated":
		v.compensate(e, at)
	default:
		v.applyBase(e, at)
	}
}

// attest notes that the dice of a roll were typed. Dice that were denied are typed again.
func (v *View) attest(declared uint64) {
	if i, typed := slices.BinarySearch(v.attested, declared); !typed {
		v.attested = slices.Insert(v.attested, i, declared)
	}
}

// entry is anything with a place.
type entry[T any] interface {
	*T
	at() *place
}

func (p *place) at() *place { return p }

// appendInPlace appends an entry. If it corrects another, it takes the place of that one, or
// of what stands there already: a second correction may name the first entry again.
func appendInPlace[T any, E entry[T]](list []T, x T) []T {
	added := E(&x).at()
	for next := added.corrects; next != 0; {
		i := len(list) - 1 // what is corrected happened not long ago
		for i >= 0 && E(&list[i]).at().event != next {
			i--
		}
		if i < 0 {
			break
		}
		old := E(&list[i]).at()
		next = old.corrected
		if next <= old.event { // the last of the chain, which only ever leads onward
			old.corrected, next = added.event, 0
		}
	}
	return append(list, x)
}

// standing gives what stands in the place of each first entry, in the order of the first ones.
func standing[T any, E entry[T]](list []T) []T {
	at := map[uint64]int{}
	for i := range list {
		at[E(&list[i]).at().event] = i
	}
	var out []T
	for i := range list {
		if _, correction := at[E(&list[i]).at().corrects]; correction && E(&list[i]).at().corrects != 0 {
			continue
		}
		last := i
		for n := 0; n < len(list); n++ { // a chain has no more links than there are entries
			next, ok := at[E(&list[last]).at().corrected]
			if !ok || E(&list[last]).at().corrected == 0 {
				break
			}
			last = next
		}
		x := list[last]
		E(&x).at().first = E(&list[i]).at().event
		out = append(out, x)
	}
	return out
}

// Save gives the state of the fold.
func (v *View) Save() []byte { return projections.Save(v.pack) }

// Load replaces the state.
func (v *View) Load(saved []byte) error {
	*v = View{}
	return projections.Load(saved, v.pack)
}
