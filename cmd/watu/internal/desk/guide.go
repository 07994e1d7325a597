package desk

import (
	"net/url"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/rules"
)

// guide is the game of a campaign, where it says what the moment is for; nil where it does not.
func (d *Desk) guide(c timeline.Campaign) (rules.Guide, error) {
	found, err := d.service.Find(c.ID)
	if err != nil {
		return nil, err
	}
	at, err := d.service.Umpire().AtHead(found.ID)
	if err != nil {
		return nil, err
	}
	g, _ := at.Game.(rules.Guide)
	return g, nil
}

// notNow are the verbs of a side whose entries the rules would refuse now. An umpire enters for every side, and several
// entries at once.
func (d *Desk) notNow(c timeline.Campaign, v timeline.Viewer, verbs []rules.Verb) (keys []string, err error) {
	g, err := d.guide(c)
	if err != nil || g == nil || v.As == timeline.Umpire {
		return nil, err
	}
	for _, verb := range verbs {
		if !g.Due(verb.Key, v.As) {
			keys = append(keys, verb.Key)
		}
	}
	return keys, nil
}

// likely gives the names of a kind that the entry in a form likely has, by whose act it is; what holds for everybody
// where that is not said yet.
func (d *Desk) likely(c timeline.Campaign, verb string, fields []rules.Field, names func(kind string) []string,
	form url.Values) (func(kind string) []rules.Likely, error) {
	g, err := d.guide(c)
	if err != nil || g == nil {
		return func(string) []rules.Likely { return nil }, err
	}
	powers := []string{""}
	if keys, of := timeline.Actor(fields); of != nil {
		if powers = of.Words; powers == nil {
			powers = names(of.Names)
		}
		if chosen := form.Get(fieldPrefix + strings.Join(keys, "/")); chosen != "" {
			powers = []string{chosen}
		}
	}
	return func(kind string) (list []rules.Likely) {
		for i, power := range powers {
			of := g.Likely(verb, power, kind)
			if i == 0 {
				list = of
			}
			list = slices.DeleteFunc(list, func(x rules.Likely) bool { return !slices.Contains(of, x) })
		}
		return list
	}, nil
}
