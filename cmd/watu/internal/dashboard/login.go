package dashboard

import (
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
)

// Login answers with the page of the login: what package access is given to draw.
func (d *Dashboard) Login(w http.ResponseWriter, r *http.Request, status int, l access.Login) {
	p := page{name: "login", Title: "Log in", status: status, Holds: len(l.Held) > 0, Body: l}
	if l.Opens != nil {
		p.Title = "Come in"
	}
	p.draw().write(w, r)
}
