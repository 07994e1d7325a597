package maintenance_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/witness"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
)

// answering is the line in a policy of a witness that answers so.
func answering(t *testing.T, name string, answer http.HandlerFunc) string {
	t.Helper()
	k, err := tree.NewWitnessKey(rand.Reader, name)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return fmt.Sprintf("witness %s %s %s/prefix/\n", name, k, s.URL)
}

// honest is the line of a witness as watu has it.
func honest(t *testing.T, name string, by tree.Verifier) string {
	t.Helper()
	w, err := witness.Open(t.TempDir(), witness.Options{Name: name, Ledgers: []tree.Verifier{by}})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(w.Handler())
	t.Cleanup(func() { s.Close(); w.Close() })
	return fmt.Sprintf("witness %s %s %s\n", name, w.Verifier(), s.URL)
}

// Witnesses that answer nonsense, late, for others or not at all are named, and do not keep those that are honest from
// being a quorum.
func TestCosigned(t *testing.T) {
	f, err := service.New(maintenance.Open(t.Context(), t.TempDir(), maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.OpenCampaign(replay.NewCampaign{Name: "straits", System: "awaw"}); err != nil {
		t.Fatal(err)
	}
	c, err := f.Find("straits")
	if err != nil {
		t.Fatal(err)
	}
	k, err := f.Checkpoint(t.Context(), c, c.Events)
	if err != nil {
		t.Fatal(err)
	}
	by, err := tree.ParseVerifier(k.Key)
	if err != nil {
		t.Fatal(err)
	}
	asked := func(ctx context.Context, policy string) (maintenance.Cosigned, error) {
		p, err := tree.ParsePolicy(policy)
		if err != nil {
			t.Fatal(err)
		}
		return f.Cosigned(ctx, c, c.Events, p, 0)
	}
	faulty := answering(t, "conflicts", func(a http.ResponseWriter, _ *http.Request) {
		a.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(a, "1\n")
	}) + answering(t, "empty", func(http.ResponseWriter, *http.Request) {
	}) + answering(t, "nonsense", func(a http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(a, strings.Repeat("x", 1<<20))
	}) + answering(t, "moved", func(a http.ResponseWriter, r *http.Request) {
		http.Redirect(a, r, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
	}) + "witness silent " + strings.Fields(answering(t, "silent", nil))[2] + "\n"
	two := honest(t, "anna", by) + honest(t, "ben", by)
	got, err := asked(t.Context(), faulty+two+"group g 2 anna ben empty conflicts nonsense moved silent\nquorum g\n")
	if err != nil || len(got.Cosignatures) != 2 || got.Cosignatures[0].Witness != "anna" ||
		strings.Count(got.Note, "\n— ") != 3 || !strings.HasPrefix(got.Note, k.Note) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = asked(t.Context(), two+faulty+"group g all anna ben empty conflicts nonsense moved silent\nquorum g\n")
	reports(t, err, problem.Unreachable, "cosigned by 2 of 7", "conflicts: it has always seen another number",
		"empty: its answer has no cosignature", "nonsense: its answer has no cosignature", "moved: it answers 307",
		"silent: the policy has no URL")
	if len(got.Failed) != 5 || len(got.Cosignatures) != 2 {
		t.Errorf("%+v", got)
	}
	slow := answering(t, "slow", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	if got, err = asked(t.Context(), slow+two+"group g any anna ben slow\nquorum g\n"); err != nil {
		t.Errorf("one is enough: %+v, %v", got, err)
	}
	ctx, end := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer end()
	_, err = asked(ctx, slow+"quorum slow\n")
	reports(t, err, problem.Unreachable, "slow: Post", "context deadline exceeded")
	more := answering(t, "more", func(a http.ResponseWriter, _ *http.Request) {
		a.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(a, "99\n")
	})
	_, err = asked(t.Context(), more+"quorum more\n")
	reports(t, err, problem.Diverged, "it has cosigned 99 events of the campaign, and there are 3 here")
}
