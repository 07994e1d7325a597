package dice

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/kept"
)

// back is nil where those answer again who cosign.
func (t *Table) back(ctx context.Context, at *campaign.Campaign) error {
	if at.BySeats {
		t.mu.Lock()
		defer t.mu.Unlock()
		if time.Since(t.late[at.ID]) > later {
			return fmt.Errorf("no program of %s (watu play) is running", words.Or(at.Open.Roll.Cosigners.Names()))
		}
		return nil
	}
	c, _ := t.host.Ledger().Campaign(at.ID)
	before := time.Now().Unix() + replay.BeaconLead/2
	k, err := t.host.Cosigned(ctx, c, c.Events, at.Witnesses, before)
	if err == nil && !at.Witnesses.MetBefore(k.Cosignatures, before) {
		err = errors.New("their clocks, or that of this machine, are wrong by seconds")
	}
	return err
}

// cosign has the witnesses cosign a checkpoint that holds the declaration. A request takes half of the time that is
// left at most: one that hangs must not make the roll lapse, and one that failed is made again soon.
func (t *Table) cosign(ctx context.Context, at *campaign.Campaign, due time.Time) (time.Duration, error) {
	c, known := t.host.Ledger().Campaign(at.ID)
	if !known {
		return later, fmt.Errorf("%w: %s", campaign.ErrUnknownCampaign, at.Name)
	}
	left := time.Until(due)
	if left > 2*soon {
		left /= 2
	}
	ctx, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	k, err := t.host.Cosigned(ctx, c, c.Events, at.Witnesses, due.Unix())
	switch {
	case err != nil && problem.Of(err).Kind == problem.Diverged && at.Unwitnessed != campaign.Chain:
		return never, t.other(at, err)
	case err != nil:
		return time.Until(due), err
	case !at.Witnesses.MetBefore(k.Cosignatures, due.Unix()):
		return time.Until(due), problem.New(problem.Refused, "the clocks of the witnesses are past round %d, which is "+
			"due %s UTC", at.Open.Roll.Round, due.UTC().Format(time.DateTime))
	}
	return later, t.keep(at.ID, k.Note)
}

// keep keeps a cosigned checkpoint until the round comes: a crash must not make the roll lapse.
func (t *Table) keep(id ulid.ULID, note string) error {
	path := t.note(id)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return kept.Replace(path, []byte(note))
}

// unasked is that a note says nothing of the open roll.
type unasked struct{ error }

func (u unasked) Unwrap() error { return u.error }

// Unasked reports whether [Table.Cosign] did not take a note because it says nothing of a roll: none awaits a round, or
// it is by others than may cosign that, or of fewer events.
func Unasked(err error) bool { return errors.As(err, new(unasked)) }

// Cosign takes a checkpoint that a seat or a witness cosigned by itself, for the open roll of a campaign. One that
// comes after the round says that its cosigner is back: the roll lapses, and names another round.
func (t *Table) Cosign(ctx context.Context, c ledger.Campaign, note string) (*Awaited, error) {
	at, err := t.host.Umpire().AtHead(c.ID)
	if err != nil {
		return nil, err
	}
	c, _ = t.host.Ledger().Campaign(c.ID) // as it is at the head
	if !at.Awaits() || at.Open.Roll.Contested() || at.Open.Roll.Link.Chain != "" {
		return nil, unasked{problem.New(problem.Refused, "no roll of campaign %s awaits a round", at.Name)}
	}
	roll := at.Open.Roll
	x, err := tree.ParseCosigned(note, tree.Verifier{}, roll.Cosigners)
	due := at.Beacon.Time(roll.Round)
	switch {
	case err != nil:
		return nil, problem.New(problem.Input, "%v", err)
	case len(x.Cosignatures) == 0:
		return nil, unasked{problem.New(problem.Refused, "no cosignature is by one whose word counts for the "+
			"roll #%d, which is of %s", at.Open.Index, words.Or(roll.Cosigners.Names()))}
	case x.Campaign != at.ID || x.Events <= roll.Asked || x.Events > c.Events:
		return nil, unasked{problem.New(problem.Refused, "the checkpoint is not of this campaign's events up to #%d "+
			"at least", roll.Asked)}
	}
	own, err := t.host.Checkpoint(ctx, c, x.Events)
	switch {
	case err != nil:
		return nil, err
	case own.Root != x.Root:
		return nil, problem.New(problem.Diverged, "the checkpoint is of other events than this campaign's")
	case time.Now().Unix() >= due:
		t.mu.Lock()
		t.late[at.ID] = time.Now()
		t.mu.Unlock()
		t.wake(at.ID)
		return nil, problem.New(problem.Refused, "round %d came before: the roll #%d lapses, and names another round",
			roll.Round, at.Open.Index)
	case !roll.Cosigners.MetBefore(x.Cosignatures, due):
		return nil, problem.New(problem.Refused, "too few cosigned it, by their clocks, before round %d, which is due "+
			"%s UTC", roll.Round, time.Unix(due, 0).UTC().Format(time.DateTime))
	}
	if by, err := tree.ParseVerifier(own.Key); err == nil { // with the ledger's signature, if it is there
		if signed, err := tree.ParseCosigned(note, by, roll.Cosigners); err == nil {
			x = signed
		}
	}
	if known, _ := t.cosigned(at); known == "" {
		if err := t.keep(at.ID, x.Note); err != nil {
			return nil, err
		}
		t.wake(at.ID)
	}
	return t.Awaited(c)
}

// note is where the cosigned checkpoint is kept that holds the declaration of a campaign's open roll.
func (t *Table) note(id ulid.ULID) string { return filepath.Join(t.host.Dir(), "notes", id.String()) }

// cosigned gives the note that shows that the open roll was declared before its round came, and who cosigned it.
func (t *Table) cosigned(at *campaign.Campaign) (note string, by []tree.Cosignature) {
	text, err := kept.Read(t.note(at.ID), 64<<10)
	if err != nil || text == nil {
		return "", nil
	}
	roll := at.Open.Roll
	x, err := tree.ParseCosigned(string(text), tree.Verifier{}, roll.Cosigners)
	if err != nil || x.Campaign != at.ID || x.Events <= roll.Asked || x.Events > at.Next ||
		!roll.Cosigners.MetBefore(x.Cosignatures, at.Beacon.Time(roll.Round)) {
		return "", nil // of an earlier roll
	}
	return string(text), x.Cosignatures
}
