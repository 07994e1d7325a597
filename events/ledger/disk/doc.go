// Package disk is Pebble as a record needs it: its options, and what becomes of an error of the disk.
//
// [Options] gives the options of a store. Its troubles go to a [Monitor]:
//
//	trouble                                 consequence
//	a write to the log or a directory fails the ledger refuses, before Pebble has the error
//	a flush fails                           it is tried again [FlushTries] times, then the ledger refuses
//	a compaction fails                      it is tried again after a wait, for ever
//	the disk is full                        the ledger refuses
//	a table is damaged                      its name is reported once; the rest is read
//
// Pebble 2.1.7 panics, or tries again at once and for ever, in some of these cases. A Monitor stands between: while a
// store is being opened a failed write does not return to Pebble ([Monitor.Start]), and from [Monitor.Opened] on the
// function given there is called once for each fatal error.
//
// The file system that Options installs also syncs a directory before Pebble makes a marker in it, so that a crash
// cannot keep the marker without the file that it names.
package disk
