package eots

import "github.com/watu-ledger/watu/rules"

// fewestCards is the hand under which submarines and B-29s never bring Japan (11.4).
const fewestCards = 4

// CardDrawInput is Japan's Strategy Card draw, in cards.
type CardDrawInput struct {
	BaseDraw     int     `json:"base_draw"`
	Successful   int     `json:"successful_sub_bases"`
	B29Reduction int     `json:"b29_reduction"`
	Options      Options `json:"options"`
}

// CardDrawOutcome is what is drawn, and what was to be and was taken off.
type CardDrawOutcome struct {
	Reduction        int `json:"reduction"`
	Draw             int `json:"draw"`
	ReductionApplied int `json:"reduction_applied"`
}

// CardDraw rules on how many Strategy Cards Japan draws (11.23, 11.4).
func CardDraw(in CardDrawInput) (CardDrawOutcome, rules.Findings) {
	var f rules.Findings
	out := CardDrawOutcome{Reduction: in.Successful + in.B29Reduction}
	f.Cite("EOTS-11.23-1", "successful Sub Bases cut the draw by one card each: %d; B-29s by %d", in.Successful,
		in.B29Reduction)
	out.Draw = min(in.BaseDraw, max(fewestCards, in.BaseDraw-out.Reduction))
	out.ReductionApplied = in.BaseDraw - out.Draw
	f.Cite("EOTS-11.23-2", "%d less %d, never cut below %d: %d are drawn", in.BaseDraw, out.Reduction, fewestCards,
		out.Draw)
	if in.BaseDraw < fewestCards {
		f.Cite("AMB-EOTS-8", "the draw was %d before any cut, and is not raised to %d", in.BaseDraw, fewestCards)
	}
	return out, f
}
