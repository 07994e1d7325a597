package report

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
)

// heading is what the report is called.
func (r *Report) heading() string { return r.Campaign + ": after-action report" }

// played says by what rules and on what board, and for whom the report is.
func (r *Report) played() []string {
	rules := r.Title
	if r.Edition != "" {
		rules += ", edition " + r.Edition
	}
	text := []string{words.Join(" · ", rules, r.Board, r.reach())}
	switch r.As {
	case "public":
		text = append(text, "As anyone may know it: what is sealed stays sealed.")
	case "umpire":
		text = append(text, "For the umpire's eyes: it shows what every side keeps sealed.")
	default:
		text = append(text, fmt.Sprintf("For the eyes of %s: it shows what %s keeps sealed, and nothing "+
			"that others do.", r.As, r.As))
	}
	if r.Demo {
		text = append(text, "A demonstration: its dice follow from a published seed and prove nothing.")
	}
	return text
}

// reach is "Round 1 to Round 5".
func (r *Report) reach() string {
	var labels []string
	for _, t := range r.Turns {
		if t.Ordinal != 0 {
			labels = append(labels, t.Label)
		}
	}
	switch n := len(labels); n {
	case 0:
		return "before the first turn"
	case 1:
		return labels[0]
	default:
		return labels[0] + " to " + labels[n-1]
	}
}

// short is the report in a sentence.
func (t *builder) short(r *Report) string {
	dice, kinds, ruled := int64(0), map[events.Type]int{}, 0
	for _, d := range r.Luck.Dice {
		dice += d.Dice
	}
	for _, e := range t.course() {
		if t.covers(t.home(e).Turn.Ordinal) && !t.later(e) && t.stands(e) != nil {
			kinds[e.Type]++
			var void events.Voided
			if e.Read(&void) && void.Dispute != 0 {
				ruled++
			}
		}
	}
	var parts []string
	say := func(n int, one, more string) {
		if n > 0 {
			parts = append(parts, words.CountOf(n, one, more))
		}
	}
	say(len(t.period()), "turn", "turns")
	say(int(dice), "die thrown", "dice thrown")
	say(kinds["card_played"], "card played", "cards played")
	say(kinds["card_negated"], "of them negated", "of them negated")
	say(kinds["income_collected"], "income collected", "incomes collected")
	say(kinds["territory_captured"], "territory captured", "territories captured")
	say(kinds["option_ruled"], "ruling of the umpire", "rulings of the umpire")
	say(kinds["corrected"], "correction", "corrections")
	say(kinds["voided"]-ruled, "undo", "undos")
	say(ruled, "void by a ruling", "voids by rulings")
	say(len(r.Disputes), "dispute", "disputes")
	if len(parts) == 0 {
		return ""
	}
	return "In short: " + words.And(parts) + "."
}

// legend says how to read the report, as a reader who never saw one needs it.
func (r *Report) legend() string {
	return fmt.Sprintf("A # and a number is an event of the record: watu explain %s 57 explains #57. "+
		"Beside it stand the rules applied. What is struck was corrected or voided since; what stands in its "+
		"place is bold.", r.Campaign)
}

// title is the turn's heading.
func (t *Turn) title() string {
	if t.Ordinal == 0 {
		return "Before the first turn"
	}
	return t.Label
}

// source is the report's last line: what it is made of, so that another may check it.
func (r *Report) source() string {
	text := fmt.Sprintf("Made by watu from %s of campaign %s", words.Count(int(r.Events), "event"), r.Campaign)
	if !r.Head.IsZero() {
		text += fmt.Sprintf("; the last has the hash %s", r.Head)
	}
	return text + "."
}

// title is "Dispute #130, opened by Anna: what was contested stands".
func (d *Dispute) title() string {
	state := "open"
	switch {
	case d.Ruling != nil:
		state = d.Ruling.says(d.Ruling.Scope)
	case d.Voided != 0:
		state = fmt.Sprintf("voided by #%d", d.Voided)
	}
	return fmt.Sprintf("Dispute #%d, opened by %s: %s", d.Event, narrator.Seat(d.By), state)
}

// refs are the events of a line: "#57, #60–#62".
func (l *Line) refs() string { return indexes(l.Events) }

// shownRules are the rules of a line: all, or the first and how many more.
func (l *Line) shownRules() string {
	const most = 3
	if len(l.Rules) <= most+1 {
		return strings.Join(l.Rules, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(l.Rules[:most], ", "), len(l.Rules)-most)
}

// luckChart is the chart that belongs to the report's part on luck.
func (r *Report) luckChart() *Chart {
	for i := range r.Charts {
		if r.Charts[i].Name == "luck" {
			return &r.Charts[i]
		}
	}
	return nil
}

// figures are the other charts and tables.
func (r *Report) figures() []Chart {
	var list []Chart
	for _, c := range r.Charts {
		if c.Name != "luck" {
			list = append(list, c)
		}
	}
	return list
}
