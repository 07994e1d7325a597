package dashboard

import (
	"encoding/json"
	"net/http"
)

// proof gives the bytes by which the module checks an event, in the browser and by itself.
func (d *Dashboard) proof(r *http.Request) response {
	data, err := d.proven(r)
	if err != nil {
		return d.trouble(err).draw()
	}
	return response{status: http.StatusOK, bytes: data, tag: tagOf(data), kind: "application/json"}
}

func (d *Dashboard) proven(r *http.Request) ([]byte, error) {
	c, _, index, err := d.asked(r)
	if err != nil {
		return nil, err
	}
	p, err := d.service.Proof(r.Context(), c.ID, index)
	if err != nil {
		return nil, err
	}
	return json.Marshal(p)
}
