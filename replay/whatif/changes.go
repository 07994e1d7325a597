package whatif

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// change makes the changes of a scenario to what is to be heard.
func (w *run) change(list []turnfile.Change) error {
	for _, k := range list {
		if err := w.changeOne(k); err != nil {
			return err
		}
	}
	return nil
}

func (w *run) changeOne(k turnfile.Change) error {
	switch k.Kind {
	case "option":
		return w.rule(k.Name, k.Values[0])
	case "edition":
		return w.moveEdition(k.Name)
	}
	e, ok := w.at(k.Event)
	switch {
	case !ok && k.Event < w.From:
		return fmt.Errorf("%w: #%d lies before #%d, where the campaign is played again: begin there, or earlier",
			ErrChange, k.Event, w.From)
	case !ok:
		return fmt.Errorf("%w: the campaign has no event #%d; its last is #%d", ErrChange, k.Event,
			w.From+uint64(len(w.events))-1)
	}
	s, _ := w.stepOf(k.Event)
	switch k.Kind {
	case "die":
		return w.changeDie(e, k.Values)
	case "card":
		return w.changeCard(s, e, k.Values)
	case "ruling":
		return w.changeRuling(s, e, k.Values[0])
	}
	s, ok = w.begun(e.Command)
	switch {
	case !ok || s.command.Verb == campaign.VerbEpoch:
		return fmt.Errorf("%w: #%d came of no entry", ErrChange, k.Event)
	case k.Kind == "without":
		s.leftOut = true
		return nil
	}
	return s.rewrite(k.Apply)
}

// rewrite changes the entry of a command.
func (s *recordedCommand) rewrite(entry func(verb string, body []byte) ([]byte, error)) error {
	body, err := entry(s.command.Verb, s.command.Body)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrChange, err)
	}
	s.command.Body, s.changed = body, true
	return nil
}

// may says what may be changed at an event.
func may(e *events.Event) string {
	list := "the entry behind it (entry #%[1]d: {…}), or whether it is heard (without #%[1]d)"
	switch e.Type {
	case "dice_rolled":
		list = "its dice (die #%[1]d = …), " + list
	case "cards_drawn", "card_played":
		list = "its cards (card #%[1]d = …), " + list
	case "option_ruled":
		list = "the ruling (ruling #%[1]d = …), or whether it is heard (without #%[1]d)"
	}
	return fmt.Sprintf("#%[1]d is %[2]s; there may be changed "+list, e.Index, e.Type.Words())
}

// changeDie lets a throw fall otherwise.
func (w *run) changeDie(e *events.Event, values []string) error {
	var p events.DiceRolled
	if !e.Read(&p) || e.Corrects+e.Replaces != 0 {
		return fmt.Errorf("%w: no dice fell there: %s", ErrChange, may(e))
	}
	declared, ok := w.at(p.Declared)
	var roll events.RollDeclared
	if !ok || !declared.Read(&roll) {
		return fmt.Errorf("%w: the roll of #%d was declared before #%d, where the campaign is played again", ErrChange,
			e.Index, w.From)
	}
	i := slices.IndexFunc(roll.Throws, func(t events.Throw) bool { return t.Name == p.Throw })
	if i < 0 {
		return fmt.Errorf("%w: %s", ErrChange, may(e))
	}
	dice, err := readFallen(roll.Throws[i], e, values)
	if err != nil {
		return err
	}
	if roll.Mode == campaign.Attested {
		return w.retype(e, p, dice)
	}
	for _, was := range w.chances.record[declared.Command] {
		if n := slices.Index(was.rolled, e.Index); n >= 0 {
			was.dice = slices.Clone(was.dice)
			was.dice[n] = dice
			return nil
		}
	}
	return fmt.Errorf("%w: %s", ErrChange, may(e))
}

func readFallen(t events.Throw, e *events.Event, values []string) ([]int, error) {
	low, high := t.Shows()
	var dice []int
	for _, v := range values {
		n, err := strconv.Atoi(v)
		if err != nil || n < low || n > high {
			return nil, fmt.Errorf("%w: a die of #%d shows %d to %d, not %s", ErrChange, e.Index, low, high, v)
		}
		dice = append(dice, n)
	}
	if len(dice) != t.Dice {
		return nil, fmt.Errorf("%w: in #%d %s fell for %s, not %d: die #%d = %s", ErrChange, e.Index, dies(t.Dice),
			t.Name, len(dice), e.Index,
			strings.TrimSuffix(strings.Repeat(fmt.Sprint(high)+" ", t.Dice), " "))
	}
	return dice, nil
}

func dies(n int) string {
	if n == 1 {
		return "1 die"
	}
	return fmt.Sprintf("%d dice", n)
}

// retype has the seat that typed the dice of a table type others.
func (w *run) retype(e *events.Event, p events.DiceRolled, dice []int) error {
	for i := len(w.steps) - 1; i >= 0; i-- {
		s := &w.steps[i]
		var typed events.DiceTyped
		if s.first() > e.Index || !s.heard[0].Read(&typed) || typed.Declared != p.Declared {
			continue
		}
		return s.rewrite(func(_ string, body []byte) ([]byte, error) {
			var lists [][]int
			for _, t := range typed.Fell {
				if t.Throw == p.Throw {
					t.Dice = dice
				}
				lists = append(lists, t.Dice)
			}
			return set(body, campaign.VerbDice, lists)
		})
	}
	return fmt.Errorf("%w: nobody typed the dice of #%d after #%d, where the campaign is played again", ErrChange,
		e.Index, w.From)
}

