package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/watu-ledger/watu/cmd/watu/internal/explain"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/worded"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
)

// In every bundled campaign the territories of an income come to its figure of the board, or none are
// listed and the page says why; and what an event states to be in hand is what is reckoned.
func TestIncomesAndTreasuriesAddUp(t *testing.T) {
	d, all := pages(t)
	listed, silent, moved := 0, 0, 0
	for _, k := range fixtures.Campaigns() {
		c, err := all.service.Campaign(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		for index := range c.Events {
			where := fmt.Sprintf("%s #%d", k.Name, index)
			e, p := payloadOf(t, all, k.Name, index)
			if w := worthOf(t, d, all, k.Name, index, p); w != nil && len(w.Territories) > 0 {
				listed++
			} else if w != nil {
				silent++
				t.Logf("%s lists no territories of %s: %s", where, w.Treasury, w.Why)
			}
			hands, err := all.service.Balances(t.Context(), k.Name, index)
			if err != nil {
				t.Fatal(err)
			}
			moved += len(hands)
			for treasury, ipcs := range statedBy(p) {
				i := slices.IndexFunc(hands, func(h timeline.Balance) bool { return h.Treasury == treasury })
				if i < 0 || e.Corrects == 0 && hands[i].Now != int64(ipcs) {
					t.Errorf("%s leaves %s with %d, and it is reckoned %+v", where, treasury, ipcs, hands)
				}
			}
			for _, h := range hands {
				if h.Before+h.Change+h.Adjusted != h.Now || h.Said && h.By > index {
					t.Errorf("%s: %+v does not add up", where, h)
				}
			}
		}
	}
	t.Logf("%d incomes list territories, %d do not; %d movements of money", listed, silent, moved)
	if listed < 10 || silent > listed/4 || moved < 40 {
		t.Errorf("%d incomes list territories, %d do not; %d movements of money", listed, silent, moved)
	}
}

func payloadOf(t *testing.T, all theatre, campaign string, index uint64) (events.Event, events.Payload) {
	t.Helper()
	kept, err := all.service.Record(campaign, index)
	if err != nil {
		t.Fatal(err)
	}
	e, err := events.Decode(kept.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	p, err := events.PayloadOf(&e)
	if err != nil {
		t.Fatal(err)
	}
	return e, p
}

// worthOf gives of what an income is made, held to its sum and to what the page shows.
func worthOf(t *testing.T, d *Dashboard, all theatre, campaign string, index uint64,
	p events.Payload) *service.Earnings {
	t.Helper()
	w, err := all.service.Earnings(t.Context(), campaign, index)
	if err != nil {
		t.Fatal(err)
	}
	paid, ok := p.(*events.IncomeCollected)
	if (w != nil) != (ok && paid.Board != 0) {
		t.Fatalf("%s #%d: %+v of %+v", campaign, index, w, p)
	}
	if w == nil {
		return nil
	}
	sum := 0
	for _, h := range w.Territories {
		sum += h.IPCs
	}
	if (len(w.Territories) > 0) != (sum == paid.Board) || (len(w.Territories) == 0) != (w.Why != "") {
		t.Errorf("%s #%d: %+v for %d", campaign, index, w, paid.Board)
	}
	shown := textOf(byID(read(t, d, fmt.Sprintf("/campaigns/%s/events/%d", campaign, index)), "worth"))
	for _, h := range w.Territories {
		if !strings.Contains(shown, h.Territory) {
			t.Errorf("%s #%d does not show %s: %s", campaign, index, h.Territory, shown)
		}
	}
	if !strings.Contains(shown, w.Why) || !strings.Contains(shown, fmt.Sprint(paid.Board)) {
		t.Errorf("%s #%d: %s", campaign, index, shown)
	}
	return w
}

// statedBy is what an event states to be in hand behind it.
func statedBy(p events.Payload) map[string]int {
	switch p := p.(type) {
	case *events.IncomeCollected:
		return map[string]int{p.Power: p.Treasury}
	case *events.UnitsPurchased:
		return map[string]int{p.Power: p.Treasury}
	case *events.FacilitiesRepaired:
		return map[string]int{p.Power: p.Treasury}
	case *events.FacilityBuilt:
		return map[string]int{p.Power: p.Treasury}
	case *events.ResearchPaid:
		list := map[string]int{}
		for _, x := range p.Payments {
			list[x.Treasury] = x.Left
		}
		return list
	case *events.CampaignOpened:
		list := map[string]int{}
		for _, x := range p.Treasuries {
			list[x.Power] = x.IPCs
		}
		return list
	}
	return nil
}

// The page of the opening says what every bundled campaign began with, and an event that cites no rule and carries a
// figure says what it rests on.
func TestEveryEventSaysWhatItRestsOn(t *testing.T) {
	d, all := pages(t)
	silent := map[events.Type]bool{"choice_asked": true, "contest_settled": true}
	for _, k := range fixtures.Campaigns() {
		c, err := all.service.Campaign(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		for index := range c.Events {
			e, p := payloadOf(t, all, k.Name, index)
			if opened, ok := p.(*events.CampaignOpened); ok {
				began(t, byID(read(t, d, pathTo("campaigns", k.Name, "events", index)), "opening"), opened)
			}
			if len(e.Derivation) > 0 || silent[e.Type] {
				continue
			}
			x, err := explain.Event(t.Context(), all.service, k.Name, index)
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, s := range x.Document.Sections {
				if s.ID == "nature" {
					text = s.HTML(nil)
				}
			}
			ruled, ok := p.(*events.Compensated)
			if text == "" || ok && (!strings.Contains(text, "ruling") ||
				!strings.Contains(text, html.EscapeString(ruled.Reason))) {
				t.Errorf("%s #%d, %s: %q", k.Name, index, e.Type, text)
			}
		}
	}
}

// began holds what a page says of an opening against the opening.
func began(t *testing.T, section *html.Node, p *events.CampaignOpened) {
	t.Helper()
	text := textOf(section)
	words := append([]string{p.Board.Title}, p.Sides...)
	if p.Board.Title != "" {
		words = append(words, fmt.Sprint(p.Board.Hash))
	}
	for _, x := range p.Options {
		words = append(words, worded.Name(x.Name), worded.Name(x.Value), x.Rule)
	}
	for _, x := range p.Treasuries {
		words = append(words, fmt.Sprintf("%d%s", x.IPCs, x.Power))
	}
	for _, x := range p.Pools {
		for _, c := range x.Cards {
			words = append(words, fmt.Sprintf("%d %s", c.Count, c.Card))
		}
	}
	for _, word := range append(words, "The umpire", "links") {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(strings.TrimPrefix(word, "The "))) {
			t.Errorf("the opening of %s does not say %q: %s", p.Name, word, text)
		}
	}
}
