package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// hearAgain hears a command with the answers recorded, and holds what follows to what is recorded.
func (b *bench) hearAgain(c *Campaign, h *Heard) error {
	command, err := b.command()
	if err != nil {
		return err
	}
	answers, err := recordedAnswers(c, b.link(c), b.heard, b.known)
	if err != nil {
		return err
	}
	j := &judgement{
		campaign: c, before: b.judged(c), command: command, answers: answers, dry: true,
		place: func(n int) uint64 { return b.heard[min(n, len(b.heard)-1)].Index },
	}
	o, err := j.run()
	if err != nil {
		return err
	}
	if o.Verdict == rules.Refused {
		v := o.Violations[0]
		h.Findings = append(h.Findings, Finding{
			Event: h.First, Type: b.heard[0].Type, Command: h.Command, Rule: v.Rule, Field: "verdict",
			Recorded: string(rules.Allowed), Derived: "refused: " + v.Message,
		})
		for i := range b.heard {
			h.Instead = h.Instead.put(b.heard[i].Index)
		}
		return nil
	}
	for _, d := range o.Drafts {
		if p, ok := d.Payload.(*events.OptionRuled); ok && p.Option == b.answered.option {
			p.Referred = b.answered.by
		}
	}
	w := &revisited{heard: b.heard, known: b.known}
	w.hold(h, o.Drafts, o.Need != nil)
	return nil
}

// hold notes what of the drafts is otherwise than recorded, and what is derived in its place.
func (w *revisited) hold(h *Heard, drafts []rules.Draft, waits bool) {
	found := w.compared(drafts, waits)
	h.Findings = append(h.Findings, found...)
	for _, f := range found {
		i := slices.IndexFunc(w.heard, func(e events.Event) bool { return e.Index == f.Event })
		if f.Field != "event" {
			h.Instead = h.Instead.put(f.Event, drafts[i])
			continue
		}
		if f.Recorded == nothingMore {
			h.Instead = h.Instead.put(f.Event, drafts[i:]...)
			continue
		}
		h.Instead = h.Instead.put(f.Event, drafts[min(i, len(drafts)):]...) // from here on it is another course
		for _, e := range w.heard[i+1:] {
			h.Instead = h.Instead.put(e.Index)
		}
	}
}

// nothingMore stands for an event where there is none.
const nothingMore = "nothing more"

// command reads the command back, with what is known of its secrets.
func (b *bench) command() (rules.Command, error) {
	own := openings{}
	for i := range b.heard {
		e := &b.heard[i]
		for _, o := range b.known.of(e) {
			own[events.Ref{Index: o.Index, Slot: o.Slot}] = o
		}
		var p events.ChoiceMade
		if e.Read(&p) && len(e.Commitments) > 0 && len(b.known.of(e)) == 0 {
			return rules.Command{}, &sealedError{e.Index, "the choice is sealed"}
		}
	}
	command, err := commandOf(b.heard[0], own)
	if err != nil {
		return command, err
	}
	if entry, ok := b.entries[command.ID]; ok {
		command.Body = rules.Unseal(entry, own.all())
	}
	var entry any
	if json.Unmarshal(command.Body, &entry) == nil && len(sealedPaths(entry, "")) > 0 {
		return command, &sealedError{b.heard[0].Index, "part of the entry is sealed"}
	}
	return command, nil
}

// compared lists what of the drafts is otherwise than recorded, up to the first event that is quite
// another. A hearing that waits for an answer has more to come.
func (w *revisited) compared(drafts []rules.Draft, waits bool) []Finding {
	var list []Finding
	for i := range max(len(drafts), len(w.heard)) {
		if i >= len(w.heard) && waits {
			break
		}
		e := &w.heard[min(i, len(w.heard)-1)]
		finding := Finding{Event: e.Index, Type: e.Type, Command: e.Command, Field: "event", Recorded: words(e.Type)}
		switch {
		case i >= len(w.heard):
			finding.Recorded, finding.Derived = nothingMore, words(drafts[i].Payload.Type())
			finding.Rule = ruleOf(drafts[i].Derivation, nil)
		case i >= len(drafts):
			finding.Derived, finding.Rule = nothingMore, ruleOf(e.Derivation, nil)
		case drafts[i].Payload.Type() != e.Type:
			finding.Derived, finding.Rule = words(drafts[i].Payload.Type()), ruleOf(drafts[i].Derivation, e.Derivation)
		default:
			list = append(list, w.otherwise(drafts[i], e)...)
			continue
		}
		return append(list, finding)
	}
	return list
}

