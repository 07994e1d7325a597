package replay_test

import (
	"testing"

	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/review"
)

// tried hears a campaign again and gives what comes out otherwise, and how many commands were heard.
func (c *harness) tried() (findings []review.Finding, heard int) {
	c.t.Helper()
	trial, err := c.umpire.Trial(c.id.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	err = trial.Hear(func(h review.Heard) error {
		heard++
		if h.Unchecked != "" {
			c.t.Errorf("%s: %s", h.Command, h.Unchecked)
		}
		findings = append(findings, h.Findings...)
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return findings, heard
}

// Whatever was recorded comes out again when it is heard again.
func TestTrialOfRandomCampaigns(t *testing.T) {
	t.Parallel()
	try := func(c *harness, seed uint64) {
		playMost(t, c, seed)
		findings, heard := c.tried()
		if heard < 10 {
			t.Errorf("seed %d: %d commands heard", seed, heard)
		}
		for _, f := range findings {
			t.Errorf("seed %d: %v", seed, f)
		}
	}
	for seed := range uint64(longrun.Of(1, 2, 4)) {
		try(newHost(t).open("trial", "simulation", asked), seed)
		try(newHost(t).onBoard("straits")("trial", "simulation", askedRaids), seed)
		for _, name := range []string{"pacific-patrol-1942", "second-front-1944", "two-oceans-1941"} {
			try(newHost(t).recited(name, "trial", "simulation", seed%2 == 1), seed)
		}
	}
	try(newHost(t).openAttested("trial", "simulation", asked), 5)
}

// TestTrialOfThePublic: who knows no more than the log finds nothing that comes out otherwise in a
// record that was kept as it should be; what he cannot know is left unchecked.
func TestTrialOfThePublic(t *testing.T) {
	checked := 0
	for _, seed := range []uint64{0, 7, 8, 10} {
		c := newHost(t).open("trial", "simulation", asked)
		playOut(t, c, seed)
		trial, err := c.umpire.Trial(c.id.ID)
		if err != nil {
			t.Fatal(err)
		}
		public := review.Trial{Systems: trial.Systems, Board: trial.Board, Records: trial.Records, Events: trial.Events}
		err = public.Hear(func(h review.Heard) error {
			if h.Verb == "correct" && h.Unchecked == "" {
				checked++
			}
			for _, f := range h.Findings {
				t.Errorf("seed %d: %v", seed, f)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if checked == 0 {
		t.Error("no correction could be checked")
	}
}
