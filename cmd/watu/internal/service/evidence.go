package service

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/dice"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// rolls gives the roll that an event declares, answers or names, and the others that it rests on.
func (x *reader) rolls(e *events.Event) (named *Roll, earlier []Roll) {
	declared := x.declaredBy(e)
	named = x.roll(declared, e)
	for _, i := range x.restsOn(e) {
		if r := x.roll(i, e); i != declared && r != nil {
			earlier = append(earlier, *r)
		}
	}
	return named, earlier
}

// restsOn lists the rolls of an event's command whose dice were known when it was ruled on, in order: those since the
// result before. Events without rules rest on none, nor do those that name no roll though their type can.
func (x *reader) restsOn(e *events.Event) (list []uint64) {
	_, contest := x.contestOf(e)
	ruled := e.Type == "choice_asked" || len(e.Derivation) > 0 && len(e.Openings) == 0 && !contest
	p, _ := events.PayloadOf(e)
	for relation, of := range events.Refs(p) {
		if relation == string(history.Roll) {
			ruled = *of != 0
		}
	}
	if !ruled || e.Type == "roll_declared" || e.Type.AnswersRoll() {
		return nil
	}
	then, concluded := x.history.At(e.Index+1), false
	for _, place := range then.Command(e.Index).Events {
		for is, err := range then.InPlaceOf(place, func(i uint64) (*events.Event, error) { return x.at(i), nil }) {
			switch {
			case err != nil || slices.Contains(then.Versions(is.Index), e.Index):
				return list
			case is.Type == "roll_declared" && concluded:
				list, concluded = []uint64{is.Index}, false
			case is.Type == "roll_declared":
				list = append(list, is.Index)
			case !is.Type.AnswersRoll():
				_, names := then.Target(history.Roll, is.Index)
				concluded = concluded || names
			}
		}
	}
	return list
}

// roll gathers a declaration and the dice that answered it, and checks the one against the other. What was corrected
// is described by the declaration beside it, the original by its own; the dice are the same.
func (x *reader) roll(declared uint64, e *events.Event) *Roll {
	if declared >= x.c.Events {
		return nil
	}
	at, p := x.at(declared), events.RollDeclared{}
	first := declared
	if of := at.Corrects; of != 0 {
		first = of
	}
	for _, i := range x.history.At(e.Index+1).Sources(history.Corrects, first) {
		if e.Corrects != 0 && x.at(i).Type == p.Type() {
			at = x.at(i)
		}
	}
	if !at.Read(&p) {
		return nil
	}
	out := &Roll{
		Declared: at.Index, Purpose: p.Purpose, Subject: p.Subject, Net: p.Net,
		Modifiers: append([]events.Modifier{}, p.Modifiers...), Throws: []Throw{}, Links: []ChainLink{},
	}
	for _, t := range p.Throws {
		out.Throws = append(out.Throws, Throw{Throw: t, Fell: []int{}})
	}
	next := 0
	for _, i := range x.history.Sources(history.Roll, first) {
		var d events.DiceRolled
		if x.history.Type(i) != "dice_rolled" || x.at(i).Corrects != 0 || !x.at(i).Read(&d) || next >= len(out.Throws) {
			continue
		}
		out.Throws[next].Fell, out.Throws[next].Index = d.Dice, i
		next++
		for _, l := range d.Links {
			if !slices.ContainsFunc(out.Links, func(k ChainLink) bool { return k.Chain == l.Chain }) {
				out.Links = append(out.Links, x.link(x.at(first), events.Source{Chain: l.Chain, Position: l.Position},
					l.Link))
			}
		}
	}
	if len(out.Links) == 1 {
		link := out.Links[0]
		d := link.seeds.Dice(x.at(first).Campaign, x.at(first).Epoch, first, link.Source.Position)
		out.Follows = follows(chance.NewSampler(chance.Seed(d, chance.Contribution{Link: link.Link})), out.Throws)
	}
	switch p.Mode {
	case campaign.Attested:
		out.Attested = x.attested(first)
	case campaign.Beacon, campaign.Contested:
		x.byRound(&p, first, out)
	}
	return out
}

