package awaw

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// What codebreaking gives for a whole player turn holds for every later entry of that player turn, and no card adds to
// it. What it gives for one round, one attack or one mission is used up there.

// lastingRules are, for the contests whose effect is that of a player turn, the rule that says so and the rule that
// nothing adds to it.
var lastingRules = map[Contest][2]string{
	OnboardSubmarineContest: {"AWAW-48.41-B", "AWAW-48.42"},
	InterceptionContest:     {"AWAW-48.61-A", "AWAW-48.63-B"},
	RaidersContest:          {"AWAW-48.61-B", "AWAW-48.63-A"},
}

// lasting finds the contest of this player turn whose effect holds for another one. Where the cards gave nothing they
// may be played for the next attack.
func (d *decision) lasting(in CompareInput) (battle, bool) {
	if _, lasts := lastingRules[in.Contest]; !lasts || !d.carries() {
		return battle{}, false
	}
	if in.Contest == InterceptionContest && d.exact() && d.leadOf(in.Acting) <= 0 { // answered since (48.61-A)
		return battle{}, false
	}
	return d.battle(func(b battle) bool {
		same := b.acting == in.Acting
		if in.Contest == RaidersContest { // either side may have raiders there: the effect is on all of their rolls
			same = b.acting.Deck() == in.Acting.Deck() && slices.Contains(b.scope, in.Box.Name())
		}
		return b.player == d.player && b.kind == in.Contest.titleOf() && same && b.settled.Advantage != ""
	})
}

// laid are the cards that lie from earlier entries of the contest: those of the whole player turn are compared, and one
// that the opponent played before still counts (48.61-A, 48.63-C). Interceptions and counter-interceptions are one
// contest: not each of the two can have played more than the other.
func (d *decision) laid(t *table) (cards []play) {
	if _, lasts := lastingRules[t.kind]; !lasts || !d.exact() {
		return nil
	}
	if cards = d.lying(t); len(cards) > 0 {
		d.Cite(lastingRules[t.kind][0], "%s of this player turn still count: the cards are compared for all of it",
			words.Count(len(cards), "card"))
	}
	return cards
}

// leadOf is by how many cards a side leads in the interceptions of this player turn.
func (d *decision) leadOf(f Faction) (lead int) {
	for _, p := range d.lying(&table{contestEntry: contestEntry{kind: InterceptionContest, acting: f}}) {
		if lead--; p.side == f {
			lead += 2
		}
	}
	return lead
}

// lying are the cards of a contest's earlier entries in this player turn, in order.
func (d *decision) lying(t *table) (cards []play) {
	var before []uint64
	for b := range d.battles.Backward() {
		same := b.acting.Deck() == t.acting.Deck() && slices.Equal(b.scope, t.scope)
		if t.kind == OnboardSubmarineContest { // each side's attacks are apart (AMB-AWAW-19)
			same = b.acting == t.acting
		}
		if b.player == d.player && b.kind == t.kind.titleOf() && same {
			before = append(before, b.index)
		}
	}
	for p := range d.plays.Backward() {
		if p.turn != d.turn {
			break
		}
		if p.back == 0 && slices.Contains(before, p.contest) {
			cards = append(cards, p)
		}
	}
	slices.Reverse(cards)
	return cards
}

// stand records that the effect of a contest holds here too. It refuses a card played for more.
func (d *decision) stand(b battle, in CompareInput, subject string, cards *[]map[string]string) {
	rule := lastingRules[in.Contest]
	if cards != nil && slices.ContainsFunc(*cards, plays) {
		d.ViolateField("cards", rule[1], "the cards for %s were compared in this player turn (event %d), and what "+
			"they gave holds for all of it: no card adds to it; leave cards out", in.Contest.Name(), b.index)
		return
	}
	p := b.settled
	p.Subject, p.Effects = subject, slices.Clone(p.Effects)
	if b.acting != in.Acting {
		p.Acting, p.Opposing, p.Modifier = p.Opposing, p.Acting, -p.Modifier
		p.ActingCards, p.OpposingCards = p.OpposingCards, p.ActingCards
	}
	d.Cite(rule[0], "the cards of event %d give their effect for all of this player turn", b.index)
	d.Record(in.Acting.Title(), &p)
}

