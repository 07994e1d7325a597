package service

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/replay/verify"
	"github.com/watu-ledger/watu/rules/all"
)

// Verifying is one line of GET /v1/campaigns/{c}/verification: how far it is, and at last the result.
type Verifying struct {
	Done    uint64               `json:"done,omitempty"`
	Total   uint64               `json:"total,omitempty"`
	Result  *verify.Verification `json:"result,omitempty"`
	Problem *Problem             `json:"problem,omitempty"`
}

// ReadRecord reads a file, FILE.watu, as a stream: what is no record ends where that shows.
func ReadRecord(r io.Reader) (*bundle.File, error) {
	file, err := verify.Read(r)
	switch {
	case errors.Is(err, bundle.ErrDamaged):
		return nil, problem(Unverified, "%v", err)
	case err != nil:
		return nil, problem(Input, "%v", err)
	}
	return file, nil
}

// Verify checks a record by the rules of this program; see [verify.File].
func Verify(file *bundle.File, head string, progress func(done, total uint64)) (verify.Verification, error) {
	v, err := verify.File(file, all.Systems(), head, progress)
	if err != nil {
		return v, problem(Input, "%v", err)
	}
	return v, nil
}

// getVerification verifies a campaign as it lies in the ledger.
func (f *Service) getVerification(w http.ResponseWriter, r *http.Request) {
	c, err := f.find(r.PathValue("c"))
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.WriteHeader(http.StatusOK)
	lines, flush := json.NewEncoder(w), http.NewResponseController(w)
	told := uint64(0)
	v, err := f.verify(r.Context(), c, r.URL.Query().Get("head"), func(done, total uint64) {
		if (done-told)*100 < total {
			return
		}
		told = done
		_ = lines.Encode(Verifying{Done: done, Total: total})
		_ = flush.Flush()
	})
	if err != nil {
		_ = lines.Encode(Verifying{Problem: ProblemOf(err)})
		return
	}
	_ = lines.Encode(Verifying{Result: &v})
}

// verify verifies a campaign with all that is here of it.
func (f *Service) verify(ctx context.Context, c ledger.Campaign, head string, progress func(done, total uint64)) (verify.Verification, error) {
	reader := bundle.Umpire
	o, imported, err := f.imported(c.ID)
	if err != nil && !errors.Is(err, kept.ErrDamaged) {
		return verify.Verification{}, err
	}
	if err != nil { // whom it was for is not known, so what the public has is verified
		reader = bundle.Public
	} else if imported {
		reader = o.For
	} else if m := f.ledger.ReadOnly(); m != nil && m.Because == ledger.Follows {
		reader = bundle.Public
	}
	file, err := f.bundle(ctx, c, reader, c.Events, nil)
	if err != nil {
		return verify.Verification{}, err
	}
	return Verify(file, head, progress)
}
