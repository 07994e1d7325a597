package replay

import (
	"fmt"
	"reflect"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// SameAsFolded compares the campaign that the umpire keeps with one folded anew from the
// record.
func (u *Umpire) SameAsFolded(id ulid.ULID) error {
	t, err := u.table(id)
	if err != nil {
		return err
	}
	defer t.mu.Unlock()
	anew, _, err := u.fold(id, Everything)
	if err != nil {
		return err
	}
	for _, pair := range [][2]any{
		{t.campaign.Game, anew.Game}, {t.campaign.Open, anew.Open}, {t.campaign.Head, anew.Head},
		{t.campaign.Next, anew.Next}, {t.campaign.Epoch, anew.Epoch},
		{t.campaign.heard, anew.heard}, {t.campaign.used(), anew.used()},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			return fmt.Errorf("live:\n%+v\nfolded:\n%+v", pair[0], pair[1])
		}
	}
	return nil
}

// used gives the links spent of each chain.
func (c *Campaign) used() map[string]uint64 {
	spent := map[string]uint64{}
	for name, chain := range c.chains {
		spent[name] = chain.used
	}
	return spent
}

// Require records that a program must know a type of event, as a later watu would.
func (u *Umpire) Require(id ulid.ULID, eventType string) error {
	t, err := u.table(id)
	if err != nil {
		return err
	}
	defer t.mu.Unlock()
	p := &events.RulesChanged{Was: t.campaign.Rules, Rules: t.campaign.Rules, Requires: []string{eventType}}
	step := part{command: "later", seat: UmpireSeat, request: &Request{Verb: verbRules}, drafts: []rules.Draft{{Payload: p}}}
	_, err = u.append(t, "later", events.Hash{}, []part{step}, Answer{Command: "later", Verdict: rules.Allowed})
	return err
}

// Head gives the campaign as the umpire keeps it.
func (u *Umpire) Head(id ulid.ULID) (*Campaign, error) {
	t, err := u.table(id)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	c := *t.campaign
	return &c, nil
}