// otherwise lists what of a draft is otherwise than its event, figure by figure.
func (w *revisited) otherwise(d rules.Draft, e *events.Event) []Finding {
	w.keepChance(d.Payload, e)
	var list []Finding
	rule := ruleOf(d.Derivation, e.Derivation)
	found := func(field, recorded, derived string) {
		list = append(list, Finding{Event: e.Index, Type: e.Type, Command: e.Command, Rule: rule, Field: field, Recorded: recorded, Derived: derived})
	}
	if events.EncodePayload(d.Payload) != e.Payload {
		was, _ := events.PayloadOf(e)
		a, b := plain(was), plain(d.Payload)
		unlike("", a, b, func(field, recorded, derived string) {
			found(field, recorded, derived)
			if own := ruleAt(b, a, field); own != "" {
				list[len(list)-1].Rule = own
			}
		})
		if len(list) == 0 {
			found("payload", "bytes of a later version", "none")
		}
	}
	if d.Side != e.Side && e.Type != "dice_rolled" {
		found("side", e.Side, d.Side)
	}
	stepsApart(e.Derivation, d.Derivation, func(i int, was, is string) { found(fmt.Sprintf("derivation[%d]", i), was, is) })
	for i := range max(len(d.Secrets), len(e.Commitments)) {
		if i >= len(d.Secrets) || i >= len(e.Commitments) || d.Secrets[i].Slot != e.Commitments[i].Slot {
			found("commitments", slots(e.Commitments), secretSlots(d.Secrets))
			break
		}
		s := d.Secrets[i]
		if o, ok := w.known[events.Ref{Index: e.Index, Slot: s.Slot}]; ok && o.Fact != s.Fact {
			found("commitments."+s.Slot, o.Fact, s.Fact)
		}
	}
	if was, is := refs(e.Openings), draftRefs(d.Opens); was != is {
		found("openings", was, is)
	}
	return list
}

// ruleAt is the rule that the part of a payload names which a field lies in: a modifier's own.
func ruleAt(derived, recorded any, field string) string {
	at := strings.LastIndexAny(field, ".[")
	if at < 0 {
		return ""
	}
	for _, v := range []any{derived, recorded} {
		for step := range strings.FieldsFuncSeq(field[:at], func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
			switch x := v.(type) {
			case map[string]any:
				v = x[step]
			case []any:
				n, err := strconv.Atoi(step)
				if v = nil; err == nil {
					v = item(x, n)
				}
			}
		}
		if part, ok := v.(map[string]any); ok {
			if rule, ok := part["rule"].(string); ok && rule != "" {
				return rule
			}
		}
	}
	return ruleAt(derived, recorded, field[:at])
}

// ruleOf is the rule at which two derivations part, or the last one that was applied.
func ruleOf(derived, recorded []events.Citation) string {
	for i := range max(len(derived), len(recorded)) {
		switch {
		case i < len(derived) && i < len(recorded) && derived[i] == recorded[i]:
			continue
		case i < len(derived):
			return derived[i].Rule
		}
		return recorded[i].Rule
	}
	if len(derived) > 0 {
		return derived[len(derived)-1].Rule
	}
	return ""
}

// maxCompared bounds what is kept to compare two derivations step by step.
const maxCompared = 1 << 20

