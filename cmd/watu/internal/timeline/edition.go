package timeline

import (
	"context"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/rules"
)

// Editions is `watu edition list --json`: the editions of a system of
// rules, and which of them a campaign was and is played on.
type Editions struct {
	Version  int             `json:"version"`
	System   string          `json:"system"`
	Title    string          `json:"title"`
	Editions []EditionListed `json:"editions"`
	Campaign string          `json:"campaign,omitempty"` // where a campaign was named
	Played   []EditionPlayed `json:"played,omitempty"`
}

// EditionListed is an edition and what sets it apart from the first.
type EditionListed struct {
	Name  string          `json:"name"`
	Title string          `json:"title"`
	Note  string          `json:"note,omitempty"`
	Hash  events.Hash     `json:"hash"`
	Apart []EditionOption `json:"apart"` // readings that are otherwise in the first
}

// EditionOption is an option that two editions read otherwise.
type EditionOption struct {
	Option    string `json:"option"`
	Ambiguity string `json:"ambiguity"`
	Question  string `json:"question"`
	First     string `json:"first"` // the first edition's reading
	Value     string `json:"value"`
	Meaning   string `json:"meaning"`
}

// EditionPlayed is an edition on which a campaign was played from an event on.
type EditionPlayed struct {
	Name  string      `json:"name"`
	Hash  events.Hash `json:"hash"`
	Event uint64      `json:"event"`          // that says so; what comes after it is judged by the edition
	Turn  string      `json:"turn,omitempty"` // in which the campaign moved
	Here  bool        `json:"here"`           // this program has it
}

// SystemEditions lists the editions of a system of rules. It needs no ledger.
func SystemEditions(s rules.System) Editions {
	out := Editions{Version: maintenance.Version, System: s.Name, Title: s.Title, Editions: []EditionListed{}}
	for _, e := range s.Editions {
		listed := EditionListed{Name: e.Name, Title: e.Title, Note: e.Note, Hash: e.Hash, Apart: []EditionOption{}}
		for _, o := range s.Options {
			first, value := s.Editions[0].Default(o.Name), e.Default(o.Name)
			if first == value {
				continue
			}
			listed.Apart = append(listed.Apart, EditionOption{
				Option: o.Name, Ambiguity: o.Ambiguity, Question: o.Question, First: first, Value: value,
				Meaning: o.Meaning(value),
			})
		}
		out.Editions = append(out.Editions, listed)
	}
	return out
}

// Editions lists the editions of a system of rules, called by its name or by that of a campaign.
func (r *Reader) Editions(name string) (Editions, error) {
	if s, ok := r.systems[name]; ok {
		return SystemEditions(s), nil
	}
	c, err := r.Find(name)
	if err != nil {
		return Editions{}, problem.New(problem.Input,
			"%q is neither a system of rules (%s) nor a campaign of this ledger", name, Systems())
	}
	s, err := r.Rules(c.ID)
	if err != nil {
		return Editions{}, err
	}
	out := SystemEditions(s)
	out.Campaign = c.Name
	out.Played, err = r.EditionsPlayed(c, s)
	return out, err
}

// EditionsPlayed lists the editions of a campaign, that of its opening first.
func (r *Reader) EditionsPlayed(c ledger.Campaign, s rules.System) ([]EditionPlayed, error) {
	var list []EditionPlayed
	it, err := r.Index(context.Background(), c)
	if err != nil {
		return nil, err
	}
	for _, played := range it.Editions {
		for _, known := range s.Editions {
			played.Here = played.Here || known.Hash == played.Hash
		}
		list = append(list, played)
	}
	return list, nil
}

// editionAfter is the edition that a campaign is played on after an event. Its name stands in the
// first event, unless the campaign has moved since.
func (r *Reader) editionAfter(c ledger.Campaign, first, last *events.Event) (string, events.Hash, error) {
	var opened events.CampaignOpened
	var moved events.EditionMoved
	first.Read(&opened)
	switch {
	case last.Read(&moved):
		return moved.Now, moved.Hash, nil
	case last.Edition == first.Edition:
		return opened.Edition, first.Edition, nil
	}
	s, err := r.Rules(c.ID)
	if err != nil {
		return "", last.Edition, err
	}
	played, err := r.EditionsPlayed(c, s)
	name := opened.Edition
	for _, p := range played {
		if p.Event <= last.Index {
			name = p.Name
		}
	}
	return name, last.Edition, err
}
