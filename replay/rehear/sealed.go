package rehear

import (
	"errors"
	"fmt"

	"github.com/watu-ledger/watu/rules"
)

// ErrSealed is wrapped where a command turns on a secret whose opening is not here. In play all of them are, unless the
// ledger has lost some: then the command is neither allowed nor refused, for both would be guesses.
var ErrSealed = errors.New("a secret that it turns on is not known here")

// CheckDecided says why an outcome that was reached in play decides nothing, as an [ErrSealed]; nil if it does. A
// refusal always does.
func CheckDecided(command string, o rules.Outcome) error {
	if len(o.Sealed) == 0 || o.Verdict == rules.Refused {
		return nil
	}
	at := o.Sealed[0]
	return fmt.Errorf("entry %q: %w: %q of #%d, whose opening the ledger has lost", command, ErrSealed, at.Slot,
		at.Index)
}
