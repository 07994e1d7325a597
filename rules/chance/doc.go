// Package chance turns a secret that was fixed in advance into dice and shuffles that anyone
// can check afterwards. It is pure arithmetic: it reads no clock and no source of randomness.
// When a link may be revealed, what is written to the log, where the secret is kept and what
// the dice mean are left to others.
//
// This comment is the specification. The files under testdata hold vectors for it.
//
// # Notation
//
// SHA-256 and HMAC-SHA256 (RFC 2104) give 32 bytes. mac(key; p, q, …) is HMAC-SHA256 under
// key of the parts p, q, … in order, each behind its length in bytes as 4 bytes big-endian.
// A number is a part of 8 bytes big-endian, a campaign its ULID's 16 bytes, a text its UTF-8.
//
// # Chains
//
// A campaign has one secret of 32 random bytes and, in each epoch, one chain named "dice" and
// one named "draws/<side>" for each side. A chain of N links is
//
//	a_0     = mac(secret; "watu/chain/v1", campaign, epoch, chain)
//	a_{i+1} = SHA-256(a_i)
//	anchor  = a_N
//
// The log states the anchors and N before anything is rolled. Reveal number k of a chain,
// counted from 1, publishes a_{N−k}: hashing it k times gives the anchor, and hashing it
// k−m times gives the earlier reveal m. So nobody can publish a link of their own choosing,
// and a published link says nothing of the later ones.
//
// It says everything of the earlier ones. Dice are revealed when they are rolled, so nothing
// is lost. The link of a draw opens that draw and every earlier one of its chain, which is
// why each side has a chain of its own, and why a link of it is published only when all
// draws up to it may be known.
//
// A chain is never continued past N, nor in a copy: a new epoch has new chains.
//
// # Seeds
//
// A declaration, with its purpose, dice and modifiers, is in the log at some index before its
// entropy is known. It names the chain and the position of each link that will answer it.
// Its seed is
//
//	mac(a_{N−k}; label, campaign, epoch, number [, link …] [, round])
//
// where the key is the host's link, each further link is that of an opposing seat's own chain,
// in seat order, and round is the signature of a round of public randomness. The declaration
// says which of them there are. Label and number depend on what the epoch's first event states:
//
//	seeds        label of dice            label of draws           number
//	"position"   "watu/chain-dice/v2"     "watu/chain-draw/v2"     k, the position of the link
//	nothing      "watu/dice/v1"           "watu/draw/v1"           index of the declaration
//
// A number by position cannot be moved by entering something else before the roll. One by index
// can; it is that of older records. Two declarations never share a seed: they have different links.
// No time, no ULID but the campaign's and no text but the label enters.
//
// A roll by a beacon (package events/beacon) has no link. Its seed is
//
//	mac(SHA-256(signature of the round); "watu/dice/v2", campaign, declaration, ordinal)
//
// where declaration is the 32 bytes of the hash of the event that named the round before it came, and ordinal counts,
// from 0, the rolls of that command which take the round. A contested roll has in the place of SHA-256(…)
//
//	mac(the host's link; "watu/contested/v1", the link of a seat that does not roll)
//
// # Sampling
//
// A seed gives an endless stream of bytes: the blocks HMAC-SHA256(seed, counter) one after
// another, the counter being 8 bytes big-endian from 0, with no length before it. Every die
// and shuffle of one declaration takes its bytes from one stream, in the order declared.
//
// To choose one of s equally likely numbers (2 ≤ s ≤ 256), take the next byte b; when
// b ≥ ⌊256/s⌋·s throw it away and take another; the number is b mod s.
//
//   - A die of s sides shows that number plus 1.
//   - A ten-sided die read 0 to 9 shows that number for s = 10.
//   - A shuffle of n cards (n ≤ 256) starts from the positions 1, 2, …, n in cells 0 to n−1.
//     For i = n−1 down to 1, choose j of i+1 numbers and swap cells i and j. The card in cell
//     0 is drawn first. What stands at position 1 of a pool is for the rules to say.
//
// # A worked example
//
// The secret is the bytes 00 01 02 … 1f, the campaign 01ARZ3NDEKTSV4RRFFQ69G5FAV, the epoch 1,
// and N is 4096. The chain "dice" has
//
//	a_0    = dbb1a87891ec832622a6481b72b3c89cb49441078e3819fccdc933a1bfb8aa6e
//	anchor = 4eff7f7cc0078494c292f269e2643fdb7de88eeedf49c5fdb08738b4d51177a8
//
// Five six-sided dice are declared at index 7. They are the first reveal, k = 1. By index:
//
//	a_4095 = 9d9dbdba100e162322d6a44212bacfa48e4bb86a7631239c0f6db98d6486b99d
//	seed   = 3a64e9727e1adef209b3a1791f2312326c0fb3c5799a583f719af5a3f640dd42
//	stream = 47f58eb3fe4e29d4…
//	dice   = 6 6 5 6 1
//
// By position, with the label "watu/chain-dice/v2" and the number 1:
//
//	seed   = ef6872dc8531aa59ee15db8e51abc886d3c9d5884252cc0e0dd35146c1b4c609
//	stream = 35be2cfebc4cc08a…
//	dice   = 6 5 3 3 5
//
// Of the first stream the fifth byte, fe, is 254 and so at least 252 = ⌊256/6⌋·6: it is thrown away, and the fifth
// die comes from 4e, which is 78.
//
// A pool of six cards is declared to be drawn by Britain at index 9, as the first reveal of
// the chain "draws/Britain":
//
//	anchor = 9a14937439331e562a1d366928dee3f6ed3fdc58dac5f81d4c31e9de8ee56d22
//	a_4095 = 473d99c3c53fe633072c15ec1ac4efe3672a4ecbe81093b53fd397a9da4828ae
//	seed   = 2a3da218134666514ebfd4b41f2e9f51b3ab511674cca64d9e1550223ea0493d
//	stream = 6fa9f46dc0ea5c7b…
//	order  = 3 6 2 1 5 4
//
// The bytes 6f, a9, f4, 6d and c0 choose j = 3, 4, 0, 1 and 0 for i = 5, 4, 3, 2 and 1. A draw
// of four cards takes those at positions 3, 6, 2 and 1.
package chance
