package maintenance

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/kept"
)

// command is a command that a report proposes, with the flags that were given to this one.
func (o Options) command(rest string) string { return "  watu " + rest + o.Flags }

// unopened says why a ledger did not open, and what mends it.
func unopened(ctx context.Context, dir string, o Options, err error) error {
	var behind *ledger.CheckpointError
	switch {
	case errors.As(err, &behind):
		return problem.WithReport(problem.Diverged, append(o.behind(ctx, dir, behind), o.remedies(dir)...),
			"%v, in %s; nothing was changed", behind.Unwrap(), dir)
	case errors.Is(err, ledger.ErrCheckpoint):
		return problem.WithReport(problem.Diverged, o.remedies(dir), "%v", err)
	case errors.Is(err, ledger.ErrDamaged):
		lines := []string{"make a ledger of a backup, with what the stream has beyond it:"}
		if o.NATS != "" {
			lines = append(lines, "  watu restore FILE --identity KEYFILE --dir NEW --nats URL")
		} else {
			lines = append(lines, "  watu restore FILE --identity KEYFILE --dir NEW",
				"  cp -r "+filepath.Join(dir, "stream")+" NEW/stream", "  watu repair --from-stream --dir NEW")
		}
		return problem.WithReport(problem.Unverified, lines, "%v", err)
	}
	return problem.Unwritable(dir, err)
}

// behind says where record and checkpoint differ.
func (o Options) behind(ctx context.Context, dir string, e *ledger.CheckpointError) []string {
	var lines []string
	for _, d := range e.Campaigns {
		name := cmp.Or(d.Name, "unknown here")
		lines = append(lines, fmt.Sprintf("campaign %s (%s): %s here, %d at the checkpoint", name, d.Campaign,
			words.Count(d.EventsHere, "event"), d.EventsThere))
		at := min(d.EventsHere, d.EventsThere)
		if at > 0 {
			lines = append(lines, fmt.Sprintf("  here       #%d is %s", at-1, d.HashHere))
		}
		lines = append(lines, fmt.Sprintf("  checkpoint #%d is %s", d.EventsThere-1, d.HashThere))
	}
	if last, where, ok := o.lastPublished(ctx, dir); ok {
		lines = append(lines, fmt.Sprintf("the stream at %s holds %s", where, words.Count(last, "event")))
	}
	return lines
}

// lastPublished asks a server elsewhere how far the stream reaches. The embedded one cannot be asked:
// its files belong to whoever holds the record's lock.
func (o Options) lastPublished(ctx context.Context, dir string) (last uint64, where string, ok bool) {
	if o.NATS == "" {
		return 0, "", false
	}
	id, err := ledgerIn(dir)
	if err != nil {
		return 0, "", false
	}
	p, err := reachElsewhere(ctx, o)
	if err != nil {
		return 0, "", false
	}
	defer p.close()
	found, err := p.ledgers(ctx)
	i := slices.IndexFunc(found, func(s stream.Found) bool { return s.Ledger == id })
	if err != nil || i < 0 {
		return 0, "", false
	}
	return found[i].Last, p.where, true
}

// ledgerIn reads which ledger a directory holds, without opening it.
func ledgerIn(dir string) (ulid.ULID, error) {
	var id struct {
		Ledger ulid.ULID `json:"ledger"`
	}
	text, err := kept.Read(filepath.Join(dir, "LEDGER"), smallFile)
	if err == nil {
		err = json.Unmarshal(text, &id)
	}
	return id.Ledger, err
}

// remedies are the commands that mend a record which its checkpoint does not vouch for.
func (o Options) remedies(dir string) []string {
	if _, err := os.Stat(filepath.Join(dir, "READONLY")); err == nil {
		return []string{"the ledger is a copy: follow its original again, or restore a backup of it",
			o.command("follow")}
	}
	return []string{
		"take back what the stream still has:", o.command("repair --from-stream"),
		"or make a ledger of a backup, with what the stream has beyond it:",
		"  watu restore FILE --identity KEYFILE --dir NEW --nats URL",
		"or give up for good what is missing:", o.command("repair --accept-loss"),
	}
}

