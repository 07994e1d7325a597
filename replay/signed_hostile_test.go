package replay_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/rules"
)

// Nobody who knows the id of an entry finds out what it keeps sealed: not without a key, not with another seat's, and
// not by bringing a key.
func TestNoGuessing(t *testing.T) {
	t.Parallel()
	anna := keyedGame(t, false)
	ben := anna.harness.signer("Ben", 2)
	if a, err := anna.umpire.HearSigned(anna.id.ID, ben.keyed(ben, true)); err != nil || a.Verdict != rules.Allowed {
		t.Fatalf("%+v, %v", a, err)
	}
	k, opened := anna.drafted("a1", allocation)
	good := anna.sign(k)
	good.Openings = opened
	if a, err := anna.umpire.HearSigned(anna.id.ID, good); err != nil || a.Verdict != rules.Allowed {
		t.Fatalf("%+v, %v", a, err)
	}
	stranger := signer{anna.harness, "Anna", anna.harness.signer("Anna", 9).key, nil}
	said := func(s replay.SignedCommand) string {
		a, err := anna.umpire.HearSigned(anna.id.ID, s)
		if err == nil && a.Verdict != rules.Refused {
			t.Errorf("a guess is answered: %+v", a)
		}
		if err != nil && !errors.Is(err, journal.ErrEdited) && !errors.Is(err, envelope.ErrEnvelope) {
			t.Error(err)
		}
		return fmt.Sprint(err, a.Violations)
	}
	var answers [4][]string
	for points := range 6 {
		own := []events.Opening{{Slot: opened[0].Slot, Fact: fmt.Sprint(points)}}
		body := fmt.Appendf(nil, `{"allocate":{"points":%d,"project":"Ultra","side":"European Axis"}}`, points)
		whole, err := envelope.NewRequest("allocate", body)
		if err != nil {
			t.Fatal(err)
		}
		asKey, err := envelope.NewRequest("key", body)
		if err != nil {
			t.Fatal(err)
		}
		withKey := ben.command("a1", whole)
		for i, s := range []replay.SignedCommand{
			stranger.sign(anna.command("a1", whole)),
			ben.sign(withKey),
			stranger.sign(anna.command("a1", asKey)),
			{Envelope: good.Envelope, Openings: own},
		} {
			answers[i] = append(answers[i], said(s))
		}
	}
	for i, list := range answers {
		if len(slices.Compact(list)) != 1 {
			t.Errorf("way %d tells guesses apart: %q", i, list)
		}
	}
}

// Whoever has no key makes the host do no work that is larger than what he sends, and who has one can open a slot once.
func TestNoBomb(t *testing.T) {
	t.Parallel()
	anna := keyedGame(t, false)
	seal := func(entry string) (envelope.Command, []events.Opening) {
		request, err := envelope.NewRequest("allocate", []byte(entry))
		if err != nil {
			t.Fatal(err)
		}
		k := anna.command("a1", request)
		opened, err := k.Seal(strings.NewReader(strings.Repeat("s", 32)), 1, map[string]string{"points": "3"})
		if err != nil {
			t.Fatal(err)
		}
		return k, opened
	}
	k, _ := seal(`[{"sealed":"points"},{"sealed":"points"}]`)
	anna.refuses(t, "one slot in two places", "does not commit to what its request seals", anna.sign(k))
	k, _ = seal(`{"points":3}`)
	anna.refuses(t, "no place", "does not commit to what its request seals", anna.sign(k))
	k, opened := seal(`{"points":{"sealed":"points"}}`)
	s := anna.sign(k)
	s.Openings = append(opened, opened...)
	anna.refuses(t, "one slot opened twice", "1 facts are sealed, and 2 opened", s)
	s.Openings = slices.Clone(opened)
	s.Openings[0].Fact = strings.Repeat("a", envelope.Most+1)
	anna.refuses(t, "a large fact", "may have", s)
}

// A command that a player names as the ledger names its own is none: the campaign goes on.
func TestReservedIDs(t *testing.T) {
	t.Parallel()
	anna := keyedGame(t, false)
	for _, id := range []string{"epoch/2", "open", "rules/5", "keep/5", "undo/5", "key/x"} {
		k := anna.command(id, []byte(`{"verb":"statement","entry":{"statement":{"dispute":3,"text":"x"}}}`))
		anna.refuses(t, id, "reserved", anna.sign(k))
	}
	next := anna.harness.signer("Anna", 5)
	request, err := envelope.KeyRequest(envelope.KeyEntry{Key: next.key.Verifier().String()})
	if err != nil {
		t.Fatal(err)
	}
	anna.refuses(t, "a key by another id", "has the id", anna.sign(anna.command("key/other", request)))
	anna.refuses(t, "a key by an entry's id", "has the id", anna.sign(anna.command("a1", request)))
	more := []byte(strings.Replace(string(request), `{"key":"`, `{"Key":"x","key":"`, 1))
	anna.refuses(t, "a key and more", "nothing else", anna.sign(anna.command("key/other", more)))
	if _, ok := anna.now().KeyOf("Anna"); !ok || anna.now().Next == 0 {
		t.Error("the seat has lost its key")
	}
}
