package maintenance

import (
	"context"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/projections"
)

// Progress hears how far something is that takes long; it may be nil.
type Progress = projections.Progress

// Rebuild drops the views and builds them again. It gives their digests, and a problem beside them if the views
// that were live until now had others.
func (h *Host) Rebuild(ctx context.Context, progress Progress) (*Rebuilt, error) {
	h.rebuilding.Lock()
	defer h.rebuilding.Unlock()
	if err := h.runner.CatchUp(ctx, nil); err != nil {
		return nil, err
	}
	live, err := h.digests()
	if err != nil {
		return nil, err
	}
	if err := h.runner.Rebuild(ctx, progress); err != nil {
		return nil, err
	}
	built, err := h.digests()
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
	return problem.New(problem.Unverified, "the live views were not what the record makes them: %s; they are "+
		"replaced by those built now", strings.Join(wrong, ", "))
}

// digests gives the digest of every public view, by the campaign's name, then by projection.
func (h *Host) digests() (Rebuilt, error) {
	out := Rebuilt{Version: Version, Digests: []ViewDigest{}}
	list, err := h.runner.Digests()
	if err != nil {
		return out, err
	}
	for _, d := range list {
		c, _ := h.ledger.Campaign(d.Campaign)
		out.Digests = append(out.Digests, ViewDigest{
			Campaign: c.Name, ID: d.Campaign.String(), Events: d.Applied, Projection: d.Projection,
			Digest: d.Digest.String(),
		})
	}
	slices.SortStableFunc(out.Digests, func(a, b ViewDigest) int { return strings.Compare(a.Campaign, b.Campaign) })
	return out, nil
}
