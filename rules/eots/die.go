package eots

import "github.com/watu-ledger/watu/rules"

// checkDie refuses a face that the ten-sided die does not show: 0 to 9 (EOTS-11.22.A-6), or 1 to 10
// where it is read so (AMB-EOTS-1).
func checkDie(f *rules.Findings, field string, die int, o Options) {
	low, high := o.faces()
	if die < low || die > high {
		f.ViolateField(field, rules.Input, "%s: the ten-sided die is read %d to %d here, so it cannot show %d", field,
			low, high, die)
	}
}

func (o Options) faces() (low, high int) {
	if o.Die == "1-10" {
		return 1, 10
	}
	return 0, 9 // EOTS-11.22.A-6
}

// citeDie says how the die is read.
func citeDie(f *rules.Findings, o Options) {
	if o.Die == "1-10" {
		f.Cite("AMB-EOTS-1", "the ten-sided die is read 1 to 10")
		return
	}
	f.Cite("EOTS-11.22.A-6", "the die is ten-sided and read 0 to 9")
}
