package replay

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/chance"
)

// CheckSecret says what is wrong with a campaign's secret: it is missing or damaged, or some epoch of
// the record states anchors that do not grow from it. The error is an [ErrNoSecret].
func (u *Umpire) CheckSecret(id ulid.ULID) error {
	_, err := u.secrets(id)
	return err
}

// secrets reads a campaign's secrets, to play on with: they grew the record, and that of the epoch which is
// on is here, or a fresh one waits.
func (u *Umpire) secrets(id ulid.ULID) (Secrets, error) {
	s, last, err := u.held(id)
	if err == nil && !s.due(last) {
		err = s.here(last)
	}
	return s, err
}

// held reads a campaign's secrets and holds them to the record: the chains of every epoch must grow from them to the
// anchors stated there. An epoch that another host began is known as such by the file. Last is the epoch that is on.
// The record is read first: an epoch that begins meanwhile is in the file before it is in the record.
//
// The file of an earlier version does not say so. There an epoch passes for one of another host if the
// secret that should have grown it is whole, having grown some other epoch.
func (u *Umpire) held(id ulid.ULID) (s Secrets, last uint64, err error) {
	epochs, err := u.epochs(id)
	if err != nil {
		return s, 0, err
	}
	if s, err = u.keys.Secrets(id); err != nil {
		return s, 0, err
	}
	whole := map[events.Hash]bool{}
	var others []uint64
	for _, e := range epochs {
		last = max(last, e.number)
		switch {
		case u.grows(e, s, id):
			whole[s.Of(e.number)] = true
		case !slices.Contains(s.elsewhere, e.number):
			others = append(others, e.number)
		}
	}
	for _, n := range others {
		if !s.unsealed || !whole[s.Of(n)] || s.list[len(s.list)-1].from > last {
			return Secrets{}, last, fmt.Errorf(
				"%w: %s holds another: the dice and draws of epoch %d do not grow from it", ErrNoSecret,
				u.keys.path(id), n)
		}
		s.elsewhere = append(s.elsewhere, n)
	}
	return s, last, nil
}

// anchored is an epoch of the record and the anchors of its chains.
type anchored struct {
	number uint64
	chains []events.Anchor
}

// grows reports whether all chains of the epoch grow from the secrets. It works that out once: a chain is thousands of
// hashes long.
func (u *Umpire) grows(e anchored, s Secrets, id ulid.ULID) bool {
	known := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %v", s.Of(e.number), id, e.number, e.chains))
	if _, ok := u.grew.Load(known); ok {
		return true
	}
	for _, a := range e.chains {
		if a.Length < 1 || a.Length > chance.MaxLength ||
			s.chain(id, e.number, a.Chain, a.Length).Anchor() != a.Anchor {
			return false
		}
	}
	u.grew.Store(known, nil)
	return true
}

// epochs gives the epochs that a campaign has begun. Each is a command of its own, but for the first,
// which is in that of the opening: so few events are read. Where a command is not known, all are.
func (u *Umpire) epochs(id ulid.ULID) ([]anchored, error) {
	c, _ := u.ledger.Campaign(id)
	if c.Events == 0 {
		return nil, nil
	}
	last, err := listed(u.ledger.Read(id, c.Events-1, c.Events))
	if err != nil {
		return nil, err
	}
	var list []anchored
	for n := uint64(1); n <= last[0].Epoch; n++ {
		command := commandOpen
		if n > 1 {
			command = epochCommand(n)
		}
		a, found, err := u.ledger.Command(id, command)
		if err != nil {
			return nil, err
		}
		some, err := u.epochsIn(id, a.First, a.First+uint64(a.Count))
		if err != nil {
			return nil, err
		}
		if !found || len(some) != 1 || some[0].number != n {
			return u.epochsIn(id, 0, Everything)
		}
		list = append(list, some...)
	}
	return list, nil
}

// epochsIn gives the epochs begun by the events from <= index < to.
func (u *Umpire) epochsIn(id ulid.ULID, from, to uint64) ([]anchored, error) {
	var list []anchored
	for e, err := range events.Decoded(u.ledger.Walk(id, from, to)) {
		if err != nil {
			return nil, err
		}
		var p events.EpochBegun
		if e.Read(&p) {
			list = append(list, anchored{e.Epoch, p.Chains})
		}
	}
	return list, nil
}

// here says that the secret of an epoch is another host's, or was given up.
func (s Secrets) here(epoch uint64) error {
	if slices.Contains(s.elsewhere, epoch) {
		return fmt.Errorf("%w: epoch %d was begun on another host, or its secret was given up", ErrNoSecret, epoch)
	}
	return nil
}

// Renew makes a fresh secret for the epoch to come, so that a copy of the secrets made before does not
// know its dice. The epoch begins with the next command. A secret that is not here is not renewed.
func (u *Umpire) Renew(id ulid.ULID) error {
	s, _, err := u.held(id)
	if errors.Is(err, ErrNoSecret) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.next, err = freshSecret(); err != nil {
		return err
	}
	u.forget(id)
	return u.keys.replace(id, s)
}

// Forsake gives up what is damaged or lost of a campaign's secrets, and has it go on in a new epoch with a
// fresh one. What the lost ones decided stands, and cannot be made again: nobody here knows their chains.
// Where the first is lost, commands given before are not known again.
func (u *Umpire) Forsake(id ulid.ULID) error {
	s, err := u.keys.Secrets(id)
	if errors.Is(err, ErrNoSecret) {
		var first events.Hash
		first, err = freshSecret()
		s = NewSecrets(first)
	}
	if err == nil {
		s.next, err = freshSecret()
	}
	if err == nil {
		err = os.MkdirAll(u.keys.dir, 0o700)
	}
	if err != nil {
		return err
	}
	u.forget(id)
	if err := u.keys.replace(id, s); err != nil {
		return err
	}
	return u.noteElsewhere(id, s)
}

// noteElsewhere writes down which epochs came with events that were recovered and were begun by another
// host, so that they are not taken for damage later.
func (u *Umpire) noteElsewhere(id ulid.ULID, s Secrets) error {
	epochs, err := u.epochs(id)
	if err != nil {
		return err
	}
	known := len(s.elsewhere)
	for _, e := range epochs {
		if !u.grows(e, s, id) && !slices.Contains(s.elsewhere, e.number) {
			s.elsewhere = append(s.elsewhere, e.number)
		}
	}
	if len(s.elsewhere) == known {
		return nil
	}
	return u.keys.replace(id, s)
}
