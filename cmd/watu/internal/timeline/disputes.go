package timeline

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// Disputes is `watu dispute list --json`:
// the disputes of the whole ledger, or of a campaign.
type Disputes struct {
	Version  int       `json:"version"`
	Disputes []Dispute `json:"disputes"` // by campaign, in the order in which they were opened
}

// Dispute is a dispute. All of it is public, but what Service.Dispute adds for who holds its openings.
type Dispute struct {
	Campaign string `json:"campaign"`
	System   string `json:"system"`
	campaign.Dispute
	Open  bool   `json:"open"`
	About string `json:"about"` // what is contested, in a sentence

	Settled uint64 `json:"settled,omitempty"` // the correction of it before a ruling that lets it stand so
}

// Ended says how a dispute was ruled, or by what it was settled before that. An open one has not ended.
func (d *Dispute) Ended() string {
	switch r := d.Ruling; {
	case r == nil:
		return ""
	case d.Settled != 0:
		return fmt.Sprintf("settled by correction #%d", d.Settled)
	default:
		return narrator.Ruling(r.Ruling, r.Scope, r.Dice)
	}
}

// DisputesOf gives the disputes of a campaign, from the log alone.
func (r *Reader) DisputesOf(c ledger.Campaign) ([]campaign.Dispute, error) {
	it, err := r.Index(context.Background(), c)
	if err != nil {
		return nil, err
	}
	return it.docket.Disputes(it.History()), nil
}

// OpenDisputes counts those that wait for a ruling.
func (r *Reader) OpenDisputes(c ledger.Campaign) (n int, err error) {
	list, err := r.DisputesOf(c)
	for i := range list {
		if list[i].Open() {
			n++
		}
	}
	return n, err
}

// contested gives the open disputes over each event.
func (r *Reader) contested(c ledger.Campaign) (map[uint64][]uint64, error) {
	list, err := r.DisputesOf(c)
	open := map[uint64][]uint64{}
	for i := range list {
		if d := &list[i]; d.Open() && d.Claim.Refused == "" {
			open[d.Claim.Event] = append(open[d.Claim.Event], d.Index)
		}
	}
	return open, err
}

// DescribeDispute describes a dispute, and what is contested.
func (r *Reader) DescribeDispute(c ledger.Campaign, system string, d campaign.Dispute) (Dispute, error) {
	out := Dispute{Campaign: c.Name, System: system, Dispute: d, Open: d.Open()}
	if d.Claim.Refused != "" {
		out.About = "the refusal of " + strconv.Quote(d.Claim.Refused)
		return out, nil
	}
	e, err := r.Event(c.ID, d.Claim.Event)
	out.About = narrator.Sentence(&e)
	if err != nil {
		return out, err
	}
	it, err := r.Index(context.Background(), c)
	if err == nil {
		out.Settled = d.SettledBy(it.History())
	}
	return out, err
}

// DisputeFilter is which disputes are asked for; the zero value is all.
type DisputeFilter struct {
	Open       bool   `query:"open" doc:"only those that wait for a ruling"`
	Precedents bool   `query:"precedents" doc:"those that bind later rulings; of a campaign, with the league's"`
	Rule       string `query:"rule" maxLength:"200" doc:"only those that turn on this rule" example:"AWAW-48.81"`
}

func (a DisputeFilter) asks(d *campaign.Dispute) bool {
	return (!a.Open || d.Open()) && (!a.Precedents || d.Precedent()) && (a.Rule == "" || d.TurnsOn(a.Rule))
}

// ListDisputes gives the disputes of all campaigns or of one alone. Precedents for the league are of
// every campaign that is played by the same rules.
func (r *Reader) ListDisputes(all []ledger.Campaign, only string, q DisputeFilter) (disputes []Dispute, err error) {
	if q.Rule != "" {
		if _, err := FindRule(q.Rule); err != nil {
			return nil, err
		}
	}
	systems := map[string]string{}
	for _, c := range all {
		first, err := r.Event(c.ID, 0)
		if err != nil {
			return nil, err
		}
		var p events.CampaignOpened
		first.Read(&p)
		systems[c.Name] = p.System
	}
	for _, c := range all {
		if only != "" && only != c.Name && !(q.Precedents && systems[c.Name] == systems[only]) {
			continue
		}
		list, err := r.DisputesOf(c)
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			other := only != "" && only != c.Name
			if !q.asks(&d) || other && d.Ruling.Scope != events.ScopeLeague {
				continue
			}
			x, err := r.DescribeDispute(c, systems[c.Name], d)
			if err != nil {
				return nil, err
			}
			disputes = append(disputes, x)
		}
	}
	return disputes, nil
}

// CheckDispute fails if an event opened no dispute.
func (r *Reader) CheckDispute(c ledger.Campaign, index uint64) error {
	list, err := r.DisputesOf(c)
	if err != nil || slices.ContainsFunc(list, func(d campaign.Dispute) bool { return d.Index == index }) {
		return err
	}
	return NoDisputeError(c, index, list)
}

// NoDisputeError says that an event opened no dispute, and which did.
func NoDisputeError(c ledger.Campaign, index uint64, list []campaign.Dispute) error {
	known := rules.Each(list, func(d campaign.Dispute) string { return "#" + strconv.FormatUint(d.Index, 10) })
	if len(known) == 0 {
		return problem.New(problem.Input, "nothing is disputed in campaign %s", c.Name)
	}
	are := "its disputes are " + words.And(known)
	if len(known) == 1 {
		are = "its only dispute is " + known[0]
	}
	return problem.New(problem.Input, "event #%d of campaign %s opened no dispute; %s", index, c.Name, are)
}
