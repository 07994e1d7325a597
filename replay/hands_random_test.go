package replay_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// handsAtRandom is a campaign whose players draw by themselves, played at random.
type handsAtRandom struct {
	witnessed
	r       *rand.Rand
	players map[string]*drawer // by their sides
	past    map[string][]events.Opening
	acts    int
	done    map[string]int
}

// name is the id of the next act.
func (h *handsAtRandom) name() string { h.acts++; return fmt.Sprintf("x%d", h.acts) }

// due are the sides whose draws wait for their players.
func (h *handsAtRandom) due() (list []string) {
	for _, d := range h.harness.now().Draws() {
		list = append(list, d.Side)
	}
	return list
}

// draw commits to what a player drew.
func (h *handsAtRandom) draw(side string) {
	a, err := h.players[side].draws(side, nil)
	allowed(h.t, a, err)
	h.done["hand"]++
	if h.harness.now().Open != nil {
		h.done["hand in a question"]++
	}
}

// settle answers questions until none is open. Who is away may come back in between.
func (h *handsAtRandom) settle() {
	for range 20 {
		open := h.harness.now().Open
		if open == nil {
			return
		}
		if due := h.due(); len(due) > 0 && h.r.IntN(2) == 0 {
			h.draw(due[0])
		}
		side, answer := open.Of(), "pass"
		p := h.players[side]
		for _, option := range open.Choice.Options {
			holds := func(o events.Opening) bool { return o.Fact == option }
			if slices.ContainsFunc(p.cards, holds) && h.r.IntN(3) > 0 {
				answer = option
			}
		}
		card := slices.IndexFunc(p.cards, func(o events.Opening) bool { return o.Fact == answer })
		var opened events.Opening
		if card >= 0 {
			opened = p.cards[card]
		}
		a, err := p.plays(side, answer, card >= 0)
		if err == nil && a.Verdict == rules.Refused && card >= 0 { // against a rule: the host has seen it all the same
			h.past[side] = append(h.past[side], opened)
			a, err = p.plays(side, "pass", false)
		} else if card >= 0 {
			h.done["card"]++
			h.past[side] = append(h.past[side], opened)
		}
		allowed(h.t, a, err)
	}
	h.t.Fatal("questions without end")
}

// act does one thing.
func (h *handsAtRandom) act() {
	sides := []string{"European Axis", "Britain"}
	side := sides[h.r.IntN(2)]
	switch h.r.IntN(7) {
	case 0:
		if due := h.due(); len(due) > 0 {
			h.draw(due[0])
		}
	case 1, 2:
		kind := []string{"search", "interception", "onboard submarine"}[h.r.IntN(3)]
		id := h.name()
		turn, _ := h.harness.now().Game.TurnNow()
		a := h.players[side].enters(turn.Label+"/"+id,
			fmt.Sprintf("{id: %s, contest: {kind: %s, acting: %s, subject: off %[1]s}}", id, kind, side))
		if a.Verdict != rules.Refused {
			h.done["contest"]++
			h.settle()
		}
	case 3:
		h.must(fmt.Sprintf("entries:\n  - {id: %s, facts: {usjt: %d}}\n", h.name(), 3+h.r.IntN(9)))
		h.done["fact"]++
	case 4:
		if slips, err := h.umpire.Undoables(h.id.ID); err == nil && len(slips) > 0 && slips[0].Verb == "facts" {
			a, err := h.umpire.UndoLast(h.id.ID, h.harness.now().Next-1, "a slip")
			if err == nil && a.Verdict == rules.Allowed {
				h.done["undo"]++
			}
		}
	case 5:
		list := h.all()
		at := slices.IndexFunc(list, func(e events.Event) bool {
			return e.Type == "fact_reported" && e.Corrects == 0
		})
		k := review.Correction{Event: uint64(max(at, 0)), Code: "mistyped", Reason: "a slip",
			Replace: replaced("3", fmt.Sprint(1+h.r.IntN(2)))}
		if at >= 0 {
			if a, err := h.umpire.Correct(h.id.ID, k); err == nil && a.Verdict == rules.Allowed {
				h.done["correction"]++
			}
		}
	}
}

// begin goes on to the next turn, and both sides draw, now or when they are back.
func (h *handsAtRandom) begin(turn string) {
	h.must("turn: " + turn + "\nentries: []\n")
	for side, p := range h.players {
		h.past[side] = append(h.past[side], p.cards...)
		p.cards = nil
	}
	id := h.name()
	allowed(h.t, h.players["European Axis"].enters(turn+"/"+id, "{id: "+id+", draw: Ultra}"), nil)
	for _, side := range h.due() {
		if h.r.IntN(2) == 0 {
			h.draw(side)
		}
	}
	h.must("entries:\n  - {id: " + h.name() + ", phase: movement, player: European Axis}\n")
}

