package replay_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

func (c *harness) move(to, reason string) replay.Answer {
	c.t.Helper()
	a, err := c.umpire.MoveEdition(c.id.ID, replay.NewEdition{To: to, Reason: reason, Seat: c.seat})
	if err != nil {
		c.t.Fatal(err)
	}
	return a
}

// edition of the system by its number.
func edition(t *testing.T, system, number string) rules.Edition {
	t.Helper()
	for _, s := range every {
		for _, e := range s.Editions {
			if s.Name == system && e.Name == number {
				return e
			}
		}
	}
	t.Fatalf("no edition %s of %s", number, system)
	return rules.Edition{}
}

// A move takes the options that the campaign has from its edition, and no other; what comes after it
// carries the new edition, and the audit is empty before and after.
func TestMoveEdition(t *testing.T) {
	d := newHost(t)
	c := onOceans(d)("moved", "edition", map[string]string{"interceptor_hits_on": "1"})
	one, two := edition(t, "g40", "11"), edition(t, "g40", "12")
	c.must("turn: Round 1\n")
	if f, _ := c.tried(); len(f) > 0 {
		t.Fatal(f)
	}
	a := c.move("12", "the later text")
	if a.Verdict != rules.Allowed || a.Events != 1 {
		t.Fatalf("%+v", a)
	}
	e := c.events(a.First, a.First+1)[0]
	var p events.EditionMoved
	if !e.Read(&p) || p.Was != "11" || p.Now != "12" || p.Hash != two.Hash || e.Edition != one.Hash ||
		e.Seat != campaign.UmpireSeat {
		t.Errorf("%+v by %s", p, e.Edition)
	}
	for _, o := range p.Options {
		if o.Name == "interceptor_hits_on" || one.Default(o.Name) == o.Value || two.Default(o.Name) != o.Value ||
			o.Rule == "" {
			t.Errorf("%+v", o)
		}
	}
	if len(p.Options) != 2 {
		t.Errorf("%+v", p.Options)
	}
	c.must("turn: Round 2\n")
	if last := c.all()[c.now().Next-1]; last.Edition != two.Hash || c.now().Edition != two.Hash {
		t.Errorf("%s is by %s", last.Type, last.Edition)
	}
	d.reopen()
	if c.at().Edition != two.Hash {
		t.Error("the edition is lost with the process")
	}
	if a := c.move("11", "and back"); a.Verdict != rules.Allowed {
		t.Fatalf("%+v", a)
	}
	e = c.all()[c.now().Next-1]
	p = events.EditionMoved{}
	if e.Read(&p); p.Now != "11" || len(p.Options) != 2 || p.Options[0].Value != one.Default(p.Options[0].Name) ||
		e.Edition != two.Hash {
		t.Errorf("back: %s %+v, %s", e.Type, p, e.Edition)
	}
	for _, to := range []string{"1", "5", "7", "9"} {
		carries := edition(t, "g40", to).Default("consequences")
		c.move(to, "before consequences carried, strict, exact and firm")
		e, p = c.all()[c.now().Next-1], events.EditionMoved{}
		o := events.Option{Name: "consequences", Value: carries, Rule: "GEN-CARRY"}
		if e.Read(&p); !slices.Contains(p.Options, o) {
			t.Errorf("to %s: %+v", to, p)
		}
	}
	if f, _ := c.tried(); len(f) > 0 {
		t.Error(f)
	}
}

func TestMoveEditionRefused(t *testing.T) {
	c := onOceans(newHost(t))("stays", "edition", nil)
	for _, m := range []replay.NewEdition{
		{To: "11", Reason: "the same", Seat: campaign.UmpireSeat}, {To: "13", Reason: "unknown",
			Seat: campaign.UmpireSeat},
		{To: "2", Reason: " ", Seat: campaign.UmpireSeat}, {To: "2", Reason: "not he", Seat: "Anna"},
		{Reason: "where to", Seat: campaign.UmpireSeat},
	} {
		a, err := c.umpire.MoveEdition(c.id.ID, m)
		if err != nil || a.Verdict != rules.Refused || len(a.Violations) == 0 {
			t.Errorf("%+v: %+v, %v", m, a, err)
		}
	}
	asked := newHost(t).open("asked", "edition", asked)
	asked.must("turn: Spring 1940\nentries:\n  - {id: war, declare war: {by: Germany, on: United States}}\n  - {id: " +
		"box, submarine warfare: {box: Atlantic, submarines: 5, asw: 5}}\n")
	var open *replay.OpenError
	if _, err := asked.umpire.MoveEdition(asked.id.ID, replay.NewEdition{To: "1", Reason: "why",
		Seat: campaign.UmpireSeat}); !errors.As(err, &open) {
		t.Errorf("a question is open: %v", err)
	}
}

// A move is neither corrected nor voided: it is moved again.
func TestMoveEditionStands(t *testing.T) {
	c := onOceans(newHost(t))("stands", "edition", nil)
	a := c.move("2", "the later text")
	if _, err := c.correct(a.First, "reason: no\ncode: slip\nreplace:\n  edition: {to: 1}\n"); !errors.Is(err,
		review.ErrNotCorrectable) {
		t.Error(err)
	}
	if u, err := c.umpire.Undo(c.id.ID, a.First, "a slip"); err != nil || u.Verdict != rules.Refused {
		t.Errorf("%+v, %v", u, err)
	}
}

// onOceans opens campaigns of Axis & Allies Global 1940.
func onOceans(d *host) func(name, seed string, options map[string]string) *harness {
	return d.ofBoard("g40", d.boardFiles("two-oceans"))
}
