package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/replay/campaign"
)

// submission is what `watu submit` was asked for.
type submission struct {
	campaign string
	file     string
	entry    string
	check    bool
	seat     string
	side     string
	wait     time.Duration // for rounds of rolls
}

func (t *tool) submitCommand() *cobra.Command {
	var s submission
	c := t.orJSON(&cobra.Command{
		Use: "submit CAMPAIGN FILE | -e ENTRY", Short: "Submit a turn file or one entry",
		Args: takesOr("CAMPAIGN", "FILE"),
		Long: "Submit a turn file: what is new is judged in order, what stands already is\n" +
			"skipped, and the first refusal stops the file; everything before it stands.\n" +
			"The verbs of entries, by system; watu help VERB shows one:\n\n" + verbList(),
		Example: "  watu submit atlantic-1939 -f winter-1941.yaml\n" +
			"  watu submit atlantic-1939 -e '{draw: Ultra}'\n" +
			"  watu submit atlantic-1939 -f winter-1941.yaml --for Britain",
		RunE: func(c *cobra.Command, args []string) error {
			s.campaign = args[0]
			if len(args) > 1 && s.file != "" {
				return input("two turn files are given, %s and %s: submit one after the other", args[1], s.file)
			} else if len(args) > 1 {
				s.file = args[1]
			}
			switch {
			case (s.file == "") == (s.entry == ""):
				return input("give a turn file with -f FILE, or one entry with -e '{VERB: …}'")
			case s.side != "" && t.asJSON:
				return input("--json tells the umpire everything, and --for one player: leave one of them out")
			case s.side != "" && s.check:
				return input("--for prints what happened, and --check lets nothing happen: leave one of them out")
			}
			return t.with(c.Context(), "submit", false, func(o *api.Client) error {
				return t.submit(c.Context(), o, s)
			})
		},
	})
	f := c.Flags()
	f.StringVarP(&s.file, "file", "f", "", "turn file; - for standard input")
	f.StringVarP(&s.entry, "entry", "e", "", "one entry, as in a turn file")
	f.StringVar(&s.seat, "seat", "", "`seat` that enters it (default the umpire); recorded, not "+
		"checked: a seat may enter for any side")
	f.BoolVar(&s.check, "check", false, "judge what needs no dice, and append nothing")
	f.DurationVar(&s.wait, "wait", time.Minute, "how long to wait for the `time` of rounds that decide dice; 0s: not")
	f.StringVar(&s.side, "for", "", "print what may be pasted to the player of this side")
	return c
}

func (t *tool) submit(ctx context.Context, o *api.Client, s submission) error {
	sent := service.Submission{Name: "entry", Text: s.entry, Entry: true, Check: s.check, Seat: s.seat}
	if s.file != "" {
		var err error
		if sent.Name, sent.Text, err = t.readText(s.file); err != nil {
			return err
		}
		sent.Entry = false
	} else if err := readable(sent.Name, sent.Text); err != nil {
		return err
	}
	if s.side != "" { // before anything is recorded: a misspelt side should cost nothing
		if _, err := t.viewAs(ctx, o, s.campaign, s.side); err != nil {
			return err
		}
	}
	done, late := t.submitted(ctx, o, s, sent)
	var err error
	switch {
	case late != nil && done.Version == 0:
		if errors.Is(late, context.Canceled) {
			t.sayWhatStands(ctx, o, s.campaign)
		}
		return late
	case t.asJSON:
		err = t.json(done)
	case s.side != "":
		if err = t.printPlayer(ctx, o, s, done); err == nil && late == nil {
			return t.withheld(done)
		}
	}
	if err = errors.Join(err, late); err != nil {
		return err
	}
	return t.stopped(done)
}

// sayWhatStands says how far a submission came that was asked to end.
func (t *tool) sayWhatStands(ctx context.Context, o *api.Client, name string) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), mostCompleting)
	defer stop()
	var c timeline.Campaign
	for before := ^uint64(0); before != c.Events; time.Sleep(askAgain) { // the step that was on is ended first
		before = c.Events
		if o.Get(ctx, &c, "campaigns", name) != nil {
			return
		}
	}
	if c.Events > 0 {
		t.say(fmt.Sprintf("%s is recorded up to #%d, and that stands", c.Name, c.Events-1))
	}
}

// withheld says that a file stopped and neither why nor where: the rule may tell what another side holds, and so may
// the line of the card that was refused.
func (t *tool) withheld(done service.Submitted) error {
	p := done.Problem
	switch {
	case p == nil:
		return nil
	case p.Kind != problem.Refused && p.Kind != problem.Input:
		return t.stopped(done)
	}
	file := p.Where
	if at := strings.LastIndex(file, ":"); at >= 0 {
		file = file[:at]
	}
	t.say((&problem.Problem{Where: file, Message: "an entry was refused; submit without --for to see why"}).Error())
	return &reportedError{&problem.Problem{Kind: problem.Refused}}
}

