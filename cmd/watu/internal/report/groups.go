package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

// contest describes a contest of cards: what it came to, and under that the plays.
func (t *builder) contest(opened, end *events.Event) Line {
	if opened == end {
		return t.with(t.line(opened), opened)
	}
	var p events.ContestOpened
	opened.Read(&p)
	out := t.lineWith(end, func(e *events.Event) string {
		text := narrated(e)
		if p.Subject == "" || strings.Contains(text, p.Subject) {
			return text
		}
		return strings.Replace(text, ":", " ("+p.Subject+"):", 1)
	})
	out.Events = append(out.Events, opened.Index)
	for _, e := range t.members(opened.Index) {
		if !t.later(e) && e.Type != "contest_settled" {
			out.Under = append(out.Under, t.line(e))
		}
	}
	out.Events = sorted(out.Events)
	return out
}

// with puts what belongs to an event under its line.
func (t *builder) with(line Line, e *events.Event) Line {
	for _, m := range t.members(e.Index) {
		if !t.later(m) {
			line.Under = append(line.Under, t.line(m))
		}
	}
	return line
}

// roll describes a declared roll that came to no result of its own.
func (t *builder) roll(e *events.Event) Line {
	out := t.lineWith(e, t.thrown)
	for _, d := range t.members(e.Index) {
		if d.Type == "dice_rolled" {
			out.Events = append(out.Events, d.Index)
		}
	}
	out.Events = sorted(out.Events)
	return out
}

// thrown is "Air battle (Japan) – bombers: 4, 2, 3 and 1; escorts: 3 and 3."
func (t *builder) thrown(e *events.Event) string {
	var p events.RollDeclared
	if !e.Read(&p) {
		return narrated(e)
	}
	text := words.Sentence(p.Purpose)
	if p.Subject != "" {
		text += fmt.Sprintf(" (%s)", p.Subject)
	}
	index := e.Index
	if e.Corrects != 0 && t.member(index, "dice_rolled") == nil {
		index = e.Corrects // its dice are those of the original
	}
	dice, _ := t.dice(index)
	if dice == "" {
		return text + ": not thrown."
	}
	return text + " – " + dice + "."
}

