package awaw

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// court hears commands without a record: it throws dice and draws by lot, and keeps the state
// and the events.
type court struct {
	t    testing.TB
	game rules.Game
	log  []events.Event
	lot  *rand.Rand
}

func newCourt(t testing.TB, options map[string]string) *court {
	t.Helper()
	c := &court{t: t, game: newGame(), lot: rand.New(rand.NewPCG(1, 1))}
	opened, _, f := openCampaign(Editions()[0], options, nil)
	if f.Refused() {
		t.Fatal(f.Violations)
	}
	c.record(rules.Command{ID: "open"}, []rules.Draft{{Payload: opened}})
	return c
}

func (c *court) next() uint64 { return uint64(len(c.log)) }

func (c *court) place(n int) uint64 { return c.next() + uint64(n) }

// judge hears a command with the answers so far and throws what it calls for. It gives the
// answers too, those of chance among them.
func (c *court) judge(command rules.Command, answers []rules.Answer) (rules.Outcome, []rules.Answer) {
	for range 1000 {
		h := rules.NewHearing(answers, c.place)
		c.game.Decide(command, h)
		o := h.Outcome()
		switch {
		case o.Need == nil || o.Need.Choice != nil || o.Need.Refer != nil:
			return o, answers
		case o.Need.Draw != nil:
			answers = append(answers, rules.Answer{Positions: c.positions(o.Need.Draw)})
		default:
			answers = append(answers, rules.Answer{Dice: c.dice(o.Need.Roll)})
		}
	}
	c.t.Fatalf("%s %s never stops asking", command.Verb, command.Body)
	return rules.Outcome{}, nil
}

// positions are mostly the first of the pool, where the cards that do something lie.
func (c *court) positions(d *events.DrawDeclared) []int {
	if c.lot.IntN(2) == 0 {
		return []int{1, 2, 3, 4}
	}
	list := c.lot.Perm(d.PoolSize)[:d.Count]
	for i := range list {
		list[i]++
	}
	return list
}

func (c *court) dice(r *events.RollDeclared) [][]int {
	dice := [][]int{}
	for _, t := range r.Throws {
		throw := []int{}
		for range t.Dice {
			throw = append(throw, 1+c.lot.IntN(t.Sides))
		}
		dice = append(dice, throw)
	}
	return dice
}

// record makes events of drafts, holds that they can be stored and read back without loss, and
// folds them.
func (c *court) record(command rules.Command, drafts []rules.Draft) {
	c.t.Helper()
	for _, d := range drafts {
		e := events.Event{
			Campaign: ulid.ULID{1}, Index: c.next(), Type: d.Payload.Type(), Side: d.Side, Command: command.ID,
			Epoch: 1, Payload: events.EncodePayload(d.Payload), Derivation: d.Derivation,
		}
		var own []events.Opening
		for _, s := range d.Secrets {
			e.Commitments = append(e.Commitments, events.Commitment{Slot: s.Slot, Hash: events.Hash{1}})
			own = append(own, events.Opening{Index: e.Index, Slot: s.Slot, Fact: s.Fact})
		}
		stored, err := events.Decode(e.Encode())
		if err != nil || !bytes.Equal(stored.Encode(), e.Encode()) {
			c.t.Fatalf("%s does not survive storing: %v", e.Type, err)
		}
		p, err := events.PayloadOf(&stored)
		if err != nil || p == nil || events.EncodePayload(p) != e.Payload {
			c.t.Fatalf("the payload of %s does not survive storing: %v", e.Type, err)
		}
		public := c.game.Evolve(&e, nil) // the public fold takes it too
		public.TurnNow()
		c.game = c.game.Evolve(&e, own)
		c.log = append(c.log, e)
	}
}

// stand hears a command that has to stand without a question.
func (c *court) stand(verb, body string) {
	c.t.Helper()
	command := rules.Command{ID: fmt.Sprint(verb, c.next()), Verb: verb, Body: json.RawMessage(body)}
	o, _ := c.judge(command, nil)
	if o.Verdict != rules.Allowed {
		c.t.Fatalf("%s %s: %+v", verb, body, o)
	}
	c.record(command, o.Drafts)
}

// clone is the same court at the same point.
func (c *court) clone(t testing.TB, seed uint64) *court {
	return &court{t: t, game: c.game, log: c.log[:len(c.log):len(c.log)], lot: rand.New(rand.NewPCG(seed, 3))}
}

// courts are campaigns at points where different things may be done.
func courts(t testing.TB) []*court {
	t.Helper()
	opened := newCourt(t, nil)
	fall := newCourt(t, nil)
	fall.stand("turn", `{"turn":"Fall 1939"}`)
	asking := newCourt(t, allAsked())
	asking.stand("turn", `{"turn":"Spring 1941"}`)
	asking.stand("allocate", `{"allocate":{"side":"Japan","project":"Magic","points":9}}`)
	asking.stand("draw", `{"draw":"Ultra"}`)
	secret := newCourt(t, map[string]string{"play_order": "simultaneous_secret", "campaign_scope": "per_box", "blank_cards": "allowed"})
	research := newCourt(t, nil)
	for _, c := range []*court{secret, research} {
		c.stand("turn", `{"turn":"Spring 1941"}`)
		for _, side := range []string{"European Axis", "Britain", "Japan", "United States"} {
			project := map[bool]string{true: "Ultra", false: "Magic"}[side == "European Axis" || side == "Britain"]
			c.stand("allocate", fmt.Sprintf(`{"allocate":{"side":%q,"project":%q,"points":9}}`, side, project))
		}
		c.stand("produce", `{"produce":{"side":"Japan","project":"Magic","card":"strategic"}}`)
	}
	war := research.clone(t, 5)
	war.stand("declare war", `{"declare war":{"by":"Japan","on":"United States","usjt":33}}`)
	war.stand("draw", `{"draw":"Ultra"}`)
	secret.stand("declare war", `{"declare war":{"by":"Japan","on":"United States","usjt":33}}`)
	secret.stand("draw", `{"draw":"Ultra"}`)
	combat := war.clone(t, 6)
	combat.stand("phase", `{"phase":"combat","player":"Japan"}`)
	combat.stand("phase", `{"phase":"movement","player":"Western Allies"}`)
	return []*court{opened, fall, asking, research, war, secret, combat}
}

func allAsked() map[string]string {
	options := map[string]string{}
	for _, o := range OptionList() {
		options[o.Name] = rules.Ask
	}
	return options
}
