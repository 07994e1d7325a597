package rules

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// Hearing is one judgement of one command: the answers so far go in, what happens comes out.
// A system's Decide reads like straight play: Record, Roll, Draw, Choose, in order, returning
// as soon as one of the latter three reports that its answer is missing.
//
//	dice, ok := h.Roll(side, &events.RollDeclared{…})
//	if !ok {
//		return
//	}
//
// Being pure, Decide makes the same drafts again each time it is called with one answer more.
type Hearing struct {
	Findings

	source  Source
	err     error // of the source
	place   func(draft int) uint64
	drafts  []Draft
	need    *Need
	request json.RawMessage
	rolled  uint64
	sealed  []events.Ref // unopened commitments that were read so far
	cards   []events.Ref // that were played on the choices so far
	cut     bool         // it ends at one

	warnings []string
	warned   []int // how many drafts were made before each of them
}

// NewHearing starts a judgement. What it needs it asks the source, which is nil for none. Place gives the index in the
// campaign that the n-th draft has or will have, counted from 0.
func NewHearing(s Source, place func(draft int) uint64) *Hearing {
	return &Hearing{source: s, place: place}
}

// Err is what its source failed with. The outcome means nothing then.
func (h *Hearing) Err() error { return h.err }

// Record notes that something happens: payload p of side, for the reasons found since the
// last draft (the derivation so far is attached to it and starts anew).
func (h *Hearing) Record(side string, p events.Payload) *Draft {
	h.drafts = append(h.drafts, Draft{Payload: p, Side: side, Derivation: h.Derivation, Sealed: slices.Clip(h.sealed)})
	h.Derivation = nil
	return &h.drafts[len(h.drafts)-1]
}

// Warn tells whoever hands the command in what may be a slip though no rule forbids it. It is no part of the record.
func (h *Hearing) Warn(format string, args ...any) {
	h.warnings, h.warned = append(h.warnings, fmt.Sprintf(format, args...)), append(h.warned, len(h.drafts))
}

// Forbid refuses what rule forbids where the campaign's edition is firm ([Firm]), and warns of it where an older one
// hears it. It is called before any die is thrown and before anything is asked, so that nothing refused is declared.
func (h *Hearing) Forbid(firm bool, field, rule, format string, args ...any) {
	if firm {
		h.ViolateField(field, rule, format, args...)
	} else {
		h.Warn(format+" (%s)", append(slices.Clip(args), rule)...)
	}
}

// Last is the index of the last draft.
func (h *Hearing) Last() uint64 { return h.place(len(h.drafts) - 1) }

// Declared is the index of the roll last declared.
func (h *Hearing) Declared() uint64 { return h.rolled }

// Roll declares a roll and gives its dice, one list for each throw, once they have fallen.
func (h *Hearing) Roll(side string, r *events.RollDeclared) (dice [][]int, ok bool) {
	h.Record(side, r)
	h.rolled = h.Last()
	a, ok := h.answer(Need{Roll: r, Side: side})
	if !ok || !h.fits(r, a.Dice) {
		return nil, false
	}
	for i, throw := range r.Throws {
		p := &events.DiceRolled{Declared: h.rolled, Throw: throw.Name, Dice: a.Dice[i], Links: a.Links, Typed: a.Typed,
			Confirmed: a.Confirmed}
		if i == 0 {
			p.Round, p.Signature, p.Note = a.Round, a.Signature, a.Note
		}
		h.Record(throw.Side, p)
	}
	return a.Dice, true
}

// fits reports whether the dice are those that the roll calls for; recorded dice may not be
// once an input is corrected.
func (h *Hearing) fits(r *events.RollDeclared, dice [][]int) bool {
	ok := len(dice) == len(r.Throws)
	for i := 0; ok && i < len(dice); i++ {
		ok = len(dice[i]) == r.Throws[i].Dice
		low, high := r.Throws[i].Shows()
		for _, d := range dice[i] {
			ok = ok && d >= low && d <= high
		}
	}
	if !ok {
		h.Violate("GEN-DICE", "the dice thrown are not those that %s calls for", r.Purpose)
	}
	return ok
}

// Draw declares a draw and gives the positions drawn, from 1 in the pool laid out. Whoever hears a draw again without
// its link does not know them.
func (h *Hearing) Draw(side string, d *events.DrawDeclared) (positions Known[[]int], ok bool) {
	h.Record(side, d)
	a, ok := h.answer(Need{Draw: d, Side: side})
	if a.Unknown != nil {
		return Unknown[[]int](a.Unknown.At), true
	}
	return Fact(a.Positions), ok
}

// Played gives the cards that a record says were played on the choices so far: which of equal cards of a hand they
// were. In play there are none.
func (h *Hearing) Played() []events.Ref { return h.cards }

