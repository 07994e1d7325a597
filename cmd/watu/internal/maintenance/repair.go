package maintenance

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay"
)

// The ways to repair a ledger.
const (
	FromStream = "from-stream" // the record takes back what the stream still has
	FromRecord = "from-record" // the stream is made anew from the record
	FromCopy   = "from-copy"   // the record takes back what a follower's copy has
	AcceptLoss = "accept-loss" // what the record lacks is given up

	FreshSecrets = "fresh-secrets" // secrets that are damaged or lost are given up
)

// Repair mends a ledger whose record, checkpoint and stream differ, in the way that is named;
// nobody else may hold its directory. Where something is lost for good it wants yes, and says
// first what that is.
func Repair(ctx context.Context, dir, way string, yes bool, o Options) (Repaired, error) {
	if !NotEmpty(dir) {
		return Repaired{}, problem.New(problem.Input, "there is no ledger in %s: name another directory with --dir",
			dir)
	}
	if err := guarded(dir, func(line string) { o.logf("%s", line) }); err != nil {
		return Repaired{}, err
	}
	t := &lease{}
	l, err := ledger.Open(dir, ledger.Options{Holder: o.Holder, Logf: o.logf, Repairing: true, Guard: t})
	if err != nil {
		return Repaired{}, unopened(ctx, dir, o, err)
	}
	r := &repair{Options: o, dir: dir, ledger: l, lease: t, yes: yes, out: Repaired{
		Version: Version, Directory: dir, Ledger: l.ID().String(), Repair: way, Lost: []LostEvents{},
	}}
	err = r.run(ctx)
	r.out.Events, r.out.Campaigns = l.Durable(), headed(l.Checkpoint())
	t.release()
	if r.server != nil {
		r.server.close()
	}
	return r.out, errors.Join(err, l.Close())
}

// headed gives the heads of a checkpoint that has names.
func headed(c ledger.Checkpoint) []CampaignHead {
	list := []CampaignHead{}
	for _, c := range c.Campaigns {
		list = append(list, CampaignHead{Name: c.Name, ID: c.ID.String(), Events: c.Events, Head: c.Head})
	}
	return list
}

// repair is a ledger under repair.
type repair struct {
	Options
	dir    string
	ledger *ledger.Ledger
	lease  *lease
	server *server // nil if there is no stream to look at
	report stream.Report
	yes    bool
	out    Repaired

	renewed bool // campaigns go on in a new epoch, of which this directory alone knows
}

func (r *repair) run(ctx context.Context) error {
	if m := r.ledger.ReadOnly(); m != nil {
		return problem.New(problem.Refused, "%v; a copy that follows is mended by watu follow", m)
	}
	// What is mended may make steps whole: that is for whoever may take steps.
	if r.lease.away = r.awayFrom(ctx, r.dir, r.ledger); r.lease.away != nil {
		return r.lease.away
	}
	if err := r.leave(ctx, r.ledger, false); err != nil {
		return err
	}
	if err := r.look(ctx); err != nil {
		return err
	}
	var err error
	switch r.out.Repair {
	case FromStream:
		err = r.fromStream(ctx)
	case FromCopy:
		err = r.fromCopy(ctx)
	case FromRecord:
		err = r.fromRecord(ctx)
	case FreshSecrets:
		err = r.freshSecrets()
	default:
		err = r.acceptLoss(ctx)
	}
	if err == nil && r.out.Repair != FromRecord {
		err = r.lacks(r.server, r.lease.lease, r.ledger, r.report.Last)
	}
	if err != nil {
		return err
	}
	if r.server == nil {
		return r.settle(ctx, nil, r.ledger, nil)
	}
	after, err := r.server.compare(ctx, r.ledger)
	r.out.Stands = after.String()
	if err != nil || after.Diverged() {
		return err
	}
	if err := r.settle(ctx, r.server, r.ledger, r.lease.lease); err != nil || !r.renewed || r.lease.lease == nil {
		return err
	}
	return r.fence(ctx)
}

// fence gives the home another id. Until the first step of its new epoch is published, a copy of the record would go
// on with dice that somebody knows: it remembers the former id, and stays out.
func (r *repair) fence(ctx context.Context) error {
	id, err := r.lease.lease.Rename(ctx)
	if err != nil {
		return err
	}
	r.logf("the home of this ledger has another id from now on: go on with this directory, and throw other copies away")
	return r.ledger.Settle(ledger.Home{ID: id, Address: r.server.where})
}

// look compares stream and record. Without files of an embedded stream there is none.
func (r *repair) look(ctx context.Context) (err error) {
	files := filepath.Join(r.dir, "stream")
	if _, missing := os.Stat(files); r.NATS == "" && errors.Is(missing, fs.ErrNotExist) && r.out.Repair != FromRecord {
		r.out.Stream, r.out.Found, r.report.State = files, "there is no stream", stream.New
		return nil
	}
	o := r.Options
	o.keep = true // the only copy, perhaps, of what the record lacks
	if r.server, err = reach(ctx, r.dir, o); err != nil {
		return err
	}
	if r.lease.lease, err = r.takeLease(ctx, r.server, r.ledger); err != nil {
		return err
	}
	r.report, err = r.server.compare(ctx, r.ledger)
	r.out.Stream, r.out.Found = r.server.where, r.report.String()
	return err
}

