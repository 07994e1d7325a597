package replay_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

func command(id, verb, body string) rules.Command {
	return rules.Command{ID: id, Seat: campaign.UmpireSeat, Verb: verb, Body: json.RawMessage(body)}
}

// TestManyGoroutines: several people put commands of one campaign to the umpire at once, each
// of them twice: every command stands once, and everybody is given the same answer.
func TestManyGoroutines(t *testing.T) {
	c := newHost(t).open("crowd", "seed", nil)
	c.must("turn: Fall 1939")
	const people, each = 8, 30
	answers := make([][]replay.Answer, people)
	var crowd sync.WaitGroup
	for person := range people {
		crowd.Go(func() {
			for i := range each {
				a, err := c.hear(command(fmt.Sprintf("cves/%d", i), "facts",
					fmt.Sprintf(`{"facts":{"cves":{"Atlantic":%d}}}`, i)))
				if err != nil {
					t.Error(err)
				}
				answers[person] = append(answers[person], a)
				if _, err := c.umpire.At(c.id.ID, campaign.Everything); err != nil {
					t.Error(err)
				}
			}
		})
	}
	crowd.Wait()
	for i := range each {
		first := 0
		for person := range people {
			if answers[person][i].First != answers[0][i].First {
				t.Errorf("command %d stands at %d and at %d", i, answers[person][i].First, answers[0][i].First)
			}
			if !answers[person][i].Again {
				first++
			}
		}
		if first != 1 {
			t.Errorf("command %d was applied %d times", i, first)
		}
	}
	if got := len(c.all()); got != 4+each {
		t.Errorf("%d events", got)
	}
	c.shadow().check(t)
}

// TestFoldMeanwhile: whoever folds a campaign while cards are drawn sees no draw without its
// cards.
func TestFoldMeanwhile(t *testing.T) {
	c := newHost(t).open("meanwhile", "seed", nil)
	done := make(chan struct{})
	var reader sync.WaitGroup
	reader.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			at := c.at()
			h := rules.NewHearing(nil, func(int) uint64 { return 0 })
			at.Game.Decide(command("x", "turn", `{"turn":"no turn"}`), h)
			if again, err := c.umpire.At(c.id.ID, at.Next); err != nil ||
				fmt.Sprint(again.Game) != fmt.Sprint(at.Game) {
				t.Errorf("folded to %d events twice:\n%v\n%v\n%v", at.Next, at.Game, again.Game, err)
				return
			}
		}
	})
	for year := 1940; year < 1945; year++ {
		for _, season := range []string{"Spring", "Summer", "Fall", "Winter"} {
			c.must(fmt.Sprintf("turn: %s %d\nentries: [{id: draw, draw: Ultra}]", season, year))
		}
	}
	close(done)
	reader.Wait()
}

func TestEdited(t *testing.T) {
	c := newHost(t).open("edited", "seed", nil)
	c.must("turn: Fall 1939")
	if _, err := c.hear(command("a", "facts", `{"facts":{"usjt":30}}`)); err != nil {
		t.Fatal(err)
	}
	for _, again := range []func(){func() {}, c.replaceUmpire, c.reopen} {
		again()
		a, err := c.hear(command("a", "facts", `{"facts":{"usjt":30}}`))
		if err != nil || !a.Again || a.Verdict != rules.Allowed || a.Events != 1 {
			t.Errorf("again: %+v, %v", a, err)
		}
		if _, err := c.hear(command("a", "facts", `{"facts":{"usjt":31}}`)); !errors.Is(err, ledger.ErrEdited) {
			t.Errorf("edited: %v", err)
		}
		if _, err := c.umpire.Check(c.id.ID, command("a", "facts", `{"facts":{"usjt":31}}`)); !errors.Is(err,
			ledger.ErrEdited) {
			t.Errorf("checked: %v", err)
		}
	}
	if n := len(c.all()); n != 5 {
		t.Errorf("%d events", n)
	}
}

// TestAnswerOfAnotherTurn: an answer says for which turn it is written, as every entry does.
func TestAnswerOfAnotherTurn(t *testing.T) {
	c := newHost(t).open("turns", "seed", map[string]string{"blank_cards": "ask"})
	c.must(`
turn: Spring 1940
entries:
  - {id: ultra, draw: Ultra}
  - {id: moves, phase: movement, player: European Axis}
  - {id: search, contest: {kind: search, acting: Britain}}
`)
	late := command("a", "answer", `{"answer":{"Britain":"pass"}}`)
	late.Turn = "Summer 1940"
	if a, err := c.hear(late); err != nil || a.Verdict != rules.Refused || a.Violations[0].Rule != rules.Input {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestEpochs rolls until the chains of an epoch have run out, or of two in a long run: links are never used twice,
// and the campaign goes on with fresh anchors.
func TestEpochs(t *testing.T) {
	t.Parallel()
	c := newHost(t).open("epochs", "seed", nil)
	c.must("turn: Spring 1940\nentries: [{id: war, declare war: {by: Japan, on: United States, usjt: 33}}]")
	body := `{"submarine warfare":{"again":true,"box":"Atlantic","submarines":8,"asw":34}}`
	epochs := longrun.Of(1, 1, 2)
	rolls := epochs*4096 + 50
	for i := range rolls {
		if i == 4000 || i == 4097 {
			c.replaceUmpire()
		}
		if a, err := c.hear(command(fmt.Sprint("roll/", i), "submarine warfare", body)); err != nil ||
			a.Verdict != rules.Allowed {
			t.Fatalf("roll %d: %+v, %v", i, a, err)
		}
	}
	at := c.at()
	if at.Epoch != uint64(epochs)+1 {
		t.Errorf("epoch %d", at.Epoch)
	}
	if err := c.umpire.SameAsFolded(c.id.ID); err != nil {
		t.Error(err)
	}
	c.shadow().check(t)
	anchors := map[events.Hash]bool{}
	for _, e := range c.all() {
		var p events.EpochBegun
		if !e.Read(&p) {
			continue
		}
		for _, a := range p.Chains {
			if anchors[a.Anchor] {
				t.Errorf("epoch %d: the anchor of %s was there before", e.Epoch, a.Chain)
			}
			anchors[a.Anchor] = true
		}
	}
	// A draw of the first epoch is repeated from its own chain.
	a, err := c.correct(c.lastOf("Spring 1940/war", "war_declared"), "code: misread\nreason: it was 35\nreplace: "+
		"{declare war.usjt: 35}")
	if err != nil || a.Verdict != rules.Allowed || a.Events != 2 {
		t.Errorf("corrected: %+v, %v", a, err)
	}
	before := c.at().Next
	if _, err := c.umpire.Check(c.id.ID, command("check", "submarine warfare", body)); err != nil ||
		c.at().Next != before {
		t.Errorf("a check appended events: %v", err)
	}
}