// byRound finds the round of a roll that awaits or awaited one, or throws its dice again from two links.
func (x *reader) byRound(p *events.RollDeclared, declared uint64, out *Roll) {
	awaited := cmp.Or(p.First, declared)
	named, answers := awaited, []*events.Event{}
	for _, i := range x.history.Sources(history.Roll, awaited) {
		if answers = append(answers, x.at(i)); x.at(i).Type == "roll_lapsed" {
			named = i
		}
	}
	if p.Mode == campaign.Contested {
		out.Follows = follows(dice.Linked(x.at(awaited), p.Ordinal, answers), out.Throws)
		return
	}
	var cosigners tree.Policy
	if at, err := x.f.Umpire().At(x.c.ID, named+1); err != nil {
		x.err = cmp.Or(x.err, err)
	} else if at.Awaits() {
		cosigners = at.Open.Roll.Cosigners
	}
	out.Round = dice.RoundOf(x.at(0), x.at(awaited), x.hash(awaited), cosigners, answers)
	if s := out.Round.Sampler(p.Ordinal); s != nil && len(out.Links) == 0 {
		out.Follows = follows(s, out.Throws)
	}
}

// attested gathers the statements about dice that were thrown at a table.
func (x *reader) attested(declared uint64) *Attested {
	out := &Attested{Said: []timeline.NarratedEvent{}}
	for _, i := range x.history.Sources(history.Roll, declared) {
		e := x.at(i)
		switch p, _ := events.PayloadOf(e); p := p.(type) {
		case *events.DiceTyped, *events.DiceDenied:
			out.Said = append(out.Said, timeline.NarrateEvent(e, 0))
		case *events.DiceRolled:
			out.Typed, out.Confirmed = p.Typed, p.Confirmed
		default:
			continue
		}
		var r struct {
			Entry struct {
				By string `json:"by"`
			} `json:"entry"`
		}
		if json.Unmarshal([]byte(e.Request), &r) == nil && r.Entry.By != "" && !slices.Contains(out.Umpire, e.Seat) {
			out.Umpire = append(out.Umpire, e.Seat)
		}
	}
	return out
}

// link holds a revealed link against the anchor stated for its epoch.
func (x *reader) link(declared *events.Event, s events.Source, link events.Hash) ChainLink {
	out := ChainLink{Source: s, Link: link}
	for _, i := range x.it.Anchors {
		e, p := x.at(i), events.EpochBegun{}
		if e.Read(&p) && e.Epoch != declared.Epoch {
			continue
		}
		out.seeds = cmp.Or(chance.Seeds(p.Seeds), out.seeds)
		for _, a := range events.AnchorsIn(e) {
			if a.Chain == s.Chain {
				out.Anchor, out.Stated = a.Anchor, i
				out.Anchored = s.Position <= a.Length && chance.VerifyLink(a.Anchor, s.Position, link)
			}
		}
	}
	return out
}

// follows throws the dice again from what decided them.
func follows(s *chance.Sampler, throws []Throw) bool {
	for _, t := range throws {
		if s == nil || t.Dice < 0 || t.Dice > 1000 || t.Sides < 2 || t.Sides > chance.MaxSides ||
			!slices.Equal(s.Throw(t.Throw), t.Fell) {
			return false
		}
	}
	return true
}

// led describes the results of a roll.
func (x *reader) led(r *Roll) []timeline.NarratedEvent {
	var list []timeline.NarratedEvent
	if r == nil {
		return nil
	}
	first := r.Declared
	if of := x.at(first).Corrects; of != 0 {
		first = of
	}
	for _, i := range x.history.Sources(history.Roll, first) {
		if x.history.Type(i) == "result_adjudicated" {
			list = append(list, x.line(i))
		}
	}
	return list
}

// raids lists the raids of an income: those before it in its step. One that stands in the place of
// another has of the raids of that step those that stood when it was collected again.
func (x *reader) raids(e *events.Event) []Raid {
	var list []Raid
	steps := []string{e.Command}
	stood := func(uint64) bool { return true }
	if e.Corrects != 0 {
		steps = append(steps, x.at(e.Corrects).Command)
		for _, i := range x.history.At(e.Index).Sources(history.Corrects, e.Corrects) {
			steps = append(steps, x.at(i).Command)
		}
		then := x.history.At(e.Index + 1)
		stood = func(index uint64) bool { return index < e.Index && then.Stands(index) && !x.raidedAgain(index, e) }
	}
	slices.Sort(steps)
	var all []uint64
	for _, command := range slices.Compact(steps) {
		all = append(all, x.history.CommandNamed(command).Events...)
	}
	slices.Sort(all)
	for _, i := range all {
		if r := x.at(i); raided(r) && stood(i) {
			list = append(list, Raid{NarratedEvent: x.line(i), Derivation: r.Derivation})
		}
	}
	return list
}

