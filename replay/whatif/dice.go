package whatif

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

func (w *run) unfitDice(s *recordedCommand, open *campaign.Question) string {
	var typed events.DiceTyped
	var denied events.DiceDenied
	var rolled events.DiceRolled
	var lapsed events.RollLapsed
	var was events.RollDeclared
	if first := &s.heard[0]; first.Read(&typed) || first.Read(&denied) || first.Read(&rolled) || first.Read(&lapsed) {
		if e, ok := w.event(max(typed.Declared, denied.Declared, rolled.Declared, lapsed.Declared)); ok {
			e.Read(&was)
		}
	}
	switch {
	case open == nil || open.Roll == nil:
		return "no dice are asked for"
	case open.Roll.Declared.Purpose != was.Purpose || !slices.EqualFunc(open.Roll.Declared.Throws, was.Throws,
		sameDice):
		return "other dice are asked for"
	case (s.command.Verb == campaign.VerbConfirm) != (open.Roll.Typed != nil):
		return "these dice are not the ones typed"
	}
	return ""
}

// throwAtTable throws the dice that a table is asked for, and that the record does not have.
func (w *run) throwAtTable() error {
	for w.campaign().Open != nil && w.campaign().Open.Roll != nil {
		open := w.campaign().Open
		w.thrown++
		w.branch.made = nil
		if open.Roll.Awaits() {
			if err := w.throwAwaited(); err != nil {
				return err
			}
			continue
		}
		for i, entry := range w.attested(open) {
			a, err := w.simulator.Hear(entry)
			if err == nil && a.Verdict == rules.Refused {
				err = fmt.Errorf("the dice of the seed are refused: %s", a.Violations[0].Message)
			}
			if w.chances.settle(err == nil); err != nil {
				return fmt.Errorf("throw %d: %w", i, err)
			}
		}
		w.chances.fresh = append(w.chances.fresh, open.Index)
		w.compare(nil, w.branch.made)
	}
	return nil
}

// fall lets the dice of the roll that awaits a round fall: as in the record, or else by the seed.
func (w *run) fall(c rules.Command) (replay.Answer, error) {
	open := w.campaign().Open
	roll := open.Roll.Declared
	was := w.chances.awaited[open.Index]
	if was != nil && len(was.dice) == len(roll.Throws) {
		a := was.fell
		a.Dice = was.dice
		return w.simulator.Throw(c, a)
	}
	w.chances.news = append(w.chances.news, open.Index)
	now := w.campaign()
	seed := keys.Seeded(w.Seed, "round", fmt.Sprint(open.Index))
	a, err := rehear.SampleDice(seed, now.Seeds(now.Epoch).Dice(w.id, now.Epoch, open.Index, 0), roll)
	if err != nil {
		return replay.Answer{}, err
	}
	return w.simulator.Throw(c, a)
}

// throwAwaited throws the dice that await a round which the record does not have.
func (w *run) throwAwaited() error {
	a, err := w.fall(rules.Command{ID: fmt.Sprintf("%s/round/%d", w.Seed, w.thrown), Seat: campaign.UmpireSeat,
		Verb: campaign.VerbRound, Body: json.RawMessage("{}")})
	w.chances.settle(err == nil && a.Events > 0)
	if err == nil && a.Verdict == rules.Refused {
		err = fmt.Errorf("the dice of the seed are refused: %s", a.Violations[0].Message)
	}
	w.compare(nil, w.branch.made)
	return err
}

// lapse names the round that was named in the record when the roll lapsed.
func (w *run) lapse(s *recordedCommand) (replay.Answer, error) {
	e := &s.heard[0]
	var p events.RollLapsed
	if !e.Read(&p) {
		return replay.Answer{}, errNotThere
	}
	request := campaign.RequestIn(e)
	w.places[e.Index-w.From] = w.campaign().Next + 1
	p.Declared = w.campaign().Open.Index
	return w.simulator.Append(s.command.ID, campaign.Part{Command: s.command.ID, Seat: e.Seat, Request: &request,
		Drafts: []rules.Draft{{Payload: &p, Side: e.Side}}})
}

// openInRecord reports whether the roll that is open is one of the record, for which no dice fell there either.
func (w *run) openInRecord() bool {
	open := w.campaign().Open
	if open == nil || open.Roll == nil {
		return false
	}
	declared := w.From + uint64(slices.Index(w.places, open.Index+1))
	return declared >= w.From && w.stands(declared) && !slices.ContainsFunc(w.events, func(e events.Event) bool {
		var fell events.DiceRolled
		return e.Read(&fell) && fell.Declared == declared
	})
}

// attested are the entries by which dice of the seed come to a table: typed by one seat, if nobody
// has typed some, and confirmed by another.
func (w *run) attested(open *campaign.Question) []rules.Command {
	c := w.campaign()
	seats := c.SeatNames()
	command := func(id, seat, verb string, body any) rules.Command {
		raw, _ := json.Marshal(body)
		return rules.Command{ID: fmt.Sprintf("%s/%s/%d", w.Seed, id, w.thrown), Seat: seat, Verb: verb, Body: raw}
	}
	var list []rules.Command
	if open.Roll.Typed != nil { // and not confirmed in the record
		other := slices.IndexFunc(seats, func(s string) bool { return s != open.Roll.By })
		list = append(list, command("deny", seats[max(other, 0)], campaign.VerbConfirm,
			map[string]any{campaign.VerbConfirm: "no", "reason": "not the dice asked for"}))
	}
	link := keys.Seeded(w.Seed, "table", fmt.Sprint(w.thrown))
	// of what cannot be thrown there are none, and the entry is refused
	a, _ := rehear.SampleDice(link, c.Seeds(c.Epoch).Dice(w.id, c.Epoch, open.Index, 0), open.Roll.Declared)
	return append(list,
		command(campaign.VerbDice, seats[0], campaign.VerbDice, map[string]any{campaign.VerbDice: a.Dice}),
		command(campaign.VerbConfirm, seats[1], campaign.VerbConfirm, map[string]any{campaign.VerbConfirm: "yes"}))
}
