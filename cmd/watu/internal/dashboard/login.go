package dashboard

import (
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/desk"
)

// login is what the page of the login shows.
type login struct {
	access.Login
	Mine []mine
}

// mine is a campaign for which the browser holds a token: where it stands, and what waits there.
type mine struct {
	access.HeldToken
	Turn  string
	Asked *desk.Move
}

// Login answers with the page of the login: what package access is given to draw.
func (d *Dashboard) Login(w http.ResponseWriter, r *http.Request, status int, l access.Login) {
	x := login{Login: l}
	for _, h := range l.Held {
		m := mine{HeldToken: h}
		if c, err := d.service.Campaign(h.Campaign); err == nil { // else its own page says what is wrong
			m.Turn = c.Turn
			m.Asked, _ = d.desk.Move(c, h.Viewer)
		}
		x.Mine = append(x.Mine, m)
	}
	p := page{name: "login", Title: "Log in", status: status, Holds: len(l.Held) > 0, Body: x}
	switch {
	case l.Opens != nil:
		p.Title = "Come in"
	case len(l.Held) > 0:
		p.Title = "My campaigns"
	}
	p.draw().write(w, r)
}
