package replay_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// The campaigns of TestLawsOfRandomCampaigns. In one of three everything is played, and little is changed afterwards.
// In the others whatever was recorded is corrected, voided, taken back, disclosed and judged by another edition,
// corrections, rulings and undos too.

// lawful opens the n-th campaign, of any system, with the dice of a chain or those of a table.
func (d *host) lawful(n int) *harness {
	name := fmt.Sprintf("law-%d", n)
	switch n % 11 {
	case 5:
		return d.openAttested(name, "laws", asked)
	case 6:
		return d.recitedAtTable("pacific-patrol-1942", name, "laws", n%2 == 0)
	case 7:
		return d.open(name, "laws", map[string]string{"play_order": "simultaneous_secret", "campaign_scope": "per_box"})
	case 8:
		return d.onBoard("straits")(name, "laws", askedRaids)
	case 9:
		return d.recited("two-oceans-1941", name, "laws", true)
	}
	return d.short(n)
}

// eventful plays a game turn in which nothing that was recorded is safe.
func (p *player) eventful(turn int, seen *tally) {
	p.turn = p.label(turn)
	if _, err := p.say("turn", entry{"turn": p.turn}); err != nil {
		p.c.t.Fatal(err)
	}
	p.begin()
	p.openly(seen)
	p.spend()
	for range 5 {
		p.act()
		p.openly(seen)
		p.overturn()
		p.openly(seen)
		if p.lot.IntN(3) == 0 {
			p.c.undoLaw(seen)
		}
	}
}

// openly answers what is asked. Before it is answered the command that asks may be undone, and the undo too.
func (p *player) openly(seen *tally) {
	if p.c.now().Open != nil && p.lot.IntN(3) == 0 {
		p.c.undoLaw(seen)
	}
	for range p.lot.IntN(4) {
		p.meddle(seen)
	}
	p.settle(func() {})
}

// overturn changes something that was recorded.
func (p *player) overturn() {
	switch p.lot.IntN(10) {
	case 0, 1, 2:
		p.regret()
	case 8:
		p.backAndForth()
	case 3, 4:
		p.again()
	case 5:
		p.ruleVoidOf("dispute_ruled")
		p.enterAgain()
	case 6:
		p.disclose(&readersTally{})
	case 7:
		_, _ = p.put(step{move: pick(p.lot, p.c.now().System.Editions...).Name})
	default:
		p.quarrel()
	}
}

// again corrects a command that was corrected already, or was referred, or in which cards were drawn or played.
func (p *player) again() {
	var list []uint64
	for _, e := range p.c.all() {
		if e.Type == "corrected" || e.Type == "referred" || handled[e.Type] {
			list = append(list, e.Index)
		}
	}
	if len(list) > 0 {
		p.mend(pick(p.lot, list...))
	}
}

// enterAgain enters something that is void again in its place, as it was, otherwise, or with dice of its own.
func (p *player) enterAgain() {
	var list []uint64
	now := p.c.now()
	for index := range now.Next {
		if _, void := now.History.VoidedBy(index); void {
			list = append(list, index)
		}
	}
	if len(list) == 0 {
		return
	}
	event := pick(p.lot, list...)
	k := review.Correction{Event: event, Code: "mistyped", Reason: "after all", ID: fmt.Sprintf("entered again/%d/%d",
		event, now.Next)}
	switch p.lot.IntN(3) {
	case 0:
		p.mend(event)
		return
	case 1:
		k.Dice.Again = true
	}
	_, _ = p.c.umpire.Correct(p.c.id.ID, k)
}

// backAndForth corrects something so that what comes later is impossible, and corrects it back.
func (p *player) backAndForth() {
	all := p.c.all()
	incomes := slices.DeleteFunc(slices.Clone(all), func(e events.Event) bool { return e.Type != "income_collected" })
	for try := range 8 {
		e, was := pick(p.lot, all...), json.RawMessage(nil)
		if p.lot.IntN(2) == 0 && len(incomes) > 0 {
			e = pick(p.lot, incomes...)
		}
		to := func(what string, entry func(body json.RawMessage) json.RawMessage) review.Correction {
			var is json.RawMessage // the same however often it is asked for
			return review.Correction{
				Event: e.Index, Code: "mistyped", Reason: what, ID: fmt.Sprintf("%s/%d/%d/%d", what, e.Index, len(all),
					try),
				Replace: func(body json.RawMessage) (json.RawMessage, []events.Change, error) {
					if was == nil {
						was = body
					}
					if is == nil {
						is = entry(body)
					}
					return is, changesOf(body, is), nil
				},
			}
		}
		plan, err := p.c.propose(to("forth", p.spoiled))
		if err != nil || !slices.ContainsFunc(plan.Consequences, func(x review.Consequence) bool {
			return x.Gone != ""
		}) {
			continue
		}
		_, _ = plan.record()
		back := to("back", func(json.RawMessage) json.RawMessage { return was })
		back.Default = pick(p.lot, review.Apply, review.Apply, review.Keep)
		_, _ = p.c.umpire.Correct(p.c.id.ID, back)
		p.c.settlePending(p.lot.IntN(3) > 0)
		return
	}
}

