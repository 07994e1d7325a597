package dashboard

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
)

// why is what the page of an event shows. It is drawn from the log alone, whoever looks.
type why struct {
	service.Explanation
	Sequence uint64 // its place in the ledger
	Answers  []answer
	Demo     bool // its dice prove nothing
	Opening  *opening
	reckoned
	tied
}

// answer is a figure that an event comes to: "3 IPCs".
type answer struct{ Figure, Of string }

// why draws why an event is as it is.
func (d *Dashboard) why(r *http.Request) (page, error) {
	c, looks, index, err := d.asked(r)
	if err != nil {
		return page{}, err
	}
	w := why{Demo: c.Demo, tied: tied{links(c.Name), c.Events}}
	if w.Explanation, err = d.service.Explain(r.Context(), c.ID, index); err != nil {
		return page{}, err
	}
	kept, err := d.service.Record(c.ID, index)
	if err != nil {
		return page{}, err
	}
	w.Sequence, w.Answers = kept.Sequence, answersOf(w.Explanation)
	if w.Opening, err = d.opening(r.Context(), w.Explanation); err != nil {
		return page{}, err
	}
	if w.reckoned, err = d.reckon(r.Context(), c.ID, index); err != nil {
		return page{}, err
	}
	title := fmt.Sprintf("#%d of %s: %s", index, c.Name, w.Kind())
	return page{name: "why", Title: title, Campaign: c.Name, Viewer: looks, Live: pathTo("campaigns", c.Name, "live"),
		Body: w}, nil
}

// Kind is the event's type in words: "result adjudicated".
func (w why) Kind() string { return spaced(string(w.Event.Type)) }

func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

// Places are when and whose the event is: turn, phase and side, as far as it has them.
func (w why) Places() []string {
	var list []string
	for _, s := range []string{w.Event.Turn, w.Event.Phase, w.Event.Side} {
		if s != "" {
			list = append(list, s)
		}
	}
	return list
}

// Previous is the event before; there is one behind every event but the first.
func (w why) Previous() uint64 { return w.Event.Index - 1 }

// Next is the event after, 0 if there is none yet.
func (w why) Next() uint64 {
	if w.Event.Index+1 >= w.events {
		return 0
	}
	return w.Event.Index + 1
}

// Replaced reports whether another event stands in this one's place, or took it out.
func (w why) Replaced() bool {
	k := w.Correction
	return k != nil && k.By != 0 && k.By != w.Event.Index
}

// Figures are the figures of a result that say something, in words.
func (w why) Figures() string {
	if w.Result == nil {
		return ""
	}
	return narrator.Figures(w.Result.Figures)
}

// answersOf are the figures that somebody would ask about: none for an event that has no such.
func answersOf(x service.Explanation) []answer {
	one := func(n int, of string) []answer {
		if rest, ok := strings.CutPrefix(of, "IPCs "); ok && n == 1 {
			of = "IPC " + rest
		}
		return []answer{{strconv.Itoa(n), of}}
	}
	switch p := x.Event.Payload.(type) {
	case *events.IncomeCollected:
		return one(p.Net, "IPCs for "+p.Power)
	case *events.ConvoyRaided:
		return one(p.Damage, "IPCs from "+p.Victim)
	case *events.EconomicAttackMade:
		return one(p.Damage, "IPCs from "+p.Victim)
	case *events.FacilityDamaged:
		return one(p.Damage, "damage to "+p.Territory)
	case *events.ConvoyDisrupted:
		return one(p.Damage, "IPCs from "+p.Victim)
	case *events.ContestSettled:
		if p.Modifier != 0 {
			return []answer{{fmt.Sprintf("%+d", p.Modifier), "for " + p.Acting}}
		}
	case *events.DiceRolled:
		return []answer{{narrator.Dice(p.Dice), p.Throw}}
	case *events.ResultAdjudicated:
		var list []answer
		for _, r := range p.Readings {
			list = append(list, answer{r.Result, r.Name})
		}
		return list
	}
	return nil
}

// Field names a figure of an event in words.
func (why) Field(name string) string { return narrator.Field(name) }

// Signed is a modifier as it is printed: "+1".
func (why) Signed(n int) string { return fmt.Sprintf("%+d", n) }

// Sum is dice added up: "3+4=7".
func (why) Sum(dice []int) string { return narrator.Dice(dice) }

// Times is how often a link is hashed.
func (why) Times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// Change is what modifiers make of a total: "+1", or nothing.
func (why) Change(r service.Reading) string {
	if r.Modified == r.Total {
		return ""
	}
	return fmt.Sprintf("%+d", r.Modified-r.Total)
}

// Rows are rows of a table: "30 and 4".
func (why) Rows(rows []int) string {
	return words.Numbers(rows, " and ")
}
