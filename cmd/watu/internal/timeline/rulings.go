package timeline

import (
	"context"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/rules"
)

// Rulings is `watu rulings --json`: how the campaign reads what
// the text of its rules leaves open, and every question that was put to its umpire. All of it is
// public.
type Rulings struct {
	Version   int             `json:"version"`
	Campaign  string          `json:"campaign"`
	System    string          `json:"system"`
	Title     string          `json:"title"` // of the system
	Edition   string          `json:"edition"`
	Options   []CurrentOption `json:"options"` // in the order of the first event
	Rulings   []OptionRuling  `json:"rulings"` // of the umpire, in their order
	Questions []QuestionAsked `json:"questions"`
	Disputes  []Dispute       `json:"disputes"`        // those ruled on
	Moves     []EditionMove   `json:"moves,omitempty"` // to other editions
}

// Where an option's value comes from.
const (
	FromEdition = "edition" // the edition's default
	FromOpening = "opening" // chosen when the campaign was opened
	FromRuling  = "ruling"  // ruled by the umpire
)

// CurrentOption is an option with its value now.
type CurrentOption struct {
	Option    string `json:"option"`
	Ambiguity string `json:"ambiguity"` // id of the decision register
	Question  string `json:"question,omitempty"`
	Value     string `json:"value"`
	Meaning   string `json:"meaning,omitempty"`
	Default   string `json:"default,omitempty"` // the edition's, where this program has the edition
	From      string `json:"from"`
	Event     uint64 `json:"event"` // that gave the value: the first, or the ruling
	Turn      string `json:"turn,omitempty"`
	Reason    string `json:"reason,omitempty"` // of the ruling
}

// EditionMove is a ruling that the campaign goes on by another edition.
type EditionMove struct {
	Event   uint64          `json:"event"`
	Turn    string          `json:"turn"`
	Was     string          `json:"was"`
	Now     string          `json:"now"`
	Reason  string          `json:"reason"`
	Options []events.Option `json:"options"` // that are otherwise from here on
}

// OptionRuling is a ruling of the umpire.
type OptionRuling struct {
	Event     uint64 `json:"event"`
	Turn      string `json:"turn"`
	Option    string `json:"option"`
	Ambiguity string `json:"ambiguity"`
	Value     string `json:"value"`
	Was       string `json:"was"`
	Reason    string `json:"reason"`
	Answers   uint64 `json:"answers,omitempty"` // the question that it answers
}

// QuestionAsked is a question that was referred to the umpire.
type QuestionAsked struct {
	Event     uint64   `json:"event"`
	Turn      string   `json:"turn"`
	Option    string   `json:"option"`
	Ambiguity string   `json:"ambiguity"`
	Question  string   `json:"question"`
	Readings  []string `json:"readings"` // "value: what it means"
	Entry     string   `json:"entry"`    // the entry that waited for it
	Open      bool     `json:"open"`
	Answer    uint64   `json:"answer,omitempty"` // the ruling that answers it
	Value     string   `json:"value,omitempty"`  // what it says
}

// Rulings says how a campaign reads what the text of its rules leaves open: options, rulings and questions, from the
// log.
func (r *Reader) Rulings(ctx context.Context, campaign string) (Rulings, error) {
	c, err := r.Find(campaign)
	if err != nil {
		return Rulings{}, err
	}
	out := Rulings{Version: maintenance.Version, Campaign: c.Name,
		Options: []CurrentOption{}, Rulings: []OptionRuling{},
		Questions: []QuestionAsked{}, Disputes: []Dispute{}}
	it, err := r.Index(ctx, c)
	if err != nil {
		return out, err
	}
	if err := r.settled(c, &it, it.Events, &out); err != nil {
		return out, err
	}
	list, err := r.DisputesOf(c)
	for _, d := range list {
		if !d.Open() {
			dispute, err := r.DescribeDispute(c, out.System, d)
			if err != nil {
				return out, err
			}
			out.Disputes = append(out.Disputes, dispute)
		}
	}
	return out, err
}

// OptionAt is the value of an option after so many events; empty where the campaign has no such option.
func (r *Reader) OptionAt(ctx context.Context, campaign string, events uint64, name string) (string, error) {
	c, err := r.Find(campaign)
	if err != nil {
		return "", err
	}
	it, err := r.Index(ctx, c)
	if err != nil {
		return "", err
	}
	var all Rulings
	err = r.settled(c, &it, events, &all)
	for _, o := range all.Options {
		if o.Option == name {
			return o.Value, err
		}
	}
	return "", err
}

