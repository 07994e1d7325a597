package chance

import (
	"crypto/sha256"
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Secret is a campaign's 32 random bytes, from which all its chains are derived. It is kept
// beside the log, never in it.
type Secret = events.Hash

// Length is the usual number of links a chain can reveal.
const Length = 4096

// MaxLength is the largest length of a chain. It bounds what a forged position can make a
// verifier hash.
const MaxLength = 1 << 20

// chainLabel keeps the seeds of chains apart from everything else keyed by the secret.
const chainLabel = "watu/chain/v1"

// Dice is the name of the chain that all dice of an epoch are rolled from.
const Dice = "dice"

// Draws is the name of the chain that side draws from. Each side has its own, because the
// link that opens a draw opens every earlier draw of the same chain.
func Draws(side string) string { return "draws/" + side }

// ChainSeed is a_0 of the named chain ([Dice] or [Draws]) of a campaign's epoch: HMAC-SHA256
// keyed by the secret over length-prefixed parts (label, campaign, epoch, chain).
func ChainSeed(secret Secret, campaign ulid.ULID, epoch uint64, chain string) events.Hash {
	m := newMAC(secret)
	m.text(chainLabel)
	m.part(campaign[:])
	m.number(epoch)
	m.text(chain)
	return m.sum()
}

// A Chain is a reverse hash chain: a_0 is its seed, a_{i+1} = SHA-256(a_i), and a_N its
// anchor. It is as secret as its seed, and safe for concurrent use.
type Chain struct {
	n    uint64
	step uint64
	// marks holds a_0, a_step, a_{2·step}, …: about √N of them, at most √N hashes from
	// any link. N hashes for each roll would make the first rolls of a chain slow.
	marks  []events.Hash
	anchor events.Hash
}

// NewChain computes the chain of n links that grows from seed. It panics unless n is within
// 1 to [MaxLength].
func NewChain(seed events.Hash, n uint64) *Chain {
	if n < 1 || n > MaxLength {
		panic(fmt.Sprintf("chance: a chain of %d links", n))
	}
	c := &Chain{n: n, step: 1}
	for c.step*c.step < n {
		c.step++
	}
	a := seed
	for i := range n {
		if i%c.step == 0 {
			c.marks = append(c.marks, a)
		}
		a = sha256.Sum256(a[:])
	}
	c.anchor = a
	return c
}

// Len is N, the number of links the chain can reveal. A new epoch begins before it is used up.
func (c *Chain) Len() uint64 { return c.n }

// Anchor is a_N, which is published before the first reveal.
func (c *Chain) Anchor() events.Hash { return c.anchor }

// Link is what reveal number k publishes, a_{N−k}. It panics unless k is within 1 to N:
// whoever numbers the reveals begins a new epoch first.
func (c *Chain) Link(k uint64) events.Hash {
	if k < 1 || k > c.n {
		panic(fmt.Sprintf("chance: link %d of a chain of %d", k, c.n))
	}
	i := c.n - k
	return forward(c.marks[i/c.step], i%c.step)
}

// String names the chain by what is public of it, so that printing one by mistake reveals
// no link.
func (c *Chain) String() string {
	return fmt.Sprintf("chain of %d links to anchor %s", c.n, c.anchor)
}

// GoString is [Chain.String], for the same reason.
func (c *Chain) GoString() string { return c.String() }

// VerifyLink reports whether link is reveal number k of the chain with this anchor: whether
// hashing it k times gives the anchor. A link already verified serves as the anchor of those
// after it, with k counted from it, so that a whole chain is verified in N hashes. The caller
// checks that k is at most the length stated with the anchor; beyond [MaxLength] it is false.
func VerifyLink(anchor events.Hash, k uint64, link events.Hash) bool {
	if k < 1 || k > MaxLength {
		return false
	}
	return forward(link, k) == anchor
}

// forward hashes a times times.
func forward(a events.Hash, times uint64) events.Hash {
	for range times {
		a = sha256.Sum256(a[:])
	}
	return a
}

// CheckAnchor says what is wrong with an anchor of the chain of that name.
func CheckAnchor(a events.Anchor, name string) error {
	switch {
	case a.Chain != name:
		return fmt.Errorf("the chain is named %q, and should be %q", a.Chain, name)
	case a.Length < 1 || a.Length > MaxLength:
		return fmt.Errorf("the chain %s has %d links, and may have 1 to %d", name, a.Length, MaxLength)
	case a.Anchor.IsZero():
		return fmt.Errorf("the chain %s has no anchor", name)
	}
	return nil
}
