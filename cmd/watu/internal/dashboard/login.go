package dashboard

import (
	"net/http"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/desk"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// mine is a campaign for which the browser holds a token: where it stands, and what waits there.
type mine struct {
	access.HeldToken
	Turn  string
	Asked *desk.Move
	Ruled []timeline.Dispute // that its holder opened, and that were ruled on lately
}

// Login answers with the page of the login: what package access is given to draw.
func (d *Dashboard) Login(w http.ResponseWriter, r *http.Request, status int, l access.Login) {
	x := struct {
		access.Login
		Mine []mine
	}{Login: l}
	for _, h := range l.Held {
		turn, asked, ruled := d.desk.Stands(r.Context(), h.Campaign, h.Viewer)
		x.Mine = append(x.Mine, mine{h, turn, asked, ruled})
	}
	in := story.LanguageOf(tongued(w, r).URL.Query().Get("lang"))
	say := story.LinesOf(in)
	title := say.Says("log-in")
	switch {
	case len(l.Opens) > 0:
		title = say.Says("come-in")
	case slices.ContainsFunc(x.Mine, func(m mine) bool { return m.Asked != nil && m.Asked.Yours() }):
		title = say.Says("your-move") + " · " + say.Says("mine")
	case len(l.Held) > 0:
		title = say.Says("mine")
	}
	page{name: "login", lang: in, Title: title, status: status, Holds: len(l.Held) > 0, Body: x}.draw().write(w, r)
}
