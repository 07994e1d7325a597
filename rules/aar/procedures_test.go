package aar

import (
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
	"github.com/watu-ledger/watu/rules/requests"
)

func convoyRaid() rules.Procedure { return Procedures()[0] }

func TestSchemas(t *testing.T) { rulestest.Schemas(t, Procedures()) }

func TestSheets(t *testing.T) { rulestest.Sheets(t, files) }

// TestSamples runs the samples of the contract.
func TestSamples(t *testing.T) { rulestest.Cases(t, "samples", Procedures()) }

// TestCases runs cases that were written without sight of the code.
func TestCases(t *testing.T) { rulestest.Cases(t, "cases", Procedures()) }

// TestRulings: the rulings of rules 5, 6 and 7, as one would read them.
func TestRulings(t *testing.T) { rulestest.Rulings(t, "aar", Procedures()) }

func TestPinned(t *testing.T) { rulestest.Pinned(t, System()) }

func FuzzAdjudicate(f *testing.F) { rulestest.FuzzAdjudicate(f, Procedures(), "samples", "cases") }

// FuzzRaid: what a ruling on raids says adds up.
func FuzzRaid(f *testing.F) {
	for _, c := range refusals {
		f.Add([]byte(c.request))
	}
	f.Add([]byte(atSea("UK", u1, ``)))
	f.Fuzz(func(t *testing.T, request []byte) {
		out, ok := requests.Adjudicate(convoyRaid(), request).Outcome.(RaidOutcome)
		sum := 0
		for _, damage := range out.DamageByTerritory {
			sum += damage
		}
		if ok && sum != out.Damage {
			t.Errorf("%d by territory, %d in all", sum, out.Damage)
		}
	})
}
