// Package tree proves which events a campaign held when somebody looked at it.
//
// A campaign is a Merkle tree (RFC 6962, section 2.1). Its leaves are the events in the order of their indexes. The
// hash of a leaf is the event's hash, which [events.LeafHash] computes in the same way. So the root of the first n
// events follows from their hashes alone, and a file, a follower or another program computes it without this package.
//
// # Checkpoint
//
// A checkpoint states the root. It is a note (golang.org/x/mod/sumdb/note) in the form of C2SP tlog-checkpoint: the
// campaign, the number of its events, the root in base64, an empty line, and a line for each signature, here cut short.
//
//	watu/01ARZ3NDEKTSV4RRFFQ69G5FAV
//	61
//	E0SfH4dMkjib8AIVStsJLNhHtTXB0VswXhSsALEU/wY=
//
//	— watu/01BX5ZZKBKACTAV9WEVGEMMVRZ 5rgA7qe62ECPsh0XEXBqLH5roSjP+LxTEcginnIECw6N…
//
// Its ledger signs it with a key that is named "watu/" and the ledger's ULID ([Key]). Whoever keeps a signed checkpoint
// can show later what the ledger stated. Two checkpoints of one campaign, signed by one key, whose trees do not extend
// one another are a fork, and both notes together prove it to anybody.
//
// # Cosignatures
//
// A witness keeps the largest checkpoint of each campaign that it has seen, and cosigns one that extends it
// ([WitnessKey], C2SP tlog-cosignature by Ed25519, "cosignature/v1"). A cosignature is a further line of the note, and
// holds the time of the witness's clock.
//
//	— anna.example/w HzqQwgAAAABkGFDL7j2fB2MPA3j2jxq2IvAz3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJ…
//
// A [Policy] says whose cosignatures are asked for (C2SP tlog-policy). Two checkpoints that do not extend one another
// cannot both be cosigned by a quorum of honest witnesses; what dishonest ones sign proves nothing.
//
// # Proofs
//
// [Tree.Inclusion] proves that an event is in the tree of a checkpoint, [Tree.Extension] that a later tree begins with
// all events of an earlier one. Both are the lists of hashes of RFC 6962, sections 2.1.1 and 2.1.2, and are checked
// without the other events ([CheckInclusion], [CheckExtension]). They have at most 2·log₂ n hashes. A [Proof] is one of
// inclusion in a file, with the event and the checkpoint (C2SP tlog-proof).
//
// The package reads no clock, keeps no file and asks nobody. A [Tree] holds two hashes an event in memory.
package tree
