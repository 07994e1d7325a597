package narrator

import (
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/document"
)

// TestSentencesLink: a sentence links the events and disputes that it names, and nothing that a player wrote.
func TestSentencesLink(t *testing.T) {
	for _, c := range []struct {
		payload events.Payload
		text    string
		links   []document.Link
	}{
		{&events.EvidenceBrought{Dispute: 24, Events: []uint64{3, 4, 5, 9}, Note: "see #7"},
			"Ben brings #3 to #5 and #9 into dispute #24: see #7.",
			[]document.Link{document.About(3), document.About(5), document.About(9),
				{Kind: document.ToCase, Event: 24}}},
		{&events.CardNegated{By: 12, Played: 11, Card: "asw"}, "#12 negates the ASW card that Japan played " +
			"(#11).",
			[]document.Link{document.About(12), document.About(11)}},
		{&events.StatementMade{Dispute: 8, Text: "100 % of #5"}, "Ben on dispute #8: 100 % of #5.",
			[]document.Link{{Kind: document.ToCase, Event: 8}}},
		{&events.TurnAdvanced{Label: "Turn #2"}, "Turn #2 begins.", nil},
	} {
		e := events.Event{Type: c.payload.Type(), Side: "Japan", Seat: "Ben", Payload: events.EncodePayload(c.payload)}
		got := Narrate(&e, 0)
		var links []document.Link
		for _, s := range got {
			if s.To != (document.Link{}) {
				links = append(links, s.To)
			}
		}
		if got.String() != c.text || len(links) != len(c.links) {
			t.Errorf("%q links %v, want %q and %v", got, links, c.text, c.links)
			continue
		}
		for i := range links {
			if links[i] != c.links[i] {
				t.Errorf("%q links %v, want %v", got, links[i], c.links[i])
			}
		}
	}
}
