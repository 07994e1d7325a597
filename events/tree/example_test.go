package tree_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
)

// The checkpoint of the package comment. The random bytes of its key are 00 01 02 … 1f; a real one takes
// crypto/rand.Reader.
func Example() {
	seed := make([]byte, 32)
	for i := range seed {
		seed[i] = byte(i)
	}
	key, err := tree.NewKey(bytes.NewReader(seed), ulid.MustParseStrict("01BX5ZZKBKACTAV9WEVGEMMVRZ"))
	if err != nil {
		panic(err)
	}
	var t tree.Tree
	for i := range 61 {
		t.Add(events.LeafHash(fmt.Appendf(nil, "event %d", i)))
	}
	root, err := t.Root(t.Events())
	if err != nil {
		panic(err)
	}
	c := tree.Checkpoint{Campaign: ulid.MustParseStrict("01ARZ3NDEKTSV4RRFFQ69G5FAV"), Events: 61, Root: root}
	signed, err := c.Sign(key)
	if err != nil {
		panic(err)
	}
	stated, signatures, _ := strings.Cut(signed, "\n\n")
	fmt.Println(stated)
	fmt.Println(signatures[:80])
	read, err := tree.Parse(signed, key.Verifier())
	fmt.Println(read == c, err)
	fmt.Println(key.Verifier())
	fmt.Println(key.Verifier().Fingerprint())
	// Output:
	// watu/01ARZ3NDEKTSV4RRFFQ69G5FAV
	// 61
	// E0SfH4dMkjib8AIVStsJLNhHtTXB0VswXhSsALEU/wY=
	// — watu/01BX5ZZKBKACTAV9WEVGEMMVRZ 5rgA7qe62ECPsh0XEXBqLH5roSjP+LxTEcginnIECw6N
	// true <nil>
	// watu/01BX5ZZKBKACTAV9WEVGEMMVRZ+e6b800ee+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4
	// 4753-30ab-77f8-a7ce
}
