package replay_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// book is the record of a campaign in memory, with all that it takes to hear it again.
type book struct {
	name  string
	trial review.Trial
	all   []events.Event
}

// book takes the campaign's record.
func (c *harness) book() *book {
	c.t.Helper()
	trial, err := c.umpire.Trial(c.id.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	return &book{name: c.id.Name, trial: trial, all: c.all()}
}

// audit hears events, or the recorded ones if there are none, chained anew into a record.
func (b *book) audit(t *testing.T, list []events.Event) review.Audit {
	t.Helper()
	if list == nil {
		list = b.all
	}
	trial := b.trial
	trial.Records, trial.Events = chained(list), uint64(len(list))
	a, err := trial.Audit(nil)
	if err != nil {
		t.Fatalf("%s: %v", b.name, err)
	}
	for _, u := range a.Unchecked {
		t.Errorf("%s: %s: %s", b.name, u.Command, u.Reason)
	}
	return a
}

// chained gives events as a record whose hashes fit.
func chained(list []events.Event) campaign.Records {
	records := make([]events.Record, len(list))
	var previous events.Hash
	for i, e := range list {
		e.Previous = previous
		records[i] = events.Record{Campaign: e.Campaign, Index: e.Index, Bytes: e.Encode()}
		previous = records[i].Hash()
	}
	return func(from, to uint64) iter.Seq2[events.Record, error] {
		return func(yield func(events.Record, error) bool) {
			for _, r := range records[min(from, uint64(len(records))):min(to, uint64(len(records)))] {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// library plays campaigns of every system until they have so many events together.
func library(t *testing.T, enough int) (books []*book) {
	t.Helper()
	total := 0
	for seed := uint64(0); total < enough; seed++ {
		d := newHost(t)
		for _, c := range []*harness{
			d.open(fmt.Sprintf("cards-%d", seed), "audit", asked),
			d.onBoard("straits")(fmt.Sprintf("raids-%d", seed), "audit", nil),
			d.recited("pacific-patrol-1942", fmt.Sprintf("patrol-%d", seed), "audit", seed%2 == 1),
			d.recited("second-front-1944", fmt.Sprintf("front-%d", seed), "audit", false),
			d.recited("two-oceans-1941", fmt.Sprintf("oceans-%d", seed), "audit", false),
		} {
			p := newPlayer(c, seed)
			p.turns(p.length(), func() {})
			b := c.book()
			books, total = append(books, b), total+len(b.all)
		}
		if seed > 200 {
			t.Fatalf("only %d events", total)
		}
	}
	return books
}

// mistake is one way of ruling wrongly. It changes an event into the wrong ruling, and gives the
// field that shows it; none where the event offers no occasion.
type mistake struct {
	name string
	make func(b *book, e *events.Event, r *rand.Rand) (field string)
}

// rewrite puts another payload into an event.
func rewrite(e *events.Event, p events.Payload) { e.Payload = events.EncodePayload(p) }

var mistakes = []mistake{
	{"a modifier off by one", func(_ *book, e *events.Event, r *rand.Rand) string {
		var roll events.RollDeclared
		var result events.ResultAdjudicated
		switch {
		case e.Read(&roll) && len(roll.Modifiers) > 0:
			k := r.IntN(len(roll.Modifiers))
			roll.Modifiers[k].Value, roll.Net = roll.Modifiers[k].Value+1, roll.Net+1
			rewrite(e, &roll)
			return fmt.Sprintf("modifiers[%d].value", k)
		case e.Read(&result) && len(result.Modifiers) > 0:
			k := r.IntN(len(result.Modifiers))
			result.Modifiers[k].Value, result.Net = result.Modifiers[k].Value-1, result.Net-1
			rewrite(e, &result)
			return fmt.Sprintf("modifiers[%d].value", k)
		}
		return ""
	}},
	{"a cap ignored", func(_ *book, e *events.Event, _ *rand.Rand) string {
		var p events.ContestSettled
		var raid events.ConvoyRaided
		switch {
		case e.Read(&p) && p.Modifier != 0 && max(p.ActingCards-p.OpposingCards, p.OpposingCards-p.ActingCards) > 1:
			p.Modifier = p.ActingCards - p.OpposingCards
			rewrite(e, &p)
			return "modifier"
		case e.Read(&raid) && raid.Cap != "":
			raid.Cap, raid.Damage = "", raid.Damage+1
			rewrite(e, &raid)
			return "cap"
		}
		return ""
	}},
	{"a card used twice", func(b *book, e *events.Event, _ *rand.Rand) string {
		var p events.CardPlayed
		if !e.Read(&p) {
			return ""
		}
		for i := int(e.Index) - 1; i >= 0; i-- {
			var before events.CardPlayed
			if b.all[i].Read(&before) && b.all[i].Side == e.Side && before.Card == p.Card && before.Drawn != p.Drawn {
				field := "drawn.slot"
				if p.Drawn.Index != before.Drawn.Index {
					field = "drawn.index"
				}
				p.Drawn = before.Drawn
				e.Openings = slices.Clone(b.all[i].Openings)
				rewrite(e, &p)
				return field
			}
		}
		return ""
	}},
	{"an income of one more", func(_ *book, e *events.Event, _ *rand.Rand) string {
		var p events.IncomeCollected
		if !e.Read(&p) {
			return ""
		}
		p.Net, p.Treasury = p.Net+1, p.Treasury+1
		rewrite(e, &p)
		return "net"
	}},
	{"a cell misread", func(_ *book, e *events.Event, r *rand.Rand) string {
		var p events.ResultAdjudicated
		if !e.Read(&p) || len(p.Readings) == 0 || p.Procedure == rules.VerbRoll { // by which no rule reads a table
			return ""
		}
		k := r.IntN(len(p.Readings))
		p.Readings[k].First, p.Readings[k].Result = p.Readings[k].First+1, p.Readings[k].Result+"+1"
		rewrite(e, &p)
		return fmt.Sprintf("readings[%d].first", k)
	}},
	{"a step by another rule", func(_ *book, e *events.Event, r *rand.Rand) string {
		if len(e.Derivation) == 0 || e.Index == 0 {
			return ""
		}
		k := r.IntN(len(e.Derivation))
		e.Derivation = slices.Clone(e.Derivation)
		e.Derivation[k].Rule += "-OTHER"
		return fmt.Sprintf("derivation[%d]", k)
	}},
}

// TestPlanted: among thousands of right rulings one is wrong, at a place drawn by lot. It is named,
// with the rule that leads elsewhere, and nothing before it is.
func TestPlanted(t *testing.T) {
	t.Parallel()
	books := library(t, longrun.Of(2_500, 4_000, 10_000))
	total := 0
	for _, b := range books {
		total += len(b.all)
		for _, f := range b.audit(t, nil).Findings {
			t.Fatalf("%s, nothing planted: %v", b.name, f)
		}
	}
	t.Logf("%d events in %d campaigns", total, len(books))
	for n, m := range mistakes {
		r := rand.New(rand.NewPCG(uint64(n), 7))
		b, list, at, field := m.plant(books, r)
		if list == nil {
			t.Fatalf("%s: no occasion in %d events", m.name, total)
		}
		firstIs(t, b, m.name, b.audit(t, list), at, field)
	}
}

// plant makes the mistake at a place drawn by lot.
func (m mistake) plant(books []*book, r *rand.Rand) (b *book, list []events.Event, at uint64, field string) {
	for _, n := range r.Perm(len(books)) {
		b := books[n]
		for _, i := range r.Perm(len(b.all)) {
			e := b.all[i]
			if e.Corrects != 0 || e.Replaces != 0 {
				continue // the entry says otherwise since
			}
			if field := m.make(b, &e, r); field != "" {
				list := slices.Clone(b.all)
				list[i] = e
				return b, list, e.Index, field
			}
		}
	}
	return nil, nil, 0, ""
}

// firstIs holds the first finding to what was planted.
func firstIs(t *testing.T, b *book, what string, a review.Audit, at uint64, field string) {
	t.Helper()
	if len(a.Findings) == 0 {
		t.Errorf("%s in #%d of %s: nothing found", what, at, b.name)
		return
	}
	f := a.Findings[0]
	known := false
	for _, g := range a.Findings {
		known = known || g.Event == at && (g.Field == field || strings.HasPrefix(g.Field, field))
	}
	if f.Event != at || f.Rule == "" || f.Recorded == f.Derived || !known {
		t.Errorf("%s in #%d %s of %s: %v", what, at, field, b.name, a.Findings[:min(3, len(a.Findings))])
	}
	if _, ok := a.Derived[at]; !ok {
		t.Errorf("%s in #%d of %s: nothing is derived in its place", what, at, b.name)
	}
	t.Logf("%s: %s %v, %d findings", what, b.name, f, len(a.Findings))
}

// TestOtherReading: one ruling of a campaign is made on another reading of an option than the
// campaign's, that of another edition.
func TestOtherReading(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	planted := 0
	for seed := range uint64(16) {
		c := newHost(t).recited("two-oceans-1941", fmt.Sprintf("oceans-%d", seed), "audit", false)
		p := newPlayer(c, seed)
		p.turns(p.length(), func() {})
		b := c.book()
		other := b.trial
		other.Edition = "7" // it differs in readings alone from 8, to which the campaign moves
		a, err := other.Audit(nil)
		if err != nil {
			t.Fatal(err)
		}
		list, at := slices.Clone(b.all), uint64(0)
		for _, n := range r.Perm(len(a.Findings)) {
			index := a.Findings[n].Event
			if drafts := a.Derived[index]; len(drafts) == 1 && drafts[0].Payload.Type() == b.all[index].Type {
				list[index], at = misread(b.all[index], drafts[0]), index
				break
			}
		}
		if at == 0 {
			continue
		}
		planted++
		firstIs(t, b, "another reading", b.audit(t, list), at, "")
	}
	if planted == 0 {
		t.Fatal("the editions never differ")
	}
}

// misread is an event as another reading has it.
func misread(e events.Event, d rules.Draft) events.Event {
	e.Payload, e.Derivation = events.EncodePayload(d.Payload), d.Derivation
	return e
}

// An event that belongs to no hearing, under the name of a command that ended before, is found.
func TestAuditFindsStrays(t *testing.T) {
	d := newHost(t)
	c := d.open("stray", "seed", nil)
	c.submit("turn: Spring 1940\nentries:\n  - {id: one, facts: {cves: {Atlantic: 1}}}\n  - {id: two, facts: {cves: " +
		"{Atlantic: 2}}}\n  - {id: three, facts: {cves: {Atlantic: 3}}}\n")
	b := c.book()
	at := slices.IndexFunc(b.all, func(e events.Event) bool { return strings.HasSuffix(e.Command, "/one") })
	if a := b.audit(t, nil); at < 0 || len(a.Findings) > 0 {
		t.Fatalf("#%d: %v", at, a.Findings)
	}
	stray := b.all[at]
	stray.Index, stray.Request = uint64(len(b.all)), ""
	found := b.audit(t, append(slices.Clone(b.all), stray)).Findings
	if len(found) != 1 || found[0].Event != stray.Index || found[0].Field != "command" {
		t.Errorf("%+v", found)
	}
}
