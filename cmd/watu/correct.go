package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/review"
)

// amendment is what `watu correct` was asked for.
type amendment struct {
	service.CorrectionRequest
	campaign     string
	file         string
	set          []string
	reason, code string
	keep         []string
	cause        string
}

func (t *tool) correctCommand() *cobra.Command {
	var a amendment
	c := t.orJSON(&cobra.Command{
		Use: "correct CAMPAIGN EVENT [-f FILE | --set FIELD=VALUE]", Short: "Correct the inputs of an earlier entry, " +
			"and what follows from them",
		Args: takes("CAMPAIGN", "EVENT"),
		Long: "Correct the inputs of the entry behind an event: a figure mistyped, a modifier\n" +
			"forgotten, a raider left out. The dice recorded are kept unless the correction\n" +
			"says otherwise, the result is derived again, and the original stays visible.\n\n" +
			"Every later entry that comes out otherwise is shown before anything is recorded,\n" +
			"and you are asked: apply all, or keep some as they are recorded. --yes applies\n" +
			"all but what --keep names, and asks nothing. Without a terminal and without\n" +
			"either, what the file does not decide on stays undecided. All of it is one step,\n" +
			"which watu undo takes back. What is kept, undecided, or needs dice or an answer,\n" +
			"is pending: watu pending CAMPAIGN. Without FILE and --set, what is pending at\n" +
			"EVENT is applied, with what follows from it. An entry that is void is entered\n" +
			"again in its place, as it was with --reason alone, or as --set or FILE says.\n" +
			"What somebody decided to keep stays kept unless it is named.",
		Example: "  watu correct convoys 57 --set 'submarine warfare.asw=34' --reason 'read as 43'\n" +
			"  watu correct convoys 57 -f correction.yaml --keep 61,70\n\n" +
			"  reason: the umpire read 34 factors as 43\n  code: mistyped\n  replace:\n    submarine warfare: " +
			"{asw: 34}\n" +
			"  consequences: {61: keep}          # or: apply, or keep, for all of them\n\n" +
			"  dice: thrown again                # or, with replace or alone:\n" +
			"  dice: {57: [[3, 4], [6, 1]]}      # as they fell at the table, by event\n  seen by: Anna",
		RunE: func(c *cobra.Command, args []string) (err error) {
			a.campaign = args[0]
			if a.Event, err = eventNumber(args[1]); err != nil {
				return err
			}
			if err := t.readAmendment(&a); err != nil {
				return err
			}
			return t.with(c.Context(), "correct", false, func(o *api.Client) error {
				return t.correct(c.Context(), o, a)
			})
		},
	})
	f := c.Flags()
	f.StringVarP(&a.file, "file", "f", "", "correction; - for standard input")
	f.StringArrayVar(&a.set, "set", nil, "`FIELD=VALUE` in place of a file: what the entry should say; null takes "+
		"the field out; may be repeated")
	f.StringVar(&a.reason, "reason", "", "why, in a sentence: with --set, or alone for an entry that is void")
	f.StringVar(&a.code, "code", "corrected", "with --set or --reason: why, in a `word` such as mistyped, misread or "+
		"forgotten")
	f.StringSliceVar(&a.keep, "keep", nil, "`events` of later entries that stay as they are recorded, or all")
	f.StringVar(&a.cause, "cause", "", "apply what is pending because of this `event`")
	f.BoolVar(&a.Preview, "preview", false, "show what would be, and record nothing")
	return c
}

// readAmendment reads what is to be corrected, and what is decided beforehand.
func (t *tool) readAmendment(a *amendment) (err error) {
	switch {
	case a.file != "" && len(a.set) > 0:
		return input("-f and --set both say what was wrong: leave one of them out")
	case a.file != "":
		if a.reason != "" {
			return input("the file says why: --reason goes with --set")
		}
		a.Name, a.Text, err = t.readText(a.file)
	case len(a.set) > 0:
		a.Name = nameSet
		a.Text, err = setText(a.set, a.reason, a.code)
	case a.reason != "": // what is void is entered again as it was
		a.Name = "--reason"
		a.Text, err = setText(nil, a.reason, a.code)
	}
	if err == nil && a.cause != "" {
		a.Cause, err = eventNumber(a.cause)
	}
	if _, asks := t.asksHere(); asks && !t.asJSON || t.yes || a.Preview || len(a.keep) > 0 || len(a.Text) == 0 {
		a.Rest = review.Apply
	}
	for _, text := range a.keep {
		if err == nil {
			err = a.keeps(text)
		}
	}
	return err
}

