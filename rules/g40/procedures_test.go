package g40

import (
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

func TestSchemas(t *testing.T) { rulestest.Schemas(t, Procedures()) }

// TestSamples runs the samples of the contract.
func TestSamples(t *testing.T) { rulestest.Cases(t, "samples", Procedures()) }

// TestCases runs cases that were written without sight of the code.
func TestCases(t *testing.T) { rulestest.Cases(t, "cases", Procedures()) }

func TestSheets(t *testing.T) { rulestest.Sheets(t, files) }

func FuzzAdjudicate(f *testing.F) { rulestest.FuzzAdjudicate(f, Procedures(), "samples", "cases") }

// TestEditions: edition 3 is the text as it stands, which is edition 1 but for what its ledger carries; 4 is to 3,
// 6 to 5, 8 to 7, 10 to 9 and 12 to 11 as 2 is to 1: the later texts have another air battle and another bombing
// (AMB-G40-3).
func TestEditions(t *testing.T) {
	named := map[string]rules.Edition{}
	for _, e := range Editions() {
		named[e.Name] = e
	}
	for _, o := range OptionList() {
		if first := Editions()[0].Default(o.Name); first != o.Default() {
			t.Errorf("%s is %s in the first edition listed, by default %s", o.Name, first, o.Default())
		}
		for _, pair := range [][2]string{{"1", "2"}, {"3", "4"}, {"5", "6"}, {"7", "8"}, {"9", "10"}, {"11", "12"}} {
			was, is := named[pair[0]].Default(o.Name), named[pair[1]].Default(o.Name)
			if (was != is) != (o.Ambiguity == "AMB-G40-3") {
				t.Errorf("%s is %s in edition %s and %s in edition %s", o.Name, was, pair[0], is, pair[1])
			}
		}
		for _, pair := range [][2]string{{"1", "3"}, {"2", "4"}} {
			was, is := named[pair[0]].Default(o.Name), named[pair[1]].Default(o.Name)
			if was != is && o.Before == "" {
				t.Errorf("%s is %s in edition %s and %s in edition %s", o.Name, was, pair[0], is, pair[1])
			}
		}
	}
}