// set gives an entry with one member changed.
func set(body []byte, member string, value any) ([]byte, error) {
	members := map[string]json.RawMessage{}
	err := json.Unmarshal(body, &members)
	if err != nil {
		return nil, err
	}
	if members[member], err = json.Marshal(value); err != nil {
		return nil, err
	}
	return json.Marshal(members)
}

// changeCard lets other cards be drawn, or another be played.
func (w *run) changeCard(s *recordedCommand, e *events.Event, cards []string) error {
	var drawn events.CardsDrawn
	var played events.CardPlayed
	switch {
	case e.Corrects+e.Replaces != 0:
	case e.Read(&drawn):
		if len(cards) != drawn.Count {
			return fmt.Errorf("%w: %d cards were drawn in #%d: name as many, not %d", ErrChange, drawn.Count, e.Index,
				len(cards))
		}
		for _, was := range w.chances.record[e.Command] {
			if was.draw != nil && was.side == e.Side && was.draw.Deck == drawn.Deck && !was.meant {
				was.cards, was.meant = cards, true
				return nil
			}
		}
	case e.Read(&played):
		if len(cards) != 1 {
			return fmt.Errorf("%w: one card was played in #%d: name one, not %d", ErrChange, e.Index, len(cards))
		}
		return w.replay(s, e, cards[0])
	}
	return fmt.Errorf("%w: no card was drawn or played there: %s", ErrChange, may(e))
}

// replay has a side play another card: in its answer, or in the entry that lists the cards.
func (w *run) replay(s *recordedCommand, e *events.Event, card string) error {
	nth, answer := 0, (*events.ChoiceMade)(nil)
	waiting, _ := w.begun(e.Command)
	for i := range w.events {
		k := &w.events[i]
		if k.Index == e.Index {
			break
		}
		var made events.ChoiceMade
		switch {
		case k.Index >= s.first() && k.Side == e.Side && k.Read(&made):
			answer = &made
		case k.Command == e.Command && k.Type == e.Type && k.Corrects == 0:
			nth++
		}
	}
	var options []string
	if answer != nil {
		options, _ = rehear.Chosen(&s.heard[0], answer, w.known)
	}
	switch {
	case len(options) == 1:
		return s.rewrite(func(_ string, body []byte) ([]byte, error) {
			return set(body, campaign.VerbAnswer, map[string]string{e.Side: card})
		})
	case waiting == nil || answer != nil:
		return fmt.Errorf("%w: the card of #%d was chosen with others: change the answer instead: entry #%d: "+
			"{answer: {…}}", ErrChange, e.Index, s.first())
	}
	return waiting.rewrite(func(_ string, body []byte) ([]byte, error) { return relist(body, nth, card) })
}

// relist changes the n-th card of an entry's list of cards, passes not counted.
func relist(body []byte, n int, card string) ([]byte, error) {
	var entry struct {
		Cards []map[string]string `json:"cards"`
	}
	if json.Unmarshal(body, &entry) != nil {
		return nil, errors.New("its cards are no list of one card after the other: change the entry instead")
	}
	for _, item := range entry.Cards {
		for side, was := range item {
			if was == "pass" {
				continue
			}
			if n--; n < 0 {
				item[side] = card
				return set(body, "cards", entry.Cards)
			}
		}
	}
	return nil, errors.New("its entry does not list the card: change the entry instead")
}

// changeRuling settles an option otherwise.
func (w *run) changeRuling(s *recordedCommand, e *events.Event, value string) error {
	if e.Type != "option_ruled" {
		return fmt.Errorf("%w: nothing was ruled there: %s", ErrChange, may(e))
	}
	return s.rewrite(func(_ string, body []byte) ([]byte, error) {
		var entry struct {
			Rule map[string]json.RawMessage `json:"rule"`
		}
		if err := json.Unmarshal(body, &entry); err != nil {
			return nil, err
		}
		raw, err := json.Marshal(value)
		entry.Rule["value"] = raw
		if err != nil {
			return nil, err
		}
		return set(body, campaign.VerbRule, entry.Rule)
	})
}

// rule settles an option where the campaign begins to be played again.
func (w *run) rule(option, value string) error {
	body, err := json.Marshal(map[string]any{campaign.VerbRule: map[string]string{"option": option, "value": value,
		"reason": "a supposition"}})
	if err != nil {
		return err
	}
	a, err := w.simulator.Hear(rules.Command{ID: w.Seed + "/rule/" + option, Seat: campaign.UmpireSeat,
		Verb: campaign.VerbRule, Body: body})
	if err != nil {
		return err
	}
	if a.Verdict == rules.Refused {
		return fmt.Errorf("%w: %s", ErrChange, a.Violations[0].Message)
	}
	return nil
}

// moveEdition plays on by another edition: what was as the edition had it until now is as the other
// has it.
func (w *run) moveEdition(name string) error {
	c := w.campaign()
	next, err := campaign.EditionOf(c.System, name)
	if err != nil || name == "" {
		return fmt.Errorf("%w: %w", ErrChange, err)
	}
	r, err := w.simulator.Timeline().RuledBy(c.History)
	if err != nil {
		return err
	}
	p := r.Move(c.System, next, "a supposition")
	if len(p.Options) == 0 {
		return fmt.Errorf("%w: by edition %s nothing is otherwise than this campaign has it by edition %s",
			ErrChange, p.Now, p.Was)
	}
	c.Edition = next.Hash
	command := w.Seed + "/edition"
	_, err = w.simulator.Append(command, campaign.Part{Command: command, Seat: campaign.UmpireSeat,
		Drafts: []rules.Draft{{Payload: p}}})
	return err
}
