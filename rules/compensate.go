package rules

import (
	"strings"

	"github.com/watu-ledger/watu/events"
)

// VerbCompensate is the key of the entry with which the umpire makes good what cannot be corrected.
// It is known in every system; what it gives or takes is the system's own.
const VerbCompensate = "compensate"

// Compensation begins what a compensation records: why it is given, and the dispute that it
// settles, 0 for none. Without a reason it is refused: nothing else in the record says why.
func (h *Hearing) Compensation(reason string, dispute int) (events.Compensated, bool) {
	p := events.Compensated{Reason: strings.TrimSpace(reason), Dispute: uint64(max(0, dispute))}
	switch {
	case p.Reason == "":
		h.ViolateField("compensate.reason", Input, "a compensation has a reason, in a sentence: write reason: …")
	case dispute < 0:
		h.ViolateField("compensate.dispute", Input,
			"dispute: %d is no event; give the index of the dispute's opening, or leave it out", dispute)
	}
	return p, !h.Refused()
}

// NothingGiven refuses a compensation that gives and takes nothing. Example shows one that does.
func (h *Hearing) NothingGiven(example string) {
	h.ViolateField(VerbCompensate, Input,
		"this gives nothing and takes nothing: write, say, compensate: {%s, reason: …}", example)
}
