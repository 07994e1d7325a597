package maintenance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/backup"
)

// Backup writes a backup of the ledger as it is now. Nothing is written before the keys and the directory are checked.
func (h *Host) Backup(w io.Writer, k Keys) (BackedUp, error) {
	recipients, err := k.recipients()
	if m := h.ledger.ReadOnly(); m != nil && m.Because == ledger.Follows {
		err = problem.New(problem.Refused, "%v; a copy holds no secrets, so that nothing can go on from its backup: "+
			"back up the original", m)
	} else if m != nil {
		err = problem.New(problem.Refused, "%v; a second backup would let two hosts go on: restore the file that the "+
			"handover wrote", m)
	}
	if err == nil {
		err = h.refuseDamaged(k)
	}
	if err != nil {
		return BackedUp{}, err
	}
	return h.seal(w, recipients)
}

// seal writes a backup and says what is in it.
func (h *Host) seal(w io.Writer, recipients []age.Recipient) (BackedUp, error) {
	c, err := backup.Write(w, h.ledger, h.dir, recipients...)
	return BackedUp{Version: Version, Ledger: h.ledger.ID().String(), Events: c.Sequence, Campaigns: headed(c)}, err
}

// recipients reads for whom a backup is.
func (k Keys) recipients() ([]age.Recipient, error) {
	switch {
	case k.Passphrase != "" && len(k.Recipients) > 0:
		return nil, problem.New(problem.Input, "a backup is for recipients or for a passphrase, not for both")
	case k.Passphrase != "":
		r, err := age.NewScryptRecipient(k.Passphrase)
		return []age.Recipient{r}, err
	case len(k.Recipients) == 0:
		return nil, problem.New(problem.Input, "for whom is the backup? name a recipient or a passphrase")
	}
	list, err := age.ParseRecipients(strings.NewReader(strings.Join(k.Recipients, "\n")))
	if err != nil {
		return nil, problem.New(problem.Input, "a recipient is the age1… that watu backup keygen prints: %v", err)
	}
	return list, nil
}

// Restore makes a ledger of a backup in dir, which must be missing or empty, and with a server
// elsewhere takes what its stream has beyond the backup.
func Restore(ctx context.Context, dir string, from io.Reader, keys []age.Identity,
	o Options) (out Restored, err error) {
	if NotEmpty(dir) {
		return out, problem.New(problem.Input, "%s is not empty: a backup is restored into a new directory, "+
			"named with --dir", dir)
	}
	var p *server
	if o.NATS != "" { // before anything is made
		if p, err = reachElsewhere(ctx, o); err != nil {
			return out, err
		}
		defer p.close()
	}
	c, err := backup.Restore(dir, from, keys...)
	if err != nil {
		return out, problem.Unwritable(dir, err)
	}
	out = Restored{Version: Version, Directory: dir, Ledger: c.Ledger.String(), Backup: c.Sequence, Events: c.Sequence,
		Campaigns: headed(c)}
	t := &lease{}
	l, err := ledger.Open(dir, ledger.Options{Holder: o.Holder, Logf: o.logf, Guard: t})
	if err != nil {
		return out, err
	}
	if p != nil {
		if err := o.rehome(ctx, p, l, dir); err != nil { // as if it had not been asked for
			return Restored{}, errors.Join(err, l.Close(), os.RemoveAll(dir))
		}
		var found replay.Recovered
		found, err = newest(ctx, p, l, t, dir, o)
		if err = o.restoredAlone(err); err == nil || found.Events > 0 {
			out.FromStream = &found
		}
		out.Events, out.Campaigns = l.Durable(), headed(l.Checkpoint())
	}
	out.Home, out.Embedded = placed(l.Home()), l.Home().Embedded
	out.Damaged = wrong(inspecting(dir, l, o.Say).besideRecord())
	return out, errors.Join(err, l.Close())
}

