package aar

import (
	"testing"

	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestMatrix plays every cell of testdata/matrix.txt (GEN-CARRY).
func TestMatrix(t *testing.T) {
	rulestest.Matrix{Always: []string{"5", "4"}, Quiet: "before its time",
		Open: func(t *testing.T, edition string) *rulestest.Harness {
			c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "straits"), nil)
			c.Stand("turn", `{"turn":"Round 1"}`)
			return c
		}}.Hold(t)
}
