package replay

import (
	"errors"

	"github.com/watu-ledger/watu/rules"
)

func (u *Umpire) correction(t *table, k Correction) (part, []rules.Violation, error) {
	w, err := u.revisit(t, k.Event)
	if err != nil {
		return part{}, nil, err
	}
	entry, changes, err := k.Replace(w.command.Body)
	if err != nil {
		return part{}, nil, err
	}
	return w.correct(t, k, entry, changes)
}

func (u *Umpire) voiding(*table, uint64, string, string, uint64) (part, []rules.Violation, error) {
	return part{}, nil, errors.New("not yet")
}
