package aar

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// survey looks a board over. One with the marks of Global 1940 is no board of Revised.
func survey(files []rules.BoardFile) rules.Survey {
	// the boxed game has no Italy
	wanted := slices.DeleteFunc(powerNames(), func(name string) bool { return name == string(Italy) })
	l, ok := axisallies.LookOver(files, wanted, func(name string) (string, bool) {
		return name, slices.Contains(powerNames(), name)
	})
	if !ok {
		return rules.Survey{}
	}
	if marks := l.Marks(); len(marks) > 1 {
		l.Found.Other = "g40"
		l.Found.Misfit = "it has what belongs to Global 1940, and not to Revised: " + strings.Join(marks, ", ")
	}
	l.Complexes("facts: {complexes: {NAME: 1}}")
	if _, err := l.Territory("France"); err != nil {
		l.Lack("the board has no France, and D-Day wants one: an entry {aliases: space France = NAME} names it")
	}
	if _, err := l.SeaZone("SZ 7"); err != nil {
		l.Lack("the board has no SZ 7, and D-Day wants one: an entry {aliases: space SZ 7 = NAME} names it")
	}
	return l.Unsaid()
}
