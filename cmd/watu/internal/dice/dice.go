// Package dice lets the dice of rolls fall that await a round of public randomness, and says of rolls how they stand.
//
// A [Table] does by itself what the umpire asks of a host: it has witnesses cosign a checkpoint that holds the
// declaration, waits for the round, fetches it, and hands in both as the entry round, or lapse where nobody cosigned in
// time. Which dice follow, package replay says. The cosigned note is kept in a file, D/notes/CAMPAIGN, until the round
// comes: a host that starts again goes on with it.
package dice

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/beacon/rounds"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// Table looks after the rolls of a ledger that await a round.
type Table struct {
	host    *maintenance.Host
	ctx     context.Context // ends when the host closes
	running sync.WaitGroup

	mu       sync.Mutex
	begun    map[ulid.ULID]bool          // for which campaigns somebody looks; the zero one for all
	watching map[ulid.ULID]chan struct{} // those that are looked after; each is woken by its channel
	trouble  map[ulid.ULID]error         // why a roll does not go on
	late     map[ulid.ULID]time.Time     // when a seat cosigned last, after the round had come
}

// New gives the table of an open directory. Nothing falls there before [Table.Roll].
func New(h *maintenance.Host) *Table {
	ctx, end := context.WithCancel(context.Background())
	t := &Table{host: h, ctx: ctx, begun: map[ulid.ULID]bool{}, watching: map[ulid.ULID]chan struct{}{},
		trouble: map[ulid.ULID]error{}, late: map[ulid.ULID]time.Time{}}
	h.AtClose("a roll is still being looked after: it goes on with the next start", func(context.Context) error {
		t.mu.Lock()
		end() // and nothing begins any more
		t.mu.Unlock()
		t.running.Wait()
		return nil
	})
	return t
}

// Roll looks after the rolls of a campaign, or of all for the zero id, until the host closes. It does nothing in a
// copy, and may be called again.
func (t *Table) Roll(id ulid.ULID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.begun[id] || t.begun[ulid.ULID{}] || t.ctx.Err() != nil || t.host.Rounds() == nil ||
		t.host.Ledger().ReadOnly() != nil {
		return
	}
	t.begun[id] = true
	t.running.Go(func() { t.roll(t.ctx, id) })
}

// roll tells who looks after a campaign with dice by a beacon whenever something was recorded there.
func (t *Table) roll(ctx context.Context, only ulid.ULID) {
	known := map[ulid.ULID]uint64{}
	for after := uint64(0); ; {
		failed := false
		for _, c := range t.host.Ledger().Campaigns() {
			if n, seen := known[c.ID]; seen && n == c.Events || only != (ulid.ULID{}) && only != c.ID {
				continue
			}
			if is, err := t.byBeacon(c); err != nil {
				t.report(c.ID, err)
				failed = true
				continue
			} else if is {
				t.watch(c.ID)
				t.wake(c.ID)
			}
			known[c.ID] = c.Events
		}
		until, stop := ctx, context.CancelFunc(func() {})
		if failed {
			until, stop = context.WithTimeout(ctx, later)
		}
		at, err := t.host.Ledger().Wait(until, after)
		if stop(); ctx.Err() != nil {
			return
		}
		if err == nil {
			after = at
		} else if until.Err() == nil {
			return
		}
	}
}

// watch has a campaign looked after, once.
func (t *Table) watch(id ulid.ULID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.watching[id] == nil && t.ctx.Err() == nil {
		wake := make(chan struct{}, 1)
		t.watching[id] = wake
		t.running.Go(func() { t.lookAfter(t.ctx, id, wake) })
	}
}

// wake has whoever looks after a campaign look now.
func (t *Table) wake(id ulid.ULID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case t.watching[id] <- struct{}{}:
	default: // nobody does, or he looks anyway
	}
}