// stopped says why a file stopped: each violation on a line, at the place of the first.
func (t *tool) stopped(done service.Submitted) error {
	p := done.Problem
	if p == nil {
		return nil
	}
	t.say(p.Error())
	if n := len(done.Entries); n > 0 && len(done.Entries[n-1].Violations) > 1 {
		for _, v := range done.Entries[n-1].Violations[1:] {
			t.say((&problem.Problem{Where: p.Where, Message: v.Message, Rule: v.Rule}).Error())
		}
	}
	return &reportedError{p}
}

// printWarnings says what may be a slip though no rule forbids it.
func (t *tool) printWarnings(list []string) {
	for _, w := range list {
		t.page.Flow("Warning: ", "         ", terminal.Plain(w+"."))
	}
}

// printSubmitted says entry by entry what happened, then what stands and what waits.
func (t *tool) printSubmitted(done service.Submitted) {
	count := map[string]int{}
	for _, h := range done.Entries {
		count[h.State]++
		switch {
		case h.State == service.Applied || h.State == service.Waits, h.State == service.Stopped && len(h.Happened) > 0:
			t.page.Heading("%s", t.own(h))
			t.page.happened(h.Happened)
		case h.State == service.Fits:
			t.page.Line(document.Printable("fits       " + h.ID))
		case h.State == service.Form:
			t.page.Line(document.Printable("form only  " + h.ID))
		}
		t.printWarnings(h.Warnings)
	}
	if done.Recorded > 0 {
		t.page.Line("")
	}
	t.printCount(done, count)
	t.printPendingBehind(done)
	t.printWaiting(done)
}

// own is an entry's id without the turn, which stands above.
func (t *tool) own(h service.EntryResult) string {
	if n := len(h.Happened); n > 0 {
		return strings.TrimPrefix(h.ID, h.Happened[n-1].Turn+"/")
	}
	return h.ID
}

func (t *tool) printCount(done service.Submitted, count map[string]int) {
	var parts []string
	// a ruling whose entry is refused
	if n := count[service.Applied] + count[service.Waits]; n == 0 && done.Recorded > 0 {
		parts = append(parts, words.Count(done.Recorded, "event")+" recorded")
	} else if n > 0 {
		parts = append(parts, fmt.Sprintf("%s applied, %s recorded", words.Count(n, "entry"),
			words.Count(done.Recorded, "event")))
	}
	if n := count[service.Stands]; n > 0 && done.Entries[0].Named {
		parts = append(parts, "this entry was applied before"+places(done.Entries[0].Happened)+
			"; to do it once more, give it an id")
	} else if n > 0 {
		parts = append(parts, words.Count(n, "entry")+" stood already")
	}
	if n := count[service.Void]; n > 0 {
		parts = append(parts, words.Count(n, "entry")+" "+words.Number(n, "is", "are")+" void")
	}
	if n := count[service.Fits]; n > 0 {
		parts = append(parts, words.Count(n, "entry")+" would be allowed, as far as that can be said without dice")
	}
	if n := count[service.Form]; n > 0 {
		parts = append(parts, words.Count(n, "entry")+" of which only the form was checked")
	}
	if done.Check {
		parts = append(parts, "nothing is recorded")
	}
	if n := count[service.Later]; n > 0 {
		parts = append(parts, done.Entries[len(done.Entries)-1].ID+" waits for the dice")
	}
	if len(done.NotHeard) > 0 {
		parts = append(parts, "not looked at: "+strings.Join(done.NotHeard, ", "))
	}
	if len(parts) == 0 && done.Problem != nil && done.Problem.Kind == problem.Diverged {
		return // what is recorded and what stands is not the same then: the problem says it
	}
	if len(parts) == 0 {
		parts = []string{"nothing is recorded"}
	}
	t.page.Text("%s.", words.Sentence(strings.Join(parts, "; ")))
	for _, h := range done.Entries {
		if h.State == service.Void {
			t.printVoid(done.Campaign, h)
		}
	}
	if done.FormOnly != "" {
		t.page.Text("%s needs dice, cards or an answer: of the entries after it, only the form was checked.",
			done.FormOnly)
	}
}

// printVoid says of an entry that is void how it is entered again.
func (t *tool) printVoid(nameOrID string, h service.EntryResult) {
	again := "to do it once more, give it an id of its own"
	if n := len(h.Happened); n > 0 && !campaign.HeardDuringQuestion(h.Verb) {
		again = fmt.Sprintf("to enter it again in its place: watu correct %s %d --reason TEXT; as something new it "+
			"needs an id of its own", nameOrID, h.Happened[n-1].Index)
	}
	t.page.Text("%s is void since #%d, and stays so; %s.", h.ID, h.VoidedBy, again)
}

