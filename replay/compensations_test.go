package replay_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/strategic"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// figuresOf gives the reports of a campaign's views without the lines of compensations, and how many
// lines there are.
func (c *harness) figuresOf() (figures []any, lines int) {
	c.t.Helper()
	for _, p := range []projections.Projection{income.Projection(), strategic.Projection()} {
		v, err := projections.Fold(p, c.ledger.Read(c.id.ID, 0, campaign.Everything), nil)
		if err != nil {
			c.t.Fatal(err)
		}
		text, err := json.Marshal(v.Report())
		if err != nil {
			c.t.Fatal(err)
		}
		var report map[string]any
		if err := json.Unmarshal(text, &report); err != nil {
			c.t.Fatal(err)
		}
		list, _ := report["compensations"].([]any)
		lines += len(list)
		delete(report, "compensations")
		treasuries, _ := report["treasuries"].([]any)
		for _, t := range treasuries {
			t := t.(map[string]any)
			t["movements"] = slices.DeleteFunc(t["movements"].([]any), func(m any) bool {
				return m.(map[string]any)["what"] == "compensation"
			})
		}
		stated, _ := report["figures"].([]any)
		for _, f := range stated { // by which event a figure is known is no figure
			delete(f.(map[string]any), "event")
			delete(f.(map[string]any), "turn")
		}
		figures = append(figures, report)
	}
	return figures, lines
}

// TestCompensationAndInverse: whatever was played, a compensation and its inverse leave every figure
// as it was, with both visible.
func TestCompensationAndInverse(t *testing.T) {
	given := map[string][2]entry{}
	for i, by := range []int{3, -3} {
		for name, e := range map[string]entry{
			"straits-1942":         {"treasury": entry{"UK": by, "Japan": by}},
			"two-oceans-1941":      {"treasury": entry{"UK Pacific": by, "Germany": by}},
			"pacific-patrol-1942":  {"asps": by, "cards": entry{"Japan": by}},
			"atlantic-and-pacific": {"factors": entry{"Atlantic": entry{"submarines": by, "asw": -by}}},
		} {
			e["reason"] = fmt.Sprintf("%+d", by)
			pair := given[name]
			pair[i] = e
			given[name] = pair
		}
	}
	for name, pair := range given {
		p := newPlayer(newHost(t).recited(name, name, "inverse", false), 3)
		p.turns(p.length(), func() {})
		before, had := p.c.figuresOf()
		for _, e := range pair {
			if a, err := p.say("compensate", entry{"compensate": e}); err != nil || len(a.Violations) > 0 {
				t.Fatalf("%s: %v, %v", name, a.Violations, err)
			}
		}
		after, has := p.c.figuresOf()
		if has != had+4 {
			t.Errorf("%s: %d lines, %d before", name, has, had)
		}
		if !reflect.DeepEqual(before, after) {
			t.Errorf("%s: before %v\nafter %v", name, before, after)
		}
	}
}

// A compensation settles a dispute that was opened: no other event, and none to come.
func TestCompensationOfNoDispute(t *testing.T) {
	c := boatThatWasNotThere(t)
	compensate := func(dispute uint64) replay.Answer {
		t.Helper()
		body := fmt.Sprintf(`{"compensate": {"treasury": {"UK": 1}, "reason": "a slip", "dispute": %d}}`, dispute)
		a, err := c.hear(rules.Command{
			ID: fmt.Sprint("of ", dispute), Seat: campaign.UmpireSeat, Verb: rules.VerbCompensate, Body: []byte(body),
		})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, of := range []uint64{4, 99} {
		if a := compensate(of); a.Verdict != rules.Refused || a.Violations[0].Field != "compensate.dispute" {
			t.Errorf("of #%d: %+v", of, a)
		}
	}
	answers := c.must("turn: Round 2\nentries:\n  - {id: d, dispute: {event: 13, claim: there was no boat}}\n")
	opened := answers[len(answers)-1].First
	if a := compensate(opened); a.Verdict != rules.Allowed {
		t.Errorf("%+v", a)
	}
}