// comparedOnce wants tactical cards for one round or one attack to be compared once: a second lead gives no more than
// the first (48.52). Which round or attack it is, the subject says.
func (d *decision) comparedOnce(in CompareInput, subject string, cards *[]map[string]string) bool {
	if in.Contest != SearchContest && in.Contest != NavalNationalityContest || in.AfterMagic ||
		cards != nil && !slices.ContainsFunc(*cards, plays) && !d.exact() { // no cards would settle it anew, for nobody
		return true
	}
	compared := func(b battle) bool {
		return b.player == d.player && b.kind == in.Contest.titleOf() && b.acting.Deck() == in.Acting.Deck() &&
			d.sameRound(b.settled.Subject, subject)
	}
	b, again := d.battle(func(b battle) bool { return compared(b) && b.settled.Advantage != "" })
	even, tied := d.battle(compared)
	if tied && !again {
		d.Warn("the cards for %s were compared in this player turn (event %d) and gave nobody an advantage; those "+
			"played now are compared by themselves, for the same round or attack", in.Contest.Name(), even.index)
	}
	alike, like := d.battle(func(b battle) bool {
		return b.player == d.player && b.kind == in.Contest.titleOf() && b.acting.Deck() == in.Acting.Deck() &&
			b.settled.Advantage != "" && within(b.settled.Subject, subject)
	})
	if like && !again && !tied {
		d.Warn("the cards for %s were compared for %q in this player turn (event %d): if %q is the same round or "+
			"attack, its effect stands", in.Contest.Name(), alike.settled.Subject, alike.index, subject)
	}
	const same = "the cards for %s were compared in this player turn (event %d), and one round or attack has one " +
		"effect: of another say which, such as subject: Midway, round 2"
	switch {
	case again && d.strict():
		d.ViolateField("contest.subject", "AWAW-48.52", same, in.Contest.Name(), b.index)
	case again:
		d.Warn(same, in.Contest.Name(), b.index)
	}
	return !d.Refused()
}

// plays reports whether an item of a list of cards plays one.
func plays(item map[string]string) bool {
	return slices.ContainsFunc(slices.Sorted(maps.Values(item)), func(word string) bool { return !nothing(word) })
}

// followsMagic gives the first search of a combat that began with a Magic interception the card that this counts as,
// once for each mission (48.62).
func (d *decision) followsMagic(e *heldContest) bool {
	const rule, field = "AWAW-48.62", "contest.subject"
	if !d.carries() || e.Kind != SearchContest || e.Acting.Deck() != Magic {
		return true
	}
	open := slices.DeleteFunc(slices.Clone(d.magic), func(x interception) bool { return x.searched })
	x, found := d.searches(open, e.Subject)
	switch {
	case found && e.Acting == Japan:
		d.ViolateField("contest.acting", rule, "the first search against %s is that of the U.S., which intercepts it "+
			"by Magic: enter it with acting: United States; Japan plays first in it", x.mission)
	case found:
		if e.After = true; d.same(x.mission, e.Subject) {
			e.Subject = x.mission
		}
	case !e.After && len(open) > 0 && d.otherCombat(open, e.Subject):
	case !e.After && len(open) > 0:
		d.Warn("a mission that Magic intercepts awaits its first search, in which the U.S. has a card more: "+
			"if this is that one, say so, subject: %s", missionsOf(open))
	case !e.After || e.Acting == Japan:
	case len(open) == 0:
		d.ViolateField(field, rule, "no mission that Magic intercepts in this player turn awaits its first search")
	default:
		d.ViolateField(field, rule, "a Magic interception counts in the first search against its own mission: "+
			"subject: %s", missionsOf(open))
	}
	return !d.Refused()
}

// otherCombat reports whether a search is certainly not the first one against a mission that Magic intercepts: it is of
// a later round of something else, or against another mission that Japan has announced (48.62).
func (d *decision) otherCombat(open []interception, subject string) bool {
	of, round := roundIn(d.read(subject))
	_, its := d.searches(open, of)
	_, announced := d.battle(func(b battle) bool {
		return b.kind == MagicInterceptionContest.titleOf() && b.player == d.player &&
			slices.ContainsFunc(b.scope, func(mission string) bool { return d.sameRound(mission, of) })
	})
	return !its && (round > 1 || announced)
}

// searches finds the mission whose first search a search is.
func (g game) searches(open []interception, subject string) (interception, bool) {
	return rules.Find(open, func(x interception) bool { return g.sameRound(x.mission, subject) })
}

func missionsOf(list []interception) string {
	return words.Or(rules.Each(list, func(x interception) string { return x.mission }))
}
