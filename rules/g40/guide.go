package g40

import (
	"fmt"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
	"github.com/watu-ledger/watu/rules/board"
)

// phaseOf is the phase that an entry of a side begins, or belongs to.
var phaseOf = map[string]string{
	"research": phaseResearch, "purchase": phasePurchase, "repair": phasePurchase, "attack": phaseMove,
	"capture": phaseCombat, "bombing raid": phaseCombat, "mobilize": phaseMobilize,
	"collect income": phaseCollect,
}

// now is a decision without a command, by which a form asks what the rules say.
func (g game) now() *decision {
	return &decision{game: g, Case: g.Case(rules.Command{}, rules.NewHearing(nil, func(int) uint64 { return 0 }))}
}

// Due implements [rules.Guide].
func (g game) Due(verb, side string) bool {
	d := g.now()
	if verb == "kamikaze" {
		japan, plays := d.japan()
		return plays && side == japan
	}
	phase, timed := phaseOf[verb]
	return !timed || d.Enter(side, phase, rules.Input) && len(d.Outcome().Warnings) == 0
}

// Likely implements [rules.Guide]: what is bought has its price, what is placed was bought, and what is attacked has a
// holder.
func (g game) Likely(verb, power, kind string) (list []rules.Likely) {
	d, p := g.now(), g.purse(power)
	switch verb + " " + kind {
	case "purchase ware":
		for _, ware := range g.Names(kind) {
			if x := d.price(p, ware); x.rule != "" {
				list = append(list, rules.Likely{Name: ware, Note: fmt.Sprintf("%d IPCs", x.each), IPCs: x.each})
			}
		}
	case "mobilize unit":
		left, _ := d.unplaced(p)
		for _, u := range left {
			if u.Count > 0 {
				list = append(list, rules.Likely{Name: u.Name, Note: fmt.Sprintf("%d bought", u.Count)})
			}
		}
	case "mobilize space":
		list = axisallies.Near(d.Board, func(s board.Space) bool { return d.produces(p, s) })
	case "capture territory", "bombing raid territory", "attack space":
		for _, s := range d.Board.Spaces() {
			if holder := d.holder(s); !s.Water && holder != "" && d.atWar(power, holder) {
				list = append(list, rules.Likely{Name: d.Board.TableSpace(s.Name), Note: "held by " + holder})
			}
		}
	}
	return list
}
