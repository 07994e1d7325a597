package rehear

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Asked is a source that notes which choices it was asked for. What an entry lists itself it is not asked for.
type Asked struct {
	rules.Source
	at []uint64 // the events that ask
}

// Answer asks the source.
func (s *Asked) Answer(n rules.Need, at uint64) (rules.Answer, bool, error) {
	if n.Choice != nil {
		s.at = append(s.at, at)
	}
	return s.Source.Answer(n, at)
}

// Listed counts the choices of a command that its entry lists: no source is asked for them. They are its last answers.
func Listed(heard []events.Event) (n int) {
	for i := range heard {
		if heard[i].Type == "choice_made" && heard[i].Request == "" {
			n++
		}
	}
	return n
}

// Offered holds the choices in what was heard to what was offered: a word that was not may mean nothing to the system.
// A side that was asked answers by an entry of its own, which stands in the event: nothing else that was heard answers
// for it.
func (s *Asked) Offered(heard []events.Event, known Openings) (list []Finding) {
	asked := map[uint64][]string{}
	for i := range heard {
		e := &heard[i]
		var q events.ChoiceAsked
		var p events.ChoiceMade
		if e.Read(&q) {
			asked[e.Index] = q.Options
		}
		if !e.Read(&p) {
			continue
		}
		found := func(field, recorded, derived string) {
			list = append(list, Finding{Event: e.Index, Type: e.Type, Command: e.Command, Field: field,
				Recorded: recorded, Derived: derived})
		}
		if e.Request == "" && slices.Contains(s.at, p.Asked) {
			found("request", "nothing", "an answer")
		}
		options, _ := Chosen(e, &p, known)
		for k, option := range options {
			if !slices.Contains(asked[p.Asked], option) {
				found(fmt.Sprintf("options[%d]", k), option, "one of "+strings.Join(asked[p.Asked], ", "))
			}
		}
	}
	return list
}
