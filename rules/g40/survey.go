package g40

import (
	"fmt"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
	"github.com/watu-ledger/watu/rules/board"
)

// survey looks a board over. One without any mark of Global 1940 is a board of other rules.
func survey(files []rules.BoardFile) rules.Survey {
	l, ok := axisallies.LookOver(files, sides(), func(name string) (string, bool) {
		if isPacific(name) {
			return string(UnitedKingdom), true
		}
		p, ok := PowerNamed(name)
		return string(p), ok
	})
	if !ok {
		return rules.Survey{}
	}
	if complexes := l.Called(func(s board.Space) bool { return s.Complex != "" }); len(l.Marks()) == 0 {
		l.Found.Other = "aar"
		l.Found.Misfit = "it has none of the marks of Global 1940: no convoy zone, no kamikaze zone, no air base, no " +
			"naval base"
		if len(complexes) > 0 {
			l.Found.Misfit += fmt.Sprintf(", and of its %s none is said to be minor",
				axisallies.Named(complexes, "industrial complex", "industrial complexes"))
		}
	}
	l.Complexes("facts: {facilities: {NAME: [minor ic]}}")
	unmarked(l)
	economies(l)
	return l.Unsaid()
}

// unmarked says which of the marks of Global 1940 a board has not, and how they are reported.
func unmarked(l *axisallies.Look) {
	for _, m := range []struct {
		is        func(board.Space) bool
		none, how string
	}{
		{func(s board.Space) bool { return s.Convoy }, "convoy zone, so no income is disrupted",
			"convoys: {NAME: 1}"},
		{func(s board.Space) bool { return s.AirBase != "" }, "air base, so nobody scrambles",
			"facilities: {NAME: [air base]}"},
		{func(s board.Space) bool { return s.NavalBase != "" }, "naval base", "facilities: {NAME: [naval base]}"},
	} {
		if len(l.Called(m.is)) == 0 {
			l.Lack("the board marks no %s: report them, facts: {%s}", m.none, m.how)
		}
	}
	if len(l.Called(func(s board.Space) bool { return s.Kamikaze })) > 0 {
		return
	}
	var there, missing []string
	for _, island := range kamikazeIslands() {
		if _, err := l.Territory(island); err != nil {
			missing = append(missing, island)
		} else {
			there = append(there, island)
		}
	}
	text := "the board marks no kamikaze zone: they are the sea zones around "
	if len(there) == 0 {
		text = "the board marks no kamikaze zone, and has none of the islands that they are around"
	}
	text += words.And(there)
	if len(missing) > 0 {
		text += fmt.Sprintf("; an entry {aliases: space %s = NAME} names what the board calls otherwise of %s",
			missing[0], words.And(missing))
	}
	l.Lack("%s; or report them, facts: {kamikaze: {SZ 6: 1}}", text)
}

// economies says what a board lacks for the two economies of the United Kingdom.
func economies(l *axisallies.Look) {
	g := game{State: axisallies.State{Board: l.Board}}
	for _, p := range l.Powers() {
		if name := l.TablePower(p.Name); p.Plays && !isPacific(name) {
			g.Powers = append(g.Powers, name)
		}
	}
	if g.united() == "" {
		return
	}
	held := l.Called(g.ofUnited)
	under := l.Called(func(s board.Space) bool { return g.ofUnited(s) && g.economyOf(s) == Pacific })
	if len(held) > 0 && len(under) == 0 {
		l.Lack("the board gives no territory of the United Kingdom to UK Pacific: report which of %s are its, facts: "+
			"{economies: {NAME: Pacific}}", board.Few(held, 6))
	}
	if _, ok := g.capitalOf(Europe); !ok {
		l.Lack("the board has no capital of %s", Europe.title())
	}
	if _, ok := g.capitalOf(Pacific); !ok {
		l.Lack("the board has no capital of %s: an entry {aliases: space Calcutta = NAME} names it", Pacific.title())
	}
}

// ofUnited reports whether a territory belongs to the United Kingdom as the game begins, under either treasury.
func (g game) ofUnited(s board.Space) bool {
	owner := g.Board.TablePower(s.Owner)
	return s.Owner != "" && (owner == g.united() || isPacific(owner))
}