// stepsApart hands on the steps in which two derivations differ, one for another as long as there is
// one on either side: a step more leaves those behind it what they are.
func stepsApart(recorded, derived []events.Citation, found func(i int, was, is string)) {
	if len(recorded)*(len(derived)+1) > maxCompared { // no ruling has as many
		for i := range max(len(recorded), len(derived)) {
			if was, is := cited(recorded, i), cited(derived, i); was != is {
				found(i, was, is)
			}
		}
		return
	}
	common := make([][]int, len(recorded)+1) // steps in common from i and j on
	for i := range common {
		common[i] = make([]int, len(derived)+1)
	}
	for i := len(recorded) - 1; i >= 0; i-- {
		for j := len(derived) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); recorded[i] == derived[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(recorded) || j < len(derived); {
		more, less := j < len(derived) && common[i][j] == common[i][j+1], i < len(recorded) && common[i][j] == common[i+1][j]
		switch {
		case more && less && common[i][j] == common[i+1][j+1]:
			found(i, cited(recorded, i), cited(derived, j))
			i, j = i+1, j+1
		case more:
			found(i, cited(nil, 0), cited(derived, j))
			j++
		case less:
			found(i, cited(recorded, i), cited(nil, 0))
			i++
		default:
			i, j = i+1, j+1
		}
	}
}

func cited(list []events.Citation, i int) string {
	if i >= len(list) {
		return "nothing"
	}
	return list[i].Rule + ": " + list[i].Step
}

func slots(list []events.Commitment) string {
	var names []string
	for _, c := range list {
		names = append(names, c.Slot)
	}
	return strings.Join(names, ", ")
}

func secretSlots(list []rules.Secret) string {
	var names []string
	for _, s := range list {
		names = append(names, s.Slot)
	}
	return strings.Join(names, ", ")
}

func refs(list []events.Opening) string {
	var names []string
	for _, o := range list {
		names = append(names, fmt.Sprintf("#%d %s", o.Index, o.Slot))
	}
	return strings.Join(names, ", ")
}

func draftRefs(list []events.Ref) string {
	var names []string
	for _, o := range list {
		names = append(names, fmt.Sprintf("#%d %s", o.Index, o.Slot))
	}
	return strings.Join(names, ", ")
}

// plain gives a payload as JSON values.
func plain(p events.Payload) any {
	var v any
	b, err := json.Marshal(p)
	if err == nil {
		_ = json.Unmarshal(b, &v)
	}
	return v
}

// unlike hands on the leaves in which two JSON values differ, in the order of their paths.
func unlike(at string, was, is any, found func(field, was, is string)) {
	if reflect.DeepEqual(was, is) {
		return
	}
	a, mapped := was.(map[string]any)
	b, mappedToo := is.(map[string]any)
	if mapped && mappedToo {
		keys := slices.Collect(maps.Keys(a))
		for k := range b {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range slices.Compact(keys) {
			unlike(strings.TrimPrefix(at+"."+k, "."), a[k], b[k], found)
		}
		return
	}
	x, listed := was.([]any)
	y, listedToo := is.([]any)
	if listed && listedToo {
		for i := range max(len(x), len(y)) {
			unlike(at+"["+strconv.Itoa(i)+"]", item(x, i), item(y, i), found)
		}
		return
	}
	found(at, leaf(was), leaf(is))
}

func item(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// leaf shows a value: a text as it is, anything else as JSON.
func leaf(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		return v
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// correctAgain makes a correction again, and holds it to the one recorded.
func (b *bench) correctAgain(c *Campaign, h *Heard) error {
	head := &b.heard[0]
	var p events.Corrected
	head.Read(&p)
	w, err := b.lookBack(c, p.Event, head.Index)
	if err != nil {
		return h.unfounded(head, "corrected", err)
	}
	own := openings{}
	for i := range w.heard {
		e := &w.heard[i]
		for _, k := range e.Commitments {
			ref := events.Ref{Index: e.Index, Slot: k.Slot}
			o, known := b.known[ref]
			if !known {
				return &sealedError{head.Index, "part of what the corrected entry turned on is sealed"}
			}
			own[ref] = o
		}
	}
	entry := rules.Unseal(requestIn(head).Entry, own.all())
	var open any
	if json.Unmarshal(entry, &open) == nil && len(sealedPaths(open, "")) > 0 {
		return &sealedError{head.Index, "part of the corrected entry is sealed"}
	}
	dice := b.diceRuled(&p)
	made, violations, err := w.correct(Correction{Event: p.Event, Code: p.Code, Reason: p.Reason, Dispute: p.Dispute, Dice: dice}, head.Index, entry, p.Changes)
	switch {
	case err != nil:
		h.Findings = append(h.Findings, Finding{Event: head.Index, Type: head.Type, Command: h.Command, Field: "verdict", Recorded: "corrected", Derived: err.Error()})
		return nil
	case len(violations) > 0:
		v := violations[0]
		h.Findings = append(h.Findings, Finding{Event: head.Index, Type: head.Type, Command: h.Command, Rule: v.Rule, Field: "verdict", Recorded: "corrected", Derived: "refused: " + v.Message})
		return nil
	}
	made.drafts[0].Payload.(*events.Corrected).Changes = p.Changes
	again := &revisited{heard: b.heard, known: b.known}
	again.hold(h, made.drafts, false)
	for i, d := range made.drafts {
		if i < len(b.heard) && (d.Corrects != b.heard[i].Corrects || d.Replaces != b.heard[i].Replaces) {
			e := &b.heard[i]
			h.Findings = append(h.Findings, Finding{Event: e.Index, Type: e.Type, Command: h.Command, Field: "corrects",
				Recorded: fmt.Sprintf("#%d", e.Corrects+e.Replaces), Derived: fmt.Sprintf("#%d", d.Corrects+d.Replaces)})
		}
	}
	return nil
}

// unfounded notes that what is done to an earlier command could not be done to it.
func (h *Heard) unfounded(e *events.Event, done string, err error) error {
	if !errors.Is(err, ErrNotCorrectable) {
		return err
	}
	h.Findings = append(h.Findings, Finding{Event: e.Index, Type: e.Type, Command: h.Command, Field: "verdict", Recorded: done, Derived: err.Error()})
	return nil
}

// diceRuled gives the dice that a correction threw again, or took from a table.
func (b *bench) diceRuled(p *events.Corrected) DiceRuling {
	d := DiceRuling{recorded: p.Dice}
	if p.Dice == "" {
		return d
	}
	for i := range b.heard {
		var fell events.DiceRolled
		switch {
		case b.heard[i].Type == "roll_declared":
			d.answers = append(d.answers, rules.Answer{Dice: [][]int{}})
		case b.heard[i].Read(&fell) && len(d.answers) > 0:
			last := &d.answers[len(d.answers)-1]
			last.Dice = append(last.Dice, fell.Dice)
			d.Seen = fell.Confirmed
		}
	}
	return d
}

// voidAgain holds what a void takes out to what the command led to.
func (b *bench) voidAgain(c *Campaign, h *Heard) error {
	e := &b.heard[0]
	var p events.Voided
	if !e.Read(&p) || len(p.Events) == 0 {
		return nil
	}
	first := e.Index
	for first > 0 && b.sameStep(first-1, e) { // several slips may be undone in one step
		first--
	}
	w, err := b.lookBack(c, p.Events[0], first)
	if err != nil {
		return h.unfounded(e, "voided", err)
	}
	if derived := w.everything(p.Code); !slices.Equal(derived, p.Events) {
		h.Findings = append(h.Findings, Finding{Event: e.Index, Type: e.Type, Command: h.Command, Field: "events", Recorded: leaf(p.Events), Derived: leaf(derived)})
	}
	return nil
}

// sameStep reports whether the event at index is of the step of e.
func (b *bench) sameStep(index uint64, e *events.Event) bool {
	list, err := listed(b.trial.Records(index, index+1))
	return err == nil && len(list) == 1 && list[0].Command == e.Command
}

// lookBack finds the command behind an event in what was recorded before another.
func (b *bench) lookBack(c *Campaign, index, upTo uint64) (*revisited, error) {
	all, err := listed(b.trial.Records(0, upTo))
	if err != nil {
		return nil, err
	}
	w, err := lookBack(c, all, b.known, index)
	if err != nil {
		return nil, err
	}
	w.link = b.link(c)
	return w, nil
}

// reopen opens the campaign again, and holds the opening to the one recorded.
func (b *bench) reopen(c *Campaign, h *Heard) error {
	e := &b.heard[0]
	var p events.CampaignOpened
	if !e.Read(&p) {
		return nil
	}
	edition, err := editionOf(c.System, p.Edition)
	if err != nil {
		h.Unchecked = fmt.Sprintf("#0: %v", err)
		return nil
	}
	chosen := map[string]string{}
	for _, o := range p.Options {
		chosen[o.Name] = o.Value
	}
	files, err := b.trial.Board(p.Board)
	if err != nil {
		return &sealedError{0, err.Error()}
	}
	opened, _, f := c.System.Open(edition, chosen, files)
	if f.Refused() {
		h.Findings = append(h.Findings, Finding{Type: e.Type, Command: h.Command, Rule: f.Violations[0].Rule, Field: "verdict", Recorded: "opened", Derived: "refused: " + f.Violations[0].Message})
		return nil
	}
	opened.Name, opened.Note, opened.Demo, opened.Dice = p.Name, p.Note, p.Demo, p.Dice
	unlike("", plain(&p), plain(opened), func(field, was, is string) {
		h.Findings = append(h.Findings, Finding{Type: e.Type, Command: h.Command, Field: field, Recorded: was, Derived: is})
	})
	if edition.Hash != e.Edition {
		h.Findings = append(h.Findings, Finding{Type: e.Type, Command: h.Command, Field: "edition", Recorded: e.Edition.String(), Derived: edition.Hash.String()})
	}
	return nil
}
