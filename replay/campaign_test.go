package replay_test

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/aar"
	"github.com/watu-ledger/watu/rules/awaw"
	"github.com/watu-ledger/watu/rules/eots"
	"github.com/watu-ledger/watu/rules/g40"
)

// TestMain collects garbage less often than usual: the tests allocate much, hold little, and take a quarter less time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// host is what a campaign needs: a record on disk, the keys, an umpire.
type host struct {
	t      testing.TB
	dir    string
	ledger *ledger.Ledger
	umpire *replay.Umpire

	edition  string         // of the campaigns that name none; empty for the first
	systems  []rules.System // by which is judged; every one if nil
	rebuilds bool           // another build goes on in the middle of a simulation
}

func newHost(t testing.TB) *host {
	t.Helper()
	d := &host{t: t, dir: t.TempDir()}
	d.openLedger()
	t.Cleanup(func() { d.ledger.Close() })
	return d
}

func (d *host) openLedger() {
	d.t.Helper()
	l, err := ledger.Open(filepath.Join(d.dir, "ledger"), ledger.Options{Logf: func(string, ...any) {}})
	if err != nil {
		d.t.Fatal(err)
	}
	d.ledger = l
	d.replaceUmpire()
}

// every is every system of rules.
var every = []rules.System{awaw.System(), aar.System(), eots.System(), g40.System()}

// replaceUmpire begins with an umpire who has folded nothing yet.
func (d *host) replaceUmpire() {
	d.umpire = replay.NewUmpire(d.ledger, keys.NewKeys(filepath.Join(d.dir, "secrets")),
		replay.NewBoards(filepath.Join(d.dir, "boards")), d.judges()...)
	d.umpire.KeepRefusals(replay.NewRefusals(filepath.Join(d.dir, "refusals")))
	d.umpire.KeepOrders(replay.NewOrders(filepath.Join(d.dir, "orders")))
}

// judges are the systems by which is judged.
func (d *host) judges() []rules.System {
	if d.systems == nil {
		return every
	}
	return d.systems
}

// rebuilt has a build go on whose rules have another revision.
func (d *host) rebuilt() {
	d.systems = slices.Clone(d.judges())
	for i := range d.systems {
		d.systems[i].Revision++
	}
	d.replaceUmpire()
}

// reopen closes the record and opens it again, as after a crash between two commands.
func (d *host) reopen() {
	d.t.Helper()
	if err := d.ledger.Close(); err != nil {
		d.t.Fatal(err)
	}
	d.openLedger()
}

// harness is one campaign of a host, and the seat whose turn files it is given.
type harness struct {
	*host
	id    ledger.Campaign
	seat  string
	board []rules.BoardFile // none for a system without

	fixture *fixtures.Campaign // the campaign that it is played after, if it is
	watched watched
	signers *signers // nil where nobody signs
}

func (d *host) open(name, seed string, options map[string]string) *harness {
	d.t.Helper()
	return d.openWith(replay.NewCampaign{Name: name, System: "awaw", Options: options, Seed: seed})
}

// openAttested opens a campaign whose dice are thrown at the table of Anna and Ben.
func (d *host) openAttested(name, seed string, options map[string]string) *harness {
	d.t.Helper()
	return d.attestedOf("awaw")(name, seed, options)
}

// attestedOf is openAttested for any system that is played without a board.
func (d *host) attestedOf(system string) func(name, seed string, options map[string]string) *harness {
	return func(name, seed string, options map[string]string) *harness {
		d.t.Helper()
		return d.openWith(replay.NewCampaign{Name: name, System: system, Options: options, Seed: seed,
			Dice: campaign.Attested, Seats: atTable[system]})
	}
}

// ofSystem opens campaigns of any system that is played without a board.
func (d *host) ofSystem(system string) func(name, seed string, options map[string]string) *harness {
	return func(name, seed string, options map[string]string) *harness {
		d.t.Helper()
		return d.openWith(replay.NewCampaign{Name: name, System: system, Options: options, Seed: seed})
	}
}

// atTable are the seats at a table, by system.
var atTable = map[string][]campaign.Seat{
	"awaw": {{Name: "Anna", Sides: []string{"European Axis", "Japan"}},
		{Name: "Ben", Sides: []string{"Britain", "united states"}}},
	"eots": {{Name: "Anna", Sides: []string{"Allies"}}, {Name: "Ben", Sides: []string{"Japan"}}},
}

func (d *host) openWith(o replay.NewCampaign) *harness {
	d.t.Helper()
	o.Edition = cmp.Or(o.Edition, d.edition)
	id, violations, err := d.umpire.Open(o)
	if err != nil || len(violations) > 0 {
		d.t.Fatal(err, violations)
	}
	return &harness{host: d, id: id, seat: campaign.UmpireSeat, board: o.Board}
}

