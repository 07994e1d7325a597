package awaw

import (
	"testing"

	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

func TestSchemas(t *testing.T) { rulestest.Schemas(t, Procedures()) }

// TestSamples runs the samples of the contract.
func TestSamples(t *testing.T) { rulestest.Cases(t, "samples", Procedures()) }

// TestCases runs cases that were written without sight of the code.
func TestCases(t *testing.T) { rulestest.Cases(t, "cases", Procedures()) }

// TestRulings plays the ruling books, each answer with how it follows (GEN-DERIVE).
func TestRulings(t *testing.T) { rulestest.Rulings(t, "awaw", Procedures()) }

func TestPinned(t *testing.T) { rulestest.Pinned(t, System()) }

func FuzzAdjudicate(f *testing.F) { rulestest.FuzzAdjudicate(f, Procedures(), "samples", "cases") }
