package dashboard

import (
	"context"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
)

// disputed is a dispute as it stands at a moment.
type disputed struct {
	timeline.Dispute
	Ruled bool // by then
	Later bool // it waits at the moment, and was ruled later
	Stake stake
}

// stake is what a dispute is about, and what its ruling gave or took.
type stake struct {
	What  said // of a refused entry nothing
	Ruled string
}

// stakeOf says what is at stake in a dispute, as it stands at a moment of so many events.
func (d *Dashboard) stakeOf(ctx context.Context, c timeline.Campaign, x timeline.Dispute, at uint64,
	in *story.Language) (s stake, err error) {
	ruling := ""
	if x.Ruling != nil && x.Ruling.Event < at && x.Settled == 0 {
		ruling, s.Ruled = x.Ruling.Ruling, amid(in, story.Sentence{Key: "stake-same"})
	}
	if x.Claim.Refused != "" {
		return s, nil
	}
	list, err := d.service.MarkedEvents(ctx, c.ID, x.Claim.Event, x.Claim.Event+1, at)
	if err != nil || len(list) == 0 {
		return s, err
	}
	was := list[0]
	s.What = saidIn(in, was.NarratedEvent)
	if about, ok := story.AtStake(was.Event); ok {
		s.What = said{in.Say(about), in.Tag}
	}
	last := &s.What.Words[len(s.What.Words)-1]
	last.Text = strings.TrimSuffix(last.Text, ".")
	switch ruling {
	case events.RulingVoid:
		stands := !slices.ContainsFunc(was.Marks, func(m timeline.Mark) bool { return m.Kind == timeline.MarkVoided })
		key := map[bool]string{true: "stake-void-phase", false: "stake-void"}[stands && was.Type == "phase_advanced"]
		s.Ruled = amid(in, story.Sentence{Key: key})
	case events.RulingCorrected:
		s.Ruled = amid(in, story.Sentence{Key: "stake-changed"})
		for _, m := range was.Marks {
			if m.Kind != timeline.MarkCorrected || m.Later {
				continue
			}
			is, err := d.service.MarkedEvents(ctx, c.ID, m.By, m.By+1, at)
			if err != nil || len(is) == 0 {
				return s, err
			}
			if gained, ok := story.Gained(was.Event, is[0].Event); ok {
				s.Ruled = amid(in, gained)
			}
		}
	}
	return s, nil
}

// amid is a sentence as it stands behind other words.
func amid(l *story.Language, s story.Sentence) (text string) {
	for _, x := range l.Amid(s) {
		text += x.Text
	}
	return text
}

// disputedAt lists the disputes that were opened up to a moment, those that wait first, and then the
// newest first.
func (d *Dashboard) disputedAt(c timeline.Campaign, m timeline.Moment) ([]disputed, error) {
	all, err := d.service.Disputes(c.ID, timeline.DisputeFilter{})
	if err != nil {
		return nil, err
	}
	var waiting, ruled []disputed
	for _, x := range slices.Backward(all.Disputes) {
		switch {
		case x.Index > m.Event:
		case x.Ruling == nil || x.Ruling.Event > m.Event:
			waiting = append(waiting, disputed{Dispute: x, Later: x.Ruling != nil})
		default:
			ruled = append(ruled, disputed{Dispute: x, Ruled: true})
		}
	}
	return append(waiting, ruled...), nil
}
