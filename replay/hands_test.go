package replay_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/whatif"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// Players draw by themselves: the host knows no card before it is played. He judges a play by its opening, and once
// all is disclosed anybody repeats the draws (48.21-A).
func TestHandsOfPlayers(t *testing.T) {
	t.Parallel()
	w, anna, ben := byHand(t)
	const draw = "turn: Winter 1941\nentries:\n  - {id: draw, draw: Ultra}\n"
	anna.joins()
	if a, err := w.hears(draw); err != nil || a.Verdict != rules.Refused {
		t.Fatalf("a side draws whose player has no chain: %+v, %v", a, err)
	}
	ben.joins()
	allowed(t, anna.enters("Winter 1941/ultra", "{id: ultra, draw: Ultra}"), nil)
	a, err := anna.draws("European Axis", func(_ []string, signature *string) { *signature = strings.Repeat("ab", 48) })
	refusedFor(t, "round", a, err)
	a, err = anna.draws("European Axis", nil)
	allowed(t, a, err)
	a, err = anna.draws("European Axis", nil)
	refusedFor(t, "no draw", a, err)
	w.must("turn: Winter 1941\nentries:\n  - {id: sea, phase: movement, player: European Axis}\n")
	list, err := w.harness.ledger.Openings(w.id.ID, 0, w.harness.now().Next)
	if err != nil || len(list) > 0 {
		t.Errorf("the host holds %+v, %v", list, err)
	}
	a, err = ben.draws("Britain", nil)
	allowed(t, a, err)
	anna.contends()
	for _, p := range []struct {
		*drawer
		side string
	}{{ben, "Britain"}, {anna, "European Axis"}} {
		if w.harness.now().Open != nil {
			a, err = p.plays(p.side, "pass", false)
			allowed(t, a, err)
		}
	}
	f := w.fileFor(bundle.Umpire, w.harness.now().Next)
	w.clean(f)
	a, err = anna.declassifies(2)
	refusedFor(t, "1 links", a, err)
	for _, p := range []*drawer{anna, ben} {
		a, err = p.declassifies(1)
		allowed(t, a, err)
	}
	for _, reader := range []string{bundle.Umpire, bundle.Public} {
		f = w.fileFor(reader, w.harness.now().Next)
		if found, unheld := w.harness.verified(f); len(found) > 0 || len(unheld) > 0 {
			t.Errorf("%s: %q, unheld %v", reader, found, unheld)
		}
	}
	w.sound()
	if _, err := whatif.Run(w.umpire, w.id.ID, whatif.Scenario{}); !errors.Is(err, whatif.ErrChange) {
		t.Errorf("hands are dealt again: %v", err)
	}
}

// A player who was away commits to his cards when he is back, also while he is asked to play one, and plays it.
func TestHandDuringQuestion(t *testing.T) {
	t.Parallel()
	played := 0
	for range 6 {
		w, anna, ben := joined(t)
		w.must("turn: Winter 1941\nentries:\n  - {id: p, facts: {usjt: 3}}\n")
		allowed(t, anna.enters("Winter 1941/ultra", "{id: ultra, draw: Ultra}"), nil)
		a, err := anna.draws("European Axis", nil)
		allowed(t, a, err)
		w.must("turn: Winter 1941\nentries:\n  - {id: sea, phase: movement, player: European Axis}\n")
		anna.contends()
		if w.harness.now().Open == nil {
			continue // no card that this side plays
		}
		a, err = ben.draws("Britain", nil)
		allowed(t, a, err)
		answer := "pass"
		for _, option := range w.harness.now().Open.Choice.Options {
			if slices.ContainsFunc(ben.cards, func(o events.Opening) bool { return o.Fact == option }) {
				answer, played = option, played+1
			}
		}
		a, err = ben.plays("Britain", answer, answer != "pass")
		allowed(t, a, err)
		if w.harness.now().Open != nil {
			a, err = anna.plays("European Axis", "pass", false)
			allowed(t, a, err)
		}
		for _, p := range []*drawer{anna, ben} {
			w.clean(w.fileFor(bundle.Umpire, w.harness.now().Next))
			a, err = p.declassifies(1)
			allowed(t, a, err)
		}
		public := w.fileFor(bundle.Public, w.harness.now().Next)
		if found, unheld := w.harness.verified(public); len(found)+len(unheld) > 0 {
			t.Errorf("%q, unheld %v", found, unheld)
		}
		w.sound()
	}
	t.Logf("%d of 6 answers play a card", played)
}

