package maintenance

import (
	"errors"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/replay/keys"
)

// freshSecrets has the campaigns whose secrets are damaged or lost go on in a new epoch with fresh ones.
func (r *repair) freshSecrets() error {
	if r.report.Diverged() || r.ledger.Behind() != nil {
		return problem.New(problem.Input, "record, checkpoint and stream differ: begin with watu repair --from-stream")
	}
	f := inspecting(r.dir, r.ledger, r.Say)
	var lines []string
	for _, c := range r.ledger.Campaigns() {
		_, imported, err := f.Imported(c.ID)
		if err != nil || imported {
			continue // it never had one
		}
		lost := f.umpire.CheckSecret(c.ID)
		if lost == nil {
			continue
		}
		if !errors.Is(lost, keys.ErrNoSecret) || errors.Is(lost, kept.ErrUnread) { // it may be whole
			return lost
		}
		lines = append(lines, "campaign "+c.Name+": "+lost.Error())
		if !r.yes {
			continue
		}
		if err := f.umpire.ReplaceLostSecret(c.ID); err != nil {
			return err
		}
	}
	switch {
	case len(lines) == 0:
		r.out.Note = "No secret is damaged or lost."
	case r.yes:
		r.out.Note = "The next command in each campaign that lost its secret begins a new epoch. Draws of the epochs " +
			"whose secret is lost cannot be made again."
	default:
		return problem.WithReport(problem.Input, append(lines, r.command("repair --"+FreshSecrets+" --yes")),
			"a secret that is given up does not come back: draws made with it cannot be made again, and commands "+
				"given before are not known again; if a backup holds it, copy it from there, else say so with --yes")
	}
	return nil
}
