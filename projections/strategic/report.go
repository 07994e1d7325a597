package strategic

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

// Report is the view as JSON. An event is named by its index. First and second are the two
// numbers of a cell of table 24.62.
type Report struct {
	Version  int       `json:"version"`
	Warfare  []Result  `json:"warfare"`  // strategic warfare, oldest first
	Further  []Result  `json:"further"`  // all other results
	Contests []Contest `json:"contests"` // contests of cards, as settled
	Totals   []Total   `json:"totals"`   // of Warfare

	Bases       []Base       `json:"bases"`    // in play, in the order in which they came
	Postings    []Posting    `json:"postings"` // what became of them
	Spent       []Spent      `json:"spent"`    // for successes
	CardsDrawn  []CardsDrawn `json:"strategy_cards_drawn"`
	CardsPlayed []CardPlayed `json:"strategy_cards_played"`
	Figures     []Figure     `json:"figures"` // as stated last
	Hunts       []Hunt       `json:"hunts"`
	Losses      []Loss       `json:"losses"`

	Compensations []Compensation `json:"compensations,omitempty"`
	MadeGood      []MadeGood     `json:"made_good,omitempty"` // of factors and cards, over all turns
}

// Result is what the rules made of one roll. CorrectedBy is set if another result stands in
// its place, VoidedBy if it was voided; then it is not counted.
type Result struct {
	Event     uint64            `json:"event"`
	Ordinal   uint64            `json:"turn_ordinal"`
	Turn      string            `json:"turn"`
	Phase     string            `json:"phase"`
	Procedure string            `json:"procedure"`
	Subject   string            `json:"subject"`  // the box, the harbor, the target
	Attacker  string            `json:"attacker"` // whose campaign it is
	Defender  string            `json:"defender"`
	Contest   *Effect           `json:"contest,omitempty"`
	Modifiers []events.Modifier `json:"modifiers"`
	Net       int               `json:"net"` // for the attacker; the defender's is the opposite
	Readings  []events.Reading  `json:"readings"`
	Figures   []events.Figure   `json:"figures"`
	Attested  bool              `json:"attested,omitempty"` // the dice were thrown at a table
	projections.Fate
}

// Effect is what a contest did to a result.
type Effect struct {
	Contest       uint64 `json:"contest"` // index of its opening
	Settled       uint64 `json:"settled"` // index of its settling
	ActingCards   int    `json:"acting_cards"`
	OpposingCards int    `json:"opposing_cards"`
	Advantage     string `json:"advantage,omitempty"`
	Modifier      int    `json:"modifier"` // seen from the acting side
}

// Contest is a contest of cards.
type Contest struct {
	Effect
	Ordinal  uint64          `json:"turn_ordinal"`
	Turn     string          `json:"turn"`
	Kind     string          `json:"kind"`
	Acting   string          `json:"acting"`
	Opposing string          `json:"opposing"`
	Subject  string          `json:"subject,omitempty"`
	Scope    []string        `json:"scope"`
	Effects  []events.Figure `json:"effects"`
	projections.Fate
}

// Total is what a side's rolls in a campaign have brought in one box, over one target or from one
// base, over all turns.
type Total struct {
	Procedure string `json:"procedure"`
	Box       string `json:"box"`
	Attacker  string `json:"attacker"` // whose campaign it is
	Reading   string `json:"reading"`  // "submarines", "asw"
	Side      string `json:"side"`     // whose rolls are counted
	Rolls     int64  `json:"rolls"`
	First     int64  `json:"first"`
	Second    int64  `json:"second"`
	Successes int64  `json:"successes,omitempty"` // of a base
}

// kind is the procedure behind the system's name.
func (r *Result) kind() string {
	_, kind, _ := strings.Cut(r.Procedure, ".")
	return kind
}

// isWarfare distinguishes strategic warfare, whose figures are summed, from the other results: what a system
// has under that name, and the dice of submarine bases.
func (r *Result) isWarfare() bool { return strings.HasPrefix(r.kind(), "sw.") || IsBase(r.Procedure) }

// IsBase reports whether the dice of a procedure are those of submarine bases.
func IsBase(procedure string) bool { return strings.HasSuffix(procedure, ".sub-warfare") }

