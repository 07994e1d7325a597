package narrator

import (
	"testing"

	"github.com/watu-ledger/watu/events"
)

func TestFigures(t *testing.T) {
	for text, c := range map[string]events.Change{
		"net: 11, would be 12":        {Field: "net", Was: "11", Now: "12"},
		"net of #16: 11, would be 12": {Field: "#16.net", Was: "11", Now: "12"},
		"step 2 of the derivation: A-1: it takes 1, would be nothing": {Field: "derivation[1]", Was: "A-1: it takes 1",
			Now: "nothing"},
		"step 1 of the derivation of #16: A-1: one, would be A-2: two": {Field: "#16.derivation[0]", Was: "A-1: one",
			Now: "A-2: two"},
		"#14 (convoy raided) would not happen":                    {Field: "#14", Was: "convoy raided", Now: "nothing"},
		"before #14 there would be another event (convoy raided)": {Field: "#14", Was: "nothing", Now: "convoy raided"},
		"readings 1, result of #16: 1, would be 2": {Field: "#16.readings[0].result", Was: "1",
			Now: "2"},
	} {
		if got := Figure(c); got != text {
			t.Errorf("got  %s\nwant %s", got, text)
		}
	}
}

func TestCorrected(t *testing.T) {
	sentences(t, "", map[string]events.Payload{
		"Correction of r/uk: it follows from #24.": &events.Corrected{Command: "r/uk", Cause: 24},
		"Correction of r/uk: it follows from #24. #14 no longer stands.": &events.Corrected{
			Command: "r/uk", Cause: 24, Voids: []uint64{14},
		},
		"Correction of r/uk: it follows from #24. #14 to #16 no longer stand.": &events.Corrected{
			Command: "r/uk", Cause: 24, Voids: []uint64{14, 15, 16},
		},
		"#14 and #15 stay as they are recorded, though #24 would change them. Reason: agreed.": &events.ConsequenceKept{
			Cause: 24, Events: []uint64{14, 15}, Reason: "agreed",
		},
	})
}