// keeps notes a later entry that stays as it is recorded; "all" is every one.
func (a *amendment) keeps(text string) error {
	if a.Decisions == nil {
		a.Decisions = map[uint64]review.Decision{}
	}
	if text = strings.TrimSpace(text); text == "all" {
		a.Decisions[0] = review.Keep
		return nil
	}
	event, err := eventNumber(text)
	if err == nil && event == 0 {
		err = input("#0 opens the campaign, and no correction changes it")
	}
	if err == nil {
		a.Decisions[event] = review.Keep
	}
	return err
}

// setText is the file that says the same.
func setText(set []string, reason, code string) (string, error) {
	if err := explained(reason); err != nil {
		return "", err
	}
	why, err := json.Marshal(reason)
	if err != nil {
		return "", err
	}
	if len(set) == 0 {
		return fmt.Sprintf(strings.Join(setHead[:2], "\n")+"\n", why, code), nil
	}
	text := fmt.Sprintf(strings.Join(setHead, "\n")+"\n", why, code)
	for _, s := range set {
		field, value, ok := strings.Cut(s, "=")
		if !ok || strings.TrimSpace(field) == "" || strings.ContainsAny(value, "\n\r") {
			return "", input("--set takes a field and what it should be, as in --set 'submarine "+
				"warfare.asw=34', not %q", s)
		}
		key, err := json.Marshal(strings.TrimSpace(field))
		if err != nil {
			return "", err
		}
		if value = strings.TrimSpace(value); value == "" {
			value = "null"
		}
		text += fmt.Sprintf("  %s: %s\n", key, value)
	}
	return text, nil
}

// inSet names the flag that an error is about, by its line in the file that says the same.
func (a *amendment) inSet(err error) error {
	var p *problem.Problem
	if !errors.As(err, &p) || a.Name != nameSet {
		return err
	}
	text, in := strings.CutPrefix(p.Message, nameSet+":")
	number, message, cut := strings.Cut(text, ": ")
	line, failed := strconv.Atoi(number)
	if !in || !cut || failed != nil {
		return err
	}
	flag := "--code"
	if i := line - len(setHead) - 1; i >= 0 && i < len(a.set) {
		flag = fmt.Sprintf("--set '%s'", a.set[i])
	}
	q := *p
	q.Message = flag + ": " + message
	return &q
}

// setHead are the lines of that file above those of the flags.
var setHead = []string{"reason: %s", "code: %s", "replace:"}

const nameSet = "--set"

func (t *tool) correct(ctx context.Context, o *api.Client, a amendment) error {
	post := func(into *service.Corrected) error {
		return a.inSet(o.Post(ctx, a.CorrectionRequest, into, "campaigns", a.campaign, "corrections"))
	}
	var done service.Corrected
	if in, asks := t.asksHere(); asks && !a.Preview && !t.yes && !t.asJSON {
		if agreed, err := t.agree(&a, post, bufio.NewReader(in)); err != nil || !agreed {
			return err
		}
		if err := post(&done); err != nil {
			return err
		}
	} else if err := post(&done); err != nil {
		return err
	} else if t.asJSON {
		return t.json(done)
	} else if !done.Again {
		t.printPlan(done)
	}
	switch {
	case done.Preview:
		t.printUnfinished(done.Unfinished)
		t.page.Heading("Nothing is recorded.")
		if len(done.Consequences) > 0 && len(a.Text) > 0 && !t.yes {
			t.page.Text("With --yes in the place of --preview all of it is recorded as it stands here. With neither " +
				"of them you are asked; where there is no terminal to ask at, later entries stay undecided.")
		}
		return nil
	case done.Again:
		t.page.Text("The correction stands already; nothing is recorded.")
		return nil
	}
	t.page.Heading("Recorded")
	t.page.happened(done.Happened)
	t.printLeft(done.Campaign, done.Consequences)
	t.printUnfinished(done.Unfinished)
	return nil
}

