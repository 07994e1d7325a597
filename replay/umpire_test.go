package replay_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/awaw"
)

// umpire is an umpire over a real ledger on disk.
type umpire struct {
	*replay.Umpire
	t      *testing.T
	ledger *ledger.Ledger
	id     ledger.Campaign
}

func open(t *testing.T, options map[string]string) *umpire {
	t.Helper()
	dir := t.TempDir()
	l, err := ledger.Open(dir, ledger.Options{Logf: func(string, ...any) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	u := &umpire{Umpire: replay.NewUmpire(l, replay.NewVault(filepath.Join(dir, "secrets")), awaw.System()), t: t, ledger: l}
	c, violations, err := u.Open(replay.Opening{Name: "test", System: "awaw", Options: options, Seed: "seed"})
	if err != nil || len(violations) > 0 {
		t.Fatal(err, violations)
	}
	u.id = c
	return u
}

// submit hears a turn file and gives what came of it, a line each.
func (u *umpire) submit(text string) string {
	u.t.Helper()
	f, err := turnfile.Parse("turn.yaml", []byte(text), awaw.Verbs())
	if err != nil {
		return err.Error() + "\n"
	}
	var b strings.Builder
	for _, e := range f.Entries {
		e.Seat = replay.UmpireSeat
		a, err := u.Hear(u.id.ID, e.Command)
		if err != nil {
			fmt.Fprintf(&b, "%s: error: %v\n", e.ID, err)
			break
		}
		fmt.Fprintf(&b, "%s: %s\n", e.ID, a.Verdict)
		for r, err := range u.ledger.Read(u.id.ID, a.First, a.First+uint64(a.Events)) {
			if err != nil {
				u.t.Fatal(err)
			}
			ev, err := events.Decode(r.Bytes)
			if err != nil {
				u.t.Fatal(err)
			}
			fmt.Fprintf(&b, "  %d %s %s %s\n", ev.Index, ev.Type, ev.Side, payload(&ev))
		}
		if a.Question != "" {
			fmt.Fprintf(&b, "  ? %s: %s %v\n", a.Of, a.Question, a.Options)
		}
		for _, v := range a.Violations {
			fmt.Fprintf(&b, "  ! %s %s\n", v.Rule, v.Message)
		}
		if a.Verdict == rules.Refused {
			break
		}
	}
	return b.String()
}

func payload(e *events.Event) string {
	p, err := events.PayloadOf(e)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%+v", p)
}

func TestSmoke(t *testing.T) {
	u := open(t, map[string]string{"us_entry": "ask"})
	t.Log("\n" + u.submit(`
turn: Spring 1940
facts:
  axis controls: [Brest, Lorient]
  cves: {Atlantic: 7}
entries:
  - {id: rp, allocate: {side: Britain, project: Ultra, points: 4}}
  - {id: result, produce: {side: Britain, project: Ultra, card: asw}}
  - {id: draw, draw: Ultra}
  - {id: war, declare war: {by: Germany, on: United States}}
  - id: atlantic
    submarine warfare: {box: Atlantic, submarines: 8, asw: 34}
  - {id: r, rule: {option: us_entry, value: exclusive, reason: "separate lines of a table that names turns"}}
  - {id: a1, answer: {European Axis: pass}}
  - {id: a2, answer: {Britain: pass}}
`))
	t.Log("\n" + u.submit(`
turn: Summer 1940
entries:
  - {id: war, declare war: {by: Japan, on: United States, usjt: 33}}
  - id: pearl
    pearl harbor: {task forces: [TF 1, TF 2, TF 3], second strike: true, defending air: {aaf: 5, nas: 6}}
    japanese cards: []
    american cards: []
  - {id: harbor, harbor attack: {port: Scapa Flow, front: western, theater: Europe, by: submarine, attacker: Germany, defender: Britain, initial german attack: true, from: Kiel, distance: 18, targets: [Royal Oak]}}
`))
}