// verifies holds the record, as it is for readers, to what an honest host recorded.
func (h *handsAtRandom) verifies(all bool) {
	for _, reader := range []string{bundle.Umpire, bundle.Public, "Britain"} {
		found, unheld := h.harness.verified(h.fileFor(reader, h.harness.now().Next))
		if len(found) > 0 || all && reader != "Britain" && len(unheld) > 0 {
			h.t.Errorf("%s: %q, unheld %v", reader, found, unheld)
		}
	}
	if err := h.umpire.SameAsFolded(h.id.ID); err != nil {
		h.t.Error(err)
	}
	if all {
		h.sound() // before, hands are not heard again
	}
}

// TestHandsAtRandom plays turns with hands of players at random, with players who are away, cards played and passed,
// facts corrected and undone: nobody who is honest is accused, before or after all is disclosed.
func TestHandsAtRandom(t *testing.T) {
	t.Parallel()
	done := map[string]int{}
	for seed := range longrun.Of(3, 12, 40) {
		w, anna, ben := joined(t)
		h := &handsAtRandom{witnessed: w, r: rand.New(rand.NewPCG(uint64(seed), 1)), done: done,
			players: map[string]*drawer{"European Axis": anna, "Britain": ben}, past: map[string][]events.Opening{}}
		for _, turn := range []string{"Winter 1941", "Spring 1942", "Summer 1942"} {
			h.begin(turn)
			for range 8 {
				h.act()
			}
			h.verifies(false)
		}
		for _, side := range h.due() { // else their links would disclose what is sealed
			h.draw(side)
		}
		for side, p := range h.players {
			p.cards = append(p.cards, h.past[side]...)
			var used uint64
			for _, s := range h.harness.now().OwnChains(map[string]string{"Britain": "Ben"}[side] +
				map[string]string{"European Axis": "Anna"}[side]) {
				used = max(used, s.Position)
			}
			a, err := p.declassifies(used)
			allowed(t, a, err)
		}
		h.verifies(true)
	}
	t.Log(done)
	for _, what := range []string{"hand", "hand in a question", "card", "contest", "fact", "undo", "correction"} {
		if done[what] == 0 && longrun.On() { // a short run may come without
			t.Errorf("no %s in any campaign", what)
		}
	}
}

// TestSecretsOfPlayers looks for what players alone know in all that a host records and gives out: the links of their
// chains that are not used, and the salts of cards that were not played.
func TestSecretsOfPlayers(t *testing.T) {
	t.Parallel()
	w, anna, ben := joined(t)
	h := &handsAtRandom{witnessed: w, r: rand.New(rand.NewPCG(11, 1)), done: map[string]int{},
		players: map[string]*drawer{"European Axis": anna, "Britain": ben}, past: map[string][]events.Opening{}}
	for _, turn := range []string{"Winter 1941", "Spring 1942"} {
		h.begin(turn)
		for range 8 {
			h.act()
		}
	}
	c, left, right := contested(t)
	c.submit("turn: Spring 1940\nentries: []\n")
	allowed(t, left.enters("raid", contestedPlay), nil)
	a, err := c.umpire.HearSigned(c.id.ID, right.links("l", nil))
	allowed(t, a, err)

	searched, secrets := 0, 0
	search := func(c *harness, what string, secret []byte) {
		secrets++
		texts := map[string][]byte{}
		for _, r := range c.records(0, campaign.Everything) {
			texts["the log"] = append(texts["the log"], r.Bytes...)
		}
		for _, reader := range append([]string{bundle.Umpire, bundle.Public}, c.now().Sides...) {
			texts["the file for "+reader] = c.fileFor(reader, c.now().Next).Encode()
		}
		for where, text := range texts {
			searched += len(text)
			if bytes.Contains(text, secret) || bytes.Contains(text, []byte(hex.EncodeToString(secret))) {
				t.Errorf("%s stands in %s", what, where)
			}
		}
	}
	for side, p := range h.players {
		for _, o := range p.cards {
			search(h.harness, "the salt of a card of "+side, o.Salt[:])
		}
		for k := uint64(1); k <= p.own.Len(); k++ {
			link := p.own.Link(k)
			search(h.harness, fmt.Sprintf("link %d of %s", k, side), link[:])
		}
	}
	for k := uint64(2); k <= right.own.Len(); k++ {
		link := right.own.Link(k)
		search(c, fmt.Sprintf("link %d of Ben", k), link[:])
	}
	if given := right.own.Link(1); !bytes.Contains(c.fileFor(bundle.Public, c.now().Next).Encode(), given[:]) {
		t.Error("the link that was given is not found, so nothing would be")
	}
	t.Logf("%d secrets, %d bytes", secrets, searched)
}
