package api

import (
	"context"
	"fmt"
	"net/url"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/tree"
)

// Of each event of a campaign the interface proves that the signed checkpoint holds it, and it proves no other.
func TestInclusion(t *testing.T) {
	c := InProcess(played)
	var k maintenance.Checkpoint
	if err := c.Get(t.Context(), &k, "campaigns", "straits-1942", "checkpoint"); err != nil {
		t.Fatal(err)
	}
	by, err := tree.ParseVerifier(k.Key)
	if err != nil {
		t.Fatal(err)
	}
	head, err := tree.Parse(k.Note, by)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context, index uint64) (x maintenance.Inclusion, err error) {
		q := url.Values{"events": {fmt.Sprint(head.Events)}}
		return x, c.Query(ctx, &x, q, "campaigns", k.ID, "events", fmt.Sprint(index), "inclusion")
	}
	for index := range head.Events {
		x, err := ask(t.Context(), index)
		r, failed := played.Record(k.ID, index)
		if err != nil || failed != nil || !tree.CheckInclusion(head, index, r.Hash(), x.Proof) {
			t.Fatalf("#%d: %+v, %v, %v", index, x, err, failed)
		}
		if tree.CheckInclusion(head, (index+1)%head.Events, r.Hash(), x.Proof) {
			t.Errorf("#%d is proved at another place", index)
		}
	}
	if _, err := ask(t.Context(), head.Events); problem.Of(err) == nil || problem.Of(err).Kind != problem.Input {
		t.Errorf("an event that is not there: %v", err)
	}
}
