package dashboard

import (
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
)

// login is what the page of the login shows.
type login struct {
	Held  []access.HeldToken
	Wrong string // why somebody was not let in
}

// Login answers with the page of the login: what package access is given to draw.
func (d *Dashboard) Login(w http.ResponseWriter, r *http.Request, status int, held []access.HeldToken, wrong string) {
	p := page{name: "login", Title: "Log in", status: status, Holds: len(held) > 0, Body: login{held, wrong}}
	p.draw().write(w, r)
}
