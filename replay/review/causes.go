package review

import (
	"slices"

	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/campaign"
)

// causes lists the changes from which it may follow that a command comes out otherwise than recorded, ascending: the
// first correction that left it as it is or, where none says so, every change since the command was judged last that
// counts before it and still tells. A void of what was recorded since then tells nothing: it restores what the
// command was judged on.
func (w *priorCommand) causes() (list []uint64) {
	v, judged := w.history, w.judged()
	for i := range w.heard {
		for _, by := range v.Sources(history.Left, w.heard[i].Index) {
			if by > judged && v.Stands(by) {
				return []uint64{by}
			}
		}
	}
	for i, place := range v.Changes(judged + 1) {
		gone := v.Targets(history.Voids, i)
		restores := v.Type(i) == "voided" && !slices.ContainsFunc(gone, func(g uint64) bool { return g <= judged })
		if place < campaign.PlaceOf(&w.heard[0]) && v.Stands(i) && !restores {
			list = append(list, v.Head(i))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// judged is the event with which the command was judged last: its first, for what waited for answers was judged on what
// counted when it began, or the head of a correction.
func (w *priorCommand) judged() uint64 {
	last := w.heard[0].Index
	for _, by := range w.history.Command(w.heard[0].Index).Changes {
		if w.history.Stands(by) {
			last = max(last, by)
		}
	}
	return last
}

// settle gives each consequence in a list its cause: of several changes the one since which it comes out otherwise.
// of has the changes of those that have several. The last is tried first, for all commands in one pass over the
// campaign as it counted before that.
func (p *pass) settle(list []Consequence, of map[string][]uint64) error {
	cause := map[string]uint64{}
	for len(of) > 0 {
		last := uint64(0)
		for _, changes := range of {
			last = max(last, changes[len(changes)-1])
		}
		otherwise, err := p.otherwiseBefore(last, of)
		if err != nil {
			return err
		}
		for id, changes := range of {
			rest := changes[:len(changes)-1]
			switch {
			case changes[len(rest)] != last:
				continue
			case !otherwise[id]:
				cause[id] = last
			case len(rest) == 1:
				cause[id] = rest[0]
			default:
				of[id] = rest
				continue
			}
			delete(of, id)
		}
	}
	for i := range list {
		if by, ok := cause[list[i].Command]; ok {
			list[i].Cause = by
		}
	}
	return nil
}

// otherwiseBefore finds which of the commands came out otherwise than recorded before an event was.
func (p *pass) otherwiseBefore(event uint64, of map[string][]uint64) (map[string]bool, error) {
	before := &pass{Timeline: p.Timeline, campaign: p.campaign, secrets: p.secrets, drawn: p.drawn, trial: p.trial,
		why: p.why}
	otherwise := map[string]bool{}
	if changed, err := before.begin(p.view.At(event)); !changed || err != nil {
		return otherwise, err
	}
	for {
		w, err := before.next()
		if w == nil || err != nil {
			return otherwise, err
		}
		if _, asked := of[w.command.ID]; !asked {
			continue
		}
		o, err := w.follow(Correction{}, before.end)
		if err != nil {
			return nil, err
		}
		otherwise[w.command.ID] = o.otherwise()
	}
}