// byBeacon reports whether the dice of a campaign that is played here fall by a beacon.
func (t *Table) byBeacon(c ledger.Campaign) (bool, error) {
	e, err := t.host.Event(c.ID, 0)
	var p events.CampaignOpened
	if err != nil || !e.Read(&p) || p.Dice != campaign.Beacon {
		return false, err
	}
	_, imported, err := t.host.Imported(c.ID)
	return err == nil && !imported, err
}

// How long to wait before something is tried again.
const (
	soon   = time.Second // and twice as long after each failure
	later  = 5 * time.Second
	rarely = time.Minute
	never  = time.Duration(1<<63 - 1) // until something is recorded
)

// lookAfter does what is to be done for the rolls of one campaign, until ctx ends.
func (t *Table) lookAfter(ctx context.Context, id ulid.ULID, wake <-chan struct{}) {
	for wait := soon; ; {
		pause, err := t.advance(ctx, id)
		t.report(id, err)
		if err == nil {
			wait = soon
		} else if pause != never {
			pause, wait = min(pause, wait), min(2*wait, rarely)
		}
		again := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-wake:
			wait = soon
		case <-again.C:
		}
		if again.Stop(); ctx.Err() != nil {
			return
		}
	}
}

// errLate is that a round came before the roll was cosigned that names it.
var errLate = errors.New("its round came before enough witnesses cosigned the roll, which lapses and names another " +
	"round when they answer")

// report notes why a roll does not go on, nil for nothing, and says it once.
func (t *Table) report(id ulid.ULID, err error) {
	t.mu.Lock()
	known := t.trouble[id]
	if t.trouble[id] = err; err == nil {
		delete(t.trouble, id)
	}
	t.mu.Unlock()
	news := err != nil && (known == nil || errors.Is(err, errLate) && !errors.Is(known, errLate) ||
		errors.Is(err, errOther) && !errors.Is(known, errOther))
	if c, _ := t.host.Ledger().Campaign(id); news && !errors.Is(err, rounds.ErrNotYet) {
		t.host.Notify(fmt.Sprintf("campaign %s waits for the dice of a roll: %s", c.Name, message(err)))
	}
}

// message is an error in a line, without what a problem in it has beside.
func message(err error) string { return problem.New(problem.Failed, "%v", err).Message }

// advance does the next thing for the roll that is open in a campaign, if it awaits a round. It says when to try
// again.
func (t *Table) advance(ctx context.Context, id ulid.ULID) (pause time.Duration, err error) {
	at, err := t.host.Umpire().AtHead(id)
	if err != nil {
		return later, err
	}
	if at.Open == nil || at.Open.Roll == nil || !at.Open.Roll.Awaits() {
		return never, nil
	}
	if err := t.host.CheckWritable(); err != nil {
		return later, err
	}
	roll := at.Open.Roll
	if roll.Link.Chain != "" {
		return t.hear(at.ID, fmt.Sprintf("unwitnessed/%d", at.Open.Index), campaign.VerbUnwitnessed, at.Open.Index)
	}
	due := time.Unix(at.Beacon.Time(roll.Round), 0)
	note, _ := t.cosigned(at)
	switch left := time.Until(due); {
	case note == "" && left > 0 && !at.BySeats:
		return t.cosign(ctx, at, due)
	case left > 0:
		return min(left, later), nil // the clock may be set meanwhile
	case note != "":
		return t.fall(ctx, at, note)
	case roll.Lapses < beacon.MostLapses || at.Unwitnessed == campaign.Chain:
		return t.lapse(ctx, at, due)
	}
	return never, problem.New(problem.Unreachable, "it lapsed %d times, and was not cosigned in time for round %d "+
		"either: no other round is named, and the roll stays open until it is ruled void", roll.Lapses, roll.Round)
}

// errOther is that witnesses have seen more of a campaign than is here, or other events.
var errOther = errors.New("this record lacks what its witnesses have seen, or is another, as an older copy is that " +
	"was put back. Nothing is asked of them any more until this program begins anew. Put the newest copy back: the " +
	"stream, a follower or a later backup may have it. If nobody has it, the roll can be ruled void")

