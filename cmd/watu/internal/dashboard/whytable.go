package dashboard

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events"
)

// Cut is a printed table as it is shown: the whole of it, or the rows around what was consulted, with
// one row without a label where others are left out.
func (why) Cut(s *service.Sheet, whole bool) service.Sheet {
	out := *s
	out.Rows = nil
	for _, r := range s.Rows {
		switch n := len(out.Rows); {
		case whole || r.Near:
			out.Rows = append(out.Rows, r)
		case n == 0 || out.Rows[n-1].Label != "":
			out.Rows = append(out.Rows, service.SheetRow{})
		}
	}
	return out
}

// Gaps reports whether rows of a table are left out.
func (why) Gaps(s *service.Sheet) bool {
	for _, r := range s.Rows {
		if !r.Near {
			return true
		}
	}
	return false
}

// modifiers are what is added to a roll, and what it comes to.
type modifiers struct {
	W    why
	List []events.Modifier
	Net  int
}

// Modifiers are those of a roll or a result.
func (w why) Modifiers(list []events.Modifier, net int) modifiers { return modifiers{w, list, net} }
