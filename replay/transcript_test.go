package replay_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// TestTranscripts plays the transcripts of testdata. Their commands:
//
//	open [seed=…] [dice=attested] [option=value …]   a new campaign; one with attested dice has seats Anna and Ben
//	open [board=NAME] [seed=…] [option=value …]      one of Axis & Allies Revised, on a board that comes with watu
//	open system=NAME [board=NAME] …                  one of another system
//	open edition=NUMBER …                            one of an older edition
//	submit [seat=NAME]               a turn file, told event by event, refusals after "!"
//	check                            the same without dice, nothing appended
//	correct ENTRY                    a correction of the entry's results
//	keep ENTRY                       the same, and what follows from it stands as it is
//	hand SIDE                        the cards drawn, used ones in brackets
//	state                            turn, open question, pools and points or treasuries as the umpire knows them
//	why ENTRY                        how the entry's results follow
//	undo [EVENT]                     what is behind the event, and all since; or the last act, which is no undo
//	acts                            what can be undone, the last act first
//	restart                          the record is closed, opened and folded anew
func TestTranscripts(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		var c *harness
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "open" {
				c = openTranscript(t, d)
				return line(&c.all()[0])
			}
			out := c.transcribe(d)
			c.shadow().check(t)
			return out
		})
	})
}

func openTranscript(t *testing.T, d *datadriven.TestData) *harness {
	host := newHost(t)
	options, seed, system, board, attested := map[string]string{}, "transcript", "aar", "", false
	open := host.open
	for _, arg := range d.CmdArgs {
		switch arg.Key {
		case "seed":
			seed = arg.SingleVal(t)
		case "dice":
			attested, open = true, host.openAttested
		case "board":
			board = arg.SingleVal(t)
		case "edition":
			host.edition = arg.SingleVal(t)
		case "system":
			system = arg.SingleVal(t)
		default:
			options[arg.Key] = arg.SingleVal(t)
		}
	}
	switch {
	case board != "":
		open = host.ofBoard(system, host.boardFiles(board))
	case system != "aar" && attested:
		open = host.attestedOf(system)
	case system != "aar":
		open = host.ofSystem(system)
	}
	return open("transcript", seed, options)
}

func (c *harness) transcribe(d *datadriven.TestData) string {
	c.seat = campaign.UmpireSeat
	d.MaybeScanArgs(c.t.(*testing.T), "seat", &c.seat)
	switch d.Cmd {
	case "submit":
		return c.submit(d.Input)
	case "check":
		return c.checked(d.Input)
	case "correct":
		var b strings.Builder
		a, err := c.correct(c.lastOf(rest(d), ""), d.Input)
		c.tell(&b, a, err)
		return b.String()
	case "keep":
		var b strings.Builder
		k := correction(c.t, c.lastOf(rest(d), ""), d.Input)
		k.Default = review.Keep
		a, err := c.umpire.Correct(c.id.ID, k)
		c.tell(&b, a, err)
		return b.String()
	case "why":
		return c.why(rest(d))
	case "hand":
		return c.shadow().hold(rest(d))
	case "state":
		return c.state()
	case "undo":
		return c.undone(rest(d))
	case "slips":
		return c.slips()
	case "restart":
		c.reopen()
		return c.state()
	}
	return "unknown command " + d.Cmd
}

func (c *harness) undone(event string) string {
	var b strings.Builder
	slips, err := c.umpire.Undoables(c.id.ID)
	if err != nil {
		return err.Error()
	}
	slips = slices.DeleteFunc(slips, func(s review.Undoable) bool { return s.Verb == "undo" })
	if event == "" && len(slips) == 0 {
		last, why, err := c.umpire.LastBlocking(c.id.ID)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprintf("nothing: with #%d (%s) %s\n", last.Index, last.Type, why)
	}
	if event == "" {
		event = fmt.Sprint(slips[0].First)
	}
	n, err := strconv.ParseUint(event, 10, 64)
	if err != nil {
		return err.Error()
	}
	a, err := c.umpire.Undo(c.id.ID, n, "a slip")
	c.tell(&b, a, err)
	if findings, _ := c.tried(); len(findings) > 0 {
		c.t.Error(findings)
	}
	if err := c.umpire.SameAsFolded(c.id.ID); err != nil {
		c.t.Error(err)
	}
	return b.String()
}

func (c *harness) slips() string {
	var b strings.Builder
	list, err := c.umpire.Undoables(c.id.ID)
	for _, s := range list {
		fmt.Fprintf(&b, "%d to %d: %s %s\n", s.First, s.Last, s.Verb, s.Command)
	}
	if err != nil {
		b.WriteString(err.Error())
	}
	return b.String()
}

// rest is the rest of the command line.
func rest(d *datadriven.TestData) string {
	return strings.Join(rules.Each(d.CmdArgs, func(a datadriven.CmdArg) string { return a.Key }), " ")
}

func (c *harness) checked(text string) string {
	commands, err := c.entries(text)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	before := c.at().Next
	for _, command := range commands {
		a, err := c.umpire.Check(c.id.ID, command)
		if err != nil {
			fmt.Fprintf(&b, "error: %v\n", err)
			break
		}
		fmt.Fprintf(&b, "%s: %s, unchecked %t\n", command.ID, a.Verdict, a.Unchecked)
		for _, v := range a.Violations {
			fmt.Fprintf(&b, "! %s %s\n", v.Rule, v.Message)
		}
		if a.Verdict == rules.Refused {
			break
		}
	}
	if now := c.at().Next; now != before {
		fmt.Fprintf(&b, "a check appended %d events\n", now-before)
	}
	return b.String()
}

// state tells the campaign as its umpire knows it.
func (c *harness) state() string {
	at, s := c.at(), c.shadow()
	turn, phase := at.Game.TurnNow()
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %d events, epoch %d\n", turn.Label, phase, at.Next, at.Epoch)
	b.WriteString(s.economy.state())
	for _, side := range at.System.Sides {
		if at.System.Name != "awaw" {
			break // no cards
		}
		h := s.side(side)
		fmt.Fprintf(&b, "%s: %d cards,", side, h.size)
		for _, card := range slices.Sorted(maps.Keys(h.pool)) {
			fmt.Fprintf(&b, " %d %s", h.pool[card], card)
		}
		fmt.Fprintf(&b, "; %d RPs\n", h.points)
	}
	if at.Open != nil {
		fmt.Fprintf(&b, "open: %s: %s\n", at.Open.Of(), at.Open.Text())
	}
	return b.String()
}