// isBombing distinguishes the rolls of a bombing mission, in the air and over the target.
func (r *Result) isBombing() bool { return r.kind() == "sw.bombing" || r.kind() == "sw.air-combat" }

// In is the ordinal of the result's turn.
func (r *Result) In() uint64 { return r.Ordinal }

// During is the report with what it lists of the turns that are covered. Sums stay those of all turns.
func (r Report) During(covers func(ordinal uint64) bool) Report {
	r.Warfare, r.Further = projections.During(r.Warfare, covers), projections.During(r.Further, covers)
	r.Postings, r.Spent = projections.During(r.Postings, covers), projections.During(r.Spent, covers)
	r.CardsDrawn = projections.During(r.CardsDrawn, covers)
	r.CardsPlayed = projections.During(r.CardsPlayed, covers)
	r.Hunts, r.Losses = projections.During(r.Hunts, covers), projections.During(r.Losses, covers)
	r.Compensations = projections.During(r.Compensations, covers)
	return r
}

// Report is a [Report].
func (v *View) Report() any { return v.report() }

func (v *View) report() Report {
	r := Report{
		Version: Version, Warfare: []Result{}, Further: []Result{}, Contests: []Contest{}, Totals: []Total{},
	}
	v.addBases(&r)
	v.addLosses(&r)
	v.addCompensations(&r)
	effects := map[uint64]*Effect{}
	for _, of := range projections.InReportOrder(v.contests) {
		c := of.report()
		r.Contests = append(r.Contests, c)
		if of.Counts() {
			effects[c.Contest] = &c.Effect
		}
	}
	for _, of := range projections.InReportOrder(v.results) {
		x := of.report()
		x.Contest = effects[of.Contest]
		_, x.Attested = slices.BinarySearch(v.attested, of.Declared)
		if !x.isWarfare() {
			r.Further = append(r.Further, x)
			continue
		}
		r.Warfare = append(r.Warfare, x)
		if of.Counts() {
			r.Totals = addResult(r.Totals, &x)
		}
	}
	return r
}

func (x *result) report() Result {
	out := Result{
		Event: x.Event, Ordinal: x.Ordinal, Turn: x.Turn, Phase: x.phase, Procedure: x.Procedure,
		Subject: x.Subject, Attacker: x.Attacker, Defender: x.Defender, Net: x.Net,
		Modifiers: append([]events.Modifier{}, x.Modifiers...),
		Readings:  append([]events.Reading{}, x.Readings...),
		Figures:   append([]events.Figure{}, x.Figures...),
		Fate:      x.Fate,
	}
	for i := range out.Readings {
		out.Readings[i].Dice = append([]int{}, out.Readings[i].Dice...)
	}
	return out
}

func (x *contest) report() Contest {
	return Contest{
		Effect: Effect{
			Contest: x.ContestSettled.Contest, Settled: x.Event, ActingCards: x.ActingCards,
			OpposingCards: x.OpposingCards, Advantage: x.Advantage, Modifier: x.Modifier,
		},
		Ordinal: x.Ordinal, Turn: x.Turn, Kind: x.Kind, Acting: x.Acting, Opposing: x.Opposing,
		Subject: x.Subject, Scope: append([]string{}, x.Scope...),
		Effects: append([]events.Figure{}, x.Effects...),
		Fate:    x.Fate,
	}
}

// success is how a base's die reads that has one.
const success = "success"

// addResult adds each reading to its side's total; first and second stay apart.
func addResult(totals []Total, r *Result) []Total {
	for _, reading := range r.Readings {
		key := Total{
			Procedure: r.Procedure, Box: r.Subject, Attacker: r.Attacker, Reading: reading.Name, Side: reading.Side,
		}
		t := findTotal(&totals, key)
		t.Rolls++
		t.First += int64(reading.First)
		t.Second += int64(reading.Second)
		if IsBase(r.Procedure) && reading.Result == success {
			t.Successes++
		}
	}
	return totals
}

func findTotal(totals *[]Total, key Total) *Total {
	for i := range *totals {
		t := &(*totals)[i]
		found := key
		found.Rolls, found.First, found.Second, found.Successes = t.Rolls, t.First, t.Second, t.Successes
		if found == *t {
			return t
		}
	}
	*totals = append(*totals, key)
	return &(*totals)[len(*totals)-1]
}
