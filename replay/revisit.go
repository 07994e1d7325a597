package replay

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// revisited is an earlier command with all that it was judged on.
type revisited struct {
	campaign *Campaign // at its head
	secrets  Secrets   // zero where only the record is known
	link     linker

	command  rules.Command // as last corrected
	before   rules.Game    // with what was corrected in it since
	heard    []events.Event
	standing map[uint64]*events.Event // the last correction of an event, by its index
	amending map[uint64][]uint64      // every event that stands in the place of another
	heads    []uint64                 // the corrections of the command
	gone     []uint64                 // what these took out
	said     map[uint64][]uint64      // what was said at the table of a roll's dice, by its declaration
	known    openings
	amended  bool // the command is heard on what stands by now
	unsure   bool // what came out may turn on a secret that is not known
}

// revisit finds the command behind an event.
func (u *Umpire) revisit(t *table, index uint64) (*revisited, error) {
	if index >= t.campaign.Next {
		return nil, fmt.Errorf("%w: campaign %s has no event %d; its last is %d", ErrNotCorrectable, t.campaign.Name, index, t.campaign.Next-1)
	}
	all, err := listed(u.ledger.Read(t.campaign.ID, 0, t.campaign.Next))
	if err != nil {
		return nil, err
	}
	list, err := u.ledger.Openings(t.campaign.ID, 0, t.campaign.Next)
	if err != nil {
		return nil, err
	}
	w, err := lookBack(t.campaign, all, openingsOf(list), index)
	if err == nil {
		w.secrets, w.link = t.secrets, t.campaign.linker(t.secrets)
	}
	return w, err
}

// lookBack finds the command behind an event in the campaign's events.
func lookBack(c *Campaign, all []events.Event, known openings, index uint64) (*revisited, error) {
	if index >= uint64(len(all)) {
		return nil, fmt.Errorf("%w: there is no event %d yet", ErrNotCorrectable, index)
	}
	command := commandBehind(all, index)
	w := &revisited{campaign: c, standing: map[uint64]*events.Event{}, amending: map[uint64][]uint64{}, said: map[uint64][]uint64{}, known: known}
	game := c.start
	var last *events.Event
	stands := events.Standing(all)
	for i := range stands {
		e := &stands[i]
		if begins := e.Command == command && e.Request != "" && e.Type != "referred" && e.Corrects == 0; begins {
			w.heard, w.before = []events.Event{*e}, game
		} else if len(w.heard) > 0 && e.Corrects == 0 && (e.Command == command || answers(e, w.heard)) {
			w.heard = append(w.heard, *e)
		}
		game = w.gather(e, game)
		var out events.Voided
		if e.Read(&out) && out.Command == command && out.Code != codeSlip {
			return nil, fmt.Errorf("%w: %q does not stand any more, since #%d", ErrNotCorrectable, command, e.Index)
		}
		var p events.Corrected
		if e.Read(&p) && p.Command == command {
			last, w.heads, w.gone = e, append(w.heads, e.Index), append(w.gone, p.Voids...)
		}
	}
	if by, void := events.VoidedIn(all)[index]; void && len(w.heard) == 0 {
		return nil, fmt.Errorf("%w: event %d does not stand any more, since #%d", ErrNotCorrectable, index, by)
	}
	if len(w.heard) == 0 {
		return nil, fmt.Errorf("%w: event %d belongs to %q, which led to nothing yet", ErrNotCorrectable, index, command)
	}
	if w.heard[0].Index == 0 {
		return nil, fmt.Errorf("%w: event %d belongs to the campaign's opening, which no entry asked for", ErrNotCorrectable, index)
	}
	if w.heard[0].Type == "edition_moved" {
		return nil, fmt.Errorf("%w: event %d moved the campaign to another edition; move it again instead", ErrNotCorrectable, index)
	}
	return w, w.read(last)
}

// gather folds the state, and corrects that before the command by what was corrected since.
func (w *revisited) gather(e *events.Event, game rules.Game) rules.Game {
	if e.Corrects != 0 {
		w.standing[e.Corrects] = e
		w.amending[e.Corrects] = append(w.amending[e.Corrects], e.Index)
	}
	if e.Type == "dice_typed" || e.Type == "dice_denied" {
		p, _ := events.PayloadOf(e)
		for _, declared := range events.Refers(p) {
			w.said[declared] = append(w.said[declared], e.Index)
		}
	}
	if len(w.heard) > 0 && e.Corrects != 0 && e.Corrects < w.heard[0].Index {
		w.before = w.before.Evolve(e, nil)
	}
	return game.Evolve(e, w.known.of(e))
}

// read reads the command back, as its last correction left it.
func (w *revisited) read(last *events.Event) error {
	own := openings{}
	for i := range w.heard {
		for _, o := range w.known.of(&w.heard[i]) {
			own[events.Ref{Index: o.Index, Slot: o.Slot}] = o
		}
	}
	c, err := commandOf(w.heard[0], own)
	if err != nil {
		return err
	}
	if !entered(c.Verb) {
		return fmt.Errorf("%w: %q is no entry with figures", ErrNotCorrectable, c.ID)
	}
	w.command = c
	if last == nil {
		return nil
	}
	var r Request
	if err := json.Unmarshal([]byte(last.Request), &r); err != nil {
		return fmt.Errorf("event %d: the recorded correction does not read: %w", last.Index, err)
	}
	w.command.Body = rules.Unseal(r.Entry, own.all())
	return nil
}

// entered reports whether a verb is that of an entry of play, which may have figures.
func entered(verb string) bool {
	switch verb {
	case verbAnswer, verbRule, verbReveal, verbDice, verbConfirm, verbEpoch, verbRules, commandOpen:
		return false
	}
	return !pleads(verb)
}

// answers reports whether e answers a question asked in a hearing.
func answers(e *events.Event, heard []events.Event) bool {
	asked, ok := answered(e)
	return ok && slices.ContainsFunc(heard, func(h events.Event) bool { return h.Index == asked })
}

// answered gives the question that an event answers, or the declaration that its dice are of.
func answered(e *events.Event) (asked uint64, ok bool) {
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.ChoiceMade:
		return p.Asked, true
	case *events.DiceRolled:
		return p.Declared, true
	}
	return 0, false
}

// commandBehind names the command that an event belongs to: for a correction the command
// corrected, for dice the one that declared them, whoever confirmed them.
func commandBehind(all []events.Event, index uint64) string {
	e := &all[index]
	var p events.Corrected
	var dice events.DiceRolled
	switch {
	case e.Corrects != 0 && e.Corrects < index:
		return commandBehind(all, e.Corrects)
	case e.Replaces != 0 && e.Replaces < index:
		return commandBehind(all, e.Replaces)
	case e.Read(&dice) && dice.Declared < index:
		return commandBehind(all, dice.Declared)
	case e.Read(&p):
		return p.Command
	}
	return e.Command
}