// other explains why witnesses cosign nothing, where they have seen another record.
func (t *Table) other(at *campaign.Campaign, err error) error {
	from := time.Unix(at.Beacon.Time(at.Open.Roll.Round)+beacon.Abandoned, 0).UTC()
	return fmt.Errorf("%w from %s UTC on: %w", errOther, from.Format(time.DateTime), err)
}

// patience is how long a roll waits for those who cosign before it lapses without them, where a chain may decide it.
const patience = time.Hour

// lapse has another round named for a roll that was not cosigned in time. That may be done a few times alone: so not
// while those are away who cosign, or their clocks so far ahead that they would be too late again.
func (t *Table) lapse(ctx context.Context, at *campaign.Campaign, due time.Time) (time.Duration, error) {
	err := t.back(ctx, at)
	switch {
	case err == nil, at.Unwitnessed == campaign.Chain && time.Since(due) > patience:
		return t.hear(at.ID, fmt.Sprintf("lapse/%d/%d", at.Open.Index, at.Open.Roll.Round), campaign.VerbLapse,
			at.Open.Roll.Round)
	case problem.Of(err).Kind == problem.Diverged && at.Unwitnessed != campaign.Chain:
		return never, t.other(at, err)
	}
	return rarely, fmt.Errorf("%w: %w", errLate, err)
}

// fall lets the dice fall by the round that has come.
func (t *Table) fall(ctx context.Context, at *campaign.Campaign, note string) (time.Duration, error) {
	roll := at.Open.Roll
	signature, err := t.host.Rounds().Round(ctx, at.Beacon, roll.Round)
	if err != nil {
		return rarely, err
	}
	return t.hear(at.ID, fmt.Sprintf("round/%d/%d", at.Open.Index, roll.Round), campaign.VerbRound,
		replay.RoundCome{Number: roll.Round, Signature: hex.EncodeToString(signature), Note: note})
}

// hear has the umpire hear what the host itself has to say of a roll.
func (t *Table) hear(id ulid.ULID, command, verb string, entry any) (time.Duration, error) {
	body, err := json.Marshal(map[string]any{verb: entry})
	if err != nil {
		return never, err
	}
	a, err := t.host.Umpire().Hear(id, rules.Command{ID: command, Seat: campaign.UmpireSeat, Verb: verb, Body: body})
	switch {
	case err != nil:
		return later, err
	case a.Verdict == rules.Refused && len(a.Violations) > 0:
		if a.Violations[0].Field == "note" { // of another record, as one that was restored beside it
			return later, errors.Join(problem.OfViolations("", a.Violations), os.Remove(t.note(id)))
		}
		return later, problem.OfViolations("", a.Violations)
	}
	return 0, nil
}

// Awaits reports whether a command was not heard because a roll awaits its round.
func Awaits(err error) bool {
	var open *replay.OpenError
	return errors.As(err, &open) && open.Question.Roll != nil && open.Question.Roll.Awaits()
}

// CheckAskable checks that a campaign with dice by a beacon, and no other, has witnesses whom this host can ask.
func CheckAskable(n replay.NewCampaign) error {
	switch n.Dice = n.Mode(); {
	case n.Dice != campaign.Beacon && (n.Witnesses != "" || n.Beacon != beacon.Beacon{}):
		return problem.New(problem.Input, "beacon and witnesses are for dice by a beacon: open it with --dice beacon")
	case n.Dice != campaign.Beacon || n.Witnesses == "" && len(n.Seats) > 1:
		return nil
	case n.Witnesses == "":
		return problem.New(problem.Input, "dice by a beacon prove nothing unless somebody else saw them declared: "+
			"name the policy of the witnesses with --witnesses FILE, which an arbiter gets from watu witness, or with "+
			"--seat two players, who cosign for one another")
	}
	p, err := tree.ParsePolicy(n.Witnesses)
	if err != nil {
		return err
	}
	return maintenance.CheckAskable(p)
}
