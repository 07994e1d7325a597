// Package strategic shows what strategic warfare has brought: for each box, campaign and game
// turn the factors, the modifiers with their rules, the dice, columns and rows, the result as
// printed, and the contest of cards that bore on it; or, where submarines sail from bases, each
// base's die with its modifiers and what a success was spent on, where the bases are, and the
// strategy cards that are drawn and played. Beside it stand all further results, from harbor attacks
// to antiaircraft fire, hunts for submarines, what was lost, and what the umpire made good of it.
//
// The two numbers of a cell of table 24.62 are summed apart and never merged: the rules do
// not say what they are (AWAW-24.62-G). A result that was corrected or voided stays visible, and is not
// counted. What corrects it is in the same turn and phase.
//
// Results of dice that were thrown at a table, and attested by two seats instead of decided by a
// chain, are marked.
//
// Everything shown was derived when the event was recorded and is taken from it; the package
// knows no table and no rule. All of it is public: who sees more of the log than others sees
// the same here.
//
// # From an event to its figure
//
//	ResultAdjudicated    Result: dice, modifiers       result.report, in report.go; sums: addResult, in report.go
//	DiceTyped            Result: attested              View.attest, in view.go
//	ContestSettled       Contest, Effect               contest.report, in report.go
//	BasePlaced, BaseDisplaced, BaseAttacked, BaseReplaced
//	                     Posting; Base: where it is    postingOf, in bases.go; View.bases, in bases.go
//	SuccessSpent         Spent; ASPs (Shipping), SWM   View.addBases, in bases.go; View.figures, in figures.go
//	FactReported         ASPs, SWM, China              View.figures, in figures.go
//	CampaignOpened, EditionMoved
//	                     Figure: of an exact edition   View.asTheyStand, in exactfigures.go
//	Corrected, Voided    Figure: what counted when     View.countedBefore, in exactfigures.go
//	StrategyCardPlayed, StrategyCardsDrawn
//	                     CardPlayed, CardsDrawn        View.addBases, in bases.go
//	SubmarinesHunted     Hunt                          View.addLosses, in losses.go
//	UnitsLost            Loss                          View.addLosses, in losses.go
//	Compensated          Compensation, MadeGood        View.addCompensations, in compensations.go
package strategic

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/projections"
)

// Version is the version of the report; fold that of the fold and of what is saved.
const (
	Version = 2
	fold    = 8
)

// Projection is the strategic projection.
func Projection() projections.Projection {
	return projections.Projection{
		Name: "strategic", Version: fold,
		New: func() projections.View { return &View{} },
		Types: []events.Type{
			"contest_settled", "dice_typed", "result_adjudicated", "fact_reported", "base_placed", "base_displaced",
			"base_attacked", "base_replaced", "success_spent", "strategy_card_played", "strategy_cards_drawn",
			"submarines_hunted", "units_lost", "compensated", "campaign_opened", "edition_moved",
			"corrected", "voided",
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

	exact   bool     // figures are followed from place to place
	takings []taking // what they do not count any more, or count again
}

type result struct {
	projections.Entry
	phase string
	events.ResultAdjudicated
}

type contest struct {
	projections.Entry
	events.ContestSettled
}

// freeRoll is the procedure of dice that the rules know nothing of: they are no warfare.
const freeRoll = "roll"

// Apply takes the next event.
func (v *View) Apply(e history.Row, _ []events.Opening) {
	at := projections.EntryOf(e)
	switch e.Type {
	case "result_adjudicated":
		x := result{Entry: at, phase: e.Phase}
		projections.AppendIf(&v.results, &x, e.Read(&x.ResultAdjudicated) && x.Procedure != freeRoll)
	case "dice_typed":
		var p events.DiceTyped
		if e.Counts() && e.Read(&p) {
			v.attest(p.Declared)
		}
	case "contest_settled":
		x := contest{Entry: at}
		projections.AppendIf(&v.contests, &x, e.Read(&x.ContestSettled))
	case "submarines_hunted":
		x := hunt{Entry: at}
		projections.AppendIf(&v.hunts, &x, e.Read(&x.SubmarinesHunted))
	case "units_lost":
		x := loss{Entry: at}
		projections.AppendIf(&v.losses, &x, e.Read(&x.UnitsLost))
	case "compensated":
		v.compensate(e, at)
	case "corrected", "voided":
		v.take(e)
	case "campaign_opened":
		var p events.CampaignOpened
		if e.Counts() && e.Read(&p) {
			v.readOptions(p.Options)
		}
	case "edition_moved":
		var p events.EditionMoved
		if e.Counts() && e.Read(&p) {
			v.readOptions(p.Options)
		}
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

// Save gives the state of the fold.
func (v *View) Save() []byte { return projections.Save(v.pack) }

// Load replaces the state.
func (v *View) Load(saved []byte) error {
	*v = View{}
	return projections.Load(saved, v.pack)
}
