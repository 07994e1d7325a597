package service

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/ledger"
)

// Unfinished is an entry that waits for dice or for an answer. It continues under the state in which it
// began; what a correction changes in it is pending when it has ended.
type Unfinished struct {
	Event    uint64 `json:"event"`    // with which it began
	Entry    string `json:"entry"`    // its id
	Question uint64 `json:"question"` // the event that asks
	Of       string `json:"of"`       // who must answer; empty for dice that come from elsewhere
}

// unfinished gives the entry that waits at the end of a history; nil for none. One that was referred has not begun:
// it is judged when the umpire has ruled.
func (f *Service) unfinished(c ledger.Campaign, v history.View) (*Unfinished, error) {
	for i := v.Len(); i > 0; i-- {
		at, kind := i-1, v.Type(i-1)
		if kind != "choice_asked" && kind != "roll_declared" && kind != "referred" || !v.Stands(at) || moved(v, at) {
			continue
		}
		answers := func(by uint64) bool {
			return !v.Type(by).OfAwaitedDice() && v.Stands(by)
		}
		if kind == "referred" || slices.ContainsFunc(slices.Concat(v.Sources(history.Question, at),
			v.Sources(history.Roll, at)), answers) {
			return nil, nil
		}
		e, err := f.Event(c.ID, at)
		if err != nil {
			return nil, err
		}
		u := &Unfinished{Entry: e.Command, Question: at, Event: at}
		var p events.ChoiceAsked
		if e.Read(&p) {
			u.Of = p.Of
		}
		for _, own := range v.Command(at).Events {
			if v.Type(own) != "referred" && v.Stands(own) {
				u.Event = min(u.Event, own)
			}
		}
		return u, nil
	}
	return nil, nil
}

// moved reports whether an event counts in another's place.
func moved(v history.View, index uint64) bool {
	_, corrects := v.Target(history.Corrects, index)
	_, replaces := v.Target(history.Replaces, index)
	return corrects || replaces
}

// overtaken gives the entry that waits at the end of a history, if something that counts before it was changed since it
// began; nil for none.
func (f *Service) overtaken(c ledger.Campaign, v history.View) (*Unfinished, error) {
	u, err := f.unfinished(c, v)
	if u == nil || err != nil {
		return nil, err
	}
	for i, place := range v.Changes(u.Event + 1) {
		if v.Stands(i) && place < u.Event {
			return u, nil
		}
	}
	return nil, nil
}

// overtakenNow is overtaken at the campaign's head.
func (f *Service) overtakenNow(c ledger.Campaign) (*Unfinished, error) {
	at, err := f.Umpire().AtHead(c.ID)
	if err != nil || at.Open == nil {
		return nil, err
	}
	return f.overtaken(c, at.History)
}
