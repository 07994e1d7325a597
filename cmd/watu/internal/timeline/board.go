package timeline

import (
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/board"
)

// MaxBoardBytes is how large the files of a board may be together, in bytes. The largest known have
// some 20 MiB, outlines included.
const MaxBoardBytes = 40 << 20

// boardOf describes the board that a campaign was opened with, nil for none.
func boardOf(b events.Board) *Board {
	if len(b.Files) == 0 {
		return nil
	}
	out := &Board{Title: b.Title, Version: b.Version, Hash: b.Hash, Files: []string{},
		Lacks: append([]string{}, b.Lacks...)}
	for _, f := range b.Files {
		out.Files = append(out.Files, f.Name)
	}
	return out
}

// Spaces is `watu campaign board --json`: what is on the board of a campaign, as its files have it. Who holds what
// since then is in the view situation.
type Spaces struct {
	Version     int     `json:"version"`
	Campaign    string  `json:"campaign"`
	Title       string  `json:"title"`       // of the board; empty where there is none, or its files are not here
	Territories []Place `json:"territories"` // in the order of the files
	SeaZones    []Place `json:"sea_zones"`
}

// Place is a territory or a sea zone.
type Place struct {
	Name    string   `json:"name"`
	Owner   string   `json:"owner,omitempty"` // left out for nobody
	IPCs    int      `json:"ipcs,omitempty"`  // that it is worth a turn
	Capital string   `json:"capital,omitempty"`
	Marks   []string `json:"marks,omitempty"` // complex, bases, symbols
	Beside  []string `json:"beside"`          // what touches it, by name
}

// Spaces lists what is on the board of a campaign.
func (r *Reader) Spaces(campaign string) (Spaces, error) {
	c, err := r.Campaign(campaign)
	if err != nil {
		return Spaces{}, err
	}
	out := Spaces{Version: maintenance.Version, Campaign: c.Name, Territories: []Place{}, SeaZones: []Place{}}
	b, ok, err := r.Map(c.ID)
	if !ok {
		return out, err
	}
	out.Title = b.Title()
	for _, s := range b.Spaces() {
		p := Place{Name: s.Name, Owner: b.TablePower(s.Owner), IPCs: s.Production, Capital: b.TablePower(s.Capital),
			Marks: marksOf(s), Beside: s.Neighbours}
		if s.Water {
			out.SeaZones = append(out.SeaZones, p)
		} else {
			out.Territories = append(out.Territories, p)
		}
	}
	return out, nil
}

// marksOf says what stands in a space and what is marked there.
func marksOf(s board.Space) []string {
	complex := "industrial complex"
	for _, size := range []string{"major", "minor"} {
		if strings.Contains(strings.ToLower(s.Complex), size) {
			complex = size + " " + complex
		}
	}
	var list []string
	for _, m := range []struct {
		there bool
		name  string
	}{{s.Complex != "", complex}, {s.AirBase != "", "air base"}, {s.NavalBase != "", "naval base"},
		{s.Convoy, "convoy symbol"}, {s.Kamikaze, "kamikaze symbol"}} {
		if m.there {
			list = append(list, m.name)
		}
	}
	return list
}
