package verify

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// whatFollows is what a trial checks.
const whatFollows = "events that follow from the rules"

// try hears the commands of a file again, with the answers that are recorded, and adds to the report what comes out
// otherwise. A record that does not hold together is not tried: what is wrong with it is reported already.
func try(file *bundle.File, systems []rules.System, r *bundle.Report, progress func(done, total uint64)) {
	n := int(file.Len())
	o := newTrialOutcome(file, r)
	if why := untriable(file, systems, r); why != "" {
		r.Add(bundle.CheckRules, 0, nil, o.untried(why))
		r.Judged(o.held)
		return
	}
	t := review.Trial{
		Systems: systems, Board: boardIn(file), Records: recordsIn(file), Events: uint64(n), Openings: file.Openings,
		Link: LinksOf(file.Links),
	}
	err := t.Hear(func(h review.Heard) error {
		if progress != nil {
			progress(h.First, uint64(n))
		}
		o.take(h)
		return nil
	})
	if err != nil && !errors.Is(err, errNoBoard) {
		o.findings = append(o.findings, bundle.Finding{
			Check: bundle.CheckRules, Field: "record", Message: "the commands cannot be heard again: " + err.Error(),
		})
	}
	var unchecked []bundle.Unchecked
	rest := n - o.heard
	for _, key := range o.order {
		list := o.unheld[key]
		rest -= len(list)
		unchecked = append(unchecked, bundle.Unchecked{What: whatFollows, Why: key.why, Count: len(list), Events: list,
			Lack: key.lack})
	}
	switch {
	case err != nil:
		unchecked = append(unchecked, bundle.Unchecked{What: whatFollows, Why: err.Error(), Count: rest})
	case rest > 0:
		unchecked = append(unchecked, bundle.Unchecked{
			What: "what the host states", Why: "no rule is about seats and the chains that an epoch begins with",
			Count: rest,
		})
	}
	r.Add(bundle.CheckRules, o.heard, o.findings, unchecked...)
	r.Judged(o.held)
}

// trialOutcome is what came of a trial.
type trialOutcome struct {
	file     *bundle.File
	lacks    bool            // the file says that its host does not hold an opening, a link or the board
	lacking  map[uint64]bool // events with something that it says it does not hold
	heard    int             // events that were held to what the commands lead to
	judged   []bool          // which of them those are, if nothing is wrong with their commands
	findings []bundle.Finding
	referred map[string]events.Event // what players signed, and was referred, by the ids of commands
	unheld   map[unheldFor][]uint64  // events that could not be, by the reason
	order    []unheldFor             // as the reasons came
}

// unheldFor is why events could not be held to the rules: because the file says that it lacks something, or because
// its reader may not know it.
type unheldFor struct {
	why  string
	lack bool
}

func newTrialOutcome(file *bundle.File, r *bundle.Report) *trialOutcome {
	o := &trialOutcome{file: file, lacking: map[uint64]bool{}, unheld: map[unheldFor][]uint64{},
		referred: map[string]events.Event{}, judged: make([]bool, file.Len())}
	var links []bundle.Missing
	for _, m := range r.Missing {
		if !m.Stated || m.What == bundle.LacksSheet {
			continue
		}
		o.lacks = true
		switch m.What {
		case bundle.LacksOpening:
			o.lacking[m.At] = true
		case bundle.LacksLink:
			links = append(links, m)
		}
	}
	if len(links) == 0 {
		return o
	}
	for r, err := range recordsIn(file)(0, file.Len()) {
		if err != nil {
			break // the hearing says so
		}
		e, err := events.Decode(r.Bytes)
		var p events.DrawDeclared
		if err != nil || !e.Read(&p) {
			continue
		}
		o.lacking[r.Index] = o.lacking[r.Index] || slices.ContainsFunc(links, func(m bundle.Missing) bool {
			return m.At == e.Epoch && m.Name == p.Source.Chain
		})
	}
	return o
}

// untried reports that no command can be heard again.
func (o *trialOutcome) untried(why string) bundle.Unchecked {
	u := bundle.Unchecked{What: whatFollows, Why: why, Count: int(o.file.Len()), Lack: o.lacks && why == whyNoBoard}
	for i := range o.file.Len() {
		if u.Lack {
			u.Events = append(u.Events, i)
		}
	}
	return u
}

func (o *trialOutcome) take(h review.Heard) {
	for _, f := range h.Findings {
		o.findings = append(o.findings, findingOf(f))
	}
	for b, err := range o.file.Stored(h.First, h.First+1) {
		if err != nil {
			break // the hearing says so
		}
		if e, err := events.Decode(b); err == nil {
			o.asSigned(h, &e)
		}
	}
	for _, index := range h.Indexes() {
		o.judged[index] = len(h.Findings) == 0 && !slices.Contains(h.Uncertain, index)
	}
	o.heard += h.Events - len(h.Uncertain)
	if len(h.Uncertain) == 0 {
		return
	}
	key := unheldFor{reasonOf(h.Unchecked), o.because(h)}
	if o.unheld[key] == nil {
		o.order = append(o.order, key)
	}
	o.unheld[key] = append(o.unheld[key], h.Uncertain...)
}

