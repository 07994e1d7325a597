package aar

import (
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestSurvey: what the rules want of a board is said with names, and a board of Global 1940 is none of these.
func TestSurvey(t *testing.T) {
	straits := System().Survey(rulestest.Board(t, "straits"))
	if straits.Misfit != "" || len(straits.Lacks) != 1 || !strings.HasPrefix(straits.Lacks[0], "the set-up has 8 "+
		"industrial complexes (Caucasus, Eastern United States, Germany, Japan, Russia, Southern Europe and 2 more)") {
		t.Errorf("%+v", straits)
	}
	oceans := System().Survey(rulestest.Board(t, "two-oceans"))
	for _, mark := range []string{"11 convoy zones (SZ ", "3 kamikaze zones (SZ ", "11 air bases (", " and 5 more)"} {
		if oceans.Other != "g40" || !strings.Contains(oceans.Misfit, mark) {
			t.Errorf("%s: no %q", oceans.Misfit, mark)
		}
	}
	bare := System().Survey([]rules.BoardFile{{Name: "g.xml", Data: []byte(`<game><info name="G"/>
<map><territory name="Rhine"/><territory name="8 Sea Zone" water="true"/></map>
<playerList><player name="British"/><player name="Yamamoto"/></playerList>
<gamePlay><sequence><step name="a" delegate="x" player="British"/><step name="b" delegate="x" player="Yamamoto"/>
</sequence></gamePlay></game>`)}})
	for _, want := range []string{
		"no power of the board plays as US, Russia, Germany or Japan: if one goes by another name, open with an " +
			"alias file that names every power, with a line power US = NAME",
		"Yamamoto plays on the board, and not in these rules",
		"the board places no industrial complex: report them, facts: {complexes: {NAME: 1}}",
		"the board has no France, and D-Day wants one: an entry {aliases: space France = NAME} names it",
		"the board has no SZ 7, and D-Day wants one: an entry {aliases: space SZ 7 = NAME} names it",
		"these territories have no production in the file, and count 0: Rhine",
	} {
		if bare.Misfit != "" || !slices.Contains(bare.Lacks, want) {
			t.Errorf("%q is not in %q", want, bare.Lacks)
		}
	}
	if broken := System().Survey([]rules.BoardFile{{Name: "g.xml", Data: []byte("<game")}}); len(broken.Lacks) > 0 {
		t.Errorf("%+v", broken)
	}
}
