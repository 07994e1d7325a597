// Package api is the public interface under /api/v1, described by an OpenAPI document that is made of
// its code.
package api

import (
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
)

// Who decides who looks at a campaign.
type Who func(r *http.Request, campaign string) (office.Viewer, error)

// New gives the handler of everything under /api/v1.
func New(f *office.Office, who Who) http.Handler { return http.NotFoundHandler() }
