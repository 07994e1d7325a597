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
	"path/filepath"
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
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/rules"
)

// Awaited is how a roll stands that awaits a round of a beacon.
type Awaited struct {
	Campaign string             `json:"campaign"`
	Declared uint64             `json:"declared"` // index of the declaration
	Beacon   string             `json:"beacon"`
	Round    uint64             `json:"round"`
	Due      time.Time          `json:"due"` // when the round comes
	Lapses   int                `json:"lapses,omitempty"`
	Cosigned []tree.Cosignature `json:"cosigned"`          // by whom, once they are as many as the policy asks for
	Trouble  string             `json:"trouble,omitempty"` // why cosignatures or the round are not there yet
}

// String is "#5 awaits round 1000 of quicknet, due 2023-08-23 15:59:24 UTC; cosigned by arbiter".
func (r *Awaited) String() string {
	text := fmt.Sprintf("#%d awaits round %d of %s, due %s UTC", r.Declared, r.Round, r.Beacon,
		r.Due.UTC().Format(time.DateTime))
	for i, by := range r.Cosigned {
		text += map[bool]string{true: "; cosigned by ", false: ", "}[i == 0] + by.Witness
	}
	if len(r.Cosigned) == 0 {
		text += "; not cosigned yet"
	}
	if r.Trouble != "" {
		text += ": " + r.Trouble
	}
	return text
}

// Table looks after the rolls of a ledger that await a round.
type Table struct {
	host    *maintenance.Host
	ctx     context.Context // ends when the host closes
	running sync.WaitGroup

	mu      sync.Mutex
	begun   bool
	trouble map[ulid.ULID]error // why a roll does not go on
}

// New gives the table of an open directory. Nothing falls there before [Table.Roll].
func New(h *maintenance.Host) *Table {
	ctx, end := context.WithCancel(context.Background())
	t := &Table{host: h, ctx: ctx, trouble: map[ulid.ULID]error{}}
	h.AtClose("a roll is still being looked after: it goes on with the next start", func(context.Context) error {
		t.mu.Lock()
		end() // and nothing begins any more
		t.mu.Unlock()
		t.running.Wait()
		return nil
	})
	return t
}

// Roll looks after the rolls of all campaigns until the host closes. It does nothing in a copy, and may be called
// again.
func (t *Table) Roll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.begun && t.ctx.Err() == nil && t.host.Rounds() != nil && t.host.Ledger().ReadOnly() == nil {
		t.begun = true
		t.running.Go(func() { t.roll(t.ctx) })
	}
}

// roll tells who looks after a campaign with dice by a beacon whenever something was recorded there.
func (t *Table) roll(ctx context.Context) {
	type watch struct {
		wake   chan struct{}
		events uint64
	}
	list := map[ulid.ULID]*watch{}
	var wait sync.WaitGroup
	defer wait.Wait()
	for after := uint64(0); ; {
		for _, c := range t.host.Ledger().Campaigns() {
			w := list[c.ID]
			if w == nil {
				w = &watch{wake: make(chan struct{}, 1)}
				list[c.ID] = w
				if t.byBeacon(c) {
					wait.Go(func() { t.lookAfter(ctx, c.ID, w.wake) })
				}
			}
			if w.events == c.Events {
				continue
			}
			w.events = c.Events
			select {
			case w.wake <- struct{}{}:
			default: // it looks anyway
			}
		}
		at, err := t.host.Ledger().Wait(ctx, after)
		if err != nil {
			return
		}
		after = at
	}
}

// byBeacon reports whether the dice of a campaign that is played here fall by a beacon.
func (t *Table) byBeacon(c ledger.Campaign) bool {
	e, err := t.host.Event(c.ID, 0)
	var p events.CampaignOpened
	if err != nil || !e.Read(&p) || p.Dice != campaign.Beacon {
		return false
	}
	_, imported, err := t.host.Imported(c.ID)
	return err == nil && !imported
}

// How long to wait before something is tried again.
const (
	soon  = time.Second
	later = 5 * time.Second
	never = time.Duration(1<<63 - 1) // until something is recorded
)

// lookAfter does what is to be done for the rolls of one campaign, until ctx ends.
func (t *Table) lookAfter(ctx context.Context, id ulid.ULID, wake <-chan struct{}) {
	for {
		pause, err := t.advance(ctx, id)
		t.report(id, err)
		again := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-wake:
		case <-again.C:
		}
		if again.Stop(); ctx.Err() != nil {
			return
		}
	}
}

// errLate is that a round came before the roll was cosigned that names it.
var errLate = errors.New("its round came before enough witnesses cosigned the roll: it lapses, and names another " +
	"round, when they answer")

// report notes why a roll does not go on, nil for nothing, and says it once.
func (t *Table) report(id ulid.ULID, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known := t.trouble[id]
	if err == nil {
		delete(t.trouble, id)
		return
	}
	t.trouble[id] = err
	news := known == nil || errors.Is(err, errLate) && !errors.Is(known, errLate)
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
	due := time.Unix(at.Beacon.Time(roll.Round), 0)
	note, _ := t.cosigned(at)
	switch left := time.Until(due); {
	case note == "" && left > 0:
		return t.cosign(ctx, at, due)
	case left > 0:
		return min(left, later), nil // the clock may be set meanwhile
	case note != "":
		return t.fall(ctx, at, note)
	case roll.Lapses < beacon.MostLapses:
		return t.lapse(ctx, at)
	}
	return never, problem.New(problem.Unreachable, "it lapsed %d times, and was not cosigned in time for round %d "+
		"either: no other round is named, and the roll stays open until it is ruled void", roll.Lapses, roll.Round)
}