// spend buys infantry for all that a power collected, so that its income cannot be less.
func (p *player) spend() {
	for _, e := range slices.Backward(p.c.all()) {
		var income events.IncomeCollected
		if e.Read(&income) && income.Treasury >= 3 && e.Command != "" {
			_, _ = p.say("purchase",
				entry{"purchase": entry{"power": income.Power, "units": entry{"infantry": income.Treasury / 3}}})
			return
		}
	}
}

// spoiled gives an entry with which less is possible later.
func (p *player) spoiled(body json.RawMessage) json.RawMessage {
	var income struct {
		Power string `json:"collect income"`
	}
	if json.Unmarshal(body, &income) == nil && income.Power != "" {
		return json.RawMessage(fmt.Sprintf(`{"collect income":{"base":0,"power":%q}}`, income.Power))
	}
	var v any
	if json.Unmarshal(body, &v) != nil {
		return body
	}
	if path, _ := someFigure(v, p); path != nil {
		setAt(v, path, pick(p.lot, 0.0, 1, 50))
	}
	out, err := json.Marshal(v)
	if err != nil {
		return body
	}
	return out
}

// ruleVoidOf contests an event of a type that stands, and rules it void.
func (p *player) ruleVoidOf(kind events.Type) {
	var list []uint64
	for _, e := range asRecorded(p.c.all()) {
		if e.Type == kind {
			list = append(list, e.Index)
		}
	}
	if len(list) == 0 {
		return
	}
	a, err := p.say("dispute", entry{"dispute": entry{"event": pick(p.lot, list...), "claim": "it was not so"}})
	if err != nil || a.Verdict != rules.Allowed {
		return
	}
	_, _ = p.say("ruling", entry{"ruling": entry{"dispute": a.First, "ruling": events.RulingVoid,
		"reason": "drawn by lot"}})
}

// handled are the types of events by which cards come into play.
var handled = map[events.Type]bool{
	"cards_drawn": true, "card_played": true, "play_committed": true, "card_added": true, "contest_settled": true,
}

// undoLaw: what is undone leaves state and views as they were before it. The undo undone leaves them, and the question
// that was open, as they were after it.
func (c *harness) undoLaw(seen *tally) {
	c.t.Helper()
	slips, err := c.umpire.Undoables(c.id.ID)
	if err != nil || len(slips) == 0 {
		return
	}
	s, after := slips[0], c.now()
	for _, e := range c.events(s.First, campaign.Everything) {
		if e.Command != s.Command && e.Type != "dispute_opened" && e.Type != "statement_made" &&
			e.Type != "evidence_brought" {
			return // it stays, whatever becomes of the act
		}
	}
	before, err := c.umpire.At(c.id.ID, s.First)
	if err != nil {
		c.t.Fatal(err)
	}
	undo := func(event uint64) bool {
		a, err := c.umpire.Undo(c.id.ID, event, "a slip")
		if err != nil || a.Verdict != rules.Allowed {
			c.t.Errorf("%s: #%d is a slip, and %+v, %v", c.id.Name, event, a, err)
		}
		return err == nil && a.Verdict == rules.Allowed
	}
	if !undo(s.First) {
		return
	}
	c.stands(before, fmt.Sprintf("#%d undone", s.First))
	if !undo(c.now().Next - 1) {
		return
	}
	c.stands(after, fmt.Sprintf("#%d undone, and the undo", s.First))
	seen.count("undone: " + s.Verb)
	if after.Open != nil {
		seen.count("undone: what waits for an answer")
	}
}

// stands holds a campaign to what it was earlier: its views, its question and its state.
func (c *harness) stands(was *campaign.Campaign, what string) {
	c.t.Helper()
	now := c.now()
	for _, p := range everyView {
		for _, x := range figuresApart(c.fold(p, was.Next), c.fold(p, now.Next)) {
			c.t.Errorf("%s: %s: %s: %v", c.id.Name, what, p.Name, x)
		}
	}
	if !reflect.DeepEqual(was.Game, now.Game) {
		c.t.Errorf("%s: %s:\n%+v\nwas\n%+v", c.id.Name, what, now.Game, was.Game)
	}
	if !reflect.DeepEqual(was.Open, now.Open) {
		c.t.Errorf("%s: %s: open is %+v, was %+v", c.id.Name, what, now.Open, was.Open)
	}
}

