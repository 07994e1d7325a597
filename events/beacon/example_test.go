package beacon_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/watu-ledger/watu/events/beacon"
)

// The round of the package comment.
func Example() {
	quicknet := beacon.Quicknet()
	fmt.Println(quicknet.Check())
	due := quicknet.Time(1000)
	fmt.Println(due, time.Unix(due, 0).UTC())
	fmt.Println(quicknet.RoundAt(due), quicknet.RoundAt(due+1))
	fmt.Printf("%x\n", sha256.Sum256(binary.BigEndian.AppendUint64(nil, 1000)))
	signature, err := hex.DecodeString("b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125" +
		"e342b73a8dd2bacbe47e4b6b63ed5e39")
	if err != nil {
		panic(err)
	}
	fmt.Println(quicknet.Verify(1000, signature))
	fmt.Println(quicknet.Verify(1001, signature))
	fmt.Printf("%x\n", beacon.Randomness(signature))
	// Output:
	// <nil>
	// 1692806364 2023-08-23 15:59:24 +0000 UTC
	// 1000 1001
	// f652498d092acd949bad74e40683bf3824fb817980504a0c7e6722cfc5a9c0a3
	// <nil>
	// round 1001 of quicknet does not verify: its signature is not the beacon's for that round
	// fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd
}
