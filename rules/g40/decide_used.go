package g40

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// What the ledger has reckoned, spent, lost or used in a TURN or ROUND no fact restates; of what was merely told
// before, a fact that says otherwise is warned of. This file has one check for each kind of fact.

// booked are the treasuries that an event moves, beside a report.
func booked(p events.Payload) []string {
	switch p := p.(type) {
	case *events.IncomeCollected:
		return []string{p.Power}
	case *events.UnitsPurchased:
		if p.Cost > 0 {
			return []string{p.Power}
		}
	case *events.Compensated:
		if p.What == events.CompensatedTreasury {
			return []string{p.Of}
		}
	case *events.TerritoryCaptured: // a treasury that was empty was looted too
		if p.LootFrom != "" {
			return []string{p.LootFrom, p.LootTo}
		}
	}
	var list []string
	for _, m := range moves(p) {
		if m.IPCs > 0 {
			list = append(list, m.Treasury)
		}
	}
	return list
}

// reportTreasury reports what is in hand. In an exact edition no report restates a treasury in the ROUND in which it
// collected, paid, or was looted. Later on what was spent or taken beside the record is reported, and said to be
// another figure.
func (d *decision) reportTreasury(at, treasury string, ipcs int) {
	switch there := d.Treasury(treasury); {
	case !rules.Exact(d.Options) || ipcs == there:
	case d.spent[treasury]:
		todo := mendTreasury(treasury, ipcs-there)
		if ipcs < 0 { // no compensation makes a debt
			todo = "correct the entry that is wrong"
		}
		d.ViolateField(at, rules.Input, "%s has %d IPCs by what it collected, paid, took or lost in %s, not %d: %s",
			treasury, there, d.Turn.Label, ipcs, todo)
		return
	case d.booked[treasury]:
		d.Warn("%s has %d IPCs by its incomes and payments on record, and %d from here on", treasury, there, ipcs)
	}
	d.ReportTreasury(at, treasury, ipcs)
}

// mendTreasury says how a treasury is put right that an entry has moved in the ROUND.
func mendTreasury(treasury string, by int) string {
	return "correct the entry that is wrong, or give or take what is beside the rules, {compensate: {treasury: {" +
		treasury + ": " + fmt.Sprint(by) + "}, reason: …}}"
}

// mayReport says how a treasury is put right that has less than is wanted of it.
func (d *decision) mayReport(treasury string, lacks int) string {
	if rules.Exact(d.Options) && d.spent[treasury] {
		return mendTreasury(treasury, lacks)
	}
	return "report facts: {treasury: {" + treasury + ": …}}"
}

// checkPeace refuses a report by which powers are at peace that fought each other in this TURN; before is the state
// without it.
func (d *decision) checkPeace(at string, before game) {
	for _, power := range before.fighting() {
		if before.atWar(power, d.Player) && !d.atWar(power, d.Player) {
			d.ViolateField(at, rules.Input, "%s and %s fought in this TURN of %s, by the entries on record: report "+
				"their peace in a later TURN, or undo what was declared", d.Player, power, d.Player)
			return
		}
	}
}
