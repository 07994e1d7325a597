package service

import (
	"context"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/situation"
	"github.com/watu-ledger/watu/rules/board"
	"github.com/watu-ledger/watu/rules/g40"
)

// Worth is of what an income's figure of the board is made. Where there is no list, Why says so in a
// sentence: a list that does not come to the figure is never given.
type Worth struct {
	Power       string
	Board       int
	Territories []Held
	Why         string
}

// Held is a territory that a treasury earned from, and what it was worth.
type Held struct {
	Territory string
	IPCs      int
	Event     uint64 // that gave it to its holder; 0 where it was his at the set-up
}

// Worth lists the territories that an income was collected from, as they were held right before it;
// nil for an event that is no income of territories.
func (f *Service) Worth(ctx context.Context, campaign string, index uint64) (*Worth, error) {
	c, err := f.find(campaign)
	if err != nil {
		return nil, err
	}
	e, err := f.event(c.ID, index)
	var p events.IncomeCollected
	if err != nil || !e.Read(&p) || p.Board == 0 {
		return nil, err
	}
	out := &Worth{Power: p.Power, Board: p.Board}
	b, here, err := f.Map(campaign)
	if err != nil || !here {
		out.Why = "The files of the board are not here, so that its territories cannot be listed."
		return out, nil
	}
	x, err := f.reader(ctx, c)
	if err != nil {
		return nil, err
	}
	before := x.history.Versions(index)[0]
	v, err := f.ViewsAt(ctx, campaign, Viewer{As: Public}, before, situation.Projection().Name)
	if err != nil {
		return nil, err
	}
	h := holdings{board: b, changed: map[string]situation.Holding{}, economies: x.economies(before)}
	if v.Situation != nil {
		for _, t := range v.Situation.Territories {
			h.changed[t.Territory] = t
		}
	}
	out.list(h)
	return out, x.err
}

// list names the territories, if they come to the figure.
func (w *Worth) list(h holdings) {
	sum := 0
	for _, s := range h.board.Spaces() {
		if s.Production != 0 && h.earns(s, w.Power) {
			sum += s.Production
			w.Territories = append(w.Territories, Held{s.Name, s.Production, h.changed[s.Name].Event})
		}
	}
	if sum != w.Board {
		w.Territories = nil
		w.Why = "What was recorded of the board does not tell which territories these are."
	}
}

// The two economies of one power have a treasury each (G40-UK-SEPARATE). What falls under which is
// the board's to say, or the umpire's.
const (
	factEconomies = "economies"
	economyEurope = "UK Europe"
	economyIndia  = "UK Pacific"
)

// economies gives the treasury of each territory for which the umpire has named one.
func (x *reader) economies(before uint64) map[string]string {
	out := map[string]string{}
	for _, i := range x.it.economies {
		var p events.FactReported
		if i < before && x.at(i).Read(&p) && len(p.Names) > 0 {
			out[p.Subject] = p.Names[0]
		}
	}
	return out
}

// holdings are the territories of a board under those who hold them.
type holdings struct {
	board     *board.Board
	changed   map[string]situation.Holding
	economies map[string]string
}

// earns reports whether a territory's income goes to a treasury.
func (h holdings) earns(s board.Space, treasury string) bool {
	holder := h.board.TablePower(s.Owner)
	if t, ok := h.changed[s.Name]; ok {
		holder = t.Holder
	}
	if treasury != economyEurope && treasury != economyIndia {
		return holder == treasury
	}
	united := h.united()
	return (holder == united || pacific(holder)) && h.economy(s, united) == treasury
}

// united is what the table calls the power with two economies.
func (h holdings) united() string {
	for _, p := range h.board.Powers() {
		name := h.board.TablePower(p.Name)
		if known, ok := g40.PowerNamed(name); ok && known == g40.UnitedKingdom {
			return name
		}
	}
	return ""
}

// economy is the treasury that a territory falls under: as reported; or by whose it was on the board;
// or by whom the board passes it to.
func (h holdings) economy(s board.Space, united string) string {
	if e, ok := h.economies[s.Name]; ok {
		return e
	}
	owner := h.board.TablePower(s.Owner)
	if pacific(owner) {
		return economyIndia
	}
	if owner == united {
		return economyEurope
	}
	for _, p := range s.Passes {
		if h.board.TablePower(p.CapturedBy) == united && pacific(h.board.TablePower(p.GoesTo)) {
			return economyIndia
		}
	}
	return economyEurope
}

func pacific(power string) bool {
	return strings.EqualFold(strings.ReplaceAll(power, "_", " "), economyIndia)
}