// dice is "bombers: 4, 2, 3 and 1; escorts: 3 and 3": the dice of a declaration, as they fell. Attested are
// those that somebody typed.
func (t *builder) dice(declared uint64) (fell string, attested bool) {
	var parts []string
	for _, e := range t.members(declared) {
		var d events.DiceRolled
		if !e.Read(&d) {
			continue
		}
		dice := rules.Each(d.Dice, strconv.Itoa)
		text := d.Throw + ": " + words.And(dice)
		if d.Typed != "" {
			attested = true
			text += fmt.Sprintf(" (attested: typed by %s, confirmed by %s)", d.Typed, d.Confirmed)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; "), attested
}

// result says what the rules made of dice, with the modifiers, and with the dice where its own
// figures do not show them.
func (t *builder) result(e *events.Event, p *events.ResultAdjudicated) Line {
	out := t.line(e)
	now := t.stands(e)
	if now == nil {
		now = e
	}
	var is events.ResultAdjudicated
	now.Read(&is)
	if was, is := modifiers(p), modifiers(&is); was != "" || is != "" {
		out.Under = append(out.Under,
			Line{Text: changed(cmp.Or(was, "No modifiers."), cmp.Or(is, "No modifiers."))})
	}
	was, attested := t.dice(p.Declared)
	fell := was
	if again, typed := t.dice(is.Declared); again != "" && is.Declared != p.Declared {
		fell, attested = again, typed
	}
	if fell != was || !reads(p) || attested {
		if fell != "" {
			out.Under = append(out.Under, Line{Text: changed("Dice – "+was+".", "Dice – "+fell+".")})
		}
	}
	for _, declared := range []uint64{p.Declared, is.Declared} {
		if declared == 0 {
			continue
		}
		out.Events = append(out.Events, declared)
		for _, d := range t.members(declared) {
			if d.Type == "dice_rolled" {
				out.Events = append(out.Events, d.Index)
			}
		}
	}
	out.Events = sorted(out.Events)
	return out
}

// reads reports whether a result's own words show its dice.
func reads(p *events.ResultAdjudicated) bool {
	return slices.ContainsFunc(p.Readings, func(r events.Reading) bool { return len(r.Dice) > 0 })
}

// modifiers is "Modifiers: CVEs -1 (AWAW-SW-PAC-1), Magic +1 (AWAW-SW-PAC-4); net +0."
func modifiers(p *events.ResultAdjudicated) string {
	var parts []string
	for _, m := range p.Modifiers {
		text := fmt.Sprintf("%s %+d", m.Name, m.Value)
		if m.Rule != "" {
			text += " (" + m.Rule + ")"
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("Modifiers: %s; net %+d.", strings.Join(parts, ", "), p.Net)
}

// draw describes a draw of cards: how many of how many, and which as far as the reader knows.
func (t *builder) draw(declared *events.Event) Line {
	out := t.lineWith(declared, func(e *events.Event) string {
		var p events.DrawDeclared
		if !e.Read(&p) {
			return narrated(e)
		}
		return fmt.Sprintf("%s draws %d of %d %s cards.", e.Side, p.Count, p.PoolSize, p.Deck)
	})
	if drawn := t.member(declared.Index, "cards_drawn"); drawn != nil {
		out.Events = append(out.Events, drawn.Index)
		out.Text = append(out.Text, t.secrets(drawn)...)
	}
	out.Events = sorted(out.Events)
	return out
}

// choice describes a question and its answer.
func (t *builder) choice(asked, made *events.Event) Line {
	if asked == made {
		return t.line(made)
	}
	out, answer := t.line(asked), t.line(made)
	out.Text = append(append(out.Text, document.Span{Text: " "}), answer.Text...)
	out.Events = sorted(append(out.Events, answer.Events...))
	out.Remark = words.Join("; ", out.Remark, answer.Remark)
	return out
}

// income describes an income, and under it what was taken off it.
func (t *builder) income(e *events.Event, p *events.IncomeCollected) Line {
	out := t.line(e)
	var like []*events.Event
	flush := func() {
		if len(like) > 0 {
			out.Under, like = append(out.Under, t.raids(like)), nil
		}
	}
	for _, r := range t.taken[e.Command+"\x00"+p.Power] {
		if len(like) > 0 && !t.alike(like[0], r) {
			flush()
		}
		like = append(like, r)
	}
	flush()
	return out
}

// alike reports whether two raids differ in nothing but the submarine's name, and stand as they came.
func (t *builder) alike(a, b *events.Event) bool {
	var p, q events.ConvoyRaided
	if !a.Read(&p) || !b.Read(&q) || t.remark(a) != "" || t.remark(b) != "" {
		return false
	}
	p.Submarine, q.Submarine = "", ""
	return p == q
}

// raids describes raids that are alike.
func (t *builder) raids(list []*events.Event) Line {
	if len(list) == 1 {
		return t.line(list[0])
	}
	var p events.ConvoyRaided
	list[0].Read(&p)
	away := "adjacent"
	if p.Distance != 1 {
		away = fmt.Sprintf("%d sea zones away", p.Distance)
	}
	text := fmt.Sprintf("%d submarines of %s in %s, %s, raid %s (%s): %d IPCs each", len(list), p.Owner, p.Zone, away,
		p.Territory, p.Victim, p.Damage)
	if p.Cap != "" {
		text += fmt.Sprintf(" of the %d in reach, for %s leaves no more (limit %d)", p.Reach, p.Cap, p.Limit)
	}
	out := Line{Text: plain("%s.", text), Rules: narrator.Rules(list[0].Derivation)}
	for _, e := range list {
		out.Events = append(out.Events, e.Index)
	}
	return out
}
