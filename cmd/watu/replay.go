package main

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

func (t *tool) replayCommand() *cobra.Command {
	p := &player{tool: t}
	at, turn, dispute := "", "", ""
	c := &cobra.Command{
		Use: "replay CAMPAIGN", Short: "Go through a campaign, forwards and backwards", Args: takes("CAMPAIGN"),
		Long: "Go through a campaign by turns, phases or events: what happened since the last\n" +
			"stop, how all views stood, and what changed, as the public could know it then,\n" +
			"or one side, or the umpire. In a terminal keys lead forwards and backwards, to\n" +
			"a turn, an event, a dispute, or the next throw far from expectation: ? lists\n" +
			"them. Lines on standard input do the same. Without either, and with --from,\n" +
			"--to, --backwards or --json, every stop is printed.",
		Example: "  watu replay two-oceans-1941 --as UK\n  watu replay two-oceans-1941 --by phase --from 'Round 2' " +
			"--to 'Round 3' --json\n  printf 'turn Round 3\\nu\\nb\\n' | watu replay two-oceans-1941",
		RunE: func(c *cobra.Command, args []string) error {
			p.campaign = args[0]
			if err := oneOf("way", p.by, "event", "phase", "turn"); err != nil {
				return err
			}
			start, err := oneStart(at, turn, dispute)
			if err != nil {
				return err
			}
			if start != "" && p.listed() {
				return input("--at, --turn and --dispute begin a way with keys or lines; name the first stop of a " +
					"list with --from")
			}
			return t.with(c.Context(), "replay", false, func(o *api.Client) error {
				p.o = o
				return p.play(c.Context(), start)
			})
		},
	}
	f := c.Flags()
	f.StringVar(&p.by, "by", "turn", "stop after every event, phase or turn")
	f.StringVar(&p.as, "as", "", "a side, umpire or public (default what the public could know)")
	f.StringVar(&at, "at", "", "begin after this event")
	f.StringVar(&turn, "turn", "", "begin at the end of this turn")
	f.StringVar(&dispute, "dispute", "", "begin where this dispute was opened")
	f.StringVar(&p.from, "from", "", "print every stop from this `event or turn`")
	f.StringVar(&p.to, "to", "", "to this `event or turn`")
	f.BoolVar(&p.backwards, "backwards", false, "print every stop, the last first")
	f.StringVar(&p.unlikely, "unlikely", "", "how rare a throw is that counts as far from expectation (default 0.05)")
	f.BoolVar(&p.asJSON, "json", false, "print JSON, one object a stop")
	return c
}

// oneStart gives the one place to begin at, empty for none.
func oneStart(at, turn, dispute string) (string, error) {
	given := 0
	for _, place := range []string{at, turn, dispute} {
		if place != "" {
			given++
		}
	}
	if given > 1 {
		return "", input("--at, --turn and --dispute name places to begin at: one is enough")
	}
	switch {
	case at != "":
		_, err := eventNumber(at)
		return at, err
	case dispute != "":
		_, err := eventNumber(dispute)
		return "dispute:" + dispute, err
	case turn != "":
		return "turn:" + turn, nil
	}
	return "", nil
}

// player goes through a campaign.
type player struct {
	*tool
	o                                    *api.Client
	campaign, as, by, unlikely, from, to string
	backwards                            bool

	here  timeline.Moment
	plain bool   // the views are not shown
	keyed bool   // by somebody at a terminal, who sees a screen at a time
	whole []byte // of the last stop, what did not fit on the screen with it
}

// listed reports whether every stop is asked for.
func (p *player) listed() bool { return p.asJSON || p.from != "" || p.to != "" || p.backwards }

// play goes through the campaign in the way that suits where its output goes and its input comes from.
func (p *player) play(ctx context.Context, start string) error {
	if p.listed() {
		return p.paged(func() error { return p.list(ctx) })
	}
	keys, hasKeys := p.terminal()
	lines, hasLines := p.script()
	if !hasKeys && !hasLines {
		if start != "" {
			return p.paged(func() error { return p.goTo(ctx, start, false) })
		}
		return p.paged(func() error { return p.list(ctx) })
	}
	p.keyed = hasKeys
	first := func() error { return p.step(ctx, p.by, false) }
	if start != "" {
		first = func() error { return p.goTo(ctx, start, false) }
	}
	if err := first(); err != nil {
		return err
	}
	if hasKeys {
		return p.obeyKeys(ctx, keys)
	}
	obeyed, err := p.obeyLines(ctx, lines)
	if err != nil || obeyed || start != "" {
		return err
	}
	return p.listOn(ctx, ^uint64(0)) // nobody steers
}

// terminal gives the terminal that a person sits at.
func (p *player) terminal() (*os.File, bool) {
	in, isIn := p.in.(*os.File)
	out, isOut := p.out.(*os.File)
	return in, isIn && isOut && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(in.Fd())) &&
		term.IsTerminal(int(out.Fd()))
}

// script gives the input whose lines are commands: a pipe or a file, or a terminal without keys.
func (p *player) script() (*os.File, bool) {
	in, ok := p.in.(*os.File)
	if !ok {
		return nil, false
	}
	if term.IsTerminal(int(in.Fd())) {
		out, isOut := p.out.(*os.File)
		return in, isOut && term.IsTerminal(int(out.Fd()))
	}
	stat, err := in.Stat()
	return in, err == nil && stat.Mode()&os.ModeDevice == 0
}

