package replay_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/rules"
)

// This file is a whole system of rules, as docs/extending.md describes it: a boat searches a sea zone and sinks what it
// finds. It has one printed sheet, one option, two verbs and no event type of its own.

var searchFiles = fstest.MapFS{
	"tables/search.txt": {Data: []byte("# Search - 1.2\n# Ships sunk.\n  Die | 1-4 5-6\nShips |   0   1\n")},
	"editions/1.txt": {Data: []byte("# Search, edition 1\n# Rules 1.1 to 1.3.\noption | default\n fleet " +
		"|       3\n")},
}

var searchTables = rules.LoadTables(searchFiles)

func searchOptions() rules.OptionList {
	return rules.OptionList{{Name: "fleet", Ambiguity: "AMB-SEARCH-1", Question: "How many ships are there?",
		Why:      "The text does not say.",
		Readings: []rules.Reading{{Value: "3", Meaning: "three"}, {Value: "9", Meaning: "nine"}}}}
}

func searchSystem() rules.System {
	return rules.System{
		Name: "search", Title: "Search", Sides: []string{"Hunter"},
		Editions: rules.LoadEditions("search", searchFiles, searchOptions(), "1"), Options: searchOptions(),
		Verbs: searchVerbs.Verbs(), Views: []string{"strategic"}, StrategicTitle: "Searches",
		New: func([]rules.BoardFile) (rules.Game, error) { return sea{}, nil }, Table: searchTables.Named, Revision: 1,
		Open: func(e rules.Edition, options map[string]string,
			_ []rules.BoardFile) (*events.CampaignOpened, []rules.BoardFile, rules.Findings) {
			chosen, f := searchOptions().Choose(e, options)
			return &events.CampaignOpened{System: "search", Edition: e.Name, Dice: "chain", Sides: []string{"Hunter"},
				Options: chosen}, nil, f
		},
	}
}

// sea is the state of a campaign.
type sea struct {
	turn    events.Turn
	options map[string]string
	sunk    int
}

// Evolve implements rules.Game.
func (s sea) Evolve(e *events.Event, _ []events.Opening) rules.Game {
	p, err := events.PayloadOf(e)
	if err != nil || p == nil {
		return s
	}
	s.options = rules.OptionsAfter(s.options, p)
	switch p := p.(type) {
	case *events.TurnAdvanced:
		s.turn = events.Turn{Ordinal: p.Ordinal, Label: p.Label}
	case *events.ResultAdjudicated:
		s.sunk += p.Figures[0].Value
	}
	return s
}

// TurnNow implements rules.Game.
func (s sea) TurnNow() (events.Turn, string) { return s.turn, "" }

// Decide implements rules.Game.
func (s sea) Decide(c rules.Command, h *rules.Hearing) {
	if h.InTime(c, s.turn, "no turn has begun: begin the file with turn: Day 1") {
		searchVerbs.Decide(&searching{s, h, c}, searchOptions(), s.options, "Search")
	}
}

// searching is one command being judged on a state.
type searching struct {
	sea
	*rules.Hearing
	c rules.Command
}

// Heard implements rules.Judge.
func (d *searching) Heard() (*rules.Hearing, rules.Command) { return d.Hearing, d.c }

// Named implements rules.Judge.
func (d *searching) Named(kind, field, name string) (string, bool) {
	return d.Word(d.c, field, kind, name, []string{"North Sea", "Irish Sea"})
}

type searchEntry struct {
	Zone string `json:"zone" is:"sea" need:"a sea" alone:"true" doc:"where the boat searches"`
}

var searchVerbs = rules.Declarations[*searching]{
	rules.Declare("turn", "begin the next turn", (*searching).begin),
	rules.Declare("search", "a boat searches a sea (1.2)", (*searching).search),
}

func (d *searching) begin(label string) {
	d.Record("", &events.TurnAdvanced{Ordinal: d.turn.Ordinal + 1, Label: label})
}

func (d *searching) search(e searchEntry) {
	fleet := map[string]int{"3": 3, "9": 9}[d.options["fleet"]]
	if d.sunk >= fleet {
		d.ViolateField("search", "SEARCH-1.3", "all %d ships are sunk", fleet)
		return
	}
	dice, ok := d.Roll("Hunter", &events.RollDeclared{Purpose: "search", Subject: e.Zone,
		Throws: []events.Throw{{Name: "search", Side: "Hunter", Dice: 1, Sides: 6, Table: "search"}}})
	if !ok {
		return
	}
	column, _ := searchTables["search"].Column(dice[0][0])
	sunk := searchTables.Figure(&d.Findings, "search", "Ships", column)
	d.Cite("SEARCH-1.2", "a die of %d sinks %d", dice[0][0], sunk)
	d.Record("Hunter", &events.ResultAdjudicated{Procedure: "search.search", Subject: e.Zone, Attacker: "Hunter",
		Declared: d.Declared(), Figures: []events.Figure{{Name: "sunk", Value: sunk}},
		Readings: []events.Reading{{Name: "search", Table: "search", Dice: dice[0], Total: dice[0][0],
			Modified: dice[0][0], Column: column}}})
}

// TestExtending: the system above is handed to the umpire, and all that watu does works for it: play, refusals, a
// correction with what follows from it, undo, a rebuild, an audit, a file for every reader that verifies.
func TestExtending(t *testing.T) {
	d := newHost(t)
	d.systems = []rules.System{searchSystem()}
	d.replaceUmpire()
	c := d.openWith(replay.NewCampaign{Name: "search", System: "search", Seed: "s1"})
	c.must("turn: Day 1\nentries:\n  - {id: first, search: north sea}\n")
	if text := c.submit("entries:\n  - {id: wrong, search: Nort Sea}\n"); !strings.Contains(text, "North Sea") {
		t.Errorf("a sea that there is not: %s", text)
	}
	for n := 0; c.now().Game.(sea).sunk < 3; n++ {
		if n > 60 {
			t.Fatal("nothing is found")
		}
		c.must("entries:\n  - {id: s" + itoa(uint64(n)) + ", search: {zone: Irish Sea}}\n")
	}
	if message := c.submit("entries:\n  - {id: late, search: Irish Sea}\n"); !strings.Contains(message, "SEARCH-1.3") {
		t.Errorf("searched when all are sunk: %s", message)
	}
	first := c.standing("Day 1/first")[0]
	c.mistyped(first, "north sea", "irish sea")
	c.sound()
	a, err := d.umpire.UndoLast(c.id.ID, c.at().Next-1, "it was not")
	if err != nil || a.Verdict != rules.Allowed {
		t.Fatal(a, err)
	}
	c.sound()
	var seen tally
	c.filesLaw(&seen)
}
