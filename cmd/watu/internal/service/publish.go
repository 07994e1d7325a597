package service

import (
	"context"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// walk gives a campaign's events from a sequence on as they become durable, until ctx ends.
func (f *Service) walk(ctx context.Context, campaign ulid.ULID, from uint64, fn func(events.Record) error) error {
	for at := from - 1; ; {
		for r, err := range f.Ledger().After(at) {
			if err != nil {
				return err
			}
			if at = r.Sequence; r.Campaign != campaign {
				continue
			}
			if err := fn(r); err != nil {
				return err
			}
		}
		if _, err := f.Ledger().Wait(ctx, at); err != nil {
			return err
		}
	}
}
