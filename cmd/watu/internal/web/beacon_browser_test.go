package web_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/fixtures/corpus"
)

// Of a roll by a beacon the page throws the dice again from the signature of the round, and claims no more than that.
func TestBeaconInTheBrowser(t *testing.T) {
	beside(t)
	f, err := service.New(maintenance.Open(t.Context(), t.TempDir(), maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	file, err := os.Open(filepath.Join("testdata", "beacon.watu"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := f.Import(file, ""); err != nil {
		t.Fatal(err)
	}
	for events, round := range map[uint64]uint64{5: 0, 6: 48, 7: 0, 16: 72, 19: 0} { // what is awaited after so many
		q, err := f.OpenQuestion(t.Context(), "fair", events)
		if err != nil || (q != nil) != (round != 0) || q != nil && (q.Round != round || q.Of != "the beacon moon" ||
			!strings.HasPrefix(q.Question, fmt.Sprintf("round %d, due 2026-11-23 19:3", round))) {
			t.Errorf("after %d events: %+v, %v", events, q, err)
		}
	}
	b := browse(t, played(t).url)
	b.visit("/campaigns/straits-1942/events/1")
	for event, dice := range map[uint64]string{5: "defending air", 6: "bomber force", 7: "bomber force",
		8: "defending air", 9: "flak", 10: "flak", 11: "bombers", 12: "flak", 16: "submarines", 18: "submarines"} {
		proof, err := f.Proof(t.Context(), "fair", event)
		if err != nil {
			t.Fatal(err)
		}
		x := examine(b, proof, proof.Hash)
		for _, says := range []string{"This page does NOT check that it is the beacon's", "check it with watu-verify",
			dice + ": the bytes "} {
			if x.Verdict != "part" || !strings.Contains(x.String(), says) {
				t.Errorf("#%d, want it to say %q: %s", event, says, x)
			}
		}
		explained, err := f.Explain(t.Context(), "fair", event)
		if err != nil {
			t.Fatal(err)
		}
		r := explained.Roll
		if r == nil || r.Round == nil || !r.Follows || !r.Round.Genuine || !r.Round.Met || len(r.Round.Cosigned) != 1 {
			t.Fatalf("#%d is explained by %+v", event, r)
		}
		signature := []byte(r.Round.Signed)
		forged := bytes.Clone(signature)
		forged[0] ^= 1
		for i := range proof.Events {
			proof.Events[i].Bytes = bytes.Replace(proof.Events[i].Bytes, signature, forged, 1)
		}
		if x := examine(b, proof, proof.Hash); x.Verdict != "fails" || !strings.Contains(x.String(), "false "+dice) {
			t.Errorf("#%d, with another signature: %s", event, x)
		}
	}
}

// Of a contested roll the page throws the dice again from the two links, and claims no more than that.
func TestContestedInTheBrowser(t *testing.T) {
	beside(t)
	f, err := service.New(maintenance.Open(t.Context(), t.TempDir(), maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a, err := corpus.Read(corpus.Signed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Import(bytes.NewReader(a["contested/public.watu"]), ""); err != nil {
		t.Fatal(err)
	}
	c, err := f.Campaign("contested")
	if err != nil {
		t.Fatal(err)
	}
	b := browse(t, played(t).url)
	b.visit("/campaigns/straits-1942/events/1")
	thrown := 0
	for event := range c.Events {
		explained, err := f.Explain(t.Context(), c.Name, event)
		if err != nil {
			t.Fatal(err)
		}
		r := explained.Roll
		if r == nil || len(r.Links) != 2 {
			continue
		}
		thrown++
		if !r.Follows || !r.Links[0].Anchored || !r.Links[1].Anchored {
			t.Errorf("#%d is explained by %+v", event, r)
		}
		proof, err := f.Proof(t.Context(), c.Name, event)
		if err != nil {
			t.Fatal(err)
		}
		x := examine(b, proof, proof.Hash)
		for _, says := range []string{"The dice reveal the links that were declared", "check it with watu-verify",
			r.Throws[0].Name + ": the bytes "} {
			if x.Verdict != "part" || !strings.Contains(x.String(), says) {
				t.Errorf("#%d, want it to say %q: %s", event, says, x)
			}
		}
		link := r.Links[1].Link
		forged := link
		forged[0] ^= 1
		for i := range proof.Events {
			proof.Events[i].Bytes = bytes.ReplaceAll(proof.Events[i].Bytes, link[:], forged[:])
		}
		if x := examine(b, proof, proof.Hash); x.Verdict != "fails" {
			t.Errorf("#%d, with another link: %s", event, x)
		}
	}
	if thrown < 4 {
		t.Errorf("%d events of contested rolls", thrown)
	}
}
