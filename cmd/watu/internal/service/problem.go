package service

import (
	"context"
	"errors"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/rules"
)

// PublicProblem is a problem as it is shown over the network: trouble of this machine is shown to those who keep
// it, for it may name what lies there, and to others that there is some.
func (f *Service) PublicProblem(err error) *problem.Problem {
	p := problem.Of(err)
	if p == nil || p.Rule == rules.Signed ||
		p.Kind != problem.Failed && p.Kind != problem.Unverified && p.Kind != problem.Diverged {
		return p
	}
	if !errors.Is(err, context.Canceled) { // whoever asked has gone: nothing is wrong
		f.Notify("asked over the network: " + p.Error())
	}
	switch {
	case errors.Is(err, ledger.ErrUnconfirmed):
		return problem.New(p.Kind, "what was sent is recorded here and not confirmed: do not act on it; "+
			"the same, sent again, is answered as soon as it stands")
	case f.Stopped() != "":
		return problem.New(p.Kind, "%s", f.Stopped())
	}
	return problem.New(p.Kind, "something is wrong here; the log of this server says what it is")
}
