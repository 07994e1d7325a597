package dashboard

import (
	"encoding/json"
	"net/http"
)

// proof gives the bytes by which the module checks an event, in the browser and by itself.
func (d *Dashboard) proof(w http.ResponseWriter, r *http.Request) {
	data, err := d.proven(r)
	if err != nil {
		d.trouble(err).draw().write(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache") // an event may follow that is not there yet
	w.Header().Set("Vary", "Cookie, Authorization")
	_, _ = w.Write(data)
}

func (d *Dashboard) proven(r *http.Request) ([]byte, error) {
	c, _, index, err := d.asked(r)
	if err != nil {
		return nil, err
	}
	p, err := d.office.Proof(r.Context(), c.ID, index)
	if err != nil {
		return nil, err
	}
	return json.Marshal(p)
}
