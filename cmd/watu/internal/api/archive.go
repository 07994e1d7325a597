package api

import (
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// Archiving asks for a campaign to stand apart in lists, or among the others again.
type Archiving struct {
	Archived bool `json:"archived"`
}

// Archived is `watu campaign archive --json`.
type Archived struct {
	Version  int               `json:"version"`
	Campaign timeline.Campaign `json:"campaign"`
	Changed  bool              `json:"changed"` // false if it stood so already
}

// archive has a campaign stand apart in lists. It is played, read and verified as ever.
func (x *api) archive(r *http.Request, a Archiving) (any, error) {
	out := Archived{Version: maintenance.Version}
	c, err := x.service.Find(r.PathValue("c"))
	if err == nil {
		out.Changed, err = x.service.Archive().Put(c.ID, a.Archived)
	}
	if err == nil {
		out.Campaign, err = x.service.Describe(c)
	}
	return out, err
}
