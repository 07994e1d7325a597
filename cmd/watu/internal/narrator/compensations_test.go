package narrator

import (
	"testing"

	"github.com/watu-ledger/watu/events"
)

func TestCompensations(t *testing.T) {
	sentences(t, "", map[string]events.Payload{
		"UK is given 2 IPCs in compensation (dispute #80): a raid was " +
			"overlooked.": &events.Compensated{What: "treasury", Of: "UK", By: 2, Reason: "a raid was overlooked",
			Dispute: 80},
		"UK gives 1 IPC in " +
			"compensation: a slip.": &events.Compensated{What: "treasury", Of: "UK", By: -1, Reason: "a slip"},
		"Britain takes back the ASW card of #57 in compensation: the " +
			"contest was void.": &events.Compensated{What: "card", Of: "Britain", Subject: "asw", By: 1, Played: 57,
			Reason: "the contest was void"},
		"1 submarine factor in the Atlantic box is restored in " +
			"compensation: a slip.": &events.Compensated{What: "factors", Of: "Atlantic", Subject: "submarines", By: 1,
			Reason: "a slip"},
		"2 ASW factors in the Pacific box are taken in compensation: a slip.": &events.Compensated{What: "factors",
			Of: "Pacific", Subject: "asw", By: -2, Reason: "a slip"},
		"Japan is given 1 Strategy Card in compensation: a slip.": &events.Compensated{What: "figure",
			Of: "Japan", Subject: "strategy cards", By: 1, Reason: "a slip"},
		"The Allies are given 2 Strategy Cards in compensation: a slip.": &events.Compensated{What: "figure",
			Of: "Allies", Subject: "strategy cards", By: 2, Reason: "a slip"},
		"The SWM goes down by 1 in compensation: a slip.": &events.Compensated{What: "figure", Of: "Allies",
			Subject: "SWM", By: -1, Reason: "a slip"},
		"Divisions in China go up by 2 in compensation: a slip.": &events.Compensated{What: "figure", Of: "Japan",
			Subject: "divisions in China", By: 2, Reason: "a slip"},
		"Wilkes goes back to the map in compensation: a slip.": &events.Compensated{What: "base", Of: "Allies",
			Subject: "Wilkes", By: 1, Reason: "a slip"},
	})
}
