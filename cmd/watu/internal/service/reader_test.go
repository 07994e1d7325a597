package service

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
	outsider "github.com/watu-ledger/watu/fixtures/reader"
)

// TestReader holds a reader in another language to what `watu show --json` says of every bundled campaign, after
// every event: of the file of `watu export` for the public, for the umpire, and for a side.
func TestReader(t *testing.T) {
	t.Parallel()
	c := played(t)
	for _, name := range append(named(fixtures.Campaigns()), atTable(t, c)) {
		for i, audience := range readersOf(t, c, name) {
			if !longrun.On() && i > 0 || i > 2 {
				break
			}
			outsider.Hold(t, name+" for "+audience, fileOf(t, c, name, audience).Encode(), shown(t, c, name, audience))
		}
	}
}

// shown gives what `watu show --json` says.
func shown(t *testing.T, c *Service, campaign, audience string) outsider.Figures {
	return func(view string, event uint64) json.RawMessage {
		v, err := viewAs(t, c, campaign, audience, view, event)
		var no *problem.Problem
		if errors.As(err, &no) && no.Kind == problem.Input {
			return nil // its rules are not shown in that view
		}
		if err != nil {
			t.Fatal(err)
		}
		return v.Report
	}
}
