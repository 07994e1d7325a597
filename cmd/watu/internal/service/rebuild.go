package service

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/projections"
)

// postRebuild drops the views and builds them again, telling how far it is, a line each.
func (f *Service) postRebuild(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.WriteHeader(http.StatusOK)
	lines, flush := json.NewEncoder(w), http.NewResponseController(w)
	told := uint64(0)
	progress := func(done, total uint64) {
		if (done-told)*100 < total {
			return
		}
		told = done
		_ = lines.Encode(Rebuilding{Done: done, Total: total})
		_ = flush.Flush()
	}
	result, err := f.rebuild(r.Context(), progress)
	_ = lines.Encode(Rebuilding{Result: result, Problem: ProblemOf(err)})
}

// rebuild gives the digests of the views built anew, and a problem beside them if the views
// that were live until now had others.
func (f *Service) rebuild(ctx context.Context, progress projections.Progress) (*Rebuilt, error) {
	f.rebuilding.Lock()
	defer f.rebuilding.Unlock()
	if err := f.runner.CatchUp(ctx, nil); err != nil {
		return nil, err
	}
	live, err := f.digests()
	if err != nil {
		return nil, err
	}
	if err := f.runner.Rebuild(ctx, progress); err != nil {
		return nil, err
	}
	built, err := f.digests()
	if err != nil {
		return nil, err
	}
	return &built, differing(live, built)
}

// differing says which views were not what the record makes them. What was appended between
// the two is no difference.
func differing(live, built Rebuilt) error {
	var wrong []string
	for _, was := range live.Digests {
		for _, is := range built.Digests {
			same := was.ID == is.ID && was.Projection == is.Projection && was.Events == is.Events
			if same && was.Digest != is.Digest {
				wrong = append(wrong, was.Campaign+" "+was.Projection)
			}
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return problem(Unverified, "the live views were not what the record makes them: %s; they are replaced by those built now", listed(wrong))
}

// digests gives the digest of every public view, by the campaign's name, then by projection.
func (f *Service) digests() (Rebuilt, error) {
	out := Rebuilt{Version: Version, Digests: []Digested{}}
	list, err := f.runner.Digests()
	if err != nil {
		return out, err
	}
	for _, d := range list {
		c, _ := f.ledger.Campaign(d.Campaign)
		out.Digests = append(out.Digests, Digested{
			Campaign: c.Name, ID: d.Campaign.String(), Events: d.Applied, Projection: d.Projection, Digest: d.Digest.String(),
		})
	}
	slices.SortStableFunc(out.Digests, func(a, b Digested) int { return strings.Compare(a.Campaign, b.Campaign) })
	return out, nil
}
