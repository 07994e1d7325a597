package seatfile

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/seats"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/awaw"
)

// rubbish are bodies as no player means them; V is the verb.
var rubbish = []string{
	`null`, `{}`, `[]`, `0`, `"V"`, `{"V":null}`, `{"V":[]}`, `{"V":{}}`, `{"V":-1}`, `{"V":1e400}`,
	`{"V":"x","v":"y"}`,
	`{"V":18446744073709551616}`, `{"V":{"side":null}}`, `{"V":{"side":["Japan"]}}`,
	`{"V":{"side":"Japan","points":1e19}}`,
	`{"V":{"side":"Japan","draw":18446744073709551615,"cards":[],"signature":""}}`,
	`{"V":{"side":"Japan","draw":0,"cards":[{"sealed":"Japan 1"}],"signature":"00","note":"x"}}`,
	`{"V":{"chain":"dice","position":0,"link":"` + strings.Repeat("0", 64) + `"}}`,
	`{"V":{"chain":"","position":18446744073709551615,"link":"` + strings.Repeat("f", 64) + `"}}`,
	`{"V":{"Japan":[[[[]]]]}}`, `{"V":{"Japan":null}}`, `{"V":{"event":18446744073709551615,"claim":"x"}}`,
	`{"V":{"event":0,"claim":"\u0000\u202e","rule":"\u0000"}}`, `{"V":{"refused":"","claim":"x"}}`,
	`{"V":{"refused":"%s%d/../..","claim":"x"}}`, `{"V":{"dispute":0,"text":"x","events":[0,99999999999]}}`,
	`{"V":` + strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000) + `}`,
	`{"V":` + strings.Repeat(`{"a":`, 3000) + `1` + strings.Repeat(`}`, 3000) + `}`,
	`{"V":"` + strings.Repeat("x", 100<<10) + `"}`,
	`{"V":[[3,4],[6,1]],"by":"umpire"}`, `{"V":"yes","by":"Ben","absent":"x"}`,
	`{"V":{"side":"Japan"},"cards":[{"sealed":"a"}]}`,
	`{"V":{"sealed":"a"}}`, `{"V":{"sealed":"a","event":0}}`, `{"V":{"side":{"sealed":"a"},"project":"Magic"}}`,
}

// Whatever a player signs, the host has an answer to it that is no trouble of its own, and goes on.
func TestRubbishIsAnswered(t *testing.T) {
	longrun.Only(t)
	for mode, n := range map[string]replay.NewCampaign{"": {}, "table": {Dice: campaign.Attested, Signed: true},
		"contested": {Dice: campaign.Contested, Signed: true}, "hands": handsOfPlayers(t)} {
		t.Run(mode, func(t *testing.T) {
			h := serveWith(t, t.TempDir(), maintenance.Options{Begin: true, Rounds: t.TempDir()}, n)
			h.answersRubbish()
		})
	}
}

// answersRubbish has a player of the host sign rubbish.
func (h *host) answersRubbish() {
	s := h.joined()
	if _, err := s.Look(h.Context()); err != nil {
		h.Fatal(err)
	}
	said := ""
	h.lie = func(_ string, answer []byte) []byte { said = string(answer); return answer }
	troubled := func(what string, err error) {
		h.Helper()
		if k := kindOf(err); k == problem.Failed || k == problem.Unreachable || k == problem.Diverged ||
			strings.Contains(said, "something is wrong here") {
			h.Errorf("%.300s: %v: %.300s", what, err, said)
		}
	}
	for _, verb := range campaign.Verbs(awaw.System()) {
		for _, body := range rubbish {
			h.signs(s, verb.Key, strings.ReplaceAll(body, "V", verb.Key), troubled)
		}
	}
	for i, text := range []string{"", "{}", "x", strings.Repeat("\n", 1000), s.Head, s.Head + s.Head,
		s.Head + "\u2014 x AAAA\n", strings.Replace(s.Head, "\n\n", "\n", 1)} {
		for path, sent := range map[string]any{"cosigned": map[string]string{"note": text},
			"orders": seats.Order{Envelope: text}, "keys": seats.Joining{Code: text, Envelope: text}} {
			var done any
			troubled(fmt.Sprint(path, i), s.client.Post(h.Context(), sent, &done, "campaigns", s.Campaign, path))
		}
	}
	h.lie = nil
	if _, err := s.Look(h.Context()); err != nil {
		h.Error(err)
	}
}

// signs has a player ask for the form of a body, and sign it as it is.
func (h *host) signs(s *Seat, verb, body string, troubled func(string, error)) {
	request, err := envelope.NewRequest(verb, []byte(body))
	if err != nil {
		return // no JSON
	}
	q := envelope.Inquiry{Campaign: s.Campaign, Seat: s.Name, ID: "x/" + verb, NotAfter: notAfter(), Request: request}
	asks, err := q.Sign(s.key)
	if err != nil {
		h.Fatal(err)
	}
	var form replay.Form
	draft := seats.Draft{Envelope: asks, Discloses: []events.Opening{{Index: 1 << 63, Slot: "x"}}}
	for range 2 {
		troubled(body, s.client.Post(h.Context(), draft, &form, "campaigns", s.Campaign, "forms"))
		draft.Discloses = nil
	}
	head, facts := s.Seen(), map[string]string{}
	for _, slot := range rules.SealedSlots([]byte(body)) {
		facts[slot] = `{"sealed":"a"}`
	}
	c := envelope.Command{Campaign: s.Campaign, Seat: s.Name, ID: q.ID, NotAfter: q.NotAfter, Request: request,
		Seen: envelope.Seen{Events: head.Events, Root: head.Root}}
	signed := replay.SignedCommand{}
	if signed.Openings, err = c.Seal(rand.Reader, 1, facts); err == nil {
		signed.Envelope, err = c.Sign(s.key)
	}
	if err != nil {
		h.Fatal(err)
	}
	var done any
	troubled(body, s.client.Post(h.Context(), signed, &done, "campaigns", s.Campaign, "signed"))
}
