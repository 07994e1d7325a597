package chance_test

import (
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/rules/chance"
)

// The worked example of the package comment.
func Example() {
	var secret chance.Secret
	for i := range secret {
		secret[i] = byte(i)
	}
	campaign := ulid.MustParseStrict("01ARZ3NDEKTSV4RRFFQ69G5FAV")

	dice := chance.NewChain(chance.ChainSeed(secret, campaign, 1, chance.Dice), chance.Length)
	declared := chance.Declaration{Label: chance.DiceLabel, Campaign: campaign, Epoch: 1, Number: 7}
	seed := chance.Seed(declared, chance.Contribution{Link: dice.Link(1)})
	fmt.Println(dice)
	fmt.Println(chance.VerifyLink(dice.Anchor(), 1, dice.Link(1)))
	fmt.Println(seed)
	fmt.Println(chance.NewSampler(seed).Dice(5, 6))
	seed = chance.Seed(chance.ByPosition.Dice(campaign, 1, 7, 1), chance.Contribution{Link: dice.Link(1)})
	fmt.Println(seed)
	fmt.Println(chance.NewSampler(seed).Dice(5, 6))

	draws := chance.NewChain(chance.ChainSeed(secret, campaign, 1, chance.Draws("Britain")), chance.Length)
	declared = chance.Declaration{Label: chance.DrawLabel, Campaign: campaign, Epoch: 1, Number: 9}
	seed = chance.Seed(declared, chance.Contribution{Link: draws.Link(1)})
	fmt.Println(draws)
	fmt.Println(seed)
	fmt.Println(chance.NewSampler(seed).Shuffle(6))
	// Output:
	// chain of 4096 links to anchor 4eff7f7cc0078494c292f269e2643fdb7de88eeedf49c5fdb08738b4d51177a8
	// true
	// 3a64e9727e1adef209b3a1791f2312326c0fb3c5799a583f719af5a3f640dd42
	// [6 6 5 6 1]
	// ef6872dc8531aa59ee15db8e51abc886d3c9d5884252cc0e0dd35146c1b4c609
	// [6 5 3 3 5]
	// chain of 4096 links to anchor 9a14937439331e562a1d366928dee3f6ed3fdc58dac5f81d4c31e9de8ee56d22
	// 2a3da218134666514ebfd4b41f2e9f51b3ab511674cca64d9e1550223ea0493d
	// [3 6 2 1 5 4]
}
