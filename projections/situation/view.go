// Package situation shows how the board stands, as far as the record says: who holds the territories
// that changed hands, where the submarines of each power lie, what raids on convoys and bombing took
// of each territory the last time that there were some, which facilities are damaged, and the
// operations that were declared. Each of these carries the event that says so.
//
// What nobody has reported or taken is as the board has it at the set-up, and the package knows no
// board: it leaves that to whoever draws the two together.
//
// A correction stands where the first stood: what was stated since still counts. Unlike in the views of money, what was
// corrected or voided is not shown, for it never stood on the board.
//
// All of it is public: who sees more of the log than others sees the same here.
//
// # From an event to its figure
//
//	CampaignOpened       order of the powers           View.Apply, in view.go
//	TurnAdvanced         the game turn                 View.Apply, in view.go
//	FactReported         Holding; submerged            board.fact, in report.go
//	TerritoryCaptured    Holding; Facility: its kind   board.enter, in report.go; board.convert, in facilities.go
//	ConvoyRaided, ConvoyDisrupted
//	                     Raided: damage                board.raid, in report.go
//	EconomicAttackMade, FacilityDamaged
//	                     Bombed: damage                board.bomb, in report.go
//	FacilitiesReported, FacilityDamaged, FacilitiesRepaired, FacilityBuilt
//	                     Facility: damage, limit       board.facility, in facilities.go
//	SubmarinesReported   Station: submarines, count    board.report, in submarines.go
//	SubmarinesHunted     Submarine: detected           board.submarine, in submarines.go
//	SubmarinesSubmerged  Submarine: submerged          board.dive, in submarines.go
//	UnitsReported, UnitsMobilized, UnitsLost
//	                     Station: count                board.count, in submarines.go
//	OperationDeclared    Operation                     board.enter, in report.go
//	OperationCarriedOut  Operation: carried out        board.carryOut, in report.go
package situation

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/projections"
)

// Version is the version of the report; fold that of the fold and of what is saved.
const (
	Version = 1
	fold    = 3
)

// The facts that are read, and the unit that is looked for.
const (
	factControl   = "control"
	factSubmerged = "submerged"
	submarine     = "submarine"
)

// Projection is the situation projection.
func Projection() projections.Projection {
	return projections.Projection{
		Name: "situation", Version: fold,
		New:   func() projections.View { return &View{} },
		Types: append([]events.Type{"campaign_opened", "turn_advanced", "voided", "corrected"}, bearing...),
	}
}

// bearing lists the events that have a bearing on the board.
var bearing = []events.Type{
	"fact_reported", "territory_captured", "submarines_reported", "submarines_hunted", "submarines_submerged",
	"units_reported",
	"units_mobilized", "units_lost", "convoy_raided", "convoy_disrupted", "economic_attack_made", "facilities_reported",
	"facility_damaged", "facilities_repaired", "facility_built", "operation_declared", "operation_carried_out",
}

// View is the situation of one campaign: what has a bearing on it, in the order in which it counts.
// The zero value is the view before the first event.
type View struct {
	powers  []string // in the order of the campaign's opening
	turns   []turn
	entries []entry
}

// turn is a game turn and the event that began it.
type turn struct {
	first, ordinal uint64
	label          string
}

// entry is an event that has a bearing on the board, and where it stands.
type entry struct {
	event    uint64
	corrects uint64
	ordinal  uint64
	turn     string
	kind     string
	payload  string // as the event has it
}

// Apply takes the next event. What does not count any more never stood on the board.
func (v *View) Apply(e history.Row, _ []events.Opening) {
	if !e.Counts() {
		return
	}
	switch e.Type {
	case "campaign_opened":
		var p events.CampaignOpened
		if e.Read(&p) {
			v.powers = slices.Clone(p.Sides)
		}
		return
	case "turn_advanced":
		var p events.TurnAdvanced
		if e.Read(&p) {
			v.turns = append(v.turns, turn{e.Place, p.Ordinal, p.Label})
		}
		return
	}
	if !bears(e.Event) {
		return
	}
	x := entry{event: e.Index, corrects: e.Corrects, ordinal: e.Turn.Ordinal, turn: e.Turn.Label, kind: string(e.Type),
		payload: e.Payload}
	if e.Original == e.Index {
		x = v.dated(x)
	}
	v.entries = append(v.entries, x)
}

// dated puts what comes with the correction of another event, as a raid that was overlooked, into
// the game turn of that.
func (v *View) dated(x entry) entry {
	if x.corrects == 0 {
		return x
	}
	for i := len(v.turns) - 1; i >= 0; i-- {
		if t := v.turns[i]; t.first <= x.corrects {
			x.ordinal, x.turn = t.ordinal, t.label
			break
		}
	}
	return x
}

// bears reports whether an event can be read and has a bearing on the board. A fact that is sealed
// says nothing to anybody.
func bears(e *events.Event) bool {
	if !slices.Contains(bearing, e.Type) {
		return false
	}
	p, err := events.PayloadOf(e)
	if err != nil {
		return false
	}
	if fact, ok := p.(*events.FactReported); ok {
		return !fact.Secret && (fact.Fact == factControl || fact.Fact == factSubmerged)
	}
	return true
}

// Save gives the state of the fold.
func (v *View) Save() []byte { return projections.Save(v.pack) }

// Load replaces the state.
func (v *View) Load(saved []byte) error {
	*v = View{}
	return projections.Load(saved, v.pack)
}

func (v *View) pack(p *projections.Pack) {
	projections.List(p, &v.powers, (*projections.Pack).Text)
	projections.List(p, &v.turns, func(p *projections.Pack, t *turn) {
		p.Uint(&t.first)
		p.Uint(&t.ordinal)
		p.Text(&t.label)
	})
	projections.List(p, &v.entries, func(p *projections.Pack, x *entry) {
		for _, n := range []*uint64{&x.event, &x.corrects, &x.ordinal} {
			p.Uint(n)
		}
		for _, text := range []*string{&x.turn, &x.kind, &x.payload} {
			p.Text(text)
		}
	})
}
