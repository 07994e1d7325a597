package maintenance

import (
	"context"
	"io"
	"syscall"
	"time"

	"filippo.io/age"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events/ledger"
)

// OpenFullDisk opens a directory as Open does where the disk is full.
func OpenFullDisk(ctx context.Context, dir string) (h *Host, err error) {
	h = newHost(ctx, dir, Options{})
	if h.ledger, err = ledger.OpenToRead(dir, h.ledgerOptions(Options{}), syscall.ENOSPC); err != nil {
		return nil, err
	}
	h.reads = true
	h.closesLedger()
	if err := h.openBeside(); err != nil {
		return nil, err
	}
	h.followRecord()
	return h, nil
}

// Seal writes a backup, whatever lies in the directory.
func (h *Host) Seal(w io.Writer, recipients ...age.Recipient) error {
	_, err := h.seal(w, recipients)
	return err
}

// LoseLease ends the lease, as that of a process that sleeps ends.
func (h *Host) LoseLease(err error) { h.lease.lease.Lose(err, "nothing") }

// Looked has the host believe that it looked at that time, and found nothing.
func (h *Host) Looked(when time.Time) { h.lastLook.Store(&lookedAt{when: when}) }

// HoldLook has every look wait until the function that it returns is called.
func (h *Host) HoldLook() (release func()) {
	h.looking.Lock()
	return h.looking.Unlock
}

// Damaged gives what was found wrong at the last look.
func (h *Host) Damaged() []CheckedFile { return h.damaged() }

// Importing does something while an import of a campaign is under way that is to bring one event more, and leaves it
// cut short.
func (h *Host) Importing(campaign ulid.ULID, f func()) error {
	o, _, err := h.Imported(campaign)
	if err != nil {
		return err
	}
	o.Events++
	h.importing.Lock()
	defer h.importing.Unlock()
	if err := h.keepOrigin(campaign, o); err != nil {
		return err
	}
	f()
	return nil
}

// KeepOrigin writes what is known of a campaign's file.
func (h *Host) KeepOrigin(campaign ulid.ULID, o Origin) error { return h.keepOrigin(campaign, o) }