// fromStream takes back what the record lacks and the stream has.
func (r *repair) fromStream(ctx context.Context) error {
	if r.report.State == stream.Other {
		return r.divergedFrom(ctx, r.dir, r.server, r.ledger, r.report)
	}
	if r.report.State == stream.Longer {
		found, err := takeTail(ctx, r.server, r.ledger, umpireOf(r.dir, r.ledger))
		r.out.FromStream = &found
		if err != nil {
			return err
		}
	}
	doubt := r.ledger.Behind()
	if doubt == nil {
		return nil
	}
	var behind *ledger.CheckpointError
	if !errors.As(doubt, &behind) { // CHECKPOINT does not read
		if r.report.State == stream.New || r.report.State == stream.Damaged {
			return problem.WithReport(problem.Diverged, r.remedies(r.dir), "%v; no whole stream is left to vouch for "+
				"the record", doubt)
		}
		// The stream vouches for what was published. What was not is gone, if there was any: then
		// somebody knows its dice.
		if err := r.renewAll(); err != nil {
			return err
		}
		if _, err := r.ledger.AcceptLoss(); err != nil {
			return err
		}
		r.out.Note = "CHECKPOINT did not read and is written anew: the record has all that the stream has. Whether " +
			"something was recorded and never published nobody can say, so each campaign goes on in a new epoch."
		return r.complete(ctx)
	}
	lines := append(r.behind(ctx, r.dir, behind),
		"the stream has no more than the record now (is it the right one? name a server elsewhere with --nats)",
		"make a ledger of a newer backup, with what a stream has beyond it:",
		"  watu restore FILE --identity KEYFILE --dir NEW --nats URL",
		"or give up for good what is missing:", r.command("repair --accept-loss"))
	return problem.WithReport(problem.Diverged, lines, "%v, and the stream in %s does not have what is missing",
		behind.Unwrap(), r.out.Stream)
}

// fromCopy takes back what the record lacks and a copy that followed it has.
func (r *repair) fromCopy(ctx context.Context) error {
	switch r.report.State {
	case stream.Other:
		return r.divergedFrom(ctx, r.dir, r.server, r.ledger, r.report)
	case stream.Longer:
		return problem.WithReport(problem.Input, []string{r.command("repair --from-stream")},
			"the stream holds more than the record: begin with that")
	}
	if !NotEmpty(r.Copy) {
		return problem.New(problem.Input, "there is no copy in %s: name its directory", r.Copy)
	}
	copied, err := ledger.Open(r.Copy, ledger.Options{Holder: r.Holder, Logf: r.logf})
	if err != nil {
		return err
	}
	found, err := r.takeCopy(ctx, copied)
	if err == nil || found.Events > 0 {
		r.out.FromStream = &found
	}
	doubt := r.ledger.Behind()
	if doubt != nil && (err == nil || errors.Is(err, doubt)) {
		err = problem.WithReport(problem.Diverged, r.remedies(r.dir), "%v, and the copy in %s does not have "+
			"what is missing", doubt, r.Copy)
	}
	return errors.Join(err, copied.Close())
}

func (r *repair) takeCopy(ctx context.Context, copied *ledger.Ledger) (replay.Recovered, error) {
	if copied.ID() != r.ledger.ID() {
		return replay.Recovered{}, problem.New(problem.Input, "%s holds ledger %s, not a copy of %s", r.Copy,
			copied.ID(), r.ledger.ID())
	}
	if err := r.agrees(ctx, copied); err != nil {
		return replay.Recovered{}, err
	}
	return umpireOf(r.dir, r.ledger).Recover(copied.After(r.ledger.Durable()))
}

// agrees fails unless a copy and the record hold the same events as far as both of them reach.
func (r *repair) agrees(ctx context.Context, copied *ledger.Ledger) error {
	next, stop := iter.Pull2(copied.After(0))
	defer stop()
	for here, err := range r.ledger.After(0) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		there, err, more := next()
		switch {
		case err != nil:
			return fmt.Errorf("the copy in %s: %w", r.Copy, err)
		case !more:
			return nil
		case here.Campaign != there.Campaign || !bytes.Equal(here.Bytes, there.Bytes):
			return r.otherWay(copied, here, there)
		}
	}
	return nil
}

