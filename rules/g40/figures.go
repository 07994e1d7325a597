package g40

import "github.com/watu-ledger/watu/rules"

// most bounds every figure of a request, so that sums stay whole; no figure of the game comes near.
const most = 1_000_000

// checkFigures refuses figures that could not be added up. Fields and figures take turns.
func checkFigures(f *rules.Findings, fields []string, figures ...int) {
	for i, n := range figures {
		if n > most {
			f.ViolateField(fields[i], rules.Input, "%s: %d is given, at most %d is expected", fields[i], n, most)
		}
	}
}
