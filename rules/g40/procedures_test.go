package g40

import (
	"testing"

	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

func TestSchemas(t *testing.T) { rulestest.Schemas(t, Procedures()) }

// TestSamples runs the samples of the contract.
func TestSamples(t *testing.T) { rulestest.Cases(t, "samples", Procedures()) }

// TestCases runs cases that were written without sight of the code.
func TestCases(t *testing.T) { rulestest.Cases(t, "cases", Procedures()) }

func TestSheets(t *testing.T) { rulestest.Sheets(t, files) }

func FuzzAdjudicate(f *testing.F) { rulestest.FuzzAdjudicate(f, Procedures(), "samples", "cases") }

// TestEditions: the later texts differ from this one in the air battle and the bombing alone
// (AMB-G40-3).
func TestEditions(t *testing.T) {
	list := Editions()
	for _, o := range OptionList() {
		if first := list[0].Default(o.Name); first != o.Default() {
			t.Errorf("%s is %s in edition 1, by default %s", o.Name, first, o.Default())
		}
		if later := list[1].Default(o.Name) != o.Default(); later != (o.Ambiguity == "AMB-G40-3") {
			t.Errorf("%s is %s in edition 2", o.Name, list[1].Default(o.Name))
		}
	}
}