// rehome takes the server that was named as the home of a restored ledger that remembers an embedded
// stream, if the server knows all that the backup holds: the backup is from before the ledger moved there.
// Where the server knows less, the ledger never was there, or left it.
func (o Options) rehome(ctx context.Context, p *server, l *ledger.Ledger, dir string) error {
	if o.NewHome || !l.Home().Embedded {
		return nil
	}
	id, published, err := p.home(ctx, l.ID())
	switch {
	case err != nil:
		return err
	case id == "" || published < l.Durable():
		return o.awayFrom(ctx, dir, l)
	}
	h := ledger.Home{ID: id, Address: p.where}
	o.logf("the backup is from before the ledger moved; its stream is %s", placed(h))
	return l.Settle(h)
}

// restoredAlone says of a ledger that is restored that its stream was not taken along, and what is next.
func (o Options) restoredAlone(err error) error {
	if err == nil {
		return nil
	}
	p := *problem.Of(err)
	p.Message = "restored, but without what its stream has beyond the backup: " + p.Message
	switch {
	case errors.Is(err, stream.ErrLeaseHeld):
		p.Report = append(p.Report,
			"only one host goes on with a ledger. If it is to be this one, stop the other, and then take the rest:",
			o.command("repair --from-stream"), "until then it is read here:", o.without("log CAMPAIGN"))
	case len(p.Report) == 0:
		p.Report = []string{"when that is mended, take the rest:", o.command("repair --from-stream")}
	}
	return &p
}

// newest takes what the stream has beyond a record that was restored.
func newest(
	ctx context.Context, p *server, l *ledger.Ledger, t *lease, dir string, o Options,
) (found replay.Recovered, err error) {
	if away := o.awayFrom(ctx, dir, l); away != nil {
		return found, away
	}
	if err := o.leave(ctx, l, false); err != nil {
		return found, err
	}
	if t.lease, err = o.takeLease(ctx, p, l); err != nil {
		return found, err
	}
	defer t.release()
	report, err := p.compare(ctx, l)
	if err != nil {
		return found, err
	}
	if report.State == stream.Other {
		return found, o.divergedFrom(ctx, dir, p, l, report)
	}
	if report.State == stream.Longer {
		if found, err = takeTail(ctx, p, l, umpireOf(dir, l)); err != nil {
			return found, err
		}
	}
	if err := o.lacks(p, t.lease, l, report.Last); err != nil {
		return found, err
	}
	return found, o.settle(ctx, p, l, t.lease)
}

// Handover publishes what is recorded, writes a backup with write, and makes the ledger
// read-only: another host goes on with it. Nobody else may hold the directory.
func Handover(ctx context.Context, dir string, k Keys, write func(func(io.Writer) error) (file string, err error),
	o Options) (out BackedUp, err error) {
	recipients, err := k.recipients()
	if err != nil {
		return out, err
	}
	f, err := OpenWhenFree(ctx, dir, o)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if m := f.ledger.ReadOnly(); m != nil {
		return out, problem.New(problem.Refused, "there is nothing to hand over: %v", m)
	}
	if err := f.refuseDamaged(k); err != nil {
		return out, err
	}
	if err := f.drain(ctx); err != nil {
		return out, err
	}
	file, err := write(func(w io.Writer) (err error) {
		out, err = f.seal(w, recipients)
		return err
	})
	if err != nil {
		return out, err
	}
	out.File = file
	return out, f.marked(file, f.ledger.MarkReadOnly(ledger.HandedOver, "as "+filepath.Base(file)))
}

// marked says what stands where a ledger was not marked as handed over, or not with all that belongs to it.
func (h *Host) marked(file string, err error) error {
	switch {
	case err == nil:
		return nil
	case h.ledger.ReadOnly() != nil:
		return fmt.Errorf("%s is written, and the ledger takes no more steps here, go on with the file: %w", file, err)
	}
	return fmt.Errorf("%s is written, and the ledger is not handed over, it goes on here: %w", file, err)
}
