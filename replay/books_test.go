package replay_test

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/replay/campaign"
)

// books is the treasuries of a campaign of Axis & Allies Global 1940, kept by hand from the log: an
// oracle that shares no code with the rules nor with the income view.
type books struct {
	campaign *harness
	wrong    func(format string, args ...any)
	pages    []page // what stands, each in the place of the first: a correction takes it
}

type page struct {
	index uint64
	lines []booked
}

// booked is what an event does to one treasury, and what it says is in hand then.
type booked struct {
	treasury string
	change   int
	says     bool // change is what is in hand, whatever there was
	stated   *int
}

func (k *books) follow(e *events.Event) {
	if k == nil {
		return
	}
	p, _ := events.PayloadOf(e)
	now := page{e.Index, lines(p)}
	if e.Corrects != 0 {
		if i := slices.IndexFunc(k.pages, func(x page) bool { return x.index == e.Corrects }); i >= 0 {
			k.pages[i].lines = now.lines
		}
		return
	}
	for _, x := range now.lines {
		if before := k.hand(x.treasury); x.stated != nil && *x.stated != before+x.change {
			k.wrong("event %d: %s has %d after it, and had %d%+d", e.Index, x.treasury, *x.stated, before, x.change)
		}
	}
	k.pages = append(k.pages, now)
}

// lines is what an event does to treasuries.
func lines(p events.Payload) []booked {
	switch p := p.(type) {
	case *events.CampaignOpened:
		var list []booked
		for _, t := range p.Treasuries {
			list = append(list, booked{t.Power, t.IPCs, true, nil})
		}
		return list
	case *events.FactReported:
		if p.Fact == "treasury" {
			return []booked{{p.Subject, p.Number, true, nil}}
		}
	case *events.Compensated:
		return []booked{{p.Of, p.By, false, nil}}
	case *events.IncomeCollected:
		return []booked{{p.Power, p.Net, false, &p.Treasury}}
	case *events.UnitsPurchased:
		return []booked{{p.Power, -p.Cost, false, &p.Treasury}}
	case *events.FacilitiesRepaired:
		return []booked{{p.Power, -p.Cost, false, &p.Treasury}}
	case *events.FacilityBuilt:
		return []booked{{p.Power, -p.Cost, false, &p.Treasury}}
	case *events.ResearchPaid:
		var list []booked
		for i := range p.Payments {
			list = append(list, booked{p.Payments[i].Treasury, -p.Payments[i].Paid, false, &p.Payments[i].Left})
		}
		return list
	case *events.TerritoryCaptured:
		if p.LootFrom != "" {
			return []booked{{p.LootFrom, -p.Loot, false, nil}, {p.LootTo, p.Loot, false, nil}}
		}
	}
	return nil
}

// hand is what is in a treasury, as everything that stands comes to: never less than nothing, but
// where the umpire says so.
func (k *books) hand(treasury string) int {
	ipcs := 0
	for _, page := range k.pages {
		for _, x := range page.lines {
			switch {
			case x.treasury != treasury:
			case x.says:
				ipcs = x.change
			case x.change < 0:
				ipcs = max(min(ipcs, 0), ipcs+x.change)
			default:
				ipcs += x.change
			}
		}
	}
	return ipcs
}

// check holds the income view to the books, and every income to the convoys that were disrupted.
func (k *books) check() {
	if k == nil {
		return
	}
	v, err := projections.Fold(income.Projection(), k.campaign.ledger.Read(k.campaign.id.ID, 0, campaign.Everything),
		nil)
	if err != nil {
		k.campaign.t.Fatal(err)
	}
	r := v.Report().(income.Report)
	for _, x := range r.Treasuries {
		if now := k.hand(x.Power); x.InHand != int64(now) {
			k.wrong("the view has %s with %d, which has %d", x.Power, x.InHand, now)
		}
	}
	for _, x := range r.Turns {
		taken := 0
		for _, d := range x.Disruptions {
			if d.CorrectedBy == 0 {
				taken += d.Damage
			}
		}
		if c := x.Income; c == nil || taken < c.Damage || c.Net != c.Base+c.Bonus-c.Damage {
			k.wrong("%s in %s: %+v, convoys lose %d", x.Power, x.Turn, c, taken)
		}
	}
}
