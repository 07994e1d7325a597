package dashboard

import (
	"regexp"
	"testing"

	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules/all"
)

// The page of a player who signs shows an entry of each system, with a verb that the system has.
func TestJoinExamples(t *testing.T) {
	text, err := templates.ReadFile("templates/join.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all.Systems() {
		m := regexp.MustCompile(`data-` + s.Name + `='([^']+)'`).FindSubmatch(text)
		if m == nil {
			t.Errorf("%s has no example", s.Name)
		} else if _, err := turnfile.ParseEntry("entry", string(m[1]), "", campaign.Verbs(s)); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}
