package replay

import (
	"errors"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
)

// CheckSecret says what is wrong with a campaign's secret: it is missing or damaged, or some epoch of
// the record states anchors that do not grow from it. The error is a [keys.ErrNoSecret].
func (u *Umpire) CheckSecret(id ulid.ULID) error {
	_, err := u.secrets(id)
	return err
}

// secrets reads a campaign's secrets, to play on with: they grew the record, and that of the epoch which is
// on is here, or a fresh one waits.
func (u *Umpire) secrets(id ulid.ULID) (keys.Secrets, error) {
	s, last, err := u.held(id)
	if err == nil && !s.RotationDue(last) {
		err = s.CheckHeld(last)
	}
	return s, err
}

// held reads a campaign's secrets and holds them to the record. The record is read first: an epoch that begins
// meanwhile is in the file before it is in the record.
func (u *Umpire) held(id ulid.ULID) (s keys.Secrets, last uint64, err error) {
	epochs, err := u.epochs(id)
	if err != nil {
		return s, 0, err
	}
	return u.keys.Verify(id, epochs)
}

// epochs gives the epochs that a campaign has begun. Each is a command of its own, but for the first,
// which is in that of the opening: so few events are read. Where a command is not known, all are.
func (u *Umpire) epochs(id ulid.ULID) ([]keys.Epoch, error) {
	c, _ := u.ledger.Campaign(id)
	if c.Events == 0 {
		return nil, nil
	}
	last, err := campaign.DecodeAll(u.ledger.Read(id, c.Events-1, c.Events))
	if err != nil {
		return nil, err
	}
	var list []keys.Epoch
	for n := uint64(1); n <= last[0].Epoch; n++ {
		command := campaign.CommandOpen
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
		if !found || len(some) != 1 || some[0].Number != n {
			return u.epochsIn(id, 0, campaign.Everything)
		}
		list = append(list, some...)
	}
	return list, nil
}

// epochsIn gives the epochs begun by the events from <= index < to.
func (u *Umpire) epochsIn(id ulid.ULID, from, to uint64) ([]keys.Epoch, error) {
	var list []keys.Epoch
	for e, err := range events.Decoded(u.ledger.Walk(id, from, to)) {
		if err != nil {
			return nil, err
		}
		var p events.EpochBegun
		if e.Read(&p) {
			list = append(list, keys.Epoch{Number: e.Epoch, Chains: p.Chains})
		}
	}
	return list, nil
}

// RotateSecret makes a fresh secret for the epoch to come, so that a copy of the secrets made before does not
// know its dice. The epoch begins with the next command. A secret that is not here is not renewed.
func (u *Umpire) RotateSecret(id ulid.ULID) error {
	s, _, err := u.held(id)
	if errors.Is(err, keys.ErrNoSecret) {
		return nil
	}
	if err != nil {
		return err
	}
	u.forget(id)
	return u.keys.Rotate(id, s)
}

// ReplaceLostSecret gives up what is damaged or lost of a campaign's secrets, and starts a new epoch with a fresh
// one. What the lost ones decided stands, and cannot be made again: nobody here knows their chains.
// Where the first is lost, commands given before are not known again.
func (u *Umpire) ReplaceLostSecret(id ulid.ULID) error {
	u.forget(id)
	s, err := u.keys.ReplaceLost(id)
	if err != nil {
		return err
	}
	return u.noteElsewhere(id, s)
}

// noteElsewhere writes down which epochs came with events that were recovered and were begun by another
// host, so that they are not taken for damage later.
func (u *Umpire) noteElsewhere(id ulid.ULID, s keys.Secrets) error {
	epochs, err := u.epochs(id)
	if err != nil {
		return err
	}
	return u.keys.NoteElsewhere(id, s, epochs)
}
