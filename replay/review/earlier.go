package review

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// Earlier programs folded a correction behind all that had happened until then, and each system put it in the place of
// what it corrected as far as the state still had that. Some of it was left as it was: what [rules.System.Lagging]
// names, and, where a correction was heard, what had been corrected of events that had themselves taken another's
// place. What they recorded is right by those rules, and must not be accused. So where a command comes out otherwise on
// what counts, it is heard again without such corrections. See docs/decisions/2026-11-22-effective-events.md.

// unseenCorrections lists the corrections without which an earlier program may have judged a command: those of the
// types that the system names, made since the game turn of the command began. There is a list for each of them, with
// all later ones.
func (b *trialRun) unseenCorrections(c *campaign.Campaign, v history.View,
	first *events.Event) (lists [][]uint64, err error) {
	var list []uint64
	for _, i := range slices.Backward(v.Corrections(0)) {
		e, err := b.timeline.Event(i)
		if err != nil || e.Turn.Ordinal < first.Turn.Ordinal {
			return lists, err
		}
		if slices.Contains(c.System.Lagging, e.Type) && v.Stands(i) {
			list = append(list, i)
			lists = append(lists, slices.Clone(list))
		}
	}
	return lists, nil
}

// passedOver lists the corrections of what took another's place that an earlier program passed over when it heard the
// correction of a command.
func passedOver(v history.View, first *events.Event) (list []uint64) {
	for _, i := range v.Corrections(campaign.PlaceOf(first)) {
		if of, _ := v.Target(history.Corrects, i); of >= first.Index && place(v, of) < first.Index && v.Stands(i) {
			list = append(list, i)
		}
	}
	return list
}

// place is the index of the event in whose place another counts.
func place(v history.View, index uint64) uint64 {
	for {
		of, replaces := v.Target(history.Replaces, index)
		if !replaces {
			return index
		}
		index = of
	}
}

// phaseAlone reports whether an event is all that stands of a command that a consequence voided: a phase that it began,
// and that stays begun. Earlier programs heard that as the command.
func (w *priorCommand) phaseAlone(index uint64) bool {
	return w.returns() && slices.ContainsFunc(w.heard[:w.stood], func(e events.Event) bool { return e.Index == index })
}

// beforeWithout gives the game before a place by what counts in a view, but for some corrections.
func beforeWithout(t *campaign.Timeline, corrections []uint64, v history.View, before uint64) (rules.Game, error) {
	if len(corrections) == 0 {
		return t.Before(v, before)
	}
	from := before
	for _, i := range corrections {
		of, _ := v.Target(history.Corrects, i)
		from = min(from, place(v, of))
	}
	game, from := t.Checkpoint(v, from)
	for e, err := range v.Effective(from, t.Event) {
		if err != nil {
			return nil, err
		}
		if campaign.PlaceOf(e.Event) >= before {
			break
		}
		is, err := versionWithout(t, corrections, v, e)
		if err == nil {
			game, err = t.Evolve(game, is)
		}
		if err != nil {
			return nil, err
		}
	}
	return game, nil
}

// versionWithout gives an event with the content of its last version that is none of those listed.
func versionWithout(t *campaign.Timeline, corrections []uint64, v history.View,
	e history.Effective) (*events.Event, error) {
	versions := slices.DeleteFunc(v.Versions(e.Index), func(i uint64) bool {
		return slices.Contains(corrections, i) || !v.Stands(i) || v.Type(i) != e.Type
	})
	if len(e.Was) == 0 || len(versions) == 0 {
		return e.Event, nil
	}
	is, err := t.Event(versions[len(versions)-1])
	if err != nil {
		return nil, err
	}
	own := *e.Event
	own.Payload, own.Derivation, own.Side = is.Payload, is.Derivation, is.Side
	return &own, nil
}
