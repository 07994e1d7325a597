package maintenance

import (
	"cmp"
	"context"
	"fmt"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/events/words"
)

// giveUp gives up what the record lacks of the stream: what the stream still has, and what it had, as the
// lease says, and neither has now. The campaigns that may have lost something go on in a new epoch.
func (r *repair) giveUp(ctx context.Context) (err error) {
	short, err := r.lease.lease.Lacking(r.ledger, r.report.Last)
	if err != nil {
		return err
	}
	if r.report.Diverged() {
		if r.out.Lost, _, err = beyond(ctx, r.server, r.ledger, r.report.At); err != nil {
			return err
		}
	}
	switch {
	case !r.yes && r.report.Diverged():
		return r.unsure("the stream alone has %s: to lose them for good, say so with --yes",
			words.Count(lostOf(r.out.Lost), "event"))
	case !r.yes && short != nil:
		return r.unsure("%s: another copy may have the others; to lose them for good, say so with --yes", had(short))
	case short != nil && short.Reached > r.report.Last: // nobody knows of which campaigns
		r.out.Note = fmt.Sprintf("The others are given up: %s. Whoever saw them knows their dice: "+
			"the next command in each campaign begins a new epoch.", had(short))
		return r.renewAll()
	case r.report.Diverged():
		return r.renew()
	}
	return nil
}

// had says what neither stream nor record has any more.
func had(short *stream.ShortError) string {
	if short.Here.IsZero() {
		return fmt.Sprintf("the stream had %s, as its lease says, and this record has %d",
			words.Count(short.Reached, "event"), short.Durable)
	}
	return fmt.Sprintf("the stream had %s, as its lease says, and this record has another than the last of them",
		words.Count(short.Reached, "event"))
}

// unsure asks for --yes.
func (r *repair) unsure(format string, args ...any) error {
	var lines []string
	for _, c := range r.out.Lost {
		name := cmp.Or(c.Name, "unknown here")
		lines = append(lines, fmt.Sprintf("campaign %s (%s): %s here, %d there, of which %d are not here",
			name, c.ID, words.Count(c.Here, "event"), c.There, c.Lost))
	}
	return problem.WithReport(problem.Input, append(lines, r.command("repair --"+r.out.Repair+" --yes")), format,
		args...)
}
