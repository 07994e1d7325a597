package replay_test

import (
	"encoding/hex"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// secret is the campaign's own, as its file holds it.
func (c *harness) secret() events.Hash {
	c.t.Helper()
	secrets, err := keys.NewKeys(filepath.Join(c.dir, "secrets")).Secrets(c.id.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	return secrets.ForEpoch(1)
}

// hidden gives every 32-byte value that must not be known, with what it is: the secret, the
// salts of what has not been opened, and the links that no roll has revealed.
func (c *harness) hidden() map[events.Hash]string {
	hidden := map[events.Hash]string{c.secret(): "the secret"}
	opened := map[events.Ref]bool{}
	revealed := map[uint64]uint64{} // dice links, by epoch
	epochs := uint64(0)
	for _, e := range c.all() {
		for _, o := range e.Openings {
			opened[events.Ref{Index: o.Index, Slot: o.Slot}] = true
		}
		var p events.DiceRolled
		if e.Read(&p) && e.Corrects == 0 {
			revealed[e.Epoch] = p.Links[0].Position
		}
		epochs = e.Epoch
	}
	for ref, o := range c.openings() {
		if !opened[ref] {
			hidden[o.Salt] = "the salt of " + ref.Slot
		}
	}
	for epoch := uint64(1); epoch <= epochs; epoch++ {
		for _, name := range append([]string{chance.Dice}, draws()...) {
			seed := chance.ChainSeed(c.secret(), c.id.ID, epoch, name)
			hidden[seed] = "the seed of " + name
			chain, first := chance.NewChain(seed, chance.Length), uint64(1)
			if name == chance.Dice {
				first += revealed[epoch]
			}
			for k := first; k <= chance.Length; k++ {
				hidden[chain.Link(k)] = "a link of " + name
			}
		}
	}
	return hidden
}

func draws() []string {
	return rules.Each(sides, chance.Draws)
}

// search looks for hidden values in text, as bytes and as hexadecimal digits.
func search(t *testing.T, where string, text []byte, hidden map[events.Hash]string) {
	t.Helper()
	for i := 0; i+32 <= len(text); i++ {
		if what, ok := hidden[events.Hash(text[i:i+32])]; ok {
			t.Errorf("%s holds %s", where, what)
		}
	}
	for i := 0; i+64 <= len(text); i++ {
		var h events.Hash
		if _, err := hex.Decode(h[:], text[i:i+64]); err != nil {
			continue
		}
		if what, ok := hidden[h]; ok {
			t.Errorf("%s tells %s", where, what)
		}
	}
}

// TestCanary: nothing that is secret is in any event of a played campaign, nor in any answer
// or error.
func TestCanary(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{41, 42, 43} {
		options := asked
		if seed == 43 {
			options = map[string]string{"play_order": "simultaneous_secret"}
		}
		p := simulate(t, newHost(t), seed, options)
		hidden := p.c.hidden()
		for _, r := range p.c.records(0, ^uint64(0)) {
			search(t, "an event", r.Bytes, hidden)
		}
		for _, text := range p.spoken {
			search(t, "an answer", []byte(text), hidden)
		}
		for _, e := range p.c.all() {
			sealedRequest(t, &e)
			silentDerivation(t, &e)
			openedByRule(t, &e)
		}
	}
}

// sealedRequest holds that a recorded command seals what the side keeps to itself.
func sealedRequest(t *testing.T, e *events.Event) {
	t.Helper()
	if e.Request == "" {
		return
	}
	var r struct {
		Verb  string
		Entry struct {
			Sealed   string
			Allocate struct{ Points any }
			Produce  struct{ Card any }
			Facts    map[string]any
			American any `json:"american cards"`
		}
	}
	if err := json.Unmarshal([]byte(e.Request), &r); err != nil {
		t.Fatalf("event %d: %v: %s", e.Index, err, e.Request)
	}
	if e.Type == "referred" && r.Entry.Sealed == "" {
		t.Errorf("event %d shows the entry that is referred", e.Index)
	}
	values := []any{r.Entry.Allocate.Points, r.Entry.Produce.Card, r.Entry.American}
	if m, ok := r.Entry.Facts["general intelligence"].(map[string]any); ok {
		values = slices.AppendSeq(values, maps.Values(m))
	}
	for _, v := range values {
		if m, ok := v.(map[string]any); v != nil && (!ok || m["sealed"] == nil) {
			t.Errorf("event %d shows %v in %s", e.Index, v, e.Request)
		}
	}
}

// silentDerivation holds that what led to a secret names no card and no figure of it.
func silentDerivation(t *testing.T, e *events.Event) {
	t.Helper()
	switch e.Type {
	case "card_added", "result_produced", "research_allocated", "cards_drawn", "draw_declared", "play_committed",
		"referred", "fact_reported":
	default:
		return
	}
	for _, c := range e.Derivation {
		for _, card := range []string{"submarine", "ASW", "tactical", "strategic", "wild", "blank"} {
			if strings.Contains(c.Step, card) && e.Type != "play_committed" {
				t.Errorf("event %d (%s): %s", e.Index, e.Type, c.Step)
			}
		}
	}
}

// openedByRule holds that openings enter the log with plays and disclosures only.
func openedByRule(t *testing.T, e *events.Event) {
	t.Helper()
	if len(e.Openings) > 0 && e.Type != "card_played" && e.Type != "opened" {
		t.Errorf("event %d (%s) opens something", e.Index, e.Type)
	}
	if e.Type == "choice_made" && len(e.Commitments) > 0 {
		var p events.ChoiceMade
		if !e.Read(&p) || len(p.Options) > 0 {
			t.Errorf("event %d tells the secret choice it commits to", e.Index)
		}
	}
}

// TestNoInterference: two campaigns that differ in secrets alone have the same log, to the
// last word, until the rules disclose something. Only the commitments differ.
func TestNoInterference(t *testing.T) {
	const text = `
turn: Spring 1941
facts:
  general intelligence: {Britain: INSIGHT, Japan: INSIGHT}
entries:
  - {id: r1, allocate: {side: Britain, project: Ultra, points: POINTS}}
  - {id: r2, allocate: {side: Japan, project: Magic, points: POINTS}}
  - {id: r3, allocate: {side: European Axis, project: Ultra, points: POINTS}}
  - {id: p1, produce: {side: Britain, project: Ultra, card: CARD}}
  - {id: rule, rule: {option: blank_cards, value: allowed, reason: as it is}}
  - {id: p2, produce: {side: Japan, project: Magic, card: CARD}}
  - {id: p3, produce: {side: European Axis, project: Ultra, card: CARD}}
  - {id: ultra, draw: Ultra}
  - {id: war, declare war: {by: Japan, on: United States, usjt: 33}}
  - {id: fall, pearl harbor: {task forces: [TF 8]}}
  - {id: a1, answer: {Japan: none}}
`
	var logs [][]string
	var answers [][]string
	for _, with := range [][]string{
		{"INSIGHT", "0", "POINTS", "3", "CARD", "tactical"},
		{"INSIGHT", "2", "POINTS", "9", "CARD", "strategic"},
		{"INSIGHT", "1", "POINTS", "12", "CARD", "blank"},
	} {
		c := newHost(t).open("interference", "seed", map[string]string{"blank_cards": "ask"})
		var reported []string
		for _, a := range c.must(strings.NewReplacer(with...).Replace(text)) {
			b, _ := json.Marshal(a)
			reported = append(reported, string(b))
		}
		var log []string
		for _, e := range c.all() {
			e.Commitments = slices.Clone(e.Commitments)
			for i := range e.Commitments {
				e.Commitments[i].Hash = events.Hash{}
			}
			log = append(log, meaning(&e))
		}
		logs, answers = append(logs, log), append(answers, reported)
	}
	for i := range logs[1:] {
		compare(t, "the log", logs[i+1], logs[0])
		compare(t, "the answers", answers[i+1], answers[0])
	}
}

// TestSecretChoice: what the U.S. chooses in secret shows nowhere until the table is read.
func TestSecretChoice(t *testing.T) {
	c := newHost(t).open("transcript", "s5", nil)
	c.must(`
turn: Winter 1941
entries:
  - {id: r1, allocate: {side: Japan, project: Magic, points: 3}}
  - {id: p1, produce: {side: Japan, project: Magic, card: strategic}}
  - {id: war, declare war: {by: Japan, on: United States, usjt: 33}}
  - {id: pearl, pearl harbor: {task forces: [TF 8]}}
  - {id: a1, answer: {Japan: none}}
  - {id: a2, answer: {United States: [wild, strategic]}}
`)
	disclosed := false
	for _, e := range c.all() {
		switch p, _ := events.PayloadOf(&e); p := p.(type) {
		case *events.ChoiceMade:
			if e.Side == "United States" && (len(p.Options) > 0 || strings.Contains(e.Request, "wild") ||
				len(e.Commitments) != 1) {
				t.Errorf("the choice is told: %s", e.Request)
			}
		case *events.Opened:
			disclosed = true
		case *events.CardPlayed:
			if !disclosed {
				t.Error("a card is shown before the table has been read")
			}
		}
	}
	if !disclosed {
		t.Error("nothing was disclosed")
	}
}

// An entry without an id is named the same each time it comes, and its name, which is public,
// tells nothing of it: neither what it says, nor that it says the same as one of another turn.
func TestName(t *testing.T) {
	d := newHost(t)
	c, other := d.open("here", "", nil), d.open("there", "", nil)
	entry := rules.Command{Turn: "Winter 1941", Body: []byte(`{"produce":{"card":"asw"}}`)}
	later, second := entry, entry
	later.Turn, second.Body = "Spring 1942", []byte(`{"produce":{"card":"wild"}}`)
	name := func(c *harness, entry rules.Command) string {
		name, err := c.umpire.CommandID(c.id.ID, entry)
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	first := name(c, entry)
	if again := name(c, entry); again != first {
		t.Errorf("one entry has two names, %s and %s", first, again)
	}
	names := map[string]bool{first: true, name(c, later): true, name(c, second): true, name(other, entry): true}
	if len(names) != 4 {
		t.Errorf("4 entries have %d names", len(names))
	}
}
