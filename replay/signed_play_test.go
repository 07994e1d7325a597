package replay_test

import (
	"crypto/rand"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// signers are the players of a campaign, each with a key.
type signers struct {
	list   []signer
	put    int            // how many commands were put to the umpire
	signed map[string]int // commands that were signed, by their verbs
	stuck  map[string]int // that nobody could sign, and the umpire may not enter
}

// keyed opens a campaign whose two seats share the sides, and gives both a key.
func (d *host) keyed(system, name string, o replay.NewCampaign, fixture string) *harness {
	d.t.Helper()
	at := slices.IndexFunc(every, func(s rules.System) bool { return s.Name == system })
	o.Name = name
	o.Seats = []campaign.Seat{{Name: "Anna"}, {Name: "Ben"}}
	sides := every[at].Sides
	switch system { // those of the boards
	case "aar":
		sides = []string{"Russia", "Germany", "UK", "Japan", "US"}
	case "g40":
		sides = []string{"Germany", "Russia", "Japan", "US", "Italy", "UK", "China", "France", "ANZAC"}
	}
	for i, side := range sides {
		of := i % 2
		if system == "awaw" { // the European Axis and Japan are one player's
			of = map[string]int{"Britain": 1, "United States": 1}[side]
		}
		o.Seats[of].Sides = append(o.Seats[of].Sides, side)
	}
	var c *harness
	if fixture != "" {
		c = d.recitedAs(fixture, false, o)
	} else {
		o.System = system
		c = d.openWith(o)
	}
	c.signers = &signers{signed: map[string]int{}, stuck: map[string]int{}}
	for i, seat := range []string{"Anna", "Ben"} {
		s := c.signer(seat, byte(i+1))
		if o.Dice == campaign.Contested {
			s.own = chance.NewChain(events.Hash{byte(i)}, 4096)
		}
		if a, err := c.umpire.HearSigned(c.id.ID, s.keyed(s, true)); err != nil || a.Verdict != rules.Allowed {
			d.t.Fatalf("%+v, %v", a, err)
		}
		c.signers.list = append(c.signers.list, s)
	}
	return c
}

// hears puts a command to the umpire as a table with keys does: he enters what he may, and players sign the rest.
func (s *signers) hears(c *harness, command rules.Command) (replay.Answer, error) {
	next := c.now().Next
	if s.put++; s.put%2 == 0 && command.Seat == campaign.UmpireSeat { // a player enters it before he does
		for _, p := range s.list {
			if a, err := p.says(command); err != nil || a.Verdict != rules.Refused {
				return a, err
			}
		}
	}
	a, err := c.umpire.Hear(c.id.ID, command)
	if !unsigned(a) {
		return a, err
	}
	if c.now().Next != next {
		c.t.Errorf("%q is refused, and recorded", command.ID)
	}
	var body map[string]json.RawMessage
	if json.Unmarshal(command.Body, &body) != nil {
		return a, err
	}
	if by, typed := body["by"]; typed && (command.Verb == "dice" || command.Verb == "confirm") {
		_ = json.Unmarshal(by, &command.Seat)
		delete(body, "by")
		command.Body, _ = json.Marshal(body)
	}
	said := a
	for _, p := range s.list {
		if command.Seat != campaign.UmpireSeat && !strings.EqualFold(command.Seat, p.name) {
			continue
		}
		a, err := p.says(command)
		if err != nil || len(a.Violations) == 0 || a.Violations[0].Rule != rules.Signed {
			s.signed[command.Verb]++
			return a, err
		}
		said = a
	}
	listed := len(body)
	delete(body, "cards")
	if delete(body, "american cards"); len(body) < listed { // of both players: each is asked for his own
		command.Body, _ = json.Marshal(body)
		return s.hears(c, command)
	}
	s.stuck[command.Verb+": "+said.Violations[0].Message]++
	return said, nil
}

// unsigned reports whether a command is refused because a player has to sign it.
func unsigned(a replay.Answer) bool {
	return slices.ContainsFunc(a.Violations, func(v rules.Violation) bool {
		return v.Field == "seat" && strings.Contains(v.Message, "what it enters")
	})
}

// says has the player sign a command, and the umpire hear it.
func (p signer) says(c rules.Command) (replay.Answer, error) {
	p.t.Helper()
	form, a, err := p.umpire.FormOf(p.id.ID, p.asks(c.ID, c.Verb, c.Body), nil)
	if err != nil || a.Verdict == rules.Refused {
		return a, err
	}
	k := p.command(c.ID, form.Request)
	k.Question = form.Question
	opened, err := k.Seal(rand.Reader, form.Epoch, form.Sealed)
	if err != nil {
		p.t.Fatal(err)
	}
	s := p.sign(k)
	s.Openings = opened
	return p.umpire.HearSigned(p.id.ID, s)
}

// Two players who sign all that is theirs play each system to its end. Nothing that an honest host records of it is
// found fault with, by any reader.
func TestSignedPlay(t *testing.T) {
	t.Parallel()
	board := newHost(t).boardFiles("straits")
	for name, open := range map[string]func(d *host) *harness{
		"awaw": func(d *host) *harness {
			return d.keyed("awaw", "awaw", replay.NewCampaign{Options: asked}, "")
		},
		"awaw, secret": func(d *host) *harness {
			return d.keyed("awaw", "secret", replay.NewCampaign{Options: map[string]string{
				"play_order": "simultaneous_secret"}}, "")
		},
		"awaw, at a table": func(d *host) *harness {
			return d.keyed("awaw", "table", replay.NewCampaign{Options: asked, Dice: campaign.Attested}, "")
		},
		"awaw, contested": func(d *host) *harness {
			return d.keyed("awaw", "contested", replay.NewCampaign{Options: asked, Dice: campaign.Contested}, "")
		},
		"g40, contested": func(d *host) *harness {
			return d.keyed("g40", "links", replay.NewCampaign{Dice: campaign.Contested, AnswerWithin: 1},
				"two-oceans-1941")
		},
		"aar": func(d *host) *harness {
			return d.keyed("aar", "aar", replay.NewCampaign{Options: askedRaids, Board: board}, "")
		},
		"second front": func(d *host) *harness {
			return d.keyed("aar", "front", replay.NewCampaign{}, "second-front-1944")
		},
		"eots": func(d *host) *harness {
			return d.keyed("eots", "eots", replay.NewCampaign{}, "pacific-patrol-1942")
		},
		"g40": func(d *host) *harness {
			return d.keyed("g40", "g40", replay.NewCampaign{}, "two-oceans-1941")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(longrun.Of(1, 2, 6)) {
				c := open(newHost(t))
				p := newPlayer(c, seed)
				p.throws = true
				p.turns(longrun.Of((p.length()+1)/2, p.length()), func() {})
				c.vouchedFor(t)
				if len(c.signers.signed) == 0 {
					t.Errorf("seed %d: nothing is signed", seed)
				}
				t.Logf("seed %d: signed %v", seed, c.signers.signed)
				for _, what := range slices.Sorted(maps.Keys(c.signers.stuck)) {
					if !strings.HasPrefix(what, "facts: ") { // of both players: an entry of each is heard
						t.Errorf("seed %d: nobody may enter %s, %d times", seed, what, c.signers.stuck[what])
					}
				}
			}
		})
	}
}

// vouchedFor expects that no reader finds fault with the campaign.
func (c *harness) vouchedFor(t *testing.T) {
	t.Helper()
	if err := c.umpire.SameAsFolded(c.id.ID); err != nil {
		t.Error(err)
	}
	for _, reader := range append([]string{bundle.Umpire, bundle.Public}, c.now().Sides...) {
		if found := c.found(c.fileFor(reader, c.now().Next)); len(found) > 0 {
			t.Errorf("the file for %s: %d findings, the first: %s", reader, len(found), strings.Join(found[:min(4,
				len(found))], "\n"))
		}
	}
}