// entries reads a turn file; one that names no turn continues the turn that is on.
func (c *harness) entries(text string) ([]rules.Command, error) {
	now := c.at()
	f, err := turnfile.Parse("turn.yaml", []byte(text), campaign.Verbs(now.System))
	if err != nil {
		return nil, err
	}
	turn, _ := now.Game.TurnNow()
	var list []rules.Command
	for _, e := range f.Entries {
		e.Seat = c.seat
		if f.Turn == "" {
			e.ID, e.Turn = turnfile.ID(turn.Label, e.ID), turn.Label
		}
		list = append(list, e.Command)
	}
	return list, nil
}

func (c *harness) at() *campaign.Campaign {
	c.t.Helper()
	folded, err := c.umpire.At(c.id.ID, campaign.Everything)
	if err != nil {
		c.t.Fatal(err)
	}
	return folded
}

// now is at, as the umpire keeps it: no fold from the first event.
func (c *harness) now() *campaign.Campaign {
	c.t.Helper()
	head, err := c.umpire.Head(c.id.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	return head
}

func (c *harness) hear(command rules.Command) (replay.Answer, error) {
	if c.signers != nil {
		return c.signers.hears(c, command)
	}
	return c.umpire.Hear(c.id.ID, command)
}

// must hears a turn file that has to stand.
func (c *harness) must(text string) []replay.Answer {
	c.t.Helper()
	commands, err := c.entries(text)
	if err != nil {
		c.t.Fatal(err)
	}
	var answers []replay.Answer
	for _, command := range commands {
		a, err := c.hear(command)
		if err != nil || a.Verdict == rules.Refused {
			c.t.Fatalf("%s: %v %+v", command.ID, err, a)
		}
		answers = append(answers, a)
	}
	return answers
}

// submit hears a turn file up to its first refusal and tells what came of it.
func (c *harness) submit(text string) string {
	c.t.Helper()
	commands, err := c.entries(text)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	for _, command := range commands {
		a, err := c.hear(command)
		c.tell(&b, a, err)
		if err != nil || a.Verdict == rules.Refused && !a.Again {
			break
		}
	}
	return b.String()
}

// correct replaces inputs of the command behind an event.
func (c *harness) correct(event uint64, text string) (replay.Answer, error) {
	c.t.Helper()
	k, err := turnfile.ParseCorrection("correction.yaml", []byte(text))
	if err != nil {
		return replay.Answer{}, err
	}
	return c.umpire.Correct(c.id.ID, review.Correction{Event: event, Code: k.Code, Reason: k.Reason,
		Source: []byte(text), Replace: k.Apply})
}

func (c *harness) tell(b *strings.Builder, a replay.Answer, err error) {
	if err != nil {
		var open *replay.OpenError
		switch {
		case errors.As(err, &open):
			fmt.Fprintf(b, "waits: %s is asked: %s\n", open.Question.Of(), open.Question.Text())
		default:
			fmt.Fprintf(b, "error: %v\n", err)
		}
		return
	}
	if a.Again {
		fmt.Fprintf(b, "again: %s, events %d to %d\n", a.Verdict, a.First, a.First+uint64(a.Events)-1)
		return
	}
	for _, e := range c.events(a.First, a.First+uint64(a.Events)) {
		fmt.Fprintln(b, line(&e))
	}
	if a.Question != "" {
		fmt.Fprintf(b, "? %s: %s (%s)\n", a.Of, a.Question, strings.Join(a.Options, " / "))
	}
	for _, v := range a.Violations {
		fmt.Fprintf(b, "! %s %s\n", v.Rule, v.Message)
	}
}

// records gives the stored events from <= index < to.
func (c *harness) records(from, to uint64) []events.Record {
	c.t.Helper()
	var list []events.Record
	for r, err := range c.ledger.Read(c.id.ID, from, to) {
		if err != nil {
			c.t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

func (c *harness) events(from, to uint64) []events.Event {
	c.t.Helper()
	var list []events.Event
	for _, r := range c.records(from, to) {
		e, err := events.Decode(r.Bytes)
		if err != nil {
			c.t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

func (c *harness) all() []events.Event { return c.events(0, campaign.Everything) }

// lastOf finds the last event of a type that the command led to.
func (c *harness) lastOf(command string, t events.Type) uint64 {
	c.t.Helper()
	at := uint64(0)
	for _, e := range c.all() {
		if e.Command == command && (e.Type == t || t == "") {
			at = e.Index
		}
	}
	if at == 0 {
		c.t.Fatalf("no %s of %q", t, command)
	}
	return at
}

// openings are the umpire's, by event and slot.
func (c *harness) openings() map[events.Ref]events.Opening {
	c.t.Helper()
	list, err := c.ledger.Openings(c.id.ID, 0, campaign.Everything)
	if err != nil {
		c.t.Fatal(err)
	}
	known := map[events.Ref]events.Opening{}
	for _, o := range list {
		known[events.Ref{Index: o.Index, Slot: o.Slot}] = o
	}
	return known
}