// otherWay says from which event on a copy holds others than the record.
func (r *repair) otherWay(copied *ledger.Ledger, here, there events.Record) error {
	campaign, _ := r.ledger.Campaign(here.Campaign)
	return problem.WithReport(problem.Diverged, []string{
		fmt.Sprintf("record  %s, in %s", words.Count(r.ledger.Durable(), "event"), r.dir),
		fmt.Sprintf("copy    %s, in %s", words.Count(copied.Durable(), "event"), r.Copy),
		fmt.Sprintf("the first %d are the same; of sequence %d", here.Sequence-1, here.Sequence),
		"  the record has " + recordText(r.ledger, here), "  the copy has " + recordText(copied, there),
		"two hosts went on with this ledger. To let the copy stand, make a ledger of a backup from before that:",
		"  watu restore FILE --identity KEYFILE --dir NEW", "  watu repair --from-copy " + r.Copy + " --dir NEW",
	}, "the copy in %s differs from the record, from #%d of campaign %s on; nothing was changed", r.Copy, here.Index,
		campaign.Name)
}

// takeTail gives the record what the stream has beyond its end. A step of which the stream has
// but the beginning is completed as soon as the record takes steps.
func takeTail(ctx context.Context, p *server, l *ledger.Ledger, u *replay.Umpire) (replay.Recovered, error) {
	var tail iter.Seq2[events.Record, error] = func(yield func(events.Record, error) bool) {
		err := p.tail(ctx, stream.Following{Ledger: l.ID(), From: l.Durable() + 1}, func(r events.Record) error {
			if !yield(r, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(events.Record{}, err)
		}
	}
	found, err := u.Recover(tail)
	if doubt := l.Behind(); err != nil && doubt != nil && errors.Is(err, doubt) {
		err = nil // what is missing yet is reported by Behind
	}
	return found, err
}

var errEnough = errors.New("enough")

// fromRecord makes the stream anew from the record.
func (r *repair) fromRecord(ctx context.Context) error {
	var behind *ledger.CheckpointError
	if doubt := r.ledger.Behind(); errors.As(doubt, &behind) {
		return unopened(ctx, r.dir, r.Options, behind)
	} else if doubt != nil {
		return unopened(ctx, r.dir, r.Options, doubt)
	}
	if err := r.giveUp(ctx); err != nil {
		return err
	}
	_, err := r.server.rebuild(ctx, r.ledger, r.stream(r.server, r.lease.lease))
	return err
}

// acceptLoss gives up what the record lacks.
func (r *repair) acceptLoss(ctx context.Context) error {
	if r.report.State == stream.Longer && !r.yes { // with yes nothing is lost yet: the stream is left alone
		return r.divergedFrom(ctx, r.dir, r.server, r.ledger, r.report)
	}
	doubt := r.ledger.Behind()
	var behind *ledger.CheckpointError
	switch {
	case doubt == nil:
		return nil
	case errors.As(doubt, &behind):
		for _, d := range behind.Campaigns {
			r.out.Lost = append(r.out.Lost, LostEvents{
				Name: d.Name, ID: d.Campaign.String(), Here: d.EventsHere, There: d.EventsThere, Head: d.HashThere,
				Lost: d.EventsThere - min(d.EventsHere, d.EventsThere),
			})
		}
	}
	if !r.yes {
		text := "what the record lacks is lost: to give it up for good, say so with --yes"
		if behind == nil {
			text = "the checkpoint does not read, so nobody knows whether something is missing: to take the record " +
				"as it is, say so with --yes"
		}
		return r.unsure("%s", text)
	}
	// Before steps are taken again: whoever saw what is lost knows the dice that were thrown. Any
	// campaign may have lost what was younger than the checkpoint.
	if err := r.renewAll(); err != nil {
		return err
	}
	if _, err := r.ledger.AcceptLoss(); err != nil {
		return err
	}
	return r.complete(ctx)
}

// renewAll has every campaign go on in a new epoch.
func (r *repair) renewAll() error {
	lost := r.out.Lost
	r.out.Lost = nil
	err := r.renew()
	r.out.Lost = lost
	return err
}

// renew has the campaigns that lost events go on in a new epoch: all of them if nobody knows
// which did.
func (r *repair) renew() error {
	hit := map[string]bool{}
	for _, c := range r.out.Lost {
		hit[c.ID] = true
	}
	for _, c := range r.ledger.Campaigns() {
		if len(hit) > 0 && !hit[c.ID.String()] {
			continue
		}
		if err := umpireOf(r.dir, r.ledger).RotateSecret(c.ID); err != nil {
			return err
		}
		r.renewed = true
	}
	return nil
}

// complete finishes steps of which only the beginning came back from the stream, before what
// was missing behind it was given up.
func (r *repair) complete(ctx context.Context) error {
	var last []events.Record
	at := map[ulid.ULID]uint64{}
	for _, c := range r.ledger.Campaigns() {
		at[c.ID] = c.Events - 1
	}
	for id, index := range at {
		for record, err := range r.ledger.Read(id, index, index+1) {
			if err != nil {
				return err
			}
			last = append(last, record)
		}
	}
	found, err := umpireOf(r.dir, r.ledger).Recover(func(yield func(events.Record, error) bool) {
		for _, record := range last {
			if ctx.Err() != nil || !yield(record, ctx.Err()) {
				return
			}
		}
	})
	if found.Completed > 0 || len(found.Cut) > 0 {
		found.Events = 0
		r.out.FromStream = &found
	}
	return err
}