// held reports whether an event was held to the rules, and follows from them.
func (o *trialOutcome) held(index uint64) bool {
	return index < uint64(len(o.judged)) && o.judged[index]
}

// because reports whether it is for what the file lacks that a hearing could not be checked, and not for what its
// reader may not know. The umpire may know everything.
func (o *trialOutcome) because(h review.Heard) bool {
	return o.lacks && (o.file.Header.For == bundle.Umpire ||
		slices.ContainsFunc(h.Sealed, func(at events.Ref) bool { return o.lacking[at.Index] }) ||
		slices.ContainsFunc(h.Indexes(), func(i uint64) bool { return o.lacking[i] }))
}

// whyNoBoard is why nothing can be heard again without the board.
const whyNoBoard = "the board is not in the file, and nothing can be decided without it"

// whyNoRules begins why nothing can be heard again by rules that are not here.
const whyNoRules = "this watu does not have"

// untriable says why a file's commands cannot be heard again; empty if they can.
func untriable(file *bundle.File, systems []rules.System, r *bundle.Report) string {
	for _, f := range r.Findings {
		switch f.Check {
		case bundle.CheckForm, bundle.CheckOrder, bundle.CheckChain, bundle.CheckHeader:
			return "the record does not hold together"
		}
	}
	if slices.ContainsFunc(r.Missing, func(m bundle.Missing) bool { return m.What == bundle.LacksBoard }) {
		return whyNoBoard
	}
	h := file.Header
	at := slices.IndexFunc(systems, func(s rules.System) bool { return s.Name == h.System })
	if at < 0 {
		return fmt.Sprintf("%s the rules %q", whyNoRules, h.System)
	}
	for _, hash := range h.Editions[:min(1, len(h.Editions))] { // what a later one judged is excused by itself
		if !slices.ContainsFunc(systems[at].Editions, func(e rules.Edition) bool { return e.Hash == hash }) {
			return whyNoRules + " edition " + hash.String()[:12] + " of " + h.System
		}
	}
	return ""
}

func findingOf(f review.Finding) bundle.Finding {
	event := f.Event
	return bundle.Finding{
		Event: &event, Type: f.Type, Command: f.Command, Check: bundle.CheckRules, Field: f.Field, Rule: f.Rule,
		Recorded: f.Recorded, Derived: f.Derived, Message: "the rules lead elsewhere",
	}
}

// reasonOf leaves out of a reason the event that stands before it.
func reasonOf(unchecked string) string {
	if at, rest, ok := strings.Cut(unchecked, ": "); ok && strings.HasPrefix(at, "#") {
		return rest
	}
	return unchecked
}

var errNoBoard = errors.New("the campaign's board is not here")

// boardIn gives the files of the board from a file.
func boardIn(file *bundle.File) func(events.Board) ([]rules.BoardFile, error) {
	return func(b events.Board) ([]rules.BoardFile, error) {
		var list []rules.BoardFile
		for _, f := range b.Files {
			at := slices.IndexFunc(file.Boards, func(data []byte) bool { return sha256.Sum256(data) == f.Hash })
			if at < 0 {
				return nil, fmt.Errorf("%w: the file does not hold %s", errNoBoard, f.Name)
			}
			list = append(list, rules.BoardFile{Name: f.Name, Data: file.Boards[at]})
		}
		return list, nil
	}
}

// recordsIn gives the records of a file.
func recordsIn(file *bundle.File) campaign.Records {
	return func(from, to uint64) iter.Seq2[events.Record, error] {
		return func(yield func(events.Record, error) bool) {
			index := from
			for b, err := range file.Stored(from, to) {
				r := events.Record{Sequence: index + 1, Campaign: file.Header.Campaign, Index: index, Bytes: b}
				if !yield(r, err) || err != nil {
					return
				}
				index++
			}
		}
	}
}

// LinksOf gives the links of draws that a file holds, and those that follow from them: hashing a link gives the
// earlier ones of its chain.
func LinksOf(links []bundle.Link) func(epoch uint64, s events.Source) (events.Hash, error) {
	return func(epoch uint64, s events.Source) (events.Hash, error) {
		for _, l := range links {
			if l.Epoch == epoch && l.Chain == s.Chain && l.Position >= s.Position &&
				l.Position-s.Position < chance.MaxLength {
				link := l.Link.Link
				for range l.Position - s.Position {
					link = sha256.Sum256(link[:])
				}
				return link, nil
			}
		}
		return events.Hash{}, fmt.Errorf("it is not in the file")
	}
}
