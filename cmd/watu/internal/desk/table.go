package desk

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// seatOf is the seat in whose name a viewer speaks; empty for none.
func seatOf(list []campaign.Seat, v timeline.Viewer) string {
	if v.As == timeline.Umpire {
		return campaign.UmpireSeat
	}
	s, _ := rules.Find(list, func(s campaign.Seat) bool {
		return s.Role == campaign.RolePlayer && slices.Contains(s.Sides, v.As)
	})
	return s.Name
}

// atTable asks for the dice of the open roll, or for the word of another seat than the one that typed them.
func (m *Move) atTable(at *campaign.Campaign, v timeline.Viewer) {
	roll, seat := at.Open.Roll, seatOf(at.Seats, v)
	if typed, ok := at.Open.AnsweredBy(campaign.VerbConfirm); ok {
		m.Asked = typed
		m.Typed = seat == roll.By
	} else {
		m.Asked, _ = at.Open.AnsweredBy(campaign.VerbDice)
		m.Throws = roll.Throws()
	}
	signs := func(seat string) bool {
		_, keyed := at.KeyOf(seat)
		return keyed || at.Signed
	}
	if v.As != timeline.Umpire {
		m.Mine, m.Signs = m.Mine && !m.Typed, seat != "" && signs(seat)
		return
	}
	m.By = slices.DeleteFunc(slices.Clone(roll.Seats), func(s string) bool {
		return s == campaign.UmpireSeat || s == roll.By || signs(s) && !at.Proxy
	})
}

// dice are how the throws fell, as they were typed: a text for each throw.
func (m *Move) dice(typed []string) (fell [][]int, err error) {
	if len(typed) != len(m.Throws) {
		return nil, problem.New(problem.Input, "say how the dice of each throw fell")
	}
	for i, text := range typed {
		dice := []int{}
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ',' }) {
			n, err := strconv.Atoi(word)
			if err != nil {
				return nil, problem.New(problem.Input, "%s: %q is no die: write the numbers that fell, such as 3 4",
					m.Throws[i], word)
			}
			dice = append(dice, n)
		}
		fell = append(fell, dice)
	}
	return fell, nil
}

// inName adds to what the umpire types at the table in whose name he types it.
func (m *Move) inName(body map[string]any, by string) {
	if slices.Contains(m.By, by) {
		body["by"] = by
	}
}
