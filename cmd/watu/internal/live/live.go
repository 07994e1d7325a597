// Package live tells readers of a campaign that it goes on: server-sent events, one for each event of
// the record, in order and without gaps.
package live

import (
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
)

// Feed is the stream of one ledger. It is safe for concurrent use.
type Feed struct{ office *office.Office }

// New gives the office's feed. Close ends every reader.
func New(f *office.Office) *Feed { return &Feed{office: f} }

// ServeHTTP sends the events of the campaign that the path's {c} names.
func (f *Feed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	http.Error(w, "not yet", http.StatusNotImplemented)
}

// Close ends every reader's stream.
func (f *Feed) Close() error { return nil }