// raidedAgain reports whether another raid came in the place of one before an income was collected again.
func (x *reader) raidedAgain(index uint64, income *events.Event) bool {
	return slices.ContainsFunc(x.history.At(income.Index).Sources(history.Corrects, index), func(i uint64) bool {
		return i >= income.Corrects && raided(x.at(i))
	})
}

// raided reports whether an event takes something off an income.
func raided(e *events.Event) bool { return e.Type == "convoy_raided" || e.Type == "convoy_disrupted" }

// income finds what was collected after a raid.
func (x *reader) income(e *events.Event) []timeline.NarratedEvent {
	for _, i := range x.history.CommandNamed(e.Command).Events {
		if i > e.Index && x.at(i).Type == "income_collected" {
			return []timeline.NarratedEvent{x.line(i)}
		}
	}
	return nil
}

// draw describes a draw. Its link is not in the log.
func (x *reader) draw(declared uint64) *Draw {
	var p events.DrawDeclared
	if declared >= x.c.Events || !x.at(declared).Read(&p) {
		return nil
	}
	out := &Draw{Declared: declared, Deck: p.Deck, Count: p.Count, PoolSize: p.PoolSize}
	out.Link = x.link(x.at(declared), p.Source, events.Hash{})
	for _, i := range x.history.Sources(history.Draw, declared) {
		out.Drawn = i
	}
	return out
}

// contest describes a contest play by play.
func (x *reader) contest(index uint64) *Contest {
	out := &Contest{Index: index, Plays: []timeline.NarratedEvent{}}
	var list []uint64
	if x.history.Type(index) == "contest_opened" {
		list = []uint64{index}
	}
	for _, i := range append(list, x.history.Sources(history.Contest, index)...) {
		if x.history.Type(i) == "result_adjudicated" {
			continue // it uses the contest, and is no part of it
		}
		e := x.at(i)
		out.Plays = append(out.Plays, x.line(i))
		var p events.ContestSettled
		if e.Read(&p) {
			out.Settled = &p
			out.Caps = capsOfContest(&p)
		}
	}
	return out
}

// contestOf names the contest that an event is part of.
func (x *reader) contestOf(e *events.Event) (uint64, bool) {
	if e.Type == "contest_opened" {
		return e.Index, true
	}
	return x.history.Target(history.Contest, e.Index)
}

func capsOfContest(p *events.ContestSettled) []string {
	ahead := p.ActingCards - p.OpposingCards
	if p.Modifier != 0 && ahead != p.Modifier {
		return []string{fmt.Sprintf("%+d cards give %+d: a contest gives no more", ahead, p.Modifier)}
	}
	return nil
}

// result says what the rules made of the dice, with the tables' cells lit.
func (x *reader) result(p *events.ResultAdjudicated) *Result {
	out := &Result{
		Procedure: p.Procedure, Subject: p.Subject, Attacker: p.Attacker, Defender: p.Defender, Net: p.Net,
		Modifiers: append([]events.Modifier{}, p.Modifiers...), Readings: []Reading{}, Figures: p.Figures,
	}
	for _, r := range p.Readings {
		reading := Reading{Reading: r}
		if x.system.Table != nil {
			if t, ok := x.system.Table(r.Table); ok {
				reading.Lit, reading.Sheet, reading.Caps = lit(t, r), sheetOf(t, r), capsOf(t, r)
			}
		}
		out.Readings = append(out.Readings, reading)
	}
	return out
}

// lit prints the table with the cells consulted in brackets.
func lit(t *rules.Table, r events.Reading) string {
	marks := marksOf(t, r)
	if len(marks) == 0 {
		return ""
	}
	return t.Lit(marks...)
}

// capsOf says where a reading went beyond the table. Tables whose columns are not the roll's
// (51.31) have none.
func capsOf(t *rules.Table, r events.Reading) []string {
	var caps []string
	low, high, ok := rules.Band(r.Column)
	rolled, _ := t.Column(r.Modified)
	switch {
	case !ok || rolled != r.Column:
	case r.Modified < low:
		caps = append(caps, fmt.Sprintf("%d is below the first column and is read in column %s", r.Modified, r.Column))
	case r.Modified > low && high > low && r.Column == t.Columns[len(t.Columns)-1]:
		caps = append(caps, fmt.Sprintf("%d is read in the last column, %s", r.Modified, r.Column))
	}
	if len(r.Rows) > 1 {
		caps = append(caps, fmt.Sprintf("%d factors are more than the table has: rows %s are added, first and second "+
			"numbers apart", r.Factors, words.Numbers(r.Rows, ", ")))
	}
	return caps
}