// Who says that he drew other cards than his link gives is found out once he discloses that, by the event. One that his
// pool has not is found out as soon as the cards are open.
func TestHandsThatLie(t *testing.T) {
	t.Parallel()
	for name, lie := range map[string]func(cards []string){
		"another card": func(cards []string) {
			cards[0] = map[bool]string{true: "submarine", false: "blank"}[cards[0] == "blank"]
		},
		"more than there are": func(cards []string) {
			for i := range cards {
				cards[i] = "strategic"
			}
		},
	} {
		w, anna, _ := joined(t)
		w.must("turn: Winter 1941\nentries:\n  - {id: p, facts: {usjt: 3}}\n")
		allowed(t, anna.enters("Winter 1941/ultra", "{id: ultra, draw: Ultra}"), nil)
		hand := w.harness.now().Next
		a, err := anna.draws("European Axis", func(cards []string, _ *string) { lie(cards) })
		allowed(t, a, err)
		a, err = anna.declassifies(1)
		allowed(t, a, err)
		found := w.found(w.fileFor(bundle.Public, w.harness.now().Next))
		if len(found) == 0 || !strings.Contains(fmt.Sprint(found), fmt.Sprintf("#%d", hand)) {
			t.Errorf("%s: %q, which should name #%d", name, found, hand)
		}
	}
}

// A hand may bring a checkpoint that a seat of another side cosigned before the draw's round: nobody could know the
// cards when it was declared. One that shows nothing of the kind is refused, and found in a file; of a hand without one
// the check says so.
func TestDrawSeen(t *testing.T) {
	t.Parallel()
	w, anna, ben := withDraw(t)
	e, draw := anna.open("European Axis")
	n, due := w.harness.now().Next, w.Time(draw.Round)
	note := func(by *drawer, upTo uint64, at int64) string {
		return moon{w.Moon, by.key, w.ledger}.cosigned(w.harness, upTo, at)
	}
	for why, wrong := range map[string]string{
		"too few witnesses":           note(ben, n, due),
		"too few witnesses cosigned":  note(anna, n, due-1),
		"it is not of this campaign":  note(ben, e.Index, due-1),
		"it is not of this campaign'": w.moon.elsewhere(w.harness.host, n, due-1),
	} {
		anna.note = wrong
		a, err := anna.draws("European Axis", nil)
		refusedFor(t, why, a, err)
	}
	anna.note = note(ben, n, due-1)
	a, err := anna.draws("European Axis", nil)
	allowed(t, a, err)
	a, err = ben.draws("Britain", nil)
	allowed(t, a, err)
	f := w.fileFor(bundle.Umpire, w.harness.now().Next)
	if found := w.found(f); len(found) > 0 {
		t.Fatalf("%q", found)
	}
	unseen := 0
	for _, u := range f.Check(bundle.Options{}).Unchecked {
		if strings.HasPrefix(u.What, "cards that players drew") {
			unseen += u.Count
		}
	}
	if unseen != 1 {
		t.Errorf("of %d draws nothing shows that they were declared in time", unseen)
	}
	late := note(ben, n, due)
	forged := forgedFile(t, f, of(func(p *events.CardsDrawn) bool {
		is := p.Note != ""
		if is {
			p.Note = late
		}
		return is
	}))
	if text := strings.Join(w.found(forged), "\n"); !strings.Contains(text, "too few witnesses cosigned") {
		t.Errorf("%s", text)
	}
}

// Who may cosign a draw is settled when it is declared: a key that a player takes later changes nothing.
func TestDrawSeenBeforeRekey(t *testing.T) {
	t.Parallel()
	w, anna, ben := withDraw(t)
	_, draw := anna.open("European Axis")
	n, due := w.harness.now().Next, w.Time(draw.Round)
	anna.note = moon{w.Moon, ben.key, w.ledger}.cosigned(w.harness, n, due-1)
	second := w.signer("Ben", 5)
	second.own = chance.NewChain(events.Hash{7}, 32)
	second.gets(ben.signer, false)
	a, err := anna.draws("European Axis", nil)
	allowed(t, a, err)
	w.clean(w.fileFor(bundle.Umpire, w.harness.now().Next))
	ben.key = second.key
	a, err = ben.draws("Britain", nil) // by the chain that the draw named
	allowed(t, a, err)
	w.clean(w.fileFor(bundle.Umpire, w.harness.now().Next))
}

