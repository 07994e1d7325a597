package replay_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/fixtures/reader"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
)

// TestReaderOfRandomCampaigns holds a reader in another language to the views of random campaigns, in which much is
// corrected, corrected again, ruled void and taken back.
func TestReaderOfRandomCampaigns(t *testing.T) {
	t.Parallel()
	many := longrun.Of(5, 16, 40)
	if underRace {
		many = 5
	}
	seen := map[string]int{}
	for n := range many {
		d := newHost(t)
		c := d.short
		if n%8 == 7 {
			c = func(n int) *harness { return d.openAttested(fmt.Sprintf("table-%d", n), "laws", asked) }
		}
		p := newPlayer(c(n), uint64(n))
		for turn := range min(3, p.length()) {
			p.regretful(turn)
		}
		reader.HoldFile(t, p.c.id.Name, p.c.exported())
		for _, e := range p.c.all() {
			seen[string(e.Type)]++
			if e.Corrects != 0 {
				seen["corrections"]++
			}
			if e.Type == "roll_declared" && e.Replaces != 0 {
				seen["rethrown"]++
			}
			if e.Replaces != 0 {
				seen["replacements"]++
			}
		}
		if t.Failed() {
			t.Fatalf("campaign %d", n)
		}
	}
	for _, kind := range []string{"corrections", "replacements", "rethrown", "voided", "dispute_ruled", "dice_typed",
		"compensated"} {
		if t.Logf("%s: %d", kind, seen[kind]); seen[kind] == 0 && longrun.On() && !underRace {
			t.Errorf("none of the campaigns has %s", kind)
		}
	}
}

// regretful plays a game turn, and is sorry for much of it.
func (p *player) regretful(turn int) {
	p.turn = p.label(turn)
	if _, err := p.say("turn", entry{"turn": p.turn}); err != nil {
		p.c.t.Fatal(err)
	}
	p.begin()
	for range p.acts() {
		p.act()
		p.settle(func() {})
		switch p.lot.IntN(5) {
		case 0:
			p.quarrel()
		case 1, 2:
			p.regret()
		}
	}
}

// regret corrects, voids or takes back something that was played, be it of any age, or a regret itself.
func (p *player) regret() {
	p.settle(func() {})
	switch p.lot.IntN(8) {
	case 6:
		p.enterAgain()
	case 7:
		p.backAndForth()
	case 0:
		_, _ = p.put(step{undo: true})
	case 1:
		p.rethrow()
	case 2:
		_, _ = p.say("dispute", entry{"dispute": entry{"event": p.lot.IntN(int(p.c.now().Next)),
			"claim": "it was not so"}})
		now := p.c.now()
		for _, x := range now.Docket.Disputes(now.History) {
			if x.Open() {
				_, _ = p.say("ruling", entry{"ruling": entry{"dispute": x.Index, "ruling": events.RulingVoid,
					"reason": "drawn by lot"}})
			}
		}
	default:
		p.mend(uint64(p.lot.IntN(int(p.c.now().Next))))
	}
	p.settle(func() {})
}

// rethrow has the dice of a roll thrown again, or replaced by those of a table.
func (p *player) rethrow() {
	var rolls []events.Event
	for _, e := range p.c.all() {
		if e.Type == "roll_declared" {
			rolls = append(rolls, e)
		}
	}
	if len(rolls) == 0 {
		return
	}
	roll, k := pick(p.lot, rolls...), review.Correction{Code: "dispute", Reason: "cocked",
		Dice: review.DiceRuling{Again: true}}
	var declared events.RollDeclared
	if roll.Read(&declared) && declared.Mode == campaign.Attested {
		var fell [][]int
		for _, throw := range declared.Throws {
			dice := make([]int, throw.Dice)
			for i := range dice {
				dice[i] = 1 + p.lot.IntN(throw.Sides)
			}
			fell = append(fell, dice)
		}
		k.Dice = review.DiceRuling{Fell: map[uint64][][]int{roll.Index: fell}, Seen: "Anna"}
	}
	k.Event, k.ID = roll.Index, fmt.Sprintf("rethrown/%d/%d", roll.Index, p.c.now().Next)
	_, _ = p.c.umpire.Correct(p.c.id.ID, k)
}

// mend corrects some figure of the command that an event belongs to.
func (p *player) mend(event uint64) {
	value, path := p.lot.IntN(12), []string(nil) // the same however often it is asked for
	_, _ = p.c.umpire.Correct(p.c.id.ID, review.Correction{
		Event: event, Code: "mistyped", Reason: "a slip", ID: fmt.Sprintf("mended/%d/%d", event, p.c.now().Next),
		Replace: func(body json.RawMessage) (json.RawMessage, []events.Change, error) {
			var v any
			if err := json.Unmarshal(body, &v); err != nil {
				return nil, nil, err
			}
			if path == nil {
				path, _ = someFigure(v, p)
			}
			if path == nil {
				return nil, nil, review.ErrNotCorrectable
			}
			setAt(v, path, float64(value))
			out, err := json.Marshal(v)
			return out, changesOf(body, out), err
		},
	})
}

// exported is a campaign's file for the umpire, as far as views are made of it.
func (c *harness) exported() []byte {
	c.t.Helper()
	f := &bundle.File{Header: bundle.Header{Campaign: c.id.ID, Name: c.id.Name, System: c.now().System.Name,
		For: bundle.Umpire}}
	for _, r := range c.records(0, campaign.Everything) {
		f.Events = append(f.Events, r.Bytes)
		f.Header.Head = r.Hash()
	}
	f.Header.Events = uint64(len(f.Events))
	var err error
	if f.Openings, err = c.ledger.Openings(c.id.ID, 0, campaign.Everything); err != nil {
		c.t.Fatal(err)
	}
	return f.Encode()
}
