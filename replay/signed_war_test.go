package replay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/rules"
)

// War is declared by whoever holds the side that declares it, and not by whoever draws cards then first.
func TestSignedWar(t *testing.T) {
	t.Parallel()
	for text, by := range map[string]string{
		"{id: w, declare war: {by: Japan, on: United States, usjt: 33}}": "Anna",
		"{id: w, declare war: {by: United States, on: Japan, usjt: 33}}": "Ben",
		"{id: w, declare war: {by: Britain, on: Japan}}":                 "Ben",
		"{id: w, declare war: {by: Germany, on: United States}}":         "umpire", // a power, and no side
	} {
		c := newHost(t).keyed("awaw", "war", replay.NewCampaign{}, "")
		c.must("turn: Winter 1941\nentries: []\n")
		list, err := c.entries("entries:\n  - " + text + "\n")
		if err != nil {
			t.Fatal(err)
		}
		enters := map[string]func() (replay.Answer, error){
			"umpire": func() (replay.Answer, error) { return c.umpire.Hear(c.id.ID, list[0]) },
			"Anna":   func() (replay.Answer, error) { return c.signers.list[0].says(list[0]) },
			"Ben":    func() (replay.Answer, error) { return c.signers.list[1].says(list[0]) },
		}
		for who, enter := range enters {
			if who == by {
				continue
			}
			if a, err := enter(); err != nil || a.Verdict != rules.Refused {
				t.Errorf("%s by %s: %+v, %v", text, who, a, err)
			}
		}
		a, err := enters[by]()
		allowed(t, a, err)
		f := c.fileFor(bundle.Public, c.now().Next)
		if found := c.found(f); len(found) > 0 {
			t.Errorf("%s: %q", text, found)
		}
		if slices.ContainsFunc(f.Check(bundle.Options{}).Unchecked, func(u bundle.Unchecked) bool {
			return strings.HasPrefix(u.What, "declarations of war")
		}) {
			t.Errorf("%s is not signed", text)
		}
	}
}

// A host who declares war for a side, or has another player sign it, does so visibly.
func TestForgedWar(t *testing.T) {
	t.Parallel()
	c := newHost(t).keyed("awaw", "war", replay.NewCampaign{}, "")
	c.must("turn: Winter 1941\nentries: []\n")
	allowed(t, c.signers.list[1].enters("w", "{id: w, declare war: {by: Britain, on: Japan}}"), nil)
	list := c.all()
	for _, seat := range []string{"umpire", "Anna"} {
		own := slices.Clone(list)
		e := &own[len(own)-1]
		if e.Seat = seat; seat == "umpire" {
			e.Signed = ""
		}
		f := c.resigned(own, nil)
		if found := c.found(f); len(found) == 0 && !lists(f, "declarations of war by Britain") {
			t.Errorf("by %s: it is not listed", seat)
		}
	}
}

// A power that is no side of the campaign has no seat: the umpire enters what it does, and is not accused of that.
func TestSignedPower(t *testing.T) {
	t.Parallel()
	const bombing = "turn: Winter 1941\nentries:\n  - {id: b, strategic bombing: {attacker: Germany, " +
		"defender: Britain, target: London, bombers: 1, defense: {flak: 0, cities: 1, ports: 1}, " +
		"air combat: {attacker: 5, defender: 5}, excess range: 1, jets: {defender: 0}}}\n"
	for _, signed := range []bool{false, true} {
		c := newHost(t).keyed("awaw", "power", replay.NewCampaign{Signed: signed}, "")
		c.must(bombing)
		f := c.fileFor(bundle.Public, c.now().Next)
		if found := c.found(f); len(found) > 0 || !lists(f, "acts of Germany") {
			t.Errorf("signed %t: %q", signed, found)
		}
	}
}