// Choose asks a side and gives what it chose.
func (h *Hearing) Choose(c *events.ChoiceAsked) (options []string, ok bool) {
	chosen, ok := h.choose(c)
	if !ok {
		return nil, false
	}
	h.Record(c.Of, &events.ChoiceMade{Asked: h.Last(), Options: chosen.value})
	return Value(h, chosen)
}

// ChooseInSecret asks a side and gives what it chose, which is recorded as a commitment.
func (h *Hearing) ChooseInSecret(c *events.ChoiceAsked) (options Known[[]string], ok bool) {
	c.Secret = true
	if options, ok = h.choose(c); !ok {
		return options, false
	}
	h.Record(c.Of, &events.ChoiceMade{Asked: h.Last()}).Secrets = []Secret{{Slot: SlotChoice,
		Fact: Map(options, asJSON)}}
	return options, true
}

// SlotChoice is the slot in which a secret choice is committed.
const SlotChoice = "choice"

func (h *Hearing) choose(c *events.ChoiceAsked) (Known[[]string], bool) {
	h.Record(c.Of, c)
	a, ok := h.answer(Need{Choice: c, Side: c.Of})
	h.cards = append(h.cards, a.Cards...)
	if a.Unknown != nil {
		return Unknown[[]string](a.Unknown.At), true
	}
	return Fact(a.Options), ok
}

// asJSON is the form in which options are committed.
func asJSON(options []string) string {
	fact, _ := json.Marshal(options)
	return string(fact)
}

// Refer ends the judgement with a question to the umpire: nothing of the command stands but
// the question, and the command is judged afresh once it is ruled.
// The entry is committed whole: it may name cards that are not played yet. A command may be
// referred more than once; each time it is a slot, and so a salt, of its own.
func (h *Hearing) Refer(c Command, r *events.Referred) {
	slot := "entry for " + r.Option
	h.drafts, h.warnings, h.warned = nil, nil, nil
	h.Record("", r).Secrets = []Secret{{Slot: slot, Fact: c.whole()}}
	h.request, _ = json.Marshal(Sealed(slot))
	h.need = &Need{Refer: r}
}

// note keeps which unopened commitments were read.
func (h *Hearing) note(at []events.Ref) { h.sealed = append(h.sealed, at...) }

// Show gives the command's body as the log may show it, each secret replaced by [Sealed].
// Without it the body is shown as it came.
func (h *Hearing) Show(body any) { h.request, _ = json.Marshal(body) }

func (h *Hearing) answer(n Need) (a Answer, ok bool) {
	if h.source != nil {
		a, ok, h.err = h.source.Answer(n, h.Last())
	}
	if !ok || h.err != nil {
		h.need = &n
		return Answer{}, false
	}
	return a, true
}

// Outcome ends the hearing.
type Outcome struct {
	Verdict    Verdict
	Drafts     []Draft
	Need       *Need           // set when Asked or Referred, and for a Roll or Draw to be made
	Violations []Violation     // set when Refused
	Warnings   []string        // of what no rule forbids ([Hearing.Warn]); none when Refused
	Request    json.RawMessage // the body as the log may show it, nil for as it came
	// Sealed are the unopened commitments that it read: none in play. Drafts and violations are made of facts all the
	// same (see [Known]); what may be otherwise is stated in each draft.
	Sealed []events.Ref
	Cut    bool // it ends before its end, at what is not known: more would follow

	warned []int // how many drafts were made before each warning
}

// WarnedBehind are the warnings that came once so many drafts had been made: those before them were given as the
// command was first heard.
func (o Outcome) WarnedBehind(drafts int) (warnings []string) {
	for i, text := range o.Warnings {
		if o.warned[i] >= drafts {
			warnings = append(warnings, text)
		}
	}
	return warnings
}

// Outcome says how the judgement stands. A refusal leaves no drafts.
func (h *Hearing) Outcome() Outcome {
	o := Outcome{
		Verdict: Allowed, Drafts: h.drafts, Need: h.need, Request: h.request, Sealed: h.sealed, Cut: h.cut,
		Warnings: h.warnings, warned: h.warned,
	}
	for i := range o.Drafts {
		d := &o.Drafts[i]
		for _, s := range d.Secrets {
			d.Sealed = slices.Concat(d.Sealed, s.Fact.Sealed())
		}
		d.Sealed = sortedRefs(slices.Clone(d.Sealed))
		o.Sealed = slices.Concat(o.Sealed, d.Sealed)
	}
	o.Sealed = sortedRefs(slices.Clone(o.Sealed))
	switch {
	case h.Refused():
		return Outcome{Verdict: Refused, Violations: h.Violations, Sealed: o.Sealed}
	case h.need != nil && h.need.Refer != nil:
		o.Verdict = Referred
	case h.need != nil:
		o.Verdict = Asked
	}
	return o
}