// A draw that is ruled void waits for no cards, and waits again once that is taken back. That it was taken out is named
// in a file: who did so could know its cards.
func TestDrawRuledVoid(t *testing.T) {
	t.Parallel()
	w, anna, ben := withDraw(t)
	e, _ := anna.open("European Axis")
	waiting := func(want int) {
		t.Helper()
		if list := w.harness.now().Draws(); len(list) != want {
			t.Errorf("%d draws wait, not %d: %+v", len(list), want, list)
		}
	}
	waiting(2)
	a, err := anna.declassifies(1)
	refusedFor(t, "waits for its cards", a, err)
	w.ruleVoid(e.Index)
	waiting(0)
	a, err = anna.draws("European Axis", nil)
	refusedFor(t, "no draw", a, err)
	a, err = w.umpire.Undo(w.id.ID, w.harness.now().Next-1, "it was no slip")
	allowed(t, a, err)
	waiting(2)
	for _, p := range []struct {
		*drawer
		side string
	}{{ben, "Britain"}, {anna, "European Axis"}} {
		a, err = p.draws(p.side, nil)
		allowed(t, a, err)
		a, err = p.declassifies(1)
		allowed(t, a, err)
	}
	waiting(0)
	f := w.fileFor(bundle.Umpire, w.harness.now().Next)
	w.clean(f)
	if list := fmt.Sprint(f.Check(bundle.Options{}).Unchecked); !strings.Contains(list, "that were taken out") {
		t.Error(list)
	}
	w.sound()
}

// A draw is from the pool as it stood when it was declared, though what was added to it is ruled void before the hand.
func TestHandOfAnotherPool(t *testing.T) {
	t.Parallel()
	w, anna, ben := byHand(t)
	w.must(`
turn: Spring 1941
entries:
  - {id: r1, allocate: {side: Britain, project: Ultra, points: 12}}
  - {id: p1, produce: {side: Britain, project: Ultra, card: tactical}}
`)
	added := w.harness.now().Next - 1
	anna.joins()
	ben.joins()
	allowed(t, anna.enters("Spring 1941/d", "{id: d, draw: Ultra}"), nil)
	w.ruleVoid(added)
	for _, p := range []struct {
		*drawer
		side string
	}{{ben, "Britain"}, {anna, "European Axis"}} {
		a, err := p.draws(p.side, nil)
		allowed(t, a, err)
		a, err = p.declassifies(1)
		allowed(t, a, err)
	}
	public := w.fileFor(bundle.Public, w.harness.now().Next)
	if found, unheld := w.harness.verified(public); len(found)+len(unheld) > 0 {
		t.Errorf("%q, unheld %v", found, unheld)
	}
	w.sound()
}

// Who discloses opens every card that he drew: a host who leaves one out, so that a false one is not found, is found
// himself. What is drawn behind that is not disclosed by it.
func TestDisclosedByHalf(t *testing.T) {
	t.Parallel()
	w, anna, _ := withDraw(t)
	a, err := anna.draws("European Axis", nil)
	allowed(t, a, err)
	a, err = anna.declassifies(1)
	allowed(t, a, err)
	f := w.fileFor(bundle.Umpire, w.harness.now().Next)
	if found := w.found(f); len(found) > 0 {
		t.Fatalf("%q", found)
	}
	forged := *f
	forged.Events = nil
	var before events.Hash
	for _, b := range f.Events {
		e, err := events.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if e.Previous = before; e.Type == "declassified" {
			e.Openings = e.Openings[1:]
		}
		forged.Events = append(forged.Events, e.Encode())
		before = events.LeafHash(forged.Events[len(forged.Events)-1])
	}
	forged.Header.Head = before
	if text := strings.Join(w.found(&forged), "\n"); !strings.Contains(text, "and its player disclosed all") {
		t.Errorf("%s", text)
	}
	w.must("turn: Spring 1942\nentries: []\n")
	allowed(t, anna.enters("Spring 1942/d2", "{id: d2, draw: Ultra}"), nil)
	sealed := 0
	for _, u := range w.fileFor(bundle.Public, w.harness.now().Next).Check(bundle.Options{}).Unchecked {
		if u.What == "draws of players" {
			sealed += u.Count
		}
	}
	if sealed != 3 { // Anna's second, and both of Ben's
		t.Errorf("%d draws are said to be sealed", sealed)
	}
}
