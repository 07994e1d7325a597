package chance

import (
	"testing"

	"github.com/watu-ledger/watu/events"
)

// Whatever differs between two declarations or their entropy gives another seed.
func TestSeedDependsOnEveryPart(t *testing.T) {
	d := Declaration{Label: DiceLabel, Campaign: exampleCampaign, Epoch: 1, Number: 7}
	c := Contribution{Link: sequence(1)}
	with := func(change func(*Declaration, *Contribution)) events.Hash {
		d, c := d, c
		change(&d, &c)
		return Seed(d, c)
	}
	one, two := sequence(40), sequence(80)
	seeds := map[string]events.Hash{
		"plain":       Seed(d, c),
		"label":       with(func(d *Declaration, _ *Contribution) { d.Label = DrawLabel }),
		"campaign":    with(func(d *Declaration, _ *Contribution) { d.Campaign[0] ^= 1 }),
		"epoch":       with(func(d *Declaration, _ *Contribution) { d.Epoch = 2 }),
		"index":       with(func(d *Declaration, _ *Contribution) { d.Number = 8 }),
		"epoch/index": with(func(d *Declaration, _ *Contribution) { d.Epoch, d.Number = 7, 1 }),
		"link":        with(func(_ *Declaration, c *Contribution) { c.Link = sequence(2) }),
		"other":       with(func(_ *Declaration, c *Contribution) { c.Others = []events.Hash{one} }),
		"others":      with(func(_ *Declaration, c *Contribution) { c.Others = []events.Hash{one, two} }),
		"seat order":  with(func(_ *Declaration, c *Contribution) { c.Others = []events.Hash{two, one} }),
		"round":       with(func(_ *Declaration, c *Contribution) { c.Round = append(one[:], two[:16]...) }),
		"both": with(func(_ *Declaration, c *Contribution) {
			c.Others, c.Round = []events.Hash{one}, append(one[:], two[:16]...)
		}),
	}
	seen := map[events.Hash]string{}
	for name, seed := range seeds {
		if of, ok := seen[seed]; ok {
			t.Errorf("%q and %q give the same seed", name, of)
		}
		seen[seed] = name
	}
	empty := with(func(_ *Declaration, c *Contribution) { c.Others, c.Round = []events.Hash{}, []byte{} })
	if empty != seeds["plain"] {
		t.Error("empty contributions are not the same as none")
	}
}
