package g40

import (
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestSurvey: what the rules want of a board is said with names, and one without any mark of Global 1940 is none of
// these.
func TestSurvey(t *testing.T) {
	oceans := System().Survey(rulestest.Board(t, "two-oceans"))
	if oceans.Misfit != "" || len(oceans.Lacks) != 1 || !strings.HasPrefix(oceans.Lacks[0],
		"the set-up has 13 industrial complexes (Eastern United States, France, Germany, India, ") {
		t.Errorf("%+v", oceans)
	}
	straits := System().Survey(rulestest.Board(t, "straits"))
	if straits.Other != "aar" || !strings.Contains(straits.Misfit, "no convoy zone, no kamikaze zone, no air base, no "+
		"naval base, and of its 8 industrial complexes (Caucasus, ") {
		t.Errorf("%+v", straits)
	}
	for _, want := range []string{
		"no power of the board plays as China, Italy, ANZAC or France: if one goes by another name, open with an " +
			"alias file that names every power, with a line power China = NAME",
		"the board marks no convoy zone, so no income is disrupted: report them, facts: {convoys: {NAME: 1}}",
		"the board marks no air base, so nobody scrambles: report them, facts: {facilities: {NAME: [air base]}}",
		"the board marks no kamikaze zone: they are the sea zones around Japan; an entry {aliases: space Okinawa = " +
			"NAME} names what the board calls otherwise of Okinawa, Iwo Jima, Formosa, Marianas and Philippines; or " +
			"report them, facts: {kamikaze: {SZ 6: 1}}",
		"the board gives no territory of the United Kingdom to UK Pacific: report which of Anglo Egypt, Eastern " +
			"Canada, India, United Kingdom are its, facts: {economies: {NAME: Pacific}}",
	} {
		if !slices.Contains(straits.Lacks, want) {
			t.Errorf("%q is not in %q", want, straits.Lacks)
		}
	}
	bare := System().Survey([]rules.BoardFile{{Name: "g.xml", Data: []byte(`<game><info name="G"/>
<map><territory name="Rhine"/><territory name="8 Sea Zone" water="true"/></map>
<playerList><player name="British"/></playerList></game>`)}})
	for _, want := range []string{
		"the board marks no kamikaze zone, and has none of the islands that they are around",
		"the board has no capital of UK Europe",
		"the board has no capital of UK Pacific: an entry {aliases: space Calcutta = NAME} names it",
		"the board places no industrial complex: report them, facts: {facilities: {NAME: [minor ic]}}",
	} {
		if !slices.ContainsFunc(bare.Lacks, func(l string) bool { return strings.HasPrefix(l, want) }) {
			t.Errorf("%q is not in %q", want, bare.Lacks)
		}
	}
}