// divergedFrom says how a stream differs from the record that it should be a copy of.
func (o Options) divergedFrom(ctx context.Context, dir string, p *server, l *ledger.Ledger, r stream.Report) error {
	lines := []string{
		fmt.Sprintf("record  %s, the last of sequence %d, in %s", words.Count(r.Durable, "event"), r.Durable, dir),
		fmt.Sprintf("stream  %s, the last of sequence %d, in %s", stream.StreamName(l.ID()), r.Last, p.where),
	}
	lost, first, err := beyond(ctx, p, l, r.At)
	if err != nil {
		lines = append(lines, "the stream does not read: "+err.Error())
	}
	if r.State == stream.Longer {
		for _, c := range lost {
			lines = append(lines, fmt.Sprintf("campaign %s (%s): %s here, %d in the stream, the last with hash %s",
				c.Name, c.ID, words.Count(c.Here, "event"), c.There, c.Head))
		}
		lines = append(lines, "take back what the stream has:", o.command("repair --from-stream"))
	} else {
		lines = append(lines, fmt.Sprintf("the first %d are the same; of sequence %d", r.At-1, r.At))
		for r, err := range l.After(r.At - 1) {
			if err == nil {
				lines = append(lines, "  the record has "+recordText(l, r))
			}
			break
		}
		lines = append(lines, "  the stream has "+recordText(l, first))
		lines = append(lines, standing(p)...)
	}
	lines = append(lines, fmt.Sprintf("or let the record stand, and lose %s that the stream alone has:",
		words.Count(lostOf(lost), "event")), o.command("repair --from-record"))
	return problem.WithReport(problem.Diverged, lines, "%v: %s; %s", stream.ErrDiverged, r.Was, p.unchanged())
}

// standing says how a stream stands that holds another event than the record.
func standing(p *server) []string {
	if p.server != nil {
		return []string{
			"to let the stream stand, make a ledger of a backup from before that:",
			"  watu restore FILE --identity KEYFILE --dir NEW",
			"  cp -r " + p.where + " NEW/stream", "  watu repair --from-stream --dir NEW",
		}
	}
	return slices.Concat([]string{
		"another host went on while this one was cut off, perhaps: what was not confirmed here was answered to nobody.",
		"to let the stream stand, make a backup on the host that goes on, and restore it here into a new directory",
		"(one from before the difference does as well):",
	}, backedUpThere)
}

// lacks fails if a record lacks what the lease knows of, though it agrees with all that the stream has.
func (o Options) lacks(p *server, lease *stream.Lease, l *ledger.Ledger, last uint64) error {
	short, err := lease.Lacking(l, last)
	if short != nil {
		return o.lacking(p, short)
	}
	return err
}

// lacking says what can be done with a record that lacks what its lease knows of, and the stream too.
func (o Options) lacking(p *server, short *stream.ShortError) *problem.Problem {
	lines := []string{
		"the stream lost its end, and this record may be an older copy; if there is a newer one, start that,",
		"or take back here what it has:", o.command("repair --from-copy COPY"),
	}
	if !short.Here.IsZero() {
		lines = append([]string{
			"the stream lost its end, and another host went on while this one was cut off: start that one,",
			"or make a backup there, and restore it here:",
		}, backedUpThere...)
	}
	return problem.WithReport(problem.Diverged, append(lines, "or let this record stand, and lose for good "+
		"what it lacks:", o.command("repair --from-record")), "%v; %s", short, p.unchanged())
}

// backedUpThere brings here what another host has.
var backedUpThere = []string{
	"  watu backup -o FILE --recipient age1…", "  watu restore FILE --identity KEYFILE --dir NEW --nats URL",
}

// recordText names a record.
func recordText(l *ledger.Ledger, r events.Record) string {
	name := r.Campaign.String()
	if c, ok := l.Campaign(r.Campaign); ok {
		name = c.Name
	}
	return fmt.Sprintf("#%d of campaign %s, hash %s", r.Index, name, r.Hash())
}

// beyond gives the campaigns of which the stream has events from a sequence on that the record
// does not have, and the first of those events.
func beyond(ctx context.Context, p *server, l *ledger.Ledger,
	from uint64) (list []LostEvents, first events.Record, err error) {
	at := map[ulid.ULID]int{}
	err = p.tail(ctx, stream.Following{Ledger: l.ID(), From: from}, func(r events.Record) error {
		if first.Sequence == 0 {
			first = r
		}
		i, ok := at[r.Campaign]
		if !ok {
			here, _ := l.Campaign(r.Campaign)
			i, at[r.Campaign] = len(list), len(list)
			list = append(list, LostEvents{Name: here.Name, ID: r.Campaign.String(), Here: here.Events})
		}
		list[i].There, list[i].Head = r.Index+1, r.Hash()
		list[i].Lost++
		if r.Index == 0 && list[i].Name == "" {
			list[i].Name = nameIn(r)
		}
		return nil
	})
	return list, first, err
}

// lostOf is how many events of all campaigns are lost.
func lostOf(list []LostEvents) (n uint64) {
	for _, l := range list {
		n += l.Lost
	}
	return n
}

// nameIn reads a campaign's name from its first event.
func nameIn(r events.Record) string {
	var p events.CampaignOpened
	if e, err := events.Decode(r.Bytes); err == nil {
		e.Read(&p)
	}
	return p.Name
}
