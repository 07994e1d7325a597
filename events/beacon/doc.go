// Package beacon checks rounds of public randomness: numbers that nobody knew before a certain second and that anybody
// can check afterwards. It is pure arithmetic: it reads no clock, no file and no network. Package rounds, below it,
// fetches rounds; what dice follow from them is for package chance, and when one is asked for is for the umpire.
//
// This comment is the specification.
//
// # Beacons
//
// A beacon is a group of servers that share a key for BLS signatures on the curve BLS12-381. A fixed number of them
// have to cooperate to sign. They sign the number of a round when its time has come, and publish the signature. A
// [Beacon] has what pins it: its key, the time of its first round, its period, and the hash by which servers know it.
// [Quicknet], of the League of Entropy (drand), is built in. A campaign may name another.
//
// The scheme is drand's "bls-unchained-g1-rfc9380", and no other: keys are points of G2 and signatures points of
// G1, both compressed, and no round depends on the one before.
//
// # Times
//
// Rounds are numbered from 1. Round n is due at
//
//	genesis + (n − 1) · period
//
// in seconds since 1970, UTC. The first round at or after a time t is 1 for t ≤ genesis, and otherwise
// 1 + ⌈(t − genesis) / period⌉.
//
// # Signatures
//
// The message of round n is SHA-256 of n as 8 bytes big-endian. It is hashed to a point of G1 by RFC 9380, suite
// BLS12381G1_XMD:SHA-256_SSWU_RO_, with the tag
//
//	BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_
//
// The signature is that point times the secret key: 48 bytes. A key has one signature for each round, and here a
// signature has one encoding. The randomness of the round is SHA-256 of those 48 bytes.
//
// # A worked example
//
// Round 1000 of quicknet was due at 1692803367 + 999·3 = 1692806364, 2023-08-23 15:59:24 UTC.
//
//	message    = SHA-256(00000000000003e8)
//	           = f652498d092acd949bad74e40683bf3824fb817980504a0c7e6722cfc5a9c0a3
//	signature  = b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125
//	             e342b73a8dd2bacbe47e4b6b63ed5e39
//	randomness = fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd
//
// # What a round proves
//
// A signature that verifies proves that the holders of the beacon's key made it for that round. Nobody could have
// chosen another, not even they.
//
// It does not prove when it was made. Servers that conspire, if they are enough to sign, know every later round in
// advance. So does whoever holds the whole key of a beacon that a campaign named itself.
//
// Nor does it prove that something else was settled before the round. For that a third party has to state what was
// settled, at a time before the round's.
package beacon
