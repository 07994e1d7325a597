package mapview

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	boards "github.com/watu-ledger/watu/rules/board"
)

// Picture is the map in small: who holds what, what changed hands, and the raids of the turn that is on.
func (p *Panel) Picture() picture.Map {
	m := picture.Map{Across: p.Width, Down: p.Height}
	at := map[string]boards.Point{}
	for _, s := range p.Waters {
		m.Seas, at[s.Name] = append(m.Seas, s.Path), s.At
	}
	for _, h := range p.Lands {
		for _, s := range h.Spaces {
			m.Lands = append(m.Lands, picture.Land{Path: s.Path, Fill: h.Fill, At: s.At, Box: s.box,
				Worth: s.Production, Changed: s.Why != ""})
			at[s.Name] = s.At
		}
	}
	for _, x := range p.Figures.Raids {
		for _, r := range x.Raids {
			from, known := at[r.Zone]
			to, shown := at[x.Territory]
			if x.Ordinal == p.Figures.Ordinal && known && shown && r.Damage > 0 && len(r.Powers) > 0 {
				m.Raids = raided(m.Raids, picture.Raid{From: from, To: to, Fill: picture.Tint(r.Powers[0]),
					Damage: r.Damage})
			}
		}
	}
	return m
}

// raided adds a raid to those of the same way.
func raided(list []picture.Raid, r picture.Raid) []picture.Raid {
	for i := range list {
		if x := &list[i]; x.From == r.From && x.To == r.To && x.Fill == r.Fill {
			x.Damage += r.Damage
			return list
		}
	}
	return append(list, r)
}
