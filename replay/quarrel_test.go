package replay_test

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
)

// quarrel contests something, or goes on with what is contested: not everything makes sense.
func (p *player) quarrel() {
	now := p.c.now()
	var open []uint64
	for _, d := range now.Docket.Disputes(now.History) {
		if d.Open() {
			open = append(open, d.Index)
		}
	}
	seat := pick(p, now.Seats...).Name
	if len(open) == 0 || p.IntN(4) == 0 {
		p.contest(seat, now)
		return
	}
	on := pick(p, append(open, uint64(p.IntN(int(now.Next))))...)
	switch p.IntN(4) {
	case 0:
		_, _ = p.sayAs(seat, "statement",
			entry{"statement": entry{"dispute": on, "text": fmt.Sprintf("it was %d", p.IntN(100))}})
	case 1:
		_, _ = p.sayAs(seat, "evidence",
			entry{"evidence": entry{"dispute": on, "events": []int{p.IntN(int(now.Next) + 3)},
				"note": pick(p, "", "look")}})
	default:
		p.rule(on)
	}
}

// contest disputes an event, or one of the commands heard last, which may have been refused.
func (p *player) contest(seat string, now *campaign.Campaign) {
	e := entry{"claim": pick(p, "that is wrong", "we play it otherwise", "", "the table was misread")}
	if p.IntN(2) == 0 {
		e["event"] = p.IntN(int(now.Next) + 1)
	} else {
		e["refused"] = p.names[p.IntN(len(p.names))]
	}
	if p.IntN(2) == 0 {
		e["rule"] = pick(p, "GEN-ALL", "gen-all", "XYZ-1")
	}
	if p.IntN(3) == 0 {
		e["by"] = seat
		seat = campaign.UmpireSeat
	}
	_, _ = p.sayAs(seat, "dispute", entry{"dispute": e})
}

// rule ends a dispute in one of the four ways. Where there are treasuries nothing is ruled void: what
// was bought with money that is gone leaves a debt, which the shadow's books do not know.
func (p *player) rule(on uint64) {
	ways := []string{events.RulingUpheld, events.RulingCorrected, events.RulingPrecedent, events.RulingVoid}
	if len(p.c.board) > 0 {
		ways = ways[:3]
	}
	r := entry{"dispute": on, "ruling": pick(p, ways...), "reason": "drawn by lot"}
	if r["ruling"] == events.RulingCorrected {
		r["replace"] = entry{pick(p, "submarine warfare.asw", "harbor attack.distance", "turn", "damage"): p.IntN(20)}
	}
	if p.IntN(3) == 0 {
		r["rules"], r["scope"] = []string{"GEN-ALL"}, pick(p, events.ScopeCampaign, events.ScopeLeague)
	}
	_, _ = p.say("ruling", entry{"ruling": r})
}
