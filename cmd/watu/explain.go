package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
)

func (t *tool) explainCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use: "explain CAMPAIGN EVENT", Short: "Say why an event is as it is", Args: takes("CAMPAIGN", "EVENT"),
		Long: "Print what an event rests on: the inputs, the declaration made before the\n" +
			"dice, the dice and the link that decided them, each modifier with its rule,\n" +
			"the printed table with the cells consulted in brackets, caps, the derivation,\n" +
			"the edition, and corrections.",
		RunE: func(c *cobra.Command, args []string) error {
			event, err := eventNumber(args[1])
			if err != nil {
				return err
			}
			return t.with(c.Context(), "explain", false, func(o *api.Client) error {
				var x service.Explanation
				if err := o.Get(c.Context(), &x, "campaigns", args[0], "events", strconv.FormatUint(event, 10),
					"explanation"); err != nil {
					return err
				}
				if asJSON {
					return t.json(x)
				}
				t.tellExplanation(x)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// tellExplanation prints an explanation from the event down to the edition.
func (t *tool) tellExplanation(x service.Explanation) {
	e := x.Event
	at := []string{}
	for _, s := range []string{e.Turn, e.Phase, e.Side} {
		if s != "" {
			at = append(at, s)
		}
	}
	kind := strings.ReplaceAll(string(e.Type), "_", " ")
	t.page.Flow("", "", terminal.Bold(fmt.Sprintf("#%d of %s: %s", e.Index, x.Campaign, kind)))
	if len(at) > 0 {
		t.page.Text("%s", strings.Join(at, ", "))
	}
	t.page.Flow("  ", "  ", terminal.Plain(x.Narration))
	t.tellCorrection(x.Correction)
	t.tellLeftAs(x)
	t.tellDisputes("Disputes", x.Disputes)
	t.tellInputs(x.Command)
	t.tellContest(x.Contest)
	t.tellRoll(x.Roll)
	t.tellDraw(x.Draw)
	t.tellResult(x.Result)
	t.tellRaids(x.Raids)
	if len(x.Led) > 0 {
		t.page.Heading("What came of it")
		for _, l := range x.Led {
			t.page.event(l, "")
		}
	}
	t.tellSecrets(x)
	t.tellDerivation(x.Derivation)
	t.tellEdition(x)
}

func (t *tool) tellCorrection(k *service.Correction) {
	if k == nil {
		return
	}
	if k.Voided {
		t.page.Heading("No longer stands")
		t.page.Flow("  by   ", "       ", terminal.Plain(fmt.Sprintf("#%d %s", k.By, k.Is)))
		return
	}
	t.page.Heading("Correction")
	if k.Was != "" {
		t.page.Flow("  was  ", "       ", terminal.Plain(fmt.Sprintf("#%d %s", k.Event, k.Was)))
		t.page.Flow("  is   ", "       ", terminal.Plain(fmt.Sprintf("#%d %s", k.By, k.Is)))
	}
	t.page.Flow("  why  ", "       ", terminal.Plain(fmt.Sprintf("%s: %s", k.Code, k.Reason)))
	if k.Cause != 0 {
		t.page.Line(fmt.Sprintf("  from #%d", k.Cause))
	}
	for _, l := range k.Gone {
		t.page.Flow("  gone ", "       ", terminal.Plain(fmt.Sprintf("#%d %s", l.Index, l.Text)))
	}
	for _, l := range k.Led {
		t.page.Flow("  led to ", "         ", terminal.Plain(fmt.Sprintf("#%d %s", l.Index, l.Text)))
	}
	for _, c := range k.Changes {
		t.page.Flow("       ", "         ", terminal.Plain(fmt.Sprintf("%s: was %s, is %s", c.Field, orNothing(c.Was),
			orNothing(c.Now))))
	}
}

// tellLeftAs tells what stands as it is recorded, though a correction would have it otherwise.
func (t *tool) tellLeftAs(x service.Explanation) {
	if len(x.Left) == 0 {
		return
	}
	t.page.Heading("Stands as recorded")
	for _, l := range x.Left {
		said := fmt.Sprintf("by #%d", l.By)
		if l.By == x.Event.Index {
			said = fmt.Sprintf("#%d", l.Event)
		}
		switch l.Choice {
		case events.LeftKept:
			said += ", kept"
		case events.LeftUndecided:
			said += ", undecided"
		case events.LeftWaits:
			said += ", for want of dice, answers or a ruling"
		}
		t.page.Flow("  ", "    ", terminal.Plain(said))
		if l.Why != "" {
			t.page.Flow("       ", "         ", terminal.Faint(l.Why))
		}
		for _, c := range l.Figures {
			t.page.Flow("       ", "         ", terminal.Plain(narrator.Figure(c)))
		}
	}
}

func orNothing(s string) string {
	if s == "" {
		return "not given"
	}
	return s
}

func (t *tool) tellInputs(c service.Command) {
	asks := c.Seat
	if asks == "umpire" {
		asks = "the umpire"
	}
	t.page.Heading("Asked by %s: %s", asks, c.ID)
	t.tellFigures("  ", c.Inputs)
	if len(c.Inputs) == 0 {
		t.page.Line("  nothing but itself")
	}
}

// tellFigures prints the fields of a command.
func (t *tool) tellFigures(margin string, list []service.InputFigure) {
	widest := 0
	for _, i := range list {
		widest = min(max(widest, len([]rune(i.Field))), 40)
	}
	for _, i := range list {
		first := fmt.Sprintf("%s%-*s  ", margin, widest, i.Field)
		t.page.Flow(first, strings.Repeat(" ", widest+len(margin)+2), terminal.Plain(i.Value))
	}
}

func (t *tool) tellContest(c *service.Contest) {
	if c == nil {
		return
	}
	t.page.Heading("Cards, contest #%d", c.Index)
	for _, l := range c.Plays {
		t.page.event(l, "")
	}
	for _, cap := range c.Caps {
		t.page.Flow("  cap: ", "       ", terminal.Plain(cap))
	}
}

func (t *tool) tellRoll(r *service.Roll) {
	if r == nil {
		return
	}
	subject := r.Purpose
	if r.Subject != "" {
		subject += ", " + r.Subject
	}
	t.page.Heading("Declared before the dice, #%d: %s", r.Declared, subject)
	for _, w := range r.Throws {
		said := fmt.Sprintf("%dd%d for %s", w.Dice, w.Sides, w.Side)
		if w.Table != "" {
			said += ", table " + w.Table
		}
		if len(w.Rows) > 0 {
			said += ", row " + words.Numbers(w.Rows, " and ")
		}
		if w.Modifier != 0 {
			said += fmt.Sprintf(", at %+d", w.Modifier)
		}
		t.page.Flow("  "+w.Name+": ", "    ", terminal.Plain(said))
	}
	t.tellModifiers(r.Modifiers, r.Net)
	t.page.Heading("Dice")
	for _, w := range r.Throws {
		if w.Index == 0 {
			waits := "not thrown yet"
			if r.Attested != nil {
				waits = "not confirmed yet"
			}
			t.page.Line("  " + w.Name + ": " + waits)
			continue
		}
		t.page.Flow("  "+w.Name+": ", "    ", terminal.Plain(fmt.Sprintf("%s (#%d)", narrator.Dice(w.Fell), w.Index)))
	}
	for _, l := range r.Links {
		t.page.Flow("  link ", "    ", terminal.Plain(fmt.Sprintf("%d of chain %s:", l.Position, l.Chain)))
		t.page.Line("    " + l.Link.String())
		t.page.Flow("    ", "    ", terminal.Plain(fmt.Sprintf("hashed %s it %s the anchor stated in #%d",
			times(l.Position), gives(l.Anchored), l.Stated)))
	}
	t.tellAttested(r.Attested)
	if len(r.Links) > 0 {
		t.page.Flow("  ", "  ", terminal.Plain(fmt.Sprintf("Thrown again from the link, the dice are %s.",
			sameText(r.Follows))))
		t.page.Flow("  ", "  ", terminal.Plain("The host fixed the chain before, and could have picked it: "+
			"docs/fair-dice.md."))
	}
}

// tellAttested says who vouches for dice of a table.
func (t *tool) tellAttested(a *service.Attested) {
	if a == nil {
		return
	}
	for _, l := range a.Said {
		t.page.event(l, "")
	}
	said := "attested: to be typed in by one seat and confirmed by another; no chain decides them"
	if a.Confirmed != "" {
		said = fmt.Sprintf("attested: typed by %s, confirmed by %s; no chain decides them", a.Typed, a.Confirmed)
	}
	t.page.Flow("  ", "  ", terminal.Bold(said))
	if len(a.Umpire) > 0 {
		t.page.Flow("  ", "  ", terminal.Plain("The umpire typed what was said by "+strings.Join(a.Umpire, " and ")+
			"."))
	}
}

func (t *tool) tellDraw(d *service.Draw) {
	if d == nil {
		return
	}
	t.page.Heading("Declared before the draw, #%d", d.Declared)
	t.page.Flow("  ", "  ",
		terminal.Plain(fmt.Sprintf("%d of %d %s cards, by link %d of chain %s, whose anchor #%d states:", d.Count,
			d.PoolSize, d.Deck, d.Link.Position, d.Link.Chain, d.Link.Stated)))
	t.page.Line("    " + d.Link.Anchor.String())
	t.page.Flow("  ", "  ", terminal.Plain("The link stays sealed while the campaign is played: it would open every "+
		"draw before it."))
}

func (t *tool) tellResult(r *service.Result) {
	if r == nil {
		return
	}
	t.page.Heading("Result: %s, %s; %s against %s", r.Procedure, r.Subject, r.Attacker, r.Defender)
	t.tellModifiers(r.Modifiers, r.Net)
	printed := map[string]bool{}
	for _, x := range r.Readings {
		t.page.Line("")
		said := narrator.Dice(x.Dice)
		if x.Modified != x.Total {
			said += fmt.Sprintf(" %+d = %d", x.Modified-x.Total, x.Modified)
		}
		if x.Factors != 0 {
			said += fmt.Sprintf(", %d factors", x.Factors)
		}
		if x.Column != "" {
			said += ", column " + x.Column
		}
		if len(x.Rows) > 0 {
			said += ", row " + words.Numbers(x.Rows, " and ")
		}
		t.page.Flow("  "+x.Name+": ", "    ", terminal.Plain(said+":"), terminal.Bold(x.Result))
		for _, cap := range x.Caps {
			t.page.Flow("    cap: ", "         ", terminal.Plain(cap))
		}
		if !printed[x.Lit] {
			t.page.Block("    ", x.Lit)
		}
		printed[x.Lit] = true
	}
	if figures := narrator.Figures(r.Figures); figures != "" {
		t.page.Flow("  in all: ", "    ", terminal.Plain(figures))
	}
}

func (t *tool) tellModifiers(list []events.Modifier, net int) {
	for _, m := range list {
		t.page.Flow(fmt.Sprintf("  %+4d  ", m.Value), "        ", terminal.Plain(m.Name),
			terminal.Faint("["+m.Rule+"]"))
	}
	if len(list) > 0 {
		t.page.Line(fmt.Sprintf("  %+4d  net", net))
	}
}

func (t *tool) tellSecrets(x service.Explanation) {
	if len(x.Secrets)+len(x.Disclosures) > 0 {
		t.page.Heading("Sealed and opened")
	}
	for _, s := range x.Secrets {
		fact := "sealed"
		if s.Opened != 0 {
			fact = fmt.Sprintf("%s, opened in #%d", s.Fact, s.Opened)
		}
		t.page.Flow("  "+s.Slot+": ", "    ", terminal.Plain(fact))
		t.page.Line("    " + s.Hash.String())
	}
	for _, d := range x.Disclosures {
		fits := "and opens what was committed"
		if !d.Fits {
			fits = "and does NOT open what was committed"
		}
		t.page.Flow("  ", "    ", terminal.Plain(fmt.Sprintf("%s of #%d is %s, %s", d.Slot, d.Index, d.Fact, fits)))
	}
}

// tellRaids prints each raid with the rules that it follows from.
func (t *tool) tellRaids(list []service.Raid) {
	if len(list) == 0 {
		return
	}
	t.page.Heading("Raids")
	for _, r := range list {
		t.page.Flow(fmt.Sprintf("  #%-4d ", r.Index), "        ", terminal.Plain(r.Text))
		t.tellCitations("        ", r.Derivation)
	}
}

func (t *tool) tellDerivation(list []events.Citation) {
	if len(list) == 0 {
		return
	}
	t.page.Heading("Derivation")
	t.tellCitations("  ", list)
}

func (t *tool) tellCitations(margin string, list []events.Citation) {
	widest := 0
	for _, c := range list {
		widest = min(max(widest, len(c.Rule)), 24)
	}
	for _, c := range list {
		t.page.Flow(fmt.Sprintf("%s%-*s  ", margin, widest, c.Rule), margin+strings.Repeat(" ", widest+2),
			terminal.Plain(c.Step))
	}
}

func (t *tool) tellEdition(x service.Explanation) {
	t.page.Heading("%s, edition %s", x.Edition.Title, x.Edition.Name)
	t.page.Line("  edition   " + x.Edition.Hash.String())
	t.page.Line("  event     " + x.Event.Hash.String())
	t.page.Line("  previous  " + x.Event.Previous.String())
	if !x.Edition.Here {
		t.page.Text("This watu has other tables than that edition: what is lit above may differ.")
	}
}

func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func gives(ok bool) string {
	if ok {
		return "gives"
	}
	return "does NOT give"
}

func sameText(ok bool) string {
	if ok {
		return "the same"
	}
	return "NOT the same"
}
