package dashboard

import (
	"net/http"
	"sync"

	"github.com/watu-ledger/watu/cmd/watu/internal/mapview"
	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
)

// mapPicture is the map of a campaign as a picture of its own address, which names what it shows: a browser keeps it
// until the map is another.
type mapPicture struct {
	picture.Map
	campaign, hash string
}

// paints are the colours of the style sheet.
var paints = sync.OnceValue(func() picture.Paints { return picture.PaintsOf(string(loaded()["watu.css"].Data)) })

// pictureOf makes a picture of a map; nil of none.
func pictureOf(campaign string, p *mapview.Panel) *mapPicture {
	if p == nil {
		return nil
	}
	m := &mapPicture{p.Picture(), campaign, ""}
	m.hash = m.Hash(paints())
	return m
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
				N: int(s.Figure.N), Tint: picture.Tint(s.Name)})
		}
	}
	return picture.EmblemOf(forces)
}
