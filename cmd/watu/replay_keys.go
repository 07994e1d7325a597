package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/projections/document"
)

// order is what a key or a line asks for.
type order func(p *player, ctx context.Context) error

// errQuit ends the way.
var errQuit = errors.New("enough")

func stepping(by string, back bool) order {
	return func(p *player, ctx context.Context) error {
		if by == "event" || by == "phase" || by == "turn" {
			p.by = by
		}
		return p.step(ctx, by, back)
	}
}

func onward(back bool) order {
	return func(p *player, ctx context.Context) error { return p.step(ctx, p.by, back) }
}

// orders are those of one letter. A capital goes back.
var orders = map[string]order{
	"n": onward(false), "b": onward(true),
	"e": stepping("event", false), "E": stepping("event", true),
	"p": stepping("phase", false), "P": stepping("phase", true),
	"t": stepping("turn", false), "T": stepping("turn", true),
	"d": stepping("dispute", false), "D": stepping("dispute", true),
	"u": stepping("unlikely", false), "U": stepping("unlikely", true),
	"v": (*player).toggle, "m": (*player).more,
	"?": func(p *player, _ context.Context) error { p.help(); return nil },
	"q": func(*player, context.Context) error { return errQuit },
}

// spelled are the orders that a line may spell out.
var spelled = map[string]string{"next": "n", "back": "b", "views": "v", "more": "m", "help": "?", "quit": "q"}

// help lists keys and lines.
func (p *player) help() {
	p.page.Heading("Keys, and lines of the same letters")
	for _, h := range [][2]string{
		{"n, space, →", "the next stop, by " + p.by + " now"},
		{"b, ←", "the stop before"},
		{"e p t", "the next event, phase, turn, and go on by those"},
		{"E P T", "the one before"},
		{"d D", "where the next dispute was opened, the one before"},
		{"u U", "the next throw far from expectation, the one before"},
		{"g", "go to: 57 or #57, Winter 1941, dispute 120; as a line without g"},
		{"as SIDE", "look as a side, as umpire or as public (after g, or as a line)"},
		{"v", "show the views, or leave them out"},
		{"m", "all of a stop of which the screen shows the beginning"},
		{"q", "end"},
	} {
		p.page.Flow(fmt.Sprintf("  %-13s", h[0]), strings.Repeat(" ", 15), terminal.Plain(h[1]))
	}
}

// toggle shows the views or leaves them out.
func (p *player) toggle(context.Context) error {
	p.plain = !p.plain
	p.show(func() { p.print(p.here, false) })
	return nil
}

// obey does what a line asks for.
func (p *player) obey(ctx context.Context, line string) error {
	line = cmp.Or(strings.TrimSpace(line), "n")
	if letter, ok := spelled[line]; ok {
		line = letter
	}
	if do, ok := orders[line]; ok {
		return do(p, ctx)
	}
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case rest == "":
	case word == "by":
		if err := oneOf("way", rest, "event", "phase", "turn"); err != nil {
			return err
		}
		return stepping(rest, false)(p, ctx)
	case word == "as":
		return p.lookAs(ctx, rest)
	case word == "dispute":
		line = "dispute:" + rest
	case word == "turn":
		err := p.goTo(ctx, "turn:"+line, true) // some games call their turns so
		if isInput(err) {
			err = p.goTo(ctx, "turn:"+rest, true)
		}
		return err
	case word == "event":
		line = rest
	}
	return p.goTo(ctx, line, true)
}

// lookAs looks at the same stop as somebody else.
func (p *player) lookAs(ctx context.Context, as string) error {
	was := p.as
	p.as = as
	err := p.goTo(ctx, count(p.here.Event), false)
	if isInput(err) {
		p.as = was
	}
	return err
}

// obeyLines does what the lines of the input say, and reports whether there were any.
func (p *player) obeyLines(ctx context.Context, in io.Reader) (obeyed bool, err error) {
	lines := make(chan string)
	go func() { // reading does not end with ctx
		defer close(lines)
		for scan := bufio.NewScanner(in); scan.Scan(); {
			lines <- scan.Text()
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return obeyed, ctx.Err()
		case line, more := <-lines:
			if !more {
				return obeyed, nil
			}
			obeyed = true
			p.page.Line("> " + document.Printable(line))
			switch err := p.stays(p.obey(ctx, line)); {
			case errors.Is(err, errQuit):
				return obeyed, nil
			case err != nil:
				return obeyed, err
			}
		}
	}
}

// foot is what stands below a stop where keys lead on.
const foot = "n next  b back  e/p/t by event, phase, turn  u unlikely  d dispute  g go  ? q"

// obeyKeys does what keys say until one says that it is enough.
func (p *player) obeyKeys(ctx context.Context, in *os.File) error {
	keys := bufio.NewReader(in)
	for {
		p.page.Line(p.page.Paint(terminal.InkFaint, foot))
		key, err := p.key(in, keys)
		if err != nil {
			return err
		}
		if _, known := orders[key]; !known && key != "g" {
			continue
		}
		if key == "g" {
			if key, err = p.where(in, keys); err != nil || key == "" {
				continue
			}
		}
		switch err := p.stays(p.obey(ctx, key)); {
		case errors.Is(err, errQuit):
			return nil
		case err != nil:
			return err
		}
	}
}

// key waits for a key: arrows and the space are read as the letters that do the same.
func (p *player) key(in *os.File, keys *bufio.Reader) (string, error) {
	raw, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return "", err
	}
	defer func() { _ = term.Restore(int(in.Fd()), raw) }()
	b, err := keys.ReadByte()
	switch {
	case errors.Is(err, io.EOF):
		return "q", nil
	case err != nil:
		return "", err
	case b == 3 || b == 4: // Ctrl-C, Ctrl-D
		return "q", nil
	case b == ' ' || b == '\r' || b == '\n':
		return "n", nil
	case b == 27 && keys.Buffered() >= 2: // an arrow comes in one piece
		_, _ = keys.ReadByte()
		arrow, _ := keys.ReadByte()
		return map[byte]string{'C': "n", 'B': "n", 'D': "b", 'A': "b"}[arrow], nil
	}
	return string(b), nil
}

// where asks for a place to go to, empty for none.
func (p *player) where(in *os.File, keys *bufio.Reader) (string, error) {
	raw, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return "", err
	}
	defer func() { _ = term.Restore(int(in.Fd()), raw) }()
	return term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{keys, p.out}, "go to: ").ReadLine()
}
