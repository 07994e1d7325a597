package dashboard

import (
	"net/http"
	"sync"

	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	boards "github.com/watu-ledger/watu/rules/board"
)

// mapPicture is the map of a campaign as a picture of its own address, which names what it shows: a browser keeps it
// until the map is another.
type mapPicture struct {
	picture.Map
	campaign, hash string
}

// paints are the colours of the style sheet.
var paints = sync.OnceValue(func() picture.Paints { return picture.PaintsOf(string(loaded["watu.css"].Data)) })

// pictureOf makes a picture of a map: who holds what, what changed hands, and the raids of the turn that is on; nil of
// none.
func pictureOf(campaign string, p *mapPanel) *mapPicture {
	if p == nil {
		return nil
	}
	m := &mapPicture{picture.Map{Across: p.Width, Down: p.Height}, campaign, ""}
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
				m.raid(picture.Raid{From: from, To: to, Fill: tintOf(r.Powers[0]), Damage: r.Damage})
			}
		}
	}
	m.hash = m.Hash(paints())
	return m
}

// raid adds a raid to those of the same way.
func (m *mapPicture) raid(r picture.Raid) {
	for i := range m.Raids {
		if x := &m.Raids[i]; x.From == r.From && x.To == r.To && x.Fill == r.Fill {
			x.Damage += r.Damage
			return
		}
	}
	m.Raids = append(m.Raids, r)
}

// To is the address of a file.
func (m *mapPicture) To(file string) string {
	return pathTo("campaigns", m.campaign, "map", m.hash, file)
}

// mapFile answers with a picture of the map. An address of an earlier one gives the map as it is now.
func (d *Dashboard) mapFile(r *http.Request) response {
	file, ok := picture.Files[r.PathValue("file")]
	if !ok {
		return d.trouble(errNoPage).draw()
	}
	c, err := d.service.Campaign(r.PathValue("c"))
	f := frontCard{Campaign: c}
	if err == nil && r.FormValue("at") == "" {
		err = d.addStory(r.Context(), &f, story.English)
	} else if err == nil {
		var s scene
		s, err = d.seen(r)
		f.Map = s.Map
	}
	if err == nil && f.Map == nil {
		err = errNoPage
	}
	if err != nil {
		return d.trouble(err).draw()
	}
	b := f.Map.Draw(file, paints())
	return response{status: http.StatusOK, bytes: b, tag: tagOf(b), kind: "image/svg+xml",
		lasting: r.PathValue("hash") == f.Map.hash}
}

// emblem draws the score of a campaign without a map.
func (f frontCard) emblem() *picture.Emblem {
	var forces []picture.Force
	for _, g := range f.story.Score.Groups {
		for _, s := range g.Sides {
			forces = append(forces, picture.Force{Called: f.Side(s.Name) + " " + f.Counted(s.Figure), Of: s.Figure.Of,
				N: int(s.Figure.N), Tint: tintOf(s.Name)})
		}
	}
	return picture.EmblemOf(forces)
}
