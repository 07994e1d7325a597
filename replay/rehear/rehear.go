// Package rehear judges commands, and holds what follows from one to what is recorded.
//
// A command is judged by [Run] on the game before it. What it needs on the way it asks a [rules.Source]. Live play and
// every way of hearing a command again differ in that source, and in the game:
//
//	live play     the game at the head              a Chain
//	completion    the game at the declaration       First(what is recorded, a Chain)
//	trial         the game as it stood then         what is recorded
//	correction    the game by what counts now       what is recorded; dice thrown again: First(what was, a Chain)
//	what-if       the game of the what-if         the dice and cards of the record, then a Chain of its seed
//
// What is recorded is read back by [Recorded]; [rules.Given] makes a source of it. Where a source has no answer the
// judgement ends, and waits for one. A source may be partly blind: an answer that is sealed to the reader is unknown
// ([rules.Answer.Unknown]), and [rules.Outcome.Sealed] then names the commitments that the outcome rests on.
//
// [Compare] lists what of the events that follow is otherwise than recorded. The package reads no record by itself,
// folds nothing and stores nothing: whoever calls it finds the game, the recorded events and the links of the chains.
package rehear

import (
	"errors"
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// mostAnswers guards against a system that never stops asking.
const mostAnswers = 10_000

// Run judges a command on the game before it. Place gives the index in the campaign that the n-th draft has or will
// have, counted from 0. The error is the source's, or of a system that breaks its contract; a refusal is an outcome.
func Run(before rules.Game, c rules.Command, s rules.Source, place func(int) uint64) (rules.Outcome, error) {
	asked := &watched{Source: s}
	h := rules.NewHearing(asked, place)
	before.Decide(c, h)
	o := h.Outcome()
	switch {
	case h.Err() != nil:
		return rules.Outcome{}, h.Err()
	case o.Verdict == rules.Referred && asked.fell:
		return rules.Outcome{}, fmt.Errorf("entry %q: a ruling is asked for after dice fell or cards were drawn, "+
			"which nobody would have declared", c.ID)
	}
	return o, distinct(c.ID, o.Drafts)
}

// watched is a source that gives no more than [mostAnswers], and notes whether a link was spent for one of them.
type watched struct {
	rules.Source
	answers int
	fell    bool
}

// Answer asks the source.
func (s *watched) Answer(n rules.Need, at uint64) (a rules.Answer, ok bool, err error) {
	if s.answers++; s.answers > mostAnswers {
		return a, false, errors.New("the ruling asks for more than 10,000 answers")
	}
	a, ok, err = s.Source.Answer(n, at)
	awaited := n.Roll != nil && (n.Roll.Mode == Beacon || n.Roll.Mode == Contested)
	s.fell = s.fell || awaited && ok || n.Roll != nil && len(n.Roll.Sources) > 0 ||
		n.Draw != nil && n.Draw.Source.Chain != ""
	return a, ok, err
}

// distinct holds a command to one secret a slot, over all its steps: a second one would have
// the salt of the first. A choice is an answer's own secret: it stands in a command of its own.
func distinct(command string, drafts []rules.Draft) error {
	taken := map[string]bool{}
	for _, d := range drafts {
		if _, answer := d.Payload.(*events.ChoiceMade); answer {
			continue
		}
		for _, s := range d.Secrets {
			if taken[s.Slot] {
				return fmt.Errorf("entry %q: two secrets in slot %q", command, s.Slot)
			}
			taken[s.Slot] = true
		}
	}
	return nil
}

// FirstOf asks each of the sources in turn, until one answers.
func FirstOf(sources ...rules.Source) rules.Source { return first(sources) }

type first []rules.Source

func (f first) Answer(n rules.Need, at uint64) (a rules.Answer, ok bool, err error) {
	for _, s := range f {
		if a, ok, err = s.Answer(n, at); ok || err != nil {
			break
		}
	}
	return a, ok, err
}
