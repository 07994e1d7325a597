package service

import (
	"reflect"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
)

// The question that is open at a moment is the one that the umpire has open there.
func TestQuestionsAreThoseOfTheUmpire(t *testing.T) {
	t.Parallel()
	c := played(t)
	f, open := c, 0
	for _, k := range fixtures.Campaigns() {
		listed, err := f.Find(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		it, err := f.Index(t.Context(), listed)
		if err != nil {
			t.Fatal(err)
		}
		moments := []uint64{listed.Events}
		for at := uint64(1); at <= listed.Events; at += 23 {
			moments = append(moments, at)
		}
		for i := range listed.Events {
			switch it.History().Type(i) {
			case "choice_asked", "choice_made", "referred", "option_ruled", "roll_declared", "dice_rolled", "voided":
				moments = append(moments, max(1, i), i+1, min(listed.Events, i+2))
			}
		}
		for _, at := range moments {
			campaign, err := f.Umpire().At(listed.ID, at)
			if err != nil {
				t.Fatal(err)
			}
			asked, err := f.OpenQuestion(t.Context(), k.Name, at)
			if err != nil {
				t.Fatal(err)
			}
			q := campaign.Open
			switch {
			case (q == nil) != (asked == nil):
				t.Errorf("%s after %d events: %+v is open, and told is %+v", k.Name, at, q, asked)
			case q != nil:
				open++
				if asked.Index != q.Index || asked.Of != q.Of() || asked.Question != q.Text() ||
					asked.Rule != q.Rule() || !reflect.DeepEqual(asked.Options, append([]string{}, q.Options()...)) {
					t.Errorf("%s after %d events: %+v is told as %+v", k.Name, at, q, asked)
				}
			}
		}
	}
	if open < 4 {
		t.Errorf("only %d moments have a question", open)
	}
}

// A contest at its end has the plays that explain its settling, and before a play it has not that play.
func TestContestsAreThoseOfTheirExplanation(t *testing.T) {
	t.Parallel()
	f := played(t)
	const campaign = "atlantic-and-pacific"
	listed, err := f.Find(campaign)
	if err != nil {
		t.Fatal(err)
	}
	x, err := f.reader(t.Context(), listed)
	if err != nil {
		t.Fatal(err)
	}
	settled, negated := 0, 0
	for at := uint64(1); at <= listed.Events; at++ {
		e, err := f.Event(listed.ID, at-1)
		if err != nil {
			t.Fatal(err)
		}
		contest, ok := x.contestOf(&e)
		if !ok || e.Corrects != 0 {
			continue
		}
		now, err := f.ContestAt(t.Context(), campaign, at)
		if err != nil || now == nil || now.Index != contest {
			t.Fatalf("after %d events: %+v, %v", at, now, err)
		}
		for _, p := range now.Plays {
			if p.Index >= at || p.Negated >= at {
				t.Errorf("after %d events #%d is told", at, p.Index)
			}
		}
		if now.Settled == nil {
			continue
		}
		settled++
		x, err := f.Explain(t.Context(), campaign, at-1)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(x.Contest.Settled, now.Settled) {
			t.Errorf("contest %d: %+v, explained %+v", contest, now.Settled, x.Contest.Settled)
		}
		plays := 0
		for _, l := range x.Contest.Plays {
			switch l.Type {
			case "card_played", "passed", "play_committed":
				plays++
			case "card_negated":
				negated++
			}
		}
		if plays != len(now.Plays) {
			t.Errorf("contest %d: %d plays, explained %d", contest, len(now.Plays), plays)
		}
		for _, p := range now.Plays {
			if p.Negated != 0 {
				negated--
			}
		}
	}
	if settled < 30 || negated != 0 {
		t.Errorf("%d contests are settled; %d negations are not told", settled, negated)
	}
}

// The last rulings come last first, none before it happened.
func TestRulingsAtAMoment(t *testing.T) {
	t.Parallel()
	f := played(t)
	kinds := map[events.Type]int{}
	for _, k := range fixtures.Campaigns() {
		listed, err := f.Find(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		for at := uint64(1); at <= listed.Events; at += 7 {
			list, err := f.RulingsAt(t.Context(), k.Name, at, 2)
			if err != nil || len(list) > 2 {
				t.Fatal(list, err)
			}
			for i, r := range list {
				kinds[r.Type]++
				if r.Index >= at || i > 0 && list[i-1].Index <= r.Index || r.Text == "" {
					t.Errorf("%s after %d events: %+v", k.Name, at, list)
				}
			}
		}
	}
	for _, kind := range []events.Type{"dispute_ruled", "option_ruled", "referred", "edition_moved"} {
		if kinds[kind] == 0 {
			t.Errorf("no %s is told", kind)
		}
	}
}