// asksHere gives the terminal on which a person can be asked.
func (t *tool) asksHere() (*os.File, bool) {
	in, isIn := t.in.(*os.File)
	out, isOut := t.out.(*os.File)
	return in, isIn && isOut && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
}

// agree shows what a correction would do until it is agreed to, or not.
func (t *tool) agree(a *amendment, post func(*service.Corrected) error, in *bufio.Reader) (bool, error) {
	plan, err := a.preview(post)
	if err != nil {
		return false, err
	}
	t.printPlan(plan)
	t.printUnfinished(plan.Unfinished)
	for {
		answer, err := t.answered(in, plan)
		switch {
		case t.asked.Err() != nil:
			return false, err
		case answer == "yes" || answer == "y":
			a.After = plan.Events
			return true, nil
		case err != nil || answer == "no" || answer == "n":
			t.page.Text("Nothing is recorded.")
			return false, nil
		case answer == "":
			continue
		}
		was := *a
		var p *problem.Problem
		next, err := a.decide(answer, plan, post)
		if errors.As(err, &p) && p.Kind == problem.Input { // what was decided before holds
			*a = was
			t.say(p.Error())
			continue
		}
		if err != nil {
			return false, err
		}
		t.printPlan(next)
		t.printSpared(a, plan, next)
		plan = next
	}
}

// answered asks whether a plan is recorded.
func (t *tool) answered(in *bufio.Reader, p service.Corrected) (string, error) {
	question := "Record this? yes, no: "
	if len(p.Consequences) > 0 {
		question = fmt.Sprintf("Record this? yes, no, or what to keep as it is recorded (%s): ",
			choices(p.Consequences))
	}
	fmt.Fprint(t.err, "\n"+question)
	line, err := waited(t, "the answer", func() (string, error) { return in.ReadString('\n') })
	return strings.ToLower(strings.TrimSpace(line)), err
}

// mostChoices is how many later entries the question names.
const mostChoices = 3

// choices names what may be kept: "15, 20, 23; all; none".
func choices(list []service.Consequence) string {
	var lines []string
	for _, x := range list[:min(len(list), mostChoices)] {
		lines = append(lines, strconv.FormatUint(x.Event, 10))
	}
	if len(list) > mostChoices {
		lines = append(lines, "…")
	}
	return strings.Join(lines, ", ") + "; all; none"
}

// preview asks what a correction would do.
func (a *amendment) preview(post func(*service.Corrected) error) (plan service.Corrected, err error) {
	a.Preview = true
	err = post(&plan)
	a.Preview = false
	return plan, err
}

// decide takes an answer to a plan that names what is kept, or says that nothing is, and asks what the correction
// would do then. What somebody kept before stays kept unless nothing is to be.
func (a *amendment) decide(
	answer string, shown service.Corrected, post func(*service.Corrected) error,
) (plan service.Corrected, err error) {
	a.Rest, a.Decisions = review.Apply, map[uint64]review.Decision{0: review.Apply}
	for _, text := range strings.FieldsFunc(answer, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		switch text {
		case "keep":
			continue
		case "none":
			for _, x := range shown.Consequences {
				a.Decisions[x.Event] = review.Apply
			}
			continue
		}
		if err := a.keeps(text); err != nil {
			return plan, err
		}
	}
	return a.preview(post)
}

// printSpared names the later entries that come out as recorded because of what is kept.
func (t *tool) printSpared(a *amendment, was, is service.Corrected) {
	var spared []string
	for _, x := range was.Consequences {
		if a.Decisions[x.Event] != review.Keep && !slices.ContainsFunc(is.Consequences,
			func(y service.Consequence) bool { return y.Entry == x.Entry }) {
			spared = append(spared, fmt.Sprintf("#%d", x.Event))
		}
	}
	if len(spared) > 0 && len(is.Consequences) > 0 {
		t.page.Line("")
		come := words.Number(len(spared), "this comes out", "these come out")
		t.page.Text("With what is kept, %s as recorded: %s.", come, strings.Join(spared, ", "))
	}
}