// settled takes over what opened a campaign, asked its umpire or settled an option up to a moment.
func (r *Reader) settled(c ledger.Campaign, it *Index, at uint64, into *Rulings) error {
	for _, index := range append([]uint64{0}, it.rulings...) {
		if index >= at {
			break
		}
		e, err := r.Event(c.ID, index)
		if err != nil {
			return err
		}
		into.take(r.systems, &e)
	}
	return nil
}

// take takes over an event that opens the campaign, asks the umpire or settles an option.
func (r *Rulings) take(systems map[string]rules.System, e *events.Event) {
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.CampaignOpened:
		r.open(systems[p.System], e, p)
	case *events.Referred:
		r.Questions = append(r.Questions, QuestionAsked{
			Event: e.Index, Turn: e.Turn.Label, Option: p.Option, Ambiguity: p.Rule, Question: p.Question,
			Readings: append([]string{}, p.Readings...), Entry: e.Command, Open: true,
		})
	case *events.OptionRuled:
		r.rule(systems[r.System], e, p)
	case *events.EditionMoved:
		r.move(systems[r.System], e, p)
	}
}

// open takes the options as the campaign was opened with them. An edition's sheet lacks the options that came after
// it: they are as that edition has them.
func (r *Rulings) open(s rules.System, e *events.Event, p *events.CampaignOpened) {
	r.System, r.Title, r.Edition = p.System, s.Title, p.Edition
	edition, here := rules.Find(s.Editions, func(n rules.Edition) bool { return n.Hash == e.Edition })
	for _, o := range p.Options {
		now := CurrentOption{Option: o.Name, Ambiguity: o.Rule, Value: o.Value, From: FromOpening, Event: e.Index}
		if here {
			now.Default = edition.Default(o.Name)
		}
		if now.Default == o.Value {
			now.From = FromEdition
		}
		now.mean(s)
		r.Options = append(r.Options, now)
	}
	for _, o := range s.Options {
		_, listed := rules.Find(p.Options, func(n events.Option) bool { return n.Name == o.Name })
		if listed || !here {
			continue
		}
		value := edition.Default(o.Name)
		now := CurrentOption{Option: o.Name, Ambiguity: o.Ambiguity, Value: value, Default: value,
			From: FromEdition, Event: e.Index}
		now.mean(s)
		r.Options = append(r.Options, now)
	}
}

// rule takes over a ruling, and marks the question that it answers.
func (r *Rulings) rule(s rules.System, e *events.Event, p *events.OptionRuled) {
	r.Rulings = append(r.Rulings, OptionRuling{
		Event: e.Index, Turn: e.Turn.Label, Option: p.Option, Ambiguity: p.Rule, Value: p.Value, Was: p.Was,
		Reason: p.Reason, Answers: p.Referred,
	})
	for i := range r.Options {
		if o := &r.Options[i]; o.Option == p.Option {
			o.Value, o.From, o.Event, o.Turn, o.Reason = p.Value, FromRuling, e.Index, e.Turn.Label, p.Reason
			o.mean(s)
		}
	}
	for i := range r.Questions {
		if q := &r.Questions[i]; p.Referred != 0 && q.Event == p.Referred {
			q.Open, q.Answer, q.Value = false, e.Index, p.Value
		}
	}
}

// move takes over a move to another edition: of the options that the campaign has from its edition
// those that are otherwise.
func (r *Rulings) move(s rules.System, e *events.Event, p *events.EditionMoved) {
	r.Edition = p.Now
	r.Moves = append(r.Moves, EditionMove{
		Event: e.Index, Turn: e.Turn.Label, Was: p.Was, Now: p.Now, Reason: p.Reason, Options: append([]events.Option{},
			p.Options...),
	})
	for i := range r.Options {
		o := &r.Options[i]
		for _, edition := range s.Editions {
			if edition.Hash == p.Hash {
				o.Default = edition.Default(o.Option)
			}
		}
		for _, moved := range p.Options {
			if moved.Name == o.Option {
				o.Value, o.From, o.Event, o.Turn = moved.Value, FromEdition, e.Index, e.Turn.Label
				o.mean(s)
			}
		}
	}
}

// mean says what the value means, where the program knows the option.
func (o *CurrentOption) mean(s rules.System) {
	known, _ := s.Options.Named(o.Option)
	o.Question, o.Meaning = known.Question, known.Meaning(o.Value)
	if o.Value == rules.Ask {
		o.Meaning = "put to the umpire when it first matters"
	}
}
