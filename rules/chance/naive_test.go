package chance

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
)

// A second implementation, from the package comment alone and by other means: HMAC from its
// definition, parts joined as hexadecimal text, whole chains kept, numbers of any size, and a
// shuffle that follows each cell back through the swaps. It shares no code with the package.

// naiveMAC is RFC 2104 for keys of 32 bytes: H(K xor opad, H(K xor ipad, text)).
func naiveMAC(key []byte, text string) []byte {
	inner, outer := make([]byte, 64), make([]byte, 64)
	copy(inner, key)
	copy(outer, key)
	for i := range 64 {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	h := sha256.Sum256(append(inner, text...))
	h = sha256.Sum256(append(outer, h[:]...))
	return h[:]
}

// naiveParts joins parts, each given as hexadecimal digits, behind their lengths.
func naiveParts(parts ...string) string {
	joined := ""
	for _, p := range parts {
		joined += fmt.Sprintf("%08x%s", len(p)/2, p)
	}
	b, err := hex.DecodeString(joined)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func naiveText(s string) string { return fmt.Sprintf("%x", s) }

func naiveNumber(v uint64) string { return fmt.Sprintf("%016x", v) }

// naiveCampaign reads a ULID as a number in base 32.
func naiveCampaign(ulid string) string {
	v := new(big.Int)
	for _, c := range ulid {
		for digit, letter := range "0123456789ABCDEFGHJKMNPQRSTVWXYZ" {
			if c == letter {
				v.Mul(v, big.NewInt(32)).Add(v, big.NewInt(int64(digit)))
			}
		}
	}
	return fmt.Sprintf("%032x", v)
}

// naiveChain is a_0 to a_N.
func naiveChain(seed []byte, n int) [][]byte {
	chain := [][]byte{seed}
	for len(chain) <= n {
		h := sha256.Sum256(chain[len(chain)-1])
		chain = append(chain, h[:])
	}
	return chain
}

// naive holds a seed and how many bytes of its stream are spent.
type naive struct {
	seed  []byte
	spent int
}

func newNaive(seed []byte) *naive { return &naive{seed: seed} }

// at is byte i of the stream.
func (v *naive) at(i int) byte {
	counter, err := hex.DecodeString(naiveNumber(uint64(i / 32)))
	if err != nil {
		panic(err)
	}
	return naiveMAC(v.seed, string(counter))[i%32]
}

// choose divides a byte by n: a quotient as large as that of 256 marks the uneven rest.
func (v *naive) choose(n int) int {
	for {
		b := big.NewInt(int64(v.at(v.spent)))
		v.spent++
		quotient, rest := new(big.Int).DivMod(b, big.NewInt(int64(n)), new(big.Int))
		if quotient.Cmp(big.NewInt(int64(256/n))) < 0 {
			return int(rest.Int64())
		}
	}
}

// shuffle chooses every swap first, then asks of each cell where its card came from.
func (v *naive) shuffle(n int) []int {
	with := make([]int, n)
	for i := n - 1; i > 0; i-- {
		with[i] = v.choose(i + 1)
	}
	order := make([]int, n)
	for cell := range order {
		from := cell
		for i := 1; i < n; i++ {
			if from == i {
				from = with[i]
			} else if from == with[i] {
				from = i
			}
		}
		order[cell] = from + 1
	}
	return order
}
