package forum

import (
	"context"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// Copy is a post in one format, for a page on which it is copied.
type Copy struct {
	Format Format
	Name   string // as people write it
	Text   string
}

// Log is what [Copies] reads: a [timeline.Reader], or whatever holds one.
type Log interface {
	ReadLog(ctx context.Context, campaign string, which timeline.LogRange, take func(timeline.LogEvent) error) error
}

// Copies are the events of the spans as one post, in each format. A span is its first event and its last.
func Copies(ctx context.Context, log Log, campaign, site string, spans ...[2]uint64) ([]Copy, error) {
	var list []timeline.LogEvent
	for _, s := range spans {
		err := log.ReadLog(ctx, campaign, timeline.LogRange{From: &s[0], To: &s[1]}, func(l timeline.LogEvent) error {
			l.Unconfirmed = false // is for whoever holds the directory
			list = append(list, l)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return []Copy{
		{Markdown, "Markdown", Markdown.Post(campaign, site, list)},
		{BBCode, "BBCode", BBCode.Post(campaign, site, list)},
	}, nil
}

// OfDispute are the spans of a dispute: what is contested, what was said and brought, and the ruling.
func OfDispute(d timeline.Dispute) (spans [][2]uint64) {
	list := []uint64{d.Index}
	if d.Claim.Refused == "" {
		list = append(list, d.Claim.Event)
	}
	for _, x := range d.Statements {
		list = append(list, x.Event)
	}
	for _, x := range d.Evidence {
		list = append(list, x.Event)
	}
	if d.Ruling != nil {
		list = append(list, d.Ruling.Event)
	}
	slices.Sort(list)
	for _, n := range slices.Compact(list) {
		spans = append(spans, [2]uint64{n, n})
	}
	return spans
}
