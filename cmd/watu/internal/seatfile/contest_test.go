package seatfile

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

// ben gives the seat of Ben, who has seen the record.
func (h *host) ben() *Seat {
	h.Helper()
	ben, done, err := Join(h.Context(), h.invite("Ben"), filepath.Join(h.TempDir(), "ben.seat"))
	if err != nil || done.Problem != nil {
		h.Fatal(err, done.Problem)
	}
	if _, err := ben.Look(h.Context()); err != nil {
		h.Fatal(err)
	}
	return ben
}

// declares has a host write a contested roll of the Axis into the record that the player is shown, which names a link
// of the player's chain.
func (s *Seat) declares(t *testing.T, position uint64) (*events.Event, events.Hash, tree.Checkpoint) {
	t.Helper()
	return s.isShown(t, "European Axis", &events.RollDeclared{Purpose: "submarine warfare", Mode: campaign.Contested,
		Throws: []events.Throw{{Name: "attack", Side: "European Axis", Dice: 2, Sides: 6}},
		Sources: []events.Source{{Chain: "dice", Position: 1},
			{Chain: envelope.ChainName(s.Fingerprint()), Position: position}}})
}

// isShown has a host write an event into the record that the player is shown.
func (s *Seat) isShown(t *testing.T, side string, p events.Payload) (*events.Event, events.Hash, tree.Checkpoint) {
	t.Helper()
	if err := s.copyUpTo(t.Context(), s.Seen()); err != nil {
		t.Fatal(err)
	}
	last := s.record.events[len(s.record.events)-1]
	e, err := events.Decode(last)
	if err != nil {
		t.Fatal(err)
	}
	e.Index, e.Type, e.Side, e.Command = e.Index+1, p.Type(), side, "forged"
	e.Payload, e.Request, e.Signed, e.Previous = events.EncodePayload(p), "", "", events.LeafHash(last)
	s.record.events = append(s.record.events, e.Encode())
	s.record.tree.Add(events.LeafHash(e.Encode()))
	root, err := s.record.tree.Root(e.Index + 1)
	if err != nil {
		t.Fatal(err)
	}
	return &e, events.LeafHash(e.Encode()), tree.Checkpoint{Campaign: s.id, Events: e.Index + 1, Root: root}
}

// A host who writes a contested roll into a campaign whose players draw cards by themselves gets no link: it would open
// all that was drawn before.
func TestNoLinkOpensAHand(t *testing.T) {
	t.Parallel()
	h := serveWith(t, t.TempDir(), maintenance.Options{Begin: true, Rounds: t.TempDir()}, handsOfPlayers(t))
	ben := h.ben()
	e, hash, head := ben.declares(t, 1)
	link, err := ben.linkFor(t.Context(), e, hash, head)
	if link != (events.Link{}) || kindOf(err) != problem.Unverified ||
		!strings.Contains(err.Error(), "are not contested: no link was given") {
		t.Errorf("%v, %v", link, err)
	}
}

// Of its chain a seat gives the next link alone, whatever the host names: a later one would tell the dice of all rolls
// before it.
func TestNextLinkAlone(t *testing.T) {
	t.Parallel()
	for _, position := range []uint64{0, 1, 2, 4096, 4097, 1 << 63} {
		given := position == 1
		h := serveWith(t, t.TempDir(), maintenance.Options{Begin: true},
			replay.NewCampaign{Dice: campaign.Contested, Signed: true})
		ben := h.ben()
		e, hash, head := ben.declares(t, position)
		link, err := ben.linkFor(t.Context(), e, hash, head)
		if given != (err == nil) || given != (link.Position == position && !link.Link.IsZero()) ||
			!given && kindOf(err) != problem.Unverified {
			t.Errorf("link %d: %v, %v", position, link, err)
		}
	}
}

// Where the player discloses his hand, a record that names a link which no chain has is refused, with the reason.
func TestNoSuchLinkDisclosed(t *testing.T) {
	t.Parallel()
	h := serveWith(t, t.TempDir(), maintenance.Options{Begin: true, Rounds: t.TempDir()}, handsOfPlayers(t))
	ben := h.ben()
	ben.Hands = campaign.Players
	_, _, head := ben.declares(t, 1<<40)
	if _, _, err := ben.used(t.Context(), head); kindOf(err) != problem.Unverified ||
		!strings.Contains(err.Error(), "nothing was disclosed") {
		t.Error(err)
	}
}

// Of its chain a seat draws by the next link alone: by one that was used already a host would learn cards of this hand
// from those of that one.
func TestDrawsByTheNextLink(t *testing.T) {
	t.Parallel()
	h := serveWith(t, t.TempDir(), maintenance.Options{Begin: true, Rounds: t.TempDir()}, handsOfPlayers(t))
	ben := h.ben()
	if err := ben.Rounds(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		position uint64
		want     problem.Kind
	}{{2, problem.Unverified}, {3, problem.Unreachable}, {3, problem.Unverified}} { // the rounds are not to be had here
		e, _, head := ben.isShown(t, "Britain", &events.DrawDeclared{Deck: "Ultra", Count: 4, PoolSize: 8, Round: 200,
			Source: events.Source{Chain: envelope.ChainName(ben.Fingerprint()), Position: x.position}})
		game, err := ben.fold(t.Context(), head)
		if err != nil {
			t.Fatal(err)
		}
		draw := campaign.OpenDraw{Event: e.Index, Side: "Britain", Round: 200}
		if _, _, _, err := ben.drawCards(t.Context(), game, draw); kindOf(err) != x.want {
			t.Errorf("link %d: %v", x.position, err)
		}
	}
}