// filesLaw: the file of every reader verifies.
func (c *harness) filesLaw(seen *tally) {
	c.t.Helper()
	for _, reader := range append([]string{bundle.Umpire, bundle.Public}, c.now().Sides...) {
		findings, _ := c.verified(c.fileFor(reader, c.now().Next))
		for _, text := range findings {
			c.t.Errorf("%s for %s: %s", c.id.Name, reader, text)
		}
		seen.count("files")
	}
}

// tally counts what the laws were held to.
type tally map[string]int

func (t *tally) count(what string) {
	if *t == nil {
		*t = tally{}
	}
	(*t)[what]++
}

func (t *tally) add(other tally) {
	for what, n := range other {
		if *t == nil {
			*t = tally{}
		}
		(*t)[what] += n
	}
}

// wanted is what the campaigns of TestLawsOfRandomCampaigns go through, all together.
var wanted = []string{
	"corrected", "corrected: again", "corrected: cards", "corrected: dice of a table", "corrected: what was referred",
	"corrected: by another course", "corrected: across a move of the edition", "entered again", "happens again",
	"dice thrown again", "dice replaced",
	"void of a command", "void of a correction", "void of a ruling", "void of an undo",
	"moved after a referral", "referred after a move", "disclosed", "compensated",
	"undone: correct", "undone: ruling", "undone: undo", "undone: what waits for an answer",
	"corrected and back", "consequences taken back", "all is kept", "kept, and corrected elsewhere", "all is applied",
	"files",
}

// follow counts what a campaign has been through.
func (t *tally) follow(all []events.Event) {
	of := map[string]map[string]bool{} // by command: what it led to
	note := func(command, what string) {
		if of[command] == nil {
			of[command] = map[string]bool{}
		}
		of[command][what] = true
	}
	t.count("campaigns")
	referred, moved := false, false
	for i := range all {
		e := &all[i]
		t.count("events")
		if handled[e.Type] {
			note(e.Command, "cards")
		}
		switch p, _ := events.PayloadOf(e); p := p.(type) {
		case *events.RollDeclared:
			if p.Mode == campaign.Attested {
				note(e.Command, "dice of a table")
			}
		case *events.Referred:
			note(e.Command, "what was referred")
			if referred = true; moved {
				t.count("referred after a move")
			}
		case *events.EditionMoved:
			for command := range of {
				note(command, "across a move of the edition")
			}
			if moved = true; referred {
				t.count("moved after a referral")
			}
		case *events.Corrected:
			t.corrected(p, of[p.Command])
			t.again(all, i, p)
			note(p.Command, "again")
		case *events.Voided:
			t.count("void of a" + map[string]string{"": " command", events.VoidUndo: "n undo"}[p.Scope] +
				spaced(p.Scope))
		case *events.Compensated:
			t.count("compensated")
		case *events.Opened:
			t.count("disclosed")
		}
	}
}

// again counts commands that count again after they were void.
func (t *tally) again(all []events.Event, i int, p *events.Corrected) {
	if len(p.Voids) > 0 && all[p.Voids[len(p.Voids)-1]].Type == "corrected" {
		t.count("happens again")
	}
	if i+1 == len(all) || all[i+1].Replaces == 0 || len(p.Voids) > 0 {
		return
	}
	var x history.Index
	for k := range i {
		x.Add(&all[k])
	}
	if !x.Head().Stands(all[i+1].Replaces) {
		t.count("entered again")
	}
}

func (t *tally) corrected(p *events.Corrected, of map[string]bool) {
	t.count("corrected")
	for what := range of {
		t.count("corrected: " + what)
	}
	if len(p.Voids) > 0 {
		t.count("corrected: by another course")
	}
	if p.Dice != "" {
		t.count("dice " + p.Dice)
	}
}

func spaced(scope string) string {
	if scope == "" || scope == events.VoidUndo {
		return ""
	}
	return " " + scope
}

// check logs what was counted, and wants something of everything.
func (t *tally) check(tb testing.TB, everything bool) {
	tb.Helper()
	for _, what := range slices.Sorted(maps.Keys(*t)) {
		tb.Logf("%8d %s", (*t)[what], what)
	}
	for _, what := range wanted {
		if everything && (*t)[what] == 0 {
			tb.Errorf("in none of the campaigns: %s", what)
		}
	}
}