// places is ", as #12 to #14".
func places(list []timeline.NarratedEvent) string {
	switch n := len(list); n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(", as #%d", list[0].Index)
	default:
		return fmt.Sprintf(", as #%d to #%d", list[0].Index, list[n-1].Index)
	}
}

// printWaiting says which question is open and how to answer it.
func (t *tool) printWaiting(done service.Submitted) {
	w := done.Waiting
	if w == nil {
		return
	}
	if w.Roll != nil {
		t.page.Heading("The dice come with round %d of %s.", w.Roll.Round, w.Roll.Beacon)
		t.page.Flow("  ", "  ", terminal.Plain(w.Roll.String()+"."))
		return
	}
	t.page.Heading("The campaign waits for %s (#%d).", w.Of, w.Index)
	t.page.Flow("  ", "  ", terminal.Plain(w.Question), terminal.Faint("["+w.Rule+"]"))
	for _, option := range w.Options {
		t.page.Flow("  - ", "    ", terminal.Plain(option))
	}
	text := w.Example
	if text == "" { // it comes by itself
		return
	}
	if w.Most > 1 {
		text += fmt.Sprintf(" (up to %d)", w.Most)
	}
	t.page.Flow("  Answer with an entry: ", "  ", terminal.Plain(text))
}

// printPlayer prints what the player of a side may read: what happened in public from the first
// entry that was applied now, or in the whole turn if none was, and his own cards.
func (t *tool) printPlayer(ctx context.Context, o *api.Client, s submission, done service.Submitted) error {
	v, err := t.viewAs(ctx, o, s.campaign, s.side)
	if err != nil {
		return err
	}
	t.page.Flow("", "", terminal.Bold(fmt.Sprintf("For %s: campaign %s, %s", v.As, v.Campaign, v.Turn)))
	q := url.Values{}
	if from, ok := firstNew(done); ok {
		q.Set("from", strconv.FormatUint(from, 10))
	} else if v.Turn != "" {
		q.Set("turn", v.Turn)
	}
	err = readLog(ctx, o, s.campaign, q, func(l *logged, _ json.RawMessage) error {
		t.page.moment(l.Turn, l.Phase)
		t.page.event(l.line(), "")
		return nil
	})
	if err != nil {
		return err
	}
	var r pools.Report
	if v.Projection == "pools" { // only cards are a side's own
		if err := json.Unmarshal(v.Report, &r); err != nil {
			return err
		}
	}
	for _, p := range r.Pools {
		if p.Side == v.As {
			t.printOwn(p)
		}
	}
	if w := done.Waiting; w != nil && (w.Of == v.As || w.Table) {
		t.printWaiting(done)
	}
	return nil
}

// firstNew gives the first event that the submission led to now.
func firstNew(done service.Submitted) (uint64, bool) {
	for _, h := range done.Entries {
		if !h.Before() && len(h.Happened) > 0 {
			return h.Happened[0].Index, true
		}
	}
	return 0, false
}

// printOwn prints a side its own pool and hand.
func (t *tool) printOwn(p pools.Pool) {
	t.page.Heading("For your eyes only: %s", p.Deck)
	var contents []string
	for _, c := range p.Contents {
		if c.Count > 0 {
			contents = append(contents, fmt.Sprintf("%d %s", c.Count, c.Card))
		}
	}
	if p.Unknown > 0 {
		contents = append(contents, fmt.Sprintf("%d not known here", p.Unknown))
	}
	t.page.Flow("  Pool of ", "  ", terminal.Plain(fmt.Sprintf("%d cards: %s", p.Size, strings.Join(contents, ", "))))
	var hand []string
	for _, c := range p.Hand.Cards {
		card := cmp.Or(c.Card, "?")
		if c.State != "held" {
			card += " (" + c.State + ")"
		}
		hand = append(hand, card)
	}
	if len(hand) == 0 {
		hand = []string{"none"}
	}
	t.page.Flow("  Hand: ", "  ", terminal.Plain(strings.Join(hand, ", ")))
	for _, x := range p.Secret {
		t.page.Flow("  Played in secret: ", "  ", terminal.Plain(fmt.Sprintf("%s (#%d)", cmp.Or(x.Cards, "?"),
			x.Event)))
	}
}

// viewAs gives the campaign's first view as one side sees it: the pools, where there are cards.
func (t *tool) viewAs(ctx context.Context, o *api.Client, campaign, side string) (timeline.View, error) {
	var v timeline.View
	var c timeline.Campaign
	if err := o.Get(ctx, &c, "campaigns", campaign); err != nil {
		return v, err
	}
	err := o.Query(ctx, &v, url.Values{"as": {side}}, "campaigns", campaign, "views", c.Views[0])
	if err == nil && (v.As == "umpire" || v.As == "public") {
		err = input("--for takes a side, not %s", v.As)
	}
	return v, err
}
