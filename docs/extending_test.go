package docs

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// TestExtending: the files that docs/extending.md names are there, and its numbers hold.
func TestExtending(t *testing.T) {
	text, err := os.ReadFile("extending.md")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(\.\./([^)]*)\)|` + "`((?:cmd|rules|replay|docs|events)/[a-z/._]*)`")
	for _, m := range link.FindAllStringSubmatch(string(text), -1) {
		if name := m[1] + m[2]; name != "" {
			if _, err := os.Stat("../" + name); err != nil {
				t.Errorf("the page names %s: %v", name, err)
			}
		}
	}
	naming := map[string][]string{} // files of the program, by what they import or name
	files := map[string]string{}
	for _, f := range goFiles(t) {
		if f.test() || strings.Contains(f.dir, "recordtest") || strings.HasPrefix(f.dir, "fixtures") {
			continue
		}
		name := f.dir + "/" + f.name
		files[name] = textOf(t, f)
		for _, i := range f.ast.Imports {
			path := strings.TrimPrefix(strings.Trim(i.Path.Value, `"`), "github.com/watu-ledger/watu/")
			naming[path] = append(naming[path], name)
		}
	}
	for _, system := range []string{"aar", "awaw", "eots", "g40"} {
		if list := naming["rules/"+system]; !slices.Equal(list, []string{"rules/all/all.go"}) {
			t.Errorf("rules/%s is imported by %v, not by rules/all alone", system, list)
		}
	}
	for _, p := range events.Payloads() {
		name := reflect.TypeOf(p).Elem().Name()
		n, old := standsIn(files, name, string(p.Type())), slices.Contains(inMoreFiles, name)
		if n > mostFilesOfType != old {
			t.Errorf("events of type %s stand in %d files; at most %d are wanted, and inMoreFiles lists those in more",
				p.Type(), n, mostFilesOfType)
		}
	}
}

// A type of event stands in at most nine files of the program, of which one says it in languages. These, which are
// older, stand in more.
const mostFilesOfType = 9

var inMoreFiles = strings.Fields(`
	CampaignOpened SeatTaken EpochBegun TurnAdvanced PhaseAdvanced FactReported DrawDeclared CardsDrawn
	ContestOpened CardPlayed PlayCommitted CardNegated ContestSettled RollDeclared DiceTyped DiceDenied
	DiceRolled ResultAdjudicated ChoiceAsked ChoiceMade Referred OptionRuled Opened Corrected ConsequenceKept
	SubmarinesReported EconomicAttackMade ConvoyRaided IncomeCollected UnitsPurchased UnitsReported UnitsLost
	HeadquartersReported TargetsReported BasePlaced BaseDisplaced StrategyCardsDrawn FacilitiesReported
	FacilityDamaged FacilitiesRepaired FacilityBuilt TerritoryCaptured UnitsMobilized ResearchPaid
	ConvoyDisrupted SubmarinesHunted DisputeOpened StatementMade EvidenceBrought DisputeRuled Voided Compensated
	EditionMoved RulesChanged RollLapsed AircraftLanded`)

// standsIn counts the files that name a type of event, by its struct or its kind.
func standsIn(files map[string]string, name, kind string) (n int) {
	own := regexp.MustCompile(`\b` + name + `\b`)
	for file, text := range files {
		named := strings.Contains(text, strconv.Quote(kind)) || strings.Contains(text, name) &&
			(strings.HasPrefix(file, "events/") || strings.Contains(text, "events."+name)) && own.MatchString(text)
		if named {
			n++
		}
	}
	return n
}

func textOf(t *testing.T, f goFile) string {
	t.Helper()
	text, err := os.ReadFile("../" + f.dir + "/" + f.name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