// printPlan shows what a correction does to its entry, and every later entry that comes out otherwise.
func (t *tool) printPlan(p service.Corrected) {
	if p.VoidedBy != 0 {
		t.page.Text("Enter #%d of %s (%s) again in its place: it is void since #%d", p.Event, p.Campaign, p.Entry,
			p.VoidedBy)
	} else {
		t.page.Text("Correct #%d of %s (%s)", p.Event, p.Campaign, p.Entry)
	}
	for _, c := range p.Changes {
		t.page.Flow("      ", "        ", terminal.Plain(narrator.Change(c)))
	}
	t.printShifts(p.Results, "")
	t.printWarnings(p.Warnings)
	if p.Thrown {
		t.page.Text("Dice are thrown again: what follows is known once they lie.")
		return
	}
	if len(p.Absorbed) > 0 {
		t.page.Heading("Pending from an earlier correction, and taken up with this one")
		t.printConsequences(p.Absorbed)
	}
	switch {
	case len(p.Consequences) > 0:
	case p.Unfinished != nil:
		t.page.Text("No later entry that has ended comes out otherwise.")
		return
	default:
		t.page.Text("No later entry comes out otherwise.")
		return
	}
	n := len(p.Consequences)
	t.page.Heading("%s %s out otherwise", words.Count(n, "later entry"), words.Number(n, "comes", "come"))
	t.printConsequences(p.Consequences)
}

func (t *tool) printConsequences(list []service.Consequence) {
	turn := ""
	for _, x := range list {
		if x.Turn != turn {
			turn = x.Turn
			t.page.Flow("  ", "  ", terminal.Bold(turn))
		}
		decision := string(x.Decision)
		if x.KeptBy != 0 && x.KeptBy != x.Cause && x.Decision == review.Keep {
			decision += fmt.Sprintf(", by #%d", x.KeptBy)
		}
		t.printShifts(x.Results, decision)
		for _, why := range []string{x.Gone, x.Waits} {
			if why != "" {
				t.page.Flow("      ", "        ", terminal.Faint(why))
			}
		}
	}
}

// printShifts prints events before and after; what is decided stands behind the first.
func (t *tool) printShifts(list []service.ChangedEvent, decision string) {
	for i, s := range list {
		at := "      "
		if s.Event != 0 {
			at = indexed(s.Event)
		}
		runs := []terminal.Run{terminal.Plain(s.Text)}
		if i == 0 && decision != "" {
			runs = append(runs, terminal.Bold("["+decision+"]"))
		}
		t.page.Flow(at, "      ", runs...)
	}
}

// printLeft says what of a correction stays as it is recorded, and what to do about it.
func (t *tool) printLeft(campaign string, list []service.Consequence) {
	list = slices.DeleteFunc(slices.Clone(list), func(x service.Consequence) bool { return x.Decision == review.Apply })
	if len(list) == 0 {
		return
	}
	text := []terminal.Run{terminal.Plain(fmt.Sprintf("Pending: %s.", words.Count(len(list), "later entry"))),
		terminal.Typed("watu pending " + campaign)}
	if event, ok := appliable(list); ok {
		text = append(text, terminal.Plain("lists them; to apply one:"),
			terminal.Typed(fmt.Sprintf("watu correct %s %d", campaign, event)))
	} else {
		text = append(text, terminal.Plain("lists them"))
	}
	t.page.Line("")
	t.page.Flow("", "", text...)
}

// printUnfinished says what becomes of an entry that waits while something before it is changed.
func (t *tool) printUnfinished(u *service.Unfinished) {
	if u == nil {
		return
	}
	waits := "dice thrown at the table"
	if u.Of != "" {
		waits = "an answer of " + u.Of
	}
	t.page.Line("")
	t.page.Text("%s (#%d) is still open: it waits for %s, and goes on by what counted when it began. When it ends it "+
		"is heard again, and what comes out otherwise then is pending.", u.Entry, u.Event, waits)
}

// eventNumber reads "57" or "#57".
func eventNumber(text string) (uint64, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 10, 64)
	if err != nil {
		return 0, input("an event is named by its index, such as 57, not %q", text)
	}
	return n, nil
}

// eventIn puts the index of an event into a query, if one is given.
func eventIn(q url.Values, key, text string) (n uint64, err error) {
	if text == "" {
		return 0, nil
	}
	if n, err = eventNumber(text); err == nil {
		q.Set(key, strconv.FormatUint(n, 10))
	}
	return n, err
}
