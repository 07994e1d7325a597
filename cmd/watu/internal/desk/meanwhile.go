package desk

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay/campaign"
)

// OtherAct is what another seat entered since a page was drawn.
type OtherAct struct {
	By string // the seat, in the language of the page
	timeline.NarratedEvent
}

// mostActs is how many acts of others are said, the last ones, and farBack among how many events they are looked for.
const mostActs, farBack = 8, 1000

// noActs are the verbs of what the machinery of chance and of keys records.
var noActs = []string{campaign.VerbLink, campaign.VerbRound, campaign.VerbLapse, campaign.VerbUnwitnessed,
	campaign.VerbEpoch, campaign.VerbRead, campaign.VerbKey, campaign.VerbHand}

// proposes reports whether a form has entries composed, checked or entered.
func proposes(form url.Values) bool {
	if form.Get(amends) != "" || form.Get(rightOf) != "" {
		return false
	}
	return composes(form) || form.Get(despite) != "" ||
		slices.Contains([]string{Check, Enter, EnterForm}, form.Get("do"))
}

// meanwhile says what other seats entered since the form was drawn, by which its reader may see otherwise what he
// proposes. Nothing is refused for it.
func (d *Desk) meanwhile(c timeline.Campaign, v timeline.Viewer, p *Page, form url.Values) error {
	drawn, err := strconv.ParseUint(form.Get("after"), 10, 64)
	if err != nil || drawn >= c.Events || !proposes(form) {
		return nil
	}
	found, err := d.service.Find(c.ID)
	if err != nil {
		return err
	}
	own := seatOf(c.Seats, v)
	var list []uint64
	by := map[uint64]string{}
	for i := max(drawn, c.Events-min(c.Events, farBack)); i < c.Events; i++ {
		e, err := d.service.Event(found.ID, i)
		if err != nil {
			return err
		}
		if e.Request == "" || e.Seat == own || slices.Contains(noActs, campaign.RequestIn(&e).Verb) {
			continue
		}
		by[i], list = p.Say.Word(p.Say.Name(e.Seat)), append(list, i)
	}
	told, err := d.narrated(found, list[max(0, len(list)-mostActs):])
	for _, e := range told {
		p.Meanwhile = append(p.Meanwhile, OtherAct{by[e.Index], e})
	}
	return err
}