// lapse has another round named for a roll that was not cosigned in time. That may be done a few times alone: so not
// while the witnesses are away, or their clocks so far ahead that they would be too late again.
func (t *Table) lapse(ctx context.Context, at *campaign.Campaign) (time.Duration, error) {
	c, _ := t.host.Ledger().Campaign(at.ID)
	before := time.Now().Unix() + replay.BeaconLead/2
	k, err := t.host.Cosigned(ctx, c, c.Events, at.Witnesses, before)
	if err == nil && !at.Witnesses.MetBefore(k.Cosignatures, before) {
		err = errors.New("their clocks, or that of this machine, are wrong by seconds")
	}
	if err != nil {
		return soon, fmt.Errorf("%w: %w", errLate, err)
	}
	return t.hear(at.ID, fmt.Sprintf("lapse/%d/%d", at.Open.Index, at.Open.Roll.Round), campaign.VerbLapse,
		at.Open.Roll.Round)
}

// cosign has the witnesses cosign a checkpoint that holds the declaration.
func (t *Table) cosign(ctx context.Context, at *campaign.Campaign, due time.Time) (time.Duration, error) {
	c, known := t.host.Ledger().Campaign(at.ID)
	if !known {
		return later, fmt.Errorf("%w: %s", campaign.ErrUnknownCampaign, at.Name)
	}
	ctx, cancel := context.WithDeadline(ctx, due)
	defer cancel()
	k, err := t.host.Cosigned(ctx, c, c.Events, at.Witnesses, due.Unix())
	switch {
	case err != nil && problem.Of(err).Kind == problem.Diverged:
		return later, err
	case err != nil:
		return soon, err
	case !at.Witnesses.MetBefore(k.Cosignatures, due.Unix()):
		return soon, problem.New(problem.Refused, "the clocks of the witnesses are past round %d, which is due %s UTC",
			at.Open.Roll.Round, due.UTC().Format(time.DateTime))
	}
	path := t.note(at.ID)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return soon, err
	}
	if err := kept.Replace(path, []byte(k.Note)); err != nil { // a crash must not make the roll lapse
		return soon, err
	}
	return 0, nil
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
	x, err := tree.ParseCosigned(string(text), tree.Verifier{}, at.Witnesses)
	if err != nil || x.Campaign != at.ID || x.Events <= roll.Asked || x.Events > at.Next ||
		!at.Witnesses.MetBefore(x.Cosignatures, at.Beacon.Time(roll.Round)) {
		return "", nil // of an earlier roll
	}
	return string(text), x.Cosignatures
}

// fall lets the dice fall by the round that has come.
func (t *Table) fall(ctx context.Context, at *campaign.Campaign, note string) (time.Duration, error) {
	roll := at.Open.Roll
	signature, err := t.host.Rounds().Round(ctx, at.Beacon, roll.Round)
	switch {
	case errors.Is(err, rounds.ErrNotYet):
		return soon, err
	case err != nil:
		return later, err
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

// Awaited says how the roll of a campaign stands that awaits a round, nil if none does.
func (t *Table) Awaited(c ledger.Campaign) (*Awaited, error) {
	if !t.byBeacon(c) {
		return nil, nil
	}
	at, err := t.host.Umpire().AtHead(c.ID)
	if err != nil || at.Open == nil || at.Open.Roll == nil || !at.Open.Roll.Awaits() {
		return nil, err
	}
	roll := at.Open.Roll
	out := &Awaited{Campaign: at.Name, Declared: at.Open.Index, Beacon: at.Beacon.Name, Round: roll.Round,
		Due: time.Unix(at.Beacon.Time(roll.Round), 0).UTC(), Lapses: roll.Lapses, Cosigned: []tree.Cosignature{}}
	if _, by := t.cosigned(at); by != nil {
		out.Cosigned = by
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.trouble[c.ID]; err != nil {
		out.Trouble = message(err)
	}
	return out, nil
}

// All gives the rolls of all campaigns that await a round.
func (t *Table) All() (list []Awaited) {
	for _, c := range t.host.Ledger().Campaigns() {
		if r, err := t.Awaited(c); err == nil && r != nil { // a campaign that does not fold says so when it is read
			list = append(list, *r)
		}
	}
	return list
}

// Awaits reports whether a command was not heard because a roll awaits its round.
func Awaits(err error) bool {
	var open *replay.OpenError
	return errors.As(err, &open) && open.Question.Roll != nil && open.Question.Roll.Awaits()
}

// CheckAskable checks that a campaign with dice by a beacon, and no other, has witnesses whom this host can ask.
func CheckAskable(n replay.NewCampaign) error {
	switch {
	case n.Dice != campaign.Beacon && (n.Witnesses != "" || n.Beacon != beacon.Beacon{}):
		return problem.New(problem.Input, "beacon and witnesses are for dice by a beacon: open it with --dice beacon")
	case n.Dice != campaign.Beacon:
		return nil
	case n.Witnesses == "":
		return problem.New(problem.Input, "dice by a beacon prove nothing unless somebody else saw them declared: "+
			"name the policy of the witnesses with --witnesses FILE; an arbiter gets one from watu witness")
	}
	p, err := tree.ParsePolicy(n.Witnesses)
	if err != nil {
		return err
	}
	return maintenance.CheckAskable(p)
}
