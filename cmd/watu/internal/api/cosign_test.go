package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events/beacon/beacontest"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

// Anybody sees which roll is to be cosigned; who has a token hands in a note, and it counts if its cosigner may.
func TestCosign(t *testing.T) {
	k := newContract(t)
	h, f, _ := seated(t)
	m, err := beacontest.New(time.Now().Unix()-100, 60)
	if err != nil {
		t.Fatal(err)
	}
	arbiter, err := tree.NewWitnessKey(strings.NewReader(strings.Repeat("a", 32)), "arbiter")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.OpenCampaign(replay.NewCampaign{Name: "fair", System: "awaw", Dice: campaign.Beacon,
		Beacon: m.Beacon, Witnesses: fmt.Sprintf("witness arbiter %s http://127.0.0.1:1\nquorum arbiter\n",
			arbiter.Verifier()), Seats: []campaign.Seat{{Name: "Ben", Sides: []string{"Britain"}}}}); err != nil {
		t.Fatal(err)
	}
	at := "/campaigns/fair"
	umpire := []string{"Authorization", "Bearer umpire"}
	if got := into[AskedRoll](t, get(t, h, at+"/roll")); got.Roll != nil {
		t.Errorf("a roll is asked for: %+v", got.Roll)
	}
	post(t, h, at+"/submissions", service.Submission{Text: "turn: Winter 1941\nentries:\n  - {id: raid, submarine " +
		"warfare: {box: Atlantic, submarines: 20, asw: 30, cves: 0, war turn: 1}, cards: []}\n"}, umpire...)
	w := get(t, h, at+"/roll")
	k.holds(t, "roll", w)
	asked := into[AskedRoll](t, w).Roll
	if asked == nil || asked.Round == 0 || len(asked.Cosigners) != 1 || asked.Cosigners[0] != "arbiter" {
		t.Fatalf("%+v", asked)
	}
	c, err := f.Find("fair")
	if err != nil {
		t.Fatal(err)
	}
	own, err := f.Checkpoint(t.Context(), c, c.Events)
	if err != nil {
		t.Fatal(err)
	}
	by, err := tree.ParseVerifier(own.Key)
	if err != nil {
		t.Fatal(err)
	}
	x, err := tree.Parse(own.Note, by)
	if err != nil {
		t.Fatal(err)
	}
	line, err := x.Cosign(arbiter, time.Now().Unix())
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{"nothing": "", "no cosignature": own.Note,
		"too long": strings.Repeat("x", 20_000), "of other events": strings.Replace(own.Note, "\n", "\n1", 1) + line} {
		if w := post(t, h, at+"/cosigned", CosignedNote{body}, umpire...); w.Code < 400 || w.Code >= 500 {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	w = post(t, h, at+"/cosigned", CosignedNote{own.Note + line}) // the cosignature says who sends it
	k.holds(t, "cosign", w)
	got := into[service.CosignedHead](t, w).Roll
	if got == nil || len(got.Cosigned) != 1 || got.Cosigned[0].Witness != "arbiter" {
		t.Errorf("%+v", got)
	}
}
