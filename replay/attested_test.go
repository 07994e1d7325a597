package replay_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// TestSeats: a campaign is opened with seats whose sides there are, each held once, and with
// attested dice only if somebody beside the umpire can speak.
func TestSeats(t *testing.T) {
	d := newHost(t)
	axis := []string{"European Axis"}
	for _, c := range []struct {
		dice  string
		seats []campaign.Seat
		text  string
	}{
		{"moon", nil, `there are no dice "moon"; there are chain, attested, beacon and contested`},
		{campaign.Beacon, nil, "name the witnesses in a policy"},
		{campaign.Attested, nil, "name a player's seat"},
		{"", []campaign.Seat{{Name: "Anna", Sides: []string{"Italy"}}},
			`there is no side "Italy" for Anna; there are European Axis, Britain`},
		{"", []campaign.Seat{{Name: "Anna", Sides: axis}, {Name: "Ben", Sides: []string{"european axis"}}},
			"European Axis is held by Anna already"},
		{"", []campaign.Seat{{Name: "Anna", Sides: []string{"Japan", "Japan"}}}, "Japan is held by Anna already"},
		{"", []campaign.Seat{{Name: "Umpire", Sides: axis}}, "the seat Umpire is taken already"},
		{"", []campaign.Seat{{Name: "Anna", Sides: axis}, {Name: "anna", Sides: []string{"Japan"}}},
			"the seat anna is taken already"},
		{"", []campaign.Seat{{Name: "Anna"}}, "the seat Anna has no side"},
		{"", []campaign.Seat{{Name: "", Sides: axis}}, "no name for a seat"},
		{"", []campaign.Seat{{Name: "a,b", Sides: axis}}, "no name for a seat"},
		{"", []campaign.Seat{{Name: "a\nb", Sides: axis}}, "no name for a seat"},
	} {
		_, violations, err := d.umpire.Open(replay.NewCampaign{Name: "refused", System: "awaw", Dice: c.dice,
			Seats: c.seats})
		if err != nil || len(violations) == 0 || violations[0].Rule != rules.Input ||
			!strings.Contains(violations[0].Message, c.text) {
			t.Errorf("%q: %v, %v", c.text, violations, err)
		}
	}
	if n := len(d.ledger.Campaigns()); n != 0 {
		t.Errorf("%d campaigns are open", n)
	}
	c := d.openAttested("table", "seed", nil)
	var reported []string
	for _, e := range c.all() {
		var p events.SeatTaken
		if e.Read(&p) {
			reported = append(reported, fmt.Sprint(e.Index, p))
		}
	}
	want := []string{
		"1 {umpire umpire [European Axis Britain Japan United States]}", "2 {Anna player [European Axis Japan]}",
		"3 {Ben player [Britain United States]}",
	}
	if at := c.at(); !slices.Equal(reported, want) || at.Dice != campaign.Attested || len(at.Seats) != 3 {
		t.Errorf("%v, %s, %v", reported, at.Dice, at.Seats)
	}
}

// TestChainIgnoresDice: where a chain decides, nobody may type dice.
func TestChainIgnoresDice(t *testing.T) {
	c := newHost(t).open("chain", "seed", nil)
	c.must("turn: Spring 1940\nentries: [{id: box, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}, " +
		"cards: []}]")
	if text := c.submit("entries: [{id: d, dice: [[6, 6], [1, 1]]}]"); !strings.Contains(text,
		"no dice are asked for") {
		t.Error(text)
	}
}

// TestDiceNames: dice that come without an id are those of this asking and of this seat; asked
// for once more, the same figures are other dice.
func TestDiceNames(t *testing.T) {
	c := newHost(t).openAttested("names", "seed", nil)
	c.must("turn: Spring 1940\nentries: [{id: box, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}, " +
		"cards: []}]")
	say := func(seat, verb, body string) replay.Answer {
		t.Helper()
		command := rules.Command{Seat: seat, Verb: verb, Turn: "Spring 1940", Body: []byte(body)}
		name, err := c.umpire.CommandID(c.id.ID, command)
		if err != nil {
			t.Fatal(err)
		}
		command.ID = name
		a, err := c.hear(command)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	const dice, no = `{"dice":[[3,4],[6,1]]}`, `{"confirm":"no","reason":"cocked"}`
	for range 3 {
		if a := say("Anna", "dice", dice); a.Again || a.Verdict != rules.Asked {
			t.Errorf("typed: %+v", a)
		}
		if a := say("Anna", "dice", dice); !a.Again {
			t.Errorf("typed twice: %+v", a)
		}
		if a := say("Ben", "confirm", no); a.Again || a.Verdict != rules.Asked {
			t.Errorf("denied: %+v", a)
		}
	}
	say("Anna", "dice", dice)
	if a := say("Ben", "confirm", `{"confirm":"yes"}`); a.Again || a.Verdict != rules.Allowed {
		t.Errorf("confirmed: %+v", a)
	}
	c.shadow().check(t)
}

// TestSameDice: dice that a chain threw, typed at a table, lead to the same rulings.
func TestSameDice(t *testing.T) {
	d := newHost(t)
	chain, table := d.open("chain", "s5", nil), d.openAttested("table", "s5", nil)
	const turn = `
turn: Winter 1941
entries:
  - {id: war, declare war: {by: Japan, on: United States, usjt: 33}}
  - {id: pearl, pearl harbor: {task forces: [TF 8, TF 11], defending air: {aaf: 5, nas: 6}, second strike: true},
     japanese cards: [], american cards: []}
`
	chain.must(turn)
	table.must(turn)
	fallen := map[string][][]int{} // by purpose
	purpose := map[uint64]string{}
	for _, e := range chain.all() {
		var roll events.RollDeclared
		var dice events.DiceRolled
		switch {
		case e.Read(&roll):
			purpose[e.Index] = roll.Purpose
		case e.Read(&dice):
			fallen[purpose[dice.Declared]] = append(fallen[purpose[dice.Declared]], dice.Dice)
		}
	}
	rolls := 0
	for open := table.at().Open; open != nil; open = table.at().Open {
		rolls++
		p := newPlayer(table, 1)
		p.n, p.turn = 2*rolls, "Winter 1941"
		_, _ = p.sayAs("Anna", "dice", entry{"dice": fallen[open.Roll.Declared.Purpose]})
		if _, err := p.sayAs("Ben", "confirm", entry{"confirm": "yes"}); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := table.results(), chain.results(); rolls < 3 || !slices.Equal(got, want) {
		t.Errorf("after %d rolls\n%s\ninstead of\n%s", rolls, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// results are what the rules made of the dice, without the places of other events.
func (c *harness) results() []string {
	var list []string
	for _, e := range c.all() {
		var p events.ResultAdjudicated
		if e.Read(&p) {
			p.Declared, p.Contest = 0, 0
			list = append(list, fmt.Sprintf("%+v %v", p, e.Derivation))
		}
	}
	return list
}