// ask gives a stop.
func (p *player) ask(ctx context.Context, q url.Values) (timeline.Moment, error) {
	if !q.Has("by") {
		q.Set("by", p.by)
	}
	q.Set("as", p.as)
	q.Set("unlikely", p.unlikely)
	var m timeline.Moment
	err := p.o.Query(ctx, &m, q, "campaigns", p.campaign, "moment")
	return m, err
}

// arrive prints a stop.
func (p *player) arrive(m timeline.Moment, jumped bool) error {
	p.here = m
	if p.asJSON {
		for i := range m.Views {
			m.Views[i].Tables = nil
		}
		return p.json(m)
	}
	p.show(func() { p.print(m, jumped) })
	return nil
}

// step goes to the next stop of a kind, or to the one before.
func (p *player) step(ctx context.Context, by string, back bool) error {
	q := url.Values{"by": {by}}
	if p.here.Events != 0 {
		q.Set("from", count(p.here.Events))
	}
	if back {
		q.Set("back", "1")
	}
	m, err := p.ask(ctx, q)
	if err != nil {
		return err
	}
	return p.arrive(m, by == "dispute" || by == "unlikely")
}

// goTo goes to a place, and compares with where one was if jumped says so.
func (p *player) goTo(ctx context.Context, place string, jumped bool) error {
	q := url.Values{"at": {place}}
	if jumped {
		q.Set("from", count(p.here.Events))
	}
	m, err := p.ask(ctx, q)
	if err != nil {
		return err
	}
	return p.arrive(m, jumped)
}

// show prints a stop: at a terminal as much of it as fits on the screen, and how the rest is read.
func (p *player) show(print func()) {
	out, ok := p.page.Out.(*os.File)
	if !p.keyed || !ok {
		print()
		return
	}
	var b bytes.Buffer
	p.page.Out = &b
	print()
	p.page.Out, p.whole = out, nil
	_, high, err := term.GetSize(int(out.Fd()))
	if err != nil || high < 8 {
		high = 24
	}
	lines := bytes.SplitAfter(b.Bytes(), []byte("\n"))
	if room := high - 2; len(lines) > room+1 { // the note, and the prompt
		p.whole = b.Bytes()
		_, _ = out.Write(bytes.Join(lines[:room-1], nil))
		p.page.Text("… %d more lines: m shows all of this stop, v leaves the views out or shows them",
			len(lines)-room)
		return
	}
	_, _ = out.Write(b.Bytes())
}

// more shows all of a stop that did not fit on the screen.
func (p *player) more(context.Context) error {
	if p.whole == nil {
		p.page.Line("That was all of this stop.")
		return nil
	}
	return p.paged(func() error {
		_, err := p.page.Out.Write(p.whole)
		return err
	})
}

func count(n uint64) string { return strconv.FormatUint(n, 10) }

// list prints every stop from the one place to the other.
func (p *player) list(ctx context.Context) error {
	end := ^uint64(0)
	if p.backwards {
		end = 0
	}
	if p.to != "" {
		m, err := p.ask(ctx, url.Values{"at": {p.to}})
		if err != nil {
			return err
		}
		end = m.Events
	}
	q := url.Values{}
	if p.backwards {
		q.Set("back", "1")
	}
	if p.from != "" {
		q.Set("at", p.from)
	}
	m, err := p.ask(ctx, q)
	if err != nil {
		return err
	}
	if p.to != "" && p.from != "" && (!p.backwards && m.Events > end || p.backwards && m.Events < end) {
		return input("--from %s is behind --to %s on the way: exchange them, or see --backwards", p.from, p.to)
	}
	if p.beyond(m.Events, end) {
		if m, err = p.ask(ctx, url.Values{"at": {p.to}}); err != nil {
			return err
		}
	}
	if err := p.arrive(m, false); err != nil {
		return err
	}
	return p.listOn(ctx, end)
}

// beyond reports whether a stop lies behind the end of the way.
func (p *player) beyond(at, end uint64) bool {
	if p.backwards {
		return at < end
	}
	return at > end
}

// listOn prints every stop after the one printed last, up to end, which is one itself.
func (p *player) listOn(ctx context.Context, end uint64) error {
	for p.here.Events != end {
		if p.backwards && p.here.First || !p.backwards && p.here.Last {
			return nil
		}
		q := url.Values{"from": {count(p.here.Events)}}
		if p.backwards {
			q.Set("back", "1")
		}
		m, err := p.ask(ctx, q)
		if err != nil {
			return err
		}
		if p.beyond(m.Events, end) {
			if m, err = p.ask(ctx, url.Values{"from": q["from"], "at": {p.to}}); err != nil {
				return err
			}
		}
		if err := p.arrive(m, false); err != nil {
			return err
		}
	}
	return nil
}

// stays says what is wrong with where somebody wanted to go, if that is all that is wrong.
func (p *player) stays(err error) error {
	if isInput(err) {
		p.page.Text("%s.", problem.Of(err).Message)
		return nil
	}
	return err
}

func isInput(err error) bool {
	var p *problem.Problem
	return errors.As(err, &p) && p.Kind == problem.Input
}
