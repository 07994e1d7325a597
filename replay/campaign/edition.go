package campaign

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/rules"
)

// RuledOptions are the options of a campaign, and which of them are its umpire's rather than its
// edition's.
type RuledOptions struct {
	Edition string
	options []events.Option
	first   string            // the edition of the opening
	chosen  map[string]string // as the campaign was opened
	ruled   map[string]bool
}

// Referral is an option that was referred, and by which event.
type Referral struct {
	Option string
	By     uint64
}

// RuledBy reads them off a campaign's events.
func (t *Timeline) RuledBy(v history.View) (r RuledOptions, err error) {
	for e, err := range v.Effective(0, t.Event) {
		if err != nil {
			return r, err
		}
		r.Follow(e.Event)
	}
	return r, nil
}

// Follow applies the next event.
func (r *RuledOptions) Follow(e *events.Event) {
	if e.Type != "campaign_opened" && e.Type != "option_ruled" && e.Type != "edition_moved" {
		return
	}
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.CampaignOpened:
		r.Edition, r.options, r.ruled = p.Edition, slices.Clone(p.Options), map[string]bool{}
		r.first, r.chosen = p.Edition, map[string]string{}
		for _, o := range p.Options {
			r.chosen[o.Name] = o.Value
		}
	case *events.OptionRuled:
		if r.ruled != nil { // nil before the opening
			r.ruled[p.Option] = true
		}
	case *events.EditionMoved:
		r.Edition = p.Now
		for _, o := range p.Options {
			if i := slices.IndexFunc(r.options, func(k events.Option) bool { return k.Name == o.Name }); i >= 0 {
				r.options[i].Value = o.Value
			} else {
				r.options = append(r.options, o)
			}
		}
	}
}

// now is the value of an option, which the edition of the opening may not have.
func (r *RuledOptions) now(o rules.Option) string {
	if i := slices.IndexFunc(r.options, func(k events.Option) bool { return k.Name == o.Name }); i >= 0 {
		return r.options[i].Value
	}
	return o.Before
}

// Move is the move of a campaign to another edition.
func (r *RuledOptions) Move(s rules.System, to rules.Edition, reason string) *events.EditionMoved {
	return &events.EditionMoved{Was: r.Edition, Now: to.Name, Hash: to.Hash, Options: r.moved(s, to), Reason: reason}
}

// moved lists the options that are otherwise when a campaign goes from its edition to another. It
// has an option from its edition if it was opened with that edition's reading, and nobody ruled on it
// since.
func (r *RuledOptions) moved(s rules.System, other rules.Edition) []events.Option {
	first, err := EditionOf(s, r.first)
	if err != nil {
		return nil // what it chose looks like what it took
	}
	var list []events.Option
	for _, o := range s.Options {
		chosen := cmp.Or(r.chosen[o.Name], o.Before)
		if is := other.Default(o.Name); !r.ruled[o.Name] && chosen == first.Default(o.Name) && is != r.now(o) {
			list = append(list, events.Option{Name: o.Name, Value: is, Rule: o.Ambiguity})
		}
	}
	return list
}

// EditionOf gives the edition of a system by its name; the first, if the name is empty.
func EditionOf(s rules.System, name string) (rules.Edition, error) {
	var names []string
	for _, e := range s.Editions {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	if name == "" && len(s.Editions) > 0 {
		return s.Editions[0], nil
	}
	return rules.Edition{}, fmt.Errorf("system %s has no edition %q; it has %s", s.Name, name,
		strings.Join(names, ", "))
}
