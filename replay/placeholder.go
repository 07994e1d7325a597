package replay

import (
	"errors"

	"github.com/watu-ledger/watu/rules"
)

func (u *Umpire) voiding(*table, uint64, string, string, uint64) (part, []rules.Violation, error) {
	return part{}, nil, errors.New("not yet")
}
